//! Whether a system satisfies a formula, by the method of Lichtenstein and Pnueli: every state of the system is paired with
//! every guess of which temporal subformulas hold in it, and a violation is a way to a component that keeps all promises of
//! its guesses. It shares nothing with the automata that the engine uses.

use std::cell::RefCell;
use std::collections::HashMap;
use swarmcheck_ir::Linear;
use swarmcheck_rcheck::model::{Atom, Expr, Spec};
use swarmcheck_rcheck::reference::{Interpreter, Moment, State};

/// A command of an agent.
type Named = (usize, usize);

/// A state, what was received and observed in the step to it, and whose command that step was, if a formula asks for it.
type Point = (State, Vec<Named>, Vec<bool>, Option<Named>);

/// The states of a system with the steps that led to them, and what can follow.
pub struct Graph<'s> {
    oracle: Interpreter<'s>,
    points: Vec<Point>,
    next: Vec<Vec<usize>>,
    initial: usize,
}

/// A condition at a point, if this is the number of the command that is next.
type Asked = (usize, Option<usize>, *const Expr);

/// What is guessed in a point: which of these formulas hold, and which of these commands is next. The conditions that were
/// evaluated are remembered: whether a command is enabled takes long to find out.
struct Guess<'a> {
    temporal: &'a [&'a Linear<Atom>],
    sends: &'a [Named],
    known: RefCell<HashMap<Asked, bool>>,
}

impl<'s> Graph<'s> {
    /// Explores; `None` if there are more points than `most`.
    pub fn new(oracle: Interpreter<'s>, most: usize) -> Option<Graph<'s>> {
        let nothing = vec![false; oracle.spec().observations.len()];
        let asked: Vec<Named> = oracle.spec().specs.iter().flat_map(|spec| sends(&oracle, spec)).collect();
        let mut points: Vec<Point> =
            oracle.initial().into_iter().map(|s| (s, vec![], nothing.clone(), None)).collect();
        let initial = points.len();
        let mut numbers: HashMap<Point, usize> = points.iter().cloned().zip(0..).collect();
        let mut next = vec![];
        while next.len() < points.len() {
            let (state, ..) = points[next.len()].clone();
            let by = |agent, command| asked.contains(&(agent, command)).then_some((agent, command));
            let steps = oracle.steps(&state).into_iter();
            let mut after: Vec<Point> =
                steps.map(|s| (s.after, s.received, s.observed, by(s.agent, s.command))).collect();
            if after.is_empty() {
                after.push((state, vec![], nothing.clone(), None));
            }
            let mut targets = vec![];
            for point in after {
                let fresh = points.len();
                let number = *numbers.entry(point.clone()).or_insert(fresh);
                if number == fresh {
                    points.push(point);
                }
                targets.push(number);
            }
            next.push(targets);
            if points.len() > most {
                return None;
            }
        }
        Some(Graph { oracle, points, next, initial })
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether every execution satisfies the formula; `None` if there are too many temporal subformulas.
    pub fn satisfies(&self, spec: &Spec) -> Option<bool> {
        let mut temporal: Vec<&Linear<Atom>> = vec![];
        collect(&spec.formula, &mut temporal);
        // Which send or get is made next is guessed, too.
        let sends = sends(&self.oracle, spec);
        if temporal.len() + sends.len() > 7 {
            return None;
        }
        let guesses = 1usize << (temporal.len() + sends.len());
        let guess = Guess { temporal: &temporal, sends: &sends, known: RefCell::default() };
        let truth = |node: usize, f: &Linear<Atom>| self.truth(&guess, node / guesses, node % guesses, f);
        let nodes = self.points.len() * guesses;
        let edges = |node: usize| {
            let (point, guess) = (node / guesses, node % guesses);
            let targets =
                self.next[point].iter().flat_map(move |to| (0..guesses).map(move |g| to * guesses + g));
            let fits = |target: &usize| {
                temporal.iter().enumerate().all(|(bit, f)| {
                    let now = guess >> bit & 1 == 1;
                    let again = (target % guesses) >> bit & 1 == 1;
                    now == match f {
                        Linear::Next(a) => truth(*target, a),
                        Linear::Until(a, b) => truth(node, b) || (truth(node, a) && again),
                        Linear::Release(a, b) => truth(node, b) && (truth(node, a) || again),
                        _ => unreachable!("only temporal formulas are guessed"),
                    }
                }) && sends.iter().enumerate().all(|(bit, send)| {
                    let made = self.points[target / guesses].3 == Some(*send);
                    made == (guess >> (temporal.len() + bit) & 1 == 1)
                })
            };
            targets.filter(fits).collect::<Vec<usize>>()
        };
        let mut reached = vec![false; nodes];
        let mut todo: Vec<usize> =
            (0..self.initial * guesses).filter(|n| !truth(*n, &spec.formula)).collect();
        todo.iter().for_each(|n| reached[*n] = true);
        let mut graph: HashMap<usize, Vec<usize>> = HashMap::new();
        while let Some(node) = todo.pop() {
            let targets = edges(node);
            for target in &targets {
                if !std::mem::replace(&mut reached[*target], true) {
                    todo.push(*target);
                }
            }
            graph.insert(node, targets);
        }
        let keeps = |component: &[usize]| {
            temporal.iter().enumerate().all(|(bit, f)| match f {
                Linear::Until(_, b) => {
                    component.iter().any(|n| (n % guesses) >> bit & 1 == 0 || truth(*n, b))
                }
                Linear::Release(_, b) => {
                    component.iter().any(|n| (n % guesses) >> bit & 1 == 1 || !truth(*n, b))
                }
                _ => true,
            })
        };
        let cyclic = |c: &[usize]| c.len() > 1 || graph[&c[0]].contains(&c[0]);
        Some(!components(&graph).iter().any(|c| cyclic(c) && keeps(c)))
    }

    fn truth(&self, guesses: &Guess<'_>, point: usize, guess: usize, f: &Linear<Atom>) -> bool {
        let Guess { temporal, sends, known } = guesses;
        let inner = |f: &Linear<Atom>| self.truth(guesses, point, guess, f);
        let (state, received, observed, _) = &self.points[point];
        match f {
            Linear::Atom(Atom::State(e)) => {
                let guessed = |bit: &usize| guess >> (temporal.len() + bit) & 1 == 1;
                let next = (0..sends.len()).find(guessed);
                let key = (point, next, std::ptr::from_ref(e));
                let before = known.borrow().get(&key).copied();
                before.unwrap_or_else(|| {
                    let next = next.map(|bit| sends[bit]);
                    let holds = self.oracle.holds(&Moment { state, received, next }, e);
                    known.borrow_mut().insert(key, holds);
                    holds
                })
            }
            Linear::Atom(Atom::Observed(number)) => observed[*number],
            Linear::Not(a) => !inner(a),
            Linear::And(parts) => parts.iter().all(inner),
            Linear::Or(parts) => parts.iter().any(inner),
            f => temporal.iter().position(|t| *t == f).is_some_and(|bit| guess >> bit & 1 == 1),
        }
    }
}

/// The sends and gets that a formula names.
fn sends(oracle: &Interpreter<'_>, spec: &Spec) -> Vec<Named> {
    let mut out = vec![];
    let mut atoms = vec![];
    spec.formula.atoms(&mut atoms);
    for atom in atoms {
        let Atom::State(e) = atom else { continue };
        e.walk(&mut |e| match e {
            Expr::Label(agent, command)
                if !oracle.spec().receives(*agent, *command) && !out.contains(&(*agent, *command)) =>
            {
                out.push((*agent, *command));
            }
            _ => {}
        });
    }
    out
}

fn collect<'a>(f: &'a Linear<Atom>, out: &mut Vec<&'a Linear<Atom>>) {
    match f {
        Linear::Atom(_) => {}
        Linear::Not(a) => collect(a, out),
        Linear::And(parts) | Linear::Or(parts) => parts.iter().for_each(|p| collect(p, out)),
        Linear::Next(a) => {
            collect(a, out);
            if !out.contains(&f) {
                out.push(f);
            }
        }
        Linear::Until(a, b) | Linear::Release(a, b) => {
            collect(a, out);
            collect(b, out);
            if !out.contains(&f) {
                out.push(f);
            }
        }
    }
}

/// Strongly connected components, by two searches: forwards for an order, then backwards in it.
fn components(graph: &HashMap<usize, Vec<usize>>) -> Vec<Vec<usize>> {
    let mut order = vec![];
    let mut seen: HashMap<usize, bool> = HashMap::new();
    let mut back: HashMap<usize, Vec<usize>> = HashMap::new();
    for (from, targets) in graph {
        targets.iter().for_each(|to| back.entry(*to).or_default().push(*from));
    }
    for root in graph.keys() {
        let mut stack = vec![(*root, 0)];
        if seen.insert(*root, true).is_some() {
            continue;
        }
        while let Some((node, at)) = stack.pop() {
            match graph[&node].get(at) {
                Some(target) => {
                    stack.push((node, at + 1));
                    if seen.insert(*target, true).is_none() {
                        stack.push((*target, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut done: HashMap<usize, bool> = HashMap::new();
    let mut out = vec![];
    for root in order.into_iter().rev() {
        if done.insert(root, true).is_some() {
            continue;
        }
        let mut component = vec![root];
        let mut at = 0;
        while at < component.len() {
            for before in back.get(&component[at]).into_iter().flatten() {
                if done.insert(*before, true).is_none() {
                    component.push(*before);
                }
            }
            at += 1;
        }
        out.push(component);
    }
    out
}
