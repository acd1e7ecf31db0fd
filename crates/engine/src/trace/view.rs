//! A step as its assignments: which cells got which values, with timestamps.
//!
//! States hold only the order of timestamps. For people, the view keeps a clock as the papers do: initial values
//! are stamped in agent order, every action that writes takes the next stamp, and an agent that accepts a message takes
//! the sender's.

use std::collections::{BTreeMap, HashMap};
use swarmcheck_ir::flat::{Cell, Flat, Instance};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Rule, Value};

/// A cell and the value it got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Assigned {
    /// The cell that was written.
    pub cell: Cell,
    /// The value after the step.
    pub value: Value,
    /// The value's timestamp, for a timestamped variable.
    pub timestamp: Option<i64>,
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
        for (slot, &rank) in initial.iter().enumerate() {
            let cell = flat.layout.cell(slot as u32);
            if flat.program.var(cell.var).role == Role::Order {
                clock.stamps.insert(slot as u32, rank);
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
        let cells = (0..state.len() as u32).map(|slot| (slot, self.flat.layout.cell(slot)));
        cells
            .filter(|(_, cell)| self.is_data(*cell))
            .map(|(slot, cell)| Assigned { cell, value: state[slot as usize], timestamp: self.stamp(cell) })
            .collect()
    }

    fn is_data(&self, cell: Cell) -> bool {
        matches!(self.flat.program.var(cell.var).role, Role::Data { .. })
    }

    /// The assignments of a step, given what the machine wrote (slots with their old values, in order) and the
    /// state after it.
    pub fn step(&mut self, instance: Instance, writes: &[(u32, Value)], after: &[Value]) -> Vec<Assigned> {
        let acts =
            matches!(self.flat.program.functions[instance.function as usize].rule, Rule::Action { .. });
        let mut newest: HashMap<u32, Value> = HashMap::new();
        let mut out = vec![];
        // Backwards, because a later write to the same cell knows the value this one left.
        for &(slot, old) in writes.iter().rev() {
            let cell = self.flat.layout.cell(slot);
            if self.is_data(cell) {
                let value = newest.insert(slot, old).unwrap_or(after[slot as usize]);
                out.push(Assigned { cell, value, timestamp: None });
            }
        }
        out.reverse();
        let mut wrote = false;
        for assigned in &mut out {
            let Some(slot) = self.order_slot(assigned.cell) else { continue };
            let stamp = if acts {
                wrote = true;
                self.next
            } else {
                let sender = Cell { agent: Some(instance.agent), ..assigned.cell };
                self.stamp(sender).unwrap_or(self.next)
            };
            self.stamps.insert(slot, stamp);
            assigned.timestamp = Some(stamp);
        }
        self.next += i64::from(wrote);
        out
    }

    /// What waits to be sent, by agent: the names of the pending variables that are set.
    pub fn pending(&self, state: &[Value]) -> BTreeMap<u32, Vec<&'f str>> {
        let mut out: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for (slot, &value) in state.iter().enumerate() {
            let cell = self.flat.layout.cell(slot as u32);
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

/// `x`, `fork[2]`, `ph[1][3]`: a cell as the user would write it.
pub fn cell_name(flat: &Flat, cell: Cell) -> String {
    let var = flat.program.var(cell.var);
    indexed(&var.name, &var.dimensions, cell.index)
}

/// A cell of an array with these sizes by its place, row-major.
pub(super) fn indexed(name: &str, dimensions: &[u32], index: u32) -> String {
    let mut out = name.to_string();
    let mut rest = index;
    for (i, _) in dimensions.iter().enumerate() {
        // Sizes may come from a file, and be anything.
        let inner = dimensions[i + 1..].iter().fold(1u32, |all, size| all.saturating_mul(*size)).max(1);
        out += &format!("[{}]", rest / inner);
        rest %= inner;
    }
    out
}

/// A value as the user would write it.
pub fn value_name(flat: &Flat, cell: Cell, value: Value) -> String {
    match flat.value_name(cell.var, value) {
        Some(name) => name.to_string(),
        None if value == swarmcheck_ir::UNDEF => "undef".to_string(),
        None => value.to_string(),
    }
}
