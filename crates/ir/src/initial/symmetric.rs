//! One initial state for all that differ by a permutation of agents.
//!
//! A search that takes permuted states for equal (`swarmcheck_passes::symmetry`) needs only one initial state of each orbit, but
//! an enumeration comes across all of them: sixteen agents on sixteen cells begin in 16! states of one orbit. If the initial
//! block is symmetric, conditions that sort the agents by what they have drawn are added (Crawford and others,
//! "Symmetry-breaking predicates for search problems", 1996).
//!
//! *Soundness.* Let every transposition of neighbours in a group map the block to itself: corresponding cells are drawn from
//! the same values or set to the same numbers, in the same order, the set of conditions is mapped to itself, and whatever
//! else the block does touches no cell of the two. Transpositions of neighbours generate all permutations, so the initial
//! states are closed under them. In each orbit some state has its agents sorted by any tuple of their cells; so a
//! representative of every orbit is found. Conditions are compared as text, up to the order of operands that may be
//! exchanged; where that fails to see a symmetry nothing is added. None of them can fault, so their order does not matter.

use super::problem::{Condition, Item, Problem, Values, items, without_tables};
use crate::expr::BinaryOp;
use crate::flat::Layout;
use crate::ground::{Act, Term, Touched};
use std::collections::{BTreeMap, HashSet};

impl Problem {
    /// The same with the agents of each group sorted, and the block that draws the states; nothing if no group can be.
    pub(crate) fn sorted(
        &self,
        layout: &Layout,
        acts: &[Act],
        groups: &[Vec<u32>],
    ) -> Option<(Problem, Vec<Act>)> {
        if self.empty || !self.complete {
            return None;
        }
        let block = Symmetric::new(self, layout, acts)?;
        let mut problem = self.clone();
        for group in groups.iter().filter(|group| block.is_symmetric(group)) {
            for pair in group.windows(2) {
                problem.conditions.extend(self.in_order(pair[0], pair[1]));
            }
        }
        if problem.conditions.len() == self.conditions.len() {
            return None;
        }
        problem.reorder();
        let acts = problem.block();
        Some((problem, acts))
    }

    /// That the values drawn for one agent are not greater than those of another, compared from the first to the last.
    fn in_order(&self, a: u32, b: u32) -> Option<Condition> {
        let cells = |agent: u32| {
            let own = self.variables.iter().enumerate().filter(|(_, v)| {
                v.cell.agent == Some(agent) && v.values.len() > 1 && !v.values.bounds().undef
            });
            own.map(|(at, v)| ((v.cell.var.0, v.cell.index), (at, v.slot))).collect::<BTreeMap<_, _>>()
        };
        let (a, b) = (cells(a), cells(b));
        let mut variables = vec![];
        let mut term: Option<Term> = None;
        for (kind, (at, slot)) in a.iter().rev() {
            let (other_at, other) = b.get(kind)?;
            variables.extend([*at, *other_at]);
            let less = |op| Term::Compare(op, *slot, *other);
            term = Some(match term {
                None => less(BinaryOp::Le),
                Some(rest) => {
                    let same = Term::And([less(BinaryOp::Eq), rest].into());
                    Term::Or([less(BinaryOp::Lt), same].into())
                }
            });
        }
        variables.sort_unstable();
        term.map(|term| Condition { term, variables })
    }
}

/// A block, ready to be compared with its images.
struct Symmetric<'a> {
    layout: &'a Layout,
    problem: &'a Problem,
    /// What is put into each slot, in order; what comes after the assumptions is marked.
    writes: BTreeMap<u32, Vec<(bool, Written)>>,
    /// What else may be touched.
    others: HashSet<u32>,
    conditions: HashSet<String>,
}

#[derive(Clone, PartialEq, Debug)]
enum Written {
    Drawn(Values),
    Set(i64),
}

impl<'a> Symmetric<'a> {
    fn new(problem: &'a Problem, layout: &'a Layout, acts: &[Act]) -> Option<Symmetric<'a>> {
        let end = acts.iter().rposition(|act| matches!(act, Act::Assume(_)))? + 1;
        let conditions = problem.conditions.iter().map(|c| text(&c.term)).collect();
        let mut out =
            Symmetric { layout, problem, writes: BTreeMap::new(), others: HashSet::new(), conditions };
        for (late, part) in [(false, &acts[..end]), (true, &acts[end..])] {
            for item in items(part)? {
                match item {
                    Item::Draw(slot, values) => {
                        out.writes.entry(slot).or_default().push((late, Written::Drawn(values)));
                    }
                    Item::Fixed(slot, value) => {
                        out.writes.entry(slot).or_default().push((late, Written::Set(value)));
                    }
                    Item::Other(act) => {
                        let touched = Touched::by_code(&[], &[act], layout.width());
                        out.others.extend(touched.reads.iter().chain(&touched.writes));
                    }
                    Item::Condition(_) => {}
                }
            }
        }
        Some(out)
    }

    fn is_symmetric(&self, group: &[u32]) -> bool {
        group.windows(2).all(|pair| self.can_exchange(pair[0], pair[1]).unwrap_or(false))
    }

    fn can_exchange(&self, a: u32, b: u32) -> Option<bool> {
        crate::cancel::check();
        let mut image = BTreeMap::new();
        for (slot, cell) in self.layout.cells() {
            let other = match cell.agent {
                Some(agent) if agent == a => b,
                Some(agent) if agent == b => a,
                _ => continue,
            };
            image.insert(slot, self.layout.copy(cell.var, other)? + cell.index);
        }
        let same = |(slot, other): (&u32, &u32)| {
            !self.others.contains(slot) && self.writes.get(slot) == self.writes.get(other)
        };
        if !image.iter().all(same) {
            return Some(false);
        }
        let of_both = |agent: Option<u32>| agent == Some(a) || agent == Some(b);
        for condition in &self.problem.conditions {
            // Cells that are not drawn may be read too.
            let plain = without_tables(&condition.term);
            let reads = Touched::by_code(std::slice::from_ref(&plain), &[], self.layout.width()).reads;
            if reads.iter().any(|slot| of_both(self.layout.cell(*slot).agent))
                && !self.conditions.contains(&text(&mapped(&plain, &image)?))
            {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// A term about the images of its slots; nothing if it computes which cell it reads.
fn mapped(term: &Term, image: &BTreeMap<u32, u32>) -> Option<Term> {
    let slot = |s: &u32| image.get(s).copied().unwrap_or(*s);
    let each = |parts: &[Term]| parts.iter().map(|p| mapped(p, image)).collect::<Option<Box<[Term]>>>();
    Some(match term {
        Term::Const(value) => Term::Const(*value),
        Term::Slot(s) => Term::Slot(slot(s)),
        Term::Is(s, value) => Term::Is(slot(s), *value),
        Term::IsNot(s, value) => Term::IsNot(slot(s), *value),
        Term::Compare(op, x, y) => Term::Compare(*op, slot(x), slot(y)),
        Term::Unary(op, e) => Term::Unary(*op, Box::new(mapped(e, image)?)),
        Term::Defined(e) => Term::Defined(Box::new(mapped(e, image)?)),
        Term::Binary(op, sides, span) => {
            Term::Binary(*op, Box::new((mapped(&sides.0, image)?, mapped(&sides.1, image)?)), *span)
        }
        Term::And(parts) => Term::And(each(parts)?),
        Term::Or(parts) => Term::Or(each(parts)?),
        Term::Count(parts) => Term::Count(each(parts)?),
        Term::If(parts) => {
            let (c, x, y) = &**parts;
            Term::If(Box::new((mapped(c, image)?, mapped(x, image)?, mapped(y, image)?)))
        }
        Term::Table(table) => mapped(table.term(), image)?,
        Term::Local(_) | Term::LocalCell { .. } | Term::Cell(_) => return None,
    })
}

/// A term as text, the same for terms that differ in the order of operands only.
fn text(term: &Term) -> String {
    let sorted = |parts: &[Term]| {
        let mut parts: Vec<String> = parts.iter().map(text).collect();
        parts.sort_unstable();
        parts.join(" ")
    };
    match term {
        Term::Table(table) => text(table.term()),
        Term::And(parts) => format!("(and {})", sorted(parts)),
        Term::Or(parts) => format!("(or {})", sorted(parts)),
        Term::Count(parts) => format!("(count {})", sorted(parts)),
        Term::Unary(op, e) => format!("({op:?} {})", text(e)),
        Term::Defined(e) => format!("(defined {})", text(e)),
        Term::If(parts) => format!("(if {} {} {})", text(&parts.0), text(&parts.1), text(&parts.2)),
        Term::Compare(op, a, b) => compared(*op, format!("s{a}"), format!("s{b}")),
        Term::Slot(slot) => format!("s{slot}"),
        Term::Binary(op, sides, _) if op.is_comparison() => compared(*op, text(&sides.0), text(&sides.1)),
        Term::Binary(op @ (BinaryOp::Add | BinaryOp::Mul | BinaryOp::Min | BinaryOp::Max), ..) => {
            let mut all = vec![];
            operands(*op, term, &mut all);
            all.sort_unstable();
            format!("({op:?} {})", all.join(" "))
        }
        Term::Binary(op, sides, _) => format!("({op:?} {} {})", text(&sides.0), text(&sides.1)),
        other => format!("{other:?}"),
    }
}

/// The operands of a chain of the same operator, in any bracketing.
fn operands(op: BinaryOp, term: &Term, out: &mut Vec<String>) {
    match term {
        Term::Binary(other, sides, _) if *other == op => {
            operands(op, &sides.0, out);
            operands(op, &sides.1, out);
        }
        Term::Table(table) => operands(op, table.term(), out),
        term => out.push(text(term)),
    }
}

fn compared(op: BinaryOp, a: String, b: String) -> String {
    let (op, a, b) = match op {
        BinaryOp::Gt => (BinaryOp::Lt, b, a),
        BinaryOp::Ge => (BinaryOp::Le, b, a),
        BinaryOp::Eq | BinaryOp::Ne if b < a => (op, b, a),
        op => (op, a, b),
    };
    format!("({op:?} {a} {b})")
}
