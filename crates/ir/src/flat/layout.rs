//! Where each cell of each variable lives in the state vector.

use crate::arith::{FaultKind, Value};
use crate::cells::Cell;
use crate::program::{Program, VarId};
use std::sync::Arc;

/// The map from variables to slots and back. Global variables come first, then the agents one after the other, so
/// that what one agent touches lies close together.
#[derive(Clone, Debug)]
pub struct Layout {
    /// For a global variable its first slot; for an agent's variable the slots are in `table`.
    base: Vec<u32>,
    /// For an agent's variable: the first slot of each agent's copy, [`Layout::ABSENT`] where there is none.
    table: Vec<Arc<[u32]>>,
    cells: Vec<Cell>,
}

impl Layout {
    /// Marks an agent without a copy.
    pub const ABSENT: u32 = u32::MAX;

    /// The layout of a program.
    pub fn new(program: &Program) -> Layout {
        let agents = program.agents() as usize;
        let mut layout = Layout { base: vec![], table: vec![], cells: vec![] };
        let mut table = vec![];
        let mut owned_by = vec![vec![]; program.kinds.len()];
        for (i, var) in program.vars.iter().enumerate() {
            layout.base.push(layout.cells.len() as u32);
            match &var.owners {
                None => {
                    table.push(vec![]);
                    layout.add(VarId(i as u32), None, var.cells());
                }
                Some(owners) => {
                    table.push(vec![Layout::ABSENT; agents]);
                    owners.iter().for_each(|kind| owned_by[kind.0 as usize].push(VarId(i as u32)));
                }
            }
        }
        for (kind, owned) in program.kinds.iter().zip(&owned_by) {
            for agent in kind.first..kind.first + kind.count {
                for &var in owned {
                    table[var.0 as usize][agent as usize] = layout.cells.len() as u32;
                    layout.add(var, Some(agent), program.var(var).cells());
                }
            }
        }
        layout.table = table.into_iter().map(Arc::from).collect();
        layout
    }

    fn add(&mut self, var: VarId, agent: Option<u32>, cells: usize) {
        self.cells.extend((0..cells as u32).map(|index| Cell { var, agent, index }));
    }

    /// The number of slots.
    pub fn width(&self) -> usize {
        self.cells.len()
    }

    /// The cell at a slot.
    pub fn cell(&self, slot: u32) -> Cell {
        self.cells[slot as usize]
    }

    /// All cells with their slots.
    pub fn cells(&self) -> impl Iterator<Item = (u32, Cell)> {
        (0..).zip(self.cells.iter().copied())
    }

    /// The slot of a cell, if there is one.
    pub fn slot(&self, cell: Cell) -> Option<u32> {
        let slot = self.first(cell.var, cell.agent)?.checked_add(cell.index)?;
        self.cells.get(slot as usize).filter(|found| **found == cell).map(|_| slot)
    }

    /// The first slot of a variable: of an agent's copy, or of the environment's.
    pub fn first(&self, var: VarId, agent: Option<u32>) -> Option<u32> {
        match agent {
            None => Some(self.global(var)),
            Some(agent) => self.copy(var, agent),
        }
    }

    /// The first slot of a global variable.
    pub fn global(&self, var: VarId) -> u32 {
        self.base[var.0 as usize]
    }

    /// The first slot of each agent's copy.
    pub fn copies(&self, var: VarId) -> &[u32] {
        &self.table[var.0 as usize]
    }

    /// The same, for whoever keeps them.
    pub(crate) fn shared_copies(&self, var: VarId) -> Arc<[u32]> {
        Arc::clone(&self.table[var.0 as usize])
    }

    /// The first slot of an agent's copy among those of all agents, or what is wrong with the agent's number.
    #[inline]
    pub(crate) fn copy_of(copies: &[u32], agent: Value) -> Result<u32, FaultKind> {
        match usize::try_from(agent).ok().and_then(|a| copies.get(a)) {
            None => Err(FaultKind::NoAgent),
            Some(&Layout::ABSENT) => Err(FaultKind::NoVariable),
            Some(slot) => Ok(*slot),
        }
    }

    /// The first slot of an agent's copy, if it has one.
    pub fn copy(&self, var: VarId, agent: u32) -> Option<u32> {
        self.copies(var).get(agent as usize).copied().filter(|&s| s != Layout::ABSENT)
    }
}
