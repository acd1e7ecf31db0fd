//! Formulas of linear time in LAbS: verdicts with their arguments, on several engines, and claims that are refused.

use std::sync::atomic::AtomicBool;
use swarmcheck_certify::Claim;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::{Reductions, Vacuity, Why};
use swarmcheck_labs::model::Model;
use swarmcheck_session::verify::{Answer, Budget, Control, Decider, Outcome, VerifyOptions, verify};
use swarmcheck_session::{Choice, ModelOptions, Prepared, Semantics, TraceFormat, prepare};
use swarmcheck_source::SourceFile;
use swarmcheck_symbolic::Method;

fn open(text: &str, options: &ModelOptions) -> Prepared {
    match prepare("model.labs", text.as_bytes(), options.clone()) {
        Ok(prepared) => prepared,
        Err(_) => panic!("refused:\n{text}"),
    }
}

fn ask(prepared: &Prepared, options: &VerifyOptions) -> Vec<Answer> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let Ok(report) = verify(prepared, options, &control) else { panic!("no such property") };
    report.answers
}

/// Formulas with their verdicts, by the explicit engine with and without reductions, and by diagrams.
fn check_with(system: &str, options: &ModelOptions, claims: &[(&str, &str)]) {
    let named: Vec<String> =
        claims.iter().enumerate().map(|(i, (formula, _))| format!("P{i} = ltl {formula}\n")).collect();
    let text = format!("{system}\ncheck {{ {} }}", named.concat());
    let prepared = open(&text, options);
    let deciders = [
        (Decider::Explicit, Reductions::ALL),
        (Decider::Explicit, Reductions::NONE),
        (Decider::Symbolic(Method::Diagrams), Reductions::ALL),
    ];
    for (engine, reductions) in deciders {
        let asked = VerifyOptions { engine, reductions, ..VerifyOptions::default() };
        let answers = ask(&prepared, &asked);
        assert_eq!(answers.len(), claims.len());
        for (answer, (formula, expected)) in answers.iter().zip(claims) {
            let found = answer.verdict().word();
            assert_eq!(found, *expected, "{formula}: {} by {engine:?} in\n{system}", answer.evidence());
        }
    }
}

fn check(system: &str, claims: &[(&str, &str)]) {
    check_with(system, &ModelOptions::default(), claims);
}

const HOLDS: &str = "holds";
const VIOLATED: &str = "violated";

/// Two agents that switch between 0 and 1 for ever. Each can act in every state, and nothing forces one of them to.
const SWITCHES: &str = "system { spawn = A: 2 }
agent A { interface = x: 0  Behavior = x <- 1; x <- 0; Behavior }";

#[test]
fn agents_that_may_be_forgotten() {
    check(
        SWITCHES,
        &[
            // The other agent acts for ever.
            ("G F agent 0 acts", VIOLATED),
            ("forall A a, F a acts", VIOLATED),
            ("forall A a, G F x of a = 1", VIOLATED),
            ("forall A a, G (a can act -> F a acts)", VIOLATED),
            // Somebody makes the first step, and somebody makes infinitely many.
            ("exists A a, F a acts", HOLDS),
            ("exists A a, G F a acts", HOLDS),
            ("exists A a, G F x of a = 1", HOLDS),
            ("G F (exists A a, x of a = 1)", HOLDS),
            ("G (exists A a, a acts)", HOLDS),
            ("G (agent 0 acts or agent 1 acts)", HOLDS),
            // But it need not be the same one for ever.
            ("exists A a, G a acts", VIOLATED),
            ("G !(agent 0 acts and agent 1 acts)", HOLDS),
            ("forall A a, G a can act", HOLDS),
            // An action changes the value of the agent that acts, and of no other.
            ("forall A a, G (a acts and x of a = 0 -> X x of a = 1)", HOLDS),
            ("forall A a, G (!a acts and x of a = 0 -> X x of a = 0)", HOLDS),
            ("forall A a, G (x of a = 0 W a acts)", VIOLATED),
            ("forall A a, x of a = 0 W (a acts and x of a = 0)", HOLDS),
            ("forall A a, x of a = 0 U x of a = 1", VIOLATED),
            ("forall A a, x of a = 1 R x of a <= 1", HOLDS),
            ("G !delivered", HOLDS),
        ],
    );
}

/// Round-robin: agent 0 acts, then agent 1, then agent 0 again.
#[test]
fn round_robin() {
    let fair = ModelOptions { fair: true, ..ModelOptions::default() };
    check_with(
        SWITCHES,
        &fair,
        &[
            ("forall A a, G F a acts", HOLDS),
            ("forall A a, G (a can act -> F a acts)", HOLDS),
            ("agent 0 acts and X agent 1 acts and X X agent 0 acts", HOLDS),
            // Only the agent whose turn it is can act.
            ("forall A a, G a can act", VIOLATED),
            ("G !(agent 0 can act and agent 1 can act)", HOLDS),
            ("G (agent 0 can act or agent 1 can act)", HOLDS),
        ],
    );
}

/// One agent that makes two steps. Then the execution rests in its last state, and no step leaves it.
#[test]
fn executions_that_stop() {
    check(
        "system { spawn = A: 1 }
agent A { interface = x: 0  Behavior = x <- 1; x <- 2 }",
        &[
            ("F G x of 0 = 2", HOLDS),
            ("X X X X x of 0 = 2", HOLDS),
            ("agent 0 acts and X agent 0 acts", HOLDS),
            ("X X agent 0 acts", VIOLATED),
            ("G F agent 0 acts", VIOLATED),
            ("G (agent 0 acts or X G !(agent 0 acts))", HOLDS),
            ("F !(agent 0 can act)", HOLDS),
            ("G (agent 0 can act -> agent 0 acts)", HOLDS),
            ("G agent 0 can act", VIOLATED),
            ("G F x of 0 = 1", VIOLATED),
            ("[] <> x of 0 = 2", HOLDS),
        ],
    );
}

/// ⊥ satisfies no comparison, and no negation of one (`docs/labs.md`, the undefined value). Above predicates there are two
/// truth values: `p -> q` holds where `p` is not satisfied.
#[test]
fn undefined_values() {
    check(
        "system { environment = y: undef; spawn = A: 1 }
agent A { Behavior = y <-- 1 }",
        &[
            ("y = 1 or y != 1", VIOLATED),
            ("!(y = 1)", VIOLATED),
            ("y = 1 -> false", HOLDS),
            ("X y = 1", HOLDS),
            ("F (y = 1 and G y = 1)", HOLDS),
            ("G (y != 1 -> F y = 1)", HOLDS),
            ("y != 1 U y = 1", VIOLATED),
        ],
    );
}

/// Each of two agents writes a value once, and sends it. A write makes a message, which its agent has to send before it acts
/// again; a receiver that takes the value over sends it, too. So messages are finitely many, and no execution stops
/// while one is pending.
const MESSAGES: &str = "system { spawn = A: 2 }
stigmergy S { link = true  v: 0 }
agent A { stigmergies = S  Behavior = v <~ id + 1 }";

#[test]
fn messages() {
    let claims = [
        ("forall A a, G (a acts -> X a can send)", HOLDS),
        ("forall A a, G (a can send -> F a sends)", HOLDS),
        ("forall A a, G (a can send -> !(a can act))", HOLDS),
        ("G (delivered -> exists A a, a sends)", HOLDS),
        ("G ((exists A a, a sends) -> delivered)", HOLDS),
        ("G !((exists A a, a acts) and delivered)", HOLDS),
        ("F delivered", HOLDS),
        ("G F delivered", VIOLATED),
        ("G !delivered", VIOLATED),
        ("F G (forall A a, !(a can send) and !(a can act))", HOLDS),
    ];
    check(MESSAGES, &claims);
    for semantics in [Semantics::Sliver, Semantics::Paper] {
        for choice in [Choice::Late, Choice::Early] {
            let options = ModelOptions { semantics, choice, ..ModelOptions::default() };
            check_with(MESSAGES, &options, &claims[..5]);
        }
    }
    // With `--sync` messages are parts of actions: there are no steps that deliver one.
    let sync = ModelOptions { sync: true, ..ModelOptions::default() };
    check_with(
        MESSAGES,
        &sync,
        &[
            ("G !delivered", HOLDS),
            ("F delivered", VIOLATED),
            ("forall A a, G !(a can send)", HOLDS),
            ("forall A a, F a acts", HOLDS),
            // Whoever writes last is heard by both.
            ("F G v of 0 = v of 1", HOLDS),
        ],
    );
}

/// An action is possible only if all of it is: a value must be defined, and there must be enough agents to pick from.
#[test]
fn what_an_agent_can_do() {
    check(
        "system { environment = z: {0, 1}; spawn = A: 1 }
agent A { interface = x: 0  Behavior = x <- 6 / z }",
        &[
            ("z = 0 -> G !(agent 0 can act)", HOLDS),
            ("z = 1 -> agent 0 can act and agent 0 acts", HOLDS),
            ("agent 0 can act -> z = 1", HOLDS),
            ("agent 0 can act", VIOLATED),
        ],
    );
    check(
        "system { spawn = A: 2 }
agent A { interface = x: {0, 1}  Behavior = { p[] := pick 1 where x of 2 = 1; x <- x of p[0] + 1 } }",
        &[
            ("G (agent 0 can act -> x of 1 = 1)", HOLDS),
            ("x of 1 = 1 -> agent 0 can act", HOLDS),
            ("agent 0 can act", VIOLATED),
            ("G (agent 0 can act or agent 1 can act)", VIOLATED),
        ],
    );
}

/// A quantifier over no agent is `true` or `false`, and the answer is marked.
#[test]
fn quantifiers_over_nobody() {
    let text = "system { spawn = A: 1, B: 0 }
agent A { Behavior = Skip; Behavior }
agent B { Behavior = Skip }
check { P = ltl forall B b, G b acts  Q = ltl exists B b, F b acts  R = ltl G agent 0 acts }";
    let prepared = open(text, &ModelOptions::default());
    let answers = ask(&prepared, &VerifyOptions::default());
    let found: Vec<&str> = answers.iter().map(|a| a.verdict().word()).collect();
    assert_eq!(found, [HOLDS, VIOLATED, HOLDS]);
    let vacuous: Vec<bool> = prepared.flat.program.properties.iter().map(|p| p.vacuous).collect();
    assert_eq!(vacuous, [true, true, false]);
}

fn model(text: &str) -> Model {
    let (tree, found) = swarmcheck_labs::syntax::parse(text);
    assert!(!found.has_errors());
    let end = swarmcheck_source::Span::new(text.len(), text.len());
    swarmcheck_labs::check::check(&tree, end, &[]).0.expect("a correct model")
}

/// Whoever claims too much is refused: the trace is right, but does not show what it is said to show.
#[test]
fn wrong_claims_are_refused() {
    let formulas = "check {
  Again = ltl G F agent 0 acts
  Others = ltl G F agent 1 acts
  Somebody = ltl exists A a, G F a acts
  Can = ltl forall A a, G a can act
  First = ltl agent 0 acts
  Ones = ltl G F x of 1 = 1
}";
    let text = format!("{SWITCHES}\n{formulas}");
    let prepared = open(&text, &ModelOptions::default());
    let asked = VerifyOptions {
        properties: vec!["Again".to_string()],
        format: TraceFormat::Json,
        engine: Decider::Explicit,
        ..VerifyOptions::default()
    };
    let answers = ask(&prepared, &asked);
    let shown = answers[0].trace.as_ref().expect("a counterexample");
    let trace: TraceData = serde_json::from_str(&shown.text).expect("a trace");
    let start = trace.loop_start.expect("agent 1 goes round");
    assert!(trace.steps[start..].iter().all(|step| step.agent == 1), "agent 0 is forgotten");

    let model = model(&text);
    let file = SourceFile::new("model.labs", text.clone());
    let judge = |trace: &TraceData, property: &str, why: Why| {
        let claim = Claim {
            property: Some(property),
            why,
            bound: None,
            ignore_deadlock: false,
            states: 1000,
            fairness: swarmcheck_engine::Fairness::None,
        };
        swarmcheck_certify::violated(&model, &file, trace, &claim).map(|confirmed| confirmed.entirely)
    };
    assert_eq!(judge(&trace, "Again", Why::Formula), Ok(true));
    // What the same execution satisfies.
    for property in ["Others", "Somebody", "Can", "Ones"] {
        let refused = judge(&trace, property, Why::Formula).expect_err(property);
        assert_eq!(refused.why, "the trace does not violate the formula");
    }
    // No prefix of it is bad for a formula about what comes again and again.
    assert!(judge(&trace, "Again", Why::Prefix).is_err());
    assert!(judge(&trace, "Again", Why::False).is_err());
    // Without its loop it is an execution that is not over, and not one that stops.
    let open = TraceData { loop_start: None, ..trace.clone() };
    assert!(judge(&open, "Again", Why::Formula).is_err());
    let stopped = TraceData { loop_start: None, end: "deadlock".to_string(), ..trace.clone() };
    assert!(judge(&stopped, "Again", Why::Formula).is_err());
    // A loop that does not close.
    let mut shorter = trace.clone();
    shorter.steps.pop();
    assert!(judge(&shorter, "Again", Why::Formula).is_err());
    // Agent 1 made the first step: that is a bad prefix, and one of no steps is none.
    if trace.steps[0].agent == 1 {
        assert_eq!(judge(&open, "First", Why::Prefix), Ok(true));
    }
    let nothing = TraceData { steps: vec![], ..open };
    assert!(judge(&nothing, "First", Why::Prefix).is_err());
}

/// Executions that stop go on resting, whoever is listed first in `spawn`: the bird's variable is 1 in the end and stays so.
#[test]
fn a_kind_without_agents_changes_nothing() {
    let agents = "agent Ghost { interface = g: 0  Behavior = g <- 1 }
agent Bird { interface = x: 0  Behavior = x <- 1 }";
    for spawn in ["Ghost: 0, Bird: 1", "Bird: 1, Ghost: 0"] {
        let system = format!("system {{ spawn = {spawn} }}\n{agents}");
        check(
            &system,
            &[
                ("F G (exists Bird b, x of b = 0)", VIOLATED),
                ("G F (exists Bird b, x of b = 2)", VIOLATED),
                ("F G (exists Bird b, x of b = 1)", HOLDS),
            ],
        );
    }
}

/// The second alternative waits for ever. A trace does not show which one was chosen before the first step.
#[test]
fn an_early_choice_may_end_in_a_state_without_steps() {
    let system = "system { environment = go: 0 spawn = C: 1 }
agent C { interface = done: 0  Behavior = (done <- 1) ++ (go = 1 -> done <- 1) }";
    let done = "forall C c, done of c = 1";
    let claims = [(format!("F ({done})"), VIOLATED), (format!("G F ({done})"), VIOLATED)];
    let claims: Vec<(&str, &str)> = claims.iter().map(|(formula, word)| (formula.as_str(), *word)).collect();
    check_with(system, &ModelOptions { choice: Choice::Early, ..ModelOptions::default() }, &claims);
    check(system, &[(claims[0].0, HOLDS)]);
}

/// One agent is all of them, and somebody.
#[test]
fn a_quantifier_over_one_agent() {
    let system = "system { spawn = A: 1 }
agent A { interface = x: 0  Behavior = x <- 1 }";
    check(
        system,
        &[
            ("exists A a, G x of a = 0", VIOLATED),
            ("forall A a, exists A b, G x of b = 0", VIOLATED),
            ("exists A a, F x of a = 1", HOLDS),
            ("forall A a, F x of a = 2", VIOLATED),
            ("exists A a, G a can act", VIOLATED),
        ],
    );
}

/// No agent ever has the value 7, so the formula asks for nothing.
#[test]
fn a_premise_that_is_never_true_is_reported() {
    let text =
        format!("{SWITCHES}\ncheck {{ P = ltl G ((exists A a, x of a = 7) -> F (exists A a, x of a = 1)) }}");
    let prepared = open(&text, &ModelOptions::default());
    for engine in [Decider::Explicit, Decider::Symbolic(Method::Diagrams)] {
        let answers = ask(&prepared, &VerifyOptions { engine, ..VerifyOptions::default() });
        let Outcome::Holds { vacuous, .. } = &answers[0].outcome else { panic!("{:?}", answers[0].outcome) };
        assert_eq!(*vacuous, Some(Vacuity::Premise), "{engine:?}");
    }
}

/// With early choice, what an agent has decided cannot be seen, so hundreds of executions look like the trace. A random system.
#[test]
fn executions_that_look_alike_are_followed_as_far_as_needed() {
    let text = "system { environment = e: 1  spawn = Ant: 1 }
agent Ant {
  Own = ((!e = 2 => e <-- 0) ++ Skip); (e <-- 0 ++ { v := id }); ((e <-- 1 ++ { v := id }); e <-- 1)
  Behavior = (e = 0 => (e = 1 -> ((e <-- [0..3] || e <-- 1)
      | Own ++ e <-- [0..3] ++ e <-- (e + 1) % 3
      | (e <-- 1 ++ Skip); Own; (Own ++ Skip)); (e <-- [0..3] ++ Skip);
      (((!e = 2 -> e <-- [0..3]) | e <-- (e + 1) % 3) ++ Skip))); Behavior
}
check { P = ltl [] ((F G ((e = 1))) -> ((forall Ant one, (id of one < 0)))) }";
    let prepared = open(text, &ModelOptions { choice: Choice::Early, ..ModelOptions::default() });
    let fairness = swarmcheck_question::Fairness::Weak;
    for engine in [Decider::Explicit, Decider::Symbolic(Method::Diagrams)] {
        for answer in ask(&prepared, &VerifyOptions { fairness, engine, ..VerifyOptions::default() }) {
            assert_eq!(answer.verdict().word(), VIOLATED, "{engine:?}: {}", answer.evidence());
        }
    }
}

/// There are millions of ways to keep what this formula promises. A random formula, for which the search of an automaton took longer than anybody waits.
#[test]
fn formulas_with_too_many_ways_are_given_up() {
    let system = "system { spawn = A: 3 }
stigmergy S { link = true  s: undef }
agent A { interface = x: 0  stigmergies = S  Behavior = s <~ id; x <- 1; Behavior }";
    let formula = "F ((((!(exists A a, s of a = 0))) until (delivered)) W (((forall A one, G ((((s of one != 0)) \
                   and ((exists A two, ((x of two > 0)) -> ((one acts)))) and ((s of one != 2))) -> (((s of one >= 0)) \
                   -> ((one sends)))))) -> ((!(exists A a, x of a > 0)))))";
    check(system, &[(formula, "unknown")]);
}
