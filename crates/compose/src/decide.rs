//! From a question to a verdict: the network of the smaller program, put together, and what is asked of the whole.
//!
//! What is asked decides up to which equivalence processes are reduced ([`Preserved`]). What counts steps is refused: no
//! equivalence with invisible steps preserves their number. A formula of linear time, whatever operators it has, becomes an
//! automaton that is a process of the network like any other, so nothing but its acceptance has to be preserved; sharp
//! bisimulation (Lang, Mateescu and Mazzanti, *Sharp congruences adequate with temporal logics combining weak and strong
//! modalities*, TACAS 2020), which keeps the steps that a formula counts, is not needed for that reason.
//!
//! A counterexample is a way through the reduced whole. Each of its states stands for a set of states of the program;
//! [`Blocks`] tells which, and the code that follows other reductions back to the original (`question::concrete`) follows this
//! one. By branching bisimulation it finds, from each state, invisible steps inside the set and then the step to the next one.

use crate::assemble::{Assembled, Assembly, NoWhole, Order, Part};
use crate::check::{Checked, Interrupted, Way};
use crate::leaf::Leaf;
use crate::network::Network;
use crate::process::Process;
use crate::refused::Refused;
use crate::root::{NoRoot, Root};
use std::cell::Cell;
use std::collections::HashMap;
use swarmcheck_engine::{
    Composition, CompositionNode, Control, Effort, Evidence, Executions, Fairness, Finding, Note, Phase,
    Reason, Reductions, Snapshot, Task, Vacuity, Verdict, Why,
};
use swarmcheck_ir::Value;
use swarmcheck_ir::cancel;
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_lts::Equivalence;
use swarmcheck_question::concrete::{Ending, Representation};
use swarmcheck_question::{QuestionKind, Questions, SearchShape, Subject, Watch};

/// Whether reductions of processes preserve the answer.
pub fn suits(questions: &Questions) -> Result<(), Refused> {
    match questions.shape {
        SearchShape::Within(_) | SearchShape::After { .. } => Err(Refused::CountsSteps),
        SearchShape::Whole | SearchShape::Before => Ok(()),
    }
}

/// Up to which equivalence processes may be reduced for a question, and why.
///
/// States carry the truth of the watched conditions, so the equivalences are those on doubly labelled transition systems of
/// De Nicola and Vaandrager, *Three logics for branching bisimulation*, JACM 1995. Hiding steps that no condition sees, before
/// anything is reduced, is the maximal hiding of Mateescu and Wijs, *Property-dependent reductions adequate with
/// divergence-sensitive branching bisimilarity*, Science of Computer Programming 2014.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preserved {
    /// The equivalence.
    pub equivalence: Equivalence,
    /// The theorem, as a sentence.
    pub because: &'static str,
}

impl Preserved {
    /// For a question.
    pub fn by(kind: QuestionKind, ignore_deadlock: bool) -> Preserved {
        let branching = match kind {
            QuestionKind::Always | QuestionKind::Kept | QuestionKind::Scope { waits: false } => true,
            // Executions that stop are excused, and divergences are not.
            QuestionKind::Reachable => !ignore_deadlock,
            QuestionKind::Reached
            | QuestionKind::Recurs
            | QuestionKind::Alive
            | QuestionKind::Scope { waits: true } => false,
        };
        match branching {
            true => Preserved { equivalence: Equivalence::Branching, because: REACHABILITY },
            false => Preserved { equivalence: Equivalence::DivergenceBranching, because: ALL_WITHOUT_NEXT },
        }
    }

    /// What people call the equivalence.
    pub fn name(self) -> &'static str {
        match self.equivalence {
            Equivalence::Strong => "strong bisimulation",
            Equivalence::Branching => "branching bisimulation",
            Equivalence::DivergenceBranching => "divergence-preserving branching bisimulation",
        }
    }
}

const REACHABILITY: &str = "branching bisimulation preserves what can be reached from every state (De Nicola and Vaandrager, JACM 1995: CTL without next, where no operator is about all executions)";
const ALL_WITHOUT_NEXT: &str = "divergence-preserving branching bisimulation preserves CTL* without next, and deadlocks (De Nicola and Vaandrager, JACM 1995; van Glabbeek, Luttik and Trčka, Fundamenta Informaticae 2009)";

/// Decides a question.
pub fn decide(
    questions: &Questions,
    task: &Task,
    order: Order,
    control: &Control<'_>,
    search: u32,
) -> Finding {
    let subject = questions.only().subject;
    if let Err(refused) = suits(questions) {
        return Finding::unknown(subject, Reason::Unsupported(refused.to_string()));
    }
    if questions.fair.is_empty() {
        let attempt = |task: &Task| vec![Attempt { questions, task, order, control }.finding(search)];
        return task.twice(control, attempt).swap_remove(0);
    }
    // What all executions satisfy fair ones do, and a finite violation can be continued fairly.
    let all = &Task { fairness: Fairness::None, ..task.clone() };
    let finding = match swarmcheck_question::questions(&all.setting(), subject) {
        Ok(questions) => Attempt { questions: &questions, task: all, order, control }.finding(search),
        Err(refusal) => return Finding::unknown(subject, refusal),
    };
    match &finding.verdict {
        Verdict::Violated(trace, _) if trace.loop_start.is_some() => {
            Finding::unknown(subject, Reason::Unsupported(Refused::Fairness.to_string()))
        }
        _ => finding,
    }
}

/// A question that is about to be decided.
struct Attempt<'a> {
    questions: &'a Questions,
    task: &'a Task,
    order: Order,
    control: &'a Control<'a>,
}

impl Attempt<'_> {
    fn finding(&self, search: u32) -> Finding {
        let Attempt { questions, task, control, .. } = *self;
        let subject = questions.only().subject;
        let began = control.progress.seconds();
        control.enter(Phase::Preparing);
        if let Err(refusal) = questions.is_small_enough() {
            return Finding::unknown(subject, refusal);
        }
        // Symmetries rename agents and values, and so processes.
        let reductions = Reductions { symmetry: false, data_symmetry: false, ..task.reductions };
        let mut smaller = questions.smaller(&reductions);
        // Without bounds of variables nothing is known about errors.
        smaller.program = swarmcheck_passes::ranges::narrow(&smaller.program).program;
        let ground = Ground::new(&smaller.program);
        let conditions: Vec<Term> = questions
            .conditions(&smaller.program)
            .into_iter()
            .map(|e| ground.condition(&smaller.program, e))
            .collect();
        let made = Network::new(&smaller.program, &ground, &conditions, &|_| None);
        let (mut network, leaves) = match made.and_then(|network| self.leaves(network)) {
            Ok(Some(made)) => made,
            Ok(None) => return Finding::unknown(subject, Reason::Interrupted),
            Err(refused) => return Finding::unknown(subject, Reason::Unsupported(refused.to_string())),
        };
        let names: Vec<String> = network.parts.iter().map(|part| part.name.clone()).collect();
        let places = Places::new(&leaves);
        let mut assembly = Assembly {
            labels: &mut network.labels,
            equivalence: Preserved::by(questions.only().kind, task.ignore_deadlock).equivalence,
            order: self.order,
            control,
            memory: 0,
        };
        let assembled = assembly.worthwhile(leaves, &names);
        let memory = assembly.memory;
        let whole = match assembled.and_then(|assembled| self.whole(assembled, memory, &mut network)) {
            Ok(whole) => whole,
            Err(NoWhole::Stopped) => return Finding::unknown(subject, Reason::Interrupted),
            Err(NoWhole::Memory) => return Finding::unknown(subject, Reason::Memory),
            Err(NoWhole::Refused(refused)) => {
                return Finding::unknown(subject, Reason::Unsupported(refused.to_string()));
            }
        };
        control.enter(Phase::Graph);
        let goal = (questions.shape == SearchShape::Before)
            .then(|| questions.place(Watch::Predicate(subject)))
            .flatten();
        let checked = Checked::new(&whole.root, goal);
        let blocks = Blocks { whole: &whole, places: &places };
        let (smaller, ground, stored) = (&smaller, &ground, &blocks);
        let executions = Executions { questions, task, control, smaller, ground, stored };
        let answer = Answer { attempt: self, executions, checked, processes: names.len() as u32 };
        cancel::spare(|| answer.finding(&whole, search, began))
    }

    /// Puts what is left together.
    fn whole(&self, assembled: Assembled, memory: u64, network: &mut Network) -> Result<Whole, NoWhole> {
        let control = self.control;
        let began = control.progress.seconds();
        let held: u64 = assembled.parts.iter().map(|part| part.process.bytes()).sum();
        let largest = Cell::new(0);
        let full = |bytes: u64| control.budget.memory.is_some_and(|most| bytes > most);
        let stop = |count: u32, bytes: u64| {
            let memory = held + bytes;
            largest.set(memory);
            let (phase, done) = (Phase::Searching, count.into());
            control.progress.report(Snapshot { phase, done, memory, ..Snapshot::default() });
            control.stopped() || full(memory)
        };
        let parts: Vec<&Process> = assembled.parts.iter().map(|part| &part.process).collect();
        let root = match Root::new(&parts, &mut network.labels, &stop) {
            Ok(root) => root,
            Err(NoRoot::TooLarge) => return Err(NoWhole::Refused(Refused::TooLarge)),
            Err(NoRoot::Stopped) if full(largest.get()) => return Err(NoWhole::Memory),
            Err(NoRoot::Stopped) => return Err(NoWhole::Stopped),
        };
        let (name, parts) = assembled.left();
        let mut report = assembled.report;
        if parts.len() > 1 {
            report.nodes.push(CompositionNode {
                name,
                parts,
                states: root.states(),
                transitions: root.transitions() as u64,
                seconds: control.progress.seconds() - began,
                memory: root.bytes(),
                ..CompositionNode::default()
            });
        }
        let memory = memory.max(held + root.bytes());
        Ok(Whole { parts: assembled.parts, root, report, memory })
    }

    fn leaves(&self, mut network: Network) -> Result<Option<(Network, Vec<Leaf>)>, Refused> {
        let stop = || self.control.stopped();
        Ok(network.leaves(&stop)?.map(|leaves| (network, leaves)))
    }
}

/// The whole system, and how it was made.
struct Whole {
    parts: Vec<Part>,
    root: Root,
    report: Composition,
    /// The most bytes at one time.
    memory: u64,
}

/// Where the states of single processes are found in a state of the program.
struct Places(Vec<(Vec<u32>, HashMap<Box<[Value]>, u32>)>);

impl Places {
    fn new(leaves: &[Leaf]) -> Places {
        Places(leaves.iter().map(|leaf| (leaf.part.slots.clone(), leaf.index.clone())).collect())
    }
}

/// States of the program as states of the whole.
struct Blocks<'a> {
    whole: &'a Whole,
    places: &'a Places,
}

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
        let own = |(slots, index): &(Vec<u32>, HashMap<Box<[Value]>, u32>)| {
            let values: Box<[Value]> = slots.iter().map(|slot| state[*slot as usize]).collect();
            index.get(&values).copied()
        };
        let leaves: Option<Vec<u32>> = self.places.0.iter().map(own).collect();
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

struct Answer<'a> {
    attempt: &'a Attempt<'a>,
    executions: Executions<'a>,
    checked: Checked<'a>,
    processes: u32,
}

impl Answer<'_> {
    fn finding(&self, whole: &Whole, search: u32, began: f64) -> Finding {
        let Attempt { questions, task, control, .. } = *self.attempt;
        let question = questions.only();
        let subject = question.subject;
        let verdict = self.verdict(question.kind);
        let vacuous = matches!(verdict, Verdict::Holds(_)).then(|| self.vacuous(subject)).flatten();
        let mut notes: Vec<Note> = self.executions.smaller.notes.iter().map(Note::detail).collect();
        let excuses = matches!(
            question.kind,
            QuestionKind::Reached | QuestionKind::Reachable | QuestionKind::Scope { .. }
        );
        let excused = match questions.place(Watch::Excused) {
            Some(place) => self.checked.count(place),
            None if excuses => self.checked.deadlocks(),
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
            deadlocks: self.checked.deadlocks(),
            memory: whole.memory,
            seconds: control.progress.seconds() - began,
        };
        let mut report = whole.report.clone();
        let preserved = Preserved::by(question.kind, task.ignore_deadlock);
        report.equivalence = preserved.name().to_string();
        report.preserves = preserved.because.to_string();
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
        Verdict::Holds(Evidence::Composed(self.processes))
    }

    fn verdict(&self, kind: QuestionKind) -> Verdict {
        let Attempt { questions, task, control, .. } = *self.attempt;
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
            QuestionKind::Reachable => {
                decided(checked.out_of_reach(bit, task.ignore_deadlock), Why::OutOfReach)
            }
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

    /// Why it holds without saying anything.
    fn vacuous(&self, subject: Subject) -> Option<Vacuity> {
        if let Some(nobody) = self.executions.over_nobody(subject) {
            return Some(nobody);
        }
        let questions = self.attempt.questions;
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
