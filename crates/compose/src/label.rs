//! Labels of transitions while a system is put together.
//!
//! A transition of some processes is complete, and then invisible or visible, or it waits for others at a gate. Then its label
//! says what the others still need to know: the values of the fields that others mention, and what is left of the conditions
//! of the gate. Two transitions that leave the same conditions to the others have the same label, whatever values led
//! there; one set of values, the *representative*, is kept for each, because what is left of a condition for one part
//! and for another cannot be put together, but values can.

use crate::gates::{Gate, Joint, Observed};
use std::collections::HashMap;
use swarmcheck_ir::Value;
use swarmcheck_steps::terms::{TermId, Terms};

/// The number of a label.
pub type LabelId = u32;

/// The invisible label.
pub const TAU: LabelId = 0;

/// The class of states before the initial block.
pub const START: u32 = 0;

/// Values of fields, by field.
pub type Known = Vec<(u32, Value)>;

/// A label.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// The step is complete, and nobody looks.
    Invisible,
    /// The step is complete, and can be seen as the text with this number.
    Visible(u32),
    /// The step waits for other processes.
    Open {
        /// The gate.
        gate: u32,
        /// Fields that others mention, with their values.
        shared: Box<[(u32, Value)]>,
        /// Conditions that are not decided, with the representatives of what is known.
        pending: Box<[(u32, u32)]>,
    },
}

/// Which processes are together.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Members(Box<[u64]>);

impl Members {
    /// One of so many.
    pub fn one(process: usize, of: usize) -> Members {
        let mut bits = vec![0; of.div_ceil(64)];
        bits[process / 64] |= 1 << (process % 64);
        Members(bits.into())
    }

    /// Whether a process is among them.
    pub fn contains(&self, process: usize) -> bool {
        self.0[process / 64] >> (process % 64) & 1 != 0
    }

    /// Both together.
    pub fn with(&self, other: &Members) -> Members {
        Members(self.0.iter().zip(&other.0).map(|(a, b)| a | b).collect())
    }

    /// Their numbers.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|process| self.contains(*process))
    }
}

/// What is known about a condition, and what is left of it.
struct Representative {
    known: Known,
    residual: TermId,
}

/// What is left of a condition of a gate: the gate, the condition, the fields that are known, the values that others mention,
/// and the rest of the condition.
type Leaving = (u32, u32, Box<[u32]>, Known, TermId);

/// Conditions with representatives of what is known about them.
#[derive(Default)]
struct Representatives {
    all: Vec<Representative>,
    numbers: HashMap<Leaving, u32>,
    /// The same by all that is known, with those that others mention: what is left need not be worked out again.
    seen: HashMap<(u32, u32, Known, Known), u32>,
}

/// The bytes of a label with its lists, a class, a representative or a term.
const ENTRY: u64 = 96;

/// The gates of states, which have conditions but no steps.
const STATES: u32 = u32::MAX;

/// All labels and classes of states.
pub struct Labels {
    /// The terms of all conditions.
    pub terms: Terms,
    /// The gates, by number.
    pub gates: Vec<Gate>,
    /// What states are told apart by.
    pub observed: Observed,
    /// What is seen of a complete step of each gate.
    visible: Vec<Option<u32>>,
    labels: Vec<Label>,
    numbers: HashMap<Label, LabelId>,
    /// The representatives of all conditions in each class of states.
    classes: Vec<Box<[u32]>>,
    class_numbers: HashMap<Box<[u32]>, u32>,
    representatives: Representatives,
}

impl Labels {
    /// Labels for some gates; `visible` tells what is seen of a step.
    pub fn new(terms: Terms, gates: Vec<Gate>, observed: Observed, visible: Vec<Option<u32>>) -> Labels {
        let mut labels = Labels {
            terms,
            gates,
            observed,
            visible,
            labels: vec![],
            numbers: HashMap::new(),
            // Before the initial block nothing is known.
            classes: vec![[u32::MAX].into()],
            class_numbers: HashMap::new(),
            representatives: Representatives::default(),
        };
        labels.number(Label::Invisible);
        labels
    }

    /// The label with a number.
    pub fn label(&self, label: LabelId) -> &Label {
        &self.labels[label as usize]
    }

    /// How many labels there are.
    pub fn count(&self) -> usize {
        self.labels.len()
    }

    /// About how many bytes labels and what they are made of take: each is kept twice, in a list and as a key.
    pub fn bytes(&self) -> u64 {
        let representatives = self.representatives.all.len() + self.representatives.seen.len();
        let entries = self.labels.len() + self.classes.len() + representatives + self.terms.number_of_terms();
        entries as u64 * 2 * ENTRY
    }

    /// The gate at which a transition waits.
    pub fn gate_of(&self, label: LabelId) -> Option<u32> {
        match self.label(label) {
            Label::Open { gate, .. } => Some(*gate),
            Label::Invisible | Label::Visible(_) => None,
        }
    }

    fn number(&mut self, label: Label) -> LabelId {
        if let Some(&known) = self.numbers.get(&label) {
            return known;
        }
        let number = self.labels.len() as LabelId;
        self.labels.push(label.clone());
        self.numbers.insert(label, number);
        number
    }

    /// The label of a step of these processes at a gate with these values of fields; none if a condition is violated.
    pub fn of_values(&mut self, gate: u32, inside: &Members, values: &Known) -> Option<LabelId> {
        let known = |joint: &Joint| -> Known {
            values.iter().filter(|(field, _)| joint.fields.contains(field)).copied().collect()
        };
        let known = self.gates[gate as usize].conditions.iter().map(known).collect();
        self.make(gate, inside, values, known)
    }

    /// The label of two steps made together; none if they do not fit together.
    pub fn join(&mut self, a: LabelId, b: LabelId, inside: &Members) -> Option<LabelId> {
        let (
            Label::Open { gate, shared: a_shared, pending: a_pending },
            Label::Open { shared: b_shared, pending: b_pending, .. },
        ) = (self.label(a), self.label(b))
        else {
            return None;
        };
        let gate = *gate;
        let shared = merged(a_shared, b_shared)?;
        // A condition that is not among what one side has left open holds.
        let mut known = vec![Known::new(); self.gates[gate as usize].conditions.len()];
        let decided = |pending: &[(u32, u32)], at: usize| !pending.iter().any(|(c, _)| *c as usize == at);
        for (at, known) in known.iter_mut().enumerate() {
            if decided(a_pending, at) || decided(b_pending, at) {
                continue;
            }
            let of = |pending: &[(u32, u32)]| {
                let (_, number) = pending.iter().find(|(c, _)| *c as usize == at).expect("it is not decided");
                self.representatives.all[*number as usize].known.clone()
            };
            *known = merged(&of(a_pending), &of(b_pending))?;
        }
        let open: Vec<bool> =
            (0..known.len()).map(|at| !decided(a_pending, at) && !decided(b_pending, at)).collect();
        self.make_open(gate, inside, &shared, known, &open)
    }

    fn make(&mut self, gate: u32, inside: &Members, values: &Known, known: Vec<Known>) -> Option<LabelId> {
        let open = vec![true; known.len()];
        self.make_open(gate, inside, values, known, &open)
    }

    fn make_open(
        &mut self,
        gate: u32,
        inside: &Members,
        values: &Known,
        known: Vec<Known>,
        open: &[bool],
    ) -> Option<LabelId> {
        let outside: Vec<usize> = {
            let gate = &self.gates[gate as usize];
            (0..gate.participants.len())
                .filter(|at| !inside.contains(gate.participants[*at].process))
                .collect()
        };
        let mentioned = |labels: &Labels, field: &u32| {
            let gate = &labels.gates[gate as usize];
            outside.iter().any(|at| gate.participants[*at].mentions.binary_search(field).is_ok())
        };
        let mut pending = vec![];
        for (at, known) in known.into_iter().enumerate().filter(|(at, _)| open[*at]) {
            let derived = self.gates[gate as usize].conditions[at].derived;
            let unseen = |field: u32| !known.iter().any(|(f, _)| *f == field) && !mentioned(self, &field);
            if derived.is_some_and(unseen) {
                continue;
            }
            let explicit: Known = known.iter().filter(|(field, _)| mentioned(self, field)).copied().collect();
            let number = self.representative(gate, at as u32, explicit, known);
            match self.terms.value(self.representatives.all[number as usize].residual) {
                Some(0) => return None,
                Some(_) => {}
                None => pending.push((at as u32, number)),
            }
        }
        if outside.is_empty() {
            let label = self.visible[gate as usize].map_or(Label::Invisible, Label::Visible);
            return Some(self.number(label));
        }
        let shared: Vec<(u32, Value)> =
            values.iter().filter(|(field, _)| mentioned(self, field)).copied().collect();
        Some(self.number(Label::Open { gate, shared: shared.into(), pending: pending.into() }))
    }

    /// The number for what is known about a condition.
    fn representative(&mut self, gate: u32, condition: u32, explicit: Known, known: Known) -> u32 {
        let key = (gate, condition, known, explicit);
        if let Some(&seen) = self.representatives.seen.get(&key) {
            return seen;
        }
        let term = match gate {
            STATES => self.observed.conditions[condition as usize].term,
            gate => self.gates[gate as usize].conditions[condition as usize].term,
        };
        let residual = self.terms.residual(term, &key.2);
        // Values of other fields may leave the same, but they must not stand for these: the others know those fields.
        let fields = key.2.iter().map(|(field, _)| *field).collect();
        let all = &mut self.representatives.all;
        let number = self.representatives.numbers.entry((gate, condition, fields, key.3.clone(), residual));
        let number = *number.or_insert_with(|| {
            all.push(Representative { known: key.2.clone(), residual });
            all.len() as u32 - 1
        });
        self.representatives.seen.insert(key, number);
        number
    }

    /// The class of states of a process that provides these values.
    pub fn class_of_values(&mut self, values: &Known) -> u32 {
        let known = |joint: &Joint| -> Known {
            values.iter().filter(|(field, _)| joint.fields.contains(field)).copied().collect()
        };
        let known: Vec<Known> = self.observed.conditions.iter().map(known).collect();
        let mut class = vec![];
        for (at, known) in (0..).zip(known) {
            let number = self.representative(STATES, at, vec![], known);
            class.push(self.decided(at, number));
        }
        self.class(class.into())
    }

    /// The class of states of two parts together. Both are before the initial block or none is.
    pub fn join_classes(&mut self, a: u32, b: u32) -> Option<u32> {
        if a == START || b == START {
            return (a == b).then_some(START);
        }
        let (a, b) = (self.classes[a as usize].clone(), self.classes[b as usize].clone());
        let mut class = vec![];
        for (at, (a, b)) in (0..).zip(a.iter().zip(&b)) {
            let of = |number: u32| &self.representatives.all[number as usize];
            let decided =
                [*a, *b].into_iter().find(|number| self.terms.value(of(*number).residual).is_some());
            class.push(match decided {
                Some(number) => self.decided(at, number),
                None => {
                    let known = merged(&of(*a).known, &of(*b).known)?;
                    let number = self.representative(STATES, at, vec![], known);
                    self.decided(at, number)
                }
            });
        }
        Some(self.class(class.into()))
    }

    /// Conditions that are decided are told apart by their truth only.
    fn decided(&mut self, condition: u32, number: u32) -> u32 {
        let residual = self.representatives.all[number as usize].residual;
        if self.terms.value(residual).is_none() {
            return number;
        }
        let all = &mut self.representatives.all;
        let number = self.representatives.numbers.entry((STATES, condition, [].into(), vec![], residual));
        *number.or_insert_with(|| {
            all.push(Representative { known: vec![], residual });
            all.len() as u32 - 1
        })
    }

    fn class(&mut self, class: Box<[u32]>) -> u32 {
        if let Some(&known) = self.class_numbers.get(&class) {
            return known;
        }
        let number = self.classes.len() as u32;
        self.classes.push(class.clone());
        self.class_numbers.insert(class, number);
        number
    }

    /// The conditions in a class of states of the whole system; none before the initial block.
    pub fn truths(&self, class: u32) -> Option<Vec<bool>> {
        if class == START {
            return None;
        }
        let truth = |number: &u32| {
            self.terms.value(self.representatives.all[*number as usize].residual).is_some_and(|v| v != 0)
        };
        Some(self.classes[class as usize].iter().map(truth).collect())
    }
}

/// Values of both; none if they differ about a field.
fn merged(a: &[(u32, Value)], b: &[(u32, Value)]) -> Option<Known> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut at, mut bt) = (0, 0);
    while at < a.len() || bt < b.len() {
        match (a.get(at), b.get(bt)) {
            (Some(x), Some(y)) if x.0 == y.0 => {
                if x.1 != y.1 {
                    return None;
                }
                out.push(*x);
                (at, bt) = (at + 1, bt + 1);
            }
            (Some(x), Some(y)) if x.0 < y.0 => {
                out.push(*x);
                at += 1;
            }
            (_, Some(y)) => {
                out.push(*y);
                bt += 1;
            }
            (Some(x), None) => {
                out.push(*x);
                at += 1;
            }
            (None, None) => break,
        }
    }
    Some(out)
}
