//! Two processes together: what one does alone, and what both do at the same gate.

use crate::label::{LabelId, Labels, Members};
use crate::process::{INITIAL, Process};
use crate::refused::Refused;
use std::collections::HashMap;

/// The composition of two processes.
pub struct Product {
    /// The transition system of the states that can be reached.
    pub process: Process,
    /// The number of each pair of states.
    pub index: HashMap<(u32, u32), u32>,
}

/// Why there is no product.
pub enum NoProduct {
    /// The caller wanted it to stop.
    Stopped,
    /// It is too large.
    Refused(Refused),
}

/// More states or transitions are refused.
const MOST: usize = u32::MAX as usize / 2;

/// How often the caller is asked whether to stop, in states.
const STATES_BETWEEN: usize = 1 << 12;

/// Puts two processes together. `stop` is told how many states, transitions and bytes there are.
pub fn product(
    a: &Process,
    b: &Process,
    labels: &mut Labels,
    stop: &dyn Fn(u32, usize, u64) -> bool,
) -> Result<Product, NoProduct> {
    let members = a.members.with(&b.members);
    let mut joint =
        Joint { labels, members: members.clone(), a, b, joined: HashMap::new(), classes: HashMap::new() };
    let mut out = Process::new(members);
    let mut index: HashMap<(u32, u32), u32> = HashMap::from([((INITIAL, INITIAL), 0)]);
    let mut order = vec![(INITIAL, INITIAL)];
    let mut steps = vec![];
    let mut at = 0;
    while at < order.len() {
        if at.is_multiple_of(STATES_BETWEEN) {
            let bytes = out.bytes() + index.capacity() as u64 * 16 + order.len() as u64 * 8;
            if stop(order.len() as u32, out.edges.len(), bytes) {
                return Err(NoProduct::Stopped);
            }
            if order.len() > MOST || out.edges.len() > MOST {
                return Err(NoProduct::Refused(Refused::TooLarge));
            }
        }
        let (x, y) = order[at];
        steps.clear();
        joint.steps(x, y, &mut steps);
        for &(label, pair) in &steps {
            let next = order.len() as u32;
            let target = *index.entry(pair).or_insert(next);
            if target == next {
                order.push(pair);
            }
            out.edges.push((label, target));
        }
        let class = joint.class(x, y);
        out.end_state(class);
        at += 1;
    }
    Ok(Product { process: out, index })
}

struct Joint<'a> {
    labels: &'a mut Labels,
    members: Members,
    a: &'a Process,
    b: &'a Process,
    /// The labels of steps made together.
    joined: HashMap<(LabelId, LabelId), Option<LabelId>>,
    classes: HashMap<(u32, u32), u32>,
}

impl Joint<'_> {
    fn steps(&mut self, x: u32, y: u32, out: &mut Vec<(LabelId, (u32, u32))>) {
        let (a, b) = (self.a, self.b);
        for &(label, target) in a.steps(x) {
            match self.meets(label, &b.members) {
                None => out.push((label, (target, y))),
                Some(gate) => {
                    for &(other, theirs) in b.steps(y) {
                        if self.labels.gate_of(other) == Some(gate)
                            && let Some(label) = self.join(label, other)
                        {
                            out.push((label, (target, theirs)));
                        }
                    }
                }
            }
        }
        for &(label, target) in b.steps(y) {
            if self.meets(label, &a.members).is_none() {
                out.push((label, (x, target)));
            }
        }
    }

    /// The gate at which a step waits for some of these processes.
    fn meets(&self, label: LabelId, others: &Members) -> Option<u32> {
        let gate = self.labels.gate_of(label)?;
        let participants = &self.labels.gates[gate as usize].participants;
        participants.iter().any(|participant| others.contains(participant.process)).then_some(gate)
    }

    fn join(&mut self, a: LabelId, b: LabelId) -> Option<LabelId> {
        if let Some(known) = self.joined.get(&(a, b)) {
            return *known;
        }
        let label = self.labels.join(a, b, &self.members);
        self.joined.insert((a, b), label);
        label
    }

    /// Both parts are before the initial block or none is, because it is a gate of all.
    fn class(&mut self, x: u32, y: u32) -> u32 {
        let pair = (self.a.classes[x as usize], self.b.classes[y as usize]);
        if let Some(&known) = self.classes.get(&pair) {
            return known;
        }
        let class = self.labels.join_classes(pair.0, pair.1).unwrap_or(crate::label::START);
        self.classes.insert(pair, class);
        class
    }
}
