//! Formulas of linear time on random R-CHECK systems: the symbolic engines against the explicit one and against a tableau
//! over the definitions. Every counterexample has been replayed on the definitions before it gets here.
//!
//! A failure prints the seed and the script. Put a small one that shows it into `linear/` together with the fix.

#[path = "../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;
#[path = "../../rcheck/tests/common/tableau.rs"]
#[allow(dead_code)]
mod tableau;

#[path = "linear/answers.rs"]
mod answers;

use common::Random;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Note, Reductions, Why};
use swarmcheck_rcheck::check;
use swarmcheck_rcheck::reference::Interpreter;
use swarmcheck_session::verify::{
    Answered, Decider, ENGINES, Entry, Length, Outcome, Reason, VerifyOptions, Violation, verify,
};
use swarmcheck_session::{ModelOptions, Prepared, TraceFormat, prepare};
use swarmcheck_symbolic::Method;
use swarmcheck_testkit::long::{number, run, within};
use tableau::Graph;

/// Searches for executions of growing length go so far. Most counterexamples of small systems are shorter.
const DEPTH: u32 = 10;

/// Systems with more states are left out: the tableau is slow.
const STATES: usize = 150;

/// An engine that has not answered all questions about a system by then is stopped.
const SECONDS: u64 = 60;

#[derive(Default, Debug)]
struct Counts {
    systems: usize,
    /// For each engine, in the order of their table: formulas that hold, that do not, and that were left open.
    verdicts: Vec<[usize; 3]>,
    /// Formulas that the tableau decided as well.
    twice: usize,
    /// Executions that stop, among the counterexamples of the symbolic engines.
    stop: usize,
}

fn open(text: &str) -> Result<Prepared, String> {
    prepare("model.rcp", text.as_bytes(), ModelOptions::default()).map_err(|_| format!("refused:\n{text}"))
}

/// A script with three random formulas.
fn script(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = random.script();
    text.truncate(text.find("SPEC").unwrap_or(text.len()));
    for _ in 0..3 {
        text += &format!("SPEC {}\n", random.formula(3));
    }
    text
}

/// Asks all engines about all formulas of a script. Each engine is asked with and without reductions in turn, and about
/// executions that stop in the same way.
fn compare(text: &str, seed: u64, counts: &mut Counts) -> Result<(), String> {
    let spec = check(text).0.ok_or_else(|| format!("refused:\n{text}"))?;
    let Some(graph) = Graph::new(Interpreter::new(&spec), STATES) else { return Ok(()) };
    let prepared = open(text)?;
    counts.systems += 1;
    counts.verdicts.resize(engines().count(), [0; 3]);
    for ignore_deadlock in [false, true] {
        let mut expected: Vec<Option<bool>> = vec![];
        for (at, entry) in engines().enumerate() {
            let (engine, name) = (entry.decider, entry.name);
            let whole = (seed as usize + at + usize::from(ignore_deadlock)).is_multiple_of(3);
            let reductions = if whole { Reductions::NONE } else { Reductions::ALL };
            let options = VerifyOptions {
                engine,
                reductions,
                ignore_deadlock,
                depth: Some(DEPTH),
                ..VerifyOptions::default()
            };
            let report = within(SECONDS, |stop| {
                let control = Control { stop, budget: Budget::default(), progress: &Silent };
                verify(&prepared, &options, &control).ok()
            });
            let Some(report) = report else { return Err(text.to_string()) };
            for (number, answer) in report.answers.iter().enumerate() {
                let failed = |words: &str| {
                    let evidence = answer.evidence();
                    format!(
                        "seed {seed}, {name}, {} (stopping excused: {ignore_deadlock}, whole: {whole}): {words} \
                         ({evidence})\n{text}",
                        answer.name
                    )
                };
                let bug = answer.reason().is_some_and(Reason::is_bug);
                if bug || answer.notes.contains(&Note::SearchedAgain) {
                    return Err(failed("it failed"));
                }
                let found = match answer.verdict() {
                    Answered::Holds => Some(true),
                    Answered::Violated => Some(false),
                    Answered::Unknown => None,
                    Answered::ModelError => return Err(failed("these models have no errors")),
                };
                let column = found.map_or(2, |holds| usize::from(!holds));
                counts.verdicts[at][column] += 1;
                if at == 0 {
                    // The tableau lets executions that stop rest forever: it has no word for excusing them.
                    let tableau = if ignore_deadlock { None } else { graph.satisfies(&spec.specs[number]) };
                    counts.twice += usize::from(tableau.is_some());
                    if tableau.is_some_and(|holds| Some(holds) != found) {
                        return Err(failed("the tableau says otherwise"));
                    }
                    expected.push(found);
                } else if found.is_some() && found != expected[number] {
                    return Err(failed("the explicit engine says otherwise"));
                } else if let Some(shown) = &answer.trace {
                    counts.stop += usize::from(shown.data.end == "deadlock");
                }
                // Bounded searches may leave a formula open; this one does not, if it has the time.
                if found.is_none() && name == "ic3" && answer.reason() != Some(&Reason::Interrupted) {
                    return Err(failed("left open"));
                }
            }
        }
    }
    Ok(())
}

/// The formula is lost after so many steps.
fn bad_prefix(steps: usize) -> Outcome {
    let length = Length { steps, loop_start: None };
    Outcome::Violated { evidence: Violation::Trace { why: Why::Prefix, length } }
}

/// The engines that answer questions about linear time by themselves: predicate abstraction does not, and solvers are asked
/// elsewhere (`ltl`).
fn engines() -> impl Iterator<Item = &'static Entry> {
    ENGINES.iter().filter(|entry| !matches!(entry.decider, Decider::Abstract | Decider::Smt))
}

#[test]
fn engines_agree_about_linear_time() {
    let mut counts = Counts::default();
    for seed in 0..number("SWARMCHECK_ENGINE_SYSTEMS", 12) {
        compare(&script(seed + 1000), seed, &mut counts).unwrap_or_else(|failure| panic!("{failure}"));
    }
    println!("{counts:?}");
    assert!(counts.systems >= 5 && counts.twice >= 10, "{counts:?}");
    assert!(counts.verdicts.iter().all(|of| of[1] >= 5) && counts.verdicts[3][0] >= 5, "{counts:?}");
}

/// The formulas of the resource-allocation system that counting decides soonest. Executions of the system stop after two
/// dozen steps, so bounded search comes to an end, and decides the others.
const COUNTED: &[&str] = &["ReserveThenRequest", "ForwardConnectsSome", "AsksTheManager"];

/// Sections 5.2 and 6 of the article: every formula about three clients and three machines, on the explicit and on a
/// symbolic engine. The verdicts are those of the example, where their sources are named.
#[test]
fn resources_are_decided_symbolically() {
    let text = include_str!("../../../examples/rcheck-resources/resources.rcp");
    let rows = include_str!("../../../examples/rcheck-resources/swarmcheck.toml");
    let rows = swarmcheck_project::rows(rows).expect("a correct file");
    let prepared = open(text).unwrap_or_else(|failure| panic!("{failure}"));
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let mut decided = 0;
    for row in rows.iter().filter(|row| row.file == "resources.rcp") {
        let (property, expected) = (row.property.as_str(), row.verdict.as_str());
        let symbolic = if COUNTED.contains(&property) { Method::Ic3 } else { Method::Bounded };
        for engine in [Decider::Explicit, Decider::Symbolic(symbolic)] {
            let began = Instant::now();
            let (properties, format) = (vec![property.to_string()], TraceFormat::Sliver);
            let options = VerifyOptions { engine, properties, format, ..VerifyOptions::default() };
            let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
            let answer = &report.answers[0];
            println!("{property}, {engine:?}: {:.1} s: {}", began.elapsed().as_secs_f64(), answer.evidence());
            assert_eq!(answer.verdict().word(), expected, "{property}, {engine:?}: {}", answer.evidence());
            if property == "AllMachinesConnect" {
                // Formula (2) of section 6.3: the manager's first request connects two machines and not the third.
                let trace = &answer.trace.as_ref().expect("a trace").text;
                let step = trace.split("send 'sForward'>").nth(1).expect("a request");
                assert!(step.contains("machine1 4: cLink := c") && step.contains("machine2 5: cLink := c"));
                assert!(!step.contains("machine3"), "{step}");
                // A client must reserve the link before it can ask, and ask before the manager can: three steps, and the
                // formula is lost. The article's counterexample ends there, too.
                assert_eq!(answer.outcome, bad_prefix(3), "{engine:?}");
            }
        }
        decided += 1;
    }
    assert_eq!(decided, 10);
}

/// An `int` without a range that keeps growing: no execution loops, so there is nothing to find and nothing to end the
/// search, and the bound of the search is said in words. Where it stays small, formulas are decided.
#[test]
fn integers_without_ranges_are_searched_within_a_bound() {
    let script = |guard: &str| {
        format!(
            "channels: c\nmessage-structure: M : bool\nagent A\n  local: x : int\n  init: x = 0\n  repeat: {{{guard}}} *! (true)(M := true)[x := x + 1]\n\
             system = A(a, true)\nSPEC Infinitely: G F (a-x = 0)\nSPEC Growing: G (a-x = 1 -> F a-x = 3)\n"
        )
    };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let ask = |guard: &str, method| {
        let engine = Decider::Symbolic(method);
        let options = VerifyOptions { engine, depth: Some(9), ..VerifyOptions::default() };
        let prepared = open(&script(guard)).unwrap_or_else(|failure| panic!("{failure}"));
        let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
        report.answers
    };
    let growing = ask("true", Method::Bounded);
    let Some(Reason::Unsupported { why }) = growing[0].reason() else { panic!("{:?}", growing[0].outcome) };
    assert!(why.starts_with("no counterexample within 9 steps"), "{why}");
    // It counts to 3 and stops: x is 0 only once, and 3 comes after 1.
    for method in [Method::Bounded, Method::Ic3] {
        let stopping = ask("x < 3", method);
        for (answer, expected) in stopping.iter().zip([Answered::Violated, Answered::Holds]) {
            assert_eq!(answer.verdict(), expected, "{method:?}: {}", answer.evidence());
        }
        assert_eq!(stopping.len(), 2, "{method:?}");
    }
}

/// `SWARMCHECK_SYSTEMS=1000 cargo test --release -p swarmcheck-testkit --test linear -- --ignored --nocapture`
#[test]
#[ignore = "takes hours"]
fn engines_agree_about_linear_time_for_long() {
    let mut counts = Counts::default();
    let failures = run(500, 10, |seed| compare(&script(seed), seed, &mut counts));
    println!("{counts:?}");
    assert_eq!(failures, 0);
}
