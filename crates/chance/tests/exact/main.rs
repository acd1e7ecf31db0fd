//! The exact engine against known answers, brute force with fractions, and protocols enumerated from their definitions.

mod brute;
mod known;
mod law;
mod programs;
mod random;

use num_bigint::BigInt;
use num_rational::BigRational;
use swarmcheck_chance::{Answer, Bits, Expected, Process, ProcessBuilder, Settings};

/// A process from its rows: for each state its rows, for each row targets with weights. Starts in state 0.
fn process(states: &[Vec<Vec<(u32, u64)>>]) -> Process {
    starting(states, &[(0, 1)])
}

fn starting(states: &[Vec<Vec<(u32, u64)>>], initial: &[(u32, u128)]) -> Process {
    let mut builder = ProcessBuilder::new();
    for rows in states {
        for (number, row) in rows.iter().enumerate() {
            let row: Vec<(u32, u128)> = row.iter().map(|(to, weight)| (*to, (*weight).into())).collect();
            builder.row(number as u32, &row).expect("a row");
        }
        builder.state(None).expect("a state");
    }
    builder.finish(initial).expect("a process")
}

fn set(process: &Process, states: &[usize]) -> Bits {
    Bits::from_fn(process.states(), |state| states.contains(&state))
}

fn ratio(above: i64, below: i64) -> BigRational {
    BigRational::new(BigInt::from(above), BigInt::from(below))
}

/// Whether the value lies within the bounds, these are as close as asked for, and the fraction, if there is one, is the value.
#[track_caller]
fn check(answer: &Answer, value: &BigRational) {
    let exact = |f: f64| BigRational::from_float(f).expect("finite");
    assert!(exact(answer.bounds.low) <= *value && *value <= exact(answer.bounds.high), "{answer:?} {value}");
    assert!(answer.is_within(Settings::default().error), "{answer:?}");
    if let Some(fraction) = &answer.fraction {
        assert_eq!(fraction.0, *value);
    }
}

#[track_caller]
fn finite(expected: Expected) -> Answer {
    match expected {
        Expected::Finite(answer) => answer,
        Expected::Infinite => panic!("infinite"),
    }
}

fn never() -> bool {
    false
}

/// Bounds only.
fn without_fractions() -> Settings {
    Settings { fraction_states: 0, ..Settings::default() }
}
