//! Assignments: rules EVAL of table 3.11, for compound assignments (thesis 3.2.4) and blocks (`docs/labs.md` 11).
//!
//! A block is a sequence of assignments, each of which sees the effect of those before it. Within one assignment
//! everything is evaluated in the state before it: first the values from left to right, then the indices of the targets
//! from left to right. The rules need v ≠ ⊥, so a ⊥ on the way means that the action cannot be taken: no outcome.

use crate::Interpreter;
use crate::error::{ErrorKind, ModelError};
use crate::expr::{LocalValue, Outcomes, Scope, position, then};
use crate::state::State;
use std::collections::BTreeSet;
use swarmcheck_labs::model::{
    Action, Assignment, Class, Cond, Expr, KindId, LocalId, Target, TupleId, Value, VarId,
};
use swarmcheck_labs::syntax::ast::AssignOp;
use swarmcheck_source::Span;

/// An action half done.
#[derive(Clone)]
pub struct Partial {
    /// The state so far.
    pub state: State,
    /// The locals so far.
    pub locals: Vec<LocalValue>,
    /// The tuples written so far.
    pub written: BTreeSet<TupleId>,
}

/// A right-hand side after evaluation; never ⊥.
#[derive(Clone)]
enum Right {
    Number(i64),
    Agents(Vec<u32>),
}

/// A left-hand side after evaluation.
#[derive(Clone)]
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
    /// One (perhaps compound) assignment: rules EVAL_I, EVAL_L, EVAL_E (table 3.11), depending on the arrow.
    pub fn assignment(&self, agent: u32, before: Partial, a: &Assignment) -> Outcomes<Partial> {
        let scope = Scope {
            locals: &before.locals,
            sender: Some(agent),
            ..Scope::of_agent(self.model, &before.state, agent)
        };
        then(self.values(&scope, agent, &a.values), |values| {
            then(self.targets(&scope, agent, &a.targets), |targets| {
                let writes: Vec<(Left, Right)> = targets.into_iter().zip(values.iter().cloned()).collect();
                let mut after = before.clone();
                match a.op {
                    AssignOp::Attribute => eval_i(&mut after, agent, writes),
                    AssignOp::Stigmergy => self.eval_l(&mut after, agent, writes),
                    AssignOp::Environment => eval_e(&mut after, writes),
                    AssignOp::Local => eval_local(&mut after, writes),
                }
                vec![Ok(after)]
            })
        })
    }

    /// The values from left to right. An error or a ⊥ ends it there.
    fn values(&self, scope: &Scope, agent: u32, values: &[Value]) -> Outcomes<Vec<Right>> {
        let mut all: Outcomes<Vec<Right>> = vec![Ok(vec![])];
        for value in values {
            all = then(all, |before| {
                let outcomes = match value {
                    Value::Expr(e) => {
                        then(scope.eval(e), |v| v.map(|v| Ok(Right::Number(v))).into_iter().collect())
                    }
                    Value::Pick { count, kind, condition } => {
                        let picks = self.pick(scope, agent, *count, *kind, condition.as_ref());
                        then(picks, |agents| vec![Ok(Right::Agents(agents))])
                    }
                };
                then(outcomes, |right| vec![Ok([before.as_slice(), &[right]].concat())])
            });
        }
        all
    }

    /// `pick k Kind where c`: all sequences of k different agents, not the acting one, that satisfy the condition.
    fn pick(
        &self,
        scope: &Scope,
        agent: u32,
        count: u32,
        kind: Option<KindId>,
        condition: Option<&Cond>,
    ) -> Outcomes<Vec<u32>> {
        let candidates = match kind {
            Some(kind) => scope.agents_of(kind),
            None => 0..self.model.agents(),
        };
        let mut all: Outcomes<Vec<u32>> = vec![Ok(vec![])];
        for _ in 0..count {
            all = then(all, |picked| {
                let mut outcomes = vec![];
                for candidate in candidates.clone().filter(|c| *c != agent && !picked.contains(c)) {
                    let link = Scope { receiver: Some(candidate), ..scope.clone() };
                    match condition.map_or(Ok(true), |c| link.sat(c)) {
                        Ok(true) => outcomes.push(Ok([picked.as_slice(), &[candidate]].concat())),
                        Ok(false) => {}
                        Err(error) => outcomes.push(Err(error)),
                    }
                }
                outcomes
            });
        }
        all
    }

    /// The targets from left to right. An error, a ⊥ or an index out of bounds ends it there.
    fn targets(&self, scope: &Scope, agent: u32, targets: &[Target]) -> Outcomes<Vec<Left>> {
        let mut all: Outcomes<Vec<Left>> = vec![Ok(vec![])];
        for target in targets {
            all = then(all, |before| {
                let outcomes = match target {
                    Target::Variable(var, indices, span) => self.target(scope, agent, *var, indices, *span),
                    Target::Local(local) | Target::Array(local) => vec![Ok(Left::Local(*local))],
                };
                then(outcomes, |left| vec![Ok([before.as_slice(), &[left]].concat())])
            });
        }
        all
    }

    /// One target: all its indices from left to right, as for a read; then ⊥ ends it, and then the bounds are checked.
    fn target(&self, scope: &Scope, agent: u32, var: VarId, indices: &[Expr], span: Span) -> Outcomes<Left> {
        let dimensions = &self.model.variable(var).dimensions;
        assert_eq!(dimensions.len(), indices.len(), "one index per dimension");
        let error = |kind| ModelError::new(kind, span);
        then(scope.eval_all(indices), |indices| {
            let Some(indices) = indices.into_iter().collect::<Option<Vec<i64>>>() else {
                return vec![];
            };
            if scope.state.cells(self.model, Some(agent), var).is_none() {
                return vec![Err(error(ErrorKind::NoVariable))];
            }
            match position(dimensions, &indices) {
                Some(at) => vec![Ok(Left::Cell(var, at))],
                None => vec![Err(error(ErrorKind::Index))],
            }
        })
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

fn cell(left: Left, right: Right) -> (VarId, usize, i64) {
    match (left, right) {
        (Left::Cell(var, at), Right::Number(number)) => (var, at, number),
        _ => unreachable!("the checker matches arrows, variables and values"),
    }
}

#[cfg(test)]
mod tests;
