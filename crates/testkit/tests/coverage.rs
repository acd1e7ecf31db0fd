//! Coverage of random systems: what the search has taken is what the literal rules take, and what runs take is among it.
//!
//! The expected sets come from the reference interpreter, which shares no code with triples, lowering and probes.

#[path = "coverage/guards.rs"]
mod guards;

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
        ..SimulateOptions::default()
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

/// Commands of R-CHECK: every step of every state, explained by the literal definitions.
#[test]
fn commands_that_are_taken_are_those_of_the_literal_messages() {
    let (mut files, mut taken_commands, mut never) = (0, 0, 0);
    for file in ["rcheck-buffer", "rcheck-commit", "rcheck-rating", "rcheck-resources", "rcheck-store"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
        let models = std::fs::read_dir(folder).expect("the example").flatten().map(|entry| entry.path());
        for path in models.filter(|path| path.extension().is_some_and(|e| e == "rcp")) {
            let bytes = std::fs::read(&path).expect("a readable file");
            let Ok(prepared) = prepare("m.rcp", &bytes, ModelOptions::default()) else { panic!("{path:?}") };
            let Some(expected) = literal_commands(&prepared) else { continue };
            let found = unlimited(|control| coverage(&prepared, CoverageOptions::default(), control));
            let Ok(found) = found else { panic!("{path:?} is refused") };
            assert!(found.is_proof(), "{path:?}");
            let actual: BTreeSet<String> = (found.points.iter())
                .filter(|point| point.counts.total() > 0 && matches!(point.counts, Counts::Taken { .. }))
                .map(|point| format!("{}:{}", point.line, point.column))
                .collect();
            assert_eq!(actual, expected, "{path:?}");
            files += 1;
            taken_commands += actual.len();
            let commands = found.points.iter().filter(|point| matches!(point.counts, Counts::Taken { .. }));
            never += commands.count() - actual.len();
        }
    }
    println!("{files} files, {taken_commands} commands taken, {never} never");
    assert!(files >= 3 && taken_commands >= 20, "{files} files, {taken_commands} commands");
}

/// The places of all commands that take part in a step of a reachable state, if these are few.
fn literal_commands(prepared: &Prepared) -> Option<BTreeSet<String>> {
    let flat = &prepared.flat;
    let mut machine = swarmcheck_ir::flat::Machine::new(flat);
    let (mut seen, mut queue): (HashSet<Vec<i64>>, VecDeque<Vec<i64>>) = Default::default();
    let begun = swarmcheck_engine::system::initial_states(flat, &mut machine, &mut |state| {
        if seen.insert(state.to_vec()) {
            queue.push_back(state.to_vec());
        }
        seen.len() <= 3000
    });
    begun.ok()?;
    let mut out = BTreeSet::new();
    while let Some(state) = queue.pop_front() {
        if seen.len() > 3000 {
            return None;
        }
        for step in swarmcheck_engine::successors(flat, &mut machine, &state) {
            let (instance, choices) = (step.instance, &step.choices[..]);
            let made = swarmcheck_session::specification::MadeStep { before: &state, instance, choices };
            let message =
                prepared.model.message(&prepared.file, flat, &made).expect("every step is a message");
            out.insert(message.by.at);
            out.extend(message.received.into_iter().map(|part| part.at));
            let target = step.result.expect("no model error");
            if seen.insert(target.clone()) {
                queue.push_back(target);
            }
        }
    }
    Some(out)
}
