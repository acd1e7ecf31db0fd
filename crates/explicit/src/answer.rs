//! From a finished search to answers, with the executions that show them.

use crate::codec::Codec;
use crate::fair::{FairTerms, Found, NoResult};
use crate::graph::STUCK;
use crate::search::{Ended, Explored};
use crate::store::Id;
use swarmcheck_engine::trace::End;
use swarmcheck_engine::{
    Effort, Evidence, Executions, Finding, Note, Phase, Reason, Subject, Vacuity, Verdict, Why,
};
use swarmcheck_ir::Value;
use swarmcheck_question::concrete::Ending;
use swarmcheck_question::{QuestionKind, SearchShape, Watch};

/// A finished search, ready to be asked.
pub(crate) struct Answers<'a> {
    pub(crate) executions: Executions<'a>,
    pub(crate) codec: &'a Codec,
    pub(crate) explored: Explored,
}

impl Answers<'_> {
    pub(crate) fn findings(&self, search: u32, began: f64) -> Vec<Finding> {
        let explored = &self.explored;
        let effort = Effort {
            search,
            initial: explored.initial,
            states: explored.store.len(),
            transitions: explored.transitions,
            depth: explored.depth,
            deadlocks: explored.deadlocks,
            memory: explored.memory,
            seconds: 0.0,
        };
        let questions = self.executions.questions;
        let mut out = vec![];
        for question in &questions.questions {
            let bit = questions.place(Watch::Predicate(question.subject)).unwrap_or(0);
            let verdict = self.verdict(question.kind, bit);
            let vacuous =
                matches!(verdict, Verdict::Holds(_)).then(|| self.vacuous(question.subject)).flatten();
            let mut notes: Vec<Note> = self.executions.smaller.notes.iter().map(Note::detail).collect();
            let excused = self.excused(question.kind);
            if self.executions.task.ignore_deadlock && excused > 0 {
                notes.push(Note::Excused { states: excused });
            }
            let effort = Effort { seconds: self.executions.control.progress.seconds() - began, ..effort };
            let subject = question.subject;
            out.push(Finding {
                subject,
                verdict,
                vacuous,
                notes,
                effort,
                certificate: None,
                composition: None,
            });
        }
        out
    }

    /// How many states without a step a question excuses. In the product with an automaton, states may lack steps because
    /// the automaton has none; there, those are counted in which the program has none.
    fn excused(&self, kind: QuestionKind) -> u64 {
        match kind {
            QuestionKind::Reached | QuestionKind::Reachable | QuestionKind::Scope { .. } => {
                self.explored.deadlocks
            }
            QuestionKind::Recurs | QuestionKind::Kept => self.count(Watch::Excused).unwrap_or(0),
            QuestionKind::Always | QuestionKind::Alive => 0,
        }
    }

    /// In how many states something that was watched besides is true.
    fn count(&self, watch: Watch) -> Option<u64> {
        let place = self.executions.questions.place(watch)?;
        let states = self.explored.graph.states();
        Some(states.filter(|(_, flags)| flags >> place & 1 != 0).count() as u64)
    }

    fn verdict(&self, kind: QuestionKind, bit: usize) -> Verdict {
        let explored = &self.explored;
        if let Some(faulty) = &explored.faulty {
            let trace = match (faulty.state, faulty.instance) {
                (None, _) => Some(self.executions.initial_fault(faulty.fault)),
                (Some(at), Some(_)) => {
                    self.executions.trace(&self.unpacked(explored.store.path(at)), Ending::Fault)
                }
                (Some(at), None) => {
                    let way = self.unpacked(explored.store.path(at));
                    self.executions.trace(&way, Ending::Open).map(|mut trace| {
                        trace.end = End::Fault(None, faulty.fault);
                        trace
                    })
                }
            };
            return trace.map_or_else(|| self.executions.lost(), Verdict::Invalid);
        }
        match kind {
            QuestionKind::Always => match explored.alarms[bit] {
                Some(at) => self.violated(explored.store.path(at), Ending::Open, Why::False),
                None => self.holds(),
            },
            QuestionKind::Alive => match explored.stuck {
                Some(at) => self.violated(explored.store.path(at), Ending::Stuck, Why::Deadlock),
                None => self.holds(),
            },
            QuestionKind::Kept => match explored.alarms[bit] {
                Some(at) => self.violated(explored.store.path(at), Ending::Open, Why::Prefix),
                None => self.holds(),
            },
            QuestionKind::Recurs => {
                let bad = self.executions.questions.place(Watch::NotBad);
                match bad.and_then(|place| explored.alarms[place]) {
                    Some(at) => self.violated(explored.store.path(at), Ending::Open, Why::Prefix),
                    None => self.recurs(bit),
                }
            }
            QuestionKind::Reached => self.reached(),
            QuestionKind::Reachable => self.reachable(bit),
            QuestionKind::Scope { waits } => match explored.alarms[bit] {
                Some(at) => self.violated(explored.store.path(at), Ending::Open, Why::Scope),
                None if waits => self.promised(),
                None => self.holds(),
            },
        }
    }

    /// Nothing speaks against it: it holds if everything was seen.
    fn holds(&self) -> Verdict {
        match (self.explored.ended, self.executions.questions.shape) {
            (Ended::Complete, SearchShape::Whole | SearchShape::Before) => Verdict::Holds(Evidence::Explored),
            (Ended::Complete | Ended::Depth, SearchShape::Within(_) | SearchShape::After { .. }) => {
                let steps = match self.executions.questions.shape {
                    SearchShape::After { steps, .. } => Some(steps),
                    _ => self.executions.task.bound,
                };
                Verdict::Holds(steps.map_or(Evidence::Explored, Evidence::Bounded))
            }
            (Ended::Interrupted, _) => Verdict::Unknown(Reason::Interrupted),
            (Ended::Memory, _) => Verdict::Unknown(Reason::Memory),
            (Ended::Full, _) => {
                Verdict::Unknown(Reason::Unsupported("more than four billion states".to_string()))
            }
            (Ended::Overflow, _) => Verdict::Unknown(Reason::Internal("a value left its range".to_string())),
            (Ended::Answered | Ended::Depth | Ended::Faulty | Ended::Enough, _) => {
                Verdict::Unknown(Reason::Internal("the search ended early".to_string()))
            }
        }
    }

    fn reached(&self) -> Verdict {
        let explored = &self.explored;
        if let (Some(at), false) = (explored.stuck, self.executions.task.ignore_deadlock) {
            return self.violated(explored.store.path(at), Ending::Stuck, Why::Stuck);
        }
        if !self.executions.questions.fair.is_empty() {
            return self.fair(|flags| flags & 1 == 0, |_| true, Why::Loop);
        }
        self.executions.control.enter(Phase::Graph);
        match explored.graph.cycle(
            |flags| flags & 1 == 0,
            |id| explored.depth_of(id),
            self.executions.task.threads,
            self.executions.control.stop,
        ) {
            Some(cycle) => self.lasso(&cycle, Why::Loop),
            None if self.executions.control.stopped() => Verdict::Unknown(Reason::Interrupted),
            None => self.holds(),
        }
    }

    /// No execution of the product with the automaton of the negated formula is accepted.
    fn recurs(&self, bit: usize) -> Verdict {
        let explored = &self.explored;
        let accepts = |flags: u8| flags >> bit & 1 != 0;
        if !self.executions.questions.fair.is_empty() {
            return self.fair(|_| true, accepts, Why::Formula);
        }
        let stop = self.executions.control.stop;
        self.executions.control.enter(Phase::Graph);
        match explored.graph.recurring(accepts, |id| explored.depth_of(id), stop) {
            Some(cycle) => self.lasso(&cycle, Why::Formula),
            None if self.executions.control.stopped() => Verdict::Unknown(Reason::Interrupted),
            None => self.holds(),
        }
    }

    /// No fair execution stays in states with flags that are inside and meets flags that are wanted again and again.
    fn fair(&self, inside: impl Fn(u8) -> bool, wanted: impl Fn(u8) -> bool, why: Why) -> Verdict {
        self.executions.control.enter(Phase::Graph);
        let Executions { questions, smaller, ground, control, .. } = &self.executions;
        let terms = FairTerms::new(&questions.fair, &smaller.program, ground);
        let explored = &self.explored;
        let found = Found { graph: &explored.graph, store: &explored.store, codec: self.codec };
        match terms.cycle(&found, inside, wanted, |id| explored.depth_of(id), control.stop) {
            Ok(Some(cycle)) => self.lasso(&cycle, why),
            Ok(None) => self.holds(),
            Err(NoResult::Interrupted) => Verdict::Unknown(Reason::Interrupted),
            // Where a unit can move is told without errors in states whose steps have none.
            Err(NoResult::Fault(_)) => {
                Verdict::Unknown(Reason::Internal("a condition of fairness is an error".to_string()))
            }
        }
    }

    fn lasso(&self, cycle: &[Id], why: Why) -> Verdict {
        let mut way = self.explored.store.path(cycle[0]);
        let start = way.len() - 1;
        way.extend(&cycle[1..]);
        self.violated(way, Ending::Loop(start), why)
    }

    fn reachable(&self, bit: usize) -> Verdict {
        let explored = &self.explored;
        // A state without steps that matter; the original may still have others.
        if let Some(at) = explored.alarms[bit] {
            return self.violated(explored.store.path(at), Ending::Open, Why::OutOfReach);
        }
        if explored.ended != Ended::Complete {
            return self.holds();
        }
        self.executions.control.enter(Phase::Graph);
        let excused = if self.executions.task.ignore_deadlock { STUCK } else { 0 };
        let Some(reach) = explored.graph.can_reach(
            1 << bit | excused,
            self.executions.task.threads,
            self.executions.control.stop,
        ) else {
            return Verdict::Unknown(Reason::Interrupted);
        };
        match explored.graph.states().find(|(id, _)| !reach.contains(*id)) {
            Some((at, _)) => self.violated(explored.store.path(at), Ending::Open, Why::OutOfReach),
            None => self.holds(),
        }
    }

    /// No execution waits for ever: none has a loop in which it waits, and none stops while it waits.
    fn promised(&self) -> Verdict {
        let explored = &self.explored;
        let bit = self.executions.questions.place(Watch::Waiting).unwrap_or(0);
        let waiting = |flags: u8| flags >> bit & 1 != 0;
        if !self.executions.task.ignore_deadlock {
            let stuck = explored.graph.states().find(|(_, flags)| waiting(*flags) && flags & STUCK != 0);
            if let Some((at, _)) = stuck {
                return self.violated(explored.store.path(at), Ending::Stuck, Why::Stuck);
            }
        }
        if !self.executions.questions.fair.is_empty() {
            return self.fair(waiting, |_| true, Why::Loop);
        }
        let (threads, stop) = (self.executions.task.threads, self.executions.control.stop);
        self.executions.control.enter(Phase::Graph);
        match explored.graph.cycle(waiting, |id| explored.depth_of(id), threads, stop) {
            Some(cycle) => self.lasso(&cycle, Why::Loop),
            None if self.executions.control.stopped() => Verdict::Unknown(Reason::Interrupted),
            None => self.holds(),
        }
    }

    fn violated(&self, way: Vec<Id>, ending: Ending, why: Why) -> Verdict {
        self.executions.violated(&self.unpacked(way), ending, why)
    }

    fn unpacked(&self, way: Vec<Id>) -> Vec<Vec<Value>> {
        let unpack = |id: Id| {
            let mut state = vec![0; self.codec.cells()];
            self.codec.unpack(self.explored.store.state(id), &mut state);
            state
        };
        way.into_iter().map(unpack).collect()
    }

    /// Why it holds without saying anything.
    fn vacuous(&self, subject: Subject) -> Option<Vacuity> {
        let explored = &self.explored;
        if let Some(nobody) = self.executions.over_nobody(subject) {
            return Some(nobody);
        }
        // In the product with an automaton, states and steps are missing where the automaton has none.
        if self.executions.questions.is_product() {
            let never = self.explored.ended == Ended::Complete && self.count(Watch::Asked) == Some(0);
            return self.executions.nothing_happens().or(never.then_some(Vacuity::Premise));
        }
        if explored.initial == 0 {
            return Some(Vacuity::NoInitialState);
        }
        match self.executions.questions.shape {
            // A search that avoids the goal also ends early when the goal is always met.
            SearchShape::After { steps, .. } if explored.ended == Ended::Complete && explored.goals == 0 => {
                Some(Vacuity::TooShort { steps })
            }
            _ if explored.transitions == 0
                && subject != Subject::DeadlockFreedom
                && self.executions.is_still() =>
            {
                Some(Vacuity::NoStep)
            }
            _ => None,
        }
    }
}
