//! What the whole says about a question, as an answer about the program.
//!
//! A counterexample is a way through the reduced whole. It is expanded down the tree of compositions (`crate::expand`). Where
//! that finds nothing soon, the code that follows other reductions back to the original (`question::concrete`) looks, from each
//! state, for invisible steps among states that stand for the same one and then for the step to the next.

use crate::assemble::Part;
use crate::check::{Checked, Interrupted, Way};
use crate::expand::Expansion;
use crate::label::Labels;
use crate::leaf::Leaf;
use crate::preserved::Preserved;
use crate::root::Root;
use std::cell::RefCell;
use std::collections::HashMap;
use swarmcheck_engine::{
    Composition, Effort, Evidence, Executions, Finding, Note, Reason, Vacuity, Verdict, Why,
};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_lts::Equivalence;
use swarmcheck_question::concrete::{AsTheyAre, Ending, Representation};
use swarmcheck_question::{QuestionKind, Subject, Watch};

/// The whole system, and how it was made.
pub struct Whole {
    /// What was left when nothing was worth putting together.
    pub parts: Vec<Part>,
    /// All of it at once.
    pub root: Root,
    /// How it was made.
    pub report: Composition,
    /// The most bytes at one time.
    pub memory: u64,
}

/// Where the states of single processes are found in a state of the program.
pub struct Places {
    processes: Vec<Place>,
    /// A state of the program with the values of cells that never change.
    base: Vec<Value>,
}

struct Place {
    slots: Vec<u32>,
    index: HashMap<Box<[Value]>, u32>,
    values: Vec<Option<Box<[Value]>>>,
}

impl Places {
    /// Takes them from the processes, which do not need them any more.
    pub fn new(leaves: &mut [Leaf], constants: &[Option<Value>]) -> Places {
        let place = |leaf: &mut Leaf| Place {
            slots: leaf.part.slots.clone(),
            index: std::mem::take(&mut leaf.index),
            values: std::mem::take(&mut leaf.values),
        };
        let base = constants.iter().map(|value| value.unwrap_or(0)).collect();
        Places { processes: leaves.iter_mut().map(place).collect(), base }
    }

    /// The state of the program for states of all processes.
    fn state(&self, leaves: &[u32]) -> Vec<Value> {
        let mut state = self.base.clone();
        for (place, leaf) in self.processes.iter().zip(leaves) {
            for (slot, value) in place.slots.iter().zip(place.values[*leaf as usize].iter().flatten()) {
                state[*slot as usize] = *value;
            }
        }
        state
    }
}

/// States of the program as states of the whole.
pub struct Blocks<'a> {
    /// The whole.
    pub whole: &'a Whole,
    /// The states of single processes.
    pub places: &'a Places,
}

/// How often a loop is gone round, and how many steps are made to a deadlock, before that is given up.
const ROUNDS: usize = 10_000;

/// Stands for states that no process reaches; states of the whole are counted from 0.
const NOWHERE: Value = -1;

impl Representation for Blocks<'_> {
    fn copy(&self) -> Box<dyn Representation + '_> {
        Box::new(Blocks { ..*self })
    }

    fn changes(&self) -> bool {
        true
    }

    fn represent(&mut self, _: &Ground, _: &mut Runner, state: &mut [Value]) {
        let own = |place: &Place| {
            let values: Box<[Value]> = place.slots.iter().map(|slot| state[*slot as usize]).collect();
            place.index.get(&values).copied()
        };
        let leaves: Option<Vec<u32>> = self.places.processes.iter().map(own).collect();
        let parts = |leaves: Vec<u32>| -> Option<Vec<u32>> {
            self.whole.parts.iter().map(|part| part.state(&leaves)).collect()
        };
        let block = leaves.and_then(parts).and_then(|parts| self.whole.root.state(&parts));
        encode(block, state);
    }
}

/// A state of the whole, written where a state of the program is expected.
fn encode(block: Option<u32>, state: &mut [Value]) {
    state.fill(0);
    if let Some(first) = state.first_mut() {
        *first = block.map_or(NOWHERE, Value::from);
    }
}

/// What is asked of the whole.
pub struct Answer<'a> {
    /// Executions of the program, with the question and what it was asked for.
    pub executions: Executions<'a>,
    /// The whole, as far as it can be reached.
    pub checked: Checked<'a>,
    /// The whole, and how it was made.
    pub whole: &'a Whole,
    /// The states of single processes.
    pub places: &'a Places,
    /// The labels of steps.
    pub labels: RefCell<&'a mut Labels>,
}

impl Answer<'_> {
    /// The answer.
    pub fn finding(&self, search: u32, began: f64) -> Finding {
        let whole = self.whole;
        let Executions { questions, task, control, .. } = self.executions;
        let question = questions.only();
        let subject = question.subject;
        let verdict = self.verdict(question.kind);
        let vacuous = matches!(verdict, Verdict::Holds(_)).then(|| self.vacuous(subject)).flatten();
        let mut notes: Vec<Note> = self.executions.smaller.notes.iter().map(Note::detail).collect();
        let preserved = Preserved::by(question.kind, task.ignore_deadlock);
        // Where divergences are not preserved, a state that only diverges looks like one without steps.
        let deadlocks = match preserved.equivalence {
            Equivalence::DivergenceBranching => self.checked.deadlocks(),
            Equivalence::Branching | Equivalence::Strong => 0,
        };
        let excuses = matches!(
            question.kind,
            QuestionKind::Reached | QuestionKind::Reachable | QuestionKind::Scope { .. }
        );
        let excused = match questions.place(Watch::Excused) {
            Some(place) => self.checked.count(place),
            None if excuses => deadlocks,
            None => 0,
        };
        if task.ignore_deadlock && excused > 0 {
            notes.push(Note::Excused { states: excused });
        }
        let effort = Effort {
            search,
            initial: self.checked.initial() as u64,
            states: whole.report.nodes.iter().map(|node| u64::from(node.states)).sum(),
            transitions: whole.report.nodes.iter().map(|node| node.transitions).sum(),
            depth: 0,
            deadlocks,
            memory: whole.memory,
            seconds: control.progress.seconds() - began,
        };
        let report = Composition { nodes: whole.report.nodes.clone(), ..preserved.report() };
        Finding {
            subject,
            verdict,
            vacuous,
            notes,
            effort,
            certificate: None,
            composition: Some(Box::new(report)),
        }
    }

    fn holds(&self) -> Verdict {
        Verdict::Holds(Evidence::Composed(self.places.processes.len() as u32))
    }

    fn verdict(&self, kind: QuestionKind) -> Verdict {
        let Executions { questions, task, control, .. } = self.executions;
        let bit = questions.place(Watch::Predicate(questions.only().subject)).unwrap_or(0);
        let checked = &self.checked;
        let decided = |way: Option<Way>, why| way.map_or_else(|| self.holds(), |way| self.violated(way, why));
        let cycle = |inside: &dyn Fn(u32) -> bool, wanted: &dyn Fn(u32) -> bool, why| match checked.cycle(
            inside,
            wanted,
            control.stop,
        ) {
            Ok(way) => decided(way, why),
            Err(Interrupted) => Verdict::Unknown(Reason::Interrupted),
        };
        match kind {
            QuestionKind::Always => decided(checked.violates(bit), Why::False),
            QuestionKind::Kept => decided(checked.violates(bit), Why::Prefix),
            QuestionKind::Alive => decided(checked.stuck(&|_| true), Why::Deadlock),
            QuestionKind::Reached => {
                let before = |state: u32| !checked.flag(state, bit);
                match checked.stuck(&before).filter(|_| !task.ignore_deadlock) {
                    Some(way) => self.violated(way, Why::Stuck),
                    None => cycle(&before, &|_| true, Why::Loop),
                }
            }
            QuestionKind::Reachable => match checked.out_of_reach(bit, task.ignore_deadlock, control.stop) {
                Ok(way) => decided(way, Why::OutOfReach),
                Err(Interrupted) => Verdict::Unknown(Reason::Interrupted),
            },
            QuestionKind::Scope { waits } => match (checked.violates(bit), questions.place(Watch::Waiting)) {
                (Some(way), _) => self.violated(way, Why::Scope),
                (None, Some(place)) if waits => {
                    let waiting = |state: u32| checked.flag(state, place);
                    match checked.stuck(&waiting).filter(|_| !task.ignore_deadlock) {
                        Some(way) => self.violated(way, Why::Stuck),
                        None => cycle(&waiting, &|_| true, Why::Loop),
                    }
                }
                _ => self.holds(),
            },
            QuestionKind::Recurs => {
                match questions.place(Watch::NotBad).and_then(|place| checked.violates(place)) {
                    Some(way) => self.violated(way, Why::Prefix),
                    None => cycle(&|_| true, &|state| checked.flag(state, bit), Why::Formula),
                }
            }
        }
    }

    fn violated(&self, way: Way, why: Why) -> Verdict {
        if let Some((states, ending)) = self.expanded(&way) {
            let stored = &AsTheyAre;
            let executions = Executions { stored, ..self.executions };
            let verdict = executions.violated(&states, ending, why);
            if !matches!(verdict, Verdict::Unknown(_)) {
                return verdict;
            }
        }
        // Looking through the states of the program for those that the whole has together takes longer.
        let width = self.executions.ground.width();
        let (states, ending) = match way {
            Way::Open(states) => (states, Ending::Open),
            Way::Stuck(states) => (states, Ending::Stuck),
            Way::Loop(states, start) => (states, Ending::Loop(start)),
        };
        let encoded = |block: u32| {
            let mut state = vec![0; width];
            encode(Some(block), &mut state);
            state
        };
        let way: Vec<Vec<Value>> = states.into_iter().map(encoded).collect();
        self.executions.violated(&way, ending, why)
    }

    /// The way as states of the program; none if it is not found soon.
    fn expanded(&self, way: &Way) -> Option<(Vec<Vec<Value>>, Ending)> {
        let Whole { parts, root, .. } = self.whole;
        let mut labels = self.labels.borrow_mut();
        let mut expansion = Expansion::new(parts, &mut labels, self.places.processes.len());
        let (states, back) = match way {
            Way::Open(states) | Way::Stuck(states) => (states, None),
            Way::Loop(states, start) => (states, Some(*start)),
        };
        let first = back.map_or(states.len(), |start| start + 1);
        for state in &states[..first] {
            expansion.go(&root.parts(*state))?;
        }
        let mut ending = Ending::Open;
        if let Some(start) = back {
            // A round of the loop may end in another state of the same class than it began in.
            let mut seen = HashMap::from([(expansion.way.last()?.clone(), expansion.way.len() - 1)]);
            for _ in 0..ROUNDS {
                for state in &states[start + 1..] {
                    expansion.go(&root.parts(*state))?;
                }
                let last = expansion.way.last()?.clone();
                if let Some(before) = seen.insert(last, expansion.way.len() - 1) {
                    ending = Ending::Loop(before);
                    break;
                }
            }
            if ending == Ending::Open {
                return None;
            }
        }
        let mut states: Vec<Vec<Value>> =
            expansion.way.iter().map(|leaves| self.places.state(leaves)).collect();
        if matches!(way, Way::Stuck(_)) {
            ending = Ending::Stuck;
            self.rest(&mut states);
        }
        Some((states, ending))
    }

    /// Goes on until no step is possible. From a state that stands for one without steps, all ways end soon, and invisibly.
    fn rest(&self, states: &mut Vec<Vec<Value>>) {
        let mut runner = Runner::default();
        for _ in 0..ROUNDS {
            let Some(mut state) = states.last().cloned() else { return };
            let mut moves = self.executions.ground.instances().iter().filter(|routine| {
                let mut choices = Enumerate::default();
                loop {
                    if runner.step(routine, &mut state, &mut choices) == Outcome::Done {
                        return true;
                    }
                    if !choices.advance() {
                        return false;
                    }
                }
            });
            let moved = moves.next().is_some();
            drop(moves);
            if !moved {
                return;
            }
            states.push(state);
        }
    }

    /// Why it holds without saying anything.
    fn vacuous(&self, subject: Subject) -> Option<Vacuity> {
        if let Some(nobody) = self.executions.over_nobody(subject) {
            return Some(nobody);
        }
        let questions = self.executions.questions;
        if questions.is_product() {
            let never = questions.place(Watch::Asked).is_some_and(|place| self.checked.count(place) == 0);
            return self.executions.nothing_happens().or(never.then_some(Vacuity::Premise));
        }
        if self.checked.initial() == 0 {
            return Some(Vacuity::NoInitialState);
        }
        let still =
            !self.checked.moves() && subject != Subject::DeadlockFreedom && self.executions.is_still();
        still.then_some(Vacuity::NoStep)
    }
}
