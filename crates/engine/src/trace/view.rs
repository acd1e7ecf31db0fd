//! A step as its assignments: which cells got which values, with timestamps.
//!
//! States hold only the order of timestamps. For people, the view keeps a clock as the papers do: initial values
//! are stamped in agent order, every action that writes takes the next stamp, and an agent that accepts a message takes
//! the sender's. With `--sync` both happen in one step.

use std::collections::{BTreeMap, HashMap};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Cell, Flat};
use swarmcheck_ir::program::Role;

/// A cell and the value it got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// The cell that was written.
    pub cell: Cell,
    /// The value after the step.
    pub value: Value,
    /// The value's timestamp, for a timestamped variable.
    pub timestamp: Option<i64>,
    /// Whether it was taken over from another agent.
    pub heard: bool,
}

/// One write of the machine.
struct Written {
    slot: u32,
    old: Value,
    new: Value,
}

/// A timestamp, and whether it is that of another agent.
struct Stamp {
    time: i64,
    heard: bool,
}

/// What each write left.
fn with_new_values(writes: &[(u32, Value)], after: &[Value]) -> Vec<Written> {
    let mut newest: HashMap<u32, Value> = HashMap::new();
    let mut out = vec![];
    // Backwards, because a later write to the same cell knows the value this one left.
    for &(slot, old) in writes.iter().rev() {
        let new = newest.insert(slot, old).unwrap_or(after[slot as usize]);
        out.push(Written { slot, old, new });
    }
    out.reverse();
    out
}

/// Follows a run and stamps what is written.
#[derive(Clone, Debug)]
pub struct Clock<'f> {
    flat: &'f Flat,
    /// The timestamp behind each order cell, by slot.
    stamps: HashMap<u32, i64>,
    next: i64,
}

impl<'f> Clock<'f> {
    /// Starts in an initial state.
    pub fn new(flat: &'f Flat, initial: &[Value]) -> Clock<'f> {
        let mut clock = Clock { flat, stamps: HashMap::new(), next: i64::from(flat.program.agents()) };
        for ((slot, cell), &rank) in flat.layout.cells().zip(initial) {
            if flat.program.var(cell.var).role == Role::Order {
                clock.stamps.insert(slot, rank);
            }
        }
        clock
    }

    /// The timestamp of a cell, if it is timestamped.
    pub fn stamp(&self, cell: Cell) -> Option<i64> {
        self.stamps.get(&self.order_slot(cell)?).copied()
    }

    fn order_slot(&self, cell: Cell) -> Option<u32> {
        match self.flat.program.var(cell.var).role {
            Role::Data { order: Some(order), .. } => self.flat.layout.copy(order, cell.agent?),
            _ => None,
        }
    }

    /// All data cells of a state.
    pub fn snapshot(&self, state: &[Value]) -> Vec<Assigned> {
        let cells = self.flat.layout.cells().zip(state);
        cells
            .filter(|((_, cell), _)| self.is_data(*cell))
            .map(|((_, cell), &value)| Assigned { cell, value, timestamp: self.stamp(cell), heard: false })
            .collect()
    }

    fn is_data(&self, cell: Cell) -> bool {
        matches!(self.flat.program.var(cell.var).role, Role::Data { .. })
    }

    /// The assignments of a step, given what the machine wrote (slots with their old values, in order) and the
    /// state after it.
    pub fn step(&mut self, writes: &[(u32, Value)], after: &[Value]) -> Vec<Assigned> {
        let all = with_new_values(writes, after);
        let stamps = self.stamped(&all, after);
        let mut out = vec![];
        // Backwards, because values are written before their timestamp.
        let mut next: HashMap<u32, Stamp> = HashMap::new();
        for (write, stamp) in all.iter().zip(stamps).rev() {
            next.extend(stamp.map(|stamp| (write.slot, stamp)));
            let cell = self.flat.layout.cell(write.slot);
            if self.is_data(cell) {
                let stamp = self.order_slot(cell).and_then(|slot| next.get(&slot));
                let timestamp = stamp.map(|stamp| stamp.time).or_else(|| self.stamp(cell));
                let heard = stamp.is_some_and(|stamp| stamp.heard);
                out.push(Assigned { cell, value: write.new, timestamp, heard });
            }
        }
        out.reverse();
        out
    }

    /// The timestamps that a step gives to order cells, write by write. Ranks that a program writes in between tell what
    /// happens: ranking anew never makes one greater; a greater rank that another agent holds was taken over from it, and
    /// one that nobody holds is new.
    fn stamped(&mut self, all: &[Written], after: &[Value]) -> Vec<Option<Stamp>> {
        // Before the step; what is not written has the rank that it has afterwards.
        let mut ranks: HashMap<u32, Value> = all.iter().rev().map(|write| (write.slot, write.old)).collect();
        let mut wrote = false;
        let mut out = vec![];
        for write in all {
            let var = self.flat.layout.cell(write.slot).var;
            let newer = self.flat.program.var(var).role == Role::Order && write.new > write.old;
            out.push(newer.then(|| {
                let rank = |slot: u32| ranks.get(&slot).copied().unwrap_or(after[slot as usize]);
                let holders = (0..self.flat.program.agents()).filter_map(|a| self.flat.layout.copy(var, a));
                let from = holders.into_iter().find(|&slot| rank(slot) == write.new);
                let taken = from.and_then(|slot| self.stamps.get(&slot).copied());
                wrote |= taken.is_none();
                let stamp = Stamp { time: taken.unwrap_or(self.next), heard: taken.is_some() };
                self.stamps.insert(write.slot, stamp.time);
                stamp
            }));
            ranks.insert(write.slot, write.new);
        }
        self.next += i64::from(wrote);
        out
    }

    /// What waits to be sent, by agent: the names of the pending variables that are set.
    pub fn pending(&self, state: &[Value]) -> BTreeMap<u32, Vec<&'f str>> {
        let mut out: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for ((_, cell), &value) in self.flat.layout.cells().zip(state) {
            let var = self.flat.program.var(cell.var);
            if let (Role::Pending, 1, Some(agent)) = (&var.role, value, cell.agent) {
                out.entry(agent).or_default().push(&var.name);
            }
        }
        out
    }

    /// The program's flat form.
    pub fn flat(&self) -> &'f Flat {
        self.flat
    }
}

/// A value as the user would write it.
pub fn value_name(flat: &Flat, cell: Cell, value: Value) -> String {
    match flat.value_name(cell.var, value) {
        Some(name) => name.to_string(),
        None if value == swarmcheck_ir::UNDEF => "undef".to_string(),
        None => value.to_string(),
    }
}
