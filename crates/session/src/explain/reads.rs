//! What a step reads: a function of the program is run once more on a known state, and every cell whose value has an
//! influence on what happens is noted.
//!
//! The cells are those of this run (a dynamic slice: Agrawal and Horgan 1990), not those that some run could read. Of a
//! condition only enough cells are noted to keep its value: one false part of a conjunction, one true part of a
//! disjunction, one agent that refutes `forall` or satisfies `exists`. So a run of the same function with the same choices on
//! any state with the same values in these cells takes the same branches and writes the same values. Everything else that is
//! evaluated counts, whether it matters or not: the set is an upper bound.

use crate::attempt::{agents_of, first_slot};
use std::collections::BTreeSet;
use swarmcheck_ir::arith;
use swarmcheck_ir::cells::position;
use swarmcheck_ir::flat::{Chooser, Flat, Instance, Layout};
use swarmcheck_ir::{Expr, LocalId, Place, Quantifier, Set, Stmt, UNDEF, Value, VarId};

/// Slots of the state.
pub(crate) type Cells = BTreeSet<u32>;

/// What a run of an instance has read, and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) reads: Cells,
    pub(crate) end: RunEnd,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RunEnd {
    /// In this state.
    Done(Vec<Value>),
    /// The step is not possible.
    Disabled,
    /// It meets an error of the model.
    Fault,
}

enum Stop {
    Disabled,
    Fault,
}

type Evaluated<T> = Result<T, Stop>;

/// Runs an instance on a state and notes what it reads.
pub(crate) fn run(flat: &Flat, at: Instance, state: &[Value], chooser: &mut dyn Chooser) -> Run {
    let mut reader = Reader::new(flat, at.agent, state);
    let end = match reader.function(at, chooser) {
        Ok(()) => RunEnd::Done(reader.state),
        Err(Stop::Disabled) => RunEnd::Disabled,
        Err(Stop::Fault) => RunEnd::Fault,
    };
    Run { reads: reader.reads, end }
}

/// The value of a condition that no agent runs, and cells that are enough for it; none for an error of the model.
pub(crate) fn condition(flat: &Flat, condition: &Expr, state: &[Value]) -> (Option<bool>, Cells) {
    let mut reader = Reader::new(flat, 0, state);
    let value = reader.value(condition).ok().map(|value| value != 0);
    (value, reader.reads)
}

struct Reader<'f> {
    flat: &'f Flat,
    me: u32,
    bound: Vec<u32>,
    /// A list of cells per local; a scalar is a list of one.
    locals: Vec<Vec<Value>>,
    state: Vec<Value>,
    reads: Cells,
    /// What this run has written itself is not read from anybody.
    written: Cells,
}

impl<'f> Reader<'f> {
    fn new(flat: &'f Flat, me: u32, state: &[Value]) -> Reader<'f> {
        let (state, reads, written) = (state.to_vec(), Cells::new(), Cells::new());
        Reader { flat, me, bound: vec![], locals: vec![], state, reads, written }
    }

    fn function(&mut self, at: Instance, chooser: &mut dyn Chooser) -> Evaluated<()> {
        let flat = self.flat;
        let function = &flat.program.functions[at.function as usize];
        let slots = function.entry.iter().map(|(var, value)| (flat.layout.copy(*var, at.agent), *value));
        let slots: Vec<(Option<u32>, Value)> = slots.collect();
        let wrong = slots.iter().find(|(slot, value)| slot.is_none_or(|s| self.state[s as usize] != *value));
        if let Some((slot, _)) = wrong {
            self.reads.extend(*slot);
            return Err(Stop::Disabled);
        }
        self.reads.extend(slots.iter().filter_map(|(slot, _)| *slot));
        self.locals = function.locals.iter().map(|l| vec![0; l.length.unwrap_or(1) as usize]).collect();
        if self.value(&function.guard)? == 0 {
            return Err(Stop::Disabled);
        }
        self.block(&function.body, chooser)
    }

    fn read(&mut self, slot: u32) -> Value {
        if !self.written.contains(&slot) {
            self.reads.insert(slot);
        }
        self.state[slot as usize]
    }

    fn write(&mut self, slot: u32, value: Value) {
        self.written.insert(slot);
        self.state[slot as usize] = value;
    }

    fn bind(&mut self, bound: u32, agent: u32) {
        if self.bound.len() <= bound as usize {
            self.bound.resize(bound as usize + 1, 0);
        }
        self.bound[bound as usize] = agent;
    }

    /// Evaluates without noting anything.
    fn peek(&mut self, e: &Expr) -> Evaluated<Value> {
        let before = self.reads.clone();
        let value = self.value(e);
        self.reads = before;
        value
    }

    fn locate(&mut self, place: &Place) -> Evaluated<Option<u32>> {
        let agent = place.agent.as_ref().map(|agent| self.value(agent)).transpose()?;
        let indices = place.index.iter().map(|e| self.value(e)).collect::<Evaluated<Vec<Value>>>()?;
        if agent == Some(UNDEF) || indices.contains(&UNDEF) {
            return Ok(None);
        }
        let offset = position(&self.flat.program.var(place.var).dimensions, indices);
        let first = first_slot(self.flat, place.var, agent);
        first.zip(offset).map(|(first, offset)| Some(first + offset)).ok_or(Stop::Fault)
    }

    fn value(&mut self, e: &Expr) -> Evaluated<Value> {
        Ok(match e {
            Expr::Const(value) => *value,
            Expr::Me => i64::from(self.me),
            Expr::Bound(bound) => i64::from(self.bound.get(*bound as usize).copied().unwrap_or(0)),
            Expr::Read(place) => match self.locate(place)? {
                Some(slot) => self.read(slot),
                None => UNDEF,
            },
            Expr::Local(local) => self.local(*local, 0)?,
            Expr::LocalCell(local, index, _) => match self.value(index)? {
                UNDEF => UNDEF,
                index => self.local(*local, usize::try_from(index).map_err(|_| Stop::Fault)?)?,
            },
            Expr::Unary(op, inner) => arith::unary(*op, self.value(inner)?),
            Expr::Binary(op, a, b, _) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                arith::binary(*op, a, b).ok_or(Stop::Fault)?
            }
            Expr::And(parts) => self.parts(parts, 0, |value| value == 0)?,
            Expr::Or(parts) => self.parts(parts, 1, |value| value == 1)?,
            Expr::If(condition, yes, no) => {
                let branch = if self.value(condition)? != 0 { yes } else { no };
                self.value(branch)?
            }
            Expr::Defined(inner) => match self.value(inner) {
                Ok(value) => i64::from(value != UNDEF),
                Err(_) => 1,
            },
            Expr::Quantified(quantifier, kinds, bound, body) => {
                self.quantified(*quantifier, &agents_of(self.flat, kinds), *bound, body)?
            }
        })
    }

    fn local(&self, local: LocalId, index: usize) -> Evaluated<Value> {
        self.locals.get(local.0 as usize).and_then(|l| l.get(index)).copied().ok_or(Stop::Fault)
    }

    /// The first part that decides is enough; if none does, all of them are needed.
    fn parts(&mut self, parts: &[Expr], decided: Value, decides: fn(Value) -> bool) -> Evaluated<Value> {
        for part in parts {
            if decides(self.peek(part)?) {
                self.value(part)?;
                return Ok(decided);
            }
        }
        for part in parts {
            self.value(part)?;
        }
        Ok(1 - decided)
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        agents: &[u32],
        bound: u32,
        body: &Expr,
    ) -> Evaluated<Value> {
        let mut count = 0;
        for &agent in agents {
            self.bind(bound, agent);
            let holds = self.peek(body)? != 0;
            count += i64::from(holds);
            if matches!((quantifier, holds), (Quantifier::Forall, false) | (Quantifier::Exists, true)) {
                self.value(body)?;
                return Ok(i64::from(holds));
            }
        }
        for &agent in agents {
            self.bind(bound, agent);
            self.value(body)?;
        }
        Ok(match quantifier {
            Quantifier::Forall => 1,
            Quantifier::Exists => 0,
            Quantifier::Count => count,
        })
    }

    fn block(&mut self, block: &[Stmt], chooser: &mut dyn Chooser) -> Evaluated<()> {
        block.iter().try_for_each(|stmt| self.statement(stmt, chooser))
    }

    fn statement(&mut self, stmt: &Stmt, chooser: &mut dyn Chooser) -> Evaluated<()> {
        match stmt {
            Stmt::Assign(place, value) => {
                let value = self.value(value)?;
                let slot = self.locate(place)?.ok_or(Stop::Disabled)?;
                self.write(slot, value);
            }
            Stmt::Fill(place, set) => {
                let agent = place.agent.as_ref().map(|agent| self.value(agent)).transpose()?;
                let first = first_slot(self.flat, place.var, agent).ok_or(Stop::Disabled)?;
                for cell in 0..self.flat.program.var(place.var).cells() as u32 {
                    let value = self.draw(set, chooser)?;
                    self.write(first + cell, value);
                }
            }
            Stmt::Let(local, value) => {
                let value = self.value(value)?;
                self.set(*local, 0, value);
            }
            Stmt::Havoc(local, set) => {
                let value = self.draw(set, chooser)?;
                self.set(*local, 0, value);
            }
            Stmt::Pick { local, kinds, bound, condition } => {
                self.pick(*local, &agents_of(self.flat, kinds), *bound, condition, chooser)?;
            }
            Stmt::Assume(condition) => {
                if self.value(condition)? == 0 {
                    return Err(Stop::Disabled);
                }
            }
            Stmt::Check(place) => {
                self.locate(place)?;
            }
            Stmt::If(condition, yes, no) => {
                let branch = if self.value(condition)? != 0 { yes } else { no };
                self.block(branch, chooser)?;
            }
            Stmt::Choose(branches) => {
                let mut open = vec![];
                for (condition, body) in branches {
                    if self.value(condition)? != 0 {
                        open.push(body);
                    }
                }
                let at = match open.len() {
                    0 => return Err(Stop::Disabled),
                    1 => 0,
                    n => chooser.choose(n as u64) as usize,
                };
                self.block(open.get(at).ok_or(Stop::Disabled)?, chooser)?;
            }
            Stmt::ForEach(kinds, bound, body) => {
                for agent in agents_of(self.flat, kinds) {
                    self.bind(*bound, agent);
                    self.block(body, chooser)?;
                }
            }
            Stmt::Copy(var, to, from) => {
                let (to, from) = (self.value(to)?, self.value(from)?);
                let first = |agent: Value| first_slot(self.flat, *var, Some(agent));
                let (Some(to), Some(from)) = (first(to), first(from)) else { return Err(Stop::Fault) };
                for cell in 0..self.flat.program.var(*var).cells() as u32 {
                    let value = self.read(from + cell);
                    self.write(to + cell, value);
                }
            }
            Stmt::Rank(var) => self.rank(*var),
        }
        Ok(())
    }

    fn set(&mut self, local: LocalId, index: usize, value: Value) {
        if let Some(cell) = self.locals.get_mut(local.0 as usize).and_then(|l| l.get_mut(index)) {
            *cell = value;
        }
    }

    fn draw(&mut self, set: &Set, chooser: &mut dyn Chooser) -> Evaluated<Value> {
        match set {
            Set::Values(values) => {
                let at = match values.len() {
                    0 => return Err(Stop::Disabled),
                    1 => 0,
                    n => chooser.choose(n as u64) as usize,
                };
                self.value(values.get(at).ok_or(Stop::Disabled)?)
            }
            Set::Range(low, high) => {
                let (low, high) = (self.value(low)?, self.value(high)?);
                if low == UNDEF || high == UNDEF || low >= high {
                    return Err(Stop::Disabled);
                }
                let n = high.abs_diff(low);
                let offset = if n == 1 { 0 } else { chooser.choose(n) };
                Ok(low.wrapping_add_unsigned(offset))
            }
        }
    }

    /// As the machine does it: a candidate is drawn among those not yet taken, then tested.
    fn pick(
        &mut self,
        local: LocalId,
        agents: &[u32],
        bound: u32,
        condition: &Expr,
        chooser: &mut dyn Chooser,
    ) -> Evaluated<()> {
        let length = self.locals.get(local.0 as usize).map_or(0, Vec::len);
        let mut taken: Vec<u32> = vec![];
        for index in 0..length {
            let free: Vec<u32> =
                agents.iter().copied().filter(|a| *a != self.me && !taken.contains(a)).collect();
            let at = match free.len() {
                0 => return Err(Stop::Disabled),
                1 => 0,
                n => chooser.choose(n as u64) as usize,
            };
            let agent = *free.get(at).ok_or(Stop::Disabled)?;
            self.bind(bound, agent);
            if self.value(condition)? == 0 {
                return Err(Stop::Disabled);
            }
            taken.push(agent);
            self.set(local, index, i64::from(agent));
        }
        Ok(())
    }

    /// Dense ranks. All copies are read: which rank one gets depends on all others.
    fn rank(&mut self, var: VarId) {
        let copies = self.flat.layout.copies(var).iter().copied();
        let copies: Vec<u32> = copies.filter(|slot| *slot != Layout::ABSENT).collect();
        let old: Vec<Value> = copies.iter().map(|slot| self.read(*slot)).collect();
        let mut sorted = old.clone();
        sorted.sort_unstable();
        sorted.dedup();
        for (slot, old) in copies.into_iter().zip(old) {
            let new = sorted.partition_point(|rank| *rank < old) as Value;
            if new != old {
                self.write(slot, new);
            }
        }
    }
}
