//! Guards of R-CHECK: the outcomes that coverage counts are those of the literal definitions, on random scripts.

#[path = "../../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;

use super::unlimited;
use common::Random;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use swarmcheck_rcheck::check;
use swarmcheck_rcheck::reference::{Interpreter, Looked, State};
use swarmcheck_session::coverage::{Counts, CoverageOptions, PointWord, coverage};
use swarmcheck_session::{ModelOptions, prepare};
use swarmcheck_source::{SourceFile, Span};

/// Systems with more states are left out.
const MOST: usize = 400;

/// A kind of guard, its line and column, and an outcome.
type Outcomes = BTreeSet<(&'static str, (usize, usize), bool)>;

/// The outcomes in all reachable states, by the definitions, if these are few.
fn expected(text: &str) -> Option<Outcomes> {
    let spec = check(text).0.unwrap_or_else(|| panic!("refused:\n{text}"));
    let oracle = Interpreter::new(&spec);
    let file = SourceFile::new("m.rcp", text);
    let place = |span: Span| file.line_column(span.start);
    let mut queue: VecDeque<State> = oracle.initial().into();
    let mut seen: HashSet<State> = queue.iter().cloned().collect();
    let mut out = Outcomes::new();
    while let Some(state) = queue.pop_front() {
        if seen.len() > MOST {
            return None;
        }
        for (guard, outcome) in oracle.guards_looked_at(&state) {
            let (kind, span) = match guard {
                Looked::Guard(span) => ("guard", span),
                Looked::SendGuard(span) => ("send guard", span),
                Looked::ReceiveGuard(span) => ("receive guard", span),
            };
            // What is written as a constant has nothing to decide.
            if !["true", "false"].contains(&file.slice(span).trim_matches(['(', ')'])) {
                out.insert((kind, place(span), outcome));
            }
        }
        for step in oracle.steps(&state) {
            if seen.insert(step.after.clone()) {
                queue.push_back(step.after);
            }
        }
    }
    Some(out)
}

#[test]
fn outcomes_of_guards_are_those_of_the_definitions() {
    let mut counted: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let (mut systems, mut never) = (0, 0);
    for seed in 0..120 {
        let mut text = Random::new(seed + 700).script();
        text.truncate(text.find("SPEC").unwrap_or(text.len()));
        let Some(expected) = expected(&text) else { continue };
        let Ok(prepared) = prepare("m.rcp", text.as_bytes(), ModelOptions::default()) else {
            panic!("refused:\n{text}")
        };
        let found = unlimited(|control| coverage(&prepared, CoverageOptions::default(), control));
        let Ok(found) = found else { panic!("seed {seed} is refused") };
        assert!(found.is_proof(), "seed {seed}: {:?}", found.over);
        let mut actual = Outcomes::new();
        for point in &found.points {
            let Counts::Outcomes { yes, no } = point.counts else { continue };
            let kind = match point.kind {
                PointWord::Guard => "guard",
                PointWord::SendGuard => "send guard",
                PointWord::ReceiveGuard => "receive guard",
                other => panic!("{other:?} has no outcomes"),
            };
            for (times, outcome) in [(yes, true), (no, false)] {
                if times > 0 {
                    actual.insert((kind, (point.line, point.column), outcome));
                }
                never += usize::from(times == 0);
            }
        }
        assert_eq!(actual, expected, "seed {seed}\n{text}");
        systems += 1;
        for (kind, _, outcome) in actual {
            *counted.entry((kind, outcome)).or_default() += 1;
        }
    }
    println!("{systems} systems, outcomes {counted:?}, {never} never");
    assert!(systems >= 40 && never >= 40, "{systems} systems, {never} never");
    for kind in ["guard", "send guard", "receive guard"] {
        for outcome in [true, false] {
            assert!(counted.get(&(kind, outcome)).is_some_and(|many| *many >= 10), "{kind}: {counted:?}");
        }
    }
}
