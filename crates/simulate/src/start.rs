//! Drawing initial states.
//!
//! First some states are drawn independently and refused if an assumption is not satisfied: whatever is accepted was drawn by the law of
//! [`crate::law`]. Where assumptions refuse almost everything, a search with random choices
//! (`swarmcheck_ir::initial`) finds a state at once; then some states are more likely than others, and [`Run::is_uniform`]
//! says so. Estimates need the law: they wait longer, and where few draws are accepted all initial states are listed (`table.rs`). Everything depends on
//! the program and the generator alone, and never on time.

use crate::backtrack::Backtrack;
use crate::faults;
use crate::law::Scheduler;
use crate::plan::Plan;
use crate::rng::Rng;
use crate::run::Run;
use crate::table::{Block, Listed, Table};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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
/// How many more initial states are drawn for an estimate at most, and how many cells they may have together: some seconds.
const PATIENCE: u64 = 1 << 21;
const CELLS: u64 = 1 << 28;
/// How many states are drawn to see how many are accepted, and how many of them must be, so that runs begin by drawing.
const PROBES: (u32, u32) = (512, 8);
/// The seed of these draws: whatever the runs are, they begin in the same way.
const PROBE: u64 = 0x5eed;

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

/// Draws initial states of a program. It can be used by several threads at once; what a run gets depends on its generator alone.
pub struct Starts<'f> {
    plan: Arc<Plan<'f>>,
    /// The initial block unrolled, if it assumes anything and is not too large.
    ground: OnceLock<Option<Ground>>,
    effort: AtomicU64,
    exact: bool,
    /// How runs begin that must be drawn by the law, as soon as that is known.
    way: OnceLock<Way>,
    /// Held by whoever finds that out.
    finding: Mutex<()>,
    /// An error in an initial value that a draw may miss.
    hidden: OnceLock<Option<Fault>>,
}

/// How a state is drawn by the law.
enum Way {
    /// Until one is accepted.
    Draw,
    /// From all that there are.
    List(Table),
}

impl<'f> Starts<'f> {
    pub fn new(flat: &'f Flat) -> Starts<'f> {
        Starts {
            plan: Arc::new(Plan::new(flat, &Scheduler::Steps, false)),
            ground: OnceLock::new(),
            effort: AtomicU64::new(0),
            exact: false,
            way: OnceLock::new(),
            hidden: OnceLock::new(),
            finding: Mutex::new(()),
        }
    }

    /// The same with runs whose steps are chosen by a scheduler; see [`Run::with`].
    pub fn with(self, scheduler: &Scheduler) -> Starts<'f> {
        Starts { plan: Arc::new(Plan::new(self.plan.flat, scheduler, self.plan.fast)), ..self }
    }

    /// The same with runs that are prepared to be fast: [`Run::writes`] leaves out what has not changed a value, and new ranks of
    /// timestamps.
    pub fn fast(self) -> Starts<'f> {
        Starts { plan: Arc::new(Plan::new(self.plan.flat, &self.plan.scheduler, true)), ..self }
    }

    /// The same for estimates: whatever it takes is done to draw by the law, so that [`Run::is_uniform`] is `false` only where that is
    /// hopeless; and runs are [`Starts::fast`].
    pub fn exact(self) -> Starts<'f> {
        Starts { exact: true, ..self.fast() }
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
            let small = initial::unrolled(&self.plan.flat.program) <= LARGEST;
            small.then(|| Ground::new(&initial::only_initial(&self.plan.flat.program)))
        };
        self.ground.get_or_init(make).as_ref()
    }

    /// Draws an initial state.
    pub fn draw(&self, mut rng: Rng, stopped: &dyn Fn() -> bool) -> Result<Start<'f>, Fault> {
        let flat = self.plan.flat;
        if let Some(fault) = self.hidden.get_or_init(|| faults::hidden(flat)) {
            return Err(*fault);
        }
        if self.exact {
            match self.way(stopped) {
                Some(Way::Draw) => {}
                Some(Way::List(table)) => return self.listed(table, rng),
                None => return Ok(Start::Stopped),
            }
        }
        let mut machine = Machine::new(flat);
        let mut state = vec![0; flat.width()];
        for _ in 0..DRAWS {
            self.spend(1);
            match machine.initialise(flat, &mut state, &mut rng) {
                Outcome::Done => return Ok(Start::Ready(Run::begin(&self.plan, rng, state, true))),
                Outcome::Disabled if stopped() => return Ok(Start::Stopped),
                Outcome::Disabled => {}
                Outcome::Fault(fault) => return Err(fault),
            }
        }
        if self.exact {
            // The same law, with assumptions tested as early as possible.
            let mut block = Block::new(flat, self.ground());
            for draw in 1..=PATIENCE.min(CELLS / (1 + flat.width() as u64)) {
                self.spend(1);
                match block.run(&mut state, &mut rng) {
                    Outcome::Done => return Ok(Start::Ready(Run::begin(&self.plan, rng, state, true))),
                    Outcome::Disabled if draw.is_multiple_of(64) && stopped() => return Ok(Start::Stopped),
                    Outcome::Disabled => {}
                    Outcome::Fault(fault) => return Err(fault),
                }
            }
        }
        match self.ground() {
            Some(ground) if ground.problem().is_some() => self.search(ground, rng, stopped),
            _ => self.backtrack(rng, stopped),
        }
    }

    /// How runs begin that must be drawn by the law; nothing if that is not known because the caller stops.
    fn way(&self, stopped: &dyn Fn() -> bool) -> Option<&Way> {
        if let Some(way) = self.way.get() {
            return Some(way);
        }
        // Whoever comes first finds out, the others wait: it must be the same for all.
        let _finding = self.finding.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(way) = self.way.get() {
            return Some(way);
        }
        let way = if self.often(stopped) {
            Way::Draw
        } else {
            let mut effort = 0;
            let listed = Block::new(self.plan.flat, self.ground()).list(&mut effort, stopped);
            self.spend(effort);
            match listed {
                Listed::All(table) => Way::List(table),
                Listed::TooMany => Way::Draw,
                Listed::Stopped => return None,
            }
        };
        Some(self.way.get_or_init(|| way))
    }

    /// Whether draws are accepted often enough.
    fn often(&self, stopped: &dyn Fn() -> bool) -> bool {
        let flat = self.plan.flat;
        let (mut machine, mut rng) = (Machine::new(flat), Rng::new(PROBE));
        let mut state = vec![0; flat.width()];
        let mut accepted = 0;
        for _ in 0..PROBES.0 {
            self.spend(1);
            accepted += u32::from(machine.initialise(flat, &mut state, &mut rng) != Outcome::Disabled);
            if accepted == PROBES.1 {
                return true;
            }
            if stopped() {
                break;
            }
        }
        false
    }

    /// Draws one of all initial states.
    fn listed(&self, table: &Table, mut rng: Rng) -> Result<Start<'f>, Fault> {
        if table.is_empty() {
            return Ok(Start::Impossible);
        }
        let mut state = vec![0; self.plan.flat.width()];
        let made = table.draw(&mut rng);
        let mut chooser = Completing { made, next: 0, rng: &mut rng };
        match Block::new(self.plan.flat, self.ground()).run(&mut state, &mut chooser) {
            Outcome::Done => Ok(Start::Ready(Run::begin(&self.plan, rng, state, true))),
            Outcome::Disabled => Ok(Start::Undecided),
            Outcome::Fault(fault) => Err(fault),
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
                Outcome::Done => return Ok(Start::Ready(Run::begin(&self.plan, rng, state, false))),
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
        let flat = self.plan.flat;
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
                    Outcome::Done => return Ok(Start::Ready(Run::begin(&self.plan, rng, state, false))),
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
