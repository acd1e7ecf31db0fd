//! Drawing initial states.
//!
//! First some states are drawn independently and refused if an assumption is not satisfied: whatever is accepted is as
//! likely as every other. Where assumptions refuse almost everything, a search with random choices
//! (`swarmcheck_ir::initial`) finds a state at once; then some states are more likely than others, and [`Run::is_uniform`]
//! says so. Everything depends on the program and the generator alone, and never on time.

use crate::backtrack::Backtrack;
use crate::rng::Rng;
use crate::run::Run;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use swarmcheck_ir::flat::{Chooser, Flat, Machine, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::initial::{self, Found, Order};
use swarmcheck_ir::{Fault, Value};

/// How many initial states are drawn before a search begins.
const DRAWS: u32 = 1000;
/// The effort of a search, in evaluations of conditions.
const EFFORT: u64 = 1 << 22;
/// The largest initial block that is unrolled, in expressions.
const LARGEST: u64 = 4_000_000;
/// How many ways to choose are tried where the block cannot be taken apart.
const TRIES: u64 = 1 << 20;
/// How often a state that a search has begun is completed.
const COMPLETIONS: u32 = 1000;

/// How a run begins.
pub enum Start<'f> {
    /// In a random initial state.
    Ready(Run<'f>),
    /// Not at all: it is proved that the assumptions exclude every initial state.
    Impossible,
    /// The search has come to no end: there may be an initial state or not.
    Undecided,
    /// The caller stopped the search for an initial state.
    Stopped,
}

/// Draws initial states of a program.
pub struct Starts<'f> {
    flat: &'f Flat,
    /// The initial block unrolled, if it assumes anything and is not too large.
    ground: OnceLock<Option<Ground>>,
    effort: AtomicU64,
}

impl<'f> Starts<'f> {
    pub fn new(flat: &'f Flat) -> Starts<'f> {
        Starts { flat, ground: OnceLock::new(), effort: AtomicU64::new(0) }
    }

    /// The same with runs whose steps are chosen by a scheduler; see [`Run::with`].
    pub fn with(self, _scheduler: &crate::law::Scheduler) -> Starts<'f> {
        self
    }

    /// The same for estimates: whatever it takes is done to draw by the law, so that [`Run::is_uniform`] is `false` only where that is
    /// hopeless; and runs are prepared to be fast ([`Run::writes`] leaves out what has not changed a value).
    pub fn exact(self) -> Starts<'f> {
        self
    }

    /// How many draws and evaluations of conditions were needed so far.
    pub fn effort(&self) -> u64 {
        self.effort.load(Ordering::Relaxed)
    }

    fn spend(&self, effort: u64) {
        self.effort.fetch_add(effort, Ordering::Relaxed);
    }

    /// The initial block unrolled; `None` if that would be too large.
    fn ground(&self) -> Option<&Ground> {
        let make = || {
            let small = initial::unrolled(&self.flat.program) <= LARGEST;
            small.then(|| Ground::new(&initial::only_initial(&self.flat.program)))
        };
        self.ground.get_or_init(make).as_ref()
    }

    /// Draws an initial state.
    pub fn draw(&self, mut rng: Rng, stopped: &dyn Fn() -> bool) -> Result<Start<'f>, Fault> {
        let flat = self.flat;
        let mut machine = Machine::new(flat);
        let mut state = vec![0; flat.width()];
        for _ in 0..DRAWS {
            self.spend(1);
            match machine.initialise(flat, &mut state, &mut rng) {
                Outcome::Done => return Ok(Start::Ready(Run::begin(flat, rng, state, true))),
                Outcome::Disabled if stopped() => return Ok(Start::Stopped),
                Outcome::Disabled => {}
                Outcome::Fault(fault) => return Err(fault),
            }
        }
        match self.ground() {
            Some(ground) if ground.problem().is_some() => self.search(ground, rng, stopped),
            _ => self.backtrack(rng, stopped),
        }
    }

    /// Searches for values that satisfy the assumptions, then draws the rest.
    fn search(&self, ground: &Ground, mut rng: Rng, stopped: &dyn Fn() -> bool) -> Result<Start<'f>, Fault> {
        let Some(problem) = ground.problem() else { return Ok(Start::Undecided) };
        let mut effort = 0;
        let found = problem.solve(Order::Random(&mut rng), EFFORT, &mut effort, stopped);
        self.spend(effort);
        let choices = match found {
            Found::Values(choices) => choices,
            Found::None => return Ok(Start::Impossible),
            Found::GaveUp => return Ok(Start::Undecided),
            Found::Stopped => return Ok(Start::Stopped),
        };
        let mut runner = Runner::default();
        let mut state = vec![0; ground.width()];
        // Where every completion is an initial state, the first is.
        for _ in 0..COMPLETIONS {
            let mut chooser = Completing { made: problem.script(&choices), next: 0, rng: &mut rng };
            match runner.initialise(ground, &mut state, &mut chooser) {
                Outcome::Done => return Ok(Start::Ready(Run::begin(self.flat, rng, state, false))),
                Outcome::Disabled if stopped() => return Ok(Start::Stopped),
                Outcome::Disabled => {}
                Outcome::Fault(fault) => return Err(fault),
            }
        }
        // A part of the assumptions that may be an error of the model was left to the end, and has refused all of these.
        self.backtrack(rng, stopped)
    }

    /// Goes through all ways to choose, from random places on.
    fn backtrack(&self, mut rng: Rng, stopped: &dyn Fn() -> bool) -> Result<Start<'f>, Fault> {
        let flat = self.flat;
        let mut machine = Machine::new(flat);
        let mut state: Vec<Value> = vec![0; flat.width()];
        // An early bad choice may only show at the end; then the search would try all that comes after it, in vain. So
        // it starts again elsewhere after a while, and each time it may take longer, so that it is still exhaustive.
        let (mut tried, mut patience) = (0, 4096);
        while tried < TRIES {
            let mut search = Backtrack::new(&mut rng);
            for _ in 0..patience {
                tried += 1;
                match machine.initialise(flat, &mut state, &mut search) {
                    Outcome::Done => return Ok(Start::Ready(Run::begin(flat, rng, state, false))),
                    Outcome::Disabled if stopped() => return Ok(Start::Stopped),
                    Outcome::Disabled => {}
                    Outcome::Fault(fault) => return Err(fault),
                }
                if !search.advance() {
                    return Ok(Start::Impossible);
                }
            }
            patience *= 2;
        }
        self.spend(tried);
        Ok(Start::Undecided)
    }
}

/// Choices that a search has made, then random ones.
struct Completing<'r> {
    made: Vec<u64>,
    next: usize,
    rng: &'r mut Rng,
}

impl Chooser for Completing<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        self.next += 1;
        match self.made.get(self.next - 1) {
            Some(choice) => (*choice).min(n - 1),
            None => self.rng.below(n),
        }
    }
}
