//! Initial states: where runs begin, or the reason why there is none.
//!
//! Drawing and backtracking come first (`swarmcheck_simulate::Starts`); where they come to no end the SAT solver is asked,
//! which finds a state or proves that there is none more often.

use crate::open::Prepared;
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;
use swarmcheck_ir::flat::{Enumerate, Machine, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::initial::{only_initial, unrolled};
use swarmcheck_ir::{Fault, Value};
use swarmcheck_simulate::{Rng, Run, Start, Starts};
use swarmcheck_symbolic::initial::{InitialState, initial_state};

/// Conflicts that the solver may meet: some seconds.
const CONFLICTS: u32 = 300_000;
/// The largest initial block that is unrolled, in expressions.
const LARGEST: u64 = 1_000_000;

/// How a run begins.
pub(crate) enum Begin<'p> {
    Ready(Run<'p>),
    /// It is proved that there is no initial state.
    Never,
    /// Nobody has found one, and nobody has proved that there is none.
    Undecided,
    Stopped,
}

/// Draws an initial state, or asks the solver for one.
pub(crate) fn begin<'p>(
    prepared: &'p Prepared,
    starts: &Starts<'p>,
    rng: Rng,
    stop: &AtomicBool,
) -> Result<Begin<'p>, Fault> {
    let stopped = || stop.load(std::sync::atomic::Ordering::Relaxed);
    Ok(match starts.draw(rng.clone(), &stopped)? {
        Start::Ready(run) => Begin::Ready(run),
        Start::Impossible => Begin::Never,
        Start::Stopped => Begin::Stopped,
        Start::Undecided if unrolled(&prepared.flat.program) > LARGEST => Begin::Undecided,
        Start::Undecided => match initial_state(&prepared.flat.program, CONFLICTS, stop) {
            InitialState::Found(state) => Begin::Ready(Run::from_state(&prepared.flat, rng, state)),
            InitialState::None => Begin::Never,
            InitialState::Unknown if stopped() => Begin::Stopped,
            InitialState::Unknown => Begin::Undecided,
        },
    })
}

/// Calls `visit` with initial states until it returns `false`, and says whether it has seen all of them. Given values, cells
/// must have those. At most so many ways to choose are tried. Different choices may give the same state.
pub(crate) fn each_initial(
    prepared: &Prepared,
    like: Option<&[Option<Value>]>,
    tries: u64,
    visit: &mut dyn FnMut(&[Value]) -> bool,
) -> Result<bool, Fault> {
    let flat = &prepared.flat;
    let ground = (unrolled(&flat.program) <= LARGEST).then(|| Ground::new(&only_initial(&flat.program)));
    let block = ground.as_ref().map(|ground| match like {
        Some(values) => ground.initial_like(values),
        None => ground.beginning().clone(),
    });
    let (mut runner, mut machine) = (Runner::default(), Machine::new(flat));
    let mut state = vec![0; flat.width()];
    let mut choices = Enumerate::default();
    for _ in 0..tries {
        let outcome = match &block {
            Some(block) => runner.begin(block, &mut state, &mut choices),
            None => machine.initialise(flat, &mut state, &mut choices),
        };
        match outcome {
            Outcome::Disabled => {}
            Outcome::Done if visit(&state) => {}
            Outcome::Done => return Ok(false),
            Outcome::Fault(fault) => return Err(fault),
        }
        if !choices.advance() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// An assumption about initial states, where the model says it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AssumptionPlace {
    /// Its name.
    pub name: String,
    /// The model's file.
    pub file: String,
    /// The line in that file, from 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// The assumptions of a model, in its order, where its language has a section for them.
pub(crate) fn assumptions(prepared: &Prepared) -> Vec<AssumptionPlace> {
    let each = prepared.model.assumptions().into_iter().map(|(name, span)| {
        let (line, column) = prepared.file.line_column(span.start);
        AssumptionPlace { name, file: prepared.file.name().to_string(), line, column }
    });
    each.collect()
}
