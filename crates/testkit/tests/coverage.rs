//! Coverage of random systems: what the search has taken is what the literal rules take, and what runs take is among it.
//!
//! The expected sets come from the reference interpreter, which shares no code with triples, lowering and probes.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_labs::lower::{Choice, Options, Semantics};
use swarmcheck_labs::model::{CondNode, Model};
use swarmcheck_reference::{self as reference, Interpreter, Label, State};
use swarmcheck_session::coverage::{Counts, Coverage, CoverageOptions, CoverageOver, PointWord, coverage};
use swarmcheck_session::coverage::{SearchEnd, lcov, margin};
use swarmcheck_session::simulate::simulate;
use swarmcheck_session::{Budget, Control, ModelOptions, Prepared, SimulateOptions, TraceFormat, prepare};
use swarmcheck_source::{SourceFile, Span};
use swarmcheck_testkit::{generate, read};

/// What was taken: the kind of a point, its place, and which outcome.
type Taken = BTreeSet<(&'static str, (usize, usize), bool)>;

/// Systems with more states are left out.
const MOST: usize = 400;

fn reading(seed: u64) -> Options {
    let semantics = if seed % 4 < 2 { Semantics::Sliver } else { Semantics::Paper };
    let choice = if seed / 4 % 3 == 2 { Choice::Early } else { Choice::Late };
    Options { fair: seed % 2 == 1, semantics, choice, sync: seed / 12 % 6 == 1 }
}

fn opened(text: &str, options: Options) -> Prepared {
    let first = text.lines().next().unwrap_or_default();
    let values = first.strip_prefix("#!").unwrap_or_default();
    let pairs = values.split([' ', ',']).filter_map(|pair| pair.split_once('='));
    let parameters = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let Options { fair, semantics, choice, sync } = options;
    let options = ModelOptions { parameters, fair, semantics, choice, sync, ..ModelOptions::default() };
    prepare("m.labs", text.as_bytes(), options).unwrap_or_else(|_| panic!("refused:\n{text}"))
}

fn unlimited<R>(work: impl FnOnce(&Control<'_>) -> R) -> R {
    let stop = AtomicBool::new(false);
    work(&Control { stop: &stop, budget: Budget::default(), progress: &Silent })
}

/// What was taken at least once.
fn taken(coverage: &Coverage) -> Taken {
    let mut out = Taken::new();
    for point in &coverage.points {
        let kind = match point.kind {
            PointWord::Action => "action",
            PointWord::Guard => "guard",
            PointWord::Link => "link",
            _ => "command",
        };
        let (yes, no) = match point.counts {
            Counts::Taken { taken } => (taken, 0),
            Counts::Outcomes { yes, no } => (yes, no),
        };
        for (times, outcome) in [(yes, true), (no, false)] {
            if times > 0 {
                out.insert((kind, (point.line, point.column), outcome));
            }
        }
    }
    out
}

/// What the literal rules take in all states, if there are few.
fn expected(model: &Model, text: &str, options: Options) -> Option<Taken> {
    let semantics = match options.semantics {
        Semantics::Sliver => reference::Semantics::Sliver,
        Semantics::Paper => reference::Semantics::Paper,
    };
    let choice = match options.choice {
        Choice::Late => reference::Choice::Late,
        Choice::Early => reference::Choice::Early,
    };
    let literal = reference::Options { fair: options.fair, semantics, choice, sync: options.sync };
    let interpreter = Interpreter::new(model, literal);
    let file = SourceFile::new("m.labs", text);
    let place = |span: Span| file.line_column(span.start);
    let (mut seen, mut queue): (HashSet<State>, VecDeque<State>) = Default::default();
    let begun = interpreter.for_each_initial(&mut |state| {
        if seen.insert(state.clone()) {
            queue.push_back(state);
        }
        if seen.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    begun.ok()?;
    let mut out = Taken::new();
    while let Some(state) = queue.pop_front() {
        if seen.len() > MOST {
            return None;
        }
        for agent in 0..model.agents() {
            for (guard, outcome) in interpreter.guards_looked_at(&state, agent) {
                if !matches!(guard.node, CondNode::Bool(_)) {
                    out.insert(("guard", place(guard.span), outcome));
                }
            }
        }
        if !options.sync {
            for (link, outcome) in interpreter.links_looked_at(&state) {
                if !matches!(link.node, CondNode::Bool(_)) {
                    out.insert(("link", place(link.span), outcome));
                }
            }
        }
        for (label, target) in interpreter.successors(&state) {
            let Ok(target) = target else { continue };
            if let Label::Action { action, .. } = label
                && !model.action(action).pass
            {
                out.insert(("action", place(model.action(action).span), true));
            }
            if seen.insert(target.clone()) {
                queue.push_back(target);
            }
        }
    }
    Some(out)
}

#[test]
fn what_is_taken_is_what_the_literal_rules_take() {
    let (mut systems, mut left_out) = (0, 0);
    let mut counted: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let mut never: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..260 {
        let text = if seed % 5 > 1 { generate::messages(seed) } else { generate::system(seed) };
        let options = reading(seed);
        let model = read(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let Some(expected) = expected(&model, &text, options) else {
            left_out += 1;
            continue;
        };
        let prepared = opened(&text, options);
        let Ok(found) = unlimited(|control| coverage(&prepared, CoverageOptions::default(), control)) else {
            panic!("seed {seed} is refused")
        };
        let complete = matches!(&found.over, CoverageOver::Search { end: SearchEnd::Complete, .. });
        assert!(complete, "seed {seed}: {:?}", found.over);
        let actual = taken(&found);
        assert_eq!(actual, expected, "seed {seed}\n{}", margin::listing(&found, &text));
        systems += 1;
        for (kind, _, outcome) in &actual {
            *counted.entry((kind, *outcome)).or_default() += 1;
        }
        for point in found.points.iter().filter(|point| point.counts.total() == 0) {
            let kind = if point.kind == PointWord::Action { "action" } else { "condition" };
            *never.entry(kind).or_default() += 1;
        }
        is_lcov(&lcov::record(&found), text.lines().count());
        runs_take_no_more(&prepared, &actual, seed);
    }
    println!("{systems} systems, {left_out} too large, taken {counted:?}, never {never:?}");
    assert!(systems >= 120, "{systems} systems");
    for wanted in [("action", true), ("guard", true), ("guard", false), ("link", true), ("link", false)] {
        assert!(counted.get(&wanted).is_some_and(|many| *many >= 10), "{wanted:?}: {counted:?}");
    }
    assert!(never.values().all(|many| *many >= 20) && never.len() == 2, "{never:?}");
}

/// What random runs take is taken by the search.
fn runs_take_no_more(prepared: &Prepared, all: &Taken, seed: u64) {
    let options = SimulateOptions {
        steps: 30,
        runs: 3,
        seed,
        format: TraceFormat::Text,
        traces: false,
        coverage: true,
    };
    let report = unlimited(|control| simulate(prepared, options, control, &mut std::io::sink()));
    let report = report.expect("nothing is written");
    let coverage = report.coverage.expect("it was asked for");
    let more: Vec<_> = taken(&coverage).difference(all).copied().collect();
    assert!(more.is_empty(), "seed {seed}: only runs take {more:?}");
}

/// The rules of the tracefile format (`man geninfo`, FILES): the records and their order, numbers of lines that exist,
/// sums that are right, and branches whose counts are numbers or `-`.
fn is_lcov(record: &str, lines: usize) {
    let rows: Vec<(&str, Vec<&str>)> = record
        .lines()
        .map(|line| {
            line.split_once(':').map_or((line, vec![]), |(name, rest)| (name, rest.split(',').collect()))
        })
        .collect();
    let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    assert_eq!((names[0], names[1], *names.last().unwrap()), ("TN", "SF", "end_of_record"), "{record}");
    assert!(names.iter().all(|n| "TN SF BRDA BRF BRH DA LF LH end_of_record".split(' ').any(|k| k == *n)));
    let of = |name: &str| -> Vec<&Vec<&str>> {
        rows.iter().filter(|(other, _)| *other == name).map(|(_, fields)| fields).collect()
    };
    let one = |name: &str| -> usize { of(name)[0][0].parse().unwrap() };
    let in_file = |field: &str| field.parse::<usize>().is_ok_and(|line| (1..=lines).contains(&line));
    for row in of("DA") {
        assert!(row.len() == 2 && in_file(row[0]) && row[1].parse::<u64>().is_ok(), "{row:?}");
    }
    let mut places = HashSet::new();
    for row in of("BRDA") {
        assert!(row.len() == 4 && in_file(row[0]) && places.insert(row[..3].to_vec()), "{row:?}");
        assert!(row[3] == "-" || row[3].parse::<u64>().is_ok(), "{row:?}");
    }
    let hit = |name: &str, at: usize| of(name).iter().filter(|row| !["0", "-"].contains(&row[at])).count();
    assert_eq!((one("LF"), one("LH")), (of("DA").len(), hit("DA", 1)), "{record}");
    assert_eq!((one("BRF"), one("BRH")), (of("BRDA").len(), hit("BRDA", 3)), "{record}");
    assert!(of("DA").windows(2).all(|pair| pair[0][0].parse::<u32>().ok() < pair[1][0].parse::<u32>().ok()));
}
