//! The engine `smt`: infinite-state properties with an argument for each, with Z3 alone, with cvc5 alone and with both; what is
//! refused by name; certificates, also damaged ones.

use crate::asking::{answers, there, with};
use crate::properties::{LASTING, MODELS};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::certificate::Proof;
use swarmcheck_engine::{Budget, Control, Fairness, Note, SolverName};
use swarmcheck_session::certificate::{CertificateAnswer, CertificateData, check};
use swarmcheck_session::verify::{Answered, Decider, VerifyOptions};
use swarmcheck_session::{ModelOptions, Prepared, prepare, words};
use swarmcheck_testkit::solvers::Offering;

const BOTH: &[SolverName] = &SolverName::ALL;

fn opened(name: &str, text: &str) -> Prepared {
    prepare(name, text.as_bytes(), ModelOptions::default())
        .unwrap_or_else(|trouble| panic!("{name}: {}", words::refusal(&trouble.into())))
}

/// How many of the claims hold, are violated and stay open with these solvers. None may be wrong.
fn decided(names: &[SolverName], seconds: u64) -> [usize; 3] {
    let mut seen = [0, 0, 0];
    for (name, text, claims) in MODELS.iter().chain(LASTING) {
        let prepared = opened(name, text);
        for (property, holds, why) in *claims {
            let all = answers(&prepared, &[property], names, seconds);
            let [answer] = &all[..] else { panic!("{name}, {property}: one answer was expected") };
            let found = answer.evidence();
            match answer.verdict() {
                Answered::Holds => assert!(holds, "{name}, {property}: {found}, but {why}"),
                Answered::Violated => assert!(!holds, "{name}, {property}: {found}, but {why}"),
                Answered::ModelError => panic!("{name}, {property}: {found}"),
                Answered::Unknown => {
                    assert!(
                        !answer.reason().is_some_and(swarmcheck_session::Reason::is_bug),
                        "{name}, {property}: {found}"
                    );
                    println!("{name}, {property}: {found}");
                }
            }
            let at = match answer.verdict() {
                Answered::Holds => 0,
                Answered::Violated => 1,
                _ => 2,
            };
            seen[at] += 1;
        }
    }
    println!("{names:?}: {seen:?}");
    seen
}

#[test]
fn both_solvers_decide_what_is_argued() {
    if there(BOTH) {
        let [holds, violated, open] = decided(BOTH, 30);
        assert!(holds >= 12 && violated >= 8 && open == 0, "{holds} {violated} {open}");
    }
}

#[test]
fn z3_alone_decides_what_is_argued() {
    if there(&[SolverName::Z3]) {
        let [holds, violated, open] = decided(&[SolverName::Z3], 30);
        assert!(holds >= 12 && violated >= 8 && open == 0, "{holds} {violated} {open}");
    }
}

/// cvc5 finds no invariants of Horn clauses: what needs one stays open. Counterexamples are found all the same, and inductions.
#[test]
fn cvc5_alone_refutes_all_and_proves_much() {
    if there(&[SolverName::Cvc5]) {
        let [holds, violated, open] = decided(&[SolverName::Cvc5], 6);
        assert!(holds >= 10 && violated >= 8 && open <= 8, "{holds} {violated} {open}");
    }
}

#[test]
fn without_solvers_the_answer_says_what_would_help() {
    let (name, text, _) = MODELS[0];
    let prepared = opened(name, text);
    for answer in answers(&prepared, &[], &[], 5) {
        assert_eq!(answer.verdict(), Answered::Unknown);
        assert!(answer.notes.contains(&Note::NoSolver), "{:?}", answer.notes);
    }
}

/// In the race, the engine answers what others cannot: they would have to visit infinitely many states.
#[test]
fn the_race_is_won_where_numbers_have_no_range() {
    if !there(&[SolverName::Z3]) {
        return;
    }
    let (name, text, _) = MODELS[0];
    let properties = vec!["Double".to_string()];
    let options = VerifyOptions { properties, ..VerifyOptions::default() };
    let all = with(&opened(name, text), &options, &[SolverName::Z3], 60);
    assert_eq!((all[0].verdict(), all[0].engine.as_deref()), (Answered::Holds, Some("smt")));
}

/// A number that doubles needs more than 64 bits after 63 steps. Integers are mathematical, so that is no error of the model where
/// a solver can tell.
#[test]
fn numbers_may_need_more_than_64_bits() {
    if !there(&[SolverName::Z3]) {
        return;
    }
    let text = "system { spawn = C: 1 }
agent C { interface = n: 1; m: 2  Behavior = n, m <- n + n, m + m; Behavior }
check { Twice = always forall C c, m of c = 2 * n of c }
";
    let prepared = opened("double.labs", text);
    let options = VerifyOptions::default();
    let all = with(&prepared, &options, &[SolverName::Z3], 60);
    assert_eq!((all[0].verdict(), all[0].engine.as_deref()), (Answered::Holds, Some("smt")));
    let all = with(&prepared, &options, &[], 60);
    assert_eq!(all[0].verdict(), Answered::ModelError, "{}", all[0].evidence());
}

#[test]
fn what_is_not_linear_is_refused_by_name() {
    if !there(&[SolverName::Z3]) {
        return;
    }
    for (process, reason) in [
        ("n, m <- n * m, m + 1", "a product of two variables is not linear"),
        ("n, m <- n / m, m + 1", "a division by something that is not a constant is not linear"),
    ] {
        let text = format!(
            "system {{ spawn = C: 1 }}\nagent C {{ interface = n: 1; m: 1  Behavior = {process}; Behavior }}\n\
             check {{ P = always forall C c, n of c + m of c != 7 }}\n"
        );
        let all = answers(&opened("refused.labs", &text), &[], &[SolverName::Z3], 20);
        assert!(all[0].evidence().contains(reason), "{}", all[0].evidence());
    }
    let text = "system { environment = a[3]: 0; n: 0  spawn = C: 1 }
agent C { interface = x: 0  Behavior = a[n] <-- 1; n <-- n + 1; Behavior }
check { P = always a[0] >= 0 and n >= 0 and a[1] < 7 }
";
    let all = answers(&opened("index.labs", text), &[], &[SolverName::Z3], 20);
    assert!(all[0].evidence().contains("may be an error of the model"), "{}", all[0].evidence());
}

/// Certificates of a model, with all solvers.
fn certificates(name: &str, text: &str) -> Vec<CertificateData> {
    let found = answers(&opened(name, text), &[], BOTH, 60);
    found.into_iter().filter_map(|answer| answer.certificate).map(|data| *data).collect()
}

fn verdict(data: &CertificateData, text: &str, names: &[SolverName]) -> CertificateAnswer {
    let stop = AtomicBool::new(false);
    let offering = Offering::new(names);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &offering };
    check(data, &data.model, text.as_bytes(), &control)
        .unwrap_or_else(|trouble| panic!("{}", words::refusal(&trouble.into())))
}

#[test]
fn certificates_are_checked_and_damaged_ones_are_refused() {
    if !there(BOTH) {
        return;
    }
    let (mut accepted, mut refused) = (0, 0);
    for (name, text, _) in MODELS.iter().chain(LASTING).take(6) {
        for data in certificates(name, text) {
            for names in [BOTH, &BOTH[..1], &BOTH[1..]] {
                let answer = verdict(&data, text, names);
                assert!(matches!(answer, CertificateAnswer::Accepted { .. }), "{name}: {answer:?}");
                accepted += 1;
            }
            let [Proof::Integers { states: before, .. }] = &data.certificate.proofs[..] else {
                panic!("one proof was expected")
            };
            // Nothing that says so little, or something wrong, is a proof; and nothing else than a condition is read.
            let holds_by_itself = verdict(&damaged(&data, "true", 0), text, BOTH);
            let trivial = matches!(holds_by_itself, CertificateAnswer::Accepted { .. });
            assert!(!trivial || *before == 0, "{name}: {data:?}");
            let mut worse = vec![
                damaged(&data, "false", 0),
                damaged(&data, "(exit)", 0),
                damaged(&data, "true) (check-sat", 0),
            ];
            let variable = data.certificate.bits.iter().find(|name| !name.ends_with("is defined"));
            worse.extend(variable.map(|name| damaged(&data, &format!("(= |{name}| 77)"), 0)));
            for damaged in &worse {
                let answer = verdict(damaged, text, BOTH);
                assert!(matches!(answer, CertificateAnswer::Refused { .. }), "{name}: {answer:?}");
                refused += 1;
            }
            let mut lying = data.clone();
            let [Proof::Integers { words, .. }] = &mut lying.certificate.proofs[..] else {
                panic!("one proof")
            };
            words.push("everything is fine".to_string());
            assert!(matches!(verdict(&lying, text, BOTH), CertificateAnswer::Refused { .. }));
            let mut other = data.clone();
            other.certificate.bits.push("something else".to_string());
            assert!(matches!(verdict(&other, text, BOTH), CertificateAnswer::Refused { .. }));
        }
    }
    assert!(accepted >= 30 && refused >= 30, "{accepted} {refused}");
}

/// An invariant that is not one for another model is refused: there m grows by 3.
#[test]
fn a_proof_of_another_model_is_refused() {
    if !there(BOTH) {
        return;
    }
    let (name, text, _) = MODELS[0];
    let other = text.replace("m + 2", "m + 3");
    let mut seen = 0;
    for data in certificates(name, text) {
        if data.property.as_deref() == Some("Double") {
            assert!(matches!(verdict(&data, &other, BOTH), CertificateAnswer::Refused { .. }));
            seen += 1;
        }
    }
    assert_eq!(seen, 1);
}

fn damaged(data: &CertificateData, to: &str, count: u32) -> CertificateData {
    let mut out = data.clone();
    for proof in &mut out.certificate.proofs {
        if let Proof::Integers { invariant, words, states, distinct, .. } = proof {
            *invariant = to.to_string();
            *states = count;
            *distinct = false;
            *words = if to == "true" { vec![] } else { words.clone() };
        }
    }
    out
}

/// The explicit engine and cross-checks know the same properties where numbers have a range.
#[test]
fn a_cross_check_agrees() {
    if !there(&[SolverName::Z3]) {
        return;
    }
    let (name, text, _) = MODELS[1];
    let bounded = text
        .replace("got < put ->", "got < put and put < 6 ->")
        .replace("put - got < 3", "put - got < 3 and put < 6");
    for engine in [Decider::Explicit, Decider::Smt] {
        let options = VerifyOptions { engine, ..VerifyOptions::default() };
        let all = with(&opened(name, &bounded), &options, &[SolverName::Z3], 60);
        let verdicts: Vec<Answered> = all.iter().map(|answer| answer.verdict()).collect();
        assert_eq!(verdicts, [Answered::Holds, Answered::Holds, Answered::Violated], "{engine:?}");
    }
}

/// x is 0, 1, 0, 1, ... for ever, and never 5. z grows, so that numbers have no range.
const LOOP: &str = "system { spawn = A: 1 }
agent A {
  interface = x: 0; y: 1; z: 0
  Behavior = { x <- x + y; y <- 0 - y; z <- z }; Behavior
}
check {
  Five = eventually exists A a, x of a = 5
  One = eventually exists A a, x of a = 1
  Again = ltl G F exists A a, x of a = 5
}
";

/// The path to many rounds comes to the same state of the program many times: a proof must not assume that it does not.
#[test]
fn an_induction_over_different_states_does_not_exclude_loops() {
    if !there(BOTH) {
        return;
    }
    let data = certificates("loop.labs", LOOP);
    let [one] = &data[..] else { panic!("only One holds: {data:?}") };
    assert_eq!(one.property.as_deref(), Some("One"));
    let mut refused = 0;
    for (states, most) in [(2, 1), (3, 1), (3, 5), (6, 9), (9, 2)] {
        let mut forged = CertificateData { property: Some("Five".to_string()), ..one.clone() };
        forged = damaged(&forged, "true", states);
        let [Proof::Integers { distinct, rounds, .. }] = &mut forged.certificate.proofs[..] else {
            panic!("one proof was expected")
        };
        (*distinct, *rounds) = (true, Some(most));
        for names in [BOTH, &BOTH[..1], &BOTH[1..]] {
            let answer = verdict(&forged, LOOP, names);
            let CertificateAnswer::Refused { why } = &answer else { panic!("{states}, {most}: {answer:?}") };
            assert!(why.contains("bad state"), "{why}");
            refused += 1;
        }
    }
    assert_eq!(refused, 15);
}

/// p is 0, or says which A has moved last. Two of them in a row reach the end, and B can always move in between: a fair execution that
/// never ends, and that comes to p = 0 once for each A. Before it does so, every simple path has ended.
#[test]
fn fair_loops_that_are_longer_than_simple_paths_are_not_proved_away() {
    if !there(BOTH) {
        return;
    }
    for agents in [2, 4, 7] {
        let text = format!(
            "system {{ spawn = A: {agents}, B: 1  environment = p: 0 }}
agent A {{
  interface = a: 0
  Behavior = (p = 0 -> p <-- id + 1; Behavior) ++ (p > 0 and p != id + 1 -> p <-- 100; Behavior)
}}
agent B {{
  interface = z: 0; w: [0..1]
  Behavior = p > 0 -> {{ p <-- 0; z <- z + w - w }}; Behavior
}}
check {{ End = eventually p = 100 }}
"
        );
        let prepared = opened("hub.labs", &text);
        for engine in [Decider::Smt, Decider::Explicit] {
            let options =
                VerifyOptions { engine, fairness: Fairness::Weak, certify: true, ..VerifyOptions::default() };
            let all = with(&prepared, &options, BOTH, 10);
            let [answer] = &all[..] else { panic!("one answer was expected") };
            assert_ne!(answer.verdict(), Answered::Holds, "{agents}: {}", answer.evidence());
            let is_sure = engine == Decider::Explicit || agents == 2;
            assert!(!is_sure || answer.verdict() == Answered::Violated, "{agents}: {}", answer.evidence());
        }
    }
}

/// Names that conditions have in the dialogue with a solver.
#[test]
fn variables_may_be_called_like_conditions() {
    if !there(BOTH) {
        return;
    }
    let text = "system { spawn = A: 1 environment = bad: 0, outside: 0, inside: 0, before: 0, within: 0, facts: 0, apart: 0, start: 0 }
agent A {
  interface = x: 0
  Behavior = { bad <-- bad + 1; outside <-- bad + facts; inside <-- before + apart; within <-- start }; Behavior
}
check {
  Grows = always bad >= 0 and outside >= 0
  Three = always bad <= 3
}
";
    let found = answers(&opened("names.labs", text), &[], BOTH, 30);
    let verdicts: Vec<Answered> = found.iter().map(|answer| answer.verdict()).collect();
    assert_eq!(verdicts, [Answered::Holds, Answered::Violated], "{found:?}");
}
