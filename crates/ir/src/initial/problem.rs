//! Taking an initial block apart: which draws there are, which conditions, and what else happens.
//!
//! A block is taken apart if it has the shape that front ends give it: draws from constant sets, numbers, ranks, choices of
//! locations, and assumptions about what was drawn. Everything else is left as it is.

use super::bounds::bounds;
use crate::arith::Value;
use crate::expr::UnaryOp;
use crate::flat::{Cell, Layout};
use crate::ground::{Act, Draw, Dynamic, Term, Touched};
use crate::interval::Bounds;
use std::collections::HashMap;
use std::sync::Arc;
use swarmcheck_source::Span;

/// The values that a cell can be drawn from, in the order of their choices.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    List(Vec<Value>),
    /// `lo..lo + n`.
    Range(Value, u64),
}

impl Values {
    fn of(set: &Draw) -> Option<Values> {
        let constant = |t: &Term| if let Term::Const(v) = t { Some(*v) } else { None };
        match set {
            Draw::Values(values) => Some(Values::List(values.iter().map(constant).collect::<Option<_>>()?)),
            Draw::Range(lo, hi) => match (constant(lo)?, constant(hi)?) {
                (crate::UNDEF, _) | (_, crate::UNDEF) => Some(Values::List(vec![])),
                (lo, hi) if lo >= hi => Some(Values::List(vec![])),
                (lo, hi) => Some(Values::Range(lo, hi.abs_diff(lo))),
            },
        }
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Values::List(values) => values.len() as u64,
            Values::Range(_, n) => *n,
        }
    }

    pub(super) fn get(&self, at: u64) -> Value {
        match self {
            Values::List(values) => values[at as usize],
            Values::Range(lo, _) => lo.wrapping_add_unsigned(at),
        }
    }

    pub(super) fn bounds(&self) -> Bounds {
        match self {
            Values::List(values) => values.iter().fold(Bounds::NONE, |all, v| all.hull(Bounds::exactly(*v))),
            Values::Range(lo, n) => {
                let last = lo.wrapping_add_unsigned(n.saturating_sub(1));
                Bounds::exactly(*lo).hull(Bounds::exactly(last))
            }
        }
    }

    fn set(&self) -> Draw {
        match self {
            Values::List(values) => Draw::Values(values.iter().map(|v| Term::Const(*v)).collect()),
            Values::Range(lo, n) => Draw::Range(Term::Const(*lo), Term::Const(lo.wrapping_add_unsigned(*n))),
        }
    }
}

/// A cell that is drawn, and that a condition reads.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) slot: u32,
    pub(super) values: Values,
    /// Whose cell it is, of which variable.
    pub(super) cell: Cell,
}

impl Variable {
    /// The statement that draws it.
    pub(super) fn draw(&self) -> Act {
        fill(self.slot, &self.values)
    }
}

fn fill(slot: u32, values: &Values) -> Act {
    let place = Dynamic {
        agent: None,
        copies: Arc::new([slot]),
        index: [].into(),
        dimensions: [].into(),
        span: Span::default(),
    };
    Act::Fill { place: Box::new(place), cells: 1, set: values.set() }
}

/// A conjunct of the assumptions that cannot fault.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) term: Term,
    /// The variables it reads, in ascending order.
    pub(super) variables: Vec<usize>,
}

/// The draws and conditions of an initial block.
#[derive(Clone, Debug)]
pub struct Problem {
    /// In the order in which the block that was made of it draws them.
    pub(super) variables: Vec<Variable>,
    pub(super) conditions: Vec<Condition>,
    /// The state before anything is drawn, as far as conditions read it.
    pub(super) base: Vec<Value>,
    /// Some draw has nothing to draw from: there is no initial state.
    pub(super) empty: bool,
    /// Whatever satisfies the conditions is an initial state, whatever else is drawn.
    pub(super) complete: bool,
    /// What the block does before its first draw, and after the last one that conditions read.
    front: Vec<Act>,
    rest: Vec<Act>,
}

/// What the statements up to the last assumption do.
pub(super) enum Item {
    Draw(u32, Values),
    Fixed(u32, Value),
    /// Something that conditions do not depend on.
    Other(Act),
    Condition(Term),
}

impl Problem {
    /// Takes a block apart, and puts it together again so that conditions are tested early.
    pub(crate) fn new(layout: &Layout, acts: &[Act]) -> Option<(Problem, Vec<Act>)> {
        if never_ends(acts) {
            let problem = Problem {
                variables: vec![],
                conditions: vec![],
                base: vec![],
                empty: true,
                complete: true,
                front: vec![],
                rest: vec![],
            };
            return Some((problem, vec![Act::Assume(Term::Const(0))]));
        }
        let end = acts.iter().rposition(|act| matches!(act, Act::Assume(_)))? + 1;
        let items = items(&acts[..end])?;
        let width = layout.width();
        // Who writes a slot; conditions only read what one draw or one number has put there before.
        let mut writers: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut domains: HashMap<u32, Bounds> = HashMap::new();
        let mut read_by_others = vec![false; width];
        for (at, item) in items.iter().enumerate() {
            match item {
                Item::Draw(slot, values) => {
                    writers.entry(*slot).or_default().push(at);
                    domains.insert(*slot, values.bounds());
                }
                Item::Fixed(slot, value) => {
                    writers.entry(*slot).or_default().push(at);
                    domains.insert(*slot, Bounds::exactly(*value));
                }
                Item::Other(act) => {
                    let touched = Touched::by_code(&[], std::slice::from_ref(act), width);
                    if !touched.local_reads.is_empty() {
                        return None;
                    }
                    touched.writes.iter().for_each(|slot| writers.entry(*slot).or_default().push(at));
                    touched.reads.iter().for_each(|slot| read_by_others[*slot as usize] = true);
                }
                Item::Condition(_) => {}
            }
        }
        let known = |slot: u32| domains.get(&slot).copied().unwrap_or(Bounds::exactly(0));
        let mut early: Vec<(&Term, Vec<u32>)> = vec![];
        let mut late: Vec<&Term> = vec![];
        for (at, item) in items.iter().enumerate() {
            let Item::Condition(term) = item else { continue };
            crate::cancel::check();
            let slots = slots_of(term, width)?;
            for slot in &slots {
                let writers = writers.get(slot).map_or(&[][..], |w| &w[..]);
                let plain = match writers {
                    [] => true,
                    [one] => *one < at && !matches!(items[*one], Item::Other(_)),
                    _ => false,
                };
                if !plain {
                    return None;
                }
            }
            let safe = !bounds(term, &known).fault;
            if safe && late.is_empty() {
                early.push((term, slots));
            } else {
                late.push(term);
            }
        }
        // A draw from nothing comes after something that may fault: then it is not moved.
        let empty = items.iter().any(|item| matches!(item, Item::Draw(_, values) if values.len() == 0));
        if empty || early.is_empty() {
            return None;
        }
        let mut wanted = vec![false; width];
        early.iter().flat_map(|(_, slots)| slots).for_each(|slot| wanted[*slot as usize] = true);
        // What is drawn earlier than before must not be seen by anything that came first.
        if wanted.iter().zip(&read_by_others).any(|(wanted, read)| *wanted && *read) {
            return None;
        }
        let mut base = vec![0; width];
        let (mut variables, mut front, mut rest) = (vec![], vec![], vec![]);
        for item in &items {
            match item {
                Item::Draw(slot, values) if wanted[*slot as usize] => {
                    let (values, cell) = (values.clone(), layout.cell(*slot));
                    variables.push(Variable { slot: *slot, values, cell });
                }
                Item::Draw(slot, values) => rest.push(fill(*slot, values)),
                Item::Fixed(slot, value) if wanted[*slot as usize] => {
                    base[*slot as usize] = *value;
                    front.push(Act::Set(*slot, Term::Const(*value)));
                }
                Item::Fixed(slot, value) => rest.push(Act::Set(*slot, Term::Const(*value))),
                Item::Other(act) => rest.push(act.clone()),
                Item::Condition(_) => {}
            }
        }
        rest.extend(late.iter().map(|term| Act::Assume((*term).clone())));
        let tail = &acts[end..];
        let complete = late.is_empty() && tail.iter().all(is_total);
        rest.extend_from_slice(tail);
        let place: HashMap<u32, usize> =
            variables.iter().enumerate().map(|(at, v): (usize, &Variable)| (v.slot, at)).collect();
        let conditions = early.into_iter().map(|(term, slots)| Condition {
            term: term.clone(),
            variables: slots.iter().filter_map(|slot| place.get(slot).copied()).collect(),
        });
        let conditions = conditions.collect();
        let mut problem = Problem { conditions, variables, base, empty: false, complete, front, rest };
        problem.reorder();
        let acts = problem.block();
        Some((problem, acts))
    }

    /// The block: draws, each followed by the conditions that can be tested then, and everything else.
    pub(super) fn block(&self) -> Vec<Act> {
        let mut out = self.front.clone();
        out.extend(self.interleaved());
        out.extend_from_slice(&self.rest);
        out
    }

    /// Values found by a search as the first choices of the block: those with one value only are not asked for.
    pub fn script(&self, choices: &[u64]) -> Vec<u64> {
        let asked = self.variables.iter().zip(choices).filter(|(v, _)| v.values.len() > 1);
        asked.map(|(_, choice)| *choice).collect()
    }

    /// How many cells are drawn that conditions read.
    pub fn variables(&self) -> usize {
        self.variables.len()
    }

    /// Whether any values that satisfy the conditions belong to an initial state. Otherwise a part of the assumptions, one
    /// that may be an error of the model, has to be looked at when the state is complete.
    pub fn is_complete(&self) -> bool {
        self.complete
    }
}

/// The slots that a condition reads; nothing if it reads locals.
fn slots_of(term: &Term, width: usize) -> Option<Vec<u32>> {
    let touched = Touched::by_code(&[without_tables(term)], &[], width);
    touched.local_reads.is_empty().then_some(touched.reads)
}

/// The same term without tables, which keep to themselves what they read.
pub(super) fn without_tables(term: &Term) -> Term {
    let each = |parts: &[Term]| parts.iter().map(without_tables).collect();
    match term {
        Term::Table(table) => without_tables(table.term()),
        Term::And(parts) => Term::And(each(parts)),
        Term::Or(parts) => Term::Or(each(parts)),
        Term::Count(parts) => Term::Count(each(parts)),
        Term::Unary(op, e) => Term::Unary(*op, Box::new(without_tables(e))),
        Term::Defined(e) => Term::Defined(Box::new(without_tables(e))),
        Term::Binary(op, sides, span) => {
            Term::Binary(*op, Box::new((without_tables(&sides.0), without_tables(&sides.1))), *span)
        }
        Term::If(parts) => {
            let (c, a, b) = &**parts;
            Term::If(Box::new((without_tables(c), without_tables(a), without_tables(b))))
        }
        other => other.clone(),
    }
}

/// Whether a block comes to a draw from nothing, and cannot meet an error before.
fn never_ends(acts: &[Act]) -> bool {
    let from = |act: &Act| match act {
        Act::Fill { place, cells, set } if place.known().is_some() && *cells > 0 => Values::of(set),
        Act::Havoc(_, set) => Values::of(set),
        _ => None,
    };
    let safe = |act: &&Act| match act {
        Act::Assume(term) => crate::ground::is_safe(term),
        Act::Set(_, Term::Local(_)) => true,
        act => is_total(act),
    };
    let first = acts.iter().find(|act| !safe(act));
    first.and_then(from).is_some_and(|values| values.len() == 0)
}

pub(super) fn items(acts: &[Act]) -> Option<Vec<Item>> {
    let mut out = vec![];
    let mut rest = acts.iter();
    while let Some(act) = rest.next() {
        crate::cancel::check();
        match act {
            Act::Fill { place, cells, set } => {
                let first = place.known()?;
                let values = Values::of(set)?;
                out.extend((first..first + cells).map(|slot| Item::Draw(slot, values.clone())));
            }
            Act::Havoc(local, set) => match rest.next() {
                Some(Act::Set(slot, Term::Local(from))) if from == local => {
                    out.push(Item::Draw(*slot, Values::of(set)?));
                }
                _ => return None,
            },
            Act::Set(slot, Term::Const(value)) => out.push(Item::Fixed(*slot, *value)),
            Act::Assume(term) => conjuncts(term, &mut |part| out.push(Item::Condition(part))),
            act if is_total(act) => out.push(Item::Other(act.clone())),
            _ => return None,
        }
    }
    Some(out)
}

/// Splits a condition into parts that hold together exactly if it does. They are evaluated in the same order.
fn conjuncts(term: &Term, each: &mut dyn FnMut(Term)) {
    match term {
        Term::And(parts) => parts.iter().for_each(|part| conjuncts(part, each)),
        Term::Table(table) if matches!(table.term(), Term::And(_)) => conjuncts(table.term(), each),
        Term::Unary(UnaryOp::Not, inner) => match &**inner {
            Term::Or(parts) => {
                parts.iter().for_each(|p| conjuncts(&Term::Unary(UnaryOp::Not, Box::new(p.clone())), each));
            }
            Term::Unary(UnaryOp::Not, inner) => conjuncts(inner, each),
            _ => each(term.clone()),
        },
        Term::Const(value) if *value != 0 => {}
        term => each(term.clone()),
    }
}

/// Whether a statement can neither fault nor stop the block.
fn is_total(act: &Act) -> bool {
    let all = |acts: &[Act]| acts.iter().all(is_total);
    let sound = |term: &Term| crate::ground::is_safe(term);
    match act {
        Act::Set(_, term) | Act::Let(_, term) => sound(term),
        Act::Rank(_) | Act::Copy { .. } => true,
        Act::If(condition, yes, no) => sound(condition) && all(yes) && all(no),
        Act::Choose(branches) => {
            let open = |condition: &Term| matches!(condition, Term::Const(v) if *v != 0);
            !branches.is_empty() && branches.iter().all(|(condition, body)| open(condition) && all(body))
        }
        Act::Fill { place, set, .. } => {
            place.known().is_some() && Values::of(set).is_some_and(|v| v.len() > 0)
        }
        Act::Havoc(_, set) => Values::of(set).is_some_and(|v| v.len() > 0),
        _ => false,
    }
}
