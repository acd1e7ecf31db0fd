//! The semantic function E\[·\] of expressions: table 3.4, extended to the environment (E2, section 3.3.1), to two agents
//! (H, section 3.2.2) and to what SLiVER adds.
//!
//! `Range` makes evaluation nondeterministic, so an expression has a list of outcomes: usually one, none if a range is
//! empty. An outcome is a value (perhaps ⊥) or a model error; an error ends the evaluation that runs into it.

use crate::error::{ErrorKind, ModelError};
use crate::state::State;
use crate::value::{self, Value};
use std::collections::BTreeMap;
use swarmcheck_labs::model::{BinderId, Expr, ExprNode, KindId, LocalId, Model, Owner, Side, VarId};
use swarmcheck_source::Span;

/// All ways something can turn out.
pub type Outcomes<T> = Vec<Result<T, ModelError>>;

/// Goes on with every outcome that is not an error.
pub fn then<T, U>(first: Outcomes<T>, mut next: impl FnMut(T) -> Outcomes<U>) -> Outcomes<U> {
    first.into_iter().flat_map(|outcome| outcome.map_or_else(|error| vec![Err(error)], &mut next)).collect()
}

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
}

impl<'a> Scope<'a> {
    /// For state predicates: there is no acting agent.
    pub fn of_state(model: &'a Model, state: &'a State) -> Scope<'a> {
        Scope { model, state, me: None, sender: None, receiver: None, binders: BTreeMap::new(), locals: &[] }
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

    pub fn eval(&self, e: &Expr) -> Outcomes<Value> {
        let overflow = |result: Result<Value, value::Overflow>| {
            vec![result.map_err(|_| ModelError::new(ErrorKind::Overflow, e.span))]
        };
        match &e.node {
            ExprNode::Number(number) => vec![Ok(Some(*number))],
            ExprNode::Id => vec![Ok(Some(known(self.me).into()))],
            ExprNode::IdOf(side) => vec![Ok(Some(self.side(*side).into()))],
            ExprNode::Agent(binder) => vec![Ok(Some(self.binders[binder].into()))],
            ExprNode::Var(var, owner, indices) => self.variable(*var, owner, indices, e.span),
            ExprNode::Local(local) => vec![Ok(self.local(*local))],
            ExprNode::LocalCell(local, index) => {
                then(self.eval(index), |index| vec![self.local_cell(*local, index, e.span)])
            }
            ExprNode::Neg(a) => then(self.eval(a), |a| overflow(value::neg(a))),
            ExprNode::Abs(a) => then(self.eval(a), |a| overflow(value::abs(a))),
            ExprNode::Binary(op, a, b) => {
                then(self.eval(a), |a| then(self.eval(b), |b| overflow(value::binary(*op, a, b))))
            }
            ExprNode::If(c, a, b) => match self.truth(c) {
                Err(error) => vec![Err(error)],
                Ok(Some(true)) => self.eval(a),
                Ok(Some(false)) => self.eval(b),
                Ok(None) => vec![Ok(None)],
            },
            ExprNode::Count(kind, binder, c) => vec![self.count(*kind, *binder, c).map(Some)],
            ExprNode::Truth(c) => vec![self.truth(c).map(|truth| truth.map(i64::from))],
            ExprNode::Range(lo, hi) => then(self.eval(lo), |lo| then(self.eval(hi), |hi| choose(lo, hi))),
        }
    }

    /// E\[e\] where no choice is possible: in conditions, which hold no `Range`.
    pub fn eval_one(&self, e: &Expr) -> Result<Value, ModelError> {
        match self.eval(e).as_slice() {
            [outcome] => *outcome,
            _ => unreachable!("the checker admits no range in a condition"),
        }
    }

    /// E\[e1\], …, E\[en\], from left to right; the first error wins, ⊥ stops nothing.
    pub fn eval_all(&self, exprs: &[Expr]) -> Outcomes<Vec<Value>> {
        let mut all: Outcomes<Vec<Value>> = vec![Ok(vec![])];
        for e in exprs {
            all = then(all, |before| {
                then(self.eval(e), |v| vec![Ok([before.as_slice(), [v].as_slice()].concat())])
            });
        }
        all
    }

    /// E\[x\]: I(x), value(L, x) or E(x), depending on where x lives. The owner is evaluated before the indices. If any
    /// of them is ⊥ the result is ⊥; after that the agent, its variable, and the bounds must exist, in this order.
    fn variable(&self, var: VarId, owner: &Owner, indices: &[Expr], span: Span) -> Outcomes<Value> {
        let owner: Outcomes<Option<Whose>> = match owner {
            Owner::Environment => vec![Ok(Some(Whose::Nobody))],
            Owner::Me => vec![Ok(Some(Whose::Agent(known(self.me).into())))],
            Owner::Side(side) => vec![Ok(Some(Whose::Agent(self.side(*side).into())))],
            Owner::Agent(e) => then(self.eval(e), |id| vec![Ok(id.map(Whose::Agent))]),
        };
        then(owner, |owner| {
            then(self.eval_all(indices), |indices| vec![self.cell(var, owner, &indices, span)])
        })
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

/// `lo..hi`, `hi` excluded: one outcome per number, none if there is no number or a bound is ⊥.
fn choose(lo: Value, hi: Value) -> Outcomes<Value> {
    match (lo, hi) {
        (Some(lo), Some(hi)) => (lo..hi).map(|number| Ok(Some(number))).collect(),
        _ => vec![],
    }
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
