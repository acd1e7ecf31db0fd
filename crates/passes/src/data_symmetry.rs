//! Symmetries of the data: states that differ only by mirrored values, or by two variables that changed roles.
//!
//! Birds on a square do the same in the mirrored square, turned by a quarter, or upside down. Such a map `g` of states
//! leaves agents, locations, timestamps, messages and images where they are. It takes each variable of the model, over
//! all agents and cells alike, to itself or to another with the same values, and on the way may replace every value `v`
//! by `lo + hi - v`, where `lo` and `hi` are the least and the greatest value that the variable can have. If it commutes
//! with all steps and leaves the properties alone, a search may replace every state by any of its images.
//!
//! # What is proved
//!
//! Let `B`, the *box*, be all states in which every variable has a value that the ranges allow: by the argument in
//! `ranges` all reachable states are in `B`, also in the middle of a step. `g` maps `B` onto itself, because it reflects
//! values only between bounds (or within a set that is its own reflection) and exchanges only variables with the same
//! values. For every `s` in `B`, on the ground program:
//!
//! * *conditions*, those of guards and properties: the same value in `s` and in `gs`, an error if and only if it is one
//!   in the other;
//! * *bodies*: the results in `gs` are those in `s`, mapped by `g`, errors included.
//!
//! No point is sampled: an expression, or a piece of a body, is evaluated for all values of all that it reads or writes
//! (`commute`), or it is refused because these are too many. What makes that possible is that large things are put
//! together from small ones. The value of a term depends on the values, or errors, of the terms below it only, so it
//! is the same if theirs are. A sequence commutes if its pieces do, a branch if its condition stays the same and its
//! branches commute (`split`): as relations between states, `U g = g U` and `V g = g V` give `UV g = U g V = g UV`.
//! Pieces may end in the middle of a body: then the locals that are read later must have the same values in both
//! runs. What neither reads nor writes a variable that `g` moves commutes without looking.
//!
//! # Why that suffices
//!
//! As in [`crate::symmetry`]: "in the same orbit" is a bisimulation between what is reachable and what is visited, if a
//! search starts from images of initial states and goes on to images of successors. If `gs` is visited and `s`, which is
//! reachable and therefore in `B`, has the step `s → s'`, then `gs → gs'`, by the same function of the same agent; if
//! `gs → t`, then `s → g⁻¹t`, because `g⁻¹` is a power of `g`. So `s'` and `g⁻¹t` are reachable again. Conditions are
//! the same throughout an orbit. Hence all modalities, numbers of steps, errors and deadlocks are kept.
//!
//! *The initial states need not be closed under `g`*, for the same reason as there: nowhere is it used that `gs`
//! itself is reachable. If they are not, orbits have fewer reachable states, and there is less to gain.
//!
//! *Together with symmetry of agents.* A permutation `π` of agents commutes with `g` as a map of states: `g` treats all
//! agents and cells alike, and does not move variables that hold numbers of agents (callers name them). So what is
//! visited has the form `πgs` with `s` reachable: `g` is applied to a state of the box, and `π` commutes with steps
//! everywhere. It does not matter that `πs` may leave the box.
//!
//! *Together with partial-order reduction* in the explicit engine: as for permutations of agents, a step that is taken
//! first in an image is as good as any, since `g` changes no location, and the weights that decrease with such steps are
//! those of locations.

mod axes;
mod commute;
mod families;
mod find;
mod group;
mod split;

use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{Program, Value, VarId};

/// The data symmetries of a program, without the identity. With it they are a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSymmetries {
    pub symmetries: Vec<DataSymmetry>,
    /// For each variable that is moved, the least and the greatest value that it can have.
    pub bounds: Vec<Option<(Value, Value)>>,
}

/// A map of states that keeps agents and control where they are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DataSymmetry {
    /// For each variable, what happens to its values.
    pub images: Vec<VarImage>,
}

/// What a symmetry does to the values of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VarImage {
    /// The variable that has them afterwards, in the same cell of the same agent.
    pub to: VarId,
    /// `v` becomes this number less `v`; `None`: it stays what it is.
    pub sum: Option<Value>,
}

/// Finds the data symmetries that preserve the given properties and do not move the given variables.
pub fn data_symmetries(program: &Program, properties: &[usize], fixed: &[VarId]) -> Option<DataSymmetries> {
    find::find(program, properties, fixed)
}

impl DataSymmetry {
    /// Whether it does anything to the variable.
    pub fn moves(&self, var: VarId) -> bool {
        self.images[var.0 as usize] != VarImage { to: var, sum: None }
    }

    /// The slot that has the value of a slot afterwards, and how it changes on the way.
    pub fn slot(&self, layout: &Layout, slot: u32) -> (u32, Option<Value>) {
        let cell = layout.cell(slot);
        let image = self.images[cell.var.0 as usize];
        let first = match cell.agent {
            None => Some(layout.global(image.to)),
            Some(agent) => layout.copy(image.to, agent),
        };
        // Only variables with the same owners are exchanged.
        (first.map_or(slot, |first| first + cell.index), image.sum)
    }

    /// The image of a state.
    pub fn apply(&self, layout: &Layout, state: &[Value], out: &mut [Value]) {
        for (slot, value) in state.iter().enumerate() {
            let (to, sum) = self.slot(layout, slot as u32);
            out[to as usize] = sum.map_or(*value, |sum| sum.wrapping_sub(*value));
        }
    }
}

impl DataSymmetries {
    /// What was found, for people.
    pub fn note(&self, program: &Program) -> String {
        let moved = |v: &usize| self.symmetries.iter().any(|m| m.moves(VarId(*v as u32)));
        let names: Vec<&str> =
            (0..program.vars.len()).filter(moved).map(|v| program.vars[v].name.as_str()).collect();
        format!("{} symmetries of {}", self.symmetries.len() + 1, names.join(", "))
    }
}
