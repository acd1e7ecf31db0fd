//! Proofs over integers that were changed at one place: what is accepted must stand brute force.

use crate::asking::{there, with};
use crate::brute::{asked, bounded, look, variables};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::certificate::Proof;
use swarmcheck_engine::{Budget, Control, SolverName};
use swarmcheck_session::Prepared;
use swarmcheck_session::certificate::{CertificateAnswer, CertificateData, check};
use swarmcheck_smt::formula::Formula;
use swarmcheck_smt::text::Variable;
use swarmcheck_testkit::long;
use swarmcheck_testkit::solvers::Offering;

#[derive(Default, Debug)]
struct Tally {
    proofs: usize,
    mutants: usize,
    refused: usize,
    /// Accepted, and every state within the ranges was looked at.
    accepted: usize,
    /// Accepted with an induction over different states, whose last step is not looked at.
    partly: usize,
}

/// Terms that differ from this one at one place: another number, operator or variable, or a part less.
fn changed(term: &str, variables: &[Variable]) -> Vec<String> {
    let mut out = vec![];
    // Names stand between bars and may contain everything else.
    let mut pieces: Vec<(usize, &str)> = vec![];
    let mut at = 0;
    for (number, piece) in term.split('|').enumerate() {
        if number % 2 == 0 {
            let words = piece.split_inclusive([' ', '(', ')']);
            let mut within = at;
            for word in words {
                pieces.push((within, word.trim_end_matches([' ', '(', ')'])));
                within += word.len();
            }
        } else {
            pieces.push((at - 1, &term[at - 1..at + piece.len() + 1]));
        }
        at += piece.len() + 1;
    }
    for (at, word) in pieces.into_iter().filter(|(_, word)| !word.is_empty()) {
        let mut put = |other: &str| out.push(format!("{}{other}{}", &term[..at], &term[at + word.len()..]));
        if let Ok(number) = word.parse::<i64>() {
            for other in [number + 1, number - 1, number + 3] {
                // Negative numbers are calls.
                if other >= 0 {
                    put(&other.to_string());
                } else {
                    put(&format!("(- {})", -other));
                }
            }
        }
        if ["<=", "<", ">=", ">", "="].contains(&word) {
            ["<=", "<", ">=", ">", "="].iter().filter(|other| **other != word).for_each(|other| put(other));
        }
        if word == "and" || word == "or" {
            put(if word == "and" { "or" } else { "and" });
        }
        if word == "+" || word == "-" {
            put(if word == "+" { "-" } else { "+" });
        }
        if let Some(own) = word.strip_prefix('|').and_then(|name| name.strip_suffix('|')) {
            let sort = |name: &str| variables.iter().find(|v| v.name == name).map(|v| v.sort);
            let others = variables.iter().filter(|v| v.name != own && Some(v.sort) == sort(own));
            others.for_each(|other| put(&format!("|{}|", other.name)));
        }
    }
    out
}

/// The same term and a bound on a variable or on a sum.
fn stronger(term: &str, variables: &[Variable]) -> Vec<String> {
    let numbers = || variables.iter().filter(|v| v.sort == "Int").map(|v| format!("|{}|", v.name));
    let mut values: Vec<String> = numbers().collect();
    for (number, one) in numbers().enumerate() {
        values.extend(
            numbers()
                .take(number)
                .flat_map(|other| [format!("(+ {one} {other})"), format!("(- {one} {other})")]),
        );
    }
    let bounds = ["(- 1)", "0", "1", "3", "8"].iter().flat_map(|bound| {
        values.iter().flat_map(move |value| ["<=", ">=", "="].map(|op| format!("({op} {value} {bound})")))
    });
    bounds.map(|bound| format!("(and {term} {bound})")).collect()
}

/// Proofs that differ from this one at one place, or at two.
fn mutants(data: &CertificateData, twice: bool) -> Vec<CertificateData> {
    let [Proof::Integers { invariant, states, distinct, .. }] = &data.certificate.proofs[..] else {
        panic!("one proof was expected")
    };
    let variables = variables(data);
    let read = |text: &str| Formula::read(text, &variables).ok();
    let own = read(invariant).expect("it was written by the engine");
    let mut texts = changed(invariant, &variables);
    texts.extend(stronger(invariant, &variables));
    if twice {
        let again: Vec<String> = texts.iter().flat_map(|text| changed(text, &variables)).collect();
        texts.extend(again);
    }
    let mut formulas: Vec<Formula> = texts.iter().filter_map(|text| read(text)).collect();
    let parts = own.parts();
    for left in 0..parts.len() {
        let others = parts.iter().enumerate().filter(|(at, _)| *at != left).map(|(_, part)| part.clone());
        formulas.push(Formula::all(&others.collect::<Vec<_>>()));
    }
    let mut out: Vec<CertificateData> = vec![];
    let mut add = |formula: &Formula, count: u32, different: bool| {
        let mut mutant = data.clone();
        let [Proof::Integers { invariant, words, states, distinct, .. }] = &mut mutant.certificate.proofs[..]
        else {
            return;
        };
        (*invariant, *words) = (formula.text(""), formula.list());
        (*states, *distinct) = (count, different);
        if out.iter().chain([data]).all(|other| other.certificate != mutant.certificate) {
            out.push(mutant);
        }
    };
    formulas.iter().for_each(|formula| add(formula, *states, *distinct));
    for count in [0, 1, 2, states + 1, states + 3] {
        add(&own, count, false);
        add(&Formula::truth(), count, false);
    }
    out
}

fn judge(prepared: &Prepared, text: &str, mutant: &CertificateData, tally: &mut Tally) -> Result<(), String> {
    let offering = Offering::new(&[SolverName::Z3]);
    let answer = long::within(20, |stop: &AtomicBool| {
        check(
            mutant,
            &mutant.model,
            text.as_bytes(),
            &Control { stop, budget: Budget::default(), progress: &offering },
        )
    });
    tally.mutants += 1;
    match answer {
        Ok(CertificateAnswer::Accepted { .. }) => {
            let different =
                |proof: &Proof| matches!(proof, Proof::Integers { distinct: true, states: 1.., .. });
            let partly = mutant.certificate.proofs.iter().any(different);
            *if partly { &mut tally.partly } else { &mut tally.accepted } += 1;
            look(prepared, mutant).map(|_| ())
        }
        Ok(_) => {
            tally.refused += 1;
            Ok(())
        }
        Err(_) => Err("the model is refused".to_string()),
    }
}

/// At most so many mutants of each proof.
fn compare(each: usize, twice: bool, more: std::ops::Range<u32>) -> Tally {
    let mut tally = Tally::default();
    for (name, text, properties) in more.flat_map(bounded) {
        let (prepared, options) = asked(name, &text, &properties);
        for answer in with(&prepared, &options, &[SolverName::Z3], 120) {
            let data = answer.certificate.as_ref().unwrap_or_else(|| panic!("{name}: {}", answer.evidence()));
            tally.proofs += 1;
            let mutants = mutants(data, twice);
            for mutant in mutants.iter().step_by(mutants.len().div_ceil(each).max(1)) {
                if let Err(why) = judge(&prepared, &text, mutant, &mut tally) {
                    panic!("{name}, {}: ACCEPTED, but {why}: {:?}", answer.name, mutant.certificate.proofs);
                }
            }
        }
    }
    tally
}

#[test]
fn changed_proofs_are_refused_or_stand_brute_force() {
    if !there(&[SolverName::Z3]) {
        return;
    }
    let tally = compare(25, false, 0..1);
    println!("{tally:?}");
    assert!(tally.refused >= 30 && tally.accepted >= 15 && tally.proofs >= 9, "{tally:?}");
}

/// `cargo test --release -p swarmcheck-testkit --test integers -- --ignored many_changed_proofs --nocapture`
#[test]
#[ignore = "takes minutes: a thousand changed proofs"]
fn many_changed_proofs_are_refused_or_stand_brute_force() {
    if !there(&[SolverName::Z3]) {
        return;
    }
    let tally = compare(60, true, 0..6);
    println!("{tally:?}");
    assert!(tally.mutants >= 1000, "{tally:?}");
}
