//! Two processes together: what one does alone, and what both do at the same gate.

use crate::label::{LabelId, Labels, Members};
use crate::process::{INITIAL, Process};
use crate::quick::QuickMap;
use crate::refused::Refused;

/// The composition of two processes.
pub struct Product {
    /// The transition system of the states that can be reached.
    pub process: Process,
    /// The number of each pair of states.
    pub index: QuickMap<(u32, u32), u32>,
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
    let mut joint = Joint::new(labels, a, b);
    let mut out = Process::new(joint.members.clone());
    let mut index: QuickMap<(u32, u32), u32> = QuickMap::default();
    index.insert((INITIAL, INITIAL), 0);
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

/// What a label means to the other part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// The other part has no say.
    Alone,
    /// The other part takes part at this gate.
    At(u32),
}

struct Joint<'a> {
    labels: &'a mut Labels,
    members: Members,
    a: &'a Process,
    b: &'a Process,
    /// What each label of the first part means to the second, and the other way round.
    meetings: (Vec<Meeting>, Vec<Meeting>),
    /// The labels of steps made together.
    joined: QuickMap<(LabelId, LabelId), Option<LabelId>>,
    classes: QuickMap<(u32, u32), u32>,
}

impl<'a> Joint<'a> {
    fn new(labels: &'a mut Labels, a: &'a Process, b: &'a Process) -> Joint<'a> {
        let meeting = |others: &Members, label: LabelId| {
            let Some(gate) = labels.gate_of(label) else { return Meeting::Alone };
            let participants = &labels.gates[gate as usize].participants;
            match participants.iter().any(|participant| others.contains(participant.process)) {
                true => Meeting::At(gate),
                false => Meeting::Alone,
            }
        };
        let of = |others: &Members| (0..labels.count() as u32).map(|label| meeting(others, label)).collect();
        let (meetings, members) = ((of(&b.members), of(&a.members)), a.members.with(&b.members));
        Joint { labels, members, a, b, meetings, joined: QuickMap::default(), classes: QuickMap::default() }
    }

    fn steps(&mut self, x: u32, y: u32, out: &mut Vec<(LabelId, (u32, u32))>) {
        let (a, b) = (self.a, self.b);
        for &(label, target) in a.steps(x) {
            let meeting = self.meetings.0[label as usize];
            if meeting == Meeting::Alone {
                out.push((label, (target, y)));
                continue;
            }
            for &(other, theirs) in b.steps(y) {
                if self.meetings.1[other as usize] == meeting
                    && let Some(label) = self.join(label, other)
                {
                    out.push((label, (target, theirs)));
                }
            }
        }
        for &(label, target) in b.steps(y) {
            if self.meetings.1[label as usize] == Meeting::Alone {
                out.push((label, (x, target)));
            }
        }
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
