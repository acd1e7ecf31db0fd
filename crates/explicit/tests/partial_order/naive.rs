//! Graphs of all states, or of those that are left, by the plainest means.

use std::collections::{BTreeSet, HashMap};
use swarmcheck_explicit::partial_order::PartialOrder;
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_ir::{Fault, Value};

/// What an instance may come to in a state.
type Step = (usize, Result<usize, Fault>);

/// States and steps.
pub struct Graph {
    numbers: HashMap<Vec<Value>, usize>,
    states: Vec<Vec<Value>>,
    initial: usize,
    steps: Vec<Vec<Step>>,
    truths: Vec<Result<bool, Fault>>,
    resting: usize,
}

/// Which states and steps are kept.
#[derive(Clone, Copy)]
pub enum How<'a> {
    /// All of them.
    All,
    /// Where there is a first step, that one only.
    First(&'a PartialOrder),
    /// States without a first step only.
    Settled(&'a PartialOrder),
}

impl Graph {
    /// Explores; `None` if there are more states than wanted.
    pub fn new(ground: &Ground, condition: &Term, how: How<'_>, most: usize) -> Option<Graph> {
        let (order, settles) = match how {
            How::All => (None, None),
            How::First(order) => (Some(order), None),
            How::Settled(order) => (Some(order), Some(order)),
        };
        let mut graph = Graph {
            numbers: HashMap::new(),
            states: vec![],
            initial: 0,
            steps: vec![],
            truths: vec![],
            resting: 0,
        };
        let mut runner = Runner::default();
        let mut choices = Enumerate::default();
        let mut state = vec![0; ground.width()];
        loop {
            if runner.initialise(ground, &mut state, &mut choices) == Outcome::Done {
                let state = settled(ground, settles, state.clone());
                graph.number(state);
            }
            if !choices.advance() {
                break;
            }
        }
        graph.initial = graph.states.len();
        while graph.steps.len() < graph.states.len() {
            if graph.states.len() > most {
                return None;
            }
            let mut state = graph.states[graph.steps.len()].clone();
            graph.truths.push(runner.test(condition, &state));
            let first = order.and_then(|order| order.first(ground, &mut runner, &mut state));
            graph.resting += usize::from(first.is_none());
            assert_eq!(state, graph.states[graph.steps.len()], "asking changes nothing");
            let steps = graph.expand(ground, &mut runner, &mut state, first, settles);
            graph.steps.push(steps);
        }
        Some(graph)
    }

    fn number(&mut self, state: Vec<Value>) -> usize {
        let next = self.states.len();
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    fn expand(
        &mut self,
        ground: &Ground,
        runner: &mut Runner,
        state: &mut [Value],
        only: Option<usize>,
        settles: Option<&PartialOrder>,
    ) -> Vec<Step> {
        let mut out = vec![];
        for (number, routine) in ground.instances().iter().enumerate() {
            if only.is_some_and(|only| only != number) {
                continue;
            }
            let mut choices = Enumerate::default();
            loop {
                match runner.step(routine, state, &mut choices) {
                    Outcome::Disabled => {}
                    Outcome::Fault(fault) => out.push((number, Err(fault))),
                    Outcome::Done => {
                        let after = settled(ground, settles, state.to_vec());
                        out.push((number, Ok(self.number(after))));
                        runner.undo(state);
                    }
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// How many states have no first step.
    pub fn resting(&self) -> usize {
        self.resting
    }

    fn successors(&self, state: usize) -> impl Iterator<Item = usize> {
        self.steps[state].iter().filter_map(|(_, to)| to.as_ref().ok().copied())
    }

    /// Checks of every first step that it is one step, that the condition does not notice, and that it can be swapped with
    /// every other step.
    pub fn diamonds(&self, name: &str, ground: &Ground, order: &PartialOrder) {
        let mut runner = Runner::default();
        for (number, state) in self.states.iter().enumerate() {
            let Some(first) = order.first(ground, &mut runner, &mut state.clone()) else { continue };
            let own: Vec<&Step> = self.steps[number].iter().filter(|(by, _)| *by == first).collect();
            let [(_, Ok(after))] = own[..] else { panic!("{name}: {own:?} in {state:?}") };
            assert_eq!(self.truths[number], self.truths[*after], "{name}: {first} is seen in {state:?}");
            for &(by, result) in self.steps[number].iter().filter(|(by, _)| *by != first) {
                let swapped = match result {
                    Err(fault) => Err(fault),
                    Ok(other) => {
                        let then: Vec<&Step> =
                            self.steps[other].iter().filter(|(by, _)| *by == first).collect();
                        let [(_, Ok(end))] = then[..] else { panic!("{name}: {by} disturbs {first}") };
                        Ok(*end)
                    }
                };
                // Two that may both go first lead to the same state at rest, whichever does.
                if let Ok(other) = result
                    && self.truths[number] == self.truths[other]
                    && order.goes_first(by, ground, &mut runner, &mut state.clone())
                {
                    let end = |s: usize| settled(ground, Some(order), self.states[s].clone());
                    assert_eq!(end(*after), end(other), "{name}: {first} or {by} in {state:?}");
                }
                assert!(
                    self.steps[*after].contains(&(by, swapped)),
                    "{name}: {first} disturbs {by} in {state:?}"
                );
            }
        }
    }
}

/// The state itself, or what it comes to by first steps.
fn settled(ground: &Ground, order: Option<&PartialOrder>, mut state: Vec<Value>) -> Vec<Value> {
    if let Some(order) = order {
        order.settle(ground, &mut Runner::default(), &mut state);
    }
    state
}

/// What can be asked about a condition.
#[derive(Debug, PartialEq, Eq)]
pub struct Answers {
    always: bool,
    eventually: bool,
    fairly: bool,
    fairly_inf: bool,
    deadlocks: BTreeSet<Vec<Value>>,
    faults: BTreeSet<Fault>,
}

impl Answers {
    pub fn new(graph: &Graph) -> Answers {
        let all: Vec<usize> = (0..graph.len()).collect();
        let holds = |s: usize| graph.truths[s] == Ok(true);
        let stuck = |s: usize| graph.steps[s].is_empty();
        let before = before(graph, &holds);
        let cyclic = has_cycle(graph, &before);
        let reach = can_reach(graph, &holds);
        let faults = graph.steps.iter().flatten().filter_map(|(_, to)| to.err());
        Answers {
            always: all.iter().all(|&s| holds(s)),
            eventually: !cyclic && !before.iter().any(|&s| stuck(s)),
            fairly: before.iter().all(|&s| reach[s]),
            fairly_inf: all.iter().all(|&s| reach[s]),
            deadlocks: all.iter().filter(|&&s| stuck(s)).map(|&s| graph.states[s].clone()).collect(),
            faults: faults.chain(graph.truths.iter().filter_map(|t| t.err())).collect(),
        }
    }
}

/// The states that are reached without a condition.
fn before(graph: &Graph, holds: &dyn Fn(usize) -> bool) -> BTreeSet<usize> {
    let mut left: Vec<usize> = (0..graph.initial).filter(|&s| !holds(s)).collect();
    let mut seen: BTreeSet<usize> = left.iter().copied().collect();
    while let Some(state) = left.pop() {
        for to in graph.successors(state) {
            if !holds(to) && seen.insert(to) {
                left.push(to);
            }
        }
    }
    seen
}

/// Whether there is a cycle within some states: those that only lead out of them, or to such, are taken away.
fn has_cycle(graph: &Graph, within: &BTreeSet<usize>) -> bool {
    let mut degree = vec![0; graph.len()];
    let mut predecessors = vec![vec![]; graph.len()];
    for &state in within {
        for to in graph.successors(state).filter(|to| within.contains(to)) {
            degree[state] += 1;
            predecessors[to].push(state);
        }
    }
    let mut left: Vec<usize> = within.iter().copied().filter(|&s| degree[s] == 0).collect();
    let mut gone = 0;
    while let Some(state) = left.pop() {
        gone += 1;
        for &from in &predecessors[state] {
            degree[from] -= 1;
            if degree[from] == 0 {
                left.push(from);
            }
        }
    }
    gone < within.len()
}

/// From which states a condition can be reached.
fn can_reach(graph: &Graph, holds: &dyn Fn(usize) -> bool) -> Vec<bool> {
    let mut predecessors = vec![vec![]; graph.len()];
    for state in 0..graph.len() {
        graph.successors(state).for_each(|to| predecessors[to].push(state));
    }
    let mut left: Vec<usize> = (0..graph.len()).filter(|&s| holds(s)).collect();
    let mut reach = vec![false; graph.len()];
    left.iter().for_each(|&s| reach[s] = true);
    while let Some(state) = left.pop() {
        for &from in &predecessors[state] {
            if !std::mem::replace(&mut reach[from], true) {
                left.push(from);
            }
        }
    }
    reach
}
