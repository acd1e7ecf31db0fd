//! From a finished search to answers, with the executions that show them.

use crate::codec::Codec;
use crate::concrete::{Concrete, Ending, state_of};
use crate::decide::{Job, Kind, Shape};
use crate::graph::STUCK;
use crate::reduce::Smaller;
use crate::search::{Ended, Explored};
use crate::store::Id;
use swarmcheck_engine::trace::{End, Trace, TraceStep};
use swarmcheck_engine::{Control, Effort, Evidence, Finding, Reason, Subject, Task, Verdict, Why};
use swarmcheck_ir::flat::{Enumerate, Instance, Outcome};
use swarmcheck_ir::ground::{Ground, Runner, Term};
use swarmcheck_ir::{Fault, Value};
use swarmcheck_passes::symmetry::Canon;

/// A finished search, ready to be asked.
pub(crate) struct Answers<'a> {
    pub(crate) job: &'a Job,
    pub(crate) task: &'a Task<'a>,
    pub(crate) control: &'a Control<'a>,
    pub(crate) smaller: &'a Smaller,
    pub(crate) ground: &'a Ground,
    pub(crate) codec: &'a Codec,
    pub(crate) canon: Option<Canon>,
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
        let mut bit = 0;
        let mut out = vec![];
        for question in &self.job.questions {
            let verdict = self.verdict(question.kind, bit);
            let vacuous =
                matches!(verdict, Verdict::Holds(_)).then(|| self.vacuous(question.subject)).flatten();
            let mut notes = self.smaller.notes.clone();
            let excusing = matches!(question.kind, Kind::Reached | Kind::Reachable | Kind::Scope { .. });
            if self.task.ignore_deadlock && excusing && explored.deadlocks > 0 {
                notes.push(format!(
                    "executions that stop are excused: {} states without a step",
                    explored.deadlocks
                ));
            }
            let effort = Effort { seconds: self.control.progress.seconds() - began, ..effort };
            out.push(Finding { subject: question.subject, verdict, vacuous, notes, effort });
            bit += match (question.subject, question.kind) {
                (Subject::DeadlockFreedom, _) => 0,
                (_, Kind::Scope { waits: true }) => 2,
                _ => 1,
            };
        }
        out
    }

    fn verdict(&self, kind: Kind, bit: usize) -> Verdict {
        let explored = &self.explored;
        if let Some(faulty) = &explored.faulty {
            let trace = match (faulty.state, faulty.instance) {
                (None, _) => Some(self.initial_fault(faulty.fault)),
                (Some(at), Some(_)) => self.trace(explored.store.path(at), Ending::Fault),
                (Some(at), None) => self.trace(explored.store.path(at), Ending::Open).map(|mut trace| {
                    trace.end = End::Fault(None, faulty.fault);
                    trace
                }),
            };
            return trace.map_or_else(|| self.lost(), Verdict::Invalid);
        }
        match kind {
            Kind::Always => match explored.alarms[bit] {
                Some(at) => self.violated(explored.store.path(at), Ending::Open, Why::False),
                None => self.holds(),
            },
            Kind::Alive => match explored.stuck {
                Some(at) => self.violated(explored.store.path(at), Ending::Stuck, Why::Deadlock),
                None => self.holds(),
            },
            Kind::Recurs => self.recurs(bit),
            Kind::Reached => self.reached(),
            Kind::Reachable => self.reachable(bit),
            Kind::Scope { waits } => match explored.alarms[bit] {
                Some(at) => self.violated(explored.store.path(at), Ending::Open, Why::Scope),
                None if waits => self.promised(bit + 1),
                None => self.holds(),
            },
        }
    }

    /// Nothing speaks against it: it holds if everything was seen.
    fn holds(&self) -> Verdict {
        match (self.explored.ended, self.job.shape) {
            (Ended::Complete, Shape::Whole | Shape::Before) => Verdict::Holds(Evidence::Explored),
            (Ended::Complete | Ended::Depth, Shape::Within(_) | Shape::After { .. }) => {
                let steps = match self.job.shape {
                    Shape::After { steps, .. } => Some(steps),
                    _ => self.task.bound,
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
        if let (Some(at), false) = (explored.stuck, self.task.ignore_deadlock) {
            return self.violated(explored.store.path(at), Ending::Stuck, Why::Stuck);
        }
        match explored.graph.cycle(
            |flags| flags & 1 == 0,
            |id| explored.depth_of(id),
            self.task.threads,
            self.control.stop,
        ) {
            Some(cycle) => self.lasso(&cycle, Why::Loop),
            None if self.control.stopped() => Verdict::Unknown(Reason::Interrupted),
            None => self.holds(),
        }
    }

    /// No execution of the product with the automaton of the negated formula is accepted.
    fn recurs(&self, bit: usize) -> Verdict {
        let explored = &self.explored;
        let accepts = |flags: u8| flags >> bit & 1 != 0;
        match explored.graph.recurring(accepts, |id| explored.depth_of(id), self.control.stop) {
            Some(cycle) => self.lasso(&cycle, Why::Formula),
            None if self.control.stopped() => Verdict::Unknown(Reason::Interrupted),
            None => self.holds(),
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
        let excused = if self.task.ignore_deadlock { STUCK } else { 0 };
        let Some(reach) = explored.graph.can_reach(1 << bit | excused, self.task.threads, self.control.stop)
        else {
            return Verdict::Unknown(Reason::Interrupted);
        };
        match explored.graph.states().find(|(id, _)| !reach.contains(*id)) {
            Some((at, _)) => self.violated(explored.store.path(at), Ending::Open, Why::OutOfReach),
            None => self.holds(),
        }
    }

    /// No execution waits for ever: none goes round, or stops, while it does.
    fn promised(&self, bit: usize) -> Verdict {
        let explored = &self.explored;
        let waiting = |flags: u8| flags >> bit & 1 != 0;
        if !self.task.ignore_deadlock {
            let stuck = explored.graph.states().find(|(_, flags)| waiting(*flags) && flags & STUCK != 0);
            if let Some((at, _)) = stuck {
                return self.violated(explored.store.path(at), Ending::Stuck, Why::Stuck);
            }
        }
        match explored.graph.cycle(waiting, |id| explored.depth_of(id), self.task.threads, self.control.stop)
        {
            Some(cycle) => self.lasso(&cycle, Why::Loop),
            None if self.control.stopped() => Verdict::Unknown(Reason::Interrupted),
            None => self.holds(),
        }
    }

    fn violated(&self, way: Vec<Id>, ending: Ending, why: Why) -> Verdict {
        match self.trace(way, ending) {
            None => self.lost(),
            Some(trace) if matches!(trace.end, End::Fault(..)) => Verdict::Invalid(trace),
            Some(trace) => Verdict::Violated(trace, why),
        }
    }

    /// The execution that a way of the search stands for.
    fn trace(&self, way: Vec<Id>, ending: Ending) -> Option<Trace> {
        let unpack = |id: Id| {
            let mut state = vec![0; self.codec.cells()];
            self.codec.unpack(self.explored.store.state(id), &mut state);
            state
        };
        let way: Vec<Vec<Value>> = way.into_iter().map(unpack).collect();
        // What was found is told, even if it is time to stop; but not at any price.
        let late = self.control.stopped();
        let looks = std::cell::Cell::new(0u32);
        let stop = || {
            looks.set(looks.get().saturating_add(1));
            if late { looks.get() > GRACE } else { self.control.stopped() }
        };
        let mut concrete =
            Concrete::new(&self.job.program, self.ground, &self.smaller.normalise, self.canon.clone(), &stop);
        let mut trace = concrete.follow(&way, ending).or(concrete.faulty.take())?;
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
    fn condition_fault(&self, ground: &Ground, state: &[Value]) -> Option<Fault> {
        let program = &self.task.flat.program;
        let asked = self.job.questions.iter().filter_map(|q| match q.subject {
            Subject::Property(number) => Some(number),
            Subject::DeadlockFreedom => None,
        });
        let mut conditions = asked.flat_map(|number| program.properties[number].exprs());
        conditions.find_map(|e| Runner::default().test(&ground.condition(program, e), state).err())
    }

    /// The initial block of a monitored program evaluates conditions in the initial state.
    fn initial_fault(&self, fault: Fault) -> Trace {
        let nothing = Trace { end: End::InitialFault(fault), ..Trace::default() };
        if self.job.hidden.is_none() {
            return nothing;
        }
        let ground = Ground::new(&self.task.flat.program);
        let mut runner = Runner::default();
        let mut choices = Enumerate::default();
        let mut state = vec![0; ground.width()];
        loop {
            match runner.initialise(&ground, &mut state, &mut choices) {
                Outcome::Fault(_) => return nothing,
                Outcome::Disabled => {}
                Outcome::Done => {
                    if let Some(fault) = self.condition_fault(&ground, &state) {
                        return Trace { initial: state, end: End::Fault(None, fault), ..Trace::default() };
                    }
                }
            }
            if !choices.advance() || self.control.stopped() {
                return nothing;
            }
        }
    }

    /// There should have been an execution.
    fn lost(&self) -> Verdict {
        Verdict::Unknown(if self.control.stopped() {
            Reason::Interrupted
        } else {
            Reason::Internal("no execution was found for a counterexample of the search".to_string())
        })
    }

    /// Why it holds without saying anything.
    fn vacuous(&self, subject: Subject) -> Option<String> {
        let explored = &self.explored;
        if let Subject::Property(number) = subject
            && self.job.program.properties[number].vacuous
            && self.says_nothing(number)
        {
            return Some("a quantifier ranges over no agent".to_string());
        }
        // In the product with an automaton, states and steps are missing where the automaton has none.
        if self.job.questions.iter().any(|q| q.kind == Kind::Recurs) {
            return None;
        }
        if explored.initial == 0 {
            return Some("no initial state satisfies the assumptions".to_string());
        }
        match self.job.shape {
            // A search that avoids the goal also ends early when the goal is always met.
            Shape::After { steps, .. } if explored.ended == Ended::Complete && explored.goals == 0 => {
                Some(format!("no execution makes {steps} steps"))
            }
            _ if explored.transitions == 0 && subject != Subject::DeadlockFreedom && self.is_still() => {
                Some("no step is possible in any initial state".to_string())
            }
            _ => None,
        }
    }

    /// Whether a predicate with a quantifier over nobody is true without looking at any variable.
    fn says_nothing(&self, number: usize) -> bool {
        let program = &self.task.flat.program;
        let condition = Ground::new(program).condition(program, &program.properties[number].predicate);
        matches!(condition, Term::Const(v) if v != 0)
    }

    /// Whether nothing at all can happen in the original program. The search saw no step, but steps may have been left out
    /// as irrelevant, and a search that stops at the goal may have begun there.
    fn is_still(&self) -> bool {
        let ground = Ground::new(&self.job.program);
        let mut runner = Runner::default();
        let mut state = vec![0; ground.width()];
        let mut choices = Enumerate::default();
        for _ in 0..STILL {
            if runner.initialise(&ground, &mut state, &mut choices) == Outcome::Done {
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
                    return false;
                }
            }
            if !choices.advance() {
                return true;
            }
        }
        false
    }
}

/// How many initial states are looked at to say that nothing can happen.
const STILL: usize = 100_000;

/// How much is looked at for a trace when it is already time to stop.
const GRACE: u32 = 100_000;
