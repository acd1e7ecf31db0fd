//! Initial states: drawn by the law, also where assumptions refuse almost all of them.

use super::{State, exact, fits, flat};
use std::collections::BTreeMap;
use swarmcheck_ir::flat::Machine;
use swarmcheck_simulate::{Rng, Start, Starts};

fn check(text: &str, draws: u64) {
    let flat = flat(text);
    let mut machine = Machine::new(&flat);
    let blank = vec![0; flat.width()];
    let expected = exact::resolved(&mut |state, chooser| machine.initialise(&flat, state, chooser), &blank);
    assert!(expected.len() > 1);
    let starts = Starts::new(&flat).exact();
    let mut counted: BTreeMap<State, u64> = BTreeMap::new();
    for draw in 0..draws {
        match starts.draw(Rng::for_run(1, draw), &|| false) {
            Ok(Start::Ready(run)) => {
                assert!(run.is_uniform());
                *counted.entry(run.state().to_vec()).or_default() += 1;
            }
            _ => panic!("no initial state\n{text}"),
        }
    }
    fits(&expected, &counted, text);
}

#[test]
fn without_assumptions() {
    check("system { spawn = A: 2 } agent A { interface = x: 0..3; y: [1, 2]  Behavior = Nil }", 100_000);
}

#[test]
fn that_are_often_accepted() {
    check(
        "system { spawn = A: 3 } agent A { interface = x: 0..4  Behavior = Nil }
         assume { Some = exists A a, x of a = 3  Few = forall A a, forall A b, x of a <= x of b + 2 }",
        50_000,
    );
}

/// Of 7⁴ · 2⁴ ways to draw x and y, 35 · 2 are accepted, one of 549: so they are listed. z is drawn.
#[test]
fn that_are_hardly_ever_accepted() {
    check(
        "system { spawn = A: 4 } agent A { interface = x: 0..7; y: 0..2; z: 0..2  Behavior = Nil }
         assume { Rising = forall A a, forall A b, id of a >= id of b or x of a < x of b  Same = forall A a, forall A b, y of a = y of b }",
        100_000,
    );
}

/// An assumption that might be an error of the model is tested at the end, so whole states are listed.
#[test]
fn with_an_assumption_that_is_tested_late() {
    check(
        "system { environment = e[3]: 0..2  spawn = A: 5 } agent A { interface = x: 0..3  Behavior = Nil }
         assume { Marked = forall A a, e[x of a] = 1  Same = forall A a, forall A b, x of a = x of b }",
        50_000,
    );
}

/// One of 10¹² draws is accepted; there are too many to list, and a search does not draw by the law: that is said.
#[test]
fn hopeless_ones_are_told() {
    let text = "system { spawn = A: 1 } agent A { interface = x: 0..1000000000000  Behavior = Nil }
         assume { Seven = forall A a, x of a = 7000000 }";
    let flat = flat(text);
    match Starts::new(&flat).exact().draw(Rng::new(1), &|| false) {
        Ok(Start::Ready(run)) => assert!(!run.is_uniform()),
        _ => panic!("a search finds one"),
    }
    let none = "system { spawn = A: 4 } agent A { interface = x: 0..5  Behavior = Nil }
         assume { Never = forall A a, forall A b, a = b or x of a > x of b }";
    assert!(matches!(
        Starts::new(&super::flat(none)).exact().draw(Rng::new(1), &|| false),
        Ok(Start::Impossible)
    ));
}
