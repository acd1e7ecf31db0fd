//! Two processes together: what one does alone, and what both do at the same gate.

use crate::label::{LabelId, Labels, Members};
use crate::process::{INITIAL, Process};
use crate::quick::QuickMap;
use crate::refused::Refused;

/// The composition of two processes.
pub struct Product {
    /// The transition system of the states that can be reached.
    pub process: Process,
    /// The pairs of states, by number.
    pub pairs: Pairs,
}

/// Pairs of states with their numbers.
#[derive(Default)]
pub struct Pairs {
    index: QuickMap<(u32, u32), u32>,
    list: Vec<(u32, u32)>,
}

impl Pairs {
    fn insert(&mut self, pair: (u32, u32)) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.index.entry(pair).or_insert(next);
        if number == next {
            self.list.push(pair);
        }
        number
    }

    /// The number of a pair, if it was reached.
    pub fn number(&self, pair: (u32, u32)) -> Option<u32> {
        self.index.get(&pair).copied()
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> u64 {
        self.index.capacity() as u64 * 16 + self.list.len() as u64 * 8
    }

    /// The pair with a number.
    pub fn pair(&self, number: u32) -> (u32, u32) {
        self.list[number as usize]
    }
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

/// States with more combinations of steps of both parts are refused.
const MOST_TOGETHER: usize = 20_000_000;

/// How often the caller is asked whether to stop, in states and in transitions.
const STATES_BETWEEN: usize = 1 << 12;
const TRANSITIONS_BETWEEN: usize = 1 << 14;

/// Puts two processes together. `stop` is told how many states, transitions and bytes there are.
pub fn product(
    a: &Process,
    b: &Process,
    labels: &mut Labels,
    stop: &dyn Fn(u32, usize, u64) -> bool,
) -> Result<Product, NoProduct> {
    let mut joint = Joint::new(labels, a, b);
    let mut out = Process::new(joint.members.clone());
    let mut pairs = Pairs::default();
    pairs.insert((INITIAL, INITIAL));
    let (mut at, mut next) = (0, 0);
    while at < pairs.list.len() {
        if at.is_multiple_of(STATES_BETWEEN) || out.edges.len() >= next {
            next = out.edges.len() + TRANSITIONS_BETWEEN;
            let bytes = out.bytes() + pairs.bytes();
            if stop(pairs.list.len() as u32, out.edges.len(), bytes) {
                return Err(NoProduct::Stopped);
            }
            if pairs.list.len() > MOST || out.edges.len() > MOST {
                return Err(NoProduct::Refused(Refused::TooLarge));
            }
        }
        let (x, y) = pairs.list[at];
        // Two parts may begin in many ways, and nobody is asked while the ways are combined.
        if a.steps(x).len().saturating_mul(b.steps(y).len()) > MOST_TOGETHER {
            let over = stop(pairs.list.len() as u32, usize::MAX, out.bytes());
            return Err(if over { NoProduct::Stopped } else { NoProduct::Refused(Refused::TooLarge) });
        }
        joint.each(x, y, |label, a, b| {
            let pair = (a.map_or(x, |(_, target)| target), b.map_or(y, |(_, target)| target));
            out.edges.push((label, pairs.insert(pair)));
        });
        let class = joint.class(x, y);
        out.end_state(class);
        at += 1;
    }
    Ok(Product { process: out, pairs })
}

/// What a label means to the other part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// Nobody has asked yet.
    Unknown,
    /// The other part has no say.
    Alone,
    /// The other part takes part at this gate.
    At(u32),
}

/// What a part does in a step: its label there, and where it goes.
pub type Own = (LabelId, u32);

/// Two parts, asked for their steps together.
pub struct Joint<'a> {
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
    /// For two parts.
    pub fn new(labels: &'a mut Labels, a: &'a Process, b: &'a Process) -> Joint<'a> {
        let unknown = || vec![Meeting::Unknown; labels.count()];
        let (meetings, members) = ((unknown(), unknown()), a.members.with(&b.members));
        Joint { labels, members, a, b, meetings, joined: QuickMap::default(), classes: QuickMap::default() }
    }

    /// What a label of the first part means to the second; or the other way round.
    fn meeting(&mut self, first: bool, label: LabelId) -> Meeting {
        let known = if first { &mut self.meetings.0 } else { &mut self.meetings.1 };
        let known = &mut known[label as usize];
        if *known == Meeting::Unknown {
            let others = if first { &self.b.members } else { &self.a.members };
            let takes_part = |gate: &u32| {
                let participants = &self.labels.gates[*gate as usize].participants;
                participants.iter().any(|participant| others.contains(participant.process))
            };
            *known = self.labels.gate_of(label).filter(takes_part).map_or(Meeting::Alone, Meeting::At);
        }
        *known
    }

    /// Calls `visit` with every step of a pair: its label, and what each part does, if anything.
    pub fn each(&mut self, x: u32, y: u32, mut visit: impl FnMut(LabelId, Option<Own>, Option<Own>)) {
        let (a, b) = (self.a, self.b);
        for &own in a.steps(x) {
            let meeting = self.meeting(true, own.0);
            if meeting == Meeting::Alone {
                visit(own.0, Some(own), None);
                continue;
            }
            for &theirs in b.steps(y) {
                if self.meeting(false, theirs.0) == meeting
                    && let Some(label) = self.join(own.0, theirs.0)
                {
                    visit(label, Some(own), Some(theirs));
                }
            }
        }
        for &theirs in b.steps(y) {
            if self.meeting(false, theirs.0) == Meeting::Alone {
                visit(theirs.0, None, Some(theirs));
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
