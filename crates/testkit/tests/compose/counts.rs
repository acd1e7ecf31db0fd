//! Asks for composition about a system, compares what is said with what is expected, and counts verdicts and refusals.

use crate::compare::{Case, Made};
use std::collections::BTreeMap;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Note, Reductions};
use swarmcheck_session::outcome::DEADLOCK;
use swarmcheck_session::verify::{Answer, Answered, Decider, Reason, VerifyOptions, verify};
use swarmcheck_testkit::literal::Fairness;
use swarmcheck_testkit::long;

/// It is stopped after so many seconds, unless `SWARMCHECK_PATIENCE` says something else.
pub const PATIENCE: u64 = 60;

/// The same in short runs.
pub const LITTLE_PATIENCE: u64 = 2;

/// What is wrong, and how it was asked.
pub struct Failure {
    pub words: String,
    /// The system, where there is one.
    pub asked: Option<Box<(String, VerifyOptions)>>,
}

impl From<String> for Failure {
    fn from(words: String) -> Failure {
        Failure { words, asked: None }
    }
}

/// What a run over many systems saw.
#[derive(Default, Debug)]
pub struct Counts {
    /// There is time.
    pub thorough: bool,
    pub systems: usize,
    /// Systems that are too large or have errors, and formulas that the language cannot decide.
    pub left_out: usize,
    /// Answers that were compared, by whether it holds.
    pub verdicts: BTreeMap<bool, usize>,
    /// The same where the system has several processes.
    pub composed: BTreeMap<bool, usize>,
    /// Processes that were copies of others, and processes that were restricted by their neighbours.
    pub copies: usize,
    pub restricted: usize,
    /// Questions that were asked.
    pub asked: usize,
    /// Questions that were left open, by the reason.
    pub open: BTreeMap<&'static str, usize>,
}

/// The kind of a reason to leave a question open.
pub fn kind(words: &str) -> &'static str {
    let kinds = [
        ("how many steps", "counts steps"),
        ("which executions are fair", "fairness"),
        ("may be an error", "may fail"),
        ("draws from a set", "choices"),
        ("to a place", "place"),
        ("alone has more", "process too large"),
        ("too many values", "too coupled"),
        ("can be numbered", "too large"),
        ("no bound on steps", "no question"),
        ("interrupted", "too slow"),
    ];
    kinds.iter().find(|(part, _)| words.contains(part)).map_or("something else", |(_, kind)| kind)
}

impl Counts {
    pub fn print(&self, name: &str) {
        let Counts { systems, left_out, verdicts, composed, copies, restricted, asked, open, .. } = self;
        println!(
            "{name}: {systems} systems ({left_out} left out), {asked} questions, \
             verdicts {verdicts:?}, of several processes {composed:?}, {copies} copies of processes, \
             {restricted} restricted, left open {open:?}"
        );
    }

    /// So many answers of each verdict about several processes were compared, and at most so many in a hundred questions were
    /// refused, all for reasons that are known. What took too long depends on the machine, and is not a refusal.
    pub fn demand(&self, least: usize, refused: usize) {
        let enough = [true, false].iter().all(|v| self.composed.get(v).is_some_and(|n| *n >= least));
        let refusals = self.open.iter().filter(|(kind, _)| **kind != "too slow");
        let open: usize = refusals.map(|(_, count)| count).sum();
        assert!(enough && open * 100 <= refused * self.asked, "{self:?}");
        assert!(!self.open.contains_key("something else"), "{self:?}");
    }

    /// Asks about a system, if it is one to ask about.
    pub fn add(&mut self, seed: u64, made: Result<Made, String>) -> Result<(), Failure> {
        let case = match made.map_err(|why| format!("seed {seed}: {why}"))? {
            Made::Case(case) if !case.expected.is_empty() => case,
            Made::Case(_) | Made::Nothing | Made::Refused => {
                self.left_out += 1;
                return Ok(());
            }
        };
        self.systems += 1;
        let late = self.open.get("too slow").copied();
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let options = options(&case, reductions);
            self.compare(&case, &options, &case.expected)
                .map_err(|why| failure(&case, &options, format!("seed {seed}, {why}")))?;
        }
        if late != self.open.get("too slow").copied() {
            println!("seed {seed}: it takes too long");
        }
        // What is excused is a part of the question that the literal evaluation does not know.
        let other = Reductions { ranges: true, ..Reductions::NONE };
        let excused = |reductions| VerifyOptions { ignore_deadlock: true, ..options(&case, reductions) };
        let explicit = VerifyOptions { engine: Decider::Explicit, ..excused(Reductions::NONE) };
        let expected = self.answers(&case, &explicit).map_err(|why| format!("seed {seed}, {why}"))?;
        let decided = |answer: &Answer| match answer.verdict() {
            Answered::Holds => Some((answer.name.clone(), true)),
            Answered::Violated => Some((answer.name.clone(), false)),
            Answered::Unknown | Answered::ModelError => None,
        };
        let expected: Vec<(String, bool)> = expected.iter().filter_map(decided).collect();
        let reductions = if seed.is_multiple_of(2) { Reductions::ALL } else { other };
        let options = excused(reductions);
        self.compare(&case, &options, &expected)
            .map_err(|why| failure(&case, &options, format!("seed {seed}, excused, {why}")))
    }

    fn compare(
        &mut self,
        case: &Case,
        options: &VerifyOptions,
        expected: &[(String, bool)],
    ) -> Result<(), String> {
        let answers = self.answers(case, options)?;
        for (property, holds) in expected {
            let text = &case.text;
            let Some(answer) = answers.iter().find(|answer| answer.name == *property) else {
                return Err(format!("{property}: no answer\n{text}"));
            };
            let failed = |words: &str| {
                let (evidence, fairness) = (answer.evidence(), case.fairness);
                let reductions = options.reductions;
                Err(format!("{property} ({reductions:?}, {fairness:?}): {words} ({evidence})\n{text}"))
            };
            if answer.reason().is_some_and(Reason::is_bug) || answer.notes.contains(&Note::SearchedAgain) {
                return failed("it failed");
            }
            self.asked += 1;
            let found = match answer.verdict() {
                Answered::Holds => true,
                Answered::Violated => false,
                Answered::Unknown => {
                    *self.open.entry(kind(&answer.evidence())).or_default() += 1;
                    continue;
                }
                Answered::ModelError => return failed("the system has no errors"),
            };
            if found != *holds {
                return failed(if *holds { "it holds" } else { "it does not hold" });
            }
            *self.verdicts.entry(found).or_default() += 1;
            let nodes = answer.composition.as_ref().map_or(&[][..], |composition| &composition.nodes);
            if nodes.len() > 1 {
                *self.composed.entry(found).or_default() += 1;
            }
            self.copies += nodes.iter().filter(|node| node.copy_of.is_some()).count();
            self.restricted += nodes.iter().filter(|node| node.alone_states.is_some()).count();
        }
        Ok(())
    }

    fn answers(&self, case: &Case, options: &VerifyOptions) -> Result<Vec<Answer>, String> {
        let patience = if self.thorough { PATIENCE } else { LITTLE_PATIENCE };
        let report = long::within_time(long::patience(patience), |stop| {
            let control = Control { stop, budget: Budget::default(), progress: &Silent };
            verify(&case.prepared, options, &control)
        });
        report.map(|report| report.answers).map_err(|_| format!("refused\n{}", case.text))
    }
}

fn failure(case: &Case, options: &VerifyOptions, words: String) -> Failure {
    Failure { words, asked: Some(Box::new((case.text.clone(), options.clone()))) }
}

/// The questions of a case.
fn options(case: &Case, reductions: Reductions) -> VerifyOptions {
    let names = case.expected.iter().map(|(name, _)| name);
    VerifyOptions {
        engine: Decider::Compose,
        reductions,
        properties: names.clone().filter(|name| *name != DEADLOCK).cloned().collect(),
        deadlock: names.clone().any(|name| name == DEADLOCK),
        fairness: match case.fairness {
            Fairness::All => swarmcheck_question::Fairness::None,
            Fairness::Weak => swarmcheck_question::Fairness::Weak,
            Fairness::Strong => swarmcheck_question::Fairness::Strong,
        },
        ..VerifyOptions::default()
    }
}
