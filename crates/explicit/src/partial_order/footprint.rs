//! What an instance waits for and which values it writes: enough to tell that some instances that touch the same slots
//! are independent all the same.
//!
//! Everything is an over-approximation: an instance writes at most these values, and looks at most at these slots.

use std::collections::BTreeMap;
use swarmcheck_ir::Value;
use swarmcheck_ir::ground::{Act, Routine, Runner, Term, Touched, is_safe, reads};

/// More different values than this are not told apart.
const MOST_VALUES: usize = 16;

/// The values an instance may write to a slot.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    /// Only these, in ascending order.
    Known(Vec<Value>),
    /// Nothing is known about the values.
    Any,
}

impl Values {
    fn join(&mut self, other: Values) {
        match (&mut *self, other) {
            (Values::Known(mine), Values::Known(others)) => {
                mine.extend(others);
                mine.sort_unstable();
                mine.dedup();
                if mine.len() > MOST_VALUES {
                    *self = Values::Any;
                }
            }
            (mine, _) => *mine = Values::Any,
        }
    }

    /// The value, if there is only one.
    pub fn only(&self) -> Option<Value> {
        match self {
            Values::Known(values) if values.len() == 1 => values.first().copied(),
            _ => None,
        }
    }
}

/// A condition without which the instance neither runs nor faults.
#[derive(Clone, Debug)]
pub(super) struct Need {
    /// The condition; it cannot fault.
    pub term: Term,
    /// The slots it reads, in ascending order.
    pub slots: Vec<u32>,
}

impl Need {
    /// Whether it holds where its slots have these values.
    pub fn holds(&self, values: &[(u32, Value)], scratch: &mut Scratch) -> bool {
        for &(slot, value) in values {
            scratch.state[slot as usize] = value;
        }
        scratch.runner.test(&self.term, &scratch.state) != Ok(false)
    }
}

/// A state to try needs in.
pub(super) struct Scratch {
    runner: Runner,
    state: Vec<Value>,
}

impl Scratch {
    /// For states of this length.
    pub fn new(width: usize) -> Scratch {
        Scratch { runner: Runner::default(), state: vec![0; width] }
    }
}

/// What an instance has to do with the state.
#[derive(Debug, Default)]
pub(super) struct Footprint {
    /// Tests, and parts of the guard before which nothing can fault.
    pub needs: Vec<Need>,
    /// Slots that have a certain value whenever it runs or faults.
    pub fixed: BTreeMap<u32, Value>,
    /// What it reads otherwise than by a need that reads nothing else; in ascending order.
    deep: Vec<u32>,
    /// What it may write. A slot that it can only leave as it was is not written.
    pub writes: BTreeMap<u32, Values>,
}

impl Footprint {
    /// Looks at an instance.
    pub fn new(routine: &Routine, width: usize) -> Footprint {
        let mut out = Footprint::default();
        for &(slot, value) in routine.tests() {
            out.need(Term::Is(slot, value), width);
        }
        let parts = match routine.guard() {
            Term::And(parts) => &parts[..],
            Term::Const(value) if *value != 0 => &[][..],
            guard => std::slice::from_ref(guard),
        };
        // What stands behind a part that may fault is no need: the instance may fault without it.
        let safe = parts.iter().take_while(|part| is_safe(part)).count();
        parts[..safe].iter().for_each(|part| out.need(part.clone(), width));
        let mut rest = Touched::by_code(&parts[safe..], routine.body(), width).reads;
        for need in out.needs.iter().filter(|need| need.slots.len() > 1) {
            rest.extend(&need.slots);
        }
        rest.sort_unstable();
        rest.dedup();
        out.deep = rest;
        Writes { out: &mut out, constants: BTreeMap::new(), width }.block(routine.body(), true);
        let fixed = &out.fixed;
        out.writes.retain(|slot, values| fixed.get(slot).is_none_or(|v| values.only() != Some(*v)));
        out
    }

    fn need(&mut self, term: Term, width: usize) {
        if let Term::Is(slot, value) = term {
            self.fixed.entry(slot).or_insert(value);
        }
        let slots = reads(&term, width);
        self.needs.push(Need { term, slots });
    }

    /// Whether it looks at a slot.
    fn looks_at(&self, slot: u32) -> bool {
        self.deep.binary_search(&slot).is_ok() || self.needs.iter().any(|need| need.slots.contains(&slot))
    }

    /// All slots it looks at, in ascending order, each once.
    pub fn reads(&self) -> Vec<u32> {
        let mut out = self.deep.clone();
        self.needs.iter().for_each(|need| out.extend(&need.slots));
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Whether these writes to a slot by somebody else make no difference to this instance, wherever it could run or
    /// fault before: they leave the slot as it is, or it is only looked at by needs that they fulfil.
    pub fn is_indifferent(&self, slot: u32, values: &Values, scratch: &mut Scratch) -> bool {
        swarmcheck_ir::cancel::check();
        if !self.looks_at(slot) {
            return true;
        }
        let Values::Known(known) = values else { return false };
        if values.only().is_some_and(|v| self.fixed.get(&slot) == Some(&v)) {
            return true;
        }
        let mut needs = self.needs.iter().filter(|need| need.slots == [slot]);
        self.deep.binary_search(&slot).is_err()
            && needs.all(|need| known.iter().all(|v| need.holds(&[(slot, *v)], scratch)))
    }
}

/// Collects what a body writes, going through it in order.
struct Writes<'a> {
    out: &'a mut Footprint,
    /// Locals that are known to be constant from here on.
    constants: BTreeMap<u32, Value>,
    width: usize,
}

impl Writes<'_> {
    /// `certain`: it is run whenever the body is.
    fn block(&mut self, acts: &[Act], certain: bool) {
        acts.iter().for_each(|act| self.act(act, certain));
    }

    fn act(&mut self, act: &Act, certain: bool) {
        match act {
            Act::Set(slot, term) => {
                let values = self.constant(term).map_or(Values::Any, |v| Values::Known(vec![v]));
                self.write(*slot, values);
            }
            Act::Let(local, term) => {
                let value = self.constant(term).filter(|_| certain);
                self.constants.remove(local);
                self.constants.extend(value.map(|value| (*local, value)));
            }
            Act::Havoc(local, _) => _ = self.constants.remove(local),
            Act::Pick { first, length, .. } => {
                (*first..first + length).for_each(|local| _ = self.constants.remove(&local));
            }
            Act::If(_, yes, no) => {
                self.block(yes, false);
                self.block(no, false);
            }
            Act::Choose(branches) => branches.iter().for_each(|(_, body)| self.block(body, false)),
            other => {
                let written = Touched::by_code(&[], std::slice::from_ref(other), self.width).writes;
                written.into_iter().for_each(|slot| self.write(slot, Values::Any));
            }
        }
    }

    fn write(&mut self, slot: u32, values: Values) {
        match self.out.writes.get_mut(&slot) {
            Some(known) => known.join(values),
            None => _ = self.out.writes.insert(slot, values),
        }
    }

    fn constant(&self, term: &Term) -> Option<Value> {
        match term {
            Term::Const(value) => Some(*value),
            Term::Local(local) => self.constants.get(local).copied(),
            _ => None,
        }
    }
}
