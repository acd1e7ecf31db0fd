//! Random runs of every example are accepted by the reference semantics, and damaged ones are refused.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::{Budget, Control, Silent};
use swarmcheck_engine::trace::data::{PendingData, PropertyData, TraceData};
use swarmcheck_session::replay::{ReplayAnswer, read, replay};
use swarmcheck_session::simulate::simulate;
use swarmcheck_session::{Choice, ModelOptions, Semantics, SimulateOptions, TraceFormat, prepare, words};

/// The example models with small parameters, taken from the first model of their project file.
fn instances() -> Vec<(PathBuf, Vec<(String, String)>)> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut out: Vec<(PathBuf, Vec<(String, String)>)> = vec![];
    let mut folders: Vec<PathBuf> = std::fs::read_dir(examples).unwrap().map(|e| e.unwrap().path()).collect();
    folders.sort();
    for folder in folders {
        let Ok(text) = std::fs::read_to_string(folder.join(swarmcheck_project::FILE)) else { continue };
        for row in swarmcheck_project::rows(&text).expect("a correct file") {
            let path = folder.join(&row.file);
            if out.iter().any(|(known, _)| *known == path) {
                continue;
            }
            let pairs = row.parameters.split_whitespace().filter_map(|p| p.split_once('='));
            out.push((path, pairs.map(|(n, v)| (n.to_string(), v.to_string())).collect()));
        }
    }
    assert!(out.len() >= 14, "only {} instances", out.len());
    out
}

fn run(path: &Path, options: ModelOptions, seed: u64, steps: u64) -> String {
    run_text(&path.to_string_lossy(), &std::fs::read(path).unwrap(), options, seed, steps)
}

fn run_text(name: &str, bytes: &[u8], options: ModelOptions, seed: u64, steps: u64) -> String {
    let prepared = prepare(name, bytes, options)
        .unwrap_or_else(|trouble| panic!("{name}: {}", words::refusal(&trouble.into())));
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = SimulateOptions {
        steps,
        runs: 1,
        seed,
        format: TraceFormat::Json,
        traces: true,
        ..SimulateOptions::default()
    };
    let mut out = vec![];
    simulate(&prepared, options, &control, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn answer(path: &Path, trace: &TraceData) -> Result<usize, String> {
    answer_named(&path.to_string_lossy(), &std::fs::read(path).unwrap(), trace)
}

fn answer_text(bytes: &[u8], trace: &TraceData) -> Result<usize, String> {
    answer_named("model", bytes, trace)
}

/// The name tells the language.
fn answer_named(name: &str, bytes: &[u8], trace: &TraceData) -> Result<usize, String> {
    match replay(trace, name, bytes) {
        Ok(ReplayAnswer::Accepted { steps, .. }) => Ok(steps),
        Ok(ReplayAnswer::Refused { step: Some(step), why }) => Err(format!("step {step}: {why}")),
        Ok(ReplayAnswer::Refused { step: None, why }) => Err(why),
        Ok(ReplayAnswer::Undecided { why, .. }) => Err(format!("undecided: {why}")),
        Err(_) => Err("the model is wrong".to_string()),
    }
}

#[test]
fn runs_of_all_examples_are_runs_of_the_rules() {
    let mut steps = 0;
    for (path, parameters) in instances() {
        for (fair, semantics, choice, sync) in [
            (false, Semantics::Sliver, Choice::Late, false),
            (true, Semantics::Sliver, Choice::Late, false),
            (false, Semantics::Paper, Choice::Late, false),
            (false, Semantics::Sliver, Choice::Early, false),
            (true, Semantics::Paper, Choice::Early, false),
            (false, Semantics::Sliver, Choice::Late, true),
            (true, Semantics::Paper, Choice::Early, true),
        ] {
            // Only LAbS can be read in several ways.
            let plain = !fair && !sync && semantics == Semantics::Sliver && choice == Choice::Late;
            if !plain && path.extension().is_none_or(|e| e != "labs") {
                continue;
            }
            let options = ModelOptions {
                parameters: parameters.clone(),
                fair,
                semantics,
                choice,
                sync,
                ..ModelOptions::default()
            };
            for seed in 0..3 {
                let trace = read(&run(&path, options.clone(), seed, 40)).unwrap();
                steps += answer(&path, &trace).unwrap_or_else(|why| panic!("{path:?} seed {seed}: {why}"));
            }
        }
    }
    assert!(steps > 1000, "only {steps} steps were replayed");
}

/// Ten agents have 2¹⁰ ways to start with early choice, and those that picked wrongly are stuck.
#[test]
fn deadlocks_of_early_choice_are_deadlocks_of_early_choice_only() {
    let text = "system { environment = e: 0; spawn = A: 10 }
        agent A { Behavior = (e < 100 -> e <-- e + 1) ++ (e > 100 -> e <-- 0) }";
    let options = ModelOptions { choice: Choice::Early, ..ModelOptions::default() };
    let mut trace = read(&run_text("model", text.as_bytes(), options, 1, 40)).unwrap();
    assert!(trace.end == "deadlock" && trace.steps.len() < 10, "{} steps", trace.steps.len());
    assert_eq!(answer_text(text.as_bytes(), &trace), Ok(trace.steps.len()));
    trace.choice = "late".to_string();
    let refused = answer_text(text.as_bytes(), &trace).unwrap_err();
    assert!(refused.contains("a step is possible"), "{refused}");
}

/// Small damage to a trace, each of a different kind. `None` if the trace has nothing to damage in that way.
fn damaged(trace: &TraceData, kind: usize, at: usize) -> Option<TraceData> {
    let mut out = trace.clone();
    let step = out.steps.get_mut(at)?;
    match kind {
        0 => {
            let write = step.writes.first_mut()?;
            write.value = Some(write.value? + 1);
        }
        1 => {
            out.steps.remove(at);
        }
        2 => step.agent = step.agent.checked_sub(1)?,
        3 => {
            step.writes.pop()?;
        }
        4 => {
            step.pending.pop()?;
        }
        5 => {
            let write = step.writes.iter_mut().find(|w| w.timestamp.is_some())?;
            write.timestamp = Some(-1);
        }
        6 => step.at = Some("1:1".to_string()),
        7 => out.end = "deadlock".to_string(),
        8 => {
            let write = out.initial.first_mut()?;
            write.value = Some(1_000_000);
        }
        9 => out.end = "model error: array index out of bounds at model:1:1".to_string(),
        10 => out.end = "in a good mood".to_string(),
        11 => out.loop_start = Some(at),
        12 => out.loop_start = Some(99),
        13 => step.kind = "Banana".to_string(),
        14 => step.what.push('!'),
        15 => step.pending.push(PendingData { agent: 77, messages: vec!["confirm.leader".to_string()] }),
        16 => step.writes.first_mut()?.index = Some(0),
        17 => {
            step.properties.push(PropertyData { name: "LeaderIs0".to_string(), holds: true, because: vec![] })
        }
        18 => step.properties.push(PropertyData {
            name: "NoSuchThing".to_string(),
            holds: true,
            because: vec![],
        }),
        19 => out.choice = "sometimes".to_string(),
        _ => return None,
    }
    Some(out)
}

#[test]
fn damaged_traces_are_refused() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let path = examples.join("leader/leader.labs");
    let parameters = vec![("n".to_string(), "3".to_string())];
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    // Four steps do not reach the deadlock, so claiming one is a lie.
    let trace = read(&run(&path, options, 5, 4)).unwrap();
    assert_eq!(answer(&path, &trace), Ok(4));
    let mut refused = [0; 20];
    for (kind, refused) in refused.iter_mut().enumerate() {
        for at in 0..trace.steps.len() {
            if kind == 6 && trace.steps[at].rule != "action" {
                continue;
            }
            let Some(wrong) = damaged(&trace, kind, at) else { continue };
            // Dropping the last step leaves a shorter trace, which is fine.
            if kind == 1 && at + 1 == trace.steps.len() {
                continue;
            }
            assert!(answer(&path, &wrong).is_err(), "damage {kind} at step {at} went unnoticed");
            *refused += 1;
        }
    }
    assert!(refused.iter().all(|&n| n > 0), "{refused:?}");
}

/// Mover tells Follower a number by a message. With `--sync` the message arrives in the step that sends it.
const TOLD: &str = "system { spawn = Mover: 1, Follower: 1 }
stigmergy S { link = true  v: 0 }
agent Mover { interface = x: 0  stigmergies = S  Behavior = v <~ 1; x <- 1 }
agent Follower { interface = y: 0  stigmergies = S  Behavior = y <- v; Behavior }
check { P = always true }
";

/// What a trace says about how the model was read is what counts, not what is usual.
#[test]
fn a_trace_is_replayed_as_the_model_was_read() {
    let usual = ModelOptions::default;
    let readings = [
        ModelOptions { sync: true, ..usual() },
        ModelOptions { semantics: Semantics::Paper, choice: Choice::Early, ..usual() },
        ModelOptions {
            sync: true,
            fair: true,
            reach: Some("exists Follower f, y of f = 1".into()),
            ..usual()
        },
    ];
    for options in readings {
        let reach = options.reach.is_some();
        let mut trace = read(&run_text("told.labs", TOLD.as_bytes(), options.clone(), 1, 12)).unwrap();
        if reach {
            // A run was not made for a predicate; one that ends where it is true could have been.
            let told = |w: &swarmcheck_session::WriteData| w.variable == "y" && w.value == Some(1);
            let last = trace.steps.iter().position(|step| step.writes.iter().any(told)).expect("it is told");
            trace.steps.truncate(last + 1);
            trace.end = "open".to_string();
            // What a run says about properties is not said of such a trace.
            trace.properties.clear();
            trace.steps.iter_mut().for_each(|step| step.properties.clear());
            trace.reach = options.reach.clone();
        }
        let steps = trace.steps.len();
        assert_eq!(answer_named("told.labs", TOLD.as_bytes(), &trace), Ok(steps), "{options:?}");
        if options.sync {
            let wrong = TraceData { sync: false, ..trace.clone() };
            assert!(answer_named("told.labs", TOLD.as_bytes(), &wrong).is_err(), "without --sync");
        }
        let unknown = TraceData { precedence: Some("strange".to_string()), ..trace.clone() };
        let refused = answer_named("told.labs", TOLD.as_bytes(), &unknown);
        assert_eq!(refused, Err("unknown precedence \"strange\"".to_string()));
        let unknown = TraceData { semantics: "strange".to_string(), ..trace };
        let refused = answer_named("told.labs", TOLD.as_bytes(), &unknown);
        assert_eq!(refused, Err("unknown semantics \"strange\"".to_string()));
    }
}

/// Philosophers who all take their left fork first.
fn philosophers(count: usize) -> String {
    let mut text = String::new();
    let mut seats = vec![];
    let mut names = vec![];
    for at in 1..=count {
        let right = at % count + 1;
        text += &format!("proc Fork{at} = take{at}.put{at}.Fork{at}\n");
        text += &format!("proc Phil{at} = 'take{at}.'take{right}.'put{at}.'put{right}.Phil{at}\n");
        seats.push(format!("Fork{at} | Phil{at}"));
        names.push(format!("take{at}, put{at}"));
    }
    text + &format!("system = ({}) \\ {{{}}}\n", seats.join(" | "), names.join(", "))
}

/// A run in which each philosopher has taken the left fork, and nobody can go on.
fn all_hungry(count: usize) -> TraceData {
    let text = philosophers(count);
    let name = "philosophers.ccs";
    let mut trace = read(&run_text(name, text.as_bytes(), ModelOptions::default(), 1, 1)).unwrap();
    let mut step = trace.steps[0].clone();
    trace.steps.clear();
    for at in 0..count as u32 {
        step.agent = 2 * at;
        step.kind = format!("Fork{}", at + 1);
        step.what = format!("tau (take{}) with Phil{} {}", at + 1, at + 1, 2 * at + 1);
        trace.steps.push(step.clone());
    }
    trace.end = "deadlock".to_string();
    trace
}

/// All steps have the label tau, so their labels alone lead to more terms than can be followed; the agents that steps name do not.
#[test]
fn a_long_trace_of_many_processes_is_followed_by_the_agents_it_names() {
    let trace = all_hungry(40);
    assert_eq!(answer_named("philosophers.ccs", philosophers(40).as_bytes(), &trace), Ok(40));
}

/// Names of agents are no part of a calculus: other labels are refused, other names are not.
#[test]
fn a_trace_of_a_calculus_is_refused_for_its_labels_only() {
    let text = philosophers(4);
    let mut trace = all_hungry(4);
    trace.steps[1].agent = 7;
    trace.steps[2].what = "tau".to_string();
    assert_eq!(answer_named("philosophers.ccs", text.as_bytes(), &trace), Ok(4));
    trace.steps.pop();
    let refused = answer_named("philosophers.ccs", text.as_bytes(), &trace).unwrap_err();
    assert!(refused.contains("claims a deadlock"), "{refused}");
    let mut trace = all_hungry(4);
    trace.steps[3].what = "take4 with Phil4 7".to_string();
    let refused = answer_named("philosophers.ccs", text.as_bytes(), &trace).unwrap_err();
    assert!(refused.starts_with("step 4"), "{refused}");
}

/// One agent that does this forever, after a run of ten steps and its replay; the run, and what the replay said.
fn drawn(system: &str, x: &str, body: &str) -> (String, TraceData, Result<usize, String>) {
    let text = format!(
        "system {{ {system}; spawn = A: 2 }} agent A {{ interface = x: {x}; y: 0 Behavior = {body}; Behavior }}"
    );
    let trace = read(&run_text("model", text.as_bytes(), ModelOptions::default(), 3, 10)).unwrap();
    let said = answer_text(text.as_bytes(), &trace);
    (text, trace, said)
}

#[test]
fn numbers_drawn_from_billions_are_those_of_the_trace() {
    let all = "0..10000000000";
    for body in [
        format!("x <- [{all}]"),
        format!("e[id] <-- [{all}]"),
        format!("y, x <- [-5..5], [{all}]"),
        format!("{{ d := [{all}]; y <- y + 1; x <- d }}"),
    ] {
        let (text, trace, said) = drawn("environment = e[2]: 0", "0", &body);
        assert_eq!(said, Ok(10), "{body}");
        let mut wrong = trace;
        let write = wrong.steps[4].writes.iter_mut().find(|w| w.value.is_some_and(|v| v > 1000)).unwrap();
        write.value = Some(10_000_000_000);
        let refused = answer_text(text.as_bytes(), &wrong).unwrap_err();
        assert!(refused.starts_with("step 5: "), "the trace is wrong, whatever is drawn: {refused}");
    }
    let (text, mut trace, said) = drawn("environment = e: 0", &format!("[{all}]"), "y <- y + 1");
    assert_eq!(said, Ok(10));
    let write = trace.initial.iter_mut().find(|write| write.variable == "x").unwrap();
    write.value = Some(-1);
    let refused = answer_text(text.as_bytes(), &trace).unwrap_err();
    assert!(refused.contains("initial state"), "{refused}");
}

#[test]
fn where_too_much_can_be_drawn_that_is_not_seen_the_trace_is_not_called_wrong() {
    let (_, _, said) = drawn("environment = e: 0", "0", "x <- [0..10000000000] * 2");
    let why = said.unwrap_err();
    assert!(why.starts_with("undecided: ") && why.contains("too many numbers"), "{why}");
    // One draw that looks like the step is enough.
    assert_eq!(drawn("environment = e: 0", "0", "x <- [0..10000000000] % 7").2, Ok(10));
}

/// Where agents may do this, each time followed by a step that draws nothing.
const COUNTS: &str = "x <- [0..10000000000] % 7; y <- y + 1";

#[test]
fn what_is_wrong_beside_a_draw_is_wrong() {
    let (text, trace, said) = drawn("environment = e: 0", "0", COUNTS);
    assert_eq!(said, Ok(10));
    let counts = |step: &swarmcheck_session::StepData| step.writes.iter().any(|w| w.variable == "y");
    let at = trace.steps.iter().position(counts).unwrap();
    let refused = |change: &dyn Fn(&mut TraceData)| {
        let mut wrong = trace.clone();
        change(&mut wrong);
        answer_text(text.as_bytes(), &wrong).unwrap_err()
    };
    let other = refused(&|trace| trace.steps[at].writes[0].value = Some(77));
    assert!(other.starts_with(&format!("step {}: ", at + 1)), "{other}");
    // Without stigmergies nothing is sent, and nobody writes what another one holds.
    let sent = PendingData { agent: 0, messages: vec!["confirm.x".to_string()] };
    let pending = refused(&|trace| trace.steps[at].pending.push(sent.clone()));
    assert!(pending.starts_with(&format!("step {}: ", at + 1)), "{pending}");
    let elsewhere = refused(&|trace| {
        let step = &mut trace.steps[at];
        let write = step.writes[0].clone();
        step.writes.push(swarmcheck_session::WriteData {
            agent: Some(1 - step.agent),
            value: Some(77),
            ..write
        });
    });
    assert!(elsewhere.starts_with(&format!("step {}: ", at + 1)), "{elsewhere}");
}

/// Only the last of the numbers lets the action be taken, and nobody tries them all.
#[test]
fn an_agent_of_which_too_little_was_tried_is_not_stuck() {
    let (text, mut trace, _) = drawn("environment = e: 0", "0", "x <- 7 / ([0..4000000000] / 3999999999)");
    trace.steps.clear();
    for (end, loop_start) in [("deadlock", None), ("open", None)] {
        trace.end = end.to_string();
        trace.loop_start = loop_start;
        let said = match replay(&trace, "model", text.as_bytes()) {
            Ok(ReplayAnswer::Accepted { deadlock, .. }) => format!("accepted {deadlock}"),
            Ok(ReplayAnswer::Undecided { .. }) => "undecided".to_string(),
            _ => "refused".to_string(),
        };
        assert_eq!(said, if end == "deadlock" { "undecided" } else { "accepted false" });
    }
}

#[test]
fn long_traces_of_draws_are_replayed() {
    let text = "system { spawn = A: 1 } agent A { interface = x: 0 Behavior = x <- (x + [0..4000]) % 4000; Behavior }";
    let trace = read(&run_text("model", text.as_bytes(), ModelOptions::default(), 1, 3000)).unwrap();
    assert_eq!(answer_text(text.as_bytes(), &trace), Ok(3000));
}
