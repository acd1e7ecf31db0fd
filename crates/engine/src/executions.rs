//! From a path of the smaller program to a verdict with an execution of the original, and whether a property holds
//! vacuously. Engines that search the smaller program, however they do it, share this.

use crate::{Control, Phase, Reason, Task, Vacuity, Verdict, Why};
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::{Fault, Value};
use swarmcheck_question::concrete::{Ending, Representation};
use swarmcheck_question::execution::{Beginning, Originals};
use swarmcheck_question::{End, Questions, Smaller, Subject, Trace};

/// What a search needs to show what it has found.
pub struct Executions<'a> {
    /// The questions, and the program they are about.
    pub questions: &'a Questions,
    /// What was asked.
    pub task: &'a Task,
    /// When to stop.
    pub control: &'a Control<'a>,
    /// The program that was searched.
    pub smaller: &'a Smaller,
    /// The same, ready to run.
    pub ground: &'a Ground,
    /// How states of it were stored.
    pub stored: &'a dyn Representation,
}

impl Executions<'_> {
    fn with_originals<T>(&self, then: impl FnOnce(Originals<'_>) -> T) -> T {
        let stop = || self.control.stopped();
        then(Originals {
            questions: self.questions,
            original: &self.task.program,
            smaller: self.smaller,
            ground: self.ground,
            stop: &stop,
        })
    }

    /// That a way through the smaller program violates a property.
    pub fn violated(&self, way: &[Vec<Value>], ending: Ending, why: Why) -> Verdict {
        match self.trace(way, ending) {
            None => self.lost(),
            Some(trace) if matches!(trace.end, End::Fault(..)) => Verdict::Invalid(trace),
            // What is bad because the system rests is shown by the execution that stops.
            Some(trace) if why == Why::Prefix && trace.end == End::Deadlock => {
                Verdict::Violated(trace, Why::Formula)
            }
            Some(trace) => Verdict::Violated(trace, why),
        }
    }

    /// The execution that a way through the smaller program stands for.
    pub fn trace(&self, way: &[Vec<Value>], ending: Ending) -> Option<Trace> {
        self.control.enter(Phase::Confirming);
        self.with_originals(|originals| originals.trace(way, ending, self.stored.copy()))
    }

    /// The initial block of a monitored program evaluates conditions in the initial state.
    pub fn initial_fault(&self, fault: Fault) -> Trace {
        self.with_originals(|originals| originals.initial_fault(fault))
    }

    /// There should have been an execution.
    pub fn lost(&self) -> Verdict {
        Verdict::Unknown(if self.control.stopped() {
            Reason::Interrupted
        } else {
            Reason::Internal("no execution was found for a counterexample of the search".to_string())
        })
    }

    /// Why a property that holds says nothing, if a quantifier of it ranges over nobody.
    pub fn over_nobody(&self, subject: Subject) -> Option<Vacuity> {
        self.with_originals(|originals| originals.is_over_nobody(subject)).then_some(Vacuity::NoAgent)
    }

    /// Whether nothing at all can happen in the original program.
    pub fn is_still(&self) -> bool {
        self.with_originals(|originals| originals.beginning()) == Beginning::Still
    }

    /// Why a formula that holds says nothing, if nothing happens in the original program.
    pub fn nothing_happens(&self) -> Option<Vacuity> {
        match self.with_originals(|originals| originals.beginning()) {
            Beginning::None => Some(Vacuity::NoInitialState),
            Beginning::Still => Some(Vacuity::NoStep),
            Beginning::Moves | Beginning::Unknown => None,
        }
    }
}
