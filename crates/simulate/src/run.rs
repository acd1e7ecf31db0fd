//! A random run: where it is, and what it has done last. How steps are drawn is said in `walk.rs`.

use crate::law::Scheduler;
use crate::plan::Plan;
use crate::resolve::Script;
use crate::rng::Rng;
use crate::walk::Walk;
use std::sync::Arc;
use swarmcheck_ir::flat::{Code, Flat, Instance, Outcome, Seen, Watched};
use swarmcheck_ir::{Fault, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// This instance ran; [`Run::writes`] says what it wrote.
    Step(Instance),
    /// No step is possible.
    Deadlock,
    /// This instance met a fault: the model is invalid.
    Fault(Instance, Fault),
    /// The caller stopped the search for a step.
    Stopped,
    /// Nobody knows whether this instance is enabled: its own choices got stuck every time, and there are too many ways to choose to try
    /// all of them. So no step can be drawn by the law, and none was made.
    TooManyChoices(Instance),
}

/// A run in progress.
#[derive(Clone)]
pub struct Run<'f> {
    plan: Arc<Plan<'f>>,
    walk: Box<Walk>,
    uniform: bool,
}

impl<'f> Run<'f> {
    pub(crate) fn begin(plan: &Arc<Plan<'f>>, rng: Rng, state: Vec<Value>, uniform: bool) -> Run<'f> {
        Run { walk: Box::new(Walk::new(plan, rng, state)), plan: Arc::clone(plan), uniform }
    }

    /// Starts from a given state.
    pub fn from_state(flat: &'f Flat, rng: Rng, state: Vec<Value>) -> Run<'f> {
        Run::begin(&Arc::new(Plan::new(flat, &Scheduler::Steps, false)), rng, state, false)
    }

    /// The same run with steps chosen by a scheduler. [`Scheduler::Any`] stands for all schedulers, and a run needs one: it is taken for
    /// [`Scheduler::Steps`], which is among them. Where many runs are made, [`crate::Starts::with`] prepares the scheduler once.
    pub fn with(self, scheduler: &Scheduler) -> Run<'f> {
        let fast = self.plan.fast;
        Run { plan: Arc::new(Plan::new(self.plan.flat, scheduler, fast)), ..self }
    }

    /// A run that goes on from here with another generator, and knows nothing of this one's.
    pub fn fork(&self, rng: Rng) -> Run<'f> {
        let mut run = self.clone();
        run.walk.rng = rng;
        run
    }

    /// The time that has passed since the run began, if steps have rates; otherwise 0. In a deadlock it is the time at which that was
    /// noticed; no step comes after it.
    pub fn time(&self) -> f64 {
        self.walk.time
    }

    /// Whether the initial state was drawn by the law.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// The current state.
    pub fn state(&self) -> &[Value] {
        self.walk.ranked(&self.plan)
    }

    /// The current state as it is kept: in runs of [`crate::Starts::fast`], timestamps may be other numbers than ranks, in the same order.
    /// What models say does not depend on that, and it costs nothing to look.
    pub fn unranked(&self) -> &[Value] {
        &self.walk.state
    }

    /// What the last step wrote: slots in order, each with the value it had before. A slot may occur several times. Runs of
    /// [`crate::Starts::fast`] leave out what was written and did not change, and new ranks of timestamps.
    pub fn writes(&self) -> &[(u32, Value)] {
        self.walk.writes(&self.plan)
    }

    /// How the last step resolved its nondeterminism.
    pub fn choices(&self) -> &[u64] {
        &self.walk.choices
    }

    /// Whether a property's predicate holds now.
    pub fn holds(&mut self, property: usize) -> Result<bool, Fault> {
        self.plan.flat.holds(&mut self.walk.machine, property, &self.walk.state)
    }

    /// Evaluates a condition compiled for this program.
    pub fn test(&mut self, code: &Code) -> Result<bool, Fault> {
        self.walk.machine.test(self.plan.flat, code, &self.walk.state)
    }

    /// Evaluates a watched condition, given what was written since it was looked at last.
    pub fn look(
        &mut self,
        watched: &Watched,
        seen: &mut Seen,
        writes: &[(u32, Value)],
    ) -> Result<bool, Fault> {
        watched.test(&mut self.walk.machine, self.plan.flat, &self.walk.state, seen, writes)
    }

    /// Makes one step. `stopped` is consulted when finding one takes long.
    pub fn step(&mut self, stopped: &dyn Fn() -> bool) -> Taken {
        self.walk.step(&self.plan, stopped)
    }

    /// Runs an instance with given choices.
    pub fn replay(&mut self, instance: Instance, choices: &[u64]) -> Outcome {
        self.walk.run(&self.plan, instance, &mut Script::new(choices))
    }
}
