//! Trying steps in a state, for those who look beyond a trace: whether a step is possible, and whether any is. Also what two
//! evaluators of expressions (`explain/reads.rs`, which notes what is read, and `reasons/evaluate.rs`, which leaves unknown
//! what it does not know) have in common.

use swarmcheck_ir::flat::{Chooser, Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{KindId, Value, VarId};

/// More ways to make a step than this are not tried.
const MOST_WAYS: usize = 10_000;

/// What comes of trying a step in all ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Attempt {
    /// One of the ways leads to a state, or there are too many to know.
    Possible,
    /// No way leads to a state, and one meets an error of the model.
    Fault,
    /// The step is not possible.
    Impossible,
}

/// Tries a step.
pub(crate) fn attempt(flat: &Flat, machine: &mut Machine, instance: Instance, state: &[Value]) -> Attempt {
    match machine.enabled(flat, instance, state) {
        Ok(true) => {}
        Ok(false) => return Attempt::Impossible,
        Err(_) => return Attempt::Fault,
    }
    let mut choices = Enumerate::default();
    let mut after = state.to_vec();
    let mut result = Attempt::Impossible;
    for _ in 0..MOST_WAYS {
        // A step that is not made leaves the state as it was.
        match machine.step(flat, instance, &mut after, &mut choices) {
            Outcome::Done => return Attempt::Possible,
            Outcome::Fault(_) => result = Attempt::Fault,
            Outcome::Disabled => {}
        }
        if !choices.advance() {
            return result;
        }
    }
    Attempt::Possible
}

/// No step is possible in a state, and none meets an error.
pub(crate) fn is_stuck(flat: &Flat, machine: &mut Machine, state: &[Value]) -> bool {
    (0..flat.instances())
        .all(|number| attempt(flat, machine, flat.instance(number), state) == Attempt::Impossible)
}

/// Repeats choices that were made before, as far as they exist, and writes down what it has chosen. Where a choice has fewer
/// alternatives now, the last one is taken.
pub(crate) struct Again<'a> {
    wanted: std::slice::Iter<'a, u64>,
    /// What was chosen.
    pub(crate) made: Vec<u64>,
}

impl<'a> Again<'a> {
    pub(crate) fn new(choices: &'a [u64]) -> Again<'a> {
        Again { wanted: choices.iter(), made: vec![] }
    }
}

impl Chooser for Again<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        let choice = self.wanted.next().copied().unwrap_or(0).min(n.saturating_sub(1));
        self.made.push(choice);
        choice
    }
}

/// The agents of some kinds, in order.
pub(crate) fn agents_of(flat: &Flat, kinds: &[KindId]) -> Vec<u32> {
    let kinds = kinds.iter().map(|kind| flat.program.kind(*kind));
    let mut out: Vec<u32> = kinds.flat_map(|kind| kind.first..kind.first + kind.count).collect();
    out.sort_unstable();
    out
}

/// The first slot of a variable: of an agent's copy, or of the environment's. None if the agent does not have it.
pub(crate) fn first_slot(flat: &Flat, var: VarId, agent: Option<Value>) -> Option<u32> {
    flat.layout.first(var, agent.map(u32::try_from).transpose().ok()?)
}
