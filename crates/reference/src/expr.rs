//! The semantic function E\[·\] of expressions: table 3.4, extended to the environment (E2, section 3.3.1), to two agents
//! (H, section 3.2.2) and to what SLiVER adds.
//!
//! `Range` makes evaluation nondeterministic: an expression is evaluated for one way to make the choices, and has no
//! outcome if there is nothing to choose from. An outcome is a value (perhaps ⊥) or a model error; an error ends the
//! evaluation that runs into it.

use crate::choices::{Choices, Stop};
use crate::error::{ErrorKind, ModelError};
use crate::state::State;
use crate::value::{self, Value};
use std::collections::BTreeMap;
use swarmcheck_labs::model::{BinderId, Expr, ExprNode, KindId, LocalId, Model, Owner, Side, VarId};
use swarmcheck_source::Span;

/// What a variable local to a block holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LocalValue {
    /// A scalar; ⊥ until it is assigned.
    Scalar(Value),
    /// The agents of a `pick`; all ⊥ until it is assigned.
    Array(Vec<Value>),
}

/// Everything the meaning of an expression depends on.
#[derive(Clone)]
pub struct Scope<'a> {
    pub model: &'a Model,
    /// The state in which everything is read.
    pub state: &'a State,
    /// The acting agent; in an initialiser, the agent being initialised.
    pub me: Option<u32>,
    /// The sender of a link predicate.
    pub sender: Option<u32>,
    /// The receiver of a link predicate.
    pub receiver: Option<u32>,
    /// Agents bound by quantifiers.
    pub binders: BTreeMap<BinderId, u32>,
    /// The locals of the block being performed.
    pub locals: &'a [LocalValue],
    /// How ranges are chosen from; none where there are none.
    pub choices: Option<&'a Choices<'a>>,
}

impl<'a> Scope<'a> {
    /// For state predicates: there is no acting agent.
    pub fn of_state(model: &'a Model, state: &'a State) -> Scope<'a> {
        let (me, sender, receiver) = (None, None, None);
        Scope { model, state, me, sender, receiver, binders: BTreeMap::new(), locals: &[], choices: None }
    }

    /// For guards and actions of an agent.
    pub fn of_agent(model: &'a Model, state: &'a State, agent: u32) -> Scope<'a> {
        Scope { me: Some(agent), ..Scope::of_state(model, state) }
    }

    /// For link predicates.
    pub fn of_link(model: &'a Model, state: &'a State, sender: u32, receiver: u32) -> Scope<'a> {
        Scope { sender: Some(sender), receiver: Some(receiver), ..Scope::of_state(model, state) }
    }

    /// The same with one more agent bound.
    pub fn bind(&self, binder: BinderId, agent: u32) -> Scope<'a> {
        let mut scope = self.clone();
        scope.binders.insert(binder, agent);
        scope
    }

    /// The agents of a kind in the order of their ids.
    pub fn agents_of(&self, kind: KindId) -> std::ops::Range<u32> {
        let kind = self.model.kind(kind);
        kind.first..kind.first + kind.count
    }

    /// E\[e\], for one way to choose.
    pub fn eval(&self, e: &Expr) -> Result<Value, Stop> {
        let overflow = |result: Result<Value, value::Overflow>| {
            result.map_err(|_| ModelError::new(ErrorKind::Overflow, e.span).into())
        };
        match &e.node {
            ExprNode::Number(number) => Ok(Some(*number)),
            ExprNode::Id => Ok(Some(known(self.me).into())),
            ExprNode::IdOf(side) => Ok(Some(self.side(*side).into())),
            ExprNode::Agent(binder) => Ok(Some(self.binders[binder].into())),
            ExprNode::Var(var, owner, indices) => self.variable(*var, owner, indices, e.span),
            ExprNode::Local(local) => Ok(self.local(*local)),
            ExprNode::LocalCell(local, index) => Ok(self.local_cell(*local, self.eval(index)?, e.span)?),
            ExprNode::Neg(a) => overflow(value::neg(self.eval(a)?)),
            ExprNode::Abs(a) => overflow(value::abs(self.eval(a)?)),
            ExprNode::Binary(op, a, b) => {
                let a = self.eval(a)?;
                overflow(value::binary(*op, a, self.eval(b)?))
            }
            ExprNode::If(c, a, b) => match self.truth(c)? {
                Some(true) => self.eval(a),
                Some(false) => self.eval(b),
                None => Ok(None),
            },
            ExprNode::Count(kind, binder, c) => Ok(Some(self.count(*kind, *binder, c)?)),
            ExprNode::Truth(c) => Ok(self.truth(c)?.map(i64::from)),
            ExprNode::Range(lo, hi) => {
                let (lo, hi) = (self.eval(lo)?, self.eval(hi)?);
                self.choices().number(lo, hi)
            }
        }
    }

    /// The checker admits no range in a condition.
    pub fn choices(&self) -> &Choices<'a> {
        self.choices.expect("an action to choose for")
    }

    /// E\[e\] where no choice is possible: in conditions, which hold no `Range`.
    pub fn eval_one(&self, e: &Expr) -> Result<Value, ModelError> {
        self.eval(e).map_err(|stop| match stop {
            Stop::Error(error) => error,
            Stop::Nothing => unreachable!("the checker admits no range in a condition"),
        })
    }

    /// E\[e1\], …, E\[en\], from left to right; the first error wins, ⊥ stops nothing.
    pub fn eval_all(&self, exprs: &[Expr]) -> Result<Vec<Value>, Stop> {
        exprs.iter().map(|e| self.eval(e)).collect()
    }

    /// E\[x\]: I(x), value(L, x) or E(x), depending on where x lives. The owner is evaluated before the indices. If any
    /// of them is ⊥ the result is ⊥; after that the agent, its variable, and the bounds must exist, in this order.
    fn variable(&self, var: VarId, owner: &Owner, indices: &[Expr], span: Span) -> Result<Value, Stop> {
        let owner = match owner {
            Owner::Environment => Some(Whose::Nobody),
            Owner::Me => Some(Whose::Agent(known(self.me).into())),
            Owner::Side(side) => Some(Whose::Agent(self.side(*side).into())),
            Owner::Agent(e) => self.eval(e)?.map(Whose::Agent),
        };
        Ok(self.cell(var, owner, &self.eval_all(indices)?, span)?)
    }

    fn cell(
        &self,
        var: VarId,
        owner: Option<Whose>,
        indices: &[Value],
        span: Span,
    ) -> Result<Value, ModelError> {
        let error = |kind| ModelError::new(kind, span);
        let indices: Option<Vec<i64>> = indices.iter().copied().collect();
        let (Some(owner), Some(indices)) = (owner, indices) else { return Ok(None) };
        let agent = match owner {
            Whose::Nobody => None,
            Whose::Agent(id) if (0..i64::from(self.model.agents())).contains(&id) => Some(id as u32),
            Whose::Agent(_) => return Err(error(ErrorKind::NoAgent)),
        };
        let cells = self.state.cells(self.model, agent, var).ok_or(error(ErrorKind::NoVariable))?;
        let at = position(&self.model.variable(var).dimensions, &indices).ok_or(error(ErrorKind::Index))?;
        Ok(cells[at])
    }

    fn local(&self, local: LocalId) -> Value {
        match &self.locals[local.0 as usize] {
            LocalValue::Scalar(value) => *value,
            LocalValue::Array(_) => unreachable!("the checker gives an index to every array"),
        }
    }

    fn local_cell(&self, local: LocalId, index: Value, span: Span) -> Result<Value, ModelError> {
        let LocalValue::Array(cells) = &self.locals[local.0 as usize] else {
            unreachable!("the checker gives no index to a scalar")
        };
        let Some(index) = index else { return Ok(None) };
        let at = position(&[cells.len() as u32], &[index]).ok_or(ModelError::new(ErrorKind::Index, span))?;
        Ok(cells[at])
    }

    fn side(&self, side: Side) -> u32 {
        match side {
            Side::Sender => known(self.sender),
            Side::Receiver => known(self.receiver),
        }
    }
}

/// The owner of a copy of a variable: none for the environment.
#[derive(Clone, Copy)]
enum Whose {
    Nobody,
    Agent(i64),
}

/// The checker admits `id`, `of 1` and the like only where they mean something.
fn known(agent: Option<u32>) -> u32 {
    agent.expect("an agent to speak of here")
}

/// The row-major position of a cell; `None` if an index is out of bounds.
pub fn position(dimensions: &[u32], indices: &[i64]) -> Option<usize> {
    assert_eq!(dimensions.len(), indices.len(), "one index per dimension");
    let mut at = 0;
    for (&size, &index) in dimensions.iter().zip(indices) {
        if !(0..i64::from(size)).contains(&index) {
            return None;
        }
        at = at * size as usize + index as usize;
    }
    Some(at)
}

#[cfg(test)]
mod tests;
