//! The states and steps of a system, and the moments of its executions.

use std::collections::HashMap;
use std::hash::Hash;

/// A state with the step that leaves it. A state without steps is left by none, and stays what it is: an execution that
/// stops rests forever.
pub struct Moment<T> {
    /// The number of the state.
    pub state: usize,
    /// The step that is made, if there is one.
    pub step: Option<T>,
    /// The number of the next state.
    pub target: usize,
}

/// What can be reached.
pub struct Graph<S, T> {
    pub states: Vec<S>,
    /// The states that come first are the initial ones.
    pub initial: usize,
    /// The moments, state by state.
    pub moments: Vec<Moment<T>>,
    /// Where the moments of each state begin, and where those of the last one end.
    first: Vec<usize>,
}

impl<S: Clone + Eq + Hash, T> Graph<S, T> {
    /// Explores; `None` if there are more states than `most`, or if a state has no successors that can be told.
    pub fn explore(
        initial: impl IntoIterator<Item = S>,
        most: usize,
        mut steps: impl FnMut(&S) -> Option<Vec<(T, S)>>,
    ) -> Option<Graph<S, T>> {
        let mut states: Vec<S> = vec![];
        let mut numbers: HashMap<S, usize> = HashMap::new();
        let mut number = |state: S, states: &mut Vec<S>| {
            *numbers.entry(state.clone()).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        for state in initial {
            number(state, &mut states);
            if states.len() > most {
                return None;
            }
        }
        let mut graph = Graph { initial: states.len(), states, moments: vec![], first: vec![] };
        let mut state = 0;
        while state < graph.states.len() {
            graph.first.push(graph.moments.len());
            let found = steps(&graph.states[state].clone())?;
            if found.is_empty() {
                graph.moments.push(Moment { state, step: None, target: state });
            }
            for (step, after) in found {
                let target = number(after, &mut graph.states);
                graph.moments.push(Moment { state, step: Some(step), target });
            }
            if graph.states.len() > most {
                return None;
            }
            state += 1;
        }
        graph.first.push(graph.moments.len());
        Some(graph)
    }
}

impl<S, T> Graph<S, T> {
    /// The numbers of the moments of a state.
    pub fn moments_of(&self, state: usize) -> std::ops::Range<usize> {
        self.first[state]..self.first[state + 1]
    }

    /// The numbers of the moments that can come after one.
    pub fn after(&self, moment: usize) -> std::ops::Range<usize> {
        self.moments_of(self.moments[moment].target)
    }

    /// The moments that executions begin with.
    pub fn beginnings(&self) -> std::ops::Range<usize> {
        0..self.first[self.initial]
    }

    /// Whether some step of a state is like this.
    pub fn can(&self, state: usize, step: impl Fn(&T) -> bool) -> bool {
        self.moments_of(state).any(|moment| self.moments[moment].step.as_ref().is_some_and(&step))
    }
}
