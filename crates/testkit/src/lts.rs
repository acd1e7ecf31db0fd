//! A finite piece of a transition system, unfolded from its initial states layer by layer.

use std::collections::HashMap;
use std::hash::Hash;
use swarmcheck_reference::{Label, ModelError, Observation};

/// Everything that can be seen of a state without making a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    /// The data.
    pub seen: Observation,
    /// Whether each property's predicate holds.
    pub claims: Vec<Result<bool, ModelError>>,
}

/// A transition system that can be asked for its states.
pub trait Side {
    /// A state. Equal states are the same state.
    type State: Clone + Eq + Hash;
    /// All initial states; some may be listed twice.
    fn initial(&mut self) -> Result<Vec<Self::State>, ModelError>;
    /// All steps of a state; some may be listed twice.
    fn steps(&mut self, state: &Self::State) -> Vec<(Label, Result<Self::State, ModelError>)>;
    /// What can be seen of a state.
    fn view(&mut self, state: &Self::State) -> View;
}

/// A state of the piece.
#[derive(Clone, Debug)]
pub struct Node {
    /// What can be seen of it, as a number of [`Views`].
    pub view: usize,
    /// The fewest steps to it.
    pub depth: usize,
    /// Its steps, sorted, each once; empty as long as the layer has not been unfolded.
    pub steps: Vec<(Label, Result<usize, ModelError>)>,
}

/// Views by number: the two sides share them, so that equal views are equal numbers.
#[derive(Default)]
pub struct Views {
    index: HashMap<View, usize>,
    list: Vec<View>,
}

impl Views {
    pub fn number(&mut self, view: View) -> usize {
        let next = self.list.len();
        *self.index.entry(view).or_insert_with_key(|view| {
            self.list.push(view.clone());
            next
        })
    }

    pub fn get(&self, number: usize) -> &View {
        &self.list[number]
    }
}

/// The piece unfolded so far.
pub struct Lts<S: Side> {
    side: S,
    states: Vec<S::State>,
    index: HashMap<S::State, usize>,
    /// The states, layer by layer.
    pub nodes: Vec<Node>,
    /// The distinct initial states.
    pub initial: usize,
    /// How many states have been unfolded.
    unfolded: usize,
    /// How many layers have been unfolded.
    pub layers: usize,
}

impl<S: Side> Lts<S> {
    /// The initial states.
    pub fn new(mut side: S, views: &mut Views) -> Result<Lts<S>, ModelError> {
        let initial = side.initial()?;
        let (states, index) = (vec![], HashMap::new());
        let mut lts = Lts { side, states, index, nodes: vec![], initial: 0, unfolded: 0, layers: 0 };
        for state in initial {
            lts.node(state, 0, views);
        }
        lts.initial = lts.nodes.len();
        Ok(lts)
    }

    fn node(&mut self, state: S::State, depth: usize, views: &mut Views) -> usize {
        if let Some(&known) = self.index.get(&state) {
            return known;
        }
        let view = views.number(self.side.view(&state));
        self.nodes.push(Node { view, depth, steps: vec![] });
        self.states.push(state.clone());
        self.index.insert(state, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Whether every state has been unfolded.
    pub fn complete(&self) -> bool {
        self.unfolded == self.nodes.len()
    }

    /// Unfolds the next layer.
    pub fn unfold(&mut self, views: &mut Views) {
        for at in self.unfolded..self.nodes.len() {
            let mut steps = vec![];
            for (label, target) in self.side.steps(&self.states[at].clone()) {
                let target = target.map(|state| self.node(state, self.layers + 1, views));
                steps.push((label, target));
            }
            steps.sort();
            steps.dedup();
            self.nodes[at].steps = steps;
            self.unfolded = at + 1;
        }
        self.layers += 1;
    }
}
