//! Explanations in traces: what changes, why a run stops, what a loop repeats, what an error met. Expected values are argued
//! beside the models, which are small enough to be run by hand.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::trace::explain::{FaultData, FormulaData, ObstacleData, WaitData};
use swarmcheck_ir::flat::{Enumerate, Machine};
use swarmcheck_ir::program::Role;
use swarmcheck_session::listing::{Flavour, Listing, Style};
use swarmcheck_session::outcome::{Outcome, ShownTrace};
use swarmcheck_session::replay::{ReplayAnswer, replay};
use swarmcheck_session::verify::{Budget, Control, Reductions, VerifyOptions, verify};
use swarmcheck_session::{Answer, ModelOptions, Prepared, prepare};

fn open(name: &str, model: &str, parameters: &[(&str, &str)]) -> Prepared {
    let parameters = parameters.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    match prepare(name, model.as_bytes(), ModelOptions { parameters, ..ModelOptions::default() }) {
        Ok(prepared) => prepared,
        Err(_) => panic!("refused:\n{model}"),
    }
}

fn ask(prepared: &Prepared, options: VerifyOptions) -> Answer {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let Ok(mut report) = verify(prepared, &options, &control) else { panic!("refused") };
    report.answers.remove(0)
}

fn about(prepared: &Prepared, property: &str) -> Answer {
    ask(prepared, VerifyOptions { properties: vec![property.to_string()], ..VerifyOptions::default() })
}

fn shown(answer: &Answer) -> &ShownTrace {
    answer.trace.as_ref().expect("a trace")
}

const PHILOSOPHERS: &str = include_str!("../../../examples/philosophers/philosophers.labs");

/// Each has its own fork (number i, value 1) and waits for the next one, which its neighbour holds. Only giving a fork back
/// changes that value: its owner and the neighbour that took it do so, at the two actions that assign 0.
#[test]
fn a_deadlock_names_the_guard_the_values_and_who_could_change_them() {
    let prepared = open("philosophers.labs", PHILOSOPHERS, &[("n", "3")]);
    let answer = about(&prepared, "NoDeadlock");
    // The property says what a deadlock is, but the trace ends there only by chance; ask for the deadlock itself.
    assert_eq!(shown(&answer).data.property.as_deref(), Some("NoDeadlock"));
    let options = VerifyOptions {
        deadlock: true,
        only: Some(vec!["(deadlock)".to_string()]),
        ..VerifyOptions::default()
    };
    let answer = ask(&prepared, options);
    let trace = &shown(&answer).data;
    let stopped = trace.stopped.as_ref().expect("an explanation");
    assert_eq!(stopped.agents.iter().map(|a| a.agent).collect::<Vec<_>>(), [0, 1, 2]);
    for one in &stopped.agents {
        let [WaitData { what, obstacles, .. }] = &one.waits[..] else { panic!("one action: {one:?}") };
        assert_eq!(what, "fork[(id + 1) % _n] <-- 1");
        let [ObstacleData::Guard { cause, writers }] = &obstacles[..] else { panic!("{obstacles:?}") };
        let next = (one.agent + 1) % 3;
        assert_eq!(cause.condition, "fork[(id + 1) % 3] = 0");
        let values: Vec<_> = cause.values.iter().map(|v| (v.what.clone(), v.value)).collect();
        assert_eq!(values, [(format!("fork[{next}]"), Some(1))]);
        let could: Vec<_> = writers.iter().map(|w| (w.what.as_str(), w.agents.clone())).collect();
        let expected = [("fork[(id + 1) % _n] <-- 0", vec![one.agent]), ("fork[id] <-- 0", vec![next])];
        assert_eq!(could, expected);
    }
}

/// The changes of a step are what the assignments make different. Followed from the initial values, they lead to the values
/// that the assignments themselves lead to.
#[test]
fn changes_tell_the_same_as_assignments() {
    let prepared = open("philosophers.labs", PHILOSOPHERS, &[("n", "3")]);
    let trace = shown(&about(&prepared, "TakingTurns")).data.clone();
    let mut values: Vec<_> =
        trace.initial.iter().map(|w| (w.agent, w.variable.clone(), w.index, w.value)).collect();
    for step in &trace.steps {
        assert!(!step.changes.is_empty(), "every action of a philosopher changes something");
        for change in &step.changes {
            let cell = values.iter_mut().find(|(agent, variable, index, _)| {
                (*agent, variable, *index) == (change.agent, &change.variable, change.index)
            });
            let (.., value) = cell.expect("a known cell");
            assert_eq!(*value, change.old);
            assert_ne!(change.old, change.new);
            *value = change.new;
        }
        for write in &step.writes {
            assert!(values.contains(&(write.agent, write.variable.clone(), write.index, write.value)));
        }
    }
}

/// `A` counts 0, 1, 0, 1 … for ever; `B` waits for 2, which never comes; `C` could set its flag at any time, and is never
/// chosen. So a lasso without `done` repeats the actions of `A`.
const LOOP: &str = "
system { environment = x: 0  spawn = A: 1, B: 1, C: 1 }
agent A { interface = n: 0  Behavior = x <-- 1 - x; Behavior }
agent B { interface = b: 0  Behavior = x = 2 -> b <- 1 }
agent C { interface = c: 0  Behavior = c <- 1 }
check { Done = eventually exists C q, c of q = 1 }
";

#[test]
fn a_loop_names_what_repeats_and_who_does_not_move() {
    let prepared = open("loop.labs", LOOP, &[]);
    let answer = about(&prepared, "Done");
    let repeats = shown(&answer).data.repeats.clone().expect("a loop");
    let what: Vec<_> = repeats.repeats.iter().map(|r| (r.agent, r.what.as_str())).collect();
    assert_eq!(what, [(0, "x <-- 1 - x")]);
    let still: Vec<_> = repeats.still.iter().map(|s| (s.agent, s.able)).collect();
    assert_eq!(still, [(1, false), (2, true)]);
    let [WaitData { obstacles, .. }] = &repeats.still[0].waits[..] else { panic!("{repeats:?}") };
    let [ObstacleData::Guard { cause, .. }] = &obstacles[..] else { panic!("{obstacles:?}") };
    assert_eq!((cause.condition.as_str(), cause.holds), ("x = 2", false));
}

#[test]
fn the_end_of_a_process_is_told_from_waiting() {
    let model = "
system { environment = x: 0  spawn = A: 1, B: 1 }
agent A { interface = a: 0  Behavior = a <- 1 }
agent B { interface = b: 0  Behavior = x > 0 -> b <- 1 }
check { Both = eventually exists B q, b of q = 1 }
";
    let prepared = open("ends.labs", model, &[]);
    let answer = about(&prepared, "Both");
    let stopped = shown(&answer).data.stopped.clone().expect("it stops");
    assert!(stopped.agents[0].waits.is_empty());
    let [WaitData { obstacles, .. }] = &stopped.agents[1].waits[..] else { panic!("{stopped:?}") };
    // Nobody writes x at all.
    assert!(matches!(&obstacles[..], [ObstacleData::Guard { writers, .. }] if writers.is_empty()));
}

/// The second agent has a guard that is about its number.
#[test]
fn a_guard_about_the_number_of_an_agent_is_told() {
    let model = "
system { spawn = N: 2 }
agent N { interface = x: 0  Behavior = id = 0 -> x <- 1 }
check { All = eventually forall N a, x of a = 1 }
";
    let prepared = open("two.labs", model, &[]);
    let answer = about(&prepared, "All");
    let stopped = shown(&answer).data.stopped.clone().expect("it stops");
    let [WaitData { obstacles, .. }] = &stopped.agents[1].waits[..] else { panic!("{stopped:?}") };
    let [ObstacleData::Guard { cause, writers }] = &obstacles[..] else { panic!("{obstacles:?}") };
    assert_eq!((cause.condition.as_str(), cause.holds, writers.len()), ("id = 0", false, 0));
}

fn fault(model: &str) -> FaultData {
    let prepared = open("fault.labs", model, &[]);
    // Reductions leave out a number that is too large where nothing depends on it.
    let options = VerifyOptions { reductions: Reductions::NONE, ..VerifyOptions::default() };
    match ask(&prepared, options).outcome {
        Outcome::ModelError { error, .. } => error.detail.expect("a detail"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_error_of_the_model_names_what_it_met() {
    let index = "
system { environment = log[3]: 0; i: 5  spawn = A: 1 }
agent A { interface = a: 0  Behavior = log[i] <-- 1 }
check { P = always log[0] = 0 }
";
    assert_eq!(fault(index), FaultData::Index { variable: Some("log".to_string()), index: 5, cells: 3 });
    let large = "
system { environment = big: 9223372036854775807  spawn = A: 1 }
agent A { interface = a: 0  Behavior = a <- big + 2 }
check { P = always forall A x, a of x < 5 }
";
    let (left, right, operator) = (i64::MAX, 2, "+".to_string());
    assert_eq!(fault(large), FaultData::Overflow { left, operator, right });
}

/// Two agents both enter: then two are inside, where one may be.
#[test]
fn parts_of_a_property_are_told_when_they_change() {
    let model = "
system { environment = busy: 0  spawn = A: 2 }
agent A { interface = inside: 0  Behavior = { busy <-- 1; inside <- 1 } }
check { Free = always busy = 0 or (count A a, inside of a = 1) < 2 }
";
    let prepared = open("parts.labs", model, &[]);
    let trace = shown(&about(&prepared, "Free")).data.clone();
    assert_eq!(trace.steps.len(), 2);
    let truths = |at: usize| {
        let of = trace.steps[at].truths.iter();
        of.map(|t| (t.part.as_str(), t.holds)).collect::<Vec<_>>()
    };
    assert_eq!(truths(0), [("busy = 0", false)]);
    assert_eq!(truths(1), [("(count A a, inside of a = 1) < 2", false)]);
    let because = &trace.steps[1].properties[0].because;
    let last: Vec<_> =
        because.iter().flat_map(|c| c.values.iter()).map(|v| (v.what.as_str(), v.value)).collect();
    assert_eq!(last, [("busy", Some(1)), ("(count A a, inside of a = 1)", Some(2))]);
}

/// Old traces have neither changes nor explanations. They are read, replayed and listed.
#[test]
fn traces_without_explanations_are_read() {
    let prepared = open("philosophers.labs", PHILOSOPHERS, &[("n", "3")]);
    let answer = about(&prepared, "TakingTurns");
    let mut json = serde_json::to_value(&shown(&answer).data).unwrap();
    for field in ["property", "truths", "because", "stopped", "repeats", "fault", "tried"] {
        json.as_object_mut().unwrap().remove(field);
    }
    for step in json["steps"].as_array_mut().unwrap() {
        let step = step.as_object_mut().unwrap();
        step.remove("changes");
        step.remove("truths");
        for property in step.get_mut("properties").and_then(|p| p.as_array_mut()).into_iter().flatten() {
            property.as_object_mut().unwrap().remove("because");
        }
    }
    let old: TraceData = serde_json::from_value(json).unwrap();
    let replayed = replay(&old, "philosophers.labs", PHILOSOPHERS.as_bytes()).map_err(|_| ()).unwrap();
    assert!(matches!(replayed, ReplayAnswer::Accepted { .. }), "{replayed:?}");
    let style = Style::default();
    let listed = Listing::whole(&shown(&answer).legend, style, &old, None);
    assert!(listed.contains("fork[0]: 0 → 1"), "{listed}");
}

#[test]
fn a_listing_has_colours_or_markdown_only_if_asked() {
    let prepared = open("loop.labs", LOOP, &[]);
    let answer = about(&prepared, "Done");
    let list = |flavour| {
        let ShownTrace { data, legend, .. } = shown(&answer);
        Listing::whole(legend, Style { flavour, full: false }, data, None)
    };
    let plain = list(Flavour::Plain);
    assert!(!plain.contains('\u{1b}') && !plain.contains('`'));
    let ansi = list(Flavour::Ansi);
    let mut stripped = String::new();
    let mut rest = ansi.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        stripped += before;
        rest = after.split_once('m').expect("the end of a colour").1;
    }
    assert_eq!(stripped + rest, plain);
    assert!(list(Flavour::Markdown).contains("`x: 0 → 1`"));
}

/// Each holds what the next one needs, so the circle goes through all of them. Dining philosophers is what circular wait was
/// named after.
#[test]
fn a_circle_of_agents_that_wait_is_told() {
    let prepared = open("philosophers.labs", PHILOSOPHERS, &[("n", "3")]);
    let only = Some(vec!["(deadlock)".to_string()]);
    let answer = ask(&prepared, VerifyOptions { deadlock: true, only, ..VerifyOptions::default() });
    let text = &shown(&answer).text;
    let circle = "in a circle: Phil 0 waits for Phil 1, Phil 1 waits for Phil 2, Phil 2 waits for Phil 0\n";
    assert!(text.trim_start().ends_with(circle), "{text}");
}

/// The agents are at 0, 1 and 4, and those at a distance of at most 1 are linked. So what agent 0 says reaches agent 1 only.
#[test]
fn a_message_says_whom_the_link_predicate_left_out() {
    let model = "system { spawn = A: 3 }
stigmergy S { link = abs(x of 1 - x of 2) <= 1  v: 0 }
agent A { interface = x: id * id  stigmergies = S  Behavior = id = 0 -> v <~ 7 }
check { Unheard = always forall A a, id of a != 1 or v of a = 0 }
";
    let answer = about(&open("near.labs", model, &[]), "Unheard");
    let trace = &shown(&answer).data;
    let unlinked: Vec<&[u32]> = trace.steps.iter().map(|step| &step.unlinked[..]).collect();
    assert_eq!(unlinked, [&[][..], &[2]]);
    let text = &shown(&answer).text;
    let expected = "  2. A 0 propagates v\n     delivered to A 1: v: 0 → 7\n     not to A 2: not linked\n";
    assert!(text.contains(expected), "{text}");
}

/// If all agents were linked, a message would reach those whom it reaches and those whom the link predicate leaves out. The
/// agents go to and fro between two places, and those at the same place are linked.
#[test]
fn those_left_out_are_those_whom_a_message_would_reach_if_all_were_linked() {
    let model = |link: &str| {
        let text = format!(
            "system {{ spawn = A: 4 }}
stigmergy S {{ link = {link}  v: id }}
agent A {{
  interface = x: [0..2]; y: 0
  stigmergies = S
  Behavior = (x <- 1 - x; Behavior) ++ (v <~ (v + 1) % 5; Behavior) ++ (y <- v; Behavior)
}}
check {{ P = always true }}
"
        );
        open("go.labs", &text, &[])
    };
    let (prepared, everywhere) = (model("x of 1 = x of 2"), model("true"));
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let format = swarmcheck_session::TraceFormat::Json;
    let options =
        swarmcheck_session::SimulateOptions { runs: 5, steps: 60, seed: 3, format, ..Default::default() };
    let mut out = vec![];
    swarmcheck_session::simulate::simulate(&prepared, options, &control, &mut out).unwrap();
    let mut machine = Machine::new(&everywhere.flat);
    let (mut messages, mut left_out) = (0, 0);
    for line in String::from_utf8(out).unwrap().lines() {
        let trace: TraceData = serde_json::from_str(line).unwrap();
        let Ok(plan) = swarmcheck_session::walk::plan(&prepared, &trace) else { panic!("a run is a run") };
        let mut before = &plan.initial;
        for (step, planned) in trace.steps.iter().zip(&plan.steps) {
            let told: BTreeSet<u32> = step.writes.iter().filter_map(|write| write.agent).collect();
            if step.rule == "action" {
                assert!(step.unlinked.is_empty());
            } else {
                let mut state = before.clone();
                machine.step(&everywhere.flat, planned.instance, &mut state, &mut Enumerate::default());
                let data = |slot: u32| {
                    let cell = everywhere.flat.layout.cell(slot);
                    let is_data = matches!(everywhere.flat.program.var(cell.var).role, Role::Data { .. });
                    cell.agent.filter(|_| is_data)
                };
                let all: BTreeSet<u32> =
                    machine.writes().iter().filter_map(|(slot, _)| data(*slot)).collect();
                let expected: Vec<u32> = all.difference(&told).copied().collect();
                assert_eq!(step.unlinked, expected);
                messages += 1;
                left_out += expected.len();
            }
            before = &planned.state;
        }
    }
    assert!(messages > 50 && left_out > 20, "{messages} messages, {left_out} left out");
}

/// a sends for ever, and both b and d receive every message and set x to f. That is 0 for b, so it is b of which x is never 1, and x
/// of d is 1 from the first step on. Both are named in the premise before.
const RECEIVERS: &str = "channels: c
message-structure: M : 0..1
agent A
  local: n : 0..1
  init: n = 0
  receive-guard: true
  repeat: (s: <true> * ! (true)(M := 0)[n := 1 - n])
agent B
  local: x : 0..1, f : 0..1
  init: x = 0
  receive-guard: true
  repeat: (r: <true> * ? [x := f])
system = A(a, true) || B(b, f = 0) || B(d, f = 1)
SPEC All : (forall j : B . G F j-r) -> (forall j : B . G F j-x = 1);
";

#[test]
fn a_formula_names_the_agent_that_decides_a_quantifier() {
    let answer = about(&open("receivers.rcp", RECEIVERS, &[]), "All");
    let agent = |agent: &str| FormulaData::Agent { name: "j".to_string(), agent: agent.to_string() };
    let forever = |part: &str, holds: bool| FormulaData::Forever {
        part: part.to_string(),
        after: 0,
        holds,
        resting: false,
    };
    let expected = [
        agent("b"),
        forever("F j-r", true),
        agent("d"),
        forever("F j-r", true),
        agent("b"),
        forever("j-x = 1", false),
    ];
    assert_eq!(shown(&answer).data.formula, expected);
}

/// There is exactly one step: a sends, b receives, and x becomes 1, which closes the guard. So the second `X` of a formula leads to
/// where the system rests, and what is said there is not about step 1.
const RESTS: &str = "channels: c
message-structure: M : 0..1
agent A
  local: x : 0..1
  init: x = 0
  receive-guard: true
  repeat: (s: <x = 0> * ! (true)(M := 0)[x := 1])
agent B
  local: y : 0..1
  init: y = 0
  receive-guard: true
  repeat: (r: <true> * ? [])
system = A(a, true) || B(b, true)
SPEC Receives : X X b-r;
SPEC Opens : X X (!b-r -> F b-y = 1);
SPEC Leaves : (exists j : B . X j-y = 1) | X a-x = 0;
";

#[test]
fn a_formula_that_fails_where_the_system_rests_is_told_about_no_step() {
    let prepared = open("rests.rcp", RESTS, &[]);
    let told = |property: &str| shown(&about(&prepared, property)).data.formula.clone();
    let text = |part: &str| part.to_string();
    let [FormulaData::Condition { part, after: 1, holds: false, resting: true, .. }] = &told("Receives")[..]
    else {
        panic!("{:?}", told("Receives"))
    };
    assert_eq!(part, "b-r");
    let expected = [
        FormulaData::Opened { part: text("!b-r"), after: 1, became: false, resting: true },
        FormulaData::Forever { part: text("b-y = 1"), after: 1, holds: false, resting: true },
    ];
    assert_eq!(told("Opens"), expected);
    // After step 1, y is 0 and x is 1; the second fact is about no j.
    let [first, FormulaData::Condition { resting: false, .. }, FormulaData::Outside, last] =
        &told("Leaves")[..]
    else {
        panic!("{:?}", told("Leaves"))
    };
    assert_eq!(*first, FormulaData::Agent { name: text("j"), agent: text("b") });
    assert!(matches!(last, FormulaData::Condition { part, after: 1, .. } if part == "a-x = 0"), "{last:?}");
}
