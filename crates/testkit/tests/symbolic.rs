//! Random systems as systems of bits: the same steps, errors and conditions as the program, state by state; and the
//! engines that work on them: the same verdicts as the naive search.
//!
//! A failure prints the seed and the system. Put the system into `regressions/` together with the fix.

use swarmcheck_engine::Reductions;
use swarmcheck_labs::lower::{Choice, Options, Semantics};
use swarmcheck_passes::{fold, ranges};
use swarmcheck_session::verify::Decider;
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::verify::bits::{self, Compared};
use swarmcheck_testkit::verify::{Ask, Seen, System, open, system};

/// Round-robin or not, the two readings of rule QRY2, and late and early choice, in turn.
fn reading(seed: u64) -> Options {
    let semantics = if seed % 4 < 2 { Semantics::Sliver } else { Semantics::Paper };
    let choice = if seed / 4 % 3 == 2 { Choice::Early } else { Choice::Late };
    Options { fair: seed % 2 == 1, semantics, choice }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

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
            program.clone(),
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
}

/// Asks the symbolic engines about these systems.
fn compare_engines(seeds: impl Iterator<Item = u64>, states: usize) -> (Seen, usize, Vec<String>) {
    let (mut seen, mut systems, mut failures) = (Seen::default(), 0, vec![]);
    for seed in seeds {
        let Some(text) = system(seed, reading(seed), states, 6) else { continue };
        let Some(mut system) = System::new(&text, reading(seed), states) else { continue };
        systems += 1;
        let engines = Decider::TABLE.iter().filter(|(engine, _)| *engine != Decider::Explicit);
        for (at, (engine, _)) in engines.enumerate() {
            // With and without reductions in turn. Without ranges numbers have many bits: that is for the first engine.
            let none = Reductions { ranges: at > 0, ..Reductions::NONE };
            let [one, other] = match (seed as usize + at).is_multiple_of(2) {
                true => [none, Reductions::ALL],
                false => [Reductions::ALL, none],
            };
            let mut asks = vec![Ask::new(one), Ask { ignore_deadlock: true, ..Ask::new(other) }];
            // The others leave executions of a known length to bounded search.
            if at == 0 {
                asks.extend([one, other].map(|r| Ask { bound: Some((seed % 7) as u32), ..Ask::new(r) }));
            }
            for ask in asks {
                match system.compare_with(ask, *engine) {
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
    let (first, count) = (number("SWARMCHECK_SEED", 0), number("SWARMCHECK_ENGINE_SYSTEMS", 40));
    let (seen, systems, failures) = compare_engines(first..first + count, 150);
    println!("{systems} systems, {} findings, {} traces replayed", seen.findings, seen.replayed);
    for ((modality, word), count) in &seen.verdicts {
        println!("  {count:6} {modality}: {word:?}");
    }
    assert!(failures.is_empty(), "{} failures, the first: {}", failures.len(), failures[0]);
    assert!(systems >= 10 && seen.findings >= 500 && seen.replayed >= 200);
}
