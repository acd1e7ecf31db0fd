//! Properties with a scope: the graph of the states together with what the execution so far means to the property.
//!
//! A scope opens in a state with the start and without the end, while none is open; the next state with the end closes
//! it and lies outside. This is written down here once more, from the tables of `docs/labs.md`, so that the oracle
//! shares no code with what it judges.

use super::graph::Graph;
use std::collections::{BTreeSet, HashMap};
use swarmcheck_ir::Inside;

/// The truth of a property's conditions in one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Truth {
    /// The predicate. The others matter only to properties with a scope.
    pub predicate: bool,
    /// What opens a scope.
    pub start: bool,
    pub end: bool,
    /// What must come first, for `precedes`.
    pub first: bool,
}

impl Truth {
    /// From the conditions in the order of [`swarmcheck_ir::Property::exprs`]; missing ones are false.
    pub fn from_conditions(values: &[bool]) -> Truth {
        let value = |at: usize| values.get(at).copied().unwrap_or(false);
        Truth { predicate: value(0), start: value(1), end: value(2), first: value(3) }
    }
}

/// Where an execution is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    /// In no scope.
    Outside,
    /// In a scope, where it would be fine to close it, or not; and whether what must come first has come.
    Within { fine: bool, first: bool },
    /// The property is violated, whatever follows.
    Violated,
}

/// Where an execution is after one more state.
fn next(place: Place, open: bool, inside: &Inside, truth: Truth) -> Place {
    let (fine, first) = match place {
        Place::Violated => return Place::Violated,
        Place::Within { fine, .. } if truth.end => {
            return if fine { Place::Outside } else { Place::Violated };
        }
        Place::Within { fine, first } => (fine, first),
        Place::Outside if truth.start && !truth.end => (!matches!(inside, Inside::ThereIs), false),
        Place::Outside => return Place::Outside,
    };
    let first = first || truth.first;
    let (fine, hopeless) = match inside {
        Inside::Always => (fine && truth.predicate, true),
        Inside::ThereIs => (fine || truth.predicate, false),
        Inside::Precedes(_) => (fine && (first || !truth.predicate), true),
    };
    // A scope that counts whether or not it closes need not be waited for once nothing can mend it.
    if open && hopeless && !fine { Place::Violated } else { Place::Within { fine, first } }
}

/// States together with places.
pub struct Product {
    /// The graph of those that are reached.
    pub graph: Graph,
    /// Where the property is violated.
    pub violated: Vec<bool>,
    /// Where a scope that counts also if it never closes still waits for its predicate. Consecutive ones are in one
    /// scope, because a scope that closes in vain is a violation.
    pub pending: Vec<bool>,
}

/// All states together with all places in which executions reach them.
pub fn product(graph: &Graph, open: bool, inside: &Inside, truths: &[Truth]) -> Product {
    let mut index: HashMap<(usize, Place), usize> = HashMap::new();
    let mut list: Vec<(usize, Place)> = vec![];
    let mut number = |list: &mut Vec<(usize, Place)>, before: Place, state: usize| {
        let entry = (state, next(before, open, inside, truths[state]));
        *index.entry(entry).or_insert_with(|| {
            list.push(entry);
            list.len() - 1
        })
    };
    let initial: BTreeSet<usize> =
        graph.initial.iter().map(|&state| number(&mut list, Place::Outside, state)).collect();
    let mut steps = vec![];
    while let Some(&(state, place)) = list.get(steps.len()) {
        steps.push(graph.next[state].iter().map(|&target| number(&mut list, place, target)).collect());
    }
    let waits = open && matches!(inside, Inside::ThereIs);
    Product {
        violated: list.iter().map(|(_, place)| *place == Place::Violated).collect(),
        pending: list
            .iter()
            .map(|(_, at)| waits && matches!(at, Place::Within { fine: false, .. }))
            .collect(),
        graph: Graph {
            initial,
            next: steps,
            stuck: list.iter().map(|(state, _)| graph.stuck[*state]).collect(),
        },
    }
}
