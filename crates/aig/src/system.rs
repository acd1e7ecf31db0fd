//! Finite systems: bits that start somewhere and change in steps.

use crate::graph::{Graph, Lit};

/// One bit of the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latch {
    /// The variable that stands for it.
    pub variable: Lit,
    /// What it is at first: over `start_inputs` only.
    pub start: Lit,
    /// What it is after a step: over the latches and `inputs`.
    pub next: Lit,
}

/// A system over one graph.
///
/// A *start* is a valuation of `start_inputs` under which `start_valid` is true: the latches get the values of their
/// `start` functions. A *step* from a state is a valuation of `inputs` under which `valid` is true: the latches get the
/// values of their `next` functions. States without a step end their executions: engines must not take them for more
/// than they are. `bad` (over latches only) is what a safety question asks to be unreachable.
#[derive(Clone, Debug)]
pub struct System {
    pub graph: Graph,
    /// The state.
    pub latches: Vec<Latch>,
    /// Variables that choose a start.
    pub start_inputs: Vec<Lit>,
    /// Which choices of a start are possible; over `start_inputs`.
    pub start_valid: Lit,
    /// Variables that choose a step.
    pub inputs: Vec<Lit>,
    /// Which choices of a step are possible; over latches and `inputs`.
    pub valid: Lit,
    /// States asked about, one function per question; over latches.
    pub bad: Vec<Lit>,
    /// Facts that hold in every reachable state, known beforehand (ranges of variables); over latches.
    pub lemmas: Vec<Lit>,
}

impl Default for System {
    fn default() -> System {
        System {
            graph: Graph::new(),
            latches: vec![],
            start_inputs: vec![],
            start_valid: Lit::TRUE,
            inputs: vec![],
            valid: Lit::TRUE,
            bad: vec![],
            lemmas: vec![],
        }
    }
}
