//! The check of certificates against brute force: every state, every choice.

use std::sync::atomic::AtomicBool;
use swarmcheck_aig::{Lit, Simulation, System};
use swarmcheck_engine::certificate::{Certificate, Proof};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Reductions, Subject, Task};
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::{check as labs, lower, syntax};
use swarmcheck_proof::{check_certificate, needed};
use swarmcheck_source::Span;
use swarmcheck_symbolic::{Method, Symbolic};

fn flat(text: &str) -> Flat {
    let (tree, errors) = syntax::parse(text);
    assert!(!errors.has_errors(), "{:?}", errors.iter().collect::<Vec<_>>());
    let (model, errors) = labs::check(&tree, Span::new(text.len(), text.len()), &[]);
    let model = model.unwrap_or_else(|| panic!("{:?}", errors.iter().collect::<Vec<_>>()));
    let Ok(lowered) = lower::lower(&model, text, lower::Options::default()) else { panic!("too large") };
    Flat::new(lowered.program)
}

fn all(bits: usize) -> impl Iterator<Item = Vec<bool>> {
    assert!(bits <= 16, "{bits} bits are too many to try them all");
    (0..1u32 << bits).map(move |number| (0..bits).map(|bit| number >> bit & 1 != 0).collect())
}

/// Whether a set of states contains the starts, is kept by all steps, and has no bad state.
fn is_invariant((system, bad): &(System, Lit), clauses: &[Vec<i64>], lemmas: &[usize]) -> bool {
    let mut simulation = Simulation::new(system);
    let mut contains = |state: &[bool]| {
        let literal = |l: &i64| state[l.unsigned_abs() as usize - 1] == (*l > 0);
        clauses.iter().all(|clause| clause.iter().any(literal))
            && lemmas.iter().all(|&lemma| simulation.holds(state, system.lemmas[lemma]))
    };
    let inside: Vec<Vec<bool>> = all(system.latches.len()).filter(|state| contains(state)).collect();
    let mut simulation = Simulation::new(system);
    let starts = all(system.start_inputs.len()).filter_map(|choice| simulation.start(&choice));
    if !starts.collect::<Vec<_>>().iter().all(|state| contains(state)) {
        return false;
    }
    let mut simulation = Simulation::new(system);
    if inside.iter().any(|state| simulation.holds(state, *bad)) {
        return false;
    }
    inside.iter().all(|state| {
        let after: Vec<_> =
            all(system.inputs.len()).filter_map(|choice| simulation.step(state, &choice)).collect();
        after.iter().all(|next| contains(next))
    })
}

/// Every certificate that has one clause less, one literal less, or one literal turned round.
fn mutants(certificate: &Certificate) -> Vec<Certificate> {
    let mut out = vec![];
    for (at, proof) in certificate.proofs.iter().enumerate() {
        let Proof::Invariant { clauses, lemmas } = proof else { continue };
        let mut add = |clauses: Vec<Vec<i64>>| {
            let mut changed = certificate.clone();
            changed.proofs[at] = Proof::Invariant { clauses, lemmas: lemmas.clone() };
            out.push(changed);
        };
        for number in 0..clauses.len() {
            let mut fewer = clauses.clone();
            fewer.remove(number);
            add(fewer);
            for literal in 0..clauses[number].len() {
                let mut turned = clauses.clone();
                turned[number][literal] *= -1;
                add(turned);
                let mut shorter = clauses.clone();
                shorter[number].remove(literal);
                add(shorter);
            }
        }
        add(vec![]);
    }
    out
}

/// Compares the check of a certificate and of its mutants with brute force: how many are right and how many wrong.
fn compare(text: &str) -> [usize; 2] {
    let flat = flat(text);
    let mut task = Task::new(&flat);
    task.reductions = Reductions { ranges: true, ..Reductions::NONE };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let subject = Subject::Property(0);
    let found = Symbolic::new(Method::Ic3).run(&task, &control).remove(0);
    let certificate = found.certificate.unwrap_or_else(|| panic!("{:?}", found.verdict));
    assert!(check_certificate(&task, subject, &certificate, &control).is_ok());
    let mut counts = [0, 0];
    for mutant in mutants(&certificate).into_iter().chain([*certificate]) {
        let obligations = needed(&task, subject, &mutant, &control).unwrap();
        let right = obligations.iter().zip(&mutant.proofs).all(|(obligation, proof)| match proof {
            Proof::Invariant { clauses, lemmas } => is_invariant(obligation, clauses, lemmas),
            other => panic!("invariants only: {other:?}"),
        });
        assert_eq!(
            check_certificate(&task, subject, &mutant, &control).is_ok(),
            right,
            "{:?}",
            mutant.proofs
        );
        counts[usize::from(!right)] += 1;
    }
    counts
}

/// The number is always even, which the property does not say: from 1 a step leads to 3.
#[test]
fn a_number_that_stays_even() {
    let [_, wrong] = compare(
        "system { spawn = A: 1 }
         agent A { interface = x: 0 Behavior = x <- (x + 2) % 6; Behavior }
         check { P = always forall A a, x of a != 3 }",
    );
    assert!(wrong >= 3, "{wrong}");
}

/// Whoever has the turn works, and gives it away afterwards: that only one works rests on whose turn it is.
#[test]
fn only_one_works() {
    let [_, wrong] = compare(
        "system { environment = turn: 0 spawn = A: 2 }
         agent A { interface = busy: 0 Behavior = (turn = id -> busy <- 1); { busy <- 0; turn <-- 1 - id }; Behavior }
         check { P = always exists A a, busy of a = 0 }",
    );
    assert!(wrong >= 3, "{wrong}");
}

/// A question about executions that go on for ever has a copy of the state to compare with.
#[test]
fn a_number_that_grows() {
    let [_, wrong] = compare(
        "system { spawn = A: 1 }
         agent A { interface = x: 0 Behavior = x < 3 -> x <- x + 1; Behavior }
         check { P = eventually forall A a, x of a = 3 }",
    );
    assert!(wrong >= 3, "{wrong}");
}
