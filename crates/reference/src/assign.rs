//! Assignments: rules EVAL of table 3.11, for compound assignments (thesis 3.2.4) and blocks (`docs/labs.md` 11).
//!
//! A block is a sequence of assignments, each of which sees the effect of those before it. Within one assignment
//! everything is evaluated in the state before it: first the values from left to right, then the indices of the targets
//! from left to right. The rules need v ≠ ⊥, so a ⊥ on the way means that the action cannot be taken: no outcome. All this
//! is done for one way to make the action's choices.

use crate::Interpreter;
use crate::choices::{Choices, Stop};
use crate::error::{ErrorKind, ModelError};
use crate::expr::{LocalValue, Scope, position};
use crate::state::State;
use std::collections::BTreeSet;
use swarmcheck_labs::model::{
    Action, Assignment, Class, Cond, Expr, ExprNode, KindId, LocalId, Target, TupleId, Value, VarId,
};
use swarmcheck_labs::syntax::ast::AssignOp;

/// An action half done.
pub struct Partial {
    /// The state so far.
    pub state: State,
    /// The locals so far.
    pub locals: Vec<LocalValue>,
    /// The tuples written so far.
    pub written: BTreeSet<TupleId>,
}

/// A right-hand side after evaluation; never ⊥.
enum Right {
    Number(i64),
    Agents(Vec<u32>),
}

/// A left-hand side after evaluation.
enum Left {
    Cell(VarId, usize),
    Local(LocalId),
}

impl Partial {
    /// Before the first assignment: all locals are ⊥.
    pub fn new(state: &State, action: &Action) -> Partial {
        let undefined = |length: Option<u32>| match length {
            None => LocalValue::Scalar(None),
            Some(length) => LocalValue::Array(vec![None; length as usize]),
        };
        let locals = action.locals.iter().map(|local| undefined(local.length)).collect();
        Partial { state: state.clone(), locals, written: BTreeSet::new() }
    }
}

impl Interpreter<'_> {
    /// One (perhaps compound) assignment of an action: rules EVAL_I, EVAL_L, EVAL_E (table 3.11), depending on the arrow.
    pub fn assignment(
        &self,
        agent: u32,
        before: Partial,
        action: &Action,
        a: &Assignment,
        choices: &Choices<'_>,
    ) -> Result<Partial, Stop> {
        let scope = Scope {
            locals: &before.locals,
            sender: Some(agent),
            choices: Some(choices),
            ..Scope::of_agent(self.model, &before.state, agent)
        };
        let mut values = vec![];
        for (value, target) in a.values.iter().zip(&a.targets) {
            values.push(self.value(&scope, agent, action, target, value)?);
        }
        let targets = a.targets.iter().map(|target| self.target(&scope, agent, target));
        let writes: Vec<(Left, Right)> =
            targets.zip(values).map(|(left, right)| Ok((left?, right))).collect::<Result<_, Stop>>()?;
        let mut after = before;
        match a.op {
            AssignOp::Attribute => eval_i(&mut after, agent, writes),
            AssignOp::Stigmergy => self.eval_l(&mut after, agent, writes),
            AssignOp::Environment => eval_e(&mut after, writes),
            AssignOp::Local => eval_local(&mut after, writes),
        }
        Ok(after)
    }

    /// A value; an error or a ⊥ ends it.
    fn value(
        &self,
        scope: &Scope,
        agent: u32,
        action: &Action,
        target: &Target,
        value: &Value,
    ) -> Result<Right, Stop> {
        match value {
            Value::Expr(e) => {
                let number = match &e.node {
                    ExprNode::Range(lo, hi) => {
                        let (lo, hi) = (scope.eval(lo)?, scope.eval(hi)?);
                        match self.wanted(scope, agent, action, target) {
                            Some(wanted) => scope.choices().number_among(lo, hi, wanted)?,
                            None => scope.choices().number(lo, hi)?,
                        }
                    }
                    _ => scope.eval(e)?,
                };
                Ok(Right::Number(number.ok_or(Stop::Nothing)?))
            }
            Value::Pick { count, kind, condition } => {
                let picked = self.pick(scope, agent, *count, *kind, condition.as_ref())?;
                Ok(Right::Agents(picked))
            }
        }
    }

    /// The values that a target is to have in the end, if it is known that it keeps what it is given here: nothing else in
    /// the action writes it, and no message does in the same step. A local variable has no value in the end, but may be
    /// what such a target is given.
    fn wanted(
        &self,
        scope: &Scope,
        agent: u32,
        action: &Action,
        target: &Target,
    ) -> Option<Vec<crate::Value>> {
        let wanted = scope.choices().wanted?;
        let all = || action.assignments.iter().flat_map(|a| a.targets.iter().zip(&a.values));
        let writes = |target: &Target| all().filter(|(other, _)| same_variable(other, target)).count();
        let lasts = |target: &Target| match target {
            Target::Variable(var, ..) => {
                let sent = matches!(self.model.variable(*var).class, Class::Stigmergic(_));
                (writes(target) == 1 && !(sent && self.options.sync)).then(|| wanted(*var))
            }
            _ => None,
        };
        match target {
            Target::Variable(..) => match self.target(scope, agent, target) {
                Ok(Left::Cell(_, at)) => Some(vec![*lasts(target)?.get(at)?]),
                _ => None,
            },
            // Which cell it is given to may be decided later, by what is assigned before that.
            Target::Local(local) if writes(target) == 1 => all().find_map(|(other, value)| {
                let is_local = |e: &Expr| matches!(&e.node, ExprNode::Local(from) if from == local);
                let given = matches!(value, Value::Expr(e) if is_local(e));
                if given { lasts(other) } else { None }
            }),
            Target::Local(_) | Target::Array(_) => None,
        }
    }

    /// `pick k Kind where c`: a sequence of k different agents, not the acting one, that satisfy the condition. One for
    /// which the condition runs into an error can be tried as well.
    fn pick(
        &self,
        scope: &Scope,
        agent: u32,
        count: u32,
        kind: Option<KindId>,
        condition: Option<&Cond>,
    ) -> Result<Vec<u32>, Stop> {
        let candidates = match kind {
            Some(kind) => scope.agents_of(kind),
            None => 0..self.model.agents(),
        };
        let mut picked: Vec<u32> = vec![];
        for _ in 0..count {
            let mut options: Vec<Result<u32, ModelError>> = vec![];
            for candidate in candidates.clone().filter(|c| *c != agent && !picked.contains(c)) {
                let link = Scope { receiver: Some(candidate), ..scope.clone() };
                match condition.map_or(Ok(true), |c| link.sat(c)) {
                    Ok(true) => options.push(Ok(candidate)),
                    Ok(false) => {}
                    Err(error) => options.push(Err(error)),
                }
            }
            picked.push(options[scope.choices().choose(options.len() as u64)? as usize]?);
        }
        Ok(picked)
    }

    /// One target: all its indices from left to right, as for a read; then ⊥ ends it, and then the bounds are checked.
    fn target(&self, scope: &Scope, agent: u32, target: &Target) -> Result<Left, Stop> {
        let (var, indices, span) = match target {
            Target::Variable(var, indices, span) => (*var, indices, *span),
            Target::Local(local) | Target::Array(local) => return Ok(Left::Local(*local)),
        };
        let dimensions = &self.model.variable(var).dimensions;
        assert_eq!(dimensions.len(), indices.len(), "one index per dimension");
        let error = |kind| Stop::Error(ModelError::new(kind, span));
        let indices = scope.eval_all(indices)?.into_iter().collect::<Option<Vec<i64>>>();
        let indices = indices.ok_or(Stop::Nothing)?;
        if scope.state.cells(self.model, Some(agent), var).is_none() {
            return Err(error(ErrorKind::NoVariable));
        }
        let at = position(dimensions, &indices).ok_or(error(ErrorKind::Index))?;
        Ok(Left::Cell(var, at))
    }

    /// EVAL_L (table 3.11): L ⊕ (x, v, tod()) and Zp ∪ {x}. All targets get the same timestamp (thesis 3.2.4), and a
    /// timestamp belongs to a whole tuple. Zp itself is updated after the block.
    fn eval_l(&self, after: &mut Partial, agent: u32, writes: Vec<(Left, Right)>) {
        let now = after.state.tod();
        let me = &mut after.state.agents[agent as usize];
        for (left, right) in writes {
            let (var, at, value) = cell(left, right);
            let Class::Stigmergic(tuple) = self.model.variable(var).class else {
                unreachable!("the checker matches arrows and variables")
            };
            let entry = me.stigmergy.get_mut(&tuple).expect("checked by target");
            entry.values.get_mut(&var).expect("a variable of this tuple")[at] = Some(value);
            entry.time = Some(now);
            after.written.insert(tuple);
        }
    }
}

/// EVAL_I (table 3.11): I\[x ↦ v\].
fn eval_i(after: &mut Partial, agent: u32, writes: Vec<(Left, Right)>) {
    for (left, right) in writes {
        let (var, at, value) = cell(left, right);
        let interface = &mut after.state.agents[agent as usize].interface;
        interface.get_mut(&var).expect("checked by target")[at] = Some(value);
    }
}

/// EVAL_E (table 3.11): E\[x ↦ v\].
fn eval_e(after: &mut Partial, writes: Vec<(Left, Right)>) {
    for (left, right) in writes {
        let (var, at, value) = cell(left, right);
        after.state.env.get_mut(&var).expect("an environment variable")[at] = Some(value);
    }
}

/// `:=`, SLiVER's variables that live until the end of the block.
fn eval_local(after: &mut Partial, writes: Vec<(Left, Right)>) {
    for (left, right) in writes {
        let Left::Local(local) = left else { unreachable!("the checker matches arrows and variables") };
        after.locals[local.0 as usize] = match right {
            Right::Number(number) => LocalValue::Scalar(Some(number)),
            Right::Agents(agents) => LocalValue::Array(agents.into_iter().map(|a| Some(a.into())).collect()),
        };
    }
}

/// Whether these are cells of one variable.
fn same_variable(one: &Target, other: &Target) -> bool {
    match (one, other) {
        (Target::Variable(one, ..), Target::Variable(other, ..)) => one == other,
        (Target::Local(one) | Target::Array(one), Target::Local(other) | Target::Array(other)) => {
            one == other
        }
        _ => false,
    }
}

fn cell(left: Left, right: Right) -> (VarId, usize, i64) {
    match (left, right) {
        (Left::Cell(var, at), Right::Number(number)) => (var, at, number),
        _ => unreachable!("the checker matches arrows, variables and values"),
    }
}

#[cfg(test)]
mod tests;
