//! Systems of any size, of several shapes. Label 0 is the invisible one.

use super::Random;
use swarmcheck_lts::Raw;

/// A system that owns what [`Raw`] borrows.
#[derive(Clone, Debug)]
pub struct System {
    pub offsets: Vec<usize>,
    pub edges: Vec<(u32, u32)>,
    pub classes: Vec<u32>,
}

pub const TAU: u32 = 0;

impl System {
    /// The system with these transitions: source, label and target.
    pub fn new(states: u32, mut transitions: Vec<(u32, u32, u32)>) -> System {
        transitions.sort_unstable();
        transitions.dedup();
        let mut offsets = vec![0; states as usize + 1];
        transitions.iter().for_each(|&(source, _, _)| offsets[source as usize + 1] += 1);
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let edges = transitions.iter().map(|&(_, label, target)| (label, target)).collect();
        System { offsets, edges, classes: vec![] }
    }

    pub fn raw(&self) -> Raw<'_> {
        Raw { offsets: &self.offsets, edges: &self.edges, tau: Some(TAU), classes: &self.classes }
    }

    pub fn states(&self) -> u32 {
        self.offsets.len() as u32 - 1
    }

    /// Random classes, of which the first is frequent.
    pub fn with_classes(mut self, random: &mut Random, count: u32) -> System {
        let mut class = || if random.below(4) > 0 { 0 } else { random.below(count) };
        self.classes = (0..self.offsets.len() - 1).map(|_| class()).collect();
        self
    }
}

/// Random transitions, of which so many in a hundred are invisible.
pub fn random(random: &mut Random, states: u32, transitions: u32, labels: u32, invisible: u32) -> System {
    let steps = (0..transitions).map(|_| {
        let label = if random.below(100) < invisible { TAU } else { 1 + random.below(labels) };
        (random.below(states), label, random.below(states))
    });
    let steps = steps.collect();
    System::new(states, steps)
}

/// Like [`random`], but invisible transitions lead to smaller states close by, so that there are no cycles of them.
pub fn descending(random: &mut Random, states: u32, transitions: u32, labels: u32, invisible: u32) -> System {
    let steps = (0..transitions).map(|_| {
        let source = random.below(states);
        if random.below(100) < invisible {
            (source, TAU, source - random.below(source.min(20) + 1))
        } else {
            (source, 1 + random.below(labels), random.below(states))
        }
    });
    let steps = steps.filter(|&(source, label, target)| label != TAU || source != target).collect();
    System::new(states, steps)
}

/// A chain whose labels repeat; it ends with a visible transition.
pub fn chain(length: u32, labels: &[u32]) -> System {
    let label = |at: u32| if at + 1 == length { 1 } else { labels[at as usize % labels.len()] };
    System::new(length + 1, (0..length).map(|at| (at, label(at), at + 1)).collect())
}

/// A ring whose labels repeat, apart from one transition.
pub fn ring(length: u32, labels: &[u32]) -> System {
    let label = |at: u32| if at == 0 { 9 } else { labels[at as usize % labels.len()] };
    System::new(length, (0..length).map(|at| (at, label(at), (at + 1) % length)).collect())
}

/// A binary tree; the labels depend on the depth and on the side.
pub fn tree(depth: u32, labels: &[u32]) -> System {
    let inner = (1 << depth) - 1;
    let steps = (0..inner).flat_map(|at: u32| {
        [0, 1].map(|side| (at, labels[((at + 1).ilog2() + side) as usize % labels.len()], 2 * at + 1 + side))
    });
    System::new(2 * inner + 1, steps.collect())
}

/// Counters side by side, each from 0 to `top`. Each counts with its own label and starts again with label `reset`, if
/// it does.
pub fn counters(labels: &[u32], top: u32, reset: Option<u32>) -> System {
    let base = top + 1;
    let states = base.pow(labels.len() as u32);
    let mut steps = vec![];
    for state in 0..states {
        let mut weight = 1;
        for &label in labels {
            match (state / weight % base == top, reset) {
                (false, _) => steps.push((state, label, state + weight)),
                (true, Some(reset)) => steps.push((state, reset, state - top * weight)),
                (true, None) => {}
            }
            weight *= base;
        }
    }
    System::new(states, steps)
}

/// A chain of invisible transitions, whose last state has transitions to all states of a visible chain. Each time that a
/// state is cut off the visible chain, the whole invisible chain has another signature.
pub fn fan(invisible: u32, visible: u32) -> System {
    let mut steps: Vec<_> = (1..invisible).map(|at| (at, TAU, at - 1)).collect();
    for at in 0..visible {
        steps.push((0, 2, invisible + at));
        steps.push((invisible + at, 1, invisible + at + 1));
    }
    System::new(invisible + visible + 1, steps)
}

/// Stairs, each with a label of its own and an invisible transition to the next; the last state has all these labels.
/// When it is cut off, because it does not have the label 1, the stairs become bottom states one after another.
pub fn stairs(length: u32) -> System {
    let (last, end) = (length, length + 1);
    let mut steps = vec![(last - 1, 1, end), (last - 1, TAU, last)];
    for at in 0..length {
        steps.extend([(at, 2 + at, end), (last, 2 + at, end)]);
        if at > 0 {
            steps.push((at - 1, TAU, at));
        }
    }
    System::new(end + 1, steps)
}
