//! A labelled transition system: numbered states, one of them initial, and labelled transitions between them.

use crate::minimise::Raw;
use std::collections::HashMap;
use std::ops::Range;

/// The invisible label.
pub const TAU: &str = "i";

/// A labelled transition system. [`crate::Builder`] makes one.
///
/// Transitions are a set: none occurs twice. They are stored by source, those of a state sorted by label and target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lts {
    initial: u32,
    labels: Vec<String>,
    /// Where the transitions of each state begin; one entry more than there are states.
    offsets: Vec<usize>,
    /// Label and target.
    edges: Vec<(u32, u32)>,
}

/// A transition, by the numbers of its states and its label. The order is that of [`Lts::all_steps`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Transition {
    pub source: u32,
    pub label: u32,
    pub target: u32,
}

impl Lts {
    /// The invariants are the builder's business: triples sorted, each once, and all numbers in range.
    pub(crate) fn from_sorted(
        initial: u32,
        states: u32,
        labels: Vec<String>,
        transitions: &[Transition],
    ) -> Lts {
        let mut offsets = vec![0; states as usize + 1];
        for transition in transitions {
            offsets[transition.source as usize + 1] += 1;
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let edges = transitions.iter().map(|t| (t.label, t.target)).collect();
        Lts { initial, labels, offsets, edges }
    }

    /// The initial state.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    /// How many states there are; they are numbered from 0.
    pub fn states(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.edges.len()
    }

    /// The texts of the labels, by number. No two are equal; some may be unused.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The text of a label.
    ///
    /// # Panics
    /// If the number is not that of a label.
    pub fn label(&self, label: u32) -> &str {
        &self.labels[label as usize]
    }

    /// The number of the invisible label, if the system has it.
    pub fn tau(&self) -> Option<u32> {
        self.labels.iter().position(|label| label == TAU).map(|at| at as u32)
    }

    /// The transitions of a state, as label and target, sorted.
    ///
    /// # Panics
    /// If the number is not that of a state.
    pub fn steps(&self, state: u32) -> &[(u32, u32)] {
        let state = state as usize;
        &self.edges[self.offsets[state]..self.offsets[state + 1]]
    }

    /// All transitions, as source, label and target, sorted.
    pub fn all_steps(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        (0..self.states())
            .flat_map(|state| self.steps(state).iter().map(move |&(l, target)| (state, l, target)))
    }

    /// The system without its initial state and the texts of its labels, and with all states of one class.
    pub fn raw(&self) -> Raw<'_> {
        Raw { offsets: &self.offsets, edges: &self.edges, tau: self.tau(), classes: &[] }
    }

    /// Both systems side by side, with the initial state of the first, and the numbers that the states of the second
    /// have got. Labels with the same text are one label.
    ///
    /// # Panics
    /// If they have more states together than a `u32` can count.
    pub fn beside(&self, other: &Lts) -> (Lts, Range<u32>) {
        let shift = self.states();
        let end = shift.checked_add(other.states()).expect("states can be numbered");
        let mut labels = self.labels.clone();
        let known: HashMap<&str, u32> = self.labels.iter().map(String::as_str).zip(0..).collect();
        let mut renamed = vec![];
        for label in &other.labels {
            renamed.push(known.get(label.as_str()).copied().unwrap_or(labels.len() as u32));
            if !known.contains_key(label.as_str()) {
                labels.push(label.clone());
            }
        }
        let (mut offsets, mut edges) = (self.offsets.clone(), self.edges.clone());
        for state in 0..other.states() {
            let from = edges.len();
            edges.extend(other.steps(state).iter().map(|&(l, t)| (renamed[l as usize], t + shift)));
            edges[from..].sort_unstable();
            offsets.push(edges.len());
        }
        (Lts { initial: self.initial, labels, offsets, edges }, shift..end)
    }
}

/// The part of sorted steps that has a label.
pub(crate) fn with_label(steps: &[(u32, u32)], label: u32) -> &[(u32, u32)] {
    let from = steps.partition_point(|&(l, _)| l < label);
    let count = steps[from..].partition_point(|&(l, _)| l == label);
    &steps[from..from + count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Builder;

    #[test]
    fn side_by_side_shares_labels() {
        let mut a = Builder::new();
        a.step(0, "x", 1);
        let a = a.finish(0);
        let mut b = Builder::new();
        b.step(0, "y", 1);
        b.step(0, "x", 2);
        let (both, second) = a.beside(&b.finish(0));
        assert_eq!(second, 2..5);
        assert_eq!(both.labels(), ["x", "y"]);
        assert_eq!(both.all_steps().collect::<Vec<_>>(), [(0, 0, 1), (2, 0, 4), (2, 1, 3)]);
    }

    #[test]
    fn steps_with_a_label() {
        let steps = [(0, 1), (2, 0), (2, 5), (3, 0)];
        assert_eq!(with_label(&steps, 2), [(2, 0), (2, 5)]);
        assert_eq!(with_label(&steps, 1), []);
        assert_eq!(with_label(&steps, 4), []);
        assert_eq!(with_label(&[], 0), []);
    }
}
