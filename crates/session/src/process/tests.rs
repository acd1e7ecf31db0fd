//! What drawings of automata say is compared with runs: the edge that belongs to a step leads from where its agent was to where it is.

use super::{automata, places};
use crate::open::{ModelOptions, Prepared, prepare};
use crate::walk::message;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use swarmcheck_ir::Rule;
use swarmcheck_picture::data::{Automaton, Edge, Place};
use swarmcheck_simulate::{Menu, Rng, Starts};

fn model(path: &str, parameters: &[(&str, &str)]) -> Prepared {
    let full = format!("{}/../../examples/{path}", env!("CARGO_MANIFEST_DIR"));
    #[allow(clippy::disallowed_methods)]
    let text = std::fs::read(full).unwrap();
    opened(path, &text, parameters)
}

fn opened(name: &str, text: &[u8], parameters: &[(&str, &str)]) -> Prepared {
    let parameters = parameters.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    prepare(name, text, options).unwrap_or_else(|_| panic!("{name} cannot be opened"))
}

/// Whether some edge that satisfies a test explains the change. Squares without words are passed: they fork and join.
fn explained(automaton: &Automaton, before: &[i64], after: &[i64], test: &dyn Fn(&Edge) -> bool) -> bool {
    let drawing = &automaton.drawing;
    let location = |node: u32| drawing.nodes[node as usize].location;
    let silent = |node: u32| drawing.edges.iter().filter(|e| e.to == node).all(|e| e.label.is_empty());
    let one = |edge: &Edge| {
        if !location(edge.from).is_some_and(|at| before.contains(&at)) {
            return false;
        }
        let mut reached = BTreeSet::from([edge.to]);
        let mut todo = vec![edge.to];
        while let Some(node) = todo.pop() {
            for next in drawing.edges.iter().filter(|e| e.from == node) {
                let on = location(node).is_none() || (location(next.to).is_none() && silent(next.to));
                if on && reached.insert(next.to) {
                    todo.push(next.to);
                }
            }
        }
        let reached: Vec<i64> = reached.into_iter().filter_map(location).collect();
        let mut new = after.iter().filter(|at| !before.contains(at)).peekable();
        match new.peek() {
            Some(_) => new.all(|at| reached.contains(at)),
            None => after.iter().any(|at| reached.contains(at)),
        }
    };
    drawing.edges.iter().any(|edge| test(edge) && one(edge))
}

/// Runs a model at random, compares, and says how many steps and how many parts of other agents were compared.
fn compare(prepared: &Prepared, seed: u64, steps: usize) -> (usize, usize) {
    let flat = &prepared.flat;
    let drawn = automata(prepared);
    let of = |agent: u32| drawn.iter().find(|a| a.agents.contains(&agent)).unwrap();
    let start = crate::start::begin(prepared, &Starts::new(flat), Rng::new(seed), &AtomicBool::new(false));
    let Ok(crate::start::Begin::Ready(run)) = start else { panic!("no initial state") };
    let mut menu = Menu::new(flat, run.state().to_vec());
    let mut rng = Rng::new(seed);
    let mut states = vec![menu.state().to_vec()];
    let (mut compared, mut parts) = (0, 0);
    for agent in 0..flat.program.agents() {
        let initial: Vec<i64> =
            of(agent).drawing.nodes.iter().filter(|n| n.initial).filter_map(|n| n.location).collect();
        assert_eq!(at(&places(prepared, &states), agent, 0), initial, "agent {agent}");
    }
    for number in 1..=steps as u32 {
        let offers = menu.offers(|before, step| message(prepared, before, step));
        let Some((offer, message)) = offers.get(rng.below(offers.len().max(1) as u64) as usize) else {
            break;
        };
        if !menu.take(offer) {
            break;
        }
        states.push(menu.state().to_vec());
        let all = places(prepared, &states);
        let instance = offer.step.instance;
        let function = &flat.program.functions[instance.function as usize];
        let label = prepared.labels.as_ref().map(|labels| labels[instance.function as usize].as_str());
        let words = match &function.rule {
            Rule::Action { words, .. } => words.clone(),
            Rule::System { .. } => String::new(),
        };
        let own = prepared.file.position(function.span);
        for agent in 0..flat.program.agents() {
            let (before, after) = (at(&all, agent, number - 1), at(&all, agent, number));
            let part = message
                .as_ref()
                .and_then(|m| std::iter::once(&m.by).chain(&m.received).find(|part| part.agent == agent));
            if let Some(part) = part {
                // R-CHECK says of everybody who takes part with which command.
                assert_eq!(
                    (before.as_slice(), after.as_slice()),
                    ([part.from.into()].as_slice(), [part.to.into()].as_slice())
                );
                let found = explained(of(agent), &before, &after, &|e| e.place.as_ref() == Some(&part.at));
                assert!(found, "{}: {part:?}", prepared.file.name());
                parts += 1;
            } else if agent == instance.agent
                && matches!(function.rule, Rule::Action { .. })
                && label != Some("end")
            {
                let found = explained(of(agent), &before, &after, &|e| e.place.as_ref() == Some(&own));
                assert!(found, "{}: {words} at {own} from {before:?} to {after:?}", prepared.file.name());
                compared += 1;
            } else if before != after {
                // The partner in a synchronisation: the same name, perhaps as a co-action.
                let name = |e: &Edge| {
                    let label = e.label.join(" ");
                    !label.is_empty() && words.contains(label.trim_matches('\''))
                };
                let found = explained(of(agent), &before, &after, &name);
                assert!(
                    found,
                    "{}: {words} takes {agent} from {before:?} to {after:?}",
                    prepared.file.name()
                );
                parts += 1;
            }
        }
    }
    (compared, parts)
}

/// The places of an agent after a step.
fn at(places: &[Place], agent: u32, step: u32) -> Vec<i64> {
    places.iter().rev().find(|p| p.agent == agent && p.step <= step).unwrap().at.clone()
}

#[test]
fn steps_are_edges_of_the_drawn_automata() {
    let flock = [("birds", "2"), ("grid", "3"), ("delta", "2")];
    let models = [
        (model("flock/flock.labs", &flock), true, false),
        (model("twophase/twophase.labs", &[("workers", "2")]), true, false),
        (opened("parallel.labs", PARALLEL.as_bytes(), &[]), true, false),
        (model("rcheck-resources/resources.rcp", &[]), false, true),
        (model("commit/thesis.ccs", &[]), true, true),
        (model("alternating-bit/abp.ccs", &[]), true, true),
        (model("travel/travel.chor", &[]), true, true),
        (model("stock/stock.chor", &[]), true, true),
    ];
    for (prepared, alone, together) in &models {
        let (mut steps, mut parts) = (0, 0);
        for seed in 0..4 {
            let (a, b) = compare(prepared, seed, 25);
            steps += a;
            parts += b;
        }
        let name = prepared.file.name();
        assert!(!alone || steps >= 8, "{name}: {steps} steps");
        assert!(!together || parts >= 8, "{name}: {parts} parts");
    }
}

/// Parallel composition with a join, a choice and recursion.
const PARALLEL: &str = "
system { spawn = A: 2 }
agent A {
  interface = a: 0; b: 0; c: 0
  Left = a <- 1; a <- 2
  Right = b <- 1 ++ b <- 2
  Behavior = c <- 1; (Left | Right); c <- 2; Behavior
}
check { Fine = always forall A x, c of x <= 2 }
";

/// An automaton that nobody can read is not drawn: a sequence of many actions.
#[test]
fn large_automata_are_left_out() {
    let behavior = vec!["a <- 1"; 500].join("; ");
    let text =
        format!("system {{ spawn = A: 1 }} agent A {{ interface = a: 0 Behavior = {behavior}; Behavior }}");
    let prepared = opened("large.labs", text.as_bytes(), &[]);
    assert!(automata(&prepared).is_empty());
    let [super::Drawn::TooLarge(name, 500)] = &super::drawn(&prepared)[..] else { panic!() };
    assert_eq!(name, "A");
}
