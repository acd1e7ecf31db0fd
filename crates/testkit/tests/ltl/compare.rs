//! Asks every engine about the formulas of a system, and compares what they say with what is expected.

use std::collections::BTreeMap;
use std::time::Duration;
use swarmcheck_engine::{Budget, Control, Note, Reductions};
use swarmcheck_session::Prepared;
use swarmcheck_session::verify::{Answered, Decider, ENGINES, Reason, VerifyOptions, verify};
use swarmcheck_testkit::literal::Fairness;
use swarmcheck_testkit::long;
use swarmcheck_testkit::solvers::Offering;

/// Searches for executions of growing length go so far. Most counterexamples of small systems are shorter.
const DEPTH: u32 = 10;

/// An engine that has not answered all questions about a system after so many seconds is stopped, in long runs.
const PATIENCE: u64 = 60;

/// The same in short runs, for all engines but the explicit one.
const LITTLE_PATIENCE: u64 = 2;

/// A system with formulas, and what the literal evaluation says of each: its name, and whether it holds.
pub struct Case {
    pub text: String,
    pub prepared: Prepared,
    pub expected: Vec<(String, bool)>,
    /// Which executions count.
    pub fairness: Fairness,
}

/// What is made of a number.
pub enum Made {
    Case(Box<Case>),
    /// The system is too large, or has errors.
    Nothing,
    /// The language says that it cannot decide such a formula.
    Refused,
}

/// What a run over many systems saw.
#[derive(Default, Debug)]
pub struct Counts {
    /// All engines are asked about every system. Otherwise it is the explicit one, and one of the others in turn.
    pub thorough: bool,
    /// Every engine is asked once and may take so long, but `smt` in turn only, because it starts other programs.
    pub brief: Option<Duration>,
    pub systems: usize,
    pub left_out: usize,
    pub refused: usize,
    /// Formulas that hold, and that do not.
    pub holds: usize,
    pub violated: usize,
    /// Answers that were compared.
    pub compared: usize,
    /// The same by engine: properties that hold, and that do not.
    pub by_engine: BTreeMap<&'static str, [usize; 2]>,
    /// Questions that an engine left open, by the kind of reason.
    pub open: BTreeMap<(&'static str, String), usize>,
}

impl Counts {
    pub fn print(&self, language: &str) {
        println!(
            "{language}: {} systems ({} left out, {} refused), {} formulas hold, {} do not; {} answers compared, left open: {:?}",
            self.systems, self.left_out, self.refused, self.holds, self.violated, self.compared, self.open
        );
    }

    /// Compares all engines on a system, if it is one to compare them on.
    pub fn add(&mut self, seed: u64, made: Result<Made, String>) -> Result<(), String> {
        let case = match made.map_err(|why| format!("seed {seed}: {why}"))? {
            Made::Case(case) if !case.expected.is_empty() => case,
            Made::Case(_) | Made::Nothing => {
                self.left_out += 1;
                return Ok(());
            }
            Made::Refused => {
                self.refused += 1;
                return Ok(());
            }
        };
        self.systems += 1;
        for (_, holds) in &case.expected {
            *if *holds { &mut self.holds } else { &mut self.violated } += 1;
        }
        let properties: Vec<String> = case.expected.iter().map(|(name, _)| name.clone()).collect();
        let fairness = match case.fairness {
            Fairness::All => swarmcheck_question::Fairness::None,
            Fairness::Weak => swarmcheck_question::Fairness::Weak,
            Fairness::Strong => swarmcheck_question::Fairness::Strong,
        };
        for (at, entry) in ENGINES.iter().enumerate() {
            let patience = match entry.decider {
                Decider::Smt if self.brief.is_some() && !seed.is_multiple_of(16) => continue,
                _ if self.brief.is_some() => self.brief.unwrap_or_default(),
                Decider::Explicit => Duration::from_secs(PATIENCE),
                _ if self.thorough => long::patience(PATIENCE),
                _ if seed as usize % (ENGINES.len() - 1) + 1 == at => Duration::from_secs(LITTLE_PATIENCE),
                _ => continue,
            };
            // The explicit engine is asked with and without reductions, the others in turn.
            let turn = (seed as usize + at).is_multiple_of(3);
            let ways = match entry.decider {
                Decider::Explicit if self.brief.is_none() => vec![Reductions::ALL, Reductions::NONE],
                _ if turn => vec![Reductions::NONE],
                _ => vec![Reductions::ALL],
            };
            for reductions in ways {
                let options = VerifyOptions {
                    engine: entry.decider,
                    reductions,
                    properties: properties.clone(),
                    fairness,
                    depth: Some(DEPTH),
                    ..VerifyOptions::default()
                };
                self.ask(&case, entry.name, &options, patience)
                    .map_err(|why| format!("seed {seed}, {why}"))?;
            }
        }
        Ok(())
    }

    fn ask(
        &mut self,
        case: &Case,
        name: &'static str,
        options: &VerifyOptions,
        patience: Duration,
    ) -> Result<(), String> {
        let text = &case.text;
        // Where no solver is installed, that engine leaves everything open.
        let solvers = Offering::all();
        let report = long::within_time(patience, |stop| {
            let control = Control { stop, budget: Budget::default(), progress: &solvers };
            verify(&case.prepared, options, &control)
        });
        let Ok(report) = report else { return Err(format!("{name}: refused\n{text}")) };
        for (property, holds) in &case.expected {
            let answer = report.answers.iter().find(|answer| answer.name == *property);
            let Some(answer) = answer else { return Err(format!("{name}, {property}: no answer\n{text}")) };
            let failed = |words: &str| {
                let (evidence, whole) = (answer.evidence(), options.reductions == Reductions::NONE);
                let fairness = case.fairness;
                Err(format!(
                    "{name}, {property} (whole: {whole}, {fairness:?}): {words} ({evidence})\n{text}"
                ))
            };
            if answer.reason().is_some_and(Reason::is_bug) || answer.notes.contains(&Note::SearchedAgain) {
                return failed("it failed");
            }
            let found = match answer.verdict() {
                Answered::Holds => true,
                Answered::Violated => false,
                Answered::Unknown => {
                    let reason = format!("{:?}", answer.reason());
                    let word = reason.split(|c: char| !c.is_alphanumeric()).nth(1).unwrap_or_default();
                    *self.open.entry((name, word.to_string())).or_default() += 1;
                    continue;
                }
                Answered::ModelError => return failed("the system has no errors"),
            };
            self.compared += 1;
            self.by_engine.entry(name).or_default()[usize::from(!found)] += 1;
            if found != *holds {
                return failed(if *holds { "it holds" } else { "it does not hold" });
            }
        }
        Ok(())
    }
}
