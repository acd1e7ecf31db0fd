//! Random systems: the emulation program and the reference interpreter are the same transition system.
//!
//! A failure prints the seed and the shrunk system. Put it into `tests/regressions/` together with the fix.

use std::collections::BTreeMap;
use swarmcheck_labs::lower::{Choice, Options, Semantics};
use swarmcheck_testkit::{Limits, Mismatch, Summary, compare, coverage, generate, long, read, shrink};

/// Round-robin or not, the two readings of the rules of messages, late and early choice, and messages as steps or not, in
/// turn.
fn options(seed: u64) -> Options {
    let semantics = if seed % 4 < 2 { Semantics::Sliver } else { Semantics::Paper };
    let choice = if seed / 4 % 3 == 2 { Choice::Early } else { Choice::Late };
    let sync = seed / 12 % 3 == 1;
    Options { fair: seed % 2 == 1, semantics, choice, sync }
}

/// Two systems out of three have a bit of everything; the third is about messages and undefined tuples.
fn system(seed: u64) -> String {
    if seed % 3 == 2 { generate::messages(seed) } else { generate::system(seed) }
}

/// What a run over many systems saw.
#[derive(Default)]
struct Statistics {
    systems: usize,
    /// Systems read with `--sync`, and those of them in which a step told another agent something.
    sync: usize,
    heard: usize,
    /// Systems in which an agent has read an undefined tuple and waits, as the paper says.
    waiting: usize,
    used: BTreeMap<&'static str, usize>,
    with_errors: usize,
    with_deadlocks: usize,
    complete: usize,
    without_states: usize,
    /// Systems whose program would be too large.
    refused: usize,
    /// Systems with at least five states.
    lively: usize,
    states: usize,
    steps: usize,
    /// Occurrences of actions, and those of them that were performed.
    actions: usize,
    performed: usize,
}

impl Statistics {
    fn add(&mut self, summary: &Summary) {
        self.systems += 1;
        self.heard += usize::from(summary.heard);
        self.waiting += usize::from(summary.waiting);
        self.with_errors += usize::from(summary.errors > 0);
        self.with_deadlocks += usize::from(summary.deadlocks > 0);
        self.complete += usize::from(summary.complete);
        self.refused += usize::from(summary.refused);
        self.without_states += usize::from(summary.states == 0);
        self.lively += usize::from(summary.states >= 5);
        self.states += summary.states;
        self.steps += summary.steps;
        self.performed += summary.performed;
    }

    fn print(&self) {
        let share = |n: usize| format!("{n} ({} %)", 100 * n / self.systems.max(1));
        println!("{} systems, {} states, {} steps", self.systems, self.states, self.steps);
        println!("{} states on average", self.states / self.systems.max(1));
        println!("{} of {} actions performed", self.performed, self.actions);
        println!("with model errors: {}", share(self.with_errors));
        println!("with deadlocks: {}", share(self.with_deadlocks));
        println!("complete: {}", share(self.complete));
        println!("without any state: {}", share(self.without_states));
        println!("too large to compare: {}", self.refused);
        println!("--sync: {}, and an action told another agent something: {}", self.sync, self.heard);
        println!("an agent waits because it has read an undefined tuple: {}", self.waiting);
        println!("at least five states: {}", share(self.lively));
        for name in coverage::all() {
            println!("  {:6} {name}", self.used.get(name).unwrap_or(&0));
        }
    }
}

/// Compares one system; on a mismatch, the shrunk system with its report.
fn one(seed: u64, limits: Limits, statistics: &mut Statistics) -> Result<(), String> {
    let text = system(seed);
    let model = read(&text).map_err(|e| format!("seed {seed} is refused: {e}\n{text}"))?;
    for name in coverage::constructs(&text, &model) {
        *statistics.used.entry(name).or_default() += 1;
    }
    let run = |text: &str| -> Option<Mismatch> {
        let model = read(text).ok()?;
        compare(text, &model, options(seed), limits).err()
    };
    match compare(&text, &model, options(seed), limits) {
        Ok(summary) => {
            statistics.actions += model.actions.len();
            statistics.sync += usize::from(options(seed).sync);
            statistics.add(&summary);
            Ok(())
        }
        Err(_) => {
            let small = shrink::shrink(&text, |text| run(text).is_some());
            let report = run(&small).map_or(String::new(), |m| m.to_string());
            Err(format!("seed {seed}: {report}"))
        }
    }
}

#[test]
fn the_program_and_the_reference_agree_on_random_systems() {
    let limits = Limits { states: 120, depth: 40 };
    let mut statistics = Statistics::default();
    let failures: Vec<String> =
        (0..600).filter_map(|seed| one(seed, limits, &mut statistics).err()).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    statistics.print();
    for name in coverage::all() {
        let used = statistics.used.get(name).copied().unwrap_or(0);
        assert!(used >= 3, "only {used} of {} systems use: {name}", statistics.systems);
    }
    assert!(statistics.lively * 10 >= statistics.systems * 7, "{} lively systems", statistics.lively);
    assert_eq!(statistics.refused, 0);
    assert!(statistics.with_errors >= 30 && statistics.with_deadlocks >= 30);
    let (sync, heard, waiting) = (statistics.sync, statistics.heard, statistics.waiting);
    assert!(
        sync >= 150 && heard >= 50 && waiting >= 20,
        "{sync} synchronous, {heard} heard, {waiting} waiting"
    );
}

/// The long run: `SWARMCHECK_SYSTEMS` systems from `SWARMCHECK_SEED` on.
#[test]
#[ignore = "takes minutes"]
fn long_run() {
    let limits = Limits { states: 400, depth: 80 };
    let mut statistics = Statistics::default();
    let failures = long::run(20_000, 1000, |seed| one(seed, limits, &mut statistics));
    statistics.print();
    assert_eq!(failures, 0, "see above");
    assert!(statistics.refused * 1000 <= statistics.systems, "{} refused", statistics.refused);
}
