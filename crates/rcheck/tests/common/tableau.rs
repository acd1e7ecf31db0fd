//! Whether an R-CHECK system satisfies a formula: the literal evaluation of formulas on the steps of the definitions.

use std::cell::RefCell;
use std::collections::HashMap;
use swarmcheck_ir::Linear;
use swarmcheck_rcheck::model::{Atom, Expr, Spec};
use swarmcheck_rcheck::reference::{Interpreter, Moment, State};
use swarmcheck_testkit::literal::{self, Fairness, Formula, Unit};

/// A command of an agent.
type Named = (usize, usize);

/// A state, and what was received and observed in the step to it.
type Point = (State, Vec<Named>, Vec<bool>);

/// The states of a system with the steps that led to them, and what can follow.
pub struct Graph<'s> {
    oracle: Interpreter<'s>,
    /// Steps by who makes them; in a system that rests, nobody.
    graph: literal::Graph<Point, Option<Named>>,
}

impl<'s> Graph<'s> {
    /// Explores; `None` if there are more points than `most`.
    pub fn new(oracle: Interpreter<'s>, most: usize) -> Option<Graph<'s>> {
        let nothing = vec![false; oracle.spec().observations.len()];
        let initial = oracle.initial().into_iter().map(|state| (state, vec![], nothing.clone()));
        let graph = literal::Graph::explore(initial, most, |(state, ..)| {
            let mut steps: Vec<(Option<Named>, Point)> = (oracle.steps(state).into_iter())
                .map(|step| (Some((step.agent, step.command)), (step.after, step.received, step.observed)))
                .collect();
            if steps.is_empty() {
                // A system that rests receives and observes nothing.
                steps.push((None, (state.clone(), vec![], nothing.clone())));
            }
            Some(steps)
        })?;
        Some(Graph { oracle, graph })
    }

    /// How many points there are.
    #[allow(dead_code)]
    pub fn len(&self) -> usize {
        self.graph.states.len()
    }

    /// Whether every execution satisfies the formula; `None` if there are too many temporal subformulas.
    #[allow(dead_code)]
    pub fn satisfies(&self, spec: &Spec) -> Option<bool> {
        self.satisfies_fairly(&literal(&spec.formula), Fairness::All)
    }

    /// The same for those executions that are fair to agents as senders.
    pub fn satisfies_fairly(&self, formula: &Formula<&Atom>, fairness: Fairness) -> Option<bool> {
        let agents = 0..self.oracle.spec().instances.len();
        let units: Vec<Unit> = match fairness {
            Fairness::All => vec![],
            _ => agents
                .map(|agent| Unit::new(&self.graph, |step| step.is_some_and(|(by, _)| by == agent)))
                .collect(),
        };
        // Whether a command is enabled takes long to find out.
        type Known = HashMap<(usize, Option<Named>, *const Expr), bool>;
        let known: RefCell<Known> = RefCell::default();
        let atom = |number: usize, atom: &&Atom| {
            let moment = &self.graph.moments[number];
            let (state, received, observed) = &self.graph.states[moment.state];
            match atom {
                Atom::State(e) => {
                    let next = moment.step.flatten();
                    let key = (moment.state, next, std::ptr::from_ref(e));
                    *known
                        .borrow_mut()
                        .entry(key)
                        .or_insert_with(|| self.oracle.holds(&Moment { state, received, next }, e))
                }
                Atom::Observed(number) => observed[*number],
            }
        };
        self.graph.satisfies(formula, atom, fairness, &units)
    }
}

/// The formula as the parser has it.
pub fn literal(formula: &Linear<Atom>) -> Formula<&Atom> {
    match formula {
        Linear::Atom(atom) => Formula::Atom(atom),
        Linear::Not(a) => Formula::Not(Box::new(literal(a))),
        Linear::And(parts) => Formula::And(parts.iter().map(literal).collect()),
        Linear::Or(parts) => Formula::Or(parts.iter().map(literal).collect()),
        Linear::Next(a) => Formula::Next(Box::new(literal(a))),
        Linear::Until(a, b) => Formula::Until(Box::new(literal(a)), Box::new(literal(b))),
        Linear::Release(a, b) => Formula::Release(Box::new(literal(a)), Box::new(literal(b))),
    }
}
