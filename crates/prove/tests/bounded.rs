//! Bounded searches on random systems, against enumeration.

mod oracle;

use std::sync::atomic::AtomicBool;

use oracle::{Whole, random};
use swarmcheck_prove::{Bmc, Failure, Lasso, Limits};

/// How many systems a test looks at.
const SYSTEMS: u64 = 1500;

#[test]
fn reaching_is_exact() {
    let (mut found, mut exhausted) = (0, 0);
    for seed in 0..SYSTEMS {
        let case = random(seed, 6);
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let bad = whole.states(system, system.bad[0]);
        let mut bmc = Bmc::new(system);
        // Every state that can be reached is reached within as many steps as there are states.
        let depth = 1 << system.latches.len();
        let expected = whole.shortest(&bad);
        assert_eq!(bmc.reach(system.bad[0], 2).unwrap().map(|w| w.steps.len()), expected.filter(|&d| d <= 2));
        let witness = bmc.reach(system.bad[0], depth).unwrap();
        assert_eq!(witness.as_ref().map(|w| w.steps.len()), expected, "seed {seed}");
        for steps in [0, 1, 3, 7] {
            let expected = whole.after(steps).intersection(&bad).next().is_some();
            let exact = bmc.reach_exactly(system.bad[0], steps).unwrap();
            assert_eq!(exact.is_some(), expected, "seed {seed}, {steps} steps");
            assert!(exact.is_none_or(|w| w.steps.len() == steps));
        }
        if let Some(none) = bmc.exhausted() {
            assert!(whole.after(none).is_empty(), "seed {seed}");
            exhausted += 1;
        }
        found += usize::from(witness.is_some());
    }
    assert!(found > 300 && exhausted > 50, "{found} found, {exhausted} exhausted: the sample is one-sided");
}

#[test]
fn lassos_are_found_where_they_are() {
    let (mut loops, mut ends, mut never) = (0, 0, 0);
    for seed in 0..SYSTEMS {
        let case = random(seed, 4);
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let good = whole.states(system, case.good);
        let depth = (1 << system.latches.len()) + 1;
        let (runs, stops) = (whole.runs_avoiding(&good, &whole.all()), whole.ends_avoiding(&good));
        // A lasso needs no more steps than there are states, so one that exists is found within the depth.
        let check = |stuck, expected: bool, counts: &mut (i32, i32, i32)| match Bmc::new(system)
            .lasso(case.good, stuck, depth)
            .unwrap()
        {
            Lasso::Found(witness) => {
                assert!(expected, "seed {seed}");
                match witness.back_to {
                    Some(back) => {
                        assert_eq!(witness.states[back], witness.last());
                        counts.0 += 1;
                    }
                    None => counts.1 += 1,
                }
            }
            Lasso::NotWithin => assert!(!expected, "seed {seed}"),
            Lasso::Never(steps) => {
                assert!(!expected, "seed {seed}, never after {steps}");
                counts.2 += 1;
            }
        };
        let mut counts = (0, 0, 0);
        check(None, runs, &mut counts);
        check(Some(case.stuck), runs || stops, &mut counts);
        loops += counts.0;
        ends += counts.1;
        never += counts.2;
    }
    assert!(loops > 300 && ends > 100 && never > 300, "{loops} loops, {ends} ends, {never} never");
}

/// Looking for loops at some depths only finds the same, if it may go on to the next such depth; what it finds is as
/// short. What it left out is made up for when the exact question is asked.
#[test]
fn looking_now_and_then_is_enough() {
    let (mut found, mut made_up_for) = (0, 0);
    for seed in 0..SYSTEMS {
        let case = random(seed, 4);
        let length = |lasso: &Lasso| match lasso {
            Lasso::Found(witness) => Some((witness.steps.len(), witness.back_to.is_some())),
            _ => None,
        };
        let depth = (1 << case.system.latches.len()) + 1;
        let exact = length(&Bmc::new(&case.system).lasso(case.good, None, depth).unwrap());
        let (mut bmc, mut k) = (Bmc::new(&case.system), 0);
        let faster = loop {
            // One step at a time, as callers do that report how deep they are.
            match bmc.lasso_now_and_then(case.good, None, k).unwrap() {
                Lasso::NotWithin if k < 2 * depth => {}
                end => break end,
            }
            if exact.is_some_and(|(steps, _)| steps <= k) {
                let again = Bmc::new(&case.system).lasso(case.good, None, k).unwrap();
                assert_eq!(length(&bmc.lasso(case.good, None, k).unwrap()), length(&again), "seed {seed}");
                made_up_for += 1;
            }
            k += 1;
        };
        assert_eq!(length(&faster), exact, "seed {seed}");
        found += usize::from(exact.is_some());
    }
    assert!(found > 300 && made_up_for > 5, "{found} found, {made_up_for} made up for");
}

#[test]
fn a_raised_flag_stops_the_search() {
    let case = random(1, 6);
    let stop = AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let mut bmc = Bmc::with_limits(&case.system, limits);
    assert_eq!(bmc.reach(case.system.bad[0], 10), Err(Failure::Interrupted));
}
