//! From a path of the smaller program to a trace of the original, and whether a property holds vacuously.
//!
//! Engines that search the smaller program, however they do it, share this.

use crate::concrete::{Concrete, Ending, Representation};
use crate::initial::is_impossible;
use crate::questions::Questions;
use crate::reduce::Smaller;
use crate::setting::Subject;
use crate::trace::{End, Trace, TraceStep};
use swarmcheck_ir::cancel;
use swarmcheck_ir::flat::{Enumerate, Instance, Outcome};
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_ir::{Fault, Modality, Program, Value};
use swarmcheck_logic::linear::trivial;

/// How many initial states are looked at for an error.
const ATTEMPTS: usize = 1_000_000;

/// What is needed to turn results about a smaller program into executions of the original.
#[derive(Clone, Copy)]
pub struct Originals<'a> {
    /// The questions, and the program they are about.
    pub questions: &'a Questions,
    /// The original program, without monitors and automata.
    pub original: &'a Program,
    /// The program that was searched.
    pub smaller: &'a Smaller,
    /// The same, ready to run.
    pub ground: &'a Ground,
    /// Whether it is time to stop.
    pub stop: &'a dyn Fn() -> bool,
}

/// What can happen at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beginning {
    /// There is no initial state.
    None,
    /// No step is possible in any initial state.
    Still,
    /// Some step is possible.
    Moves,
    /// There are too many initial states to tell.
    Unknown,
}

impl Originals<'_> {
    /// The execution that a way through the smaller program stands for.
    pub fn trace(
        &self,
        way: &[Vec<Value>],
        ending: Ending,
        stored: Box<dyn Representation + '_>,
    ) -> Option<Trace> {
        // What was found is told, even if it is time to stop; but not at any price.
        let late = (self.stop)();
        let looks = std::cell::Cell::new(0u32);
        let stop = || {
            looks.set(looks.get().saturating_add(1));
            if late { looks.get() > GRACE } else { (self.stop)() }
        };
        let normalise = &self.smaller.normalise;
        let mut concrete =
            cancel::spare(|| Concrete::new(&self.questions.program, self.ground, normalise, stored, &stop));
        let mut trace = concrete.follow(way, ending).or(concrete.faulty.take())?;
        if !self.questions.hidden.is_empty() {
            let states = trace.steps.iter_mut().map(|s| &mut s.state).chain([&mut trace.initial]);
            for state in states {
                for slot in self.questions.hidden.iter().rev() {
                    state.remove(*slot as usize);
                }
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
        let functions = self.original.functions.len();
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
        let ground = Ground::new(self.original);
        let Some(routine) = ground.instances().iter().find(|r| r.instance == instance) else { return };
        let mut state = trace.last().to_vec();
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
        let program = self.original;
        let asked = self.questions.questions.iter().filter_map(|q| q.subject.property());
        let mut conditions = asked.flat_map(|number| program.properties[number].exprs());
        conditions.find_map(|e| Runner::default().test(&ground.condition(program, e), state).err())
    }

    /// The initial block of a monitored program evaluates conditions in the initial state.
    pub fn initial_fault(&self, fault: Fault) -> Trace {
        let nothing = Trace { end: End::InitialFault(fault), ..Trace::default() };
        if self.questions.hidden.is_empty() {
            return nothing;
        }
        let ground = Ground::new(self.original);
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
            if !choices.advance() || (self.stop)() {
                break;
            }
        }
        found.unwrap_or(nothing)
    }

    /// Whether a property that holds says nothing because a quantifier of it ranges over nobody.
    pub fn is_over_nobody(&self, subject: Subject) -> bool {
        let property =
            |number: usize| self.questions.program.properties[number].vacuous && self.says_nothing(number);
        subject.property().is_some_and(property)
    }

    /// Whether a predicate with a quantifier over nobody is true without looking at any variable.
    fn says_nothing(&self, number: usize) -> bool {
        let program = self.original;
        if let Modality::Linear(linear) = &program.properties[number].modality {
            return trivial::constant(&linear.formula) == Some(true);
        }
        let predicate = &program.properties[number].predicate;
        let condition = cancel::spare(|| Ground::new(program).condition(program, predicate));
        matches!(condition, Term::Const(v) if v != 0)
    }

    /// What can happen at first in the original program. A search of the smaller one does not tell: steps may have been left
    /// out as irrelevant, and a search that stops at the goal may have begun there.
    pub fn beginning(&self) -> Beginning {
        let ground = cancel::spare(|| Ground::new(self.original));
        let mut found = Beginning::None;
        if is_impossible(&ground, &|| (self.stop)()) {
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
                        if !first.advance() || (self.stop)() {
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
            if (self.stop)() {
                break;
            }
        }
        Beginning::Unknown
    }
}

/// How many initial states are looked at to say that nothing can happen.
const STILL: usize = 100_000;

/// How much is looked at for a trace when it is already time to stop.
const GRACE: u32 = 100_000;
