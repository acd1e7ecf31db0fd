//! Evidence can be checked again, and broken evidence is refused: proofs on the model, traces on the rules.

#![allow(clippy::disallowed_macros, reason = "says how much was compared")]

mod common;

use common::{EXAMPLES, ask, rows};
use std::sync::atomic::AtomicBool;
use swarmcheck_certify::Claim;
use swarmcheck_engine::certificate::Proof;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::{Fairness, Why};
use swarmcheck_session::Prepared;
use swarmcheck_session::certificate::{CertificateAnswer, CertificateData, check, read};
use swarmcheck_session::verify::{
    Answered, Budget, Control, Decider, Outcome, Reductions, VerifyOptions, Violation, verify,
};

/// What checking says about a certificate on the model it was made for.
fn checked(prepared: &Prepared, data: &CertificateData) -> Result<CertificateAnswer, String> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    match check(data, prepared.file.name(), prepared.file.text().as_bytes(), &control) {
        Ok(CertificateAnswer::Refused { why }) => Err(why),
        Ok(accepted) => Ok(accepted),
        Err(_) => Err("the model is refused".to_string()),
    }
}

/// The certificates that an engine gives, as they come out of a file, with the model.
fn certificates(engine: &str, few: bool) -> Vec<(Prepared, CertificateData)> {
    let engine = Decider::named(engine).unwrap();
    let ranges = Reductions { ranges: true, ..Reductions::NONE };
    let mut out = vec![];
    for (file, parameters) in EXAMPLES {
        for row in rows(file, parameters) {
            // Proofs about executions of the whole program take long; with reductions there are enough of them.
            let lasting = ["LeaderIs0", "ElectionSettles", "Distancing", "DistancingAgain", "MealsGoOn"];
            if row.verdict != "holds" || lasting.contains(&row.property.as_str()) {
                continue;
            }
            let reductions = if few { ranges } else { Reductions::ALL };
            let options = VerifyOptions { engine, reductions, depth: Some(8), ..VerifyOptions::default() };
            let answer = ask(&row.prepared, &row.property, options).remove(0);
            if answer.verdict() != Answered::Holds {
                assert_eq!(answer.verdict(), Answered::Unknown, "{}", row.line);
                continue;
            }
            let Some(data) = answer.certificate else { continue };
            let text = serde_json::to_string(&data).unwrap();
            out.push((row.prepared, read(&text).unwrap()));
        }
    }
    out
}

#[test]
fn every_certificate_is_accepted() {
    let mut kinds = [0, 0];
    for engine in ["kind", "ic3"] {
        for few in [false, true] {
            for (prepared, data) in certificates(engine, few) {
                let said = checked(&prepared, &data);
                let Ok(CertificateAnswer::Accepted { property, proofs, .. }) = &said else {
                    panic!("{} of {}: {said:?}", data.property.unwrap_or_default(), data.model)
                };
                assert_eq!((property, proofs.len()), (&data.property, data.certificate.proofs.len()));
                let clauses = matches!(data.certificate.proofs[0], Proof::Invariant { .. });
                kinds[usize::from(clauses)] += 1;
            }
        }
    }
    println!("{} inductions, {} invariants", kinds[0], kinds[1]);
    assert!(kinds.iter().all(|&n| n >= 6), "{kinds:?}");
}

/// What is known of a program when a formula is asked about differs between a race and a check. That must not change the bits
/// that a certificate is about.
#[test]
fn certificates_of_formulas_are_accepted() {
    let mut accepted = 0;
    for file in ["rcheck-buffer/buffer.rcp", "rcheck-commit/commit.rcp", "rcheck-store/store.rcp"] {
        let prepared = common::open(file, "", false);
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        for engine in ["kind", "ic3"].map(Decider::named) {
            for reductions in [Reductions::ALL, Reductions::NONE] {
                let engine = engine.unwrap();
                let options =
                    VerifyOptions { engine, reductions, depth: Some(6), ..VerifyOptions::default() };
                let Ok(report) = verify(&prepared, &options, &control) else { panic!("{file} is refused") };
                for data in report.answers.into_iter().filter_map(|answer| answer.certificate) {
                    let said = checked(&prepared, &data);
                    assert!(said.is_ok(), "{:?} of {file}: {said:?}", data.property);
                    accepted += 1;
                }
            }
        }
    }
    assert!(accepted >= 12, "{accepted}");
}

/// Certificates with one clause less, and with one literal turned round.
fn broken(data: &CertificateData) -> Vec<CertificateData> {
    let mut out = vec![];
    for (at, proof) in data.certificate.proofs.iter().enumerate() {
        let Proof::Invariant { clauses, .. } = proof else { continue };
        for number in 0..clauses.len() {
            let mut change = |how: &dyn Fn(&mut Vec<Vec<i64>>)| {
                let mut wrong = data.clone();
                if let Proof::Invariant { clauses, .. } = &mut wrong.certificate.proofs[at] {
                    how(clauses);
                }
                out.push(wrong);
            };
            change(&|clauses| {
                clauses.remove(number);
            });
            if !clauses[number].is_empty() {
                change(&|clauses| clauses[number][0] *= -1);
            }
        }
    }
    out
}

/// A weaker or different set of states may happen to be an invariant as well; `crates/symbolic` compares the check with
/// brute force. Here: some breakage is noticed in every invariant that needs its clauses, and what must not be accepted
/// never is.
#[test]
fn broken_invariants_are_refused() {
    let (mut tried, mut refused) = (0, 0);
    for (prepared, data) in certificates("ic3", true) {
        let Proof::Invariant { clauses, .. } = &data.certificate.proofs[0] else { continue };
        let count = clauses.len();
        // No state at all: the initial ones are missing.
        let mut empty = data.clone();
        empty.certificate.proofs = vec![Proof::Invariant { clauses: vec![vec![]], lemmas: vec![] }];
        empty.certificate.proofs.resize(data.certificate.proofs.len(), empty.certificate.proofs[0].clone());
        assert_eq!(checked(&prepared, &empty), Err("it does not hold at first".to_string()));
        // A literal that there is not, a proof too few, another name for a bit.
        let mut strange = data.clone();
        strange.certificate.proofs[0] = Proof::Invariant { clauses: vec![vec![1_000_000]], lemmas: vec![] };
        assert!(checked(&prepared, &strange).is_err());
        let mut none = data.clone();
        none.certificate.proofs.clear();
        assert!(checked(&prepared, &none).is_err());
        let mut renamed = data.clone();
        if let Some(name) = renamed.certificate.bits.first_mut() {
            name.push('?');
            assert!(checked(&prepared, &renamed).is_err());
        }
        let some: Vec<CertificateData> = broken(&data).into_iter().take(12).collect();
        let bad = some.iter().filter(|wrong| checked(&prepared, wrong).is_err()).count();
        assert!(count == 0 || bad > 0, "{:?} of {}: nothing was noticed", data.property, data.model);
        (tried, refused) = (tried + some.len(), refused + bad);
    }
    println!("{refused} of {tried} refused");
    assert!(refused >= 20, "{refused} of {tried}");
}

/// Whatever a certificate says, it cannot show what is not true.
#[test]
fn no_certificate_shows_what_is_violated() {
    let mut tried = 0;
    for (file, parameters) in EXAMPLES {
        let rows = rows(file, parameters);
        let holds = |engine| {
            let reductions = Reductions { ranges: true, ..Reductions::NONE };
            let engine = Decider::named(engine).unwrap();
            let row = rows.iter().find(|r| {
                ["HandsInRange", "OnTheLine", "Safe", "KnownLeader"].contains(&r.property.as_str())
            })?;
            let options = VerifyOptions { engine, reductions, ..VerifyOptions::default() };
            ask(&row.prepared, &row.property, options).remove(0).certificate
        };
        for data in ["ic3", "kind"].into_iter().filter_map(holds) {
            for row in rows.iter().filter(|r| r.verdict == "violated") {
                for mut wrong in broken(&data).into_iter().take(6).chain([*data.clone()]) {
                    wrong.property = Some(row.property.clone());
                    assert!(checked(&row.prepared, &wrong).is_err(), "{}", row.line);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried >= 10, "{tried}");
}

/// Whether a trace shows that a property is violated, on the rules of the language.
fn shows(prepared: &Prepared, data: &TraceData, claim: &Claim<'_>) -> bool {
    prepared.model.violated(&prepared.file, data, claim).is_ok()
}

/// The ways to break a trace. Cutting its end is one only where every step is needed: the counterexamples of the search
/// without reductions are the shortest, so one step less does not reach what they show; and what goes round for ever
/// needs its last step to come back.
fn damaged(trace: &TraceData) -> Vec<(&'static str, TraceData)> {
    let mut out = vec![];
    for at in 0..trace.steps.len() {
        for write in 0..trace.steps[at].writes.len() {
            let mut wrong = trace.clone();
            let value = &mut wrong.steps[at].writes[write].value;
            *value = value.map(|v| v + 1);
            out.push(("value", wrong));
        }
        let mut wrong = trace.clone();
        wrong.steps.remove(at);
        out.push(("step", wrong));
    }
    let mut wrong = trace.clone();
    if wrong.steps.pop().is_some() {
        out.push(("end", wrong));
    }
    out
}

#[test]
fn broken_traces_are_refused() {
    let mut refused = std::collections::BTreeMap::<&str, usize>::new();
    for (file, parameters) in EXAMPLES {
        for row in rows(file, parameters).into_iter().filter(|r| r.verdict == "violated") {
            let options = VerifyOptions {
                engine: Decider::Explicit,
                reductions: Reductions { ranges: true, ..Reductions::NONE },
                ..VerifyOptions::default()
            };
            let answer = ask(&row.prepared, &row.property, options).remove(0);
            // What is out of reach from a state is so from others, too, and a shorter execution may stop elsewhere.
            let Outcome::Violated { evidence: Violation::Trace { why, .. } } = answer.outcome else {
                panic!("{}: {}", row.line, answer.evidence())
            };
            if !matches!(why, Why::False | Why::Scope | Why::Loop) {
                continue;
            }
            let trace = answer.trace.unwrap().data;
            let property = Some(row.property.as_str());
            let claim = Claim {
                property,
                why,
                bound: None,
                ignore_deadlock: false,
                states: 1000,
                fairness: Fairness::None,
            };
            assert!(shows(&row.prepared, &trace, &claim), "{}", row.line);
            for (what, wrong) in damaged(&trace) {
                assert!(!shows(&row.prepared, &wrong, &claim), "{}: {what} went unnoticed", row.line);
                *refused.entry(what).or_default() += 1;
            }
        }
    }
    println!("{refused:?}");
    assert!(refused.len() == 3 && refused.values().all(|&n| n >= 4), "{refused:?}");
}
