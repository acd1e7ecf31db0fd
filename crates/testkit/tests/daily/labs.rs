//! A LAbS system: the program against the reference interpreter, and every engine against the naive search.

use crate::planted;
use crate::record::{Answers, Disagreement, Record, Request};
use crate::work::{Size, say};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use swarmcheck_engine::{Progress, Reductions, Snapshot, Solvers};
use swarmcheck_session::verify::{Decider, ENGINES};
use swarmcheck_simulate::Rng;
use swarmcheck_testkit::features::features;
use swarmcheck_testkit::verify::{Ask, Failure, Seen, System, Word, ask, reading};
use swarmcheck_testkit::{Limits, read, shrink};
use swarmcheck_worker::solvers::SolverProcesses;

/// Shrinking ends after this; the smallest text so far counts.
const SHRINKING: Duration = Duration::from_secs(120);

/// Engines that are asked about every system of at most [`SYMBOLIC_STATES`] states; the others but `explicit` take turns.
const CHEAP: [&str; 3] = ["abstract", "bmc", "bdd"];

/// Larger systems are for the explicit engine only.
const SYMBOLIC_STATES: usize = 120;

/// One small system in so many is put to the engine `smt`, which starts other programs, and one to the race of all engines.
const SELDOM: usize = 16;

/// Bytes of address space of a solver.
const SOLVER_MEMORY: u64 = 1 << 30;

/// Solvers whose process groups the parent hears of, so that it can end them with this process.
struct Told(SolverProcesses);

impl Told {
    fn new() -> Told {
        let announce = |own: &swarmcheck_worker::protocol::Own| {
            say(&serde_json::json!({"own": serde_json::to_value(own).unwrap_or_default()}).to_string());
        };
        Told(SolverProcesses::new(Some(SOLVER_MEMORY), Arc::new(announce)))
    }
}

impl Progress for Told {
    fn report(&self, _: Snapshot) {}

    fn solvers(&self) -> &dyn Solvers {
        &self.0
    }
}

/// One thing that is compared.
#[derive(Clone, Copy)]
enum Comparison {
    /// The emulation program makes the steps of the reference interpreter.
    Reference,
    /// The ground program makes the steps of the flat one; initial states, ranges, runs.
    Steps,
    /// The explicit engine itself: verdicts, counts, shortest counterexamples.
    Search(Ask),
    /// An engine, through the session, which replays its counterexamples.
    Engine(&'static str, Decider, Ask),
}

impl Comparison {
    fn name(&self) -> &'static str {
        match self {
            Comparison::Reference => "reference interpreter",
            Comparison::Steps => "ground program",
            Comparison::Search(_) => "explicit, in detail",
            Comparison::Engine(name, ..) => name,
        }
    }
}

/// How a comparison failed, and what shrinking must not change.
struct Wrong {
    sort: String,
    words: String,
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Wrong {
        Wrong { sort: failure.sort.to_string(), words: failure.to_string() }
    }
}

/// Compares everything about a system.
pub fn compare(request: &Request, text: &str, record: &mut Record) {
    let reading = reading(request.seed);
    let Some(mut system) = System::new(text, reading, Size::of(request).states) else { return };
    record.compared = true;
    record.states = system.space.states.len() as u64;
    record.properties = system.prepared.flat.program.properties.len() as u64;
    record.features = features(text, reading, &system).into_iter().map(str::to_string).collect();
    for comparison in comparisons(request, record.properties as usize, system.space.states.len()) {
        let began = Instant::now();
        let result = run(request, text, &mut system, comparison);
        match result {
            Ok(mut answers) => {
                answers.micros = began.elapsed().as_micros() as u64;
                record.engine(comparison.name()).add(answers);
            }
            Err(wrong) => {
                let shrunk = shrunk(request, text, comparison, &wrong);
                record.disagreements.push(Disagreement {
                    engine: comparison.name().to_string(),
                    sort: wrong.sort,
                    words: format!("{reading:?}: {}", wrong.words),
                    text: text.to_string(),
                    shrunk: Some(shrunk),
                });
                // One is enough to look at; the others would mostly be the same.
                return;
            }
        }
    }
}

/// Everything that is compared on a system. What costs milliseconds is asked in many ways; the engines that often need seconds
/// take turns, so that a run sees many systems and every engine many of them.
fn comparisons(request: &Request, properties: usize, states: usize) -> Vec<Comparison> {
    let seed = request.seed;
    let mut rng = Rng::for_run(0xDA117, seed);
    let plan = ask::plan(seed, properties, 2);
    let mut draw = |needs_ranges: bool| {
        let mut ask = plan[rng.below(plan.len() as u64) as usize];
        // Without ranges numbers have many bits, which costs minutes.
        ask.reductions.ranges |= needs_ranges;
        Ask { hash_bits: 64, only: None, ..ask }
    };
    let explicit = [Ask::new(Reductions::ALL), Ask::new(Reductions::NONE), draw(false)];
    let explicit = explicit.map(|ask| Comparison::Engine("explicit", Decider::Explicit, ask));
    if request.planted.is_some() {
        return explicit.into();
    }
    let mut out = vec![Comparison::Reference, Comparison::Steps];
    let none = Reductions { ranges: true, ..Reductions::NONE };
    if request.small {
        let turn = rng_turn(seed, SELDOM);
        let now = ENGINES.iter().filter(|entry| entry.decider != Decider::Smt || turn == 0);
        for (at, entry) in now.enumerate() {
            let explicit = entry.decider == Decider::Explicit;
            let ways = [Ask::new(Reductions::ALL), Ask::new(none), draw(!explicit)];
            out.push(Comparison::Engine(entry.name, entry.decider, ways[(seed as usize + at) % ways.len()]));
        }
        if turn == 1 {
            out.push(Comparison::Engine("auto", Decider::Auto, Ask::new(Reductions::ALL)));
        }
        return out;
    }
    out.extend(explicit);
    let (cheap, dear): (Vec<_>, Vec<_>) = ENGINES[1..].iter().partition(|entry| CHEAP.contains(&entry.name));
    for (at, entry) in cheap.into_iter().enumerate().filter(|_| states <= SYMBOLIC_STATES) {
        let ways = [Ask::new(Reductions::ALL), Ask::new(none), draw(true)];
        let ask = ways[(seed as usize + at) % ways.len()];
        out.push(Comparison::Engine(entry.name, entry.decider, ask));
    }
    if states <= SYMBOLIC_STATES {
        let turn = rng_turn(seed, dear.len() + 1);
        let ask = if seed.is_multiple_of(3) { Ask::new(none) } else { Ask::new(Reductions::ALL) };
        out.push(match dear.get(turn) {
            Some(entry) => Comparison::Engine(entry.name, entry.decider, ask),
            None => {
                Comparison::Engine("auto", Decider::Auto, Ask { threads: 1 + (seed % 2) as usize, ..ask })
            }
        });
    }
    out.extend(plan.into_iter().map(Comparison::Search));
    out
}

/// Whose turn it is, independent of how the system is read, which depends on the same number.
fn rng_turn(seed: u64, all: usize) -> usize {
    Rng::for_run(0x7_0412, seed).below(all as u64) as usize
}

fn run(request: &Request, text: &str, system: &mut System, comparison: Comparison) -> Result<Answers, Wrong> {
    let done = catch_unwind(AssertUnwindSafe(|| compared(request, text, system, comparison)));
    done.unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<String>().cloned().unwrap_or_default();
        Err(Wrong { sort: "panic".to_string(), words })
    })
}

fn compared(
    request: &Request,
    text: &str,
    system: &mut System,
    comparison: Comparison,
) -> Result<Answers, Wrong> {
    let once = Answers { other: 1, ..Answers::default() };
    match comparison {
        Comparison::Reference => {
            let wrong = |sort: &str, words: String| Wrong { sort: sort.to_string(), words };
            let model = read(text).map_err(|why| wrong("refused", why))?;
            let limits = Limits { states: 150, depth: 40 };
            swarmcheck_testkit::compare(text, &model, reading(request.seed), limits)
                .map_err(|mismatch| wrong("reference", mismatch.to_string()))?;
            Ok(once)
        }
        Comparison::Steps => Ok(system.compare_steps().map(|()| once)?),
        Comparison::Search(ask) => Ok(counted(&system.compare(ask)?)),
        Comparison::Engine(name, engine, ask) => {
            let patience = Duration::from_secs_f64(request.patience);
            let mut answered = system.answers(ask, engine, None, patience, &Told::new())?;
            planted::lie(request, system, name, &mut answered.answers);
            let mut answers = counted(&system.judge_answers(ask, engine, None, &answered)?);
            if answered.late {
                (answers.late, answers.open) = (answers.open, 0);
            }
            Ok(answers)
        }
    }
}

fn counted(seen: &Seen) -> Answers {
    let of = |word: Word| {
        let all = seen.verdicts.iter().filter(|((_, own), _)| *own == word);
        all.map(|(_, count)| *count as u64).sum::<u64>()
    };
    let (holds, violated, errors) = (of(Word::Holds), of(Word::Violated), of(Word::Invalid));
    Answers {
        holds,
        violated,
        errors,
        other: (seen.findings as u64).saturating_sub(holds + violated + errors),
        open: seen.open.values().map(|count| *count as u64).sum(),
        tolerated: seen.tolerated as u64,
        ..Answers::default()
    }
}

/// The smallest text found for which the comparison fails in the same way.
fn shrunk(request: &Request, text: &str, comparison: Comparison, like: &Wrong) -> String {
    let end = Instant::now() + SHRINKING;
    // The number of the only property changes when others are deleted.
    let comparison = match comparison {
        Comparison::Search(ask) => Comparison::Search(Ask { only: None, ..ask }),
        other => other,
    };
    let fails = |text: &str| {
        Instant::now() < end
            && System::new(text, reading(request.seed), Size::of(request).states).is_some_and(|mut system| {
                run(request, text, &mut system, comparison).is_err_and(|wrong| wrong.sort == like.sort)
            })
    };
    if fails(text) { shrink::shrink(text, fails) } else { text.to_string() }
}
