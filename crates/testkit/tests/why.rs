//! Why properties of random systems hold: vacuity is what substituting and deciding by brute force finds, ranges contain all
//! values, and what is told of invariants is true in all reachable states.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_labs::model::{Cond, CondNode, Inside, Modality, Model, Property};
use swarmcheck_session::because::{CellCondition, CellWord, InvariantPart, ValueSet};
use swarmcheck_session::outcome::{Evidence, Outcome};
use swarmcheck_session::verify::{Decider, VerifyOptions};
use swarmcheck_session::{Answer, Budget, Control, ModelOptions, Prepared, prepare};
use swarmcheck_source::SourceFile;
use swarmcheck_testkit::oracle::{OracleAnswer, OracleQuestion, answer};
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::{read, verify};

/// Systems with more states are left out.
const MOST: usize = 300;

fn options(seed: u64) -> Options {
    Options { fair: seed % 2 == 1, ..Options::default() }
}

fn opened(text: &str, options: Options) -> Prepared {
    let first = text.lines().next().unwrap_or_default();
    let values = first.strip_prefix("#!").unwrap_or_default();
    let pairs = values.split([' ', ',']).filter_map(|pair| pair.split_once('='));
    let parameters = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let options = ModelOptions { parameters, fair: options.fair, ..ModelOptions::default() };
    prepare("m.labs", text.as_bytes(), options).unwrap_or_else(|_| panic!("refused:\n{text}"))
}

fn asked(prepared: &Prepared, engine: &str) -> Vec<Answer> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let engine = Decider::named(engine).expect("an engine");
    let options = VerifyOptions { why: true, engine, depth: Some(30), ..VerifyOptions::default() };
    let Ok(report) = swarmcheck_session::verify::verify(prepared, &options, &control) else {
        panic!("refused")
    };
    report.answers
}

/// A random system with few states, more properties than it was made with, and no model error.
fn small(seed: u64) -> Option<(String, Model, Flat, Space)> {
    let text = match seed % 3 {
        0 => verify::system(seed, options(seed), MOST, 4)?,
        1 => verify::arena(seed, options(seed), MOST, 4)?,
        _ => verify::alike(seed, options(seed), MOST, 4)?,
    };
    let text = with_compounds(text);
    let model = read(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
    let program = lower::lower(&model, &text, options(seed)).ok()?.program;
    let flat = Flat::new(program);
    let space = Space::explore(&flat, MOST);
    (space.complete && space.fault.is_none() && space.initial > 0).then_some((text, model, flat, space))
}

/// More properties, whose predicates are two of the others with `and` or `or` between them.
fn with_compounds(text: String) -> String {
    let Ok(model) = read(&text) else { return text };
    let predicate = |property: &Property| text.get(property.predicate.span.range()).map(str::to_string);
    let all: Vec<String> = model.properties.iter().filter_map(predicate).collect();
    let each = all.windows(2).enumerate().map(|(number, pair)| {
        let (modality, operator) = [("always", "or"), ("always", "and"), ("fairly_inf", "or")][number % 3];
        format!("  Both{number} = {modality} ({}) {operator} ({})\n", pair[0], pair[1])
    });
    format!("{text}check {{\n{}}}\n", each.collect::<String>())
}

/// What replacing parts of a predicate by constants does, decided on all states.
struct Substitution<'a> {
    text: &'a str,
    model: &'a Model,
    space: &'a Space,
    options: Options,
    property: usize,
}

type Idle = BTreeSet<(usize, usize, bool)>;

impl Substitution<'_> {
    fn holds(&self, predicate: Cond) -> bool {
        let mut model = self.model.clone();
        model.properties[self.property].predicate = predicate;
        let Ok(lowered) = lower::lower(&model, self.text, self.options) else {
            panic!("it was lowered before")
        };
        let flat = Flat::new(lowered.program);
        answer(&flat, self.space, self.property, &OracleQuestion::default()) == OracleAnswer::Holds
    }

    /// The largest parts below a condition whose replacement changes nothing.
    fn idle(&self, whole: &Cond, path: &[usize], positive: bool, out: &mut Idle) {
        let cond = at(whole, path);
        let negates = matches!(cond.node, CondNode::Not(_));
        let one = matches!(cond.node, CondNode::Not(_) | CondNode::Forall(..) | CondNode::Exists(..));
        for number in 0..children(cond) {
            let path = [path, &[number]].concat();
            let part = at(whole, &path);
            let positive = positive != negates;
            let mut replaced = whole.clone();
            *at_mut(&mut replaced, &path) = Cond { node: CondNode::Bool(!positive), span: part.span };
            // The only part of a negation or a quantifier is not told apart from it.
            if !one && !matches!(part.node, CondNode::Bool(_)) && self.holds(replaced) {
                let file = SourceFile::new("m.labs", self.text);
                let (line, column) = file.line_column(part.span.start);
                out.insert((line, column, !positive));
            } else {
                self.idle(whole, &path, positive, out);
            }
        }
    }
}

fn children(cond: &Cond) -> usize {
    match &cond.node {
        CondNode::Bool(_) | CondNode::NonZero(_) | CondNode::Compare(..) => 0,
        CondNode::Not(_) | CondNode::Forall(..) | CondNode::Exists(..) => 1,
        CondNode::And(parts) | CondNode::Or(parts) => parts.len(),
    }
}

fn at<'a>(cond: &'a Cond, path: &[usize]) -> &'a Cond {
    let [first, rest @ ..] = path else { return cond };
    match &cond.node {
        CondNode::And(parts) | CondNode::Or(parts) => at(&parts[*first], rest),
        CondNode::Not(body) | CondNode::Forall(_, _, body) | CondNode::Exists(_, _, body) => at(body, rest),
        _ => unreachable!("a path to a part"),
    }
}

fn at_mut<'a>(cond: &'a mut Cond, path: &[usize]) -> &'a mut Cond {
    let [first, rest @ ..] = path else { return cond };
    match &mut cond.node {
        CondNode::And(parts) | CondNode::Or(parts) => at_mut(&mut parts[*first], rest),
        CondNode::Not(body) | CondNode::Forall(_, _, body) | CondNode::Exists(_, _, body) => {
            at_mut(body, rest)
        }
        _ => unreachable!("a path to a part"),
    }
}

#[test]
fn vacuous_parts_are_those_that_substitution_finds() {
    let (mut held, mut vacuous, mut not, mut ranged) = (0, 0, 0, 0);
    for seed in 0..90 {
        let Some((text, model, flat, space)) = small(seed) else { continue };
        for (number, told) in asked(&opened(&text, options(seed)), "explicit").iter().enumerate() {
            let Outcome::Holds { evidence, .. } = &told.outcome else { continue };
            held += 1;
            let because = told.because.as_ref().expect("it was asked for");
            assert_eq!(because.undecided, 0);
            let actual: Idle = because.idle.iter().map(|p| (p.line, p.column, p.constant)).collect();
            let property = &model.properties[number];
            let inverse = matches!(&property.modality, Modality::Scoped { inside: Inside::Precedes(_), .. });
            let substitution = Substitution {
                text: &text,
                model: &model,
                space: &space,
                options: options(seed),
                property: number,
            };
            let mut expected = Idle::new();
            substitution.idle(&property.predicate, &[], !inverse, &mut expected);
            assert_eq!(actual, expected, "seed {seed}, {}\n{text}", property.name);
            vacuous += usize::from(!expected.is_empty());
            not += usize::from(expected.is_empty() && because.parts > 0);
            if let Evidence::Ranges { variables } = evidence {
                ranged += 1;
                for range in variables {
                    let var = flat.program.vars.iter().position(|v| v.name == range.variable).unwrap() as u32;
                    let inside = |value: Value| match value {
                        UNDEF => range.undefined,
                        v => range.low.is_none_or(|low| low <= v) && range.high.is_none_or(|high| v <= high),
                    };
                    for (slot, value) in (0..).zip(space.states.iter().flatten().copied().cycle()) {
                        if slot as usize >= flat.width() * space.states.len() {
                            break;
                        }
                        let cell = flat.layout.cell(slot % flat.width() as u32);
                        assert!(cell.var.0 != var || inside(value), "seed {seed}: {range:?} has no {value}");
                    }
                }
            }
        }
    }
    println!("{held} properties hold: {vacuous} vacuous in parts, {not} not, {ranged} by ranges");
    assert!(held >= 100 && vacuous >= 20 && not >= 10 && ranged >= 10, "{held} {vacuous} {not} {ranged}");
}

/// Whether a condition on a cell is true, with these agents for the letters.
fn is_true(flat: &Flat, state: &[Value], condition: &CellCondition, agents: &[(String, u32)]) -> bool {
    let agent = condition.agent.as_ref().map(|name| {
        let letter = agents.iter().find(|(letter, _)| letter == name).map(|(_, agent)| *agent);
        letter.unwrap_or_else(|| name.rsplit(' ').next().unwrap().parse().expect("the number of an agent"))
    });
    let (name, index) = match &condition.cell {
        CellWord::Variable(name) => match name.split_once('[') {
            Some((name, index)) => (name.to_string(), index.trim_end_matches(']').parse().unwrap()),
            None => (name.clone(), 0),
        },
        CellWord::Place(number) => (format!("pc.{number}"), 0),
        CellWord::Pending(name) => (name.clone(), 0),
        CellWord::Rank(tuple) => (format!("order.{tuple}"), 0),
        CellWord::Turn => ("schedule.turn".to_string(), 0),
    };
    let slot = (0..flat.width() as u32).find(|slot| {
        let cell = flat.layout.cell(*slot);
        flat.program.var(cell.var).name == name && cell.agent == agent && cell.index == index
    });
    let value = state[slot.expect("a cell") as usize];
    let is = |other: &Option<i64>| other.unwrap_or(UNDEF) == value;
    match &condition.values {
        ValueSet::Is(one) => is(one),
        ValueSet::IsNot(one) => !is(one),
        ValueSet::AtMost(high) => value != UNDEF && value <= *high,
        ValueSet::AtLeast(low) => value != UNDEF && value >= *low,
        ValueSet::Between(low, high) => (*low..=*high).contains(&value),
        ValueSet::OneOf(values) => values.iter().any(is),
    }
}

/// Every way to give different agents of their kinds to the letters.
fn ways(flat: &Flat, part: &InvariantPart) -> Vec<Vec<(String, u32)>> {
    let mut out: Vec<Vec<(String, u32)>> = vec![vec![]];
    for (letter, kind) in &part.agents {
        let kind = flat.program.kinds.iter().find(|k| k.name == *kind).expect("a kind");
        let longer = out.iter().flat_map(|way| {
            let free = (kind.first..kind.first + kind.count).filter(|a| !way.iter().any(|(_, b)| a == b));
            free.map(|agent| [&way[..], &[(letter.clone(), agent)]].concat()).collect::<Vec<_>>()
        });
        out = longer.collect();
    }
    out
}

#[test]
fn what_is_told_of_invariants_is_true_in_every_reachable_state() {
    let (mut parts, mut general, mut alternatives) = (0, 0, 0);
    let example = |text: &str| {
        let model = read(text).unwrap_or_else(|e| panic!("{e}"));
        let Ok(lowered) = lower::lower(&model, text, options(0)) else { panic!("it is accepted") };
        let flat = Flat::new(lowered.program);
        let space = Space::explore(&flat, 10_000);
        (text.to_string(), model, flat, space)
    };
    let stored = [("waiting/waiting.labs", "hasty=0 careful=3"), ("philosophers/philosophers.labs", "n=2")];
    let stored = stored.map(|(file, values)| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
        let text = std::fs::read_to_string(path).expect("the example");
        example(&format!("#! {values}\n{text}"))
    });
    let systems = stored.into_iter().chain((0..60).step_by(2).filter_map(small));
    for (seed, (text, _, flat, space)) in systems.enumerate() {
        for told in asked(&opened(&text, options(0)), "ic3") {
            let Some(because) = &told.because else { continue };
            for part in &because.invariant {
                parts += 1;
                general += usize::from(!part.agents.is_empty());
                alternatives += usize::from(part.any_of.len() > 1);
                for agents in ways(&flat, part) {
                    for state in &space.states {
                        let holds = part.any_of.iter().any(|one| is_true(&flat, state, one, &agents));
                        assert!(holds, "seed {seed}, {}: {part:?} is false in {state:?}\n{text}", told.name);
                    }
                }
            }
        }
    }
    println!("{parts} conditions, {general} for all agents of a kind, {alternatives} with alternatives");
    assert!(parts >= 20 && general >= 2 && alternatives >= 2, "{parts} {general} {alternatives}");
}
