//! Execution: evaluating conditions, running one instance, enumerating or drawing its outcomes.
//!
//! The machine works on the caller's state in place and keeps an undo log, so that a step that turns out to be
//! disabled half-way costs only what it wrote. The log also tells traces what was assigned, in order. After the
//! first few steps nothing is allocated.

use super::code::{Code, FlatFunction, Op, Set, Target};
use super::{Flat, Instance, Layout};
use crate::arith::{self, Fault, FaultKind, UNDEF, Value};
use crate::expr::Quantifier;

/// Resolves nondeterminism: `choose(n)` returns a number below `n`. Asked only when `n` is at least 2.
pub trait Chooser {
    /// Picks one of `n`.
    fn choose(&mut self, n: u64) -> u64;
}

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
    me: u32,
    bound: Vec<u32>,
    locals: Vec<Value>,
    undo: Vec<(u32, Value)>,
    ranks: Vec<u32>,
}

impl Machine {
    /// A machine with enough room for the program's quantifiers.
    pub fn new(flat: &Flat) -> Machine {
        Machine { bound: vec![0; flat.binders as usize], ..Machine::default() }
    }

    /// Evaluates a condition that no agent runs.
    pub fn test(&mut self, flat: &Flat, code: &Code, state: &[Value]) -> Result<bool, Fault> {
        Ok(self.eval(flat, code, state)? != 0)
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
        Ok(self.eval(flat, &function.guard, state)? != 0)
    }

    /// Runs an instance on a state, in place.
    pub fn step(
        &mut self,
        flat: &Flat,
        at: Instance,
        state: &mut [Value],
        chooser: &mut dyn Chooser,
    ) -> Outcome {
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
        self.undo.clear();
        state.fill(0);
        self.run_body(flat, &flat.init, state, chooser)
    }

    /// What the last completed step wrote: slots in order, each with the value it had before. A slot may occur
    /// several times.
    pub fn writes(&self) -> &[(u32, Value)] {
        &self.undo
    }

    /// Takes the last completed step back.
    pub fn undo(&mut self, state: &mut [Value]) {
        while let Some((slot, old)) = self.undo.pop() {
            state[slot as usize] = old;
        }
    }

    fn run_body(
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

    #[inline]
    fn bind(&mut self, bound: u32, agent: u32) {
        // Conditions compiled later may bind more agents than the program does.
        if self.bound.len() <= bound as usize {
            self.bound.resize(bound as usize + 1, 0);
        }
        self.bound[bound as usize] = agent;
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
                let value = self.eval(flat, value, state)?;
                self.write(state, *slot, value);
            }
            Op::AssignMine(var, value) => {
                let value = self.eval(flat, value, state)?;
                self.write(state, flat.layout.copies(crate::VarId(*var))[self.me as usize], value);
            }
            Op::AssignBound { var, bound, value } => {
                let value = self.eval(flat, value, state)?;
                let agent = self.bound[*bound as usize];
                self.write(state, flat.layout.copies(crate::VarId(*var))[agent as usize], value);
            }
            Op::Assign(target, value) => {
                let value = self.eval(flat, value, state)?;
                let slot = self.locate(flat, target, state)?.ok_or(Stop::Disabled)?;
                self.write(state, slot, value);
            }
            Op::Fill { target, cells, set } => {
                let first = self.locate_first(flat, target, state)?.ok_or(Stop::Disabled)?;
                for cell in 0..*cells {
                    let value = self.draw(flat, set, state, chooser)?;
                    self.write(state, first + cell, value);
                }
            }
            Op::Let(local, value) => {
                self.locals[*local as usize] = self.eval(flat, value, state)?;
            }
            Op::Havoc(local, set) => {
                self.locals[*local as usize] = self.draw(flat, set, state, chooser)?;
            }
            Op::Pick { first, length, agents, bound, condition } => {
                self.pick(flat, (*first, *length), agents, (*bound, condition), state, chooser)?;
            }
            Op::Assume(condition) => {
                if self.eval(flat, condition, state)? == 0 {
                    return Err(Stop::Disabled);
                }
            }
            Op::Check(target) => {
                self.locate(flat, target, state)?;
            }
            Op::If(condition, yes, no) => {
                let branch = if self.eval(flat, condition, state)? != 0 { yes } else { no };
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
                let (to, from) = (self.eval(flat, to, state)?, self.eval(flat, from, state)?);
                let copies = flat.layout.copies(crate::VarId(*var));
                let (to, from) = (copies[to as usize], copies[from as usize]);
                for cell in 0..*cells {
                    let value = state[(from + cell) as usize];
                    self.write(state, to + cell, value);
                }
            }
            Op::Rank(var) => self.rank(flat, *var, state),
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
            open += u64::from(self.eval(flat, condition, state)? != 0);
        }
        if open == 0 {
            return Err(Stop::Disabled);
        }
        let mut skip = if open == 1 { 0 } else { chooser.choose(open) };
        for (condition, body) in branches {
            if self.eval(flat, condition, state)? != 0 {
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
                Ok(self.eval(flat, &values[at as usize], state)?)
            }
            Set::Range(lo, hi) => {
                let (lo, hi) = (self.eval(flat, lo, state)?, self.eval(flat, hi, state)?);
                if lo == UNDEF || hi == UNDEF || lo >= hi {
                    return Err(Stop::Disabled);
                }
                let n = hi.abs_diff(lo);
                let offset = if n == 1 { 0 } else { chooser.choose(n) };
                Ok(lo.wrapping_add_unsigned(offset))
            }
        }
    }

    /// One agent after the other: a candidate is drawn among those not yet taken, then tested. So every order of
    /// fitting agents is possible, and an agent that does not fit only spoils the attempts that drew it.
    fn pick(
        &mut self,
        flat: &Flat,
        (first, length): (u32, u32),
        agents: &[u32],
        (bound, condition): (u32, &Code),
        state: &[Value],
        chooser: &mut dyn Chooser,
    ) -> Result<(), Stop> {
        for taken in 0..length {
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
            if self.eval(flat, condition, state)? == 0 {
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

    /// The slot of a place; `None` if the agent or an index is ⊥. Errors are found in the order: agent, indices,
    /// whether the agent exists, whether it has the variable, bounds.
    fn locate(&mut self, flat: &Flat, target: &Target, state: &[Value]) -> Result<Option<u32>, Fault> {
        let fault = |kind| Fault { kind, span: target.span };
        let agent = match &target.agent {
            None => None,
            Some(code) => Some(self.eval(flat, code, state)?),
        };
        let mut undefined = agent == Some(UNDEF);
        let mut offset: u32 = 0;
        let mut inside = true;
        for (code, &dimension) in target.index.iter().zip(&target.dimensions) {
            let index = self.eval(flat, code, state)?;
            undefined |= index == UNDEF;
            let fits = (0..i64::from(dimension)).contains(&index);
            inside &= fits;
            if fits && inside {
                offset = offset * dimension + index as u32;
            }
        }
        if undefined {
            return Ok(None);
        }
        let first = match agent {
            None => flat.layout.global(crate::VarId(target.var)),
            Some(agent) => {
                let copies = flat.layout.copies(crate::VarId(target.var));
                let slot = usize::try_from(agent)
                    .ok()
                    .and_then(|a| copies.get(a))
                    .ok_or(fault(FaultKind::NoAgent))?;
                if *slot == Layout::ABSENT {
                    return Err(fault(FaultKind::NoVariable));
                }
                *slot
            }
        };
        if inside { Ok(Some(first + offset)) } else { Err(fault(FaultKind::Index)) }
    }

    /// The first slot of a whole variable.
    fn locate_first(&mut self, flat: &Flat, target: &Target, state: &[Value]) -> Result<Option<u32>, Fault> {
        let agent = match &target.agent {
            None => return Ok(Some(flat.layout.global(crate::VarId(target.var)))),
            Some(code) => self.eval(flat, code, state)?,
        };
        Ok(u32::try_from(agent).ok().and_then(|a| flat.layout.copy(crate::VarId(target.var), a)))
    }

    fn eval(&mut self, flat: &Flat, code: &Code, state: &[Value]) -> Result<Value, Fault> {
        Ok(match code {
            Code::Const(v) => *v,
            Code::Me => i64::from(self.me),
            Code::Bound(b) => i64::from(self.bound[*b as usize]),
            Code::Local(l) => self.locals[*l as usize],
            Code::LocalCell { first, length, index, span } => {
                let index = self.eval(flat, index, state)?;
                if index == UNDEF {
                    return Ok(UNDEF);
                }
                if !(0..i64::from(*length)).contains(&index) {
                    return Err(Fault { kind: FaultKind::Index, span: *span });
                }
                self.locals[*first as usize + index as usize]
            }
            Code::Global(slot) => state[*slot as usize],
            Code::Mine(var) => state[flat.layout.copies(crate::VarId(*var))[self.me as usize] as usize],
            Code::OfBound { var, bound } => {
                let agent = self.bound[*bound as usize] as usize;
                state[flat.layout.copies(crate::VarId(*var))[agent] as usize]
            }
            Code::Cell(target) => match self.locate(flat, target, state)? {
                Some(slot) => state[slot as usize],
                None => UNDEF,
            },
            Code::Unary(op, e) => arith::unary(*op, self.eval(flat, e, state)?),
            Code::Binary(op, sides, span) => {
                let a = self.eval(flat, &sides.0, state)?;
                let b = self.eval(flat, &sides.1, state)?;
                arith::binary(*op, a, b).ok_or(Fault { kind: FaultKind::Overflow, span: *span })?
            }
            Code::And(parts) => {
                for part in parts {
                    if self.eval(flat, part, state)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Code::Or(parts) => {
                for part in parts {
                    if self.eval(flat, part, state)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
            Code::If(parts) => {
                let branch = if self.eval(flat, &parts.0, state)? != 0 { &parts.1 } else { &parts.2 };
                self.eval(flat, branch, state)?
            }
            Code::Defined(e) => i64::from(self.eval(flat, e, state) != Ok(UNDEF)),
            Code::Quantified(quantifier, agents, bound, body) => {
                let mut count = 0;
                for agent in agents.iter().cloned().flatten() {
                    self.bind(*bound, agent);
                    let holds = self.eval(flat, body, state)? != 0;
                    count += i64::from(holds);
                    match quantifier {
                        Quantifier::Forall if !holds => return Ok(0),
                        Quantifier::Exists if holds => return Ok(1),
                        _ => {}
                    }
                }
                match quantifier {
                    Quantifier::Forall => 1,
                    Quantifier::Exists => 0,
                    Quantifier::Count => count,
                }
            }
        })
    }
}

/// Goes through all sequences of choices by running again and again: each run repeats the choices made so far and
/// takes the next alternative at the last place that has one. Needs memory only for one sequence.
#[derive(Clone, Debug, Default)]
pub struct Enumerate {
    made: Vec<(u64, u64)>,
    position: usize,
}

impl Enumerate {
    /// Starts over.
    pub fn reset(&mut self) {
        self.made.clear();
        self.position = 0;
    }

    /// Moves to the next sequence of choices; `false` when all have been seen.
    pub fn advance(&mut self) -> bool {
        self.position = 0;
        while let Some((chosen, n)) = self.made.last_mut() {
            *chosen += 1;
            if chosen < n {
                return true;
            }
            self.made.pop();
        }
        false
    }

    /// The choices of the current run.
    pub fn choices(&self) -> impl Iterator<Item = u64> {
        self.made.iter().map(|(chosen, _)| *chosen)
    }
}

impl Chooser for Enumerate {
    fn choose(&mut self, n: u64) -> u64 {
        if self.position == self.made.len() {
            self.made.push((0, n));
        }
        self.position += 1;
        self.made[self.position - 1].0
    }
}
