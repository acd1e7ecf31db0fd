//! Random systems: the explicit-state engine agrees with the naive search, whatever may be reduced and however it is
//! asked.
//!
//! A failure prints the seed and the shrunk system. Put it into `regressions/` together with the fix.

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Finding, Reductions};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::Program;
use swarmcheck_labs::lower::Options;
use swarmcheck_passes::Needs;
use swarmcheck_passes::data_symmetry::VarImage;
use swarmcheck_question::reduce::reduce;
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::verify::compare::{fingerprint, word};
use swarmcheck_testkit::verify::expect::Word;
use swarmcheck_testkit::verify::{
    Ask, Failure, Seen, System, alike, arena, ask, claims, open, reading, system,
};
use swarmcheck_testkit::{generate, long, shrink, stored};

/// Numbers whose systems are read in all sixteen ways.
const READINGS: [u64; 16] = [0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23];

/// How much is done with a system.
#[derive(Clone, Copy)]
struct Limits {
    /// Systems with more states are left out.
    states: usize,
    /// How many properties are added.
    properties: usize,
    /// How many combinations of reductions are tried, besides none and all.
    combinations: usize,
}

/// What a run over many systems saw.
#[derive(Default)]
struct Statistics {
    systems: usize,
    left_out: usize,
    states: usize,
    seen: Seen,
    /// Properties for which agents of several kinds can change places.
    across: usize,
    /// Properties for which values can be mirrored or variables exchanged, and those for which both can.
    mirrored: usize,
    exchanged: usize,
}

/// Makes the system with a number, at most so large, with this many properties.
type Maker = fn(u64, Options, usize, usize) -> Option<String>;

impl Statistics {
    fn add(&mut self, other: &Statistics) {
        self.systems += other.systems;
        self.left_out += other.left_out;
        self.states += other.states;
        self.seen.add(&other.seen);
        self.across += other.across;
        self.mirrored += other.mirrored;
        self.exchanged += other.exchanged;
    }

    fn print(&self) {
        let seen = &self.seen;
        println!("{} systems, {} refused or too large, {} states", self.systems, self.left_out, self.states);
        println!(
            "{} findings, {} of them with several right answers; {} where nothing is promised",
            seen.findings, seen.loose, seen.tolerated
        );
        println!(
            "compared: {} counts, {} lengths; {} traces replayed",
            seen.counted, seen.shortest, seen.replayed
        );
        println!("{} properties for which agents of several kinds can change places", self.across);
        println!(
            "{} for which the data are symmetric, {} of them by an exchange",
            self.mirrored, self.exchanged
        );
        for ((modality, word), count) in &seen.verdicts {
            println!("  {count:6} {modality}: {word:?}");
        }
    }
}

/// Compares one system in many ways; on a failure, the shrunk system with what is wrong.
fn one(seed: u64, limits: Limits, make: Maker, statistics: &mut Statistics) -> Result<(), String> {
    let Some(text) = make(seed, reading(seed), limits.states, limits.properties) else {
        statistics.left_out += 1;
        return Ok(());
    };
    let Some(mut system) = System::new(&text, reading(seed), limits.states) else {
        return Err(format!("seed {seed}: the system with more properties is refused:\n{text}"));
    };
    statistics.systems += 1;
    statistics.states += system.space.states.len();
    statistics.across += across(&system.prepared.flat.program);
    let (mirrored, exchanged) = mirrored(&system.prepared.flat.program);
    statistics.mirrored += mirrored;
    statistics.exchanged += exchanged;
    let plan = ask::plan(seed, system.prepared.flat.program.properties.len(), limits.combinations);
    let result = system.compare_steps().and_then(|()| {
        for ask in plan {
            statistics.seen.add(&system.compare(ask)?);
        }
        Ok(())
    });
    result.map_err(|failure| {
        let small = shrunk(&text, seed, limits, &failure);
        let again = fails(&small, seed, limits, &failure).map_or(String::new(), |f| f.to_string());
        format!("seed {seed}: {failure}\nshrunk: {again}\n{small}")
    })
}

/// For how many properties agents of several kinds can change places.
fn across(program: &Program) -> usize {
    let kinds = |agents: &[u32]| agents.iter().map(|a| program.kind_of(*a)).collect::<Vec<_>>();
    let mixed = |agents: &[u32]| kinds(agents).windows(2).any(|pair| pair[0] != pair[1]);
    let is_across = |property: &usize| {
        let found = reduce(program, &[*property], Needs::default(), &Reductions::ALL).symmetry;
        found.is_some_and(|s| s.groups.iter().any(|group| mixed(&group.agents)))
    };
    (0..program.properties.len()).filter(is_across).count()
}

/// For how many properties the data are symmetric once all that can be left out is left out; and for how many of them
/// variables can be exchanged.
fn mirrored(program: &Program) -> (usize, usize) {
    let reduced = |p| reduce(program, &[p], Needs::default(), &Reductions::ALL).data_symmetries;
    let found: Vec<_> = (0..program.properties.len()).filter_map(reduced).collect();
    let exchanges = |turns: &[VarImage]| turns.iter().enumerate().any(|(v, turn)| turn.to.0 as usize != v);
    let exchanged = found.iter().filter(|m| m.symmetries.iter().any(|s| exchanges(&s.images)));
    (found.len(), exchanged.count())
}

fn fails(text: &str, seed: u64, limits: Limits, like: &Failure) -> Option<Failure> {
    let mut system = System::new(text, reading(seed), limits.states)?;
    let result = match like.ask {
        None => system.compare_steps(),
        // The number of the only property changes when others are deleted.
        Some(ask) => system.compare(Ask { only: None, ..ask }).map(|_| ()),
    };
    result.err().filter(|f| f.sort == like.sort)
}

fn shrunk(text: &str, seed: u64, limits: Limits, failure: &Failure) -> String {
    match fails(text, seed, limits, failure) {
        None => text.to_string(),
        Some(_) => shrink::shrink(text, |text| fails(text, seed, limits, failure).is_some()),
    }
}

/// Compares systems with these numbers; the test fails if one of them does.
fn many(systems: u64, limits: Limits, make: Maker) -> Statistics {
    // Two threads, each with every other system.
    let half = |first: u64| {
        let mut statistics = Statistics::default();
        let failures: Vec<String> = (0..systems)
            .filter(|s| s % 2 == first)
            .filter_map(|s| one(s, limits, make, &mut statistics).err())
            .collect();
        (statistics, failures)
    };
    let (statistics, failures) = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        let (mut statistics, mut failures) = half(0);
        let (more, others) = other.join().expect("no panic");
        statistics.add(&more);
        failures.extend(others);
        (statistics, failures)
    });
    statistics.print();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    statistics
}

#[test]
fn the_engine_and_the_naive_search_agree_on_random_systems() {
    let mut statistics = many(90, Limits { states: 150, properties: 6, combinations: 2 }, system);
    let modalities: std::collections::BTreeSet<&str> =
        statistics.seen.verdicts.keys().map(|(modality, _)| *modality).collect();
    assert_eq!(modalities.len(), 13, "{modalities:?}");
    for modality in modalities {
        for (word, least) in [(Word::Holds, 3), (Word::Violated, 1)] {
            let seen = *statistics.seen.verdicts.entry((modality, word)).or_default();
            assert!(seen >= least, "{modality} is {word:?} only {seen} times");
        }
    }
    let invalid = statistics.seen.verdicts.iter().filter(|((_, word), _)| *word == Word::Invalid);
    assert!(invalid.count() >= 11);
    assert!(statistics.systems >= 30 && statistics.seen.findings >= 3000);
    assert!(statistics.seen.counted >= 300 && statistics.seen.shortest >= 120);
    assert!(statistics.seen.replayed >= 400);
    assert!(statistics.seen.tolerated * 10 <= statistics.seen.findings);
}

#[test]
fn agents_of_two_kinds_that_run_the_same_process() {
    let statistics = many(80, Limits { states: 400, properties: 4, combinations: 2 }, alike);
    assert!(statistics.systems >= 12 && statistics.across >= 30, "{}", statistics.across);
}

#[test]
fn agents_whose_surroundings_are_symmetric() {
    let statistics = many(120, Limits { states: 400, properties: 3, combinations: 4 }, arena);
    assert!(statistics.systems >= 60, "{}", statistics.systems);
    assert!(statistics.mirrored >= 100 && statistics.exchanged >= 20);
    assert!(statistics.seen.replayed >= 100);
}

/// The long run: `SWARMCHECK_SYSTEMS` systems from `SWARMCHECK_SEED` on.
#[test]
#[ignore = "takes minutes"]
fn long_run() {
    let limits = Limits { states: 3_000, properties: 6, combinations: 6 };
    let mut statistics = Statistics::default();
    let failures = long::run(5_000, 100, |seed| {
        let make: Maker = match seed % 4 {
            0 => alike,
            1 => arena,
            _ => system,
        };
        one(seed, limits, make, &mut statistics)
    });
    statistics.print();
    assert_eq!(failures, 0, "see above");
}

fn run(prepared: &swarmcheck_session::Prepared, ask: Ask) -> Vec<Finding> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    Explicit.run(&ask.task(&prepared.flat), &control)
}

/// Systems large enough for several threads to have work: some question about each visits more than 10,000 states.
const LARGE: [u64; 5] = [11, 213, 226, 243, 580];

#[test]
fn threads_and_hashes_make_no_difference() {
    for seed in LARGE {
        let text = generate::system(seed);
        // Systems without messages as steps are smaller.
        let reading = Options { sync: false, ..reading(seed) };
        let prepared = open(&text, reading).expect("a system");
        // A few states are enough to know some values.
        let space = Space::explore(&prepared.flat, 300);
        let properties: Vec<String> =
            claims::candidates(&prepared, &space, seed, 4).into_iter().map(|list| list[0].clone()).collect();
        let text = text + &claims::section(&properties);
        let prepared = open(&text, reading).expect("a system with more properties");
        for reductions in [Reductions::NONE, Reductions::ALL] {
            let ask = Ask::new(reductions);
            let one = run(&prepared, ask);
            let large = one.iter().any(|finding| finding.effort.states > 10_000);
            assert!(large || reductions != Reductions::NONE, "seed {seed} gives several threads no work");
            for threads in [2, 3] {
                let several = run(&prepared, Ask { threads, ..ask });
                assert_eq!(fingerprint(&one), fingerprint(&several), "seed {seed}, {threads} threads");
            }
            let words =
                |findings: &[Finding]| -> Vec<Word> { findings.iter().map(|f| word(&f.verdict)).collect() };
            let few = run(&prepared, Ask { hash_bits: 16, threads: 2, ..ask });
            assert_eq!(words(&one), words(&few), "seed {seed}");
        }
    }
}

/// Systems on which the engine was wrong once, as small as they could be made: each file says what went wrong.
#[test]
fn regressions_stay_fixed() {
    for (path, text) in stored("regressions", 15) {
        let failures = failures(&text);
        assert!(failures.is_empty(), "{}: {}", path.display(), failures.join("\n"));
    }
}

/// Everything that is wrong about a system, however it is read and asked about.
fn failures(text: &str) -> Vec<String> {
    let mut out = vec![];
    for seed in READINGS {
        let Some(mut system) = System::new(text, reading(seed), 5_000) else {
            out.push("refused or too large".to_string());
            continue;
        };
        let properties = system.prepared.flat.program.properties.len();
        let mut plan = ask::plan(seed, properties, usize::MAX);
        for reductions in [Reductions::NONE, Reductions::ALL] {
            plan.extend((0..6).map(|bound| Ask { bound: Some(bound), ..Ask::new(reductions) }));
        }
        let mut note = |failure: Failure| out.push(format!("{:?}: {failure}", reading(seed)));
        system.compare_steps().unwrap_or_else(&mut note);
        for ask in plan {
            system.compare(ask).map(|_| ()).unwrap_or_else(&mut note);
        }
    }
    out
}

/// For those who look for the reason of a failure: all that is wrong about the system in `SWARMCHECK_FILE`.
#[test]
#[ignore = "needs a file"]
fn one_file() {
    let path = std::env::var("SWARMCHECK_FILE").expect("a path");
    let failures = failures(&std::fs::read_to_string(path).expect("a readable file"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Nothing is concluded from the end of a run that leaves 64 bits: slicing would drop what ends it, and call a
/// property true that is not, whatever size numbers have. Each of these meets a number that is too large, and would
/// violate its property if numbers had no end.
#[test]
fn numbers_that_are_too_large_decide_nothing() {
    let one = |interface: &str, behavior: &str, predicate: &str| {
        format!(
            "system {{ spawn = A: 1 }}\nagent A {{ interface = {interface}\n Behavior = {behavior} }}\n\
             check {{ P = always forall A a, {predicate} }}\n"
        )
    };
    let systems = [
        one("x: {1, 4000000000}; y: 0", "y <- x * x", "y of a < 100"),
        one("x: {1, 4000000000}; y: 0; z: 0", "y <- x * x; (y > 1 -> z <- 1)", "z of a = 0"),
        one("x: {1, 4000000000}; y: 0; z: 0", "y <- x * (0 - x); (y < 0 - 1 -> z <- 1)", "z of a = 0"),
        one("x: 3", "x <- x * 100; Behavior", "x of a <= 9223372036854775807"),
        one("x: 9223372036854775807; y: 0", "y <- (x + 1) / 9223372036854775807", "y of a < 1"),
        one("x: id + 9223372036854775807; y: 0", "y <- x + 1", "y of a <= 9223372036854775807"),
    ];
    for text in systems {
        for seed in READINGS {
            let Ok(prepared) = open(&text, reading(seed)) else {
                panic!("refused:\n{text}");
            };
            for reductions in [Reductions::ALL, Reductions::NONE] {
                let findings = run(&prepared, Ask::new(reductions));
                assert_eq!(word(&findings[0].verdict), Word::Invalid, "{text}");
            }
        }
    }
}
