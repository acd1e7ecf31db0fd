//! The exact engine beside Storm, which computes with rational numbers: random processes, random systems, and the examples.
//!
//! Storm gets the process without any reduction, as `export --to drn` writes it. Our answers come from the process with
//! all reductions. Both must agree: our bounds contain Storm's value and are closer than 1e-9, and where we know a fraction it is the same.
//!
//! Needs Python with stormpy (`pip install stormpy`). The variable `SWARMCHECK_STORM` names the interpreter; without it that is `python3`. What
//! is missing is named in a line, unless `SWARMCHECK_REQUIRE` lists `storm`. The long run:
//! `SWARMCHECK_SYSTEMS=2000 cargo test -p swarmcheck-testkit --test storm -- --ignored long_run --nocapture`.

mod ask;
mod examples;
mod questions;
mod random;
mod systems;

use ask::{Case, Said, storm};
use questions::{Ours, Question};
use swarmcheck_testkit::long::number;

/// A question with our answer and where it comes from.
struct Asked {
    /// For reports.
    whence: String,
    question: String,
    ours: Ours,
}

/// Processes and what was asked of each.
#[derive(Default)]
struct Batch {
    cases: Vec<Case>,
    asked: Vec<Vec<Asked>>,
}

/// How many answers there were, of which kind.
#[derive(Default, Debug)]
struct Counts {
    answers: usize,
    /// Neither 0 nor 1.
    between: usize,
    infinite: usize,
    fractions: usize,
    failures: Vec<String>,
    /// Questions that Storm fails on, with what it says.
    unanswered: Vec<String>,
}

impl Batch {
    fn add(&mut self, drn: String, asked: Vec<Asked>) {
        self.cases.push(Case { drn, queries: asked.iter().map(|a| a.question.clone()).collect() });
        self.asked.push(asked);
    }

    /// Asks Storm and compares. `false` if it is not installed.
    fn compare(self, counts: &mut Counts) -> bool {
        let Some(said) = storm(&self.cases) else { return false };
        assert_eq!(said.len(), self.cases.len(), "an answer for each process");
        for ((asked, said), case) in self.asked.iter().zip(said).zip(&self.cases) {
            assert_eq!(asked.len(), said.len(), "an answer for each question");
            for (asked, said) in asked.iter().zip(said) {
                counts.answers += 1;
                match &said {
                    Said::Value { value, .. } if *value != 0.0 && *value != 1.0 => counts.between += 1,
                    Said::Infinite => counts.infinite += 1,
                    _ => {}
                }
                counts.fractions += usize::from(asked.ours.has_fraction());
                if let (Said::Error(why), true) = (&said, asked.ours.is_there()) {
                    counts.unanswered.push(format!("{}: {}: {why}", asked.whence, asked.question));
                    continue;
                }
                if let Err(why) = asked.ours.agrees(&said) {
                    let report = format!("{}: {}: {why}\n{}", asked.whence, asked.question, case.drn);
                    counts.failures.push(report);
                }
            }
        }
        true
    }
}

impl Counts {
    fn check(&self) {
        // Storm 2.0.0 cannot read the automata of a few formulas that it has made itself.
        let most = self.answers / 1000;
        assert!(self.unanswered.len() <= most, "Storm does not answer:\n{}", self.unanswered.join("\n"));
        if let Ok(place) = std::env::var("SWARMCHECK_STORM_REPORT") {
            std::fs::write(place, self.failures.join("\n=====\n")).expect("a place for the report");
        }
        assert!(
            self.failures.is_empty(),
            "{} of {}:\n{}",
            self.failures.len(),
            self.answers,
            self.failures[..self.failures.len().min(3)].join("\n")
        );
    }
}

fn missing() {
    let required = std::env::var("SWARMCHECK_REQUIRE").unwrap_or_default();
    assert!(!required.split_whitespace().any(|word| word == "storm"), "stormpy is not installed");
    println!("stormpy is not installed: exact probabilities are not compared with Storm");
}

/// A process from a seed, with questions.
fn random_process(seed: u64, batch: &mut Batch) {
    let (process, labels) = random::process(seed);
    let questions = random::questions(seed, &process);
    questions::add(batch, &format!("process {seed}"), &process, &labels, &questions, seed);
}

#[test]
fn random_processes() {
    let (mut batch, mut counts) = (Batch::default(), Counts::default());
    (0..80).for_each(|seed| random_process(seed, &mut batch));
    if !batch.compare(&mut counts) {
        return missing();
    }
    counts.check();
    assert!(counts.between > 250 && counts.infinite > 20 && counts.fractions > 100, "{counts:?}");
}

#[test]
fn random_systems() {
    let (mut batch, mut counts) = (Batch::default(), Counts::default());
    let made = (0..200).filter(|seed| systems::add(*seed, 100, &mut batch)).count();
    if !batch.compare(&mut counts) {
        return missing();
    }
    counts.check();
    assert!(made >= 30 && counts.between > 20, "{made} systems, {counts:?}");
}

#[test]
fn small_examples() {
    let (mut batch, mut counts) = (Batch::default(), Counts::default());
    let made = examples::add(number("SWARMCHECK_STATES", 120), &mut batch);
    if !batch.compare(&mut counts) {
        return missing();
    }
    counts.check();
    assert!(made >= 10 && counts.between > 10, "{made} models, {counts:?}");
}

/// As many random processes, and as many random systems, as `SWARMCHECK_SYSTEMS` says.
#[test]
#[ignore = "minutes"]
fn long_run() {
    let (first, count) = (number("SWARMCHECK_SEED", 1_000_000), number("SWARMCHECK_SYSTEMS", 2000));
    let mut counts = Counts::default();
    let (mut processes, mut systems) = (0, 0);
    for start in (0..count).step_by(200) {
        let mut batch = Batch::default();
        for seed in first + start..first + (start + 200).min(count) {
            random_process(seed, &mut batch);
            processes += 1;
        }
        assert!(batch.compare(&mut counts), "stormpy is not installed");
        println!("{processes} processes, {} answers, {} failures", counts.answers, counts.failures.len());
    }
    let mut seed = first;
    while systems < count {
        let mut batch = Batch::default();
        let before = systems;
        while systems < (before + 200).min(count) {
            systems += u64::from(systems::add(seed, 300, &mut batch));
            seed += 1;
        }
        assert!(batch.compare(&mut counts), "stormpy is not installed");
        println!("{systems} systems, {} answers, {} failures", counts.answers, counts.failures.len());
    }
    println!(
        "{processes} processes and {systems} systems: {} answers, {} neither 0 nor 1, {} infinite, {} fractions, {} not by Storm",
        counts.answers,
        counts.between,
        counts.infinite,
        counts.fractions,
        counts.unanswered.len()
    );
    counts.check();
}

/// All examples that can be enumerated within `SWARMCHECK_STATES` states.
#[test]
#[ignore = "minutes"]
fn all_examples() {
    let (mut batch, mut counts) = (Batch::default(), Counts::default());
    let made = examples::add(number("SWARMCHECK_STATES", 3000), &mut batch);
    assert!(batch.compare(&mut counts), "stormpy is not installed");
    println!(
        "{made} models: {} answers, {} between 0 and 1, {} infinite",
        counts.answers, counts.between, counts.infinite
    );
    counts.check();
}
