//! Questions of reachability against brute force, and the length of traces that were minimised.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reads the examples, counts, and waits for engines"
)]

mod common;

use common::{ask, text};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::{Progress, Snapshot};
use swarmcheck_ir::flat::{Enumerate, Flat, Machine, Outcome};
use swarmcheck_session::outcome::{Evidence, Violation};
use swarmcheck_session::replay::{ReplayAnswer, replay};
use swarmcheck_session::verify::{
    Answer, Answered, Budget, Control, Decider, Outcome as Found, Reductions, VerifyOptions, verify,
};
use swarmcheck_session::{Choice, ModelOptions, Prepared, prepare};

/// Two agents that count modulo different numbers; the one may only go on while the other is even.
const COUNTERS: &str = "system { environment = wish: undef  spawn = A: 1, B: 1 }
agent A { interface = x: 0  Behavior = x <- (x + 1) % 3; Behavior }
agent B { interface = y: 0  Behavior = y < 4 -> { y <- y + 1; wish <-- y }; Behavior }
check { Never = always forall B b, y of b < 9 }
";

fn opened(model: &str, reach: &str) -> Prepared {
    let options = ModelOptions { reach: Some(reach.to_string()), ..ModelOptions::default() };
    prepare("m.labs", model.as_bytes(), options).unwrap_or_else(|_| panic!("{reach} is refused"))
}

fn asked(prepared: &Prepared, options: &VerifyOptions) -> Vec<Answer> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    match verify(prepared, options, &control) {
        Ok(report) => report.answers,
        Err(_) => panic!("refused"),
    }
}

/// All reachable states with their distance from an initial one, by the plainest search there is.
fn distances(flat: &Flat) -> Vec<(Vec<i64>, usize)> {
    let mut machine = Machine::new(flat);
    let mut out: Vec<(Vec<i64>, usize)> = vec![];
    let mut seen: HashSet<Vec<i64>> = HashSet::new();
    let mut ways = Enumerate::default();
    loop {
        let mut state = vec![0; flat.width()];
        if machine.initialise(flat, &mut state, &mut ways) == Outcome::Done && seen.insert(state.clone()) {
            out.push((state, 0));
        }
        if !ways.advance() {
            break;
        }
    }
    let mut next = 0;
    while next < out.len() {
        let (from, depth) = out[next].clone();
        next += 1;
        for number in 0..flat.instances() {
            let mut ways = Enumerate::default();
            loop {
                let mut state = from.clone();
                let done = machine.step(flat, flat.instance(number), &mut state, &mut ways) == Outcome::Done;
                if done && seen.insert(state.clone()) {
                    out.push((state, depth + 1));
                }
                if !ways.advance() {
                    break;
                }
            }
        }
    }
    out
}

/// Every predicate about values of `x` and `y`, and about one that is undefined at first: reachable or not, and how soon, as a
/// search says that does not know predicates.
#[test]
fn what_is_reachable_is_what_brute_force_reaches() {
    let flat_of = |reach: &str| opened(COUNTERS, reach);
    let cells = |prepared: &Prepared, name: &str| {
        let var = prepared.flat.program.vars.iter().position(|v| v.name == name).unwrap();
        (0..prepared.flat.width() as u32)
            .find(|s| prepared.flat.layout.cell(*s).var.0 as usize == var)
            .unwrap()
    };
    let (mut yes, mut no) = (0, 0);
    let undefined = swarmcheck_ir::UNDEF;
    for x in 0..4 {
        for y in 0..6 {
            for wish in [None, Some(1), Some(3)] {
                let more = wish.map_or(String::new(), |w| format!(" and !(wish = {w})"));
                let reach = format!("exists A a, exists B b, x of a = {x} and y of b = {y}{more}");
                let prepared = flat_of(&reach);
                let (at_x, at_y, at_w) =
                    (cells(&prepared, "x"), cells(&prepared, "y"), cells(&prepared, "wish"));
                // A negation of what is undefined is not satisfied.
                let fits = |state: &[i64]| {
                    let w = state[at_w as usize];
                    state[at_x as usize] == x
                        && state[at_y as usize] == y
                        && wish.is_none_or(|wanted| w != undefined && w != wanted)
                };
                let soonest =
                    distances(&prepared.flat).into_iter().filter(|(s, _)| fits(s)).map(|(_, d)| d).min();
                for engine in ["explicit", "bmc", "ic3", "bdd"] {
                    let engine = Decider::named(engine).unwrap();
                    let options = VerifyOptions {
                        engine,
                        depth: Some(12),
                        reach: Some(reach.clone()),
                        ..VerifyOptions::default()
                    };
                    let answers = asked(&prepared, &options);
                    assert_eq!(answers.len(), 1, "nothing else is asked");
                    match (&answers[0].outcome, soonest) {
                        (Found::Holds { evidence: Evidence::Reached { steps }, .. }, Some(d)) => {
                            assert_eq!(*steps, d, "{reach}, {engine:?}");
                            yes += 1;
                        }
                        (Found::Violated { evidence: Violation::Unreachable { .. } }, None) => no += 1,
                        // Bounded search proves only where executions end.
                        (Found::Unknown { .. }, None) if Some(engine) == Decider::named("bmc") => {}
                        (other, _) => panic!("{reach}, {engine:?}: {other:?}, {soonest:?}"),
                    }
                }
            }
        }
    }
    assert!(yes > 50 && no > 50, "{yes} {no}");
}

/// The trace names the predicate, so it can be replayed later, and another predicate is refused.
#[test]
fn a_trace_to_a_predicate_is_replayed_with_it() {
    let reach = "exists B b, y of b = 2";
    let prepared = opened(COUNTERS, reach);
    let options = VerifyOptions { reach: Some(reach.to_string()), ..VerifyOptions::default() };
    let answers = asked(&prepared, &options);
    let mut trace = answers[0].trace.as_ref().unwrap().data.clone();
    assert_eq!(trace.reach.as_deref(), Some(reach));
    let accepted = |trace: &TraceData| match replay(trace, "m.labs", COUNTERS.as_bytes()) {
        Ok(answer) => matches!(answer, ReplayAnswer::Accepted { steps: 2, .. }),
        Err(_) => panic!("the model is refused"),
    };
    assert!(accepted(&trace));
    trace.reach = Some("exists B b, y of b = 3".to_string());
    assert!(!accepted(&trace));
}

/// An array of three cells is written at index 3 in the fourth step, before anything else.
#[test]
fn an_error_on_the_way_to_a_predicate_is_an_error_of_the_model() {
    let model = "system { environment = log[3]: 0; i: 0  spawn = A: 1 }
        agent A { Behavior = { n := i + 1; log[i], i <-- 1, n }; Behavior }
        check { P = always log[0] < 5 }";
    let prepared = opened(model, "log[0] = 5");
    let options = VerifyOptions { reach: Some("log[0] = 5".to_string()), ..VerifyOptions::default() };
    let answer = asked(&prepared, &options).remove(0);
    assert_eq!(answer.verdict(), Answered::ModelError, "{}", answer.evidence());
    let trace = answer.trace.expect("a trace").data;
    assert_eq!((trace.steps.len(), trace.reach.as_deref()), (3, None));
}

/// Names of properties are asked besides; without the predicate they are all there is.
#[test]
fn other_questions_are_asked_if_they_are_named() {
    let prepared = opened(COUNTERS, "wish = 4");
    let named =
        VerifyOptions { properties: vec!["Never".to_string()], deadlock: true, ..VerifyOptions::default() };
    let names = |options| asked(&prepared, options).into_iter().map(|a| a.name).collect::<Vec<_>>();
    assert_eq!(names(&named), ["Never", "(reach) wish = 4", "(deadlock)"]);
    assert_eq!(names(&VerifyOptions::default()), ["(reach) wish = 4"]);
    let plain = text("m.labs", COUNTERS, "", false);
    assert_eq!(ask(&plain, "Never", VerifyOptions::default())[0].verdict(), Answered::Holds);
}

/// A row of an example's project file that is violated.
struct Row {
    line: String,
    prepared: Prepared,
    options: VerifyOptions,
}

/// All violated rows whose number of states is known and at most this, in all examples.
fn violated_rows(most: u64) -> Vec<Row> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut folders: Vec<_> = std::fs::read_dir(examples).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    let mut out = vec![];
    for folder in folders {
        let Ok(project) = std::fs::read_to_string(folder.join(swarmcheck_project::FILE)) else { continue };
        for row in swarmcheck_project::rows(&project).unwrap() {
            let labs = row.file.ends_with(".labs");
            let large = row.states.map_or(labs, |states| states > most);
            if row.verdict != "violated" || !(labs || row.file.ends_with(".rcp")) {
                continue;
            }
            if row.options.contains("--steps") || row.options.contains("--fairness") || large {
                continue;
            }
            let pairs = row.parameters.split_whitespace().filter_map(|p| p.split_once('='));
            let model = ModelOptions {
                parameters: pairs.map(|(n, v)| (n.to_string(), v.to_string())).collect(),
                fair: row.options.contains("--fair"),
                choice: if row.options.contains("early") { Choice::Early } else { Choice::Late },
                ..ModelOptions::default()
            };
            let text = std::fs::read(folder.join(&row.file)).unwrap();
            let Ok(prepared) = prepare(&row.file, &text, model) else { panic!("{}", row.name()) };
            let deadlock = row.property == swarmcheck_project::DEADLOCK;
            let options = VerifyOptions {
                properties: if deadlock { vec![] } else { vec![row.property.clone()] },
                only: Some(vec![row.property.clone()]),
                deadlock,
                reductions: Reductions { ranges: true, packed: true, ..Reductions::NONE },
                cross_check: true,
                ..VerifyOptions::default()
            };
            out.push(Row { line: row.name(), prepared, options });
        }
    }
    out
}

/// A clock, so that engines that take long are not waited for.
struct Clock(Instant);

impl Progress for Clock {
    fn report(&self, _: Snapshot) {}

    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

fn length(answer: &Answer) -> Option<usize> {
    let Found::Violated { evidence: Violation::Trace { length, .. } } = &answer.outcome else { return None };
    Some(length.steps)
}

/// Of the traces of other engines, how many are as short as that of the explicit engine, which is breadth-first without
/// reductions. Every trace was replayed on the rules, or it would not be there.
fn measured(most: u64) -> (usize, usize) {
    let (mut as_short, mut all) = (0, 0);
    let mut by_engine: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for row in violated_rows(most) {
        let run = |minimise: bool| {
            let clock = Clock(Instant::now());
            let stop = AtomicBool::new(false);
            let control = Control { stop: &stop, budget: Budget::default(), progress: &clock };
            let options = VerifyOptions { minimise, ..row.options.clone() };
            verify(&row.prepared, &options, &control).unwrap_or_else(|_| panic!("{}", row.line)).answers
        };
        let answers = run(true);
        let Some(shortest) =
            answers.iter().find(|a| a.engine.as_deref() == Some("explicit")).and_then(length)
        else {
            continue;
        };
        let found = run(false);
        for answer in answers.iter().filter(|a| a.engine.as_deref() != Some("explicit")) {
            let Some(steps) = length(answer) else { continue };
            let before = found.iter().find(|a| a.engine == answer.engine).and_then(length);
            let counts = by_engine.entry(answer.engine.clone().unwrap()).or_default();
            counts[0] += usize::from(before.is_some_and(|before| before <= shortest));
            counts[1] += usize::from(steps <= shortest);
            counts[2] += 1;
            as_short += usize::from(steps <= shortest);
            all += 1;
            if steps > shortest {
                println!("{} {:?}: {before:?} -> {steps}, {shortest}", row.line, answer.engine);
            }
        }
    }
    for (engine, [before, after, all]) in &by_engine {
        println!("{engine}: {before} of {all} as short as found, {after} of {all} minimised");
    }
    println!("{as_short} of {all} symbolic traces are as short as the explicit engine's");
    (as_short, all)
}

#[test]
fn minimised_traces_are_as_short_as_the_shortest() {
    let (as_short, all) = measured(150);
    assert!(all >= 30, "{all}");
    assert!(as_short * 10 >= all * 9, "{as_short} of {all}");
}

#[test]
#[ignore = "takes minutes"]
fn minimised_traces_of_larger_systems_are_as_short_as_the_shortest() {
    let (as_short, all) = measured(100_000);
    assert!(all >= 60, "{all}");
    assert!(as_short * 10 >= all * 9, "{as_short} of {all}");
}

/// Two agents may each break the rule alone, in one way each; and one of them in a second way, after a detour.
const WAYS: &str = "system { environment = broken: 0  spawn = A: 1, B: 1 }
agent A { Behavior = broken <-- 1 ++ (Skip; broken <-- 2) }
agent B { Behavior = Skip; broken <-- 3 }
check { Whole = always broken = 0 }
";

/// Whole is violated by the first step that writes to `broken`. The steps that matter are that step and those of the same
/// agent before it, so there are three ways: A's first write, A's second write after its `Skip`, and B's write after its
/// own. `Skip` of the other agent makes no difference.
#[test]
fn several_executions_differ_in_what_matters() {
    let prepared = text("ways.labs", WAYS, "", false);
    for (wanted, lengths) in [(1, vec![1]), (2, vec![1, 2]), (3, vec![1, 2, 2]), (50, vec![1, 2, 2])] {
        let answers = ask(&prepared, "Whole", VerifyOptions { traces: wanted, ..VerifyOptions::default() });
        let answer = &answers[0];
        let first = &answer.trace.as_ref().unwrap().data;
        let all: Vec<&TraceData> =
            std::iter::once(first).chain(answer.others.iter().map(|o| &o.data)).collect();
        assert_eq!(all.iter().map(|t| t.steps.len()).collect::<Vec<_>>(), lengths);
        let acts = |t: &&TraceData| {
            let mut acts: Vec<String> = t.steps.iter().map(|s| format!("{} {:?}", s.agent, s.at)).collect();
            acts.sort();
            acts
        };
        assert_eq!(all.iter().map(acts).collect::<HashSet<_>>().len(), all.len());
    }
}

/// Every message on `sync` goes to both replicas, with the same data, so they never differ; but between a write and the next
/// `sync` the primary is ahead. The shortest way to that is one step, and that to a replica with 1 is two.
#[test]
fn predicates_of_r_check_are_formulas_over_states() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rcheck-store/store.rcp");
    let text = std::fs::read(path).unwrap();
    let open = |reach: &str| {
        let options = ModelOptions { reach: Some(reach.to_string()), ..ModelOptions::default() };
        prepare("store.rcp", &text, options)
    };
    let steps = |reach: &str| {
        let Ok(prepared) = open(reach) else { panic!("{reach} is refused") };
        match &asked(&prepared, &VerifyOptions::default())[..] {
            [Answer { outcome: Found::Holds { evidence: Evidence::Reached { steps }, .. }, .. }] => {
                Some(*steps)
            }
            [Answer { outcome: Found::Violated { evidence: Violation::Unreachable { .. } }, .. }] => None,
            other => panic!("{reach}: {other:?}"),
        }
    };
    assert_eq!(steps("r1-first = 1 & r2-first = 0"), None);
    assert_eq!(steps("primary-first = 1 & r1-first = 0"), Some(1));
    assert_eq!(steps("forall r : Replica . r-first = 1"), Some(2));
    for (wrong, at) in [("F r1-first = 1", 0), ("r1-first = 1) | (r2-first = 1", 12), ("r1-frst = 1", 3)] {
        let Err(swarmcheck_session::Trouble::File(file, list)) = open(wrong) else { panic!("{wrong}") };
        assert_eq!((file.name(), file.text()), ("<predicate>", wrong));
        assert_eq!(list[0].primary.span.start, at, "{wrong}: {list:?}");
    }
}

/// The negation is made after ⊥ was decided about: what is undefined is reached by neither a condition nor its negation.
#[test]
fn what_is_undefined_satisfies_neither_a_predicate_nor_its_negation() {
    let model = "system { environment = e: undef  spawn = A: 1 }
agent A { interface = x: 0  Behavior = x < 2 -> x <- x + 1; Behavior }
check { Fine = always forall A a, x of a < 3 }
";
    for reach in ["e = 1", "e != 1", "!(e = 1)", "!(e = 1) or !(e = 2)"] {
        let answers = asked(&opened(model, reach), &VerifyOptions::default());
        assert_eq!(answers[0].outcome.word(), "unreachable", "{reach}");
    }
    let answers = asked(&opened(model, "!(e = 1) or exists A a, x of a = 2"), &VerifyOptions::default());
    assert_eq!(answers[0].outcome.word(), "reachable");
}
