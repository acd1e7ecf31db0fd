//! Execution: running one instance, in place.
//!
//! The machine works on the caller's state in place and keeps an undo log, so that a step that turns out to be
//! disabled half-way costs only what it wrote. The log also tells traces what was assigned, in order. After the
//! first few steps nothing is allocated.

use super::choose::Chooser;
use super::code::{Code, FlatFunction, Op, Pick, Set};
use super::plan::Quick;
use super::{Flat, Instance, Layout};
use crate::arith::{Fault, FaultDetail, UNDEF, Value};

/// How an attempt to run an instance ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The state was changed; [`Machine::writes`] says where.
    Done,
    /// The step is not possible; the state is as before.
    Disabled,
    /// The model is invalid; the state is as before.
    Fault(Fault),
}

/// Why a body stops early.
enum Stop {
    Disabled,
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

/// Scratch memory for execution. Make one per thread and keep it.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    pub(super) me: u32,
    pub(super) bound: Vec<u32>,
    pub(super) locals: Vec<Value>,
    pub(super) undo: Vec<(u32, Value)>,
    ranks: Vec<u32>,
    /// The first fault of the evaluation in progress.
    pub(super) fault: Option<Fault>,
    /// What the last fault met. Boxed, because it is rare and machines are copied.
    pub(super) detail: Option<Box<FaultDetail>>,
    /// What is known of the state that the machine follows, if it follows one.
    pub(super) quick: Option<Box<Quick>>,
    /// The values of quantifiers in the watched condition that is being evaluated.
    pub(super) kept: Vec<Value>,
}

impl Machine {
    /// A machine with enough room for the program's quantifiers.
    pub fn new(flat: &Flat) -> Machine {
        Machine { bound: vec![0; flat.binders as usize], ..Machine::default() }
    }

    /// Evaluates a condition that no agent runs.
    pub fn test(&mut self, flat: &Flat, code: &Code, state: &[Value]) -> Result<bool, Fault> {
        Ok(self.value(flat, code, state)? != 0)
    }

    /// The value of an expression that no agent runs; [`UNDEF`] for ⊥.
    pub fn evaluate(&mut self, flat: &Flat, code: &Code, state: &[Value]) -> Result<Value, Fault> {
        self.value(flat, code, state)
    }

    /// Whether the guard of an instance holds.
    #[inline]
    pub fn enabled(&mut self, flat: &Flat, at: Instance, state: &[Value]) -> Result<bool, Fault> {
        let function = &flat.functions[at.function as usize];
        for &(var, value) in &function.entry {
            let slot = flat.layout.copies(crate::VarId(var))[at.agent as usize];
            if state[slot as usize] != value {
                return Ok(false);
            }
        }
        self.me = at.agent;
        Ok(self.value(flat, &function.guard, state)? != 0)
    }

    /// Runs an instance on a state, in place.
    pub fn step(
        &mut self,
        flat: &Flat,
        at: Instance,
        state: &mut [Value],
        chooser: &mut dyn Chooser,
    ) -> Outcome {
        if self.quick.is_some() {
            return self.quick_step(flat, at, state, chooser);
        }
        self.undo.clear();
        match self.enabled(flat, at, state) {
            Ok(true) => {}
            Ok(false) => return Outcome::Disabled,
            Err(fault) => return Outcome::Fault(fault),
        }
        self.run_body(flat, &flat.functions[at.function as usize], state, chooser)
    }

    /// Runs the initial block on a state of the right width.
    pub fn initialise(&mut self, flat: &Flat, state: &mut [Value], chooser: &mut dyn Chooser) -> Outcome {
        self.quick = None;
        self.undo.clear();
        state.fill(0);
        self.run_body(flat, &flat.init, state, chooser)
    }

    /// What the last completed step wrote: slots in order, each with the value it had before. A slot may occur
    /// several times.
    pub fn writes(&self) -> &[(u32, Value)] {
        &self.undo
    }

    /// What the last fault met, if there was one.
    pub fn fault_detail(&self) -> Option<FaultDetail> {
        self.detail.as_deref().copied()
    }

    /// Takes the last completed step back.
    pub fn undo(&mut self, state: &mut [Value]) {
        if self.quick.is_some() {
            return self.quick_undo(state);
        }
        while let Some((slot, old)) = self.undo.pop() {
            state[slot as usize] = old;
        }
    }

    pub(super) fn run_body(
        &mut self,
        flat: &Flat,
        function: &FlatFunction,
        state: &mut [Value],
        chooser: &mut dyn Chooser,
    ) -> Outcome {
        if self.locals.len() < function.locals as usize {
            self.locals.resize(function.locals as usize, 0);
        }
        let result = self.block(flat, &function.body, state, chooser);
        match result {
            Ok(()) => Outcome::Done,
            Err(stop) => {
                self.undo(state);
                match stop {
                    Stop::Disabled => Outcome::Disabled,
                    Stop::Fault(fault) => Outcome::Fault(fault),
                }
            }
        }
    }

    fn write(&mut self, state: &mut [Value], slot: u32, value: Value) {
        self.undo.push((slot, state[slot as usize]));
        state[slot as usize] = value;
    }

    fn block(
        &mut self,
        flat: &Flat,
        body: &[Op],
        state: &mut [Value],
        chooser: &mut dyn Chooser,
    ) -> Result<(), Stop> {
        for op in body {
            self.op(flat, op, state, chooser)?;
        }
        Ok(())
    }

    fn op(
        &mut self,
        flat: &Flat,
        op: &Op,
        state: &mut [Value],
        chooser: &mut dyn Chooser,
    ) -> Result<(), Stop> {
        match op {
            Op::AssignGlobal(slot, value) => {
                let value = self.value(flat, value, state)?;
                self.write(state, *slot, value);
            }
            Op::AssignMine(var, value) => {
                let value = self.value(flat, value, state)?;
                self.write(state, flat.layout.copies(crate::VarId(*var))[self.me as usize], value);
            }
            Op::AssignBound { var, bound, value } => {
                let value = self.value(flat, value, state)?;
                let agent = self.bound[*bound as usize];
                self.write(state, flat.layout.copies(crate::VarId(*var))[agent as usize], value);
            }
            Op::Assign(target, value) => {
                let value = self.value(flat, value, state)?;
                let slot = self.located(flat, target, state)?.ok_or(Stop::Disabled)?;
                self.write(state, slot, value);
            }
            Op::Fill { target, cells, set } => {
                let first = self.located_first(flat, target, state)?.ok_or(Stop::Disabled)?;
                for cell in 0..*cells {
                    let value = self.draw(flat, set, state, chooser)?;
                    self.write(state, first + cell, value);
                }
            }
            Op::Let(local, value) => {
                self.locals[*local as usize] = self.value(flat, value, state)?;
            }
            Op::Havoc(local, set) => {
                self.locals[*local as usize] = self.draw(flat, set, state, chooser)?;
            }
            Op::Pick(pick) => self.pick(flat, pick, state, chooser)?,
            Op::Assume(condition) => {
                if self.value(flat, condition, state)? == 0 {
                    return Err(Stop::Disabled);
                }
            }
            Op::Check(target) => {
                self.located(flat, target, state)?;
            }
            Op::If(condition, yes, no) => {
                let branch = if self.value(flat, condition, state)? != 0 { yes } else { no };
                self.block(flat, branch, state, chooser)?;
            }
            Op::Choose(branches) => self.choose_branch(flat, branches, state, chooser)?,
            Op::ForEach(agents, bound, body) => {
                for agent in agents.iter().cloned().flatten() {
                    self.bind(*bound, agent);
                    self.block(flat, body, state, chooser)?;
                }
            }
            Op::Copy { var, cells, to, from } => {
                let (to, from) = (self.value(flat, to, state)?, self.value(flat, from, state)?);
                let copies = flat.layout.copies(crate::VarId(*var));
                let (to, from) = (copies[to as usize], copies[from as usize]);
                for cell in 0..*cells {
                    let value = state[(from + cell) as usize];
                    self.write(state, to + cell, value);
                }
            }
            Op::Rank(var) => self.rank(flat, *var, state),
            Op::Near(near) => match self.around(flat, near, state) {
                None => {
                    for agent in near.agents.iter().cloned().flatten() {
                        self.bind(near.bound, agent);
                        self.block(flat, &near.body, state, chooser)?;
                    }
                }
                Some(list) => {
                    for agent in &list {
                        self.bind(near.bound, *agent);
                        self.block(flat, &near.body, state, chooser)?;
                    }
                    self.give_back(list);
                }
            },
            Op::Tick(clock) => self.tick(*clock),
        }
        Ok(())
    }

    fn choose_branch(
        &mut self,
        flat: &Flat,
        branches: &[(Code, Box<[Op]>)],
        state: &mut [Value],
        chooser: &mut dyn Chooser,
    ) -> Result<(), Stop> {
        let mut open = 0;
        for (condition, _) in branches {
            open += u64::from(self.value(flat, condition, state)? != 0);
        }
        if open == 0 {
            return Err(Stop::Disabled);
        }
        let mut skip = if open == 1 { 0 } else { chooser.choose(open) };
        for (condition, body) in branches {
            if self.value(flat, condition, state)? != 0 {
                if skip == 0 {
                    return self.block(flat, body, state, chooser);
                }
                skip -= 1;
            }
        }
        Err(Stop::Disabled)
    }

    fn draw(
        &mut self,
        flat: &Flat,
        set: &Set,
        state: &[Value],
        chooser: &mut dyn Chooser,
    ) -> Result<Value, Stop> {
        match set {
            Set::Values(values) => {
                let at = match values.len() {
                    0 => return Err(Stop::Disabled),
                    1 => 0,
                    n => chooser.choose(n as u64),
                };
                Ok(self.value(flat, &values[at as usize], state)?)
            }
            Set::Range(lo, hi) => {
                let (lo, hi) = (self.value(flat, lo, state)?, self.value(flat, hi, state)?);
                if lo == UNDEF || hi == UNDEF || lo >= hi {
                    return Err(Stop::Disabled);
                }
                let n = hi.abs_diff(lo);
                let offset = if n == 1 { 0 } else { chooser.number(lo, n) };
                Ok(lo.wrapping_add_unsigned(offset))
            }
        }
    }

    /// One agent after the other: a candidate is drawn among those not yet taken, then tested. So every order of
    /// fitting agents is possible, and an agent that does not fit only spoils the attempts that drew it.
    fn pick(
        &mut self,
        flat: &Flat,
        pick: &Pick,
        state: &[Value],
        chooser: &mut dyn Chooser,
    ) -> Result<(), Stop> {
        let Pick { first, length, agents, bound, condition } = pick;
        let (first, bound) = (*first, *bound);
        for taken in 0..*length {
            let me = self.me;
            let is_free = |m: &Machine, a: u32| {
                a != me && !m.locals[first as usize..(first + taken) as usize].contains(&i64::from(a))
            };
            let free = agents.iter().filter(|a| is_free(self, **a)).count() as u64;
            let at = match free {
                0 => return Err(Stop::Disabled),
                1 => 0,
                n => chooser.choose(n),
            };
            let agent = *agents
                .iter()
                .filter(|a| is_free(self, **a))
                .nth(at as usize)
                .expect("a chooser stays below its bound");
            self.bind(bound, agent);
            if self.value(flat, condition, state)? == 0 {
                return Err(Stop::Disabled);
            }
            self.locals[(first + taken) as usize] = i64::from(agent);
        }
        Ok(())
    }

    /// Dense ranks by counting: values are small (at most the number of agents), so no sorting is needed.
    fn rank(&mut self, flat: &Flat, var: u32, state: &mut [Value]) {
        let copies = flat.layout.copies(crate::VarId(var));
        let present = |s: &&u32| **s != Layout::ABSENT;
        let top = copies.iter().filter(present).map(|&s| state[s as usize]).max().unwrap_or(0) as usize;
        self.ranks.clear();
        self.ranks.resize(top + 1, 0);
        for &slot in copies.iter().filter(present) {
            self.ranks[state[slot as usize] as usize] = 1;
        }
        let mut next = 0;
        for rank in &mut self.ranks {
            let here = next;
            next += *rank;
            *rank = here;
        }
        for &slot in copies.iter().filter(present) {
            let old = state[slot as usize];
            let new = i64::from(self.ranks[old as usize]);
            if new != old {
                self.write(state, slot, new);
            }
        }
    }
}
