//! K\[·\] of table 3.4: which stigmergic tuples an expression needs.
//!
//! The function is syntactic: it also counts what stands in branches that are not taken, in quantifier bodies, in indices
//! and in the conditions of a `pick`. It counts the acting agent's own copies (`Owner::Me`, and the sender of a `pick`
//! condition), never those of others.

use std::collections::BTreeSet;
use swarmcheck_labs::model::{
    Action, Class, Cond, CondNode, Expr, ExprNode, Model, Owner, Side, Target, TupleId, Value,
};

/// A growing set of keys.
pub struct Keys<'m> {
    model: &'m Model,
    /// The tuples found so far.
    pub found: BTreeSet<TupleId>,
}

impl<'m> Keys<'m> {
    /// The empty set.
    pub fn new(model: &'m Model) -> Keys<'m> {
        Keys { model, found: BTreeSet::new() }
    }

    /// K of all assignments of an action: their values and the indices of their targets.
    pub fn action(&mut self, action: &Action) {
        for assignment in &action.assignments {
            for value in &assignment.values {
                match value {
                    Value::Expr(e) => self.expr(e),
                    Value::Pick { condition, .. } => {
                        if let Some(condition) = condition {
                            self.cond(condition);
                        }
                    }
                }
            }
            for target in &assignment.targets {
                if let Target::Variable(_, indices, _) = target {
                    self.exprs(indices);
                }
            }
        }
    }

    /// K\[g\]: the union of K\[e\] for all sub-expressions.
    pub fn cond(&mut self, g: &Cond) {
        match &g.node {
            CondNode::Bool(_) => {}
            CondNode::NonZero(e) => self.expr(e),
            CondNode::Compare(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            CondNode::Not(g) | CondNode::Forall(_, _, g) | CondNode::Exists(_, _, g) => self.cond(g),
            CondNode::And(parts) | CondNode::Or(parts) => parts.iter().for_each(|part| self.cond(part)),
        }
    }

    /// K\[e\].
    pub fn expr(&mut self, e: &Expr) {
        match &e.node {
            ExprNode::Number(_)
            | ExprNode::Id
            | ExprNode::IdOf(_)
            | ExprNode::Agent(_)
            | ExprNode::Local(_) => {}
            ExprNode::Var(var, owner, indices) => {
                match (self.model.variable(*var).class, owner.as_ref()) {
                    (Class::Stigmergic(tuple), Owner::Me | Owner::Side(Side::Sender)) => {
                        self.found.insert(tuple);
                    }
                    (_, Owner::Agent(whose)) => self.expr(whose),
                    _ => {}
                }
                self.exprs(indices);
            }
            ExprNode::LocalCell(_, a) | ExprNode::Neg(a) | ExprNode::Abs(a) => self.expr(a),
            ExprNode::Binary(_, a, b) | ExprNode::Range(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprNode::If(c, a, b) => {
                self.cond(c);
                self.expr(a);
                self.expr(b);
            }
            ExprNode::Count(_, _, c) | ExprNode::Truth(c) => self.cond(c),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|e| self.expr(e));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use swarmcheck_labs::model::{BinderId, Init, KindId};
    use swarmcheck_labs::syntax::ast::{AssignOp, BinaryOp::*};

    /// Six tuples of one variable each, and an environment array.
    fn build() -> (Build, Vec<swarmcheck_labs::model::VarId>, swarmcheck_labs::model::VarId) {
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        let vars = (0..6).map(|_| b.tuple(s, vec![Init::Undef])[0]).collect();
        let env = b.env(&[3], Init::Undef);
        (b, vars, env)
    }

    fn found(keys: Keys) -> Vec<u32> {
        keys.found.into_iter().map(|t| t.0).collect()
    }

    #[test]
    fn keys_are_syntactic() {
        let (b, t, array) = build();
        let mut keys = Keys::new(&b.0);
        keys.expr(&if_(cmp(Eq, num(1), me(t[0])), me(t[1]), op(Add, num(1), me(t[2]))));
        keys.expr(&read(array, Owner::Environment, vec![me(t[4])]));
        assert_eq!(found(keys), [0, 1, 2, 4]);
    }

    #[test]
    fn copies_of_others_do_not_count_but_their_owners_do() {
        let (b, t, _) = build();
        let mut keys = Keys::new(&b.0);
        keys.expr(&of(t[0], me(t[1])));
        keys.expr(&receiver(t[2]));
        keys.expr(&sender(t[3]));
        assert_eq!(found(keys), [1, 3]);
    }

    #[test]
    fn conditions_and_quantifier_bodies_count() {
        let (b, t, _) = build();
        let mut keys = Keys::new(&b.0);
        let body = c(CondNode::NonZero(me(t[5])));
        keys.cond(&not(c(CondNode::Exists(KindId(0), BinderId(0), Box::new(body)))));
        keys.expr(&e(ExprNode::Truth(Box::new(or(vec![bool_(true), cmp(Lt, me(t[2]), num(0))])))));
        assert_eq!(found(keys), [2, 5]);
    }

    #[test]
    fn targets_count_by_their_indices_only() {
        let (mut b, t, array) = build();
        let write = assign_at(AssignOp::Environment, array, vec![me(t[1])], span(0), me(t[0]));
        let stig = assign(AssignOp::Stigmergy, &[t[4]], vec![num(1)]);
        let choose = pick(0, 1, None, Some(cmp(Eq, sender(t[2]), receiver(t[3]))));
        b.block(&[Some(1)], vec![choose, write, stig]);
        let mut keys = Keys::new(&b.0);
        keys.action(&b.0.actions[0]);
        assert_eq!(found(keys), [0, 1, 2]);
    }
}
