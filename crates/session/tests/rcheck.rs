//! R-CHECK from end to end: verdicts on random systems and on the examples against an independent method, with every
//! counterexample replayed on the definitions.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "reads the examples and says how many"
)]

#[path = "../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;
#[path = "../../rcheck/tests/common/tableau.rs"]
mod tableau;

use common::Random;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::Reductions;
use swarmcheck_engine::control::Silent;
use swarmcheck_rcheck::check;
use swarmcheck_rcheck::reference::Interpreter;
use swarmcheck_session::verify::{Answered, Budget, Control, Decider, VerifyOptions, verify};
use swarmcheck_session::{ModelOptions, Prepared, TraceFormat, prepare};
use swarmcheck_symbolic::Method;
use tableau::Graph;

const DIAGRAMS: Decider = Decider::Symbolic(Method::Diagrams);

fn open(text: &str) -> Prepared {
    match prepare("model.rcp", text.as_bytes(), ModelOptions::default()) {
        Ok(prepared) => prepared,
        Err(_) => panic!("refused:\n{text}"),
    }
}

/// The verdicts of all specifications of a script.
fn verdicts(text: &str, reductions: swarmcheck_engine::Reductions) -> Vec<(String, bool, Option<String>)> {
    verdicts_by(Decider::Explicit, text, reductions)
}

/// The same, by an engine.
fn verdicts_by(
    engine: Decider,
    text: &str,
    reductions: swarmcheck_engine::Reductions,
) -> Vec<(String, bool, Option<String>)> {
    let prepared = open(text);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let format = TraceFormat::Sliver;
    let options = VerifyOptions { reductions, engine, format, ..VerifyOptions::default() };
    let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
    let one = |a: &swarmcheck_session::verify::Answer| {
        assert!(
            matches!(a.verdict(), Answered::Holds | Answered::Violated),
            "{}: {} {}\n{text}",
            a.name,
            a.verdict().word(),
            a.evidence()
        );
        (a.name.clone(), a.verdict() == Answered::Holds, a.trace.as_ref().map(|shown| shown.text.clone()))
    };
    report.answers.iter().map(one).collect()
}

/// A number of the environment, for long runs.
fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// `SWARMCHECK_SYSTEMS=20000 SWARMCHECK_POINTS=40 cargo test -p swarmcheck-session --test rcheck verdicts_on_random -- --nocapture`
/// takes some minutes: the tableau is fast on systems of so few points. `SWARMCHECK_FIRST` is where to go on.
#[test]
fn verdicts_on_random_systems() {
    let systems = number("SWARMCHECK_SYSTEMS", 60);
    let (first, most) = (number("SWARMCHECK_FIRST", 0), number("SWARMCHECK_POINTS", 150) as usize);
    let (mut holds, mut violated, mut compared) = (0, 0, 0);
    for seed in first..first + systems {
        let mut random = Random::new(seed + 1000);
        let mut text = random.script();
        text.truncate(text.find("SPEC").unwrap_or(text.len()));
        for _ in 0..3 {
            text += &format!("SPEC {}\n", random.formula(3));
        }
        let (spec, found) = check(&text);
        let spec = spec.unwrap_or_else(|| panic!("{text}\n{found:?}"));
        let Some(graph) = Graph::new(Interpreter::new(&spec), most) else { continue };
        let reduced = verdicts(&text, swarmcheck_engine::Reductions::ALL);
        let whole = verdicts(&text, swarmcheck_engine::Reductions::NONE);
        // Diagrams are slow on so small systems: long runs ask them now and then.
        let diagrams = (systems <= 60 || seed.is_multiple_of(50))
            .then(|| verdicts_by(DIAGRAMS, &text, swarmcheck_engine::Reductions::ALL));
        compared += 1;
        for (number, one) in spec.specs.iter().enumerate() {
            let Some(expected) = graph.satisfies(one) else { continue };
            assert_eq!(
                reduced[number].1,
                expected,
                "seed {seed}, {} ({} points) in\n{text}",
                one.name,
                graph.len()
            );
            assert_eq!(whole[number].1, expected, "seed {seed}, {} without reductions in\n{text}", one.name);
            if let Some(diagrams) = &diagrams {
                assert_eq!(
                    diagrams[number].1, expected,
                    "seed {seed}, {} with diagrams in\n{text}",
                    one.name
                );
            }
            if expected { holds += 1 } else { violated += 1 }
        }
    }
    println!("{compared} of {systems} systems: {holds} formulas hold, {violated} are violated");
    assert!(holds > systems / 10 && violated > systems / 10, "{holds} hold, {violated} are violated");
}

/// Every claim of `examples/*/swarmcheck.toml` about R-CHECK: decided by `verify`, and by the tableau where it is small enough.
#[test]
fn claims_of_the_examples() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut checked, mut twice) = (0, 0);
    for folder in std::fs::read_dir(examples).unwrap().flatten() {
        let Ok(text) = std::fs::read_to_string(folder.path().join(swarmcheck_project::FILE)) else {
            continue;
        };
        let mut rows = swarmcheck_project::rows(&text).expect("a correct file");
        rows.retain(|row| row.file.ends_with(".rcp"));
        let Some(file) = rows.first().map(|row| row.file.clone()) else { continue };
        let text = std::fs::read_to_string(folder.path().join(&file)).unwrap();
        let answers = verdicts(&text, swarmcheck_engine::Reductions::ALL);
        let spec = check(&text).0.expect("a specification");
        let graph = Graph::new(Interpreter::new(&spec), 3000).expect("a small graph");
        assert_eq!(rows.len(), spec.specs.len(), "{file}: every specification has a line");
        for row in rows {
            assert_eq!(row.file, file, "one script in each folder");
            let answer = answers.iter().find(|(name, ..)| *name == row.property).expect("an answer");
            assert_eq!(if answer.1 { "holds" } else { "violated" }, row.verdict, "{row:?}");
            let one = spec.specs.iter().find(|s| s.name == row.property).expect("a specification");
            if let Some(expected) = graph.satisfies(one) {
                assert_eq!(expected, answer.1, "{row:?}: the tableau says {expected}");
                twice += 1;
            }
            checked += 1;
        }
    }
    assert!(checked >= 34 && twice >= 30, "{checked} claims, {twice} of them decided twice");
}

/// Section 6.3: in the counterexample, the manager's first request connects the first two machines and not the third.
/// What is said of the sender inside a quantifier over properties does not depend on them (definition 6).
#[test]
fn quantified_observations_may_speak_of_the_sender() {
    let text = "property-variables: t : 0..1\nagent A\n  local: n : 0..1\n  init: n = 0\n  relabel: t <- n\n  \
                repeat: s: {true} *! (@t = 0)()[n := 1 - n]\nsystem = A(a, true) || A(b, true)\n\
                SPEC Always: G ([sender = a & exists(@t = 0)] true)\n\
                SPEC Inside: G ([exists(@t = 0 & sender = a)] false)\nSPEC Outside: G ([exists(@t = 0) & sender = a] false)\n\
                SPEC InsideAll: G ([forall(@t = 0 & sender = a) | sender = b] false)\n\
                SPEC Nobody: G ([exists(@t = 1 & sender = a)] false)\n";
    let found = verdicts(text, Reductions::ALL);
    // Both agents can send at any time, to those with t = 0 and to nobody else.
    let expected =
        [("Always", true), ("Inside", false), ("Outside", false), ("InsideAll", false), ("Nobody", true)];
    let found: Vec<(&str, bool)> = found.iter().map(|(name, holds, _)| (name.as_str(), *holds)).collect();
    assert_eq!(found, expected);
}

/// Definition 2 begins with ∃PV.f: while what `x` makes of `t` is not a value of `t`, no message goes past it, not even one
/// that would not be for it. Where `t` has that value, there is a step.
#[test]
fn a_relabelling_outside_its_type_blocks() {
    for (range, never) in [("0..1", true), ("0..2", false)] {
        let text = format!(
            "property-variables: t : {range}\nagent A\n  relabel: t <- 0\n  repeat: s: {{true}} *! (@t = 2 | true)()[]\n\
             agent B\n  local: m : 0..2\n  init: m = 2\n  relabel: t <- m\n  repeat: r: {{true}} *? [m := 0]\n\
             system = A(a, true) || B(x, true)\nSPEC Never: G (x-m = 2)\nSPEC Still: G [true] false\n"
        );
        for reductions in [Reductions::ALL, Reductions::NONE] {
            for (name, holds, _) in verdicts(&text, reductions) {
                assert_eq!(holds, never, "{name}, {range}");
            }
        }
    }
}

#[test]
fn the_third_machine_stays_unconnected() {
    let text = include_str!("../../../examples/rcheck-resources/resources.rcp");
    let answers = verdicts(text, swarmcheck_engine::Reductions::ALL);
    let (_, holds, trace) =
        answers.iter().find(|(name, ..)| name == "AllMachinesConnect").expect("an answer");
    assert!(!holds);
    let trace = trace.as_ref().expect("a trace");
    let from = trace.find("<manager 3: send 'sForward'>").expect("a request");
    let step = &trace[from..from + trace[from..].find("<manager 3: end").expect("its end")];
    assert!(step.contains("machine1 4: cLink := c") && step.contains("machine2 5: cLink := c"), "{step}");
    assert!(!step.contains("machine3"), "{step}");
}

/// No value of the type is meant, so no state satisfies θ, as in definition 2. Every claim holds of no execution.
#[test]
fn an_initial_value_outside_its_type_is_no_initial_state() {
    for (value, states) in [("unit = 4", 0), ("unit = 4 & x", 0), ("unit = -1", 0), ("unit = 3", 2), ("x", 4)]
    {
        let text = format!(
            "agent A\n  local: x : bool, unit : 0..3\n  init: {value}\n  repeat: {{x}} *! (true)[unit := 1]\n\
             system = A(a, true)\nSPEC F (a-unit < 1)\nSPEC G (a-unit > 2)\n"
        );
        let (spec, _) = check(&text);
        let initial = Interpreter::new(&spec.unwrap()).initial().len();
        assert_eq!(initial, states, "{value}");
        for engine in [Decider::Explicit, DIAGRAMS, Decider::Auto] {
            let found = verdicts_by(engine, &text, Reductions::ALL);
            assert_eq!(found.len(), 2);
            for (name, holds, _) in found {
                assert_eq!(holds, states == 0, "{value}, {name}");
            }
        }
    }
}
