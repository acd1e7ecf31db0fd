//! Evaluation of expressions.
//!
//! Evaluation returns a plain number, not a result: a fault is noted on the side, evaluation continues with ⊥, and
//! the caller checks the note at the end. That keeps the hot path free of wide return values. Nothing is
//! written before the note is looked at, so what is computed after a fault does not matter.

use super::code::{Code, Target};
use super::exec::Machine;
use super::{Flat, Layout};
use crate::arith::{self, Fault, FaultDetail, FaultKind, UNDEF, Value};
use crate::expr::Quantifier;

impl Machine {
    /// Evaluates, and reports the first fault if there was one.
    #[inline]
    pub fn value(&mut self, flat: &Flat, code: &Code, state: &[Value]) -> Result<Value, Fault> {
        let value = self.eval(flat, code, state);
        match self.fault.take() {
            None => Ok(value),
            Some(fault) => Err(fault),
        }
    }

    /// Notes a fault; the first one counts. The expression goes on with ⊥.
    #[cold]
    fn fail(&mut self, kind: FaultKind, span: swarmcheck_source::Span, detail: FaultDetail) -> Value {
        if self.fault.is_none() {
            self.fault = Some(Fault { kind, span });
            self.detail = Some(Box::new(detail));
        }
        UNDEF
    }

    #[inline]
    pub(super) fn bind(&mut self, bound: u32, agent: u32) {
        // Conditions compiled later may bind more agents than the program does.
        if self.bound.len() <= bound as usize {
            self.bound.resize(bound as usize + 1, 0);
        }
        self.bound[bound as usize] = agent;
    }

    /// The slot of a place; `None` if the agent or an index is ⊥.
    pub(super) fn located(
        &mut self,
        flat: &Flat,
        target: &Target,
        state: &[Value],
    ) -> Result<Option<u32>, Fault> {
        let slot = self.locate(flat, target, state);
        self.fault.take().map_or(Ok(slot), Err)
    }

    /// The same during an evaluation. Faults are found in the order: agent, indices, whether the agent exists,
    /// whether it has the variable, bounds.
    fn locate(&mut self, flat: &Flat, target: &Target, state: &[Value]) -> Option<u32> {
        let agent = target.agent.as_ref().map(|code| self.eval(flat, code, state));
        let mut undefined = agent == Some(UNDEF);
        let mut offset: u32 = 0;
        let mut inside = true;
        let mut outside = FaultDetail::Index { var: Some(target.var), index: 0, cells: 0 };
        for (code, &dimension) in target.index.iter().zip(&target.dimensions) {
            let index = self.eval(flat, code, state);
            undefined |= index == UNDEF;
            let was_inside = inside;
            inside &= (0..i64::from(dimension)).contains(&index);
            if was_inside && !inside {
                outside = FaultDetail::Index { var: Some(target.var), index, cells: dimension };
            }
            if inside {
                offset = offset * dimension + index as u32;
            }
        }
        if undefined {
            return None;
        }
        let first = match agent {
            None => flat.layout.global(crate::VarId(target.var)),
            Some(agent) => match Layout::copy_of(flat.layout.copies(crate::VarId(target.var)), agent) {
                Ok(slot) => slot,
                Err(kind) => {
                    self.fail(kind, target.span, FaultDetail::Agent { number: agent, var: target.var });
                    return None;
                }
            },
        };
        if !inside {
            self.fail(FaultKind::Index, target.span, outside);
            return None;
        }
        Some(first + offset)
    }

    /// The first slot of a whole variable.
    pub(super) fn located_first(
        &mut self,
        flat: &Flat,
        target: &Target,
        state: &[Value],
    ) -> Result<Option<u32>, Fault> {
        let agent = match &target.agent {
            None => return Ok(Some(flat.layout.global(crate::VarId(target.var)))),
            Some(code) => self.value(flat, code, state)?,
        };
        Ok(u32::try_from(agent).ok().and_then(|a| flat.layout.copy(crate::VarId(target.var), a)))
    }

    fn eval(&mut self, flat: &Flat, code: &Code, state: &[Value]) -> Value {
        match code {
            Code::Const(v) => *v,
            Code::Me => i64::from(self.me),
            Code::Bound(b) => i64::from(self.bound[*b as usize]),
            Code::Local(l) => self.locals[*l as usize],
            Code::LocalCell { first, length, index, span } => {
                let index = self.eval(flat, index, state);
                if index == UNDEF {
                    return UNDEF;
                }
                if !(0..i64::from(*length)).contains(&index) {
                    let detail = FaultDetail::Index { var: None, index, cells: *length };
                    return self.fail(FaultKind::Index, *span, detail);
                }
                self.locals[*first as usize + index as usize]
            }
            Code::Global(slot) => state[*slot as usize],
            Code::Mine(var) => state[flat.layout.copies(crate::VarId(*var))[self.me as usize] as usize],
            Code::OfBound { var, bound } => {
                let agent = self.bound[*bound as usize] as usize;
                state[flat.layout.copies(crate::VarId(*var))[agent] as usize]
            }
            Code::Cell(target) => match self.locate(flat, target, state) {
                Some(slot) => state[slot as usize],
                None => UNDEF,
            },
            Code::Unary(op, e) => arith::unary(*op, self.eval(flat, e, state)),
            Code::Binary(op, sides, span) => {
                let a = self.eval(flat, &sides.0, state);
                let b = self.eval(flat, &sides.1, state);
                match arith::binary(*op, a, b) {
                    Some(value) => value,
                    None => {
                        let detail = FaultDetail::Overflow { op: *op, left: a, right: b };
                        self.fail(FaultKind::Overflow, *span, detail)
                    }
                }
            }
            Code::And(parts) => {
                for part in parts {
                    if self.eval(flat, part, state) == 0 {
                        return 0;
                    }
                }
                1
            }
            Code::Or(parts) => {
                for part in parts {
                    // A fault evaluates to ⊥, which is not 0; it must not pass for true.
                    if self.eval(flat, part, state) == 1 {
                        return 1;
                    }
                }
                0
            }
            Code::If(parts) => {
                let branch = if self.eval(flat, &parts.0, state) != 0 { &parts.1 } else { &parts.2 };
                self.eval(flat, branch, state)
            }
            Code::Defined(e) => {
                let before = self.fault.take();
                let value = self.eval(flat, e, state);
                let fault = std::mem::replace(&mut self.fault, before);
                i64::from(fault.is_some() || value != UNDEF)
            }
            Code::Quantified(quantifier, agents, bound, body) => {
                self.quantified(flat, *quantifier, agents, *bound, body, state)
            }
            Code::Newest { clock, above } => self.newest(*clock, *above),
            Code::Kept(at) => self.kept[*at as usize],
        }
    }

    fn quantified(
        &mut self,
        flat: &Flat,
        quantifier: Quantifier,
        agents: &[std::ops::Range<u32>],
        bound: u32,
        body: &Code,
        state: &[Value],
    ) -> Value {
        let mut count = 0;
        for agent in agents.iter().cloned().flatten() {
            self.bind(bound, agent);
            let holds = self.eval(flat, body, state) != 0;
            if self.fault.is_some() {
                return UNDEF;
            }
            count += i64::from(holds);
            match quantifier {
                Quantifier::Forall if !holds => return 0,
                Quantifier::Exists if holds => return 1,
                _ => {}
            }
        }
        match quantifier {
            Quantifier::Forall => 1,
            Quantifier::Exists => 0,
            Quantifier::Count => count,
        }
    }
}
