//! The text of small processes, written by hand from the descriptions of the formats.

use super::{Claim, ClaimPath, ProcessExport, drn, jani, label_names, prism};
use swarmcheck_chance::process::Exit;
use swarmcheck_chance::{Bits, ProcessBuilder};
use swarmcheck_ir::Linear;

/// 0 goes to 1 with probability 1/3 and stays otherwise, or goes to 2 for certain; 1 and 2 have no steps.
fn builder(decisions: bool, rate: Option<u64>) -> ProcessBuilder {
    let mut builder = ProcessBuilder::new();
    let exit = |numerator| rate.map(|denominator| Exit { numerator, denominator });
    builder.row(0, &[(0, 2), (1, 1)]).expect("a row");
    if decisions {
        builder.row(1, &[(2, 5)]).expect("a row");
    }
    builder.state(exit(3)).expect("a state");
    builder.state(exit(0)).expect("a state");
    builder.state(exit(0)).expect("a state");
    builder
}

fn with<T>(builder: ProcessBuilder, initial: &[(u32, u128)], ask: impl Fn(&ProcessExport<'_>) -> T) -> T {
    let process = builder.finish(initial).expect("a process");
    let labels = [("goal".to_string(), Bits::from_fn(3, |state| state == 1))];
    let formula = Linear::globally(Linear::Or(vec![Linear::Atom(0), Linear::next(Linear::Atom(0))]));
    let claims = [
        Claim { name: "Goal".to_string(), path: ClaimPath::Eventually(0) },
        Claim { name: "Formula".to_string(), path: ClaimPath::Formula(formula) },
        Claim { name: "Late".to_string(), path: ClaimPath::After(4, 0) },
    ];
    let remarks = ["a remark".to_string()];
    let deadlocks = process.deadlocks().clone();
    ask(&ProcessExport {
        process: &process,
        deadlocks: &deadlocks,
        labels: &labels,
        remarks: &remarks,
        claims: &claims,
    })
}

const DECISIONS: &str = "\
// a remark
// Pmin=? [F \"goal\"]
// Pmax=? [F \"goal\"]
// Pmin=? [(G (\"goal\" | (X \"goal\")))]
// Pmax=? [(G (\"goal\" | (X \"goal\")))]
// Pmin=? [true U[4,4] \"goal\"]
// Pmax=? [true U[4,4] \"goal\"]
@type: MDP
@parameters

@reward_models
steps
@nr_states
3
@nr_choices
4
@model
state 0 [0] init
\taction 0 [1]
\t\t0 : 2/3
\t\t1 : 1/3
\taction 1 [1]
\t\t2 : 1
state 1 [0] deadlock goal
\taction 0 [0]
\t\t1 : 1
state 2 [0] deadlock
\taction 0 [0]
\t\t2 : 1
";

#[test]
fn decisions_for_storm() {
    assert_eq!(with(builder(true, None), &[(0, 1)], drn), DECISIONS);
}

/// One more state draws the initial one, and questions begin a step later.
#[test]
fn initial_distributions() {
    let text = with(builder(false, None), &[(0, 1), (2, 3)], drn);
    assert!(text.contains("@type: DTMC\n") && text.contains("@nr_states\n4\n@nr_choices\n4\n"), "{text}");
    assert!(text.ends_with("state 3 [0] init start\n\taction 0 [0]\n\t\t0 : 1/4\n\t\t2 : 3/4\n"), "{text}");
    assert!(text.contains("// P=? [X F \"goal\"]\n"), "{text}");
    assert!(text.contains("// P=? [X (G (\"goal\" | (X \"goal\")))]\n"), "{text}");
    assert!(text.contains("// P=? [true U[5,5] \"goal\"]\n"), "{text}");
    assert_eq!(text.matches(" init").count(), 1, "{text}");
}

/// A rate of 3/2, so that one step has the rate 1 and the other 1/2.
#[test]
fn rates() {
    let text = with(builder(false, Some(2)), &[(0, 1)], drn);
    assert!(text.contains("@type: CTMC\n"), "{text}");
    assert!(text.contains("state 0 !3/2 [0] init\n\taction 0 [1]\n\t\t0 : 1\n\t\t1 : 1/2\n"), "{text}");
    assert!(text.contains("state 1 !1 [0] deadlock goal\n\taction 0 [0]\n\t\t1 : 1\n"), "{text}");
    let text = with(builder(false, Some(2)), &[(0, 1), (1, 1)], drn);
    assert!(text.contains("@type: Markov Automaton\n"), "{text}");
    assert!(text.contains("state 0 !3/2 [0]\n\taction 0 [1]\n\t\t0 : 2/3\n\t\t1 : 1/3\n"), "{text}");
    assert!(text.contains("state 3 !0 [0] init start\n"), "{text}");
}

#[test]
fn files_for_prism() {
    let files = with(builder(true, None), &[(0, 1)], prism).expect("files");
    let [(_, transitions), (_, labels), (_, rewards)] = files;
    let third = 1.0 / 3.0;
    let expected = format!("3 4 5\n0 0 0 {}\n0 0 1 {third}\n0 1 2 1\n1 0 1 1\n2 0 2 1\n", 2.0 / 3.0);
    assert_eq!(transitions, expected);
    assert_eq!(labels, "0=\"init\" 1=\"deadlock\" 2=\"goal\"\n0: 0\n1: 1 2\n2: 1\n");
    assert_eq!(rewards, "# Reward structure \"steps\"\n# State rewards\n3 1\n0 1\n");
    assert!(with(builder(false, Some(1)), &[(0, 1), (1, 1)], prism).is_none());
}

#[test]
fn locations_for_jani() {
    let text = with(builder(true, None), &[(0, 1)], jani);
    for part in [
        "\"type\": \"mdp\"",
        "{\"name\": \"s1\", \"transient-values\": [{\"ref\": \"deadlock\", \"value\": true}, {\"ref\": \"goal\", \"value\": true}]}",
        "\"initial-locations\": [\"s0\"]",
        "{\"location\": \"s0\", \"probability\": {\"exp\": {\"op\": \"/\", \"left\": 2, \"right\": 3}}, \"assignments\"",
        "{\"location\": \"s2\", \"destinations\": [{\"location\": \"s2\"}]}",
        "\"name\": \"Goal_min\"",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// Storm knows no labels that no state has, and refuses constants inside of formulas.
#[test]
fn labels_that_no_state_has() {
    let process = builder(false, None).finish(&[(0, 1)]).expect("a process");
    let labels =
        [("goal".to_string(), Bits::from_fn(3, |state| state == 1)), ("never".to_string(), Bits::new(3))];
    let deadlocks = process.deadlocks();
    let export = ProcessExport { process: &process, deadlocks, labels: &labels, remarks: &[], claims: &[] };
    let path = |formula: Linear<usize>| export.path(&ClaimPath::Formula(formula));
    let (goal, never) = (|| Linear::Atom(0), || Linear::Atom(1));
    assert_eq!(export.path(&ClaimPath::Eventually(1)), "F false");
    assert_eq!(path(Linear::until(never(), goal())), "\"goal\"");
    assert_eq!(path(Linear::release(never(), goal())), "(G \"goal\")");
    assert_eq!(path(Linear::release(Linear::not(never()), goal())), "\"goal\"");
    assert_eq!(path(Linear::globally(Linear::Or(vec![never(), Linear::next(goal())]))), "(G (X \"goal\"))");
    assert_eq!(path(Linear::next(Linear::And(vec![never(), goal()]))), "false");
    assert_eq!(path(Linear::not(never())), "true");
}

#[test]
fn names_of_labels() {
    let names = label_names(["Safe", "init", "a b", "a_b", "1st", "Safe"]);
    assert_eq!(names, ["Safe", "init_2", "a_b", "a_b_2", "p_1st", "Safe_2"]);
}
