//! Explores a program breadth-first and writes down the rows of every state.

use super::store::Store;
use super::weights::{Factor, Outcomes, Weights, mixture, sum};
use super::{BuildError, BuildOptions, Built, Control, FaultPlace, Watched};
use crate::bits::Bits;
use crate::process::{Exit, LARGEST_TOTAL, Malformed, NO_ACTION, ProcessBuilder};
use swarmcheck_ir::flat::{Code, Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{Fault, Value, cancel};
use swarmcheck_passes::symmetry::Canon;
use swarmcheck_simulate::{Rate, Scheduler};

/// How many attempts are made between two looks at the flag.
const ATTEMPTS: u64 = 1 << 12;

pub(super) struct Explorer<'a> {
    flat: &'a Flat,
    scheduler: &'a Scheduler,
    options: &'a BuildOptions,
    control: Control<'a>,
    machine: Machine,
    canon: Option<Canon>,
    store: Store,
    builder: ProcessBuilder,
    conditions: Vec<Code>,
    values: Vec<Code>,
    labels: Vec<Bits>,
    valued: Vec<Vec<Value>>,
    choices: Enumerate,
    outcomes: Outcomes,
    attempts: u64,
    successor: Vec<Value>,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(
        flat: &'a Flat,
        scheduler: &'a Scheduler,
        watched: &Watched,
        options: &'a BuildOptions,
        control: Control<'a>,
        canon: Option<Canon>,
    ) -> Explorer<'a> {
        Explorer {
            flat,
            scheduler,
            options,
            control,
            machine: Machine::new(flat),
            canon,
            store: Store::new(),
            builder: ProcessBuilder::new(),
            conditions: watched.conditions.iter().map(|e| flat.compile(e)).collect(),
            values: watched.values.iter().map(|e| flat.compile(e)).collect(),
            labels: vec![Bits::new(0); watched.conditions.len()],
            valued: vec![vec![]; watched.values.len()],
            choices: Enumerate::default(),
            outcomes: Outcomes::default(),
            attempts: 0,
            successor: vec![],
        }
    }

    pub(super) fn run(mut self) -> Result<Built, BuildError> {
        let initial = self.initial()?;
        let mut state = vec![0; self.flat.width()];
        let mut number = 0;
        while number < self.store.len() {
            self.store.state(number as u32, &mut state);
            self.look(&state)?;
            self.expand(&mut state)?;
            number += 1;
            if number.is_multiple_of(1 << 12) {
                let transitions = self.builder.transitions() as u64;
                (self.control.progress)(self.store.len() as u64, number as u64, transitions);
            }
        }
        let symmetric = self.canon.is_some();
        let process = self.builder.finish(&initial).map_err(malformed)?;
        Ok(Built { explored: process.states(), process, labels: self.labels, values: self.valued, symmetric })
    }

    /// All initial states with their weights.
    fn initial(&mut self) -> Result<Vec<(u32, u128)>, BuildError> {
        let mut state = vec![0; self.flat.width()];
        self.choices.reset();
        loop {
            match self.machine.initialise(self.flat, &mut state, &mut self.choices) {
                Outcome::Done => self.reached(&state)?,
                Outcome::Disabled => {}
                Outcome::Fault(fault) => return Err(self.fault(fault, FaultPlace::Initial, &state)),
            }
            if self.interrupted() {
                return Err(BuildError::Stopped);
            }
            if !self.choices.advance() {
                break;
            }
        }
        if self.outcomes.is_empty() {
            return Err(BuildError::NoInitialState);
        }
        let weights = self.outcomes.take().ok_or(BuildError::TooFine)?;
        Ok(weights.entries)
    }

    /// Notes which conditions hold in a state, and which values expressions have.
    fn look(&mut self, state: &[Value]) -> Result<(), BuildError> {
        for at in 0..self.conditions.len() {
            match self.machine.test(self.flat, &self.conditions[at], state) {
                Ok(holds) => self.labels[at].push(holds),
                Err(fault) => return Err(self.fault(fault, FaultPlace::Condition(at), state)),
            }
        }
        for at in 0..self.values.len() {
            match self.machine.evaluate(self.flat, &self.values[at], state) {
                Ok(value) => self.valued[at].push(value),
                Err(fault) => return Err(self.fault(fault, FaultPlace::Value(at), state)),
            }
        }
        Ok(())
    }

    /// Writes the rows of a state.
    fn expand(&mut self, state: &mut [Value]) -> Result<(), BuildError> {
        let mut enabled: Vec<(Instance, Weights)> = vec![];
        for number in 0..self.flat.instances() {
            let instance = self.flat.instance(number);
            let Some(weights) = self.attempt(instance, state)? else { continue };
            match self.scheduler {
                Scheduler::Any => self.builder.row(number, &weights.entries).map_err(malformed)?,
                _ => enabled.push((instance, weights)),
            }
        }
        let factors = self.factors(&enabled);
        let exit = match self.scheduler {
            Scheduler::Rates(_) => Some(exit(&factors)?),
            _ => None,
        };
        if !enabled.is_empty() {
            let parts: Vec<(Factor, Weights)> =
                factors.into_iter().zip(enabled.into_iter().map(|(_, weights)| weights)).collect();
            let row = mixture(&parts).ok_or(BuildError::TooFine)?;
            self.builder.row(NO_ACTION, &row).map_err(malformed)?;
        }
        self.builder.state(exit).map_err(malformed)?;
        if self.builder.transitions() > self.options.transitions {
            return Err(BuildError::Transitions(self.options.transitions));
        }
        Ok(())
    }

    /// What an instance leads to, if it is enabled.
    fn attempt(&mut self, instance: Instance, state: &mut [Value]) -> Result<Option<Weights>, BuildError> {
        self.choices.reset();
        loop {
            match self.machine.step(self.flat, instance, state, &mut self.choices) {
                Outcome::Done => {
                    let reached = self.reached(state);
                    self.machine.undo(state);
                    reached?;
                }
                Outcome::Disabled => {}
                Outcome::Fault(fault) => return Err(self.fault(fault, FaultPlace::Step(instance), state)),
            }
            if self.interrupted() {
                return Err(BuildError::Stopped);
            }
            if !self.choices.advance() {
                break;
            }
        }
        if self.outcomes.is_empty() {
            return Ok(None);
        }
        self.outcomes.take().map(Some).ok_or(BuildError::TooFine)
    }

    /// Adds a state, reached by the choices just made, to the outcomes.
    fn reached(&mut self, state: &[Value]) -> Result<(), BuildError> {
        let product =
            self.choices.alternatives().try_fold(1_u128, |product, n| product.checked_mul(n.into()));
        let number = match &mut self.canon {
            None => self.store.number(state),
            Some(canon) => {
                self.successor.clear();
                self.successor.extend_from_slice(state);
                canon.canonical(&mut self.successor);
                self.store.number(&self.successor)
            }
        };
        if self.store.len() > self.options.states {
            return Err(BuildError::States(self.options.states));
        }
        self.outcomes.add(number, product.ok_or(BuildError::TooFine)?);
        Ok(())
    }

    /// The probabilities of enabled instances, up to a common factor.
    fn factors(&self, enabled: &[(Instance, Weights)]) -> Vec<Factor> {
        let one = |(instance, _): &(Instance, Weights)| match self.scheduler {
            Scheduler::Steps | Scheduler::Any => (1, 1),
            Scheduler::Agents => {
                (1, enabled.iter().filter(|(other, _)| other.agent == instance.agent).count() as u128)
            }
            Scheduler::Rates(rates) => {
                let kind = self.flat.program.kind_of(instance.agent).0 as usize;
                let rate = rates.of.get(instance.function as usize).and_then(|of| of.get(kind));
                let Rate { numerator, denominator } = rate.copied().unwrap_or(Rate::ONE);
                (u128::from(numerator), u128::from(denominator.max(1)))
            }
        };
        enabled.iter().map(one).collect()
    }

    fn interrupted(&mut self) -> bool {
        // A step of many agents copies large states.
        cancel::check();
        self.attempts += 1;
        self.attempts.is_multiple_of(ATTEMPTS) && (self.control.stopped)()
    }

    fn fault(&self, fault: Fault, place: FaultPlace, state: &[Value]) -> BuildError {
        BuildError::Fault { fault, detail: self.machine.fault_detail(), place, state: state.to_vec() }
    }
}

/// The rate at which a state is left.
fn exit(factors: &[Factor]) -> Result<Exit, BuildError> {
    let small = |n: u128| u64::try_from(n).ok().filter(|n| *n <= LARGEST_TOTAL);
    let (above, below) = sum(factors.iter().copied()).ok_or(BuildError::TooFine)?;
    match (small(above), small(below)) {
        (Some(numerator), Some(denominator)) => Ok(Exit { numerator, denominator }),
        _ => Err(BuildError::TooFine),
    }
}

fn malformed(why: Malformed) -> BuildError {
    match why {
        Malformed::TooLarge => BuildError::States(u32::MAX as usize),
        Malformed::TooFine | Malformed::NoState | Malformed::SomeRates => BuildError::TooFine,
    }
}
