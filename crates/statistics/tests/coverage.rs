//! How often intervals contain the true value, by drawing. The unit tests sum the coverage exactly for small numbers; here the rules
//! are followed as a caller does.
//!
//! If the coverage is c, the number of n experiments that cover is binomial; it is below nc − 4√(nc(1−c)) with a probability
//! below 10⁻⁴. The seeds are fixed, so nothing fails by chance later.

use swarmcheck_statistics::massart::Sequential;
use swarmcheck_statistics::mean::Moments;
use swarmcheck_statistics::sample::Sample;
use swarmcheck_statistics::wald::Wald;
use swarmcheck_statistics::{Interval, clopper_pearson};

const CONFIDENCE: f64 = 0.95;

fn least(experiments: u64, coverage: f64) -> f64 {
    let n = experiments as f64;
    n * coverage - 4.0 * (n * coverage * (1.0 - coverage)).sqrt()
}

fn check(name: &str, experiments: u64, mut one: impl FnMut(&mut fastrand::Rng) -> bool) {
    let covered = (0..experiments).filter(|seed| one(&mut fastrand::Rng::with_seed(*seed))).count();
    assert!(covered as f64 >= least(experiments, CONFIDENCE), "{name}: {covered} of {experiments}");
    #[allow(clippy::disallowed_macros)]
    {
        println!("{name}: {covered} of {experiments}");
    }
}

fn all(experiments: u64, width: f64) {
    for p in [0.001, 0.03, 0.2, 0.5, 0.77, 0.95, 0.999] {
        check(&format!("Clopper-Pearson, 200 runs, {p}"), experiments, |rng| {
            let satisfied = (0..200).filter(|_| rng.f64() < p).count() as u64;
            clopper_pearson(satisfied, 0, 200, CONFIDENCE).contains(p)
        });
        let rule = Sequential::new(width, CONFIDENCE).unwrap();
        check(&format!("Massart, width {width}, {p}"), experiments, |rng| {
            let (mut satisfied, mut runs) = (0, 0);
            loop {
                let next = rule.runs_needed(satisfied, 0, runs);
                if next == runs {
                    let interval = rule.interval(satisfied, 0, runs);
                    assert!(interval.width() <= width + 1e-12);
                    return interval.contains(p);
                }
                satisfied += (runs..next).filter(|_| rng.f64() < p).count() as u64;
                runs = next;
            }
        });
        // One run in ten is undecided, whatever its verdict would have been.
        check(&format!("Massart with undecided runs, {p}"), experiments, |rng| {
            let (mut satisfied, mut undecided, mut runs) = (0, 0, 0);
            loop {
                let next = rule.runs_needed(satisfied, undecided, runs);
                if next == runs {
                    return rule.interval(satisfied, undecided, runs).contains(p);
                }
                for _ in runs..next {
                    let yes = rng.f64() < p;
                    if rng.u8(0..10) == 0 {
                        undecided += 1;
                    } else {
                        satisfied += u64::from(yes);
                    }
                }
                runs = next;
            }
        });
    }
    for (threshold, truth) in [(0.5, 0.4), (0.5, 0.6), (0.9, 0.85), (0.9, 0.95), (0.99, 0.98), (0.01, 0.02)] {
        check(&format!("Wald, {threshold} of {truth}"), experiments, |rng| {
            let mut test = Wald::new(threshold, f64::abs(threshold - truth), CONFIDENCE).unwrap();
            while test.decision().is_none() {
                test.record(rng.f64() < truth);
            }
            test.decision() == Some(truth > threshold)
        });
    }
    // The sum of twelve uniform numbers is nearly normal, which is what Student's interval asks for.
    for runs in [3, 10, 50] {
        check(&format!("Student, {runs} runs"), experiments, |rng| {
            let mut moments = Moments::new();
            (0..runs).for_each(|_| moments.push((0..12).map(|_| rng.f64()).sum()));
            moments.student(CONFIDENCE).contains(6.0)
        });
    }
    // Exponentially distributed values; the quantile at q is −ln(1 − q). Values above 2 are cut off.
    for q in [0.1, 0.5, 0.9_f64] {
        check(&format!("quantile {q}"), experiments, |rng| {
            let mut sample = Sample::new();
            for _ in 0..100 {
                let value = -(1.0 - rng.f64()).ln();
                if value > 2.0 { sample.push_cut(2.0) } else { sample.push(value) }
            }
            let found = sample.quantile(q, CONFIDENCE);
            let high = found.high.unwrap_or(f64::INFINITY);
            Interval { low: found.low.unwrap_or(0.0), high }.contains(-(1.0 - q).ln())
        });
    }
}

#[test]
fn intervals_cover_as_often_as_they_should() {
    all(200, 0.2);
}

/// About a minute with optimisation: `cargo test --release -p swarmcheck-statistics -- --ignored`.
#[test]
#[ignore = "10,000 seeds take long; the slice above runs always"]
fn intervals_cover_as_often_as_they_should_over_10000_seeds() {
    all(10_000, 0.1);
}
