//! Checks a set of states: every listed state, every step of it.
//!
//! What is read comes from a file that anybody may have written. Nothing here trusts it: a state that is not one of the program, a diagram with two
//! paths to one state, or more states than are announced end the check, and whatever may take long looks whether to stop.

use super::diagram::Diagram;
use super::{Asked, Seen};
use swarmcheck_engine::certificate::StatesProof;
use swarmcheck_engine::{Control, Phase, Snapshot, Subject, Task, system};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::Machine;
use swarmcheck_question::{QuestionKind, SearchShape};

/// Checks that a set of states proves a property, or that there is no deadlock; or says why it is refused.
pub fn check(
    task: &Task,
    subject: Subject,
    proof: &StatesProof,
    control: &Control<'_>,
) -> Result<(), String> {
    let task = &Task { bound: proof.steps, ..task.clone() };
    let asked = Asked::new(task, subject)?;
    let set = Diagram::read(&proof.nodes, asked.flat.width() + 2).ok_or(MALFORMED)?;
    let (machine, tester) = (Machine::new(&asked.flat), Machine::new(&asked.flat));
    let clock = Clock { control, ticks: 0, states: 0 };
    let mut checker = Checker { asked: &asked, set: &set, domains: domains(&asked), machine, tester, clock };
    checker.initial()?;

    let mut wrong = None;
    set.members(&mut |member| {
        checker.clock.states += 1;
        // A diagram may stand for more states than anybody could count.
        wrong = match checker.clock.states > proof.states {
            true => Some("it has more states than it says"),
            false => checker.state(member).err(),
        };
        wrong.is_none()
    });
    match wrong {
        Some(why) => Err(why.to_string()),
        None if checker.clock.states != proof.states => Err("it has fewer states than it says".to_string()),
        None => Ok(()),
    }
}

/// Looks whether to stop, and tells how far the check is.
struct Clock<'a> {
    control: &'a Control<'a>,
    ticks: u32,
    states: u64,
}

impl Clock<'_> {
    fn tick(&mut self) -> Result<(), &'static str> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(1 << 10) {
            let (phase, done) = (Phase::Confirming, self.states);
            self.control.progress.report(Snapshot { phase, done, ..Snapshot::default() });
        }
        if self.ticks.is_multiple_of(1 << 6) && self.control.stopped() { Err(INTERRUPTED) } else { Ok(()) }
    }
}

struct Checker<'a> {
    asked: &'a Asked,
    set: &'a Diagram<'a>,
    /// Of each cell the values that its variable has, and whether it may be undefined.
    domains: Vec<(i64, i64, bool)>,
    /// Makes steps.
    machine: Machine,
    /// Evaluates conditions, also of states that a step of the other machine leads to.
    tester: Machine,
    clock: Clock<'a>,
}

const MALFORMED: &str = "its set of states is malformed";
const INTERRUPTED: &str = "interrupted";
const BAD: &str = "it allows a state that violates the property";
const STUCK: &str = "it allows a state without a step";
const LEFT: &str = "a step leads out of it";
const IDLE: &str = "a step makes no progress";
const ERROR: &str = "it allows an error of the model";

fn domains(asked: &Asked) -> Vec<(i64, i64, bool)> {
    let of = |var| {
        let var = asked.flat.program.var(var);
        let (low, high) = var.domain.unwrap_or((i64::MIN, i64::MAX));
        (low, high, var.may_be_undef || var.domain.is_none())
    };
    asked.flat.layout.cells().map(|(_, cell)| of(cell.var)).collect()
}

impl Checker<'_> {
    /// The rank of a state after so many steps, if it is listed.
    fn rank(&self, layer: i64, state: &[Value]) -> Option<i64> {
        self.set.last([layer].into_iter().chain(state.iter().copied()))
    }

    /// All initial states are listed.
    fn initial(&mut self) -> Result<(), &'static str> {
        let Checker { asked, set, machine, clock, .. } = self;
        // Where ranks count steps, nothing but 0 is enough for an initial state.
        let counts = matches!(asked.shape, SearchShape::Within(_));
        let mut found = Ok(());
        let enumerated = system::each_initial_state(&asked.flat, machine, &mut |state| {
            let Some(state) = state else {
                found = clock.tick();
                return found.is_ok();
            };
            let rank = set.last([0].into_iter().chain(state.iter().copied()));
            found = match rank {
                Some(rank) if !counts || rank == 0 => clock.tick(),
                _ => Err("it does not hold at first"),
            };
            found.is_ok()
        });
        found.and(enumerated.map_err(|_| "an initial value is an error of the model"))
    }

    /// Whether it is a state of the program: no machine need know what else to make of it.
    fn is_state(&self, state: &[Value]) -> bool {
        let fits = |(&value, &(low, high, undefined)): (&Value, &(i64, i64, bool))| match value {
            swarmcheck_ir::UNDEF => undefined,
            value => (low..=high).contains(&value),
        };
        state.len() == self.domains.len() && state.iter().zip(&self.domains).all(fits)
    }

    fn state(&mut self, member: &[i64]) -> Result<(), &'static str> {
        self.clock.tick()?;
        let [layer, state @ .., rank] = member else { return Err(MALFORMED) };
        let (layer, rank) = (*layer, *rank);
        let asked = self.asked;
        if rank < 0 || layer < 0 || (layer > 0 && !asked.is_layered()) || !self.is_state(state) {
            return Err(MALFORMED);
        }
        // A state with two ranks has none.
        if self.rank(layer, state) != Some(rank) {
            return Err("a state has two ranks");
        }
        let seen = asked.seen(&mut self.tester, state).ok_or(ERROR)?;
        let steps = match asked.shape {
            SearchShape::Within(_) => rank,
            _ => layer,
        };
        if !asked.condition(seen, steps) {
            return Err(BAD);
        }
        if !asked.is_expanded(seen, steps.unsigned_abs()) {
            return Ok(());
        }
        let Checker { set, machine, tester, clock, .. } = self;
        let (mut is_stuck, mut closer, mut wrong) = (true, seen.holds, Ok(()));
        let layer = if asked.is_layered() { layer + 1 } else { 0 };
        let all = system::each_successor(&asked.flat, machine, state, &mut |next| {
            let Some(next) = next else {
                wrong = clock.tick();
                return wrong.is_ok();
            };
            is_stuck = false;
            wrong = clock.tick().and_then(|()| {
                let to = set.last([layer].into_iter().chain(next.iter().copied())).ok_or(LEFT)?;
                closer |= to < rank;
                let step = RankedStep { from: seen, rank, to };
                let fine = progress(asked, step, &mut || asked.seen(tester, next).ok_or(ERROR))?;
                if fine { Ok(()) } else { Err(IDLE) }
            });
            wrong.is_ok()
        });
        wrong?;
        all.map_err(|_| ERROR)?;
        if is_stuck && asked.owes(seen) {
            return Err(STUCK);
        }
        // Of what can be reached: the goal, or a state without steps if that is excused.
        let is_closer = closer || (is_stuck && asked.ignore_deadlock);
        if asked.kind == QuestionKind::Reachable && !is_closer { Err(IDLE) } else { Ok(()) }
    }
}

/// A step from a state to one with another rank.
#[derive(Clone, Copy)]
struct RankedStep {
    from: Seen,
    rank: i64,
    to: i64,
}

/// Whether the ranks of two states are what a step between them asks for.
fn progress(
    asked: &Asked,
    step: RankedStep,
    next: &mut dyn FnMut() -> Result<Seen, &'static str>,
) -> Result<bool, &'static str> {
    let smaller = step.to < step.rank;
    Ok(match asked.kind {
        QuestionKind::Reached => smaller || next()?.holds,
        QuestionKind::Scope { waits: true } => smaller || !step.from.waiting || !next()?.waiting,
        // The predicate says that the automaton accepts.
        QuestionKind::Recurs => smaller || (!step.from.holds && step.to == step.rank),
        // A state that is not expanded has a larger rank than any that is, so nothing overflows.
        _ => !matches!(asked.shape, SearchShape::Within(_)) || step.to <= step.rank.saturating_add(1),
    })
}
