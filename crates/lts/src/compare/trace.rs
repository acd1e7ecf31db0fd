//! Traces: sequences of visible labels, with invisible steps anywhere between them.

use crate::stop::{Stop, Stopped, go_on};
use crate::system::Lts;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// What a state in a set and a pair of sets take, roughly: there can be exponentially many of them, so it has to be watched.
const BYTES_PER_STATE: usize = 8;
const BYTES_PER_PAIR: usize = 250;

/// A shortest trace that only one of two systems has, and whether that is the first one. Both are determinised as far as
/// they are looked at, in parallel and breadth first: as long as the same labels are possible in both, so are the same
/// traces.
pub fn distinguishing_trace(
    a: &Lts,
    b: &Lts,
    stop: Stop<'_>,
) -> Result<Option<(Vec<String>, bool)>, Stopped> {
    let start = (closed(a, [a.initial()]), closed(b, [b.initial()]));
    let mut known = HashMap::from([(start.clone(), 0)]);
    // For each pair of sets, the pair before it and the label between them.
    let mut before: Vec<Option<(usize, String)>> = vec![None];
    let mut todo = VecDeque::from([(start, 0)]);
    let mut bytes = 0;
    while let Some(((left, right), number)) = todo.pop_front() {
        go_on(stop, bytes)?;
        let (in_left, in_right) = (offers(a, &left), offers(b, &right));
        if let Some(label) = in_left.symmetric_difference(&in_right).next() {
            let mut trace = vec![label.to_string()];
            let mut at = number;
            while let Some((earlier, label)) = &before[at] {
                trace.push(label.clone());
                at = *earlier;
            }
            trace.reverse();
            return Ok(Some((trace, in_left.contains(label))));
        }
        for label in in_left {
            let next = (after(a, &left, label), after(b, &right, label));
            if !known.contains_key(&next) {
                bytes += 2 * (next.0.len() + next.1.len()) * BYTES_PER_STATE + BYTES_PER_PAIR;
                known.insert(next.clone(), before.len());
                todo.push_back((next, before.len()));
                before.push(Some((number, label.to_string())));
            }
        }
    }
    Ok(None)
}

type States = BTreeSet<u32>;

/// These states and all that invisible steps lead to.
fn closed(lts: &Lts, states: impl IntoIterator<Item = u32>) -> States {
    let mut out = States::new();
    let mut todo: Vec<u32> = states.into_iter().collect();
    while let Some(state) = todo.pop() {
        if out.insert(state) {
            todo.extend(lts.steps(state).iter().filter(|(l, _)| Some(*l) == lts.tau()).map(|(_, to)| *to));
        }
    }
    out
}

fn offers<'l>(lts: &'l Lts, states: &States) -> BTreeSet<&'l str> {
    let steps = states.iter().flat_map(|state| lts.steps(*state));
    steps.filter(|(l, _)| Some(*l) != lts.tau()).map(|(l, _)| lts.label(*l)).collect()
}

fn after(lts: &Lts, states: &States, label: &str) -> States {
    let steps = states.iter().flat_map(|state| lts.steps(*state));
    closed(lts, steps.filter(|(l, _)| lts.label(*l) == label).map(|(_, to)| *to).collect::<Vec<_>>())
}
