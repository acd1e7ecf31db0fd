//! Runs are drawn by the law that `swarmcheck_simulate::law` states: next states and initial states of small systems are counted over many
//! draws, and compared with the exact distribution, worked out in fractions by code that shares nothing with the one that draws.

mod batches;
mod exact;
mod starts;
mod steps;

use exact::Fraction;
use std::collections::BTreeMap;
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_labs::{check, syntax};
use swarmcheck_simulate::{Rate, Rates, Scheduler};
use swarmcheck_source::Span;

type State = Vec<i64>;

fn flat(text: &str) -> Flat {
    let (file, errors) = syntax::parse(text);
    let (model, more) = check::check(&file, Span::new(text.len(), text.len()), &[]);
    let model = model.unwrap_or_else(|| panic!("{errors:?} {more:?}\n{text}"));
    Flat::new(lower::lower(&model, text, Options::default()).expect("a small program").program)
}

/// Rates that differ by function and by kind of agent.
fn rates(flat: &Flat) -> Scheduler {
    let kinds = flat.program.kinds.len() as u32;
    let one = |function: u32, kind: u32| Rate {
        numerator: 1 + function % 3 + 2 * kind,
        denominator: 2 + function % 2,
    };
    let of = (0..flat.program.functions.len() as u32).map(|f| (0..kinds).map(|k| one(f, k)).collect());
    Scheduler::Rates(Rates { of: of.collect() })
}

/// Compares counts with a distribution by Pearson's test. The statistic is about χ² distributed with one degree of freedom less than there are
/// classes, and exceeds d + 2√(dx) + 2x with a probability of at most e⁻ˣ (Laurent and Massart, "Adaptive estimation of a quadratic
/// functional by model selection", 2000, lemma 1). With x = 16 that is one in nine million.
fn fits(expected: &BTreeMap<State, Fraction>, counted: &BTreeMap<State, u64>, what: &str) {
    for state in counted.keys() {
        assert!(expected.contains_key(state), "{what}: {state:?} is impossible");
    }
    let draws: u64 = counted.values().sum();
    let (mut statistic, mut classes) = (0.0, 0.0);
    // Classes that are too rare for the approximation are put together.
    let (mut rare, mut rare_seen) = (0.0, 0.0);
    for (state, probability) in expected {
        let (awaited, seen) =
            (probability.value() * draws as f64, counted.get(state).copied().unwrap_or(0) as f64);
        if awaited < 10.0 {
            rare += awaited;
            rare_seen += seen;
        } else {
            statistic += (seen - awaited) * (seen - awaited) / awaited;
            classes += 1.0;
        }
    }
    if rare >= 10.0 {
        statistic += (rare_seen - rare) * (rare_seen - rare) / rare;
        classes += 1.0;
    } else {
        assert!(rare_seen < 60.0, "{what}: {rare_seen} instead of {rare}");
    }
    let degrees: f64 = classes - 1.0;
    let x = 16.0;
    let bound = degrees + 2.0 * (degrees * x).sqrt() + 2.0 * x;
    assert!(statistic <= bound, "{what}: {statistic} > {bound}\n{counted:?}\n{expected:?}");
}
