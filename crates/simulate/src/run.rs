//! One random run: draw an instance, try it, repeat.
//!
//! All enabled instances are equally likely (one whose own random choices can fail is a little less so). They are
//! not listed to achieve that: an instance is drawn among all and drawn again if it is disabled, which needs a few
//! tries instead of one look at every agent. When many tries in a row fail, a scan of the guards finds out what is
//! enabled.

use crate::rng::Rng;
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};
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
    flat: &'f Flat,
    machine: Machine,
    rng: Rng,
    state: Vec<Value>,
    uniform: bool,
    choices: Vec<u64>,
}

impl<'f> Run<'f> {
    pub(crate) fn begin(flat: &'f Flat, rng: Rng, state: Vec<Value>, uniform: bool) -> Run<'f> {
        Run { flat, machine: Machine::new(flat), rng, state, uniform, choices: vec![] }
    }

    /// Starts from a given state.
    pub fn from_state(flat: &'f Flat, rng: Rng, state: Vec<Value>) -> Run<'f> {
        Run::begin(flat, rng, state, false)
    }

    /// The same run with steps chosen by a scheduler. [`Scheduler::Any`] stands for all schedulers, and a run needs one: it is taken for
    /// [`Scheduler::Steps`], which is among them.
    pub fn with(self, _scheduler: &crate::law::Scheduler) -> Run<'f> {
        self
    }

    /// A run that goes on from here with another generator, and knows nothing of this one's.
    pub fn fork(&self, rng: Rng) -> Run<'f> {
        Run { rng, ..self.clone() }
    }

    /// The time that has passed since the run began, if steps have rates; otherwise 0.
    pub fn time(&self) -> f64 {
        0.0
    }

    /// Whether every way to choose an initial state was equally likely.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }

    /// The current state.
    pub fn state(&self) -> &[Value] {
        &self.state
    }

    /// What the last step wrote; see [`Machine::writes`].
    pub fn writes(&self) -> &[(u32, Value)] {
        self.machine.writes()
    }

    /// How the last step resolved its nondeterminism.
    pub fn choices(&self) -> &[u64] {
        &self.choices
    }

    /// Whether a property's predicate holds now.
    pub fn holds(&mut self, property: usize) -> Result<bool, Fault> {
        self.flat.holds(&mut self.machine, property, &self.state)
    }

    /// Evaluates a condition compiled for this program.
    pub fn test(&mut self, code: &swarmcheck_ir::flat::Code) -> Result<bool, Fault> {
        self.machine.test(self.flat, code, &self.state)
    }

    /// Makes one step. `stopped` is consulted when finding one takes long.
    pub fn step(&mut self, stopped: &dyn Fn() -> bool) -> Taken {
        let n = u64::from(self.flat.instances());
        if n == 0 {
            return Taken::Deadlock;
        }
        for _ in 0..(2 * n + 8).min(64) {
            let instance = self.flat.instance(self.rng.below(n) as u32);
            if let Some(taken) = self.attempt(instance) {
                return taken;
            }
        }
        self.scan(stopped)
    }

    /// Tries an instance once, with random choices.
    fn attempt(&mut self, instance: Instance) -> Option<Taken> {
        let Run { flat, machine, rng, state, choices, .. } = self;
        choices.clear();
        match machine.step(flat, instance, state, &mut Recorded { rng, choices }) {
            Outcome::Done => Some(Taken::Step(instance)),
            Outcome::Disabled => None,
            Outcome::Fault(fault) => Some(Taken::Fault(instance, fault)),
        }
    }

    /// Lists the instances whose guard holds and draws from those. Only when many draws fail are choices enumerated:
    /// an action that picks three of four hundred agents has sixty million of them.
    fn scan(&mut self, stopped: &dyn Fn() -> bool) -> Taken {
        let mut open = vec![];
        for number in 0..self.flat.instances() {
            let instance = self.flat.instance(number);
            match self.machine.enabled(self.flat, instance, &self.state) {
                Ok(true) => open.push(instance),
                Ok(false) => {}
                Err(fault) => return Taken::Fault(instance, fault),
            }
        }
        for _ in 0..64 * open.len().min(64) {
            let instance = open[self.rng.below(open.len() as u64) as usize];
            if let Some(taken) = self.attempt(instance) {
                return taken;
            }
        }
        let mut choices = Enumerate::default();
        for instance in open {
            choices.reset();
            for tries in 1_u64.. {
                match self.machine.step(self.flat, instance, &mut self.state, &mut choices) {
                    Outcome::Done => {
                        self.choices = choices.choices().collect();
                        return Taken::Step(instance);
                    }
                    Outcome::Disabled => {}
                    Outcome::Fault(fault) => return Taken::Fault(instance, fault),
                }
                if tries.is_multiple_of(1 << 16) && stopped() {
                    return Taken::Stopped;
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        Taken::Deadlock
    }

    /// Runs an instance with given choices.
    pub fn replay(&mut self, instance: Instance, choices: &[u64]) -> Outcome {
        let mut script = Script { choices, at: 0 };
        self.machine.step(self.flat, instance, &mut self.state, &mut script)
    }
}

/// Random choices, kept for whoever wants to know what was chosen.
struct Recorded<'a> {
    rng: &'a mut Rng,
    choices: &'a mut Vec<u64>,
}

impl swarmcheck_ir::flat::Chooser for Recorded<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        let made = self.rng.choose(n);
        self.choices.push(made);
        made
    }
}

/// Choices made beforehand; 0 where there are not enough, and never out of range.
struct Script<'a> {
    choices: &'a [u64],
    at: usize,
}

impl swarmcheck_ir::flat::Chooser for Script<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        let made = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        made.min(n - 1)
    }
}
