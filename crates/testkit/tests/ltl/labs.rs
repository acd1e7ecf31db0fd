//! Random LAbS systems, by the reference interpreter, with formulas over predicates and steps, and quantifiers inside and
//! outside of temporal operators.
//!
//! A part of a formula without temporal operators, implications and steps is one predicate: where it is undefined, neither it
//! nor its negation is satisfied. A quantifier around anything else stands for one formula per agent.

use crate::compare::{Case, Made};
use std::collections::HashMap;
use swarmcheck_labs::model::Model;
use swarmcheck_labs::{codes, lower};
use swarmcheck_reference::{Interpreter, Label, Options, State};
use swarmcheck_session::{Trouble, words};
use swarmcheck_testkit::literal::{Dialect, Draw, Fairness, Formula, Graph, Unit};
use swarmcheck_testkit::read;
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::verify::claims::{Claims, section};
use swarmcheck_testkit::verify::{open, read_as};

const DIALECT: Dialect = Dialect::with(&["!", "not"], &["and"], &["or"], &["->"]);

/// What formulas are made of, as they are written.
#[derive(Clone, PartialEq, Debug)]
enum Part {
    /// A predicate about the environment and about agents that are bound here or outside.
    Predicate(String),
    /// Something is said of an agent that is bound outside, or of the one with a number.
    Step(Agent, Said),
    Delivered,
    /// Of all agents of a kind, or of one of them.
    Quantified {
        all: bool,
        kind: usize,
        name: &'static str,
        body: Box<Formula<Part>>,
    },
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Agent {
    Bound(&'static str),
    Number(u32),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Said {
    Acts,
    CanAct,
    Sends,
    CanSend,
}

/// What they are made of once quantifiers are written out.
#[derive(Clone, PartialEq, Debug)]
enum Atom {
    /// The number of a predicate without names that are bound outside.
    Predicate(usize),
    Step(u32, Said),
    Delivered,
}

/// The agent that each name stands for.
type Bound = Vec<(&'static str, usize, u32)>;

/// The names of bound agents, outermost first.
const NAMES: [&str; 2] = ["one", "two"];

fn acts(label: &Label, agent: u32) -> bool {
    matches!(label, Label::Action { agent: by, .. } if *by == agent)
}

fn sends(label: &Label, agent: u32) -> bool {
    matches!(label, Label::Propagate { agent: by, .. } | Label::Confirm { agent: by, .. } if *by == agent)
}

/// A random formula.
fn formula(
    draw: &mut Draw,
    claims: &mut Claims<'_>,
    model: &Model,
    bound: &[usize],
    temporal: usize,
) -> Formula<Part> {
    let depth = 3 - bound.len();
    draw.formula(depth, temporal, &mut |draw| {
        Formula::Atom(match draw.below(12) {
            0 | 1 if bound.is_empty() => {
                let said = [Said::Acts, Said::CanAct, Said::Sends, Said::CanSend][draw.below(4)];
                Part::Step(Agent::Number(draw.below(model.agents() as usize) as u32), said)
            }
            0..4 if !bound.is_empty() => {
                let said = [Said::Acts, Said::CanAct, Said::Acts, Said::CanAct, Said::Sends, Said::CanSend];
                Part::Step(Agent::Bound(NAMES[draw.below(bound.len())]), said[draw.below(6)])
            }
            4 => Part::Delivered,
            5..7 if bound.len() < NAMES.len() => {
                let kind = draw.below(model.kinds.len());
                let inner = [bound, &[kind]].concat();
                // Formulas in quantifiers are written out for each agent.
                let body = formula(draw, claims, model, &inner, temporal.min(1));
                Part::Quantified {
                    all: draw.below(2) == 0,
                    kind,
                    name: NAMES[bound.len()],
                    body: Box::new(body),
                }
            }
            _ if bound.is_empty() => Part::Predicate(claims.predicate()),
            _ => {
                let at = draw.below(bound.len());
                Part::Predicate(claims.about(bound[at], NAMES[at]))
            }
        })
    })
}

/// How it is written.
fn text(draw: &mut Draw, formula: &Formula<Part>, model: &Model) -> String {
    draw.text(formula, &DIALECT, &mut |draw, part| match part {
        Part::Predicate(words) => format!("({words})"),
        Part::Delivered => "delivered".to_string(),
        Part::Step(agent, said) => {
            let who = match agent {
                Agent::Bound(name) => (*name).to_string(),
                Agent::Number(number) => format!("agent {number}"),
            };
            let said = match said {
                Said::Acts => "acts",
                Said::CanAct => "can act",
                Said::Sends => "sends",
                Said::CanSend => "can send",
            };
            format!("({who} {said})")
        }
        Part::Quantified { all, kind, name, body } => {
            let word = if *all { "forall" } else { "exists" };
            format!("({word} {} {name}, {})", model.kinds[*kind].name, text(draw, body, model))
        }
    })
}

/// The text of a part that is one predicate.
fn predicate(formula: &Formula<Part>, model: &Model) -> Option<String> {
    let all = |parts: &[Formula<Part>], word: &str| {
        let parts: Option<Vec<String>> = parts.iter().map(|part| predicate(part, model)).collect();
        Some(parts?.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(word))
    };
    match formula {
        Formula::Atom(Part::Predicate(words)) => Some(words.clone()),
        Formula::Atom(Part::Quantified { all, kind, name, body }) => {
            let word = if *all { "forall" } else { "exists" };
            Some(format!("{word} {} {name}, ({})", model.kinds[*kind].name, predicate(body, model)?))
        }
        Formula::Not(inner) => Some(format!("!({})", predicate(inner, model)?)),
        Formula::And(parts) => all(parts, " and "),
        Formula::Or(parts) => all(parts, " or "),
        _ => None,
    }
}

/// Writes quantifiers out, and notes the predicates.
fn expanded(
    formula: &Formula<Part>,
    model: &Model,
    bound: &Bound,
    predicates: &mut Vec<String>,
) -> Formula<Atom> {
    if let Some(words) = predicate(formula, model) {
        let mut closed = words;
        for (name, kind, agent) in bound.iter().rev() {
            closed =
                format!("exists {} {name}, id of {name} = {agent} and ({closed})", model.kinds[*kind].name);
        }
        predicates.push(closed);
        return Formula::Atom(Atom::Predicate(predicates.len() - 1));
    }
    let mut one = |part: &Formula<Part>| Box::new(expanded(part, model, bound, predicates));
    match formula {
        Formula::Atom(Part::Predicate(_)) => unreachable!("see above"),
        Formula::Atom(Part::Delivered) => Formula::Atom(Atom::Delivered),
        Formula::Atom(Part::Step(agent, said)) => {
            let number = match agent {
                Agent::Number(number) => *number,
                Agent::Bound(name) => bound.iter().find(|(known, ..)| known == name).expect("bound").2,
            };
            Formula::Atom(Atom::Step(number, *said))
        }
        Formula::Atom(Part::Quantified { all, kind, name, body }) => {
            let agents = (0..model.agents()).filter(|agent| model.kind_of(*agent).0 as usize == *kind);
            let parts = agents
                .map(|agent| {
                    expanded(body, model, &[bound.as_slice(), &[(*name, *kind, agent)]].concat(), predicates)
                })
                .collect();
            if *all { Formula::And(parts) } else { Formula::Or(parts) }
        }
        Formula::Not(a) => Formula::Not(one(a)),
        Formula::And(parts) => Formula::And(parts.iter().map(|part| *one(part)).collect()),
        Formula::Or(parts) => Formula::Or(parts.iter().map(|part| *one(part)).collect()),
        Formula::Implies(a, b) => Formula::Implies(one(a), one(b)),
        Formula::Next(a) => Formula::Next(one(a)),
        Formula::Finally(a) => Formula::Finally(one(a)),
        Formula::Globally(a) => Formula::Globally(one(a)),
        Formula::Until(a, b) => Formula::Until(one(a), one(b)),
        Formula::Release(a, b) => Formula::Release(one(a), one(b)),
        Formula::Unless(a, b) => Formula::Unless(one(a), one(b)),
    }
}

/// The states and steps of the reference interpreter; `None` if there are too many, or if something is an error of the model.
fn explore(interpreter: &Interpreter<'_>, most: usize) -> Option<Graph<State, Label>> {
    let mut initial = vec![];
    let visit = &mut |state| {
        initial.push(state);
        if initial.len() > most {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    };
    interpreter.for_each_initial(visit).ok()?;
    Graph::explore(initial, most, |state| {
        let steps = interpreter.successors(state).into_iter();
        steps.map(|(label, after)| Some((label, after.ok()?))).collect()
    })
}

/// Each agent's actions, and each agent's messages.
fn units(graph: &Graph<State, Label>, agents: u32) -> Vec<Unit> {
    let both = |agent: u32| {
        [
            Unit::new(graph, move |label: &Label| acts(label, agent)),
            Unit::new(graph, move |label: &Label| sends(label, agent)),
        ]
    };
    (0..agents).flat_map(both).collect()
}

/// The same reading of the rules for the interpreter.
fn options(reading: lower::Options) -> Options {
    Options {
        fair: reading.fair,
        sync: reading.sync,
        semantics: match reading.semantics {
            lower::Semantics::Sliver => swarmcheck_reference::Semantics::Sliver,
            lower::Semantics::Paper => swarmcheck_reference::Semantics::Paper,
        },
        choice: match reading.choice {
            lower::Choice::Late => swarmcheck_reference::Choice::Late,
            lower::Choice::Early => swarmcheck_reference::Choice::Early,
        },
    }
}

/// What `from q until r, thereIs p` says, if these three predicates have the numbers from this one on. A scope opens where q
/// and not r holds first, at the beginning or after r, and p comes in it.
fn scope(first: usize) -> Formula<Atom> {
    let [start, end, inside] = [0, 1, 2].map(|number| Formula::Atom(Atom::Predicate(first + number)));
    let opens = Formula::And(vec![start, end.clone().not()]);
    let comes = Formula::And(vec![inside, end.clone().not()]);
    let comes = Formula::Until(Box::new(end.clone().not()), Box::new(comes));
    let opened = Formula::And(vec![opens.clone(), comes]);
    let next = Formula::Unless(Box::new(opens.not()), Box::new(opened));
    Formula::And(vec![
        next.clone(),
        Formula::Globally(Box::new(Formula::Implies(Box::new(end), Box::new(next)))),
    ])
}

/// A system with three formulas, and three properties that say what formulas could.
pub fn labs(
    seed: u64,
    system: &str,
    reading: lower::Options,
    most: usize,
    fairness: Fairness,
) -> Result<Made, String> {
    let Ok(prepared) = open(system, reading) else { return Ok(Made::Nothing) };
    let space = Space::explore(&prepared.flat, 2 * most);
    let model = read(system)?;
    if model.agents() == 0 || !space.complete {
        return Ok(Made::Nothing);
    }
    let (mut draw, mut claims) = (Draw::new(seed), Claims::new(&prepared, &space, seed));
    let (mut properties, mut formulas, mut predicates) = (vec![], vec![], vec![]);
    for number in 0..3 {
        let formula = formula(&mut draw, &mut claims, &model, &[], 3);
        let words = text(&mut draw, &formula, &model);
        properties.push(format!("  Formula{number} = ltl {words}\n"));
        formulas.push(expanded(&formula, &model, &vec![], &mut predicates));
    }
    for (number, word) in (3..).zip(["eventually", "finally"]) {
        let words = claims.predicate();
        properties.push(format!("  Formula{number} = {word} {words}\n"));
        predicates.push(words);
        let goal = Formula::Atom(Atom::Predicate(predicates.len() - 1));
        formulas.push(Formula::Finally(Box::new(goal)));
    }
    let [start, end, inside] = [claims.predicate(), claims.predicate(), claims.predicate()];
    properties.push(format!("  Formula5 = from ({start}) until ({end}), thereIs {inside}\n"));
    formulas.push(scope(predicates.len()));
    predicates.extend([start, end, inside]);
    // Predicates are read one by one; how formulas are read is not relied on.
    let alone: Vec<String> = predicates
        .iter()
        .enumerate()
        .map(|(n, words)| format!("  Predicate{n} = always {words}\n"))
        .collect();
    let alone = format!("{system}{}", section(&alone));
    let model = read(&alone).map_err(|why| format!("{why}:\n{alone}"))?;
    let interpreter = Interpreter::new(&model, options(reading));
    let Some(graph) = explore(&interpreter, most) else { return Ok(Made::Nothing) };
    let first = model.properties.len() - predicates.len();
    let mut satisfied: HashMap<(usize, usize), bool> = HashMap::new();
    for (number, property) in model.properties[first..].iter().enumerate() {
        for (at, state) in graph.states.iter().enumerate() {
            let Ok(holds) = interpreter.satisfies(state, &property.predicate) else {
                return Ok(Made::Nothing);
            };
            satisfied.insert((number, at), holds);
        }
    }
    let units = if fairness == Fairness::All { vec![] } else { units(&graph, model.agents()) };
    let holds = |number: usize, atom: &Atom| {
        let moment = &graph.moments[number];
        let step = moment.step.as_ref();
        match atom {
            Atom::Predicate(number) => satisfied[&(*number, moment.state)],
            Atom::Step(agent, Said::Acts) => step.is_some_and(|label| acts(label, *agent)),
            Atom::Step(agent, Said::CanAct) => graph.can(moment.state, |label| acts(label, *agent)),
            Atom::Step(agent, Said::Sends) => step.is_some_and(|label| sends(label, *agent)),
            Atom::Step(agent, Said::CanSend) => graph.can(moment.state, |label| sends(label, *agent)),
            Atom::Delivered => step.is_some_and(|label| !matches!(label, Label::Action { .. })),
        }
    };
    let mut expected = vec![];
    for (number, formula) in formulas.iter().enumerate() {
        if let Some(holds) = graph.satisfies(formula, holds, fairness, &units) {
            expected.push((format!("Formula{number}"), holds));
        }
    }
    let text = format!("{system}{}", section(&properties));
    let prepared = match read_as(&text, reading) {
        Ok(prepared) => prepared,
        Err(Trouble::File(_, found)) if found.iter().any(|d| d.code == codes::POSSIBLE) => {
            return Ok(Made::Refused);
        }
        Err(trouble) => return Err(format!("{}:\n{text}", words::refusal(&trouble.into()))),
    };
    Ok(Made::Case(Box::new(Case { text: format!("{reading:?}\n{text}"), prepared, expected, fairness })))
}
