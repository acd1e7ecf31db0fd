//! Bounded searches on random systems, against enumeration.

mod oracle;

use std::sync::atomic::AtomicBool;

use oracle::{Whole, random};
use swarmcheck_aig::Simulation;
use swarmcheck_prove::liveness::LivenessQuestion;
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
    let (mut loops, mut ends, mut never, mut fair_loops, mut unfair) = (0, 0, 0, 0, 0);
    for seed in 0..SYSTEMS {
        let case = random(seed, 4);
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let good = whole.states(system, case.good);
        // A way to a state that comes back to itself, and the way back, have no more steps than twice the states: a lasso
        // that exists is found within the depth.
        let depth = 2 << system.latches.len();
        let stops = whole.ends_avoiding(&good);
        let plain = whole.runs_avoiding(&good, &whole.all());
        for variant in 0..4 {
            let fair = if variant & 1 != 0 { vec![case.fair] } else { vec![] };
            let stuck = (variant & 2 != 0).then_some(case.stuck);
            // The condition is over latches only here, so being true in a step is being true in its first state.
            let again = if fair.is_empty() { whole.all() } else { whole.states(system, case.fair) };
            let runs = whole.runs_avoiding(&good, &again);
            let expected = runs || (stops && stuck.is_some());
            let question = LivenessQuestion { good: case.good, stuck, fair, pairs: vec![] };
            match Bmc::new(system).lasso(&question, depth).unwrap() {
                Lasso::Found(witness) => {
                    assert!(expected, "seed {seed}, variant {variant}");
                    match witness.back_to {
                        Some(back) => {
                            assert_eq!(witness.states[back], witness.last());
                            let mut simulation = Simulation::new(system);
                            let mut round = (back..witness.steps.len()).map(|i| &witness.states[i]);
                            let is_fair =
                                variant & 1 == 0 || round.any(|state| simulation.holds(state, case.fair));
                            assert!(is_fair, "seed {seed}, variant {variant}");
                            loops += 1;
                            fair_loops += variant & 1;
                        }
                        None => ends += 1,
                    }
                }
                Lasso::NotWithin => {
                    assert!(!expected, "seed {seed}, variant {variant}");
                    unfair += i32::from(plain);
                }
                Lasso::Never(steps) => {
                    assert!(!expected, "seed {seed}, variant {variant}, never after {steps}");
                    never += 1;
                }
            }
        }
    }
    assert!(
        loops > 300 && ends > 100 && never > 300 && fair_loops > 300 && unfair > 50,
        "{loops} loops, {fair_loops} of them fair, {unfair} only others, {ends} ends, {never} never"
    );
}

/// Where executions through different states end, and no lasso was found by then, there is none; and they do end.
#[test]
fn a_search_for_lassos_has_an_end() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..SYSTEMS {
        let case = random(seed, 4);
        let (system, whole) = (&case.system, Whole::of(&case.system));
        let good = whole.states(system, case.good);
        let fair = if seed % 2 == 0 { vec![] } else { vec![case.fair] };
        let again = if fair.is_empty() { whole.all() } else { whole.states(system, case.fair) };
        let expected = whole.runs_avoiding(&good, &again);
        let question = LivenessQuestion { good: case.good, stuck: None, fair, pairs: vec![] };
        let mut bmc = Bmc::new(system);
        // No execution passes through more different states than there are.
        let ended = (0..=1 << system.latches.len()).any(|k| match bmc.lasso(&question, k).unwrap() {
            Lasso::Found(_) => {
                assert!(expected, "seed {seed}");
                found += 1;
                true
            }
            Lasso::Never(_) => true,
            Lasso::NotWithin if bmc.goes_on(&question, k).unwrap() => false,
            Lasso::NotWithin => {
                assert!(!expected, "seed {seed}: not found within {k} steps");
                none += 1;
                true
            }
        });
        assert!(ended, "seed {seed}");
    }
    assert!(found > 300 && none > 50, "{found} found, {none} times none");
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
        let depth = 2 << case.system.latches.len();
        let fair = if seed % 2 == 0 { vec![] } else { vec![case.fair] };
        let question = LivenessQuestion { good: case.good, stuck: None, fair, pairs: vec![] };
        let exact = length(&Bmc::new(&case.system).lasso(&question, depth).unwrap());
        let (mut bmc, mut k) = (Bmc::new(&case.system), 0);
        let faster = loop {
            // One step at a time, as callers do that report how deep they are.
            match bmc.lasso_now_and_then(&question, k).unwrap() {
                Lasso::NotWithin if k < 2 * depth => {}
                end => break end,
            }
            if exact.is_some_and(|(steps, _)| steps <= k) {
                let again = Bmc::new(&case.system).lasso(&question, k).unwrap();
                assert_eq!(length(&bmc.lasso(&question, k).unwrap()), length(&again), "seed {seed}");
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
