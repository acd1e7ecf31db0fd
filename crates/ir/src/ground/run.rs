//! Running ground programs: in place, with an undo log, without allocation after the first steps.
//!
//! The meaning of every term and act is that of the flat program (`flat/eval.rs`, `flat/exec.rs`); the random tests
//! compare the two step by step.

use super::code::{Code, Ins};
use super::term::{Act, Draw, Dynamic, Term};
use super::{Block, Ground, Routine};
use crate::arith::{self, Fault, FaultKind, UNDEF, Value};
use crate::flat::{Chooser, Layout, Outcome};

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
pub struct Runner {
    locals: Vec<Value>,
    undo: Vec<(u32, Value)>,
    ranks: Vec<u32>,
    fault: Option<Fault>,
}

impl Runner {
    /// Whether a condition holds.
    pub fn test(&mut self, condition: &Term, state: &[Value]) -> Result<bool, Fault> {
        Ok(self.value(condition, state)? != 0)
    }

    /// The value of a term; its locals, if it has any, are those of [`Runner::locals`].
    pub fn evaluate(&mut self, term: &Term, state: &[Value]) -> Result<Value, Fault> {
        self.value(term, state)
    }

    /// Whether the guard of an instance holds.
    #[inline]
    pub fn enabled(&mut self, routine: &Routine, state: &[Value]) -> Result<bool, Fault> {
        if routine.tests.iter().any(|&(slot, value)| state[slot as usize] != value) {
            return Ok(false);
        }
        self.rest_holds(routine, state)
    }

    #[inline]
    fn rest_holds(&mut self, routine: &Routine, state: &[Value]) -> Result<bool, Fault> {
        match routine.guard {
            Term::Const(v) => Ok(v != 0),
            ref guard => self.test(guard, state),
        }
    }

    /// Runs an instance whose tests the state is known to pass, in place.
    #[inline]
    pub fn step_tested<C: Chooser>(
        &mut self,
        routine: &Routine,
        state: &mut [Value],
        chooser: &mut C,
    ) -> Outcome {
        self.undo.clear();
        match self.rest_holds(routine, state) {
            Ok(true) => self.body(&routine.body, state, chooser),
            Ok(false) => Outcome::Disabled,
            Err(fault) => Outcome::Fault(fault),
        }
    }

    /// Runs an instance, in place.
    #[inline]
    pub fn step<C: Chooser>(&mut self, routine: &Routine, state: &mut [Value], chooser: &mut C) -> Outcome {
        self.undo.clear();
        match self.enabled(routine, state) {
            Ok(true) => self.body(&routine.body, state, chooser),
            Ok(false) => Outcome::Disabled,
            Err(fault) => Outcome::Fault(fault),
        }
    }

    /// Runs the initial block, with its assumptions tested early.
    pub fn initialise<C: Chooser>(
        &mut self,
        ground: &Ground,
        state: &mut [Value],
        chooser: &mut C,
    ) -> Outcome {
        self.begin(ground.beginning(), state, chooser)
    }

    /// Runs a block from a state in which every cell is 0, as the initial block is run.
    pub fn begin<C: Chooser>(&mut self, block: &Block, state: &mut [Value], chooser: &mut C) -> Outcome {
        self.undo.clear();
        state.fill(0);
        self.body(block, state, chooser)
    }

    /// Runs a block on top of the last step, which stays in the log.
    pub fn run<C: Chooser>(&mut self, block: &Block, state: &mut [Value], chooser: &mut C) -> Outcome {
        self.body(block, state, chooser)
    }

    /// The locals as the last run left them, and as the next one finds them.
    pub fn locals(&mut self) -> &mut Vec<Value> {
        &mut self.locals
    }

    /// What the last step wrote: slots in order, each with the value it had before. A slot may occur several times.
    #[inline]
    pub fn writes(&self) -> &[(u32, Value)] {
        &self.undo
    }

    /// Takes the last step back.
    #[inline]
    pub fn undo(&mut self, state: &mut [Value]) {
        self.back_to(0, state);
    }

    fn back_to(&mut self, mark: usize, state: &mut [Value]) {
        for (slot, old) in self.undo.drain(mark..).rev() {
            state[slot as usize] = old;
        }
    }

    fn body<C: Chooser>(&mut self, block: &Block, state: &mut [Value], chooser: &mut C) -> Outcome {
        if self.locals.len() < block.locals as usize {
            self.locals.resize(block.locals as usize, 0);
        }
        let mark = self.undo.len();
        match self.execute(&block.code, state, chooser) {
            Ok(()) => Outcome::Done,
            Err(stop) => {
                self.back_to(mark, state);
                match stop {
                    Stop::Disabled => Outcome::Disabled,
                    Stop::Fault(fault) => Outcome::Fault(fault),
                }
            }
        }
    }

    #[inline]
    fn write(&mut self, state: &mut [Value], slot: u32, value: Value) {
        let cell = &mut state[slot as usize];
        if *cell != value {
            self.undo.push((slot, *cell));
            *cell = value;
        }
    }

    fn execute<C: Chooser>(&mut self, code: &Code, state: &mut [Value], chooser: &mut C) -> Result<(), Stop> {
        let mut at = 0;
        while let Some(ins) = code.instructions.get(at) {
            at += 1;
            match *ins {
                Ins::Jump(to) => at = to as usize,
                Ins::UnlessIs { slot, value, to } => {
                    if state[slot as usize] != i64::from(value) {
                        at = to as usize;
                    }
                }
                Ins::UnlessIsNot { slot, value, to } => {
                    let cell = state[slot as usize];
                    if cell == i64::from(value) || cell == UNDEF {
                        at = to as usize;
                    }
                }
                Ins::UnlessLess { a, b, to } => {
                    let (a, b) = (state[a as usize], state[b as usize]);
                    // ⊥ is the least of all machine numbers: it must not pass for less.
                    if a >= b || a == UNDEF {
                        at = to as usize;
                    }
                }
                Ins::Unless { term, to } => {
                    if self.value(&code.terms[term as usize], state)? == 0 {
                        at = to as usize;
                    }
                }
                Ins::SetConst { slot, value } => self.write(state, slot, i64::from(value)),
                Ins::CopySlot { to, from } => {
                    let value = state[from as usize];
                    self.write(state, to, value);
                }
                Ins::Set { slot, term } => {
                    let value = self.value(&code.terms[term as usize], state)?;
                    self.write(state, slot, value);
                }
                Ins::Rank { act } => {
                    if let Act::Rank(slots) = &code.others[act as usize] {
                        self.rank(slots, state);
                    }
                }
                Ins::Other { act } => self.act(&code.others[act as usize], state, chooser)?,
            }
        }
        Ok(())
    }

    fn block<C: Chooser>(&mut self, acts: &[Act], state: &mut [Value], chooser: &mut C) -> Result<(), Stop> {
        for act in acts {
            self.act(act, state, chooser)?;
        }
        Ok(())
    }

    fn act<C: Chooser>(&mut self, act: &Act, state: &mut [Value], chooser: &mut C) -> Result<(), Stop> {
        match act {
            Act::Set(slot, value) => {
                let value = self.value(value, state)?;
                self.write(state, *slot, value);
            }
            Act::If(condition, yes, no) => {
                let branch = if self.value(condition, state)? != 0 { yes } else { no };
                self.block(branch, state, chooser)?;
            }
            Act::Copy { to, from, cells } => self.copy(*to, *from, *cells, state),
            Act::Rank(slots) => self.rank(slots, state),
            Act::SetCell(place, value) => {
                let value = self.value(value, state)?;
                let slot = self.located(place, state)?.ok_or(Stop::Disabled)?;
                self.write(state, slot, value);
            }
            Act::Fill { place, cells, set } => {
                let first = match &place.agent {
                    None | Some(Term::Const(_)) => place.known(),
                    Some(agent) => {
                        let agent = self.value(agent, state)?;
                        Layout::copy_of(&place.copies, agent).ok()
                    }
                };
                let first = first.ok_or(Stop::Disabled)?;
                for cell in 0..*cells {
                    let value = self.draw(set, state, chooser)?;
                    self.write(state, first + cell, value);
                }
            }
            Act::Let(local, value) => self.locals[*local as usize] = self.value(value, state)?,
            Act::Havoc(local, set) => self.locals[*local as usize] = self.draw(set, state, chooser)?,
            Act::Pick { first, length, candidates } => {
                self.pick(*first as usize, *length as usize, candidates, state, chooser)?;
            }
            Act::Assume(condition) => {
                if self.value(condition, state)? == 0 {
                    return Err(Stop::Disabled);
                }
            }
            Act::Check(place) => {
                self.located(place, state)?;
            }
            Act::Choose(branches) => self.choose(branches, state, chooser)?,
            Act::CopyBetween { copies, cells, to, from } => {
                let (to, from) = (self.value(to, state)?, self.value(from, state)?);
                self.copy(copies[to as usize], copies[from as usize], *cells, state);
            }
        }
        Ok(())
    }

    fn copy(&mut self, to: u32, from: u32, cells: u32, state: &mut [Value]) {
        for cell in 0..cells {
            let value = state[(from + cell) as usize];
            self.write(state, to + cell, value);
        }
    }

    fn choose<C: Chooser>(
        &mut self,
        branches: &[(Term, Box<[Act]>)],
        state: &mut [Value],
        chooser: &mut C,
    ) -> Result<(), Stop> {
        let mut open = 0;
        for (condition, _) in branches {
            open += u64::from(self.value(condition, state)? != 0);
        }
        let mut skip = match open {
            0 => return Err(Stop::Disabled),
            1 => 0,
            n => chooser.choose(n),
        };
        for (condition, body) in branches {
            if self.value(condition, state)? != 0 {
                if skip == 0 {
                    return self.block(body, state, chooser);
                }
                skip -= 1;
            }
        }
        Err(Stop::Disabled)
    }

    fn draw<C: Chooser>(&mut self, set: &Draw, state: &[Value], chooser: &mut C) -> Result<Value, Stop> {
        match set {
            Draw::Values(values) => {
                let at = match values.len() {
                    0 => return Err(Stop::Disabled),
                    1 => 0,
                    n => chooser.choose(n as u64),
                };
                Ok(self.value(&values[at as usize], state)?)
            }
            Draw::Range(lo, hi) => {
                let (lo, hi) = (self.value(lo, state)?, self.value(hi, state)?);
                if lo == UNDEF || hi == UNDEF || lo >= hi {
                    return Err(Stop::Disabled);
                }
                let n = hi.abs_diff(lo);
                let offset = if n == 1 { 0 } else { chooser.number(lo, n) };
                Ok(lo.wrapping_add_unsigned(offset))
            }
        }
    }

    fn pick<C: Chooser>(
        &mut self,
        first: usize,
        length: usize,
        candidates: &[(u32, Term)],
        state: &[Value],
        chooser: &mut C,
    ) -> Result<(), Stop> {
        for taken in 0..length {
            let is_free =
                |locals: &[Value], agent: u32| !locals[first..first + taken].contains(&i64::from(agent));
            let free = candidates.iter().filter(|(a, _)| is_free(&self.locals, *a)).count() as u64;
            let at = match free {
                0 => return Err(Stop::Disabled),
                1 => 0,
                n => chooser.choose(n) as usize,
            };
            let mut left = candidates.iter().filter(|(a, _)| is_free(&self.locals, *a));
            let Some((agent, condition)) = left.nth(at) else { return Err(Stop::Disabled) };
            if self.value(condition, state)? == 0 {
                return Err(Stop::Disabled);
            }
            self.locals[first + taken] = i64::from(*agent);
        }
        Ok(())
    }

    /// Dense ranks. Up to 63 agents their ranks fit a word of bits: no bit below the highest is missing exactly if the
    /// ranks are dense, and otherwise a rank becomes the number of bits below it.
    fn rank(&mut self, slots: &[u32], state: &mut [Value]) {
        let mut present: u64 = 0;
        for &slot in slots {
            let rank = state[slot as usize];
            if !(0..64).contains(&rank) {
                return self.rank_many(slots, state);
            }
            present |= 1 << rank;
        }
        if present & present.wrapping_add(1) == 0 {
            return;
        }
        for &slot in slots {
            let below = present & ((1 << state[slot as usize]) - 1);
            self.write(state, slot, i64::from(below.count_ones()));
        }
    }

    #[cold]
    fn rank_many(&mut self, slots: &[u32], state: &mut [Value]) {
        let top = slots.iter().map(|&s| state[s as usize]).max().unwrap_or(0) as usize;
        self.ranks.clear();
        self.ranks.resize(top + 1, 0);
        slots.iter().for_each(|&s| self.ranks[state[s as usize] as usize] = 1);
        let mut next = 0;
        for rank in &mut self.ranks {
            next += std::mem::replace(rank, next);
        }
        for &slot in slots {
            let new = self.ranks[state[slot as usize] as usize];
            self.write(state, slot, i64::from(new));
        }
    }

    #[inline]
    pub(super) fn value(&mut self, term: &Term, state: &[Value]) -> Result<Value, Fault> {
        let value = self.eval(term, state);
        match self.fault.take() {
            None => Ok(value),
            Some(fault) => Err(fault),
        }
    }

    #[cold]
    fn fail(&mut self, kind: FaultKind, span: swarmcheck_source::Span) -> Value {
        self.fault.get_or_insert(Fault { kind, span });
        UNDEF
    }

    fn located(&mut self, place: &Dynamic, state: &[Value]) -> Result<Option<u32>, Fault> {
        let slot = self.locate(place, state);
        self.fault.take().map_or(Ok(slot), Err)
    }

    fn locate(&mut self, place: &Dynamic, state: &[Value]) -> Option<u32> {
        let agent = place.agent.as_ref().map(|term| self.eval(term, state));
        let mut undefined = agent == Some(UNDEF);
        let mut offset: u32 = 0;
        let mut inside = true;
        for (term, &dimension) in place.index.iter().zip(&place.dimensions) {
            let index = self.eval(term, state);
            undefined |= index == UNDEF;
            inside &= (0..i64::from(dimension)).contains(&index);
            if inside {
                offset = offset * dimension + index as u32;
            }
        }
        if undefined {
            return None;
        }
        let first = match agent {
            None => place.copies[0],
            Some(agent) => match Layout::copy_of(&place.copies, agent) {
                Ok(slot) => slot,
                Err(kind) => {
                    self.fail(kind, place.span);
                    return None;
                }
            },
        };
        if !inside {
            self.fail(FaultKind::Index, place.span);
            return None;
        }
        Some(first + offset)
    }

    fn eval(&mut self, term: &Term, state: &[Value]) -> Value {
        match term {
            Term::Const(v) => *v,
            Term::Slot(slot) => state[*slot as usize],
            Term::Is(slot, value) => i64::from(state[*slot as usize] == *value),
            Term::IsNot(slot, value) => {
                let cell = state[*slot as usize];
                i64::from(cell != *value && cell != UNDEF)
            }
            Term::Compare(op, a, b) => {
                arith::binary(*op, state[*a as usize], state[*b as usize]).unwrap_or(0)
            }
            Term::Table(table) => match table.look_up(state) {
                Some(value) => value,
                None => self.eval(&table.term, state),
            },
            Term::Local(l) => self.locals[*l as usize],
            Term::LocalCell { first, length, index, span } => {
                let index = self.eval(index, state);
                if index == UNDEF {
                    return UNDEF;
                }
                if !(0..i64::from(*length)).contains(&index) {
                    return self.fail(FaultKind::Index, *span);
                }
                self.locals[*first as usize + index as usize]
            }
            Term::Cell(place) => match self.locate(place, state) {
                Some(slot) => state[slot as usize],
                None => UNDEF,
            },
            Term::Unary(op, e) => arith::unary(*op, self.eval(e, state)),
            Term::Binary(op, sides, span) => {
                let a = self.eval(&sides.0, state);
                let b = self.eval(&sides.1, state);
                match arith::binary(*op, a, b) {
                    Some(value) => value,
                    None => self.fail(FaultKind::Overflow, *span),
                }
            }
            Term::And(parts) => {
                for part in parts {
                    if self.eval(part, state) == 0 {
                        return 0;
                    }
                }
                1
            }
            Term::Or(parts) => {
                for part in parts {
                    // A fault evaluates to ⊥, which is not 0; it must not pass for true.
                    if self.eval(part, state) == 1 {
                        return 1;
                    }
                }
                0
            }
            Term::If(parts) => {
                let branch = if self.eval(&parts.0, state) != 0 { &parts.1 } else { &parts.2 };
                self.eval(branch, state)
            }
            Term::Defined(e) => {
                let before = self.fault.take();
                let value = self.eval(e, state);
                let fault = std::mem::replace(&mut self.fault, before);
                i64::from(fault.is_some() || value != UNDEF)
            }
            Term::Count(parts) => {
                let mut count = 0;
                for part in parts {
                    count += i64::from(self.eval(part, state) == 1);
                }
                count
            }
        }
    }
}
