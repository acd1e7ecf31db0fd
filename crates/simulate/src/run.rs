//! One random run: draw an instance, try it, repeat.
//!
//! All enabled instances are equally likely (one whose own random choices can fail is a little less so). They are
//! not listed to achieve that: an instance is drawn among all and drawn again if it is disabled, which needs a few
//! tries instead of one look at every agent. When many tries in a row fail, a scan finds out whether anything is
//! enabled at all.

use crate::rng::Rng;
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{Fault, Value};

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// This instance ran; [`Run::writes`] says what it wrote.
    Step(Instance),
    /// No step is possible.
    Deadlock,
    /// This instance met a fault: the model is invalid.
    Fault(Instance, Fault),
}

/// A run in progress.
pub struct Run<'f> {
    flat: &'f Flat,
    machine: Machine,
    rng: Rng,
    state: Vec<Value>,
}

impl<'f> Run<'f> {
    /// Draws an initial state. `None` if there is none that satisfies the assumptions, as far as `tries` draws and
    /// then an enumeration of at most as many states can tell.
    pub fn start(flat: &'f Flat, rng: Rng, tries: u64) -> Result<Option<Run<'f>>, Fault> {
        let machine = Machine::new(flat);
        let mut run = Run { flat, machine, rng, state: vec![0; flat.width()] };
        for _ in 0..tries {
            let Run { machine, rng, state, .. } = &mut run;
            match machine.initialise(flat, state, rng) {
                Outcome::Done => return Ok(Some(run)),
                Outcome::Disabled => {}
                Outcome::Fault(fault) => return Err(fault),
            }
        }
        let mut all = Enumerate::default();
        for _ in 0..tries {
            match run.machine.initialise(flat, &mut run.state, &mut all) {
                Outcome::Done => return Ok(Some(run)),
                Outcome::Disabled => {}
                Outcome::Fault(fault) => return Err(fault),
            }
            if !all.advance() {
                break;
            }
        }
        Ok(None)
    }

    /// Starts from a given state.
    pub fn from_state(flat: &'f Flat, rng: Rng, state: Vec<Value>) -> Run<'f> {
        Run { flat, machine: Machine::new(flat), rng, state }
    }

    /// The current state.
    pub fn state(&self) -> &[Value] {
        &self.state
    }

    /// What the last step wrote; see [`Machine::writes`].
    pub fn writes(&self) -> &[(u32, Value)] {
        self.machine.writes()
    }

    /// Whether a property's predicate holds now.
    pub fn holds(&mut self, property: usize) -> Result<bool, Fault> {
        self.flat.holds(&mut self.machine, property, &self.state)
    }

    /// Evaluates a condition compiled for this program.
    pub fn test(&mut self, code: &swarmcheck_ir::flat::Code) -> Result<bool, Fault> {
        self.machine.test(self.flat, code, &self.state)
    }

    /// Makes one step.
    pub fn step(&mut self) -> Taken {
        let n = u64::from(self.flat.instances());
        if n == 0 {
            return Taken::Deadlock;
        }
        // Enough tries to find a single enabled instance with high probability before the scan.
        for _ in 0..2 * n.min(1000) + 8 {
            let instance = self.flat.instance(self.rng.below(n) as u32);
            let Run { flat, machine, rng, state } = self;
            match machine.step(flat, instance, state, rng) {
                Outcome::Done => return Taken::Step(instance),
                Outcome::Disabled => {}
                Outcome::Fault(fault) => return Taken::Fault(instance, fault),
            }
        }
        self.scan()
    }

    /// Lists what is enabled and draws from the list, or reports a deadlock.
    fn scan(&mut self) -> Taken {
        let mut enabled: Vec<(Instance, Vec<Vec<u64>>)> = vec![];
        let mut choices = Enumerate::default();
        for number in 0..self.flat.instances() {
            let instance = self.flat.instance(number);
            choices.reset();
            let mut ways = vec![];
            loop {
                match self.machine.step(self.flat, instance, &mut self.state, &mut choices) {
                    Outcome::Done => {
                        self.machine.undo(&mut self.state);
                        ways.push(choices.choices().collect());
                    }
                    Outcome::Disabled => {}
                    Outcome::Fault(fault) => return Taken::Fault(instance, fault),
                }
                if !choices.advance() {
                    break;
                }
            }
            if !ways.is_empty() {
                enabled.push((instance, ways));
            }
        }
        if enabled.is_empty() {
            return Taken::Deadlock;
        }
        let (instance, ways) = &enabled[self.rng.below(enabled.len() as u64) as usize];
        let (instance, made) = (*instance, ways[self.rng.below(ways.len() as u64) as usize].clone());
        self.replay(instance, &made);
        Taken::Step(instance)
    }

    /// Runs an instance with given choices.
    pub fn replay(&mut self, instance: Instance, choices: &[u64]) -> Outcome {
        let mut script = Script { choices, at: 0 };
        self.machine.step(self.flat, instance, &mut self.state, &mut script)
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
