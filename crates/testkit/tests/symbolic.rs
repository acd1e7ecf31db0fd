//! Random systems as systems of bits: the same steps, errors and conditions as the program, state by state.
//!
//! A failure prints the seed and the system. Put the system into `regressions/` together with the fix.

use swarmcheck_labs::lower::{Choice, Options, Semantics};
use swarmcheck_passes::{fold, ranges};
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::verify::bits::{self, Compared};
use swarmcheck_testkit::verify::{open, system};

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
        let variants =
            [program.clone(), ranges::narrow(program).program, ranges::narrow(&fold::fold(program).program).program];
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
