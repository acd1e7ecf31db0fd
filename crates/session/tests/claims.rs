//! Certificates that were made to claim something else: each is refused, or what it claims is true all the same.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "stops a check after a while")]

mod common;

use common::{ask, limited, text};
use std::time::{Duration, Instant};
use swarmcheck_engine::Fairness;
use swarmcheck_engine::certificate::{Proof, StatesProof};
use swarmcheck_session::Prepared;
use swarmcheck_session::certificate::{CertificateAnswer, CertificateData, check, read};
use swarmcheck_session::verify::{Answered, VerifyOptions};

/// The certificate of a property.
fn proved(prepared: &Prepared, property: &str) -> CertificateData {
    let options = VerifyOptions { certify: true, ..VerifyOptions::default() };
    let answer = ask(prepared, property, options).into_iter().next().unwrap();
    assert_eq!(answer.verdict(), Answered::Holds, "{}", answer.evidence());
    *answer.certificate.expect("a certificate")
}

/// Why it is refused; nothing if it is accepted. Somebody wants to stop after a while.
fn refused(prepared: &Prepared, data: &CertificateData, patience: Duration) -> Option<String> {
    let (name, text) = (prepared.file.name(), prepared.file.text().as_bytes());
    let answer = limited(patience, |control| check(data, name, text, control));
    match answer {
        Ok(CertificateAnswer::Refused { why }) => Some(why),
        Ok(CertificateAnswer::Accepted { .. }) => None,
        Err(_) => panic!("the model is refused"),
    }
}

const LONG: Duration = Duration::from_secs(60);

const TALK: &str = "proc P = a.b.P
proc Q = 'd.c.Q
system = (P | Q) \\ d
check { Pos = possibly c  L = ltl G not c  E = ltl G (c -> c)  Some = possibly b }
";

/// The program has the negation of what is possible: a proof of that is about the opposite claim.
#[test]
fn what_is_possible_is_not_proved_by_the_proof_of_its_negation() {
    let prepared = text("talk.ccs", TALK, "", false);
    let data = proved(&prepared, "L");
    assert_eq!(refused(&prepared, &data, LONG), None);
    for name in ["Pos", "Some"] {
        let relabelled = CertificateData { property: Some(name.to_string()), ..data.clone() };
        let why = refused(&prepared, &relabelled, LONG).expect("it is refused");
        assert!(why.contains("possible"), "{why}");
    }
}

/// Where steps belong to no single agent, and under round-robin, `verify` refuses to ask about fair executions; so does the check.
#[test]
fn fairness_that_cannot_be_asked_about_is_refused() {
    let prepared = text("talk.ccs", TALK, "", false);
    let data = proved(&prepared, "E");
    let turns = "system { spawn = A: 2 } agent A { interface = x: 0 Behavior = x <- 1 - x; Behavior }
check { Bit = always forall A a, x of a <= 1 }
";
    let robin = text("turns.labs", turns, "", true);
    let by_turns = proved(&robin, "Bit");
    for fairness in [Fairness::Weak, Fairness::Strong] {
        for (prepared, data) in [(&prepared, &data), (&robin, &by_turns)] {
            assert_eq!(refused(prepared, data, LONG), None);
            let fair = CertificateData { fairness, ..data.clone() };
            assert!(refused(prepared, &fair, LONG).is_some(), "{fairness:?} of {}", data.model);
        }
    }
    // Without round-robin the same claim can be asked about, and is true.
    let free = text("turns.labs", turns, "", false);
    let data = CertificateData { fairness: Fairness::Weak, ..proved(&free, "Bit") };
    assert_eq!(refused(&free, &data, LONG), None);
}

/// The listed state has 2⁴⁰ choices, and none of them leads to a step. Whoever wants to stop need not wait for all of them.
#[test]
fn choices_without_a_step_can_be_interrupted() {
    let model = "system { environment = n: 0 spawn = A: 1 }
agent A {
  interface = x: 0; y: 0
  Behavior = (n = 1 -> { x <- [0..y]; x <- x / n * (1 / (n - 1)) }; Behavior) ++ (y <- 0; Behavior)
}
check { P = always forall A a, y of a != 9 }
";
    let prepared = text("big.labs", model, "", false);
    let data = proved(&prepared, "P");
    assert_eq!(refused(&prepared, &data, LONG), None);
    // The two reachable states, and one with n = 1 and y = 2⁴⁰.
    let nodes = vec![
        vec![],
        vec![(0, 0)],
        vec![(1, 1)],
        vec![(0, 2)],
        vec![(0, 3)],
        vec![(0, 2), (1 << 40, 2)],
        vec![(0, 5)],
        vec![(0, 4), (1, 6)],
        vec![(0, 7)],
    ];
    let mut large = data;
    large.certificate.proofs = vec![Proof::States(StatesProof { steps: None, states: 3, nodes })];
    let began = Instant::now();
    let why = refused(&prepared, &large, Duration::from_millis(300));
    assert_eq!(why.as_deref(), Some("interrupted"));
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

/// Inductions of any length would be written out as formulas.
#[test]
fn endless_inductions_are_refused() {
    let prepared = text("talk.ccs", TALK, "", false);
    let mut data = proved(&prepared, "L");
    data.certificate.proofs =
        vec![Proof::Induction { states: 1_000_000_000, distinct: false, lemmas: vec![] }];
    assert!(refused(&prepared, &data, LONG).is_some());
}

/// Leaving out which property a certificate is about does not make it one about deadlocks.
#[test]
fn a_certificate_names_its_property() {
    let prepared = text("talk.ccs", TALK, "", false);
    let data = serde_json::to_value(proved(&prepared, "L")).unwrap();
    assert!(read(&data.to_string()).is_ok());
    let mut without = data;
    without.as_object_mut().unwrap().remove("property");
    assert!(read(&without.to_string()).is_err());
}
