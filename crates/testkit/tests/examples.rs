//! Every claim of `examples/*/verdicts` that a naive search can decide, and the sizes of the state spaces; and all that
//! are not too large for a test, decided by the explicit-state engine, and the small ones with decision diagrams.
//!
//! The lines are `FILE | PARAMETERS | OPTIONS | PROPERTY | VERDICT | STATES | SOURCE`; `#` starts a comment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Finding, Reason, Reductions, Task};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Expr, Modality};
use swarmcheck_labs::lower::{self, Choice, Options};
use swarmcheck_labs::model::Model;
use swarmcheck_reference::{self as reference, Interpreter};
use swarmcheck_symbolic::{Method, Symbolic};
use swarmcheck_testkit::read::read_with;
use swarmcheck_testkit::search::{Space, Verdict, decide};

/// Larger state spaces are left to the engines.
const STATES_MAX: usize = 300_000;
/// Up to here the reference interpreter counts too.
const REFERENCE_MAX: usize = 3_000;

/// One line of a `verdicts` file.
struct Claim {
    property: String,
    verdict: String,
    states: Option<usize>,
    line: String,
}

/// A file with values for its parameters, round-robin or not, early choice or not.
type Instance = (PathBuf, String, bool, bool);

/// The claims of a folder about LAbS models. Calculi have oracles of their own, and tests in the crate `session`.
fn lines_about_labs(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("verdicts")).unwrap_or_default();
    let claims = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let about_labs = |line: &&str| line.split('|').next().is_some_and(|file| file.trim().ends_with(".labs"));
    claims.filter(about_labs).map(str::to_string).collect()
}

/// All claims about each instance, and how many lines have options that this search does not know.
fn claims() -> (BTreeMap<Instance, Vec<Claim>>, usize) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut claims, mut skipped) = (BTreeMap::<Instance, Vec<Claim>>::new(), 0);
    for folder in std::fs::read_dir(examples).into_iter().flatten().flatten() {
        for line in &lines_about_labs(&folder.path()) {
            let fields: Vec<&str> = line.split('|').map(str::trim).collect();
            let [file, parameters, options, property, verdict, states, ..] = fields[..] else {
                panic!("{}: too few fields: {line}", folder.path().display());
            };
            let (fair, early) = match options {
                "" => (false, false),
                "--fair" => (true, false),
                "--choice early" => (false, true),
                "--fair --choice early" => (true, true),
                _ => {
                    skipped += 1;
                    continue;
                }
            };
            let instance = (folder.path().join(file), parameters.to_string(), fair, early);
            claims.entry(instance).or_default().push(Claim {
                property: property.to_string(),
                verdict: verdict.to_string(),
                states: states.replace(['_', ','], "").parse().ok(),
                line: line.to_string(),
            });
        }
    }
    (claims, skipped)
}

#[test]
fn claims_of_the_examples() {
    let (claims, options) = claims();
    let (mut wrong, mut checked, mut counted, mut large, mut unknown) = (vec![], 0, 0, 0, vec![]);
    for ((path, parameters, fair, early), claims) in claims {
        if claims.iter().any(|c| c.states.is_some_and(|states| states > STATES_MAX)) {
            large += claims.len();
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a readable example");
        let model = read_with(&text, &parameters).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let choice = if early { Choice::Early } else { Choice::Late };
        let options = Options { fair, choice, ..Options::default() };
        let program =
            lower::lower(&model, &text, options).unwrap_or_else(|d| panic!("{}", d.message)).program;
        let flat = Flat::new(program);
        let known = claims.iter().any(|c| c.states.is_some());
        let space = Space::explore(&flat, if known { STATES_MAX + 1 } else { 30_000 });
        counted += usize::from(compare_with_reference(&model, options, &flat, &space));
        for claim in claims {
            let property = flat.program.properties.iter().position(|p| p.name == claim.property);
            let property = property.unwrap_or_else(|| panic!("no such property: {}", claim.line));
            let verdict = decide(&flat, property, &space, 100_000);
            let words = match verdict {
                Verdict::Unknown => {
                    unknown.push(claim.line);
                    continue;
                }
                Verdict::Holds => "holds",
                Verdict::Violated => "violated",
                Verdict::Invalid(_) => "invalid",
            };
            checked += 1;
            if words != claim.verdict || claim.states.is_some_and(|states| states != space.states.len()) {
                wrong.push(format!("{}\n  {verdict:?}, {} states", claim.line, space.states.len()));
            }
        }
    }
    println!("{checked} claims checked; {counted} instances counted by the reference too");
    println!(
        "skipped: {options} for their options, {large} for their size, and {} undecided:",
        unknown.len()
    );
    println!("{}", unknown.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether the instance is small enough to be counted twice.
fn compare_with_reference(model: &Model, options: Options, flat: &Flat, space: &Space) -> bool {
    if !space.complete || space.states.len() > REFERENCE_MAX {
        return false;
    }
    let choice = match options.choice {
        Choice::Late => reference::Choice::Late,
        Choice::Early => reference::Choice::Early,
    };
    let options = reference::Options { fair: options.fair, choice, ..reference::Options::default() };
    let found = reference::explore(&Interpreter::new(model, options), REFERENCE_MAX + 1);
    assert!(found.complete && found.errors.is_empty());
    assert_eq!(
        (found.initial, found.states, found.transitions, found.deadlocks),
        (space.initial, space.states.len(), space.labelled_transitions(flat), space.deadlocks.len())
    );
    true
}

/// The engine counts state spaces up to this size, one by one.
const COUNTED_MAX: usize = 20_000;
/// With reductions, claims about state spaces up to this size are decided.
const REDUCED_MAX: usize = 100_000;
/// Claims without a size are decided if the engine takes less memory than this, in bytes.
const MEMORY_MAX: u64 = 30_000_000;

/// The value of an option of a claim.
fn option<'a>(options: &'a str, name: &str) -> Option<&'a str> {
    let mut words = options.split_whitespace().skip_while(|word| *word != name);
    words.next().map(|_| words.next().unwrap_or_default())
}

fn run(engine: &dyn Engine, task: &Task<'_>) -> Vec<Finding> {
    let stop = AtomicBool::new(false);
    let budget = Budget { memory: Some(MEMORY_MAX) };
    engine.run(task, &Control { stop: &stop, budget, progress: &Silent })
}

/// How much is to be done.
#[derive(Clone, Copy)]
struct Work {
    /// Claims about more states than this are left out.
    most: usize,
    /// Claims about an unknown number of states are decided, too.
    unknown: bool,
}

/// What is wrong about a claim, or that it was too much work.
fn decide_by_engine(engine: &dyn Engine, folder: &Path, line: &str, work: Work) -> Result<bool, String> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [file, parameters, options, name, verdict, states, ..] = fields[..] else { return Err(line.into()) };
    let states: Option<usize> = states.replace(['_', ','], "").parse().ok();
    if states.map_or(!work.unknown, |states| states > work.most) {
        return Ok(false);
    }
    let text = std::fs::read_to_string(folder.join(file)).map_err(|e| e.to_string())?;
    let model = read_with(&text, parameters)?;
    let choice = if option(options, "--choice") == Some("early") { Choice::Early } else { Choice::Late };
    let reading = Options { fair: option(options, "--fair").is_some(), choice, ..Options::default() };
    let program = lower::lower(&model, &text, reading).map_err(|d| d.message.clone())?.program;
    let flat = Flat::new(program);
    let property = flat.program.properties.iter().position(|p| p.name == name).ok_or("no such property")?;
    let mut task = Task {
        properties: vec![property],
        bound: option(options, "--steps").and_then(|steps| steps.parse().ok()),
        ignore_deadlock: option(options, "--ignore-deadlock").is_some(),
        ..Task::new(&flat)
    };
    let mut decided = false;
    for reductions in [Reductions::NONE, Reductions::ALL] {
        if reductions == Reductions::NONE && states.is_none_or(|states| states > COUNTED_MAX.min(work.most)) {
            continue;
        }
        task.reductions = reductions;
        let found = match &run(engine, &task)[0].verdict {
            swarmcheck_engine::Verdict::Holds(_) => "holds",
            swarmcheck_engine::Verdict::Violated(..) => "violated",
            swarmcheck_engine::Verdict::Invalid(_) => "invalid",
            swarmcheck_engine::Verdict::Unknown(Reason::Memory) => continue,
            swarmcheck_engine::Verdict::Unknown(reason) => return Err(format!("{line}\n  {reason}")),
        };
        decided = true;
        if found != verdict {
            return Err(format!("{line}\n  {found}, with {reductions:?}"));
        }
    }
    Ok(decided)
}

/// The number of states, from a question whose search goes to the end: whether `true` always holds.
fn count_by_engine(engine: &dyn Engine, instance: &Instance) -> Result<u64, String> {
    let (path, parameters, fair, early) = instance;
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let model = read_with(&text, parameters)?;
    let choice = if *early { Choice::Early } else { Choice::Late };
    let reading = Options { fair: *fair, choice, ..Options::default() };
    let mut program = lower::lower(&model, &text, reading).map_err(|d| d.message.clone())?.program;
    program.properties.truncate(1);
    program.properties[0].modality = Modality::Always;
    program.properties[0].predicate = Expr::TRUE;
    let flat = Flat::new(program);
    // Diagrams of numbers whose ranges are not known are large; ranges change the size of states, not their number.
    let reductions = Reductions { ranges: engine.name() == "bdd", ..Reductions::NONE };
    let task = Task { reductions, threads: 2, ..Task::new(&flat) };
    Ok(run(engine, &task)[0].effort.states)
}

/// Decides claims: how many were decided, of how many.
fn decide_all(engine: &dyn Engine, work: Work) -> (usize, usize) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut lines, mut wrong, mut decided) = (0, vec![], 0);
    for folder in std::fs::read_dir(examples).into_iter().flatten().flatten() {
        for line in &lines_about_labs(&folder.path()) {
            lines += 1;
            match decide_by_engine(engine, &folder.path(), line, work) {
                Ok(done) => decided += usize::from(done),
                Err(words) => wrong.push(words),
            }
        }
    }
    println!("{decided} of {lines} claims decided");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    (decided, lines)
}

/// Counts the states of all instances with at most this many; how many instances there were.
fn count_all(engine: &dyn Engine, most: usize) -> usize {
    let mut counted = 0;
    for (instance, claims) in claims().0 {
        let Some(states) = claims.iter().find_map(|c| c.states).filter(|n| *n <= most) else {
            continue;
        };
        let found = count_by_engine(engine, &instance).unwrap_or_else(|e| panic!("{}: {e}", claims[0].line));
        assert_eq!(found, states as u64, "{}", claims[0].line);
        counted += 1;
    }
    counted
}

#[test]
fn the_engine_decides_the_claims_of_the_examples() {
    let (decided, lines) = decide_all(&Explicit, Work { most: REDUCED_MAX, unknown: true });
    assert!(decided * 3 >= lines * 2, "only {decided} of {lines} claims decided");
}

#[test]
fn the_engine_counts_the_states_of_the_examples() {
    let counted = count_all(&Explicit, STATES_MAX);
    assert!(counted >= 50, "{counted}");
}

/// Diagrams decide claims about state spaces up to this size: larger ones take longer than a test should.
const DIAGRAMS_MAX: usize = 500;

#[test]
fn diagrams_decide_the_claims_of_the_examples() {
    let work = Work { most: DIAGRAMS_MAX, unknown: false };
    let (decided, _) = decide_all(&Symbolic::new(Method::Diagrams), work);
    assert!(decided >= 70, "only {decided} claims decided");
}

#[test]
fn diagrams_count_the_states_of_the_examples() {
    let counted = count_all(&Symbolic::new(Method::Diagrams), DIAGRAMS_MAX);
    assert!(counted >= 20, "{counted}");
}
