//! Which cells belong to which process.
//!
//! Each agent is a process, as in the parallel programs of De Nicola, Di Stefano, Inverso and Lang (ISoLA 2021, figure 3):
//! its attributes, its copies of stigmergic values, its pending messages and its location. So is the order of timestamps of
//! each tuple, over all agents, and the schedule. The environment is split: cells are together only if they are written from
//! each other.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::program::Role;
use swarmcheck_steps::execute::{Executed, Step};
use swarmcheck_steps::terms::{TermId, Terms};

/// A process, by its cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// What people call it: `Bird 0`, `order of dirX`, `turn`, `fork[2]`.
    pub name: String,
    /// Its cells, in ascending order.
    pub slots: Vec<u32>,
}

/// Divides the cells that matter among processes. Cells that are always the same belong to none.
pub fn split(program: &Program, layout: &Layout, executed: &Executed) -> Vec<Part> {
    let mut groups = Groups((0..layout.width() as u32).collect());
    let mut first_of_agent = vec![None; program.agents() as usize];
    let mut first_of_order = vec![None; program.vars.len()];
    for (slot, cell) in layout.cells() {
        let first = match (program.var(cell.var).role.clone(), cell.agent) {
            (Role::Order, _) => &mut first_of_order[cell.var.0 as usize],
            (_, Some(agent)) => &mut first_of_agent[agent as usize],
            (_, None) => continue,
        };
        match *first {
            Some(first) => groups.join(first, slot),
            None => *first = Some(slot),
        }
    }
    let is_environment = |slot: u32| {
        let cell = layout.cell(slot);
        cell.agent.is_none() && program.var(cell.var).role != Role::Order
    };
    for step in executed.steps.iter().flatten() {
        join_environment(&executed.terms, step, &is_environment, &mut groups);
    }
    let changing = changing(executed, layout.width());
    let mut parts: Vec<Part> = vec![];
    let mut part_of_root: HashMap<u32, usize> = HashMap::new();
    for (slot, cell) in layout.cells().filter(|(slot, _)| changing[*slot as usize]) {
        match part_of_root.entry(groups.find(slot)) {
            Entry::Occupied(part) => parts[*part.get()].slots.push(slot),
            Entry::Vacant(new) => {
                let name = match (cell.agent, &program.var(cell.var).role) {
                    (_, Role::Order) => format!("order of {}", order_of(program, cell.var.0)),
                    (Some(agent), _) => program.agent_name(agent),
                    (None, Role::Turn) => "turn".to_string(),
                    (None, _) => cell.name(program),
                };
                new.insert(parts.len());
                parts.push(Part { name, slots: vec![slot] });
            }
        }
    }
    parts
}

/// The tuple that an order is about.
fn order_of(program: &Program, order: u32) -> &str {
    let name = &program.vars[order as usize].name;
    name.strip_prefix("order.").unwrap_or(name)
}

/// A cell that no step writes and that begins with one value is a constant; the others change.
fn changing(executed: &Executed, width: usize) -> Vec<bool> {
    let mut out = vec![true; width];
    for (slot, _) in executed.initial.updates.iter().filter(|(_, term)| executed.terms.value(*term).is_some())
    {
        out[*slot as usize] = false;
    }
    for (slot, _) in executed.steps.iter().flatten().flat_map(|step| &step.updates) {
        out[*slot as usize] = true;
    }
    out
}

/// Joins cells of the environment that are written from each other.
fn join_environment(terms: &Terms, step: &Step, is: &dyn Fn(u32) -> bool, groups: &mut Groups) {
    let own = |term: TermId| -> Vec<u32> { terms.slots(term).into_iter().filter(|slot| is(*slot)).collect() };
    for &(slot, term) in step.updates.iter().filter(|(slot, _)| is(*slot)) {
        own(term).into_iter().for_each(|other| groups.join(slot, other));
    }
}

/// Disjoint sets of cells.
struct Groups(Vec<u32>);

impl Groups {
    fn find(&mut self, mut slot: u32) -> u32 {
        while self.0[slot as usize] != slot {
            self.0[slot as usize] = self.0[self.0[slot as usize] as usize];
            slot = self.0[slot as usize];
        }
        slot
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}
