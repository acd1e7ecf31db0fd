//! Random systems as systems of bits: the same steps, errors and conditions as the program, state by state; and the
//! engines that work on them: the same verdicts as the naive search.
//!
//! A failure prints the seed and the system. Put the system into `regressions/` together with the fix.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Note, Reductions, Why};
use swarmcheck_labs::lower::Options;
use swarmcheck_passes::{fold, ranges};
use swarmcheck_session::outcome::FaultWord;
use swarmcheck_session::verify::{
    Answer, Answered, Decider, ENGINES, Length, Outcome, VerifyOptions, Violation, verify,
};
use swarmcheck_symbolic::Method;
use swarmcheck_testkit::long::{self, number};
use swarmcheck_testkit::read::stored;
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::verify::bits::{self, Compared};
use swarmcheck_testkit::verify::{Ask, Seen, System, Word, arena, open, reading, system};

/// Compares the bits of these systems with the programs.
fn compare_bits(seeds: std::ops::Range<u64>) -> (Compared, Vec<String>) {
    let (mut all, mut failures) = (Compared::default(), vec![]);
    for seed in seeds {
        let Some(text) = system(seed, reading(seed), 300, 3) else { continue };
        let Ok(prepared) = open(&text, reading(seed)) else { continue };
        let space = Space::explore(&prepared.flat, 300);
        let program = &prepared.flat.program;
        // As it is, with assumed widths; with ranges; and folded.
        let variants = [
            (**program).clone(),
            ranges::narrow(program).program,
            ranges::narrow(&fold::fold(program).program).program,
        ];
        for (number, variant) in variants.iter().enumerate() {
            match bits::compare(&prepared.flat, variant, &space) {
                Ok(one) => {
                    all.states += one.states;
                    all.steps += one.steps;
                    all.faults += one.faults;
                    all.stuck += one.stuck;
                    all.initial += one.initial;
                    all.listed += one.listed;
                }
                Err(words) => failures.push(format!("seed {seed}, variant {number}: {words}\n{text}")),
            }
        }
    }
    (all, failures)
}

#[test]
fn bits_and_programs_make_the_same_steps() {
    let (all, failures) = compare_bits(0..number("SWARMCHECK_SYSTEMS", 60));
    println!("{all:?}");
    assert!(failures.is_empty(), "{} failures, the first: {}", failures.len(), failures[0]);
    assert!(all.states >= 500 && all.steps >= 500 && all.faults >= 5 && all.stuck >= 20 && all.initial >= 50);
    assert!(all.listed >= 20, "{all:?}");
}

const DIAGRAMS: Decider = Decider::Symbolic(Method::Diagrams);

/// All engines that work on bits.
fn symbolic() -> impl Iterator<Item = Decider> {
    ENGINES.iter().map(|entry| entry.decider).filter(|engine| matches!(engine, Decider::Symbolic(_)))
}

/// Asks the symbolic engines about these systems.
fn compare_engines(seeds: impl Iterator<Item = u64>, states: usize) -> (Seen, usize, Vec<String>) {
    let (mut seen, mut systems, mut failures) = (Seen::default(), 0, vec![]);
    for seed in seeds {
        let Some(text) = system(seed, reading(seed), states, 6) else { continue };
        let Some(mut system) = System::new(&text, reading(seed), states) else { continue };
        systems += 1;
        for (at, engine) in symbolic().enumerate() {
            // With and without reductions in turn. Without ranges numbers have many bits: that is for the first engine.
            let none = Reductions { ranges: at > 0, ..Reductions::NONE };
            let [one, other] = match (seed as usize + at).is_multiple_of(2) {
                true => [none, Reductions::ALL],
                false => [Reductions::ALL, none],
            };
            let mut asks = vec![Ask::new(one), Ask { ignore_deadlock: true, ..Ask::new(other) }];
            // The others leave executions of a known length to bounded search.
            if at == 0 || engine == DIAGRAMS {
                asks.extend([one, other].map(|r| Ask { bound: Some((seed % 7) as u32), ..Ask::new(r) }));
            }
            for ask in asks {
                match system.compare_with(ask, engine) {
                    Ok(more) => seen.add(&more),
                    Err(failure) => failures.push(format!("seed {seed}: {failure}\n{text}")),
                }
            }
        }
    }
    (seen, systems, failures)
}

#[test]
fn symbolic_engines_and_the_naive_search_agree() {
    let (seen, systems, failures) = compare_engines(0..40, 150);
    print(&seen, systems);
    assert!(failures.is_empty(), "{} failures, the first: {}", failures.len(), failures[0]);
    assert!(systems >= 10 && seen.findings >= 500 && seen.replayed >= 200);
    assert_eq!(seen.late, 0);
}

/// The long run: `SWARMCHECK_SYSTEMS` seeds from `SWARMCHECK_SEED` on, about half of which make a system that is
/// small enough.
#[test]
#[ignore = "takes hours"]
fn long_run() {
    let (mut seen, mut systems) = (Seen::default(), 0);
    let failures = long::run(10_000, 100, |seed| {
        let (more, accepted, failures) = compare_engines(seed..=seed, 150);
        seen.add(&more);
        systems += accepted;
        if more.late > 0 {
            println!("seed {seed}: {} questions took too long", more.late);
        }
        failures.into_iter().next().map_or(Ok(()), Err)
    });
    print(&seen, systems);
    assert_eq!(failures, 0, "see above");
    assert!(seen.late * 200 <= seen.findings, "{}", seen.late);
}

fn print(seen: &Seen, systems: usize) {
    println!("{systems} systems, {} findings, {} traces replayed", seen.findings, seen.replayed);
    for ((modality, word), count) in &seen.verdicts {
        println!("  {count:6} {modality}: {word:?}");
    }
}

/// The systems that were once answered wrongly by some engine.
#[test]
fn stored_systems_are_answered_by_symbolic_engines_too() {
    let mut findings = 0;
    for (path, text) in stored("regressions", 15) {
        let Some(mut system) = System::new(&text, reading(0), 3_000) else { panic!("{path:?} is refused") };
        for engine in symbolic().chain([Decider::Abstract, Decider::Auto]) {
            // Reductions may overlook a number that is too large, which then takes a second search.
            let reductions = Reductions { ranges: true, ..Reductions::NONE };
            for bound in [None, Some(2)] {
                match system.compare_with(Ask { bound, ..Ask::new(reductions) }, engine) {
                    Ok(seen) => findings += seen.findings,
                    Err(failure) => panic!("{path:?}: {failure}"),
                }
            }
        }
    }
    assert!(findings >= 40, "{findings}");
}

/// What holds where some values are not known holds in the naive search, where they are; and it is never refuted there.
#[test]
fn what_is_proved_with_less_knowledge_holds() {
    let (first, count) = (number("SWARMCHECK_SEED", 0), number("SWARMCHECK_ABSTRACT_SYSTEMS", 150));
    let (mut seen, mut failures) = (Seen::default(), vec![]);
    for seed in first..first + count {
        // Arenas are full of choices at the beginning, which is what can be forgotten.
        let made = if seed.is_multiple_of(3) { system } else { arena };
        let Some(text) = made(seed, reading(seed), 400, 6) else { continue };
        let Some(mut system) = System::new(&text, reading(seed), 400) else { continue };
        let (all, none) = (Reductions::ALL, Reductions { ranges: true, ..Reductions::NONE });
        let bound = Some((seed % 7) as u32);
        for ask in [
            Ask::new(all),
            Ask { ignore_deadlock: true, ..Ask::new(none) },
            Ask { bound, ..Ask::new(all) },
            Ask { bound, ..Ask::new(none) },
        ] {
            // An abstract program may have infinitely many states.
            match system.compare_within(ask, Decider::Abstract, Some(1 << 21)) {
                Ok(more) => seen.add(&more),
                Err(failure) => failures.push(format!("seed {seed}: {failure}\n{text}")),
            }
        }
    }
    println!("{} findings", seen.findings);
    for ((modality, word), count) in &seen.verdicts {
        println!("  {count:6} {modality}: {word:?}");
    }
    assert!(failures.is_empty(), "{} failures, the first: {}", failures.len(), failures[0]);
    assert!(seen.verdicts.keys().all(|(_, word)| *word == Word::Holds), "it never refutes");
    assert!(seen.findings >= 30, "{}", seen.findings);
}

/// A race in which all engines start at once gives the answers of the naive search, whichever wins, and no engine
/// contradicts another.
#[test]
fn races_and_cross_checks_agree_with_the_naive_search() {
    let (first, count) = (number("SWARMCHECK_SEED", 0), number("SWARMCHECK_RACES", 50));
    let (mut seen, mut answers, mut failures) = (Seen::default(), 0, vec![]);
    for seed in first..first + count {
        let Some(text) = system(seed, reading(seed), 150, 4) else { continue };
        let Some(mut system) = System::new(&text, reading(seed), 150) else { continue };
        let reductions = if seed.is_multiple_of(2) {
            Reductions::ALL
        } else {
            Reductions { ranges: true, ..Reductions::NONE }
        };
        let bound = seed.is_multiple_of(3).then_some((seed % 7) as u32);
        let ask = Ask { bound, threads: 1 + seed as usize % 2, ..Ask::new(reductions) };
        // In every other system the explicit engine soon runs out of memory, so that others have to win.
        let memory = (seed / 2).is_multiple_of(2).then_some(1);
        let raced = system.compare_within(ask, Decider::Auto, memory).map(|more| seen.add(&more));
        let checked = system.cross_check(ask).map(|count| answers += count);
        failures.extend(
            [raced, checked].into_iter().filter_map(Result::err).map(|f| format!("seed {seed}: {f}\n{text}")),
        );
    }
    println!("{} findings, {} traces replayed, {answers} answers compared", seen.findings, seen.replayed);
    assert!(failures.is_empty(), "{} failures, the first: {}", failures.len(), failures[0]);
    assert!(seen.findings >= 80 && seen.replayed >= 30 && answers >= 250);
}

/// What an engine says about the properties of a text.
fn answers(text: &str, fair: bool, options: VerifyOptions) -> Vec<Answer> {
    let reading = Options { fair, ..reading(0) };
    let prepared = open(text, reading).expect("a system");
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
    report.answers
}

/// Rows of the bounded analyses in the LAbS paper (tables 12 and 22), with the verdicts printed there.
#[test]
fn published_rows_are_decided_by_bounded_search() {
    let rows = [
        ("boids/aw.labs", "birds=3 grid=10 delta=12", true, "SameHeading", 12, Answered::Violated),
        ("boids/aw.labs", "birds=3 grid=10 delta=13", true, "SameHeading", 12, Answered::Holds),
        ("approx/approx.labs", "yes=2 no=3", false, "NoYConsensus", 20, Answered::Violated),
        ("majority/majority.labs", "yes=2 no=3", false, "NoYConsensus", 20, Answered::Holds),
        ("majority/majority.labs", "yes=3 no=2", false, "NoYConsensus", 20, Answered::Violated),
    ];
    for (file, parameters, fair, property, steps, expected) in rows {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
        let text = std::fs::read_to_string(path).expect("a readable example");
        let options = VerifyOptions {
            properties: vec![property.to_string()],
            steps: Some(steps),
            engine: Decider::Symbolic(Method::Bounded),
            ..VerifyOptions::default()
        };
        let found = answers(&format!("#! {parameters}\n{text}"), fair, options);
        assert_eq!(found[0].verdict(), expected, "{file} {parameters}: {}", found[0].evidence());
    }
}

/// Table 12 of the LAbS paper: birds have one leader after 27 steps, and need not after 26 (published both). Where
/// the birds are need not be known for that, only who sees whom. For 26 steps nothing is proved, so nothing may be
/// said.
#[test]
fn one_leader_is_proved_without_positions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/boids/acw.labs");
    let text = std::fs::read_to_string(path).expect("a readable example");
    for (steps, expected) in [(26, Answered::Unknown), (27, Answered::Holds)] {
        let options = VerifyOptions {
            properties: vec!["OneLeader".to_string()],
            steps: Some(steps),
            engine: Decider::Abstract,
            ..VerifyOptions::default()
        };
        let found = answers(&format!("#! birds=3 grid=10 delta=10\n{text}"), true, options);
        assert_eq!(found[0].verdict(), expected, "{}", found[0].evidence());
    }
}

/// x is squared until it does not fit 64 bits, an error of the model: 2, 4, 16, …, 2⁶⁴. An abstraction
/// without x would hide the error, so nothing may be proved in it.
#[test]
fn numbers_that_grow_too_large_are_not_abstracted() {
    let text = "system { spawn = A: 2 }
        stigmergy S { link = x of 1 < x of 2  v: 0 }
        agent A {
          interface = x: 2..4; f: 0
          stigmergies = S
          Behavior = (x <- x * x; Behavior) ++ (x > 100000 -> v <~ 1; f <- 1; Behavior)
        }
        check { N = always forall A a, f of a = 0 or v of a = 1 }";
    let ask =
        |engine| answers(text, false, VerifyOptions { engine, ..VerifyOptions::default() })[0].verdict();
    assert_eq!(ask(Decider::Explicit), Answered::ModelError);
    assert_eq!(ask(Decider::Abstract), Answered::Unknown);
}

/// Thirty-two mirrors and three agents to be renamed: too many for both. Whichever is used, the execution of three steps
/// (two agents that differ in everything take turns to count) is found again, and not by a second search.
#[test]
fn many_mirrors_and_renamed_agents() {
    let text = "system { spawn = A: 3 }
        agent A {
          interface = a1: [-1, 1]; b1: [-1, 1]; c1: [-1, 1]; d1: [-1, 1]; e1: [-1, 1]; f: 0
          Behavior = (a1 <- -a1 ++ b1 <- -b1 ++ c1 <- -c1 ++ d1 <- -d1 ++ e1 <- -e1
            ++ ((exists A q, a1 of q != a1) -> f <- (f + 1) % 3)
            ++ ((exists A q, b1 of q != b1) -> f <- (f + 1) % 3)); Behavior
        }
        check {
          P = always forall A a, forall A b, a = b or f of a < 2 or f of b < 1 or a1 of a = a1 of b
            or b1 of a = b1 of b or c1 of a = c1 of b or d1 of a = d1 of b or e1 of a = e1 of b
        }";
    let prepared = open(text, Options { fair: false, ..reading(0) }).expect("a system");
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = VerifyOptions { engine: Decider::Explicit, ..VerifyOptions::default() };
    let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
    let answer = &report.answers[0];
    assert_eq!(answer.verdict(), Answered::Violated);
    let length = Length { steps: 3, loop_start: None };
    let expected = Outcome::Violated { evidence: Violation::Trace { why: Why::False, length } };
    assert_eq!(answer.outcome, expected);
    assert!(!answer.notes.contains(&Note::SearchedAgain), "{:?}", answer.notes);
}

/// Without ranges a number gets 8 bits first. 3⁶ = 729 needs 16 of them; the squares of 10 double their digits, so after
/// 10¹⁶ comes a number that does not fit 64 bits, which is an error of the model.
#[test]
fn numbers_outgrow_the_bits_assumed_for_them() {
    let system = |action: &str, claim: &str| {
        format!(
            "system {{ spawn = A: 1 }}\nagent A {{ interface = x: START Behavior = {action}; Behavior }}\n\
             check {{ P = always forall A a, {claim} }}\n"
        )
    };
    let growing = system("x < 1000 -> x <- x * 3", "x of a != 729").replace("START", "1");
    let small = system("x < 1000 -> x <- x * 3", "x of a <= 2187").replace("START", "1");
    let squares = system("x <- x * x", "x of a != 5").replace("START", "10");
    for engine in symbolic() {
        let ask = |text: &str| {
            let reductions = Reductions::NONE;
            answers(text, false, VerifyOptions { reductions, engine, ..VerifyOptions::default() })
        };
        // 1 · 3⁶: six steps.
        let length = Length { steps: 6, loop_start: None };
        let expected = Outcome::Violated { evidence: Violation::Trace { why: Why::False, length } };
        assert_eq!(ask(&growing)[0].outcome, expected, "{engine:?}");
        // The largest is 3⁷ = 2187, since 729 < 1000 ≤ 2187.
        assert_eq!(ask(&small)[0].verdict(), Answered::Holds, "{engine:?}");
        // 10, 10², 10⁴, 10⁸, 10¹⁶: the fifth step fails. Products of 64 bits are no place for the other two engines, which
        // ask about states that are not known.
        if engine == Decider::Symbolic(Method::Bounded) {
            let found = ask(&squares).remove(0).outcome;
            let Outcome::ModelError { error, steps } = &found else { panic!("{found:?}") };
            assert_eq!((error.kind, *steps), (FaultWord::Overflow, Some(4)), "{found:?}");
        }
    }
}
