//! Fairness from end to end: what is asked, what is refused, and that a loop which is not fair is no counterexample.

mod common;

use common::{ask, open, text};
use std::sync::atomic::AtomicBool;
use swarmcheck_certify::Claim;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::{Fairness, Why};
use swarmcheck_session::certificate::{CertificateAnswer, CertificateData, check};
use swarmcheck_session::replay::{ReplayAnswer, replay};
use swarmcheck_session::verify::{
    Answer, Answered, Backend, Budget, Control, Decider, Outcome, Reductions, VerifyOptions, Violation,
    translate, verify,
};
use swarmcheck_session::{Choice, ModelOptions, Prepared, Refusal, prepare, words};

use Fairness::{None as Unfair, Strong, Weak};

/// Two agents that never stop, and each can always act: whoever is passed over for ever is treated unfairly in every sense.
const TWO: &str = "system { spawn = A: 2 } agent A { interface = x: 0 Behavior = x <- 1; Behavior }\n\
                   check { Both = eventually forall A a, x of a = 1\n Again = ltl forall A a, G F (a acts) }";

/// A sender that waits with its message, and an agent that never stops. If the latter acts first, the goal is reached.
const MESSAGE: &str = "system { spawn = Sender: 1, Busy: 1 } stigmergy S { link = true\n v: 0 }\n\
                       agent Sender { stigmergies = S Behavior = v <~ 1; Nil }\n\
                       agent Busy { interface = x: 0 stigmergies = S Behavior = x <- 1 - x; Behavior }\n\
                       check { Heard = eventually (forall Busy b, v of b = 1) or\n\
                       ((exists Busy b, x of b = 1) and (forall Sender s, v of s = 0)) }";

/// The second agent chooses between an action that is never possible and one that always is.
const CHOICE: &str = "system { environment = go: 0 spawn = Busy: 1, Chooser: 1 }\n\
                      agent Busy { interface = x: 0 Behavior = x <- 1 - x; Behavior }\n\
                      agent Chooser { interface = done: 0 Behavior = ((go = 1 -> done <- 1) ++ done <- 1); Nil }\n\
                      check { Done = eventually forall Chooser c, done of c = 1 }";

/// Two agents that can always send, in R-CHECK.
const SENDERS: &str = "agent A\n  local: n : 0..1\n  init: n = 0\n  repeat: s: {true} *! (true)()[n := 1]\n\
                       system = A(a, true) || A(b, true)\nSPEC Both: F (b-n = 1)\nSPEC Again: G F (b-n = 1)\n";

fn options(fairness: Fairness) -> VerifyOptions {
    let reductions = Reductions { ranges: true, packed: true, ..Reductions::NONE };
    VerifyOptions { fairness, reductions, engine: Decider::Explicit, ..VerifyOptions::default() }
}

fn decided(prepared: &Prepared, property: &str, fairness: Fairness) -> Answer {
    ask(prepared, property, options(fairness)).remove(0)
}

/// The counterexample under an assumption, and how it violates the property.
fn violation(prepared: &Prepared, property: &str, fairness: Fairness) -> (TraceData, Why) {
    let answer = decided(prepared, property, fairness);
    match (answer.outcome, answer.trace) {
        (Outcome::Violated { evidence: Violation::Trace { why, .. } }, Some(shown)) => (shown.data, why),
        (outcome, _) => panic!("{property}: {outcome:?}"),
    }
}

/// What the rules say about a trace that is said to violate a property under an assumption.
fn claimed(prepared: &Prepared, property: &str, trace: &TraceData, why: Why, fairness: Fairness) -> String {
    let property = Some(property);
    let claim = Claim { property, why, bound: None, ignore_deadlock: false, states: 1000, fairness };
    match prepared.model.violated(&prepared.file, trace, &claim) {
        Ok(_) => "accepted".to_string(),
        Err(refused) => refused.why,
    }
}

/// The README of the example has the argument for each verdict.
#[test]
fn weak_fairness_is_not_enough_for_philosophers_and_strong_fairness_is() {
    let prepared = open("fairness/forks.labs", "n=2", false);
    let verdict = |fairness| decided(&prepared, "EverybodyEats", fairness).verdict();
    assert_eq!(verdict(Unfair), Answered::Violated);
    assert_eq!(verdict(Weak), Answered::Violated);
    assert_eq!(verdict(Strong), Answered::Holds);
    let question = |fairness| decided(&prepared, "EverybodyEats", fairness).question;
    assert_eq!(question(Unfair), "at some point of every maximal execution");
    assert_eq!(question(Weak), "at some point of every weakly fair execution");
    assert_eq!(question(Strong), "at some point of every strongly fair execution");
}

/// The philosopher who starves can take fork 0 in one state of the loop.
#[test]
fn a_loop_may_be_weakly_fair_and_not_strongly_fair() {
    let prepared = open("fairness/forks.labs", "n=2", false);
    let (trace, why) = violation(&prepared, "EverybodyEats", Weak);
    assert_eq!((trace.fairness, why), (Weak, Why::Loop));
    let claimed = |fairness| claimed(&prepared, "EverybodyEats", &trace, why, fairness);
    assert_eq!(claimed(Unfair), "accepted");
    assert_eq!(claimed(Weak), "accepted");
    let starved = claimed(Strong);
    assert!(starved.starts_with("the loop is not strongly fair: agent"), "{starved}");
    assert!(starved.ends_with("can act in it and never does"), "{starved}");
}

#[test]
fn a_loop_that_passes_an_agent_over_is_refused() {
    let prepared = text("two.labs", TWO, "", false);
    for property in ["Both", "Again"] {
        let (trace, why) = violation(&prepared, property, Unfair);
        let claimed = |trace: &TraceData, fairness| claimed(&prepared, property, trace, why, fairness);
        assert_eq!(claimed(&trace, Unfair), "accepted");
        for fairness in [Weak, Strong] {
            assert!(claimed(&trace, fairness).contains("fair: agent"), "{}", claimed(&trace, fairness));
            assert_eq!(decided(&prepared, property, fairness).verdict(), Answered::Holds);
        }
        // A loop without a step is no execution.
        let empty = TraceData { loop_start: Some(trace.steps.len()), ..trace };
        assert!(claimed(&empty, Unfair).contains("loop"), "{}", claimed(&empty, Unfair));
    }
}

/// Messages are units of their own: in the loop, the sender has acted and has no other action.
#[test]
fn a_message_that_is_never_delivered_is_unfair() {
    let prepared = text("message.labs", MESSAGE, "", false);
    let (trace, why) = violation(&prepared, "Heard", Unfair);
    assert_eq!(claimed(&prepared, "Heard", &trace, why, Unfair), "accepted");
    let said = claimed(&prepared, "Heard", &trace, why, Weak);
    assert_eq!(said, "the loop is not weakly fair: agent 0 can send a message in all of it and never does");
    assert_eq!(decided(&prepared, "Heard", Weak).verdict(), Answered::Holds);
}

/// With early choice the second agent may have chosen what is never possible. Then it can never move, which is fair.
#[test]
fn whoever_has_chosen_what_is_impossible_may_wait_for_ever() {
    let open = |choice| {
        let options = ModelOptions { choice, ..ModelOptions::default() };
        prepare("choice.labs", CHOICE.as_bytes(), options).unwrap_or_else(|_| panic!("refused"))
    };
    let (late, early) = (open(Choice::Late), open(Choice::Early));
    assert_eq!(decided(&late, "Done", Unfair).verdict(), Answered::Violated);
    assert_eq!(decided(&late, "Done", Weak).verdict(), Answered::Holds);
    for fairness in [Unfair, Weak, Strong] {
        assert_eq!(decided(&early, "Done", fairness).verdict(), Answered::Violated, "{fairness:?}");
    }
}

/// A stored trace says in which sense its loop is fair, and that is replayed.
#[test]
fn stored_traces_are_replayed_with_their_fairness() {
    let prepared = open("fairness/forks.labs", "n=2", false);
    let (trace, _) = violation(&prepared, "EverybodyEats", Weak);
    let (name, bytes) = (prepared.file.name(), prepared.file.text().as_bytes());
    let replayed = |fairness| {
        let stored = serde_json::to_string(&TraceData { fairness, ..trace.clone() }).unwrap();
        let Ok(answer) = replay(&serde_json::from_str(&stored).unwrap(), name, bytes) else {
            panic!("refused")
        };
        matches!(answer, ReplayAnswer::Accepted { .. })
    };
    assert_eq!([Unfair, Weak, Strong].map(replayed), [true, true, false]);
}

/// Units of R-CHECK are agents as senders.
#[test]
fn an_agent_that_can_always_send_does_so_in_a_fair_loop() {
    let prepared = text("senders.rcp", SENDERS, "", false);
    for property in ["Both", "Again"] {
        let (trace, why) = violation(&prepared, property, Unfair);
        assert_eq!(claimed(&prepared, property, &trace, why, Unfair), "accepted");
        let said = claimed(&prepared, property, &trace, why, Weak);
        assert_eq!(said, "the loop is not weakly fair: agent 1 can act in all of it and never does");
        for fairness in [Weak, Strong] {
            assert_eq!(decided(&prepared, property, fairness).verdict(), Answered::Holds, "{property}");
        }
        let replayed = replay(&trace, "senders.rcp", SENDERS.as_bytes());
        assert!(matches!(replayed, Ok(ReplayAnswer::Accepted { .. })));
        let strong = TraceData { fairness: Strong, ..trace };
        let replayed = replay(&strong, "senders.rcp", SENDERS.as_bytes());
        assert!(matches!(replayed, Ok(ReplayAnswer::Refused { .. })));
    }
}

/// While the server is busy, the client that is never served cannot ask; the server is free again and again.
#[test]
fn a_client_that_can_ask_again_and_again_does_so_under_strong_fairness() {
    let prepared = open("rcheck-rating/rating.rcp", "", false);
    let (trace, why) = violation(&prepared, "EveryoneIsServed", Weak);
    let claimed = |fairness| claimed(&prepared, "EveryoneIsServed", &trace, why, fairness);
    assert_eq!([claimed(Unfair), claimed(Weak)], ["accepted", "accepted"]);
    assert!(claimed(Strong).starts_with("the loop is not strongly fair: agent"), "{}", claimed(Strong));
    let strong = decided(&prepared, "EveryoneIsServed", Strong);
    assert_eq!(strong.verdict(), Answered::Holds);
    assert_eq!(strong.question, "the formula, of every strongly fair execution");
    assert_eq!(strong.evidence(), "every strongly fair execution");
}

/// Engines agree, and those that cannot say so.
#[test]
fn engines_agree_about_fair_executions() {
    let forks = open("fairness/forks.labs", "n=2", false);
    let two = text("two.labs", TWO, "", false);
    let asked = [
        (&forks, "EverybodyEats", Weak, Answered::Violated),
        (&forks, "EverybodyEats", Strong, Answered::Holds),
        (&two, "Both", Weak, Answered::Holds),
    ];
    for (prepared, property, fairness, expected) in asked {
        let all = VerifyOptions { fairness, cross_check: true, ..VerifyOptions::default() };
        let answers = ask(prepared, property, all);
        let answered = answers.iter().filter(|answer| answer.verdict() == expected).count();
        assert!(answered >= 2, "{property}: {:?}", answers.iter().map(Answer::evidence).collect::<Vec<_>>());
        assert!(answers.iter().all(|a| [expected, Answered::Unknown].contains(&a.verdict())), "{property}");
    }
}

/// A proof is checked under the assumption that it was found with.
#[test]
fn certificates_store_the_assumption() {
    let prepared = text("two.labs", TWO, "", false);
    let engine = Decider::named("ic3").unwrap();
    let wanted = VerifyOptions { fairness: Weak, engine, certify: true, ..VerifyOptions::default() };
    let answer = ask(&prepared, "Both", wanted).remove(0);
    assert_eq!(answer.verdict(), Answered::Holds, "{}", answer.evidence());
    let data = *answer.certificate.expect("a proof");
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let accepted = |fairness| {
        let data = serde_json::to_string(&CertificateData { fairness, ..data.clone() }).unwrap();
        let answer = check(&serde_json::from_str(&data).unwrap(), "two.labs", TWO.as_bytes(), &control);
        matches!(answer, Ok(CertificateAnswer::Accepted { .. }))
    };
    assert_eq!([Weak, Unfair].map(accepted), [true, false]);
}

#[test]
fn what_has_no_units_is_refused_by_name() {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let refused = |prepared: &Prepared, options: &VerifyOptions| match verify(prepared, options, &control) {
        Err(refusal @ Refusal::NoFairness { .. }) => words::refusal(&refusal),
        Err(refusal) => panic!("{}", words::refusal(&refusal)),
        Ok(_) => panic!("decided"),
    };
    let ccs = text("a.ccs", "proc P = a.P\nsystem = P\ncheck { A = eventually a }\n", "", false);
    assert!(refused(&ccs, &options(Weak)).ends_with("synchronisations of CCS have no such units"));
    let two = text("two.labs", TWO, "", true);
    assert!(refused(&two, &options(Strong)).contains("not the round-robin one"));
    assert!(verify(&two, &options(Unfair), &control).is_ok());
    let two = text("two.labs", TWO, "", false);
    let witness = VerifyOptions { witness: Some(String::new()), ..options(Weak) };
    assert!(refused(&two, &witness).starts_with("a witness"));
    let elsewhere = translate(&two, &options(Weak), Backend::Spin, "", &control);
    let Err(refusal @ Refusal::NoFairness { .. }) = elsewhere else { panic!("not refused by name") };
    assert!(words::refusal(&refusal).starts_with("spin decides about all executions"));
}
