//! From a question to a verdict: the network of the smaller program, put together, and what is asked of the whole.
//!
//! What is asked decides up to which equivalence processes are reduced ([`Preserved`]). What counts steps is refused: no
//! equivalence with invisible steps preserves their number. A formula of linear time, whatever operators it has, becomes an
//! automaton that is a process of the network like any other, so nothing but its acceptance has to be preserved; sharp
//! bisimulation (Lang, Mateescu and Mazzanti, *Sharp congruences adequate with temporal logics combining weak and strong
//! modalities*, TACAS 2020), which keeps the steps that a formula counts, is not needed for that reason.
//!
//! A counterexample is a way through the reduced whole. It is expanded down the tree of compositions (`crate::expand`). Where
//! that finds nothing soon, the code that follows other reductions back to the original (`question::concrete`) looks, from each
//! state, for invisible steps among states that stand for the same one and then for the step to the next.

use crate::assemble::{Assembled, Assembly, Part};
use crate::check::{Checked, Interrupted, Way};
use crate::expand::Expansion;
use crate::label::Labels;
use crate::leaf::Leaf;
use crate::network::Network;
use crate::plan::{Limits, NoWhole, Plan};
use crate::process::Process;
use crate::refused::Refused;
use crate::root::{NoRoot, Root};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use swarmcheck_engine::{
    Composition, CompositionNode, Control, Effort, Evidence, Executions, Fairness, Finding, Note, Phase,
    Reason, Reductions, Task, Vacuity, Verdict, Why,
};
use swarmcheck_ir::Value;
use swarmcheck_ir::cancel;
use swarmcheck_ir::flat::{Enumerate, Outcome};
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_lts::Equivalence;
use swarmcheck_question::concrete::{AsTheyAre, Ending, Representation};
use swarmcheck_question::{QuestionKind, Questions, SearchShape, Smaller, Subject, Watch};

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
    control: &Control<'_>,
    search: u32,
) -> Finding {
    let subject = questions.only().subject;
    if let Err(refused) = suits(questions) {
        return Finding::unknown(subject, Reason::Unsupported(refused.to_string()));
    }
    if questions.fair.is_empty() {
        let attempt = |task: &Task| vec![Attempt { questions, task, control }.finding(search)];
        return task.twice(control, attempt).swap_remove(0);
    }
    // What all executions satisfy fair ones do, and a finite violation can be continued fairly.
    let all = &Task { fairness: Fairness::None, ..task.clone() };
    let finding = match swarmcheck_question::questions(&all.setting(), subject) {
        Ok(questions) => Attempt { questions: &questions, task: all, control }.finding(search),
        Err(refusal) => return Finding::unknown(subject, refusal),
    };
    match &finding.verdict {
        Verdict::Violated(trace, _) if trace.loop_start.is_some() => {
            Finding::unknown(subject, Reason::Unsupported(Refused::Fairness.to_string()))
        }
        _ => finding,
    }
}

/// The program made smaller for a question.
fn smaller(questions: &Questions, task: &Task) -> (Smaller, Ground) {
    // Symmetries rename agents and values, and so processes.
    let reductions = Reductions { symmetry: false, data_symmetry: false, ..task.reductions };
    let mut smaller = questions.smaller(&reductions);
    // Without bounds of variables nothing is known about errors.
    smaller.program = swarmcheck_passes::ranges::narrow(&smaller.program).program;
    let ground = Ground::new(&smaller.program);
    (smaller, ground)
}

/// The network of that program.
fn network(questions: &Questions, smaller: &Smaller, ground: &Ground) -> Result<Network, Refused> {
    let program = &smaller.program;
    let conditions = questions.conditions(program).into_iter().map(|e| ground.condition(program, e));
    let conditions: Vec<Term> = conditions.collect();
    Network::new(program, ground, &conditions, &|_| None)
}

/// Whether composition is likely to pay for a question: there is a network of several processes, and few of them take part
/// in most steps.
pub fn pays(questions: &Questions, task: &Task) -> Result<(), Refused> {
    suits(questions)?;
    if questions.is_small_enough().is_err() {
        return Err(Refused::TooLarge);
    }
    let (smaller, ground) = smaller(questions, task);
    match network(questions, &smaller, &ground)?.is_loosely_coupled() {
        true => Ok(()),
        false => Err(Refused::TightlyCoupled),
    }
}

/// A question that is about to be decided.
struct Attempt<'a> {
    questions: &'a Questions,
    task: &'a Task,
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
        let (smaller, ground) = smaller(questions, task);
        let made = network(questions, &smaller, &ground).map_err(NoWhole::from);
        let explored = made.and_then(|mut network| {
            let leaves = network.leaves(Plan::of(task), Limits(control))?;
            Ok((network, leaves))
        });
        let (mut network, mut leaves) = match explored {
            Ok(explored) => explored,
            Err(why) => return undecided(subject, why),
        };
        let names: Vec<String> = network.parts.iter().map(|part| part.name.clone()).collect();
        let places = Places::new(&mut leaves, &network.constants);
        let mut assembly = Assembly {
            labels: &mut network.labels,
            equivalence: Preserved::by(questions.only().kind, task.ignore_deadlock).equivalence,
            plan: Plan::of(task),
            control,
            memory: 0,
        };
        let assembled = assembly.worthwhile(leaves, &names);
        let memory = assembly.memory;
        let whole = match assembled.and_then(|assembled| self.whole(assembled, memory, &mut network)) {
            Ok(whole) => whole,
            Err(why) => return undecided(subject, why),
        };
        control.enter(Phase::Graph);
        let goal = (questions.shape == SearchShape::Before)
            .then(|| questions.place(Watch::Predicate(subject)))
            .flatten();
        let checked = Checked::new(&whole.root, goal);
        let blocks = Blocks { whole: &whole, places: &places };
        let (smaller, ground, stored) = (&smaller, &ground, &blocks);
        let executions = Executions { questions, task, control, smaller, ground, stored };
        let labels = RefCell::new(&mut network.labels);
        let answer = Answer { attempt: self, executions, checked, whole: &whole, places: &places, labels };
        cancel::spare(|| answer.finding(search, began))
    }

    /// Puts what is left together.
    fn whole(&self, assembled: Assembled, memory: u64, network: &mut Network) -> Result<Whole, NoWhole> {
        let control = self.control;
        let began = control.progress.seconds();
        let held: u64 = assembled.parts.iter().map(|part| part.process.bytes()).sum();
        let largest = Cell::new(0);
        let limits = Limits(control);
        let stop = |count: u32, bytes: u64| {
            largest.set(held + bytes);
            limits.reached_at(count, held + bytes)
        };
        let parts: Vec<&Process> = assembled.parts.iter().map(|part| &part.process).collect();
        let root = match Root::new(&parts, &mut network.labels, &stop) {
            Ok(root) => root,
            Err(NoRoot::TooLarge) => return Err(Refused::TooLarge.into()),
            Err(NoRoot::Stopped) => return Err(limits.why(largest.get())),
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
}

/// Why there is no answer.
fn undecided(subject: Subject, why: NoWhole) -> Finding {
    let reason = match why {
        NoWhole::Stopped => Reason::Interrupted,
        NoWhole::Memory => Reason::Memory,
        NoWhole::Refused(refused) => Reason::Unsupported(refused.to_string()),
    };
    Finding::unknown(subject, reason)
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
struct Places {
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
    fn new(leaves: &mut [Leaf], constants: &[Option<Value>]) -> Places {
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
struct Blocks<'a> {
    whole: &'a Whole,
    places: &'a Places,
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

struct Answer<'a> {
    attempt: &'a Attempt<'a>,
    executions: Executions<'a>,
    checked: Checked<'a>,
    whole: &'a Whole,
    places: &'a Places,
    labels: RefCell<&'a mut Labels>,
}

impl Answer<'_> {
    fn finding(&self, search: u32, began: f64) -> Finding {
        let whole = self.whole;
        let Attempt { questions, task, control, .. } = *self.attempt;
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
        let mut report = whole.report.clone();
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
        Verdict::Holds(Evidence::Composed(self.places.processes.len() as u32))
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
