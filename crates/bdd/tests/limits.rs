//! Limits of time and memory, systems with many latches, and large numbers of states.

use std::sync::atomic::AtomicBool;
use swarmcheck_aig::{Action, Latch, Lit, Steps, System};
use swarmcheck_bdd::{Failure, Limits, Model, reach};

/// Bits that are set one by one, in any order, each by its own action or all by one.
fn independent(bits: usize) -> (System, Steps) {
    let mut system = System::default();
    let mut steps = Steps { open: Lit::TRUE, actions: vec![] };
    for number in 0..bits {
        let (variable, input) = (system.graph.variable(), system.graph.variable());
        let next = system.graph.or(variable, input);
        system.latches.push(Latch { variable, start: Lit::FALSE, next });
        system.inputs.push(input);
        steps.actions.push(Action { guard: !variable, writes: vec![(number, Lit::TRUE)] });
    }
    (system, steps)
}

/// `n` bits that are free have 2ⁿ states; the farthest is `n` steps away, and its distance is found ring by ring.
#[test]
fn many_states_are_counted() {
    for (bits, expected) in [(10, 1 << 10), (63, 1 << 63), (64, u64::MAX), (200, u64::MAX)] {
        let (system, steps) = independent(bits);
        let model = Model::new(&system, &steps, Limits::default()).unwrap();
        let all = reach::reachable(&model, &model.space.constant(false)).unwrap();
        assert_eq!(model.count(&all), expected);
        assert!(all.is_everything() || bits > 0 && model.pick(&all).is_some());
    }
    let (system, steps) = independent(10);
    let model = Model::new(&system, &steps, Limits::default()).unwrap();
    let last = model.single(&[true; 10]).unwrap();
    assert_eq!(reach::rings(&model, &last, usize::MAX).unwrap().rings.len(), 11);
}

/// A sum of products whose factors are far apart has a diagram with a node for every subset of the first factors. No step
/// changes anything here, so nothing brings the factors together.
fn tangled(pairs: usize) -> (System, Lit) {
    let mut system = System::default();
    let state: Vec<Lit> = (0..2 * pairs).map(|_| system.graph.variable()).collect();
    let products: Vec<Lit> = (0..pairs).map(|i| system.graph.and(state[i], state[i + pairs])).collect();
    let sum = products.iter().fold(Lit::FALSE, |sum, &p| system.graph.xor(sum, p));
    for &variable in &state {
        system.latches.push(Latch { variable, start: Lit::FALSE, next: variable });
    }
    (system, sum)
}

#[test]
fn a_full_table_is_told() {
    let (system, sum) = tangled(24);
    let limits = Limits { memory: Some(4 << 20), ..Limits::default() };
    let model = Model::new(&system, &Steps::of(&system), limits).unwrap();
    assert_eq!(model.states(sum).err(), Some(Failure::Memory));
    // The model is still there: small sets fit.
    assert_eq!(model.count(&model.initial), 1);
    // No limit is too small to be told.
    let limits = Limits { memory: Some(1), ..Limits::default() };
    let model = Model::new(&system, &Steps::of(&system), limits);
    assert!(model.is_ok_and(|model| model.states(sum).err() == Some(Failure::Memory)));
}

#[test]
fn a_search_that_is_told_to_stop_stops() {
    let stop = AtomicBool::new(false);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    let (system, steps) = independent(5);
    let model = Model::new(&system, &steps, limits).unwrap();
    let nothing = model.space.constant(false);
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(reach::reachable(&model, &nothing).err(), Some(Failure::Interrupted));
    assert_eq!(Model::new(&system, &steps, limits).err(), Some(Failure::Interrupted));
}

/// A row of bits that are set in order: the stack lasts, or the system is refused.
#[test]
fn long_rows_do_not_exhaust_the_stack() {
    for (bits, fits) in [(2900, true), (4000, false)] {
        let mut system = System::default();
        let state: Vec<Lit> = (0..bits).map(|_| system.graph.variable()).collect();
        let mut before = Lit::TRUE;
        for &variable in &state {
            system.latches.push(Latch { variable, start: Lit::FALSE, next: before });
            before = variable;
        }
        let model = Model::new(&system, &Steps::of(&system), Limits::default());
        match model {
            Ok(model) => {
                assert!(fits);
                let after = model.image(&model.initial).unwrap();
                let mut expected = vec![false; bits];
                expected[0] = true;
                assert_eq!(model.pick(&after), Some(expected));
                assert_eq!(model.count(&after), 1);
                let before = model.preimage(&after).unwrap();
                // The last bit is forgotten by a step, so it may have been anything.
                assert_eq!(model.count(&before), 2);
            }
            Err(failure) => assert_eq!((failure, fits), (Failure::TooLarge, false)),
        }
    }
}
