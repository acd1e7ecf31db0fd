//! Every claim of `examples/*/verdicts` that a naive search can decide, and the sizes of the state spaces.
//!
//! The lines are `FILE | PARAMETERS | OPTIONS | PROPERTY | VERDICT | STATES | SOURCE`; `#` starts a comment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::lower::{self, Choice, Options};
use swarmcheck_labs::model::Model;
use swarmcheck_reference::{self as reference, Interpreter};
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

/// All claims about each instance, and how many lines have options that this search does not know.
fn claims() -> (BTreeMap<Instance, Vec<Claim>>, usize) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut claims, mut skipped) = (BTreeMap::<Instance, Vec<Claim>>::new(), 0);
    for folder in std::fs::read_dir(examples).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(folder.path().join("verdicts")).unwrap_or_default();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
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
