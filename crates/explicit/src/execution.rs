//! From a path of the smaller program to a trace of the original, and whether a property holds vacuously.
//!
//! Engines that search the smaller program, however they do it, share this.

use crate::codec::Codec;
use crate::concrete::{Concrete, Ending, Stored, state_of};
use crate::data_symmetry::DataCanon;
use crate::decide::{QuestionKind, SearchJob};
use crate::initial::is_impossible;
use crate::partial_order::PartialOrder;
use crate::reduce::Smaller;
use swarmcheck_engine::trace::{End, Trace, TraceStep};
use swarmcheck_engine::{Control, Phase, Reason, Subject, Task, Vacuity, Verdict, Why};
use swarmcheck_ir::cancel;
use swarmcheck_ir::flat::{Enumerate, Instance, Outcome};
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_ir::{Fault, Modality, Value};
use swarmcheck_logic::linear::trivial;
use swarmcheck_passes::symmetry::Canon;

/// How many initial states are looked at for an error.
const ATTEMPTS: usize = 1_000_000;

/// What is needed to turn results about a smaller program into executions of the original.
pub struct Executions<'a> {
    /// The questions, and the program they are about.
    pub job: &'a SearchJob,
    pub task: &'a Task<'a>,
    pub control: &'a Control<'a>,
    /// The program that was searched.
    pub smaller: &'a Smaller,
    /// The same, ready to run.
    pub ground: &'a Ground,
    /// Partial-order reduction, if the search used it.
    pub partial_order: Option<&'a PartialOrder>,
    /// Agent symmetry, if the search used it.
    pub canon: Option<Canon>,
    /// Data symmetry, if the search used it, and the packing of its states.
    pub data_canon: Option<(DataCanon, &'a Codec)>,
}

impl<'a> Executions<'a> {
    /// Where the search takes the states of the smaller program as they are.
    pub fn as_they_are(
        job: &'a SearchJob,
        task: &'a Task<'a>,
        control: &'a Control<'a>,
        smaller: &'a Smaller,
        ground: &'a Ground,
    ) -> Executions<'a> {
        Executions { job, task, control, smaller, ground, partial_order: None, canon: None, data_canon: None }
    }
}

impl Executions<'_> {
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
        // What was found is told, even if it is time to stop; but not at any price.
        let late = self.control.stopped();
        let looks = std::cell::Cell::new(0u32);
        let stop = || {
            looks.set(looks.get().saturating_add(1));
            if late { looks.get() > GRACE } else { self.control.stopped() }
        };
        let (data_canon, codec) = self.data_canon.clone().unzip();
        let stored =
            Stored { partial_order: self.partial_order, canon: self.canon.clone(), data_canon, codec };
        let normalise = &self.smaller.normalise;
        let mut concrete =
            cancel::spare(|| Concrete::new(&self.job.program, self.ground, normalise, stored, &stop));
        let mut trace = concrete.follow(way, ending).or(concrete.faulty.take())?;
        if let Some(slot) = self.job.hidden {
            let states = trace.steps.iter_mut().map(|s| &mut s.state).chain([&mut trace.initial]);
            for state in states {
                state.remove(slot as usize);
            }
            self.without_rest(&mut trace);
            if let End::Fault(Some(instance), _) = trace.end {
                self.blame_condition(&mut trace, instance);
            }
        }
        Some(trace)
    }

    /// A system that rests, in the product with the automaton of a formula, has stopped in the original.
    fn without_rest(&self, trace: &mut Trace) {
        let functions = self.task.flat.program.functions.len();
        let rests = trace.steps.iter().position(|step| step.instance.function as usize >= functions);
        if let Some(at) = rests {
            trace.steps.truncate(at);
            trace.loop_start = None;
            trace.end = End::Deadlock;
        }
    }

    /// The monitor of a scope evaluates conditions in the step that leads to a state; in the original the step is fine,
    /// and the condition meets the error in the state after it.
    fn blame_condition(&self, trace: &mut Trace, instance: Instance) {
        let program = &self.task.flat.program;
        let ground = Ground::new(program);
        let Some(routine) = ground.instances().iter().find(|r| r.instance == instance) else { return };
        let mut state = state_of(trace).to_vec();
        let mut runner = Runner::default();
        let mut choices = Enumerate::default();
        loop {
            match runner.step(routine, &mut state, &mut choices) {
                Outcome::Fault(_) => return,
                Outcome::Disabled => {}
                Outcome::Done => {
                    let after = state.clone();
                    runner.undo(&mut state);
                    if let Some(fault) = self.condition_fault(&ground, &after) {
                        let choices = choices.choices().collect();
                        trace.steps.push(TraceStep { instance, choices, state: after });
                        trace.end = End::Fault(None, fault);
                        return;
                    }
                }
            }
            if !choices.advance() {
                return;
            }
        }
    }

    /// The error that a condition of the job's property meets in a state of the original program.
    pub fn condition_fault(&self, ground: &Ground, state: &[Value]) -> Option<Fault> {
        let program = &self.task.flat.program;
        let asked = self.job.questions.iter().filter_map(|q| match q.subject {
            Subject::Property(number) => Some(number),
            Subject::DeadlockFreedom => None,
        });
        let mut conditions = asked.flat_map(|number| program.properties[number].exprs());
        conditions.find_map(|e| Runner::default().test(&ground.condition(program, e), state).err())
    }

    /// The initial block of a monitored program evaluates conditions in the initial state.
    pub fn initial_fault(&self, fault: Fault) -> Trace {
        let nothing = Trace { end: End::InitialFault(fault), ..Trace::default() };
        if self.job.hidden.is_none() {
            return nothing;
        }
        let ground = Ground::new(&self.task.flat.program);
        let mut runner = Runner::default();
        let mut choices = Enumerate::default();
        let mut state = vec![0; ground.width()];
        let mut found: Option<Trace> = None;
        for _ in 0..ATTEMPTS {
            match runner.initialise(&ground, &mut state, &mut choices) {
                // An error in what may be chosen at first makes the model invalid whatever is chosen.
                Outcome::Fault(fault) => return Trace { end: End::InitialFault(fault), ..Trace::default() },
                Outcome::Done if found.is_none() => {
                    let trace = |fault| Trace {
                        initial: state.clone(),
                        end: End::Fault(None, fault),
                        ..Trace::default()
                    };
                    found = self.condition_fault(&ground, &state).map(trace);
                }
                Outcome::Done | Outcome::Disabled => {}
            }
            if !choices.advance() || self.control.stopped() {
                break;
            }
        }
        found.unwrap_or(nothing)
    }

    /// There should have been an execution.
    pub fn lost(&self) -> Verdict {
        Verdict::Unknown(if self.control.stopped() {
            Reason::Interrupted
        } else {
            Reason::Internal("no execution was found for a counterexample of the search".to_string())
        })
    }

    /// Whether the program is the product with the automaton of a formula.
    pub fn is_product(&self) -> bool {
        self.job.questions.iter().any(|q| matches!(q.kind, QuestionKind::Recurs | QuestionKind::Kept))
    }

    /// Why a property that holds says nothing, if a quantifier of it ranges over nobody.
    pub fn over_nobody(&self, subject: Subject) -> Option<Vacuity> {
        let number = subject.property()?;
        let empty = self.job.program.properties[number].vacuous && self.says_nothing(number);
        empty.then_some(Vacuity::NoAgent)
    }

    /// Whether a predicate with a quantifier over nobody is true without looking at any variable.
    fn says_nothing(&self, number: usize) -> bool {
        let program = &self.task.flat.program;
        if let Modality::Linear(linear) = &program.properties[number].modality {
            return trivial::constant(&linear.formula) == Some(true);
        }
        let predicate = &program.properties[number].predicate;
        let condition = cancel::spare(|| Ground::new(program).condition(program, predicate));
        matches!(condition, Term::Const(v) if v != 0)
    }

    /// Whether nothing at all can happen in the original program. The search saw no step, but steps may have been left out
    /// as irrelevant, and a search that stops at the goal may have begun there.
    pub fn is_still(&self) -> bool {
        self.beginning() == Beginning::Still
    }

    /// Why a formula that holds says nothing, if nothing happens in the original program.
    pub fn nothing_happens(&self) -> Option<Vacuity> {
        match self.beginning() {
            Beginning::None => Some(Vacuity::NoInitialState),
            Beginning::Still => Some(Vacuity::NoStep),
            Beginning::Moves | Beginning::Unknown => None,
        }
    }

    /// What can happen at first in the original program.
    fn beginning(&self) -> Beginning {
        let ground = cancel::spare(|| Ground::new(&self.task.flat.program));
        let mut found = Beginning::None;
        if is_impossible(&ground, &|| self.control.stopped()) {
            return found;
        }
        let mut runner = Runner::default();
        let mut state = vec![0; ground.width()];
        let mut choices = Enumerate::default();
        for _ in 0..STILL {
            if runner.initialise(&ground, &mut state, &mut choices) == Outcome::Done {
                found = Beginning::Still;
                let possible = ground.instances().iter().any(|routine| {
                    let mut first = Enumerate::default();
                    loop {
                        let outcome = runner.step(routine, &mut state, &mut first);
                        runner.undo(&mut state);
                        if outcome != Outcome::Disabled {
                            return true;
                        }
                        if !first.advance() || self.control.stopped() {
                            return false;
                        }
                    }
                });
                if possible {
                    return Beginning::Moves;
                }
            }
            if !choices.advance() {
                return found;
            }
            if self.control.stopped() {
                break;
            }
        }
        Beginning::Unknown
    }
}

/// What can happen at first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    /// There is no initial state.
    None,
    /// No step is possible in any initial state.
    Still,
    /// Some step is possible.
    Moves,
    /// There are too many initial states to tell.
    Unknown,
}

/// How many initial states are looked at to say that nothing can happen.
const STILL: usize = 100_000;

/// How much is looked at for a trace when it is already time to stop.
const GRACE: u32 = 100_000;
