//! Properties of all modalities of random LAbS systems, decided by composition and by the naive search.

use crate::counts::{LITTLE_PATIENCE, PATIENCE, kind};
use crate::smaller::smaller;
use std::collections::BTreeMap;
use swarmcheck_engine::Reductions;
use swarmcheck_session::verify::{Decider, VerifyOptions};
use swarmcheck_testkit::long;
use swarmcheck_testkit::read::stored;
use swarmcheck_testkit::verify::{Ask, Seen, System, Word, alike, arena, open, reading, system};

/// The ways to ask. None of them has a bound: what counts steps is refused.
fn asks(seed: u64) -> Vec<Ask> {
    let (all, none) = (Reductions::ALL, Reductions::NONE);
    let [one, other] = if seed.is_multiple_of(2) { [all, none] } else { [none, all] };
    vec![
        Ask::new(all),
        Ask::new(none),
        Ask { ignore_deadlock: true, ..Ask::new(one) },
        Ask { ignore_deadlock: true, ..Ask::new(Reductions { ranges: true, fold: true, ..other }) },
    ]
}

/// A system, what is wrong about it, and how it was asked.
type Failed = (String, String, Ask);

/// Asks about these systems: what was seen, how many systems there were, and failures.
fn compare(seeds: impl Iterator<Item = u64>, states: usize, seconds: u64) -> (Seen, usize, Vec<Failed>) {
    let (mut seen, mut systems, mut failures) = (Seen::default(), 0, vec![]);
    for seed in seeds {
        let made = match seed % 5 {
            0 => arena,
            1 => alike,
            _ => system,
        };
        let Some(text) = made(seed, reading(seed), states, 6) else { continue };
        let Some(mut system) = System::new(&text, reading(seed), states) else { continue };
        systems += 1;
        for ask in asks(seed) {
            match system.compare_soon(ask, Decider::Compose, None, seconds) {
                Ok(more) => {
                    if more.late > 0 {
                        println!("seed {seed}, {:?}, {ask}: it takes too long", reading(seed));
                    }
                    seen.add(&more);
                }
                Err(failure) => {
                    let words = format!("seed {seed}, {:?}: {failure}\n{text}", reading(seed));
                    failures.push((text.clone(), words, ask));
                }
            }
        }
    }
    (seen, systems, failures)
}

/// How many questions were left open, by the kind of reason.
fn left_open(seen: &Seen) -> BTreeMap<&'static str, usize> {
    let mut out = BTreeMap::new();
    for (reason, count) in &seen.open {
        let kind = kind(reason);
        if kind == "something else" {
            println!("left open: {reason}");
        }
        *out.entry(kind).or_default() += count;
    }
    out
}

fn print(seen: &Seen, systems: usize) {
    println!(
        "{systems} systems, {} findings ({} of several processes), {} traces replayed, {} late, left open {:?}",
        seen.findings,
        seen.composed,
        seen.replayed,
        seen.late,
        left_open(seen)
    );
    for ((modality, word), count) in &seen.verdicts {
        println!("  {count:6} {modality}: {word:?}");
    }
}

#[test]
fn composition_and_the_naive_search_agree() {
    let (seen, systems, failures) = compare(0..60, 100, LITTLE_PATIENCE);
    print(&seen, systems);
    assert!(failures.is_empty(), "{} failures, the first: {}", failures.len(), failures[0].1);
    assert!(systems >= 12 && seen.findings >= 350 && seen.composed >= 200 && seen.replayed >= 100);
    // 'after' counts steps. Of the other questions, at most one in four is left open, mostly because a step may be an error.
    let mut open = left_open(&seen);
    for kind in ["counts steps", "too slow"] {
        open.remove(kind);
    }
    assert!(open.values().sum::<usize>() * 3 <= seen.findings, "{open:?}");
    assert!(open.keys().all(|kind| *kind == "may fail"), "{open:?}");
    let modalities = ["always", "eventually", "finally", "fairly", "fairly_inf", "deadlock"];
    let scopes = ["between always", "from until thereIs", "from until precedes"];
    for modality in modalities.into_iter().chain(scopes) {
        for word in [Word::Holds, Word::Violated] {
            assert!(seen.verdicts.contains_key(&(modality, word)), "{modality} is never {word:?}");
        }
    }
}

/// As the long run over all languages, for the modalities of LAbS.
#[test]
#[ignore = "takes hours"]
fn long_run_of_modalities() {
    let (mut seen, mut systems) = (Seen::default(), 0);
    let failures = long::run(5_000, 100, |seed| {
        let (more, accepted, failures) = compare(seed..=seed, 400, PATIENCE);
        seen.add(&more);
        systems += accepted;
        let Some((text, failure, ask)) = failures.into_iter().next() else { return Ok(()) };
        let small = open(&text, reading(seed)).ok().and_then(|prepared| {
            let options = VerifyOptions { engine: Decider::Compose, ..ask.options(&prepared.flat) };
            smaller(&text, &options, |text| open(text, reading(seed)).ok())
        });
        Err(format!("{failure}\n{}", small.unwrap_or_default()))
    });
    print(&seen, systems);
    assert_eq!(failures, 0, "see above");
}

/// The systems that were once answered wrongly by some engine.
#[test]
fn stored_systems_are_answered_by_composition_too() {
    let mut all = Seen::default();
    for (path, text) in stored("regressions", 15) {
        let Some(mut system) = System::new(&text, reading(0), 3_000) else { panic!("{path:?} is refused") };
        for ask in asks(0).into_iter().chain([Ask { bound: Some(2), ..Ask::new(Reductions::NONE) }]) {
            match system.compare_with(ask, Decider::Compose) {
                Ok(seen) => all.add(&seen),
                Err(failure) => panic!("{path:?}: {failure}"),
            }
        }
    }
    print(&all, 15);
    assert!(all.findings >= 10, "{}", all.findings);
}
