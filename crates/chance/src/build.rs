//! From a flat program to its chain or decision process, by the law of `swarmcheck_simulate::law`.
//!
//! All sequences of choices of the initial block and of every step are enumerated, so that probabilities are exact
//! fractions. A step is enabled if one of the sequences runs to the end; then the others do not count.
//!
//! # Which reductions keep probabilities
//!
//! A reduction may be used here if its quotient is a strong probabilistic bisimulation (Larsen and Skou 1991; Segala and Lynch 1995): states
//! that are identified have the same labels, and the same probability to get to each class of states in one step. Then
//! all that is asked of a process is the same in the quotient.
//!
//! *Symmetry of agents* is one: a permutation of agents maps steps to steps, so there are as many enabled steps (and agents with
//! enabled steps) in `πs` as in `s`; inside a step it maps alternatives to alternatives, one to one, so the numbers of
//! alternatives are equal, and sequences that run to the end to such sequences (`symmetric.rs`). *Lumping* is one by definition (`lump.rs`).
//!
//! The other reductions of the searches identify what differs in probability or in the number of steps, and are never used here:
//!
//! * *Stale messages* are dropped because their delivery changes nothing that matters. But the step that delivers one is a step: it counts in
//!   the number of steps, and while it is enabled it takes a share of the probability from all others.
//! * *Slicing of steps* leaves out steps that do not influence a property. These, too, count and compete with others.
//! * *Partial-order reduction* explores one of several orders of independent steps. All orders lead to the same state, but each has a
//!   probability of its own, and which steps compete on the way differs. For minimum and maximum the known remedies need conditions (Baier, Größer and
//!   Ciesinski 2004; D'Argenio and Niebert 2004) that ours does not check, and the number of steps would change.
//! * *Predicate abstraction* and *data symmetry* are not used either: the first has executions that the program has not; the second is sound
//!   in principle, but its maps are proved to commute with steps as relations, not with how likely they are.

mod explore;
mod store;
mod symmetric;
mod weights;

use crate::bits::Bits;
use crate::lump::{Lumped, lump};
use crate::process::Process;
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::{Expr, Fault, FaultDetail, Value};
use swarmcheck_passes::symmetry::Canon;
use swarmcheck_simulate::Scheduler;

/// What of a state is looked at. Conditions and expressions are closed: no agent runs them.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    /// Conditions that become labels.
    pub conditions: Vec<Expr>,
    /// Expressions whose values are kept.
    pub values: Vec<Expr>,
}

/// How a process is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildOptions {
    /// The most states that are explored.
    pub states: usize,
    /// The most transitions that are kept.
    pub transitions: usize,
    /// States that differ only by names of interchangeable agents are identified.
    pub symmetry: bool,
    /// States that behave alike are identified when all have been explored.
    pub lumping: bool,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions { states: 20_000_000, transitions: 200_000_000, symmetry: true, lumping: true }
    }
}

/// How the caller is told of progress, and stops.
#[derive(Clone, Copy)]
pub struct Control<'a> {
    /// Looked at again and again.
    pub stopped: &'a dyn Fn() -> bool,
    /// Called now and then with the states found, the states expanded and the transitions.
    pub progress: &'a dyn Fn(u64, u64, u64),
}

impl Control<'_> {
    /// Never stops and tells nobody.
    pub const NONE: Control<'static> = Control { stopped: &|| false, progress: &|_, _, _| {} };
}

/// A process with what is known of its states.
#[derive(Clone, PartialEq, Debug)]
pub struct Built {
    /// After the reductions that were asked for.
    pub process: Process,
    /// For each condition the states in which it holds.
    pub labels: Vec<Bits>,
    /// For each expression its value in every state; `swarmcheck_ir::UNDEF` for ⊥.
    pub values: Vec<Vec<Value>>,
    /// How many states were explored: more than the process has if some were lumped.
    pub explored: usize,
    /// Whether agents were found to be interchangeable.
    pub symmetric: bool,
}

/// Where a fault was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FaultPlace {
    /// In the initial block.
    Initial,
    /// In a step.
    Step(Instance),
    /// In this condition.
    Condition(usize),
    /// In this expression.
    Value(usize),
}

/// Why there is no process.
#[derive(Clone, PartialEq, Debug)]
pub enum BuildError {
    /// The assumptions exclude every initial state.
    NoInitialState,
    /// The model is invalid: a fault can be met.
    Fault {
        /// What is wrong, and where in the user's file.
        fault: Fault,
        /// What it met.
        detail: Option<FaultDetail>,
        /// Where it was met.
        place: FaultPlace,
        /// The state before the step. With symmetry, agents may have other names in it than in an execution.
        state: Vec<Value>,
    },
    /// More states than are allowed.
    States(usize),
    /// More transitions than are allowed.
    Transitions(usize),
    /// Probabilities are fractions whose denominators are too large.
    TooFine,
    /// The caller stopped it.
    Stopped,
}

/// Builds the process of a program.
pub fn build(
    flat: &Flat,
    scheduler: &Scheduler,
    watched: &Watched,
    options: &BuildOptions,
    control: Control<'_>,
) -> Result<Built, BuildError> {
    let symmetry = if options.symmetry { symmetric::find(flat, scheduler, watched) } else { None };
    let canon = symmetry.map(|symmetry| Canon::new(&flat.program, &flat.layout, &symmetry));
    let built = explore::Explorer::new(flat, scheduler, watched, options, control, canon).run()?;
    if options.lumping { lumped(built, control) } else { Ok(built) }
}

fn lumped(built: Built, control: Control<'_>) -> Result<Built, BuildError> {
    let lumped = lump(&built.process, &built.labels, &built.values, control.stopped);
    let Lumped { process, block } = lumped.ok_or(BuildError::Stopped)?;
    let mut first = vec![usize::MAX; process.states()];
    for (state, block) in block.iter().enumerate().rev() {
        first[*block as usize] = state;
    }
    let labels = built.labels.iter().map(|l| Bits::from_fn(first.len(), |b| l.contains(first[b]))).collect();
    let values = built.values.iter().map(|v| first.iter().map(|s| v[*s]).collect()).collect();
    Ok(Built { process, labels, values, ..built })
}
