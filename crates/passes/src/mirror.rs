//! Symmetries of the data: states that differ only by mirrored values, or by two variables that changed roles.
//!
//! Birds on a square do the same in the mirrored square, turned by a quarter, or upside down. Such a map `g` of states
//! leaves agents, locations, timestamps, messages and turns where they are. It takes each variable of the model, over
//! all agents and cells alike, to itself or to another with the same values, and on the way may replace every value `v`
//! by `lo + hi - v`, where `lo` and `hi` are the least and the greatest value that the variable can have. If it commutes
//! with all steps and leaves the properties alone, a search may replace every state by any of its images.
//!
//! # What is proved
//!
//! Let `B`, the *box*, be all states in which every variable has a value that the ranges allow: by the argument in
//! `ranges` all reachable states are in `B`, also in the middle of a step. `g` maps `B` onto itself, because it mirrors
//! only between bounds (or a set that is its own mirror image) and exchanges only variables with the same values.
//! For every `s` in `B`, on the ground program:
//!
//! * *conditions*, those of guards and properties: the same value in `s` and in `gs`, an error if and only if it is one
//!   in the other;
//! * *bodies*: the results in `gs` are those in `s`, mapped by `g`, errors included.
//!
//! No point is sampled: an expression, or a piece of a body, is evaluated for all values of all that it reads or writes
//! (`commute`), or it is refused because these are too many. What makes that possible is that large things are put together
//! from small ones. The value of a term depends on the values, or errors, of the terms below it only, so it is the same if
//! theirs are. A sequence commutes if its pieces do, a branch if its condition stays the same and its branches
//! commute (`split`): as relations between states, `U g = g U` and `V g = g V` give `UV g = U g V = g UV`. Pieces may end in the
//! middle of a body: then the locals that are read later must have the same values in both runs. What neither reads nor
//! writes a variable that `g` moves commutes without looking.
//!
//! # Why that is enough
//!
//! As in [`crate::symmetry`]: "in the same orbit" is a bisimulation between what is reachable and what is visited, if a
//! search starts from images of initial states and goes on to images of successors. If `gs` is visited and `s`, which is
//! reachable and therefore in `B`, has the step `s → s'`, then `gs → gs'`, by the same function of the same agent; if
//! `gs → t`, then `s → g⁻¹t`, because `g⁻¹` is a power of `g`. So `s'` and `g⁻¹t` are reachable again. Conditions are the same
//! throughout an orbit. Hence all modalities, numbers of steps, errors and deadlocks are kept.
//!
//! *The initial states need not be closed under `g`*, for the same reason as there: nowhere is it used that `gs` itself is
//! reachable. If they are not, orbits have fewer reachable states, and there is less to gain.
//!
//! *Together with symmetry of agents.* A permutation `π` of agents commutes with `g` as a map of states: `g` treats all
//! agents and cells alike, and does not move variables that hold numbers of agents (callers name them). So what is visited
//! has the form `πgs` with `s` reachable: `g` is applied to a state of the box, and `π` commutes with steps
//! everywhere. It does not matter that `πs` may leave the box.
//!
//! *Together with steps that go first* (the explicit engine's `order`): as for permutations of agents, a first step of
//! an image is as good as any, since `g` moves no location and the weights that fall with first steps are those of locations.

mod axes;
mod commute;
mod families;
mod find;
mod group;
mod split;

use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{Program, Value, VarId};

/// The symmetries of the data of a program, without the one that changes nothing. With it they are a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirrors {
    /// Each once.
    pub mirrors: Vec<Mirror>,
    /// For each variable that is moved, the least and the greatest value that it can have.
    pub bounds: Vec<Option<(Value, Value)>>,
}

/// A map of states that keeps agents and control where they are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mirror {
    /// For each variable, what happens to its values.
    pub turns: Vec<Turn>,
}

/// Where the values of a variable go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// The variable that has them afterwards, in the same cell of the same agent.
    pub to: VarId,
    /// `v` becomes this number less `v`; `None`: it stays what it is.
    pub sum: Option<Value>,
}

/// Finds the symmetries of the data that leave the given properties alone and do not touch the given variables.
pub fn mirrors(program: &Program, properties: &[usize], fixed: &[VarId]) -> Option<Mirrors> {
    find::find(program, properties, fixed)
}

impl Mirror {
    /// Whether it does anything to the variable.
    pub fn moves(&self, var: VarId) -> bool {
        self.turns[var.0 as usize] != Turn { to: var, sum: None }
    }

    /// The slot that has the value of a slot afterwards, and how it changes on the way.
    pub fn slot(&self, layout: &Layout, slot: u32) -> (u32, Option<Value>) {
        let cell = layout.cell(slot);
        let turn = self.turns[cell.var.0 as usize];
        let first = match cell.agent {
            None => Some(layout.global(turn.to)),
            Some(agent) => layout.copy(turn.to, agent),
        };
        // Only variables with the same owners are exchanged.
        (first.map_or(slot, |first| first + cell.index), turn.sum)
    }

    /// The image of a state.
    pub fn apply(&self, layout: &Layout, state: &[Value], out: &mut [Value]) {
        for (slot, value) in state.iter().enumerate() {
            let (to, sum) = self.slot(layout, slot as u32);
            out[to as usize] = sum.map_or(*value, |sum| sum.wrapping_sub(*value));
        }
    }
}

impl Mirrors {
    /// What was found, for people.
    pub fn note(&self, program: &Program) -> String {
        let moved = |v: &usize| self.mirrors.iter().any(|m| m.moves(VarId(*v as u32)));
        let names: Vec<&str> =
            (0..program.vars.len()).filter(moved).map(|v| program.vars[v].name.as_str()).collect();
        format!("{} symmetries of {}", self.mirrors.len() + 1, names.join(", "))
    }
}
