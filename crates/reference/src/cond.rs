//! Satisfaction and well-definedness of guards: tables 3.5 and 3.6.
//!
//! The two relations are computed separately, as the tables define them. The law of excluded middle fails: of a guard
//! that reads ⊥, neither it nor its negation need be satisfied. Satisfaction goes from left to right, stops as soon as
//! the answer is known, and reports the first model error on its way; well-definedness reports none, and takes an
//! expression that runs into one for defined.

use crate::error::ModelError;
use crate::expr::Scope;
use crate::value::compare;
use swarmcheck_labs::model::{BinderId, Cond, CondNode, Expr, KindId};
use swarmcheck_labs::syntax::ast::BinaryOp;

impl Scope<'_> {
    /// E, I, L ⊨ g (table 3.5).
    pub fn sat(&self, g: &Cond) -> Result<bool, ModelError> {
        match &g.node {
            CondNode::Bool(b) => Ok(*b),
            CondNode::NonZero(e) => Ok(compare(BinaryOp::Ne, self.eval_one(e)?, Some(0))),
            CondNode::Compare(op, a, b) => {
                let a = self.eval_one(a)?;
                let b = self.eval_one(b)?;
                Ok(compare(*op, a, b))
            }
            CondNode::Not(g) => Ok(self.def(g) && !self.sat(g)?),
            CondNode::And(parts) => {
                for part in parts {
                    if !self.sat(part)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            CondNode::Or(parts) => {
                for part in parts {
                    if self.sat(part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            CondNode::Forall(kind, binder, g) => {
                for agent in self.agents_of(*kind) {
                    if !self.bind(*binder, agent).sat(g)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            CondNode::Exists(kind, binder, g) => {
                for agent in self.agents_of(*kind) {
                    if self.bind(*binder, agent).sat(g)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// E, I, L ⊢ g (table 3.6).
    pub fn def(&self, g: &Cond) -> bool {
        match &g.node {
            CondNode::Bool(_) => true,
            CondNode::NonZero(e) => self.def_expr(e),
            CondNode::Compare(_, a, b) => self.def_expr(a) && self.def_expr(b),
            CondNode::Not(g) => self.def(g),
            CondNode::And(parts) | CondNode::Or(parts) => parts.iter().all(|part| self.def(part)),
            CondNode::Forall(kind, binder, g) | CondNode::Exists(kind, binder, g) => {
                self.agents_of(*kind).all(|agent| self.bind(*binder, agent).def(g))
            }
        }
    }

    /// E, I, L ⊢ e (table 3.6): unless it evaluates to ⊥.
    fn def_expr(&self, e: &Expr) -> bool {
        self.eval_one(e) != Ok(None)
    }

    /// True if the guard is satisfied, false if its negation is, `None` if neither.
    pub fn truth(&self, g: &Cond) -> Result<Option<bool>, ModelError> {
        if self.sat(g)? {
            Ok(Some(true))
        } else if self.def(g) {
            Ok(Some(false))
        } else {
            Ok(None)
        }
    }

    /// How many agents of a kind satisfy the guard.
    pub fn count(&self, kind: KindId, binder: BinderId, g: &Cond) -> Result<i64, ModelError> {
        let mut number = 0;
        for agent in self.agents_of(kind) {
            if self.bind(binder, agent).sat(g)? {
                number += 1;
            }
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;
    use crate::testing::*;
    use swarmcheck_labs::model::{ExprNode, Init};
    use swarmcheck_labs::syntax::ast::BinaryOp::*;

    fn check(g: &Cond, sat: bool, def: bool) {
        let mut b = Build::new();
        b.kind(1, vec![], &[], nil());
        let state = initial(&interpreter(&b.0));
        let scope = Scope::of_agent(&b.0, &state, 0);
        assert_eq!((scope.sat(g), scope.def(g)), (Ok(sat), def), "{g:?}");
    }

    fn error(g: &Cond) -> u32 {
        let mut b = Build::new();
        b.kind(1, vec![], &[], nil());
        let state = initial(&interpreter(&b.0));
        Scope::of_agent(&b.0, &state, 0).sat(g).expect_err("an error").span.start
    }

    fn yes() -> Cond {
        cmp(Eq, num(1), num(1))
    }

    fn no() -> Cond {
        cmp(Eq, num(1), num(2))
    }

    fn undefined() -> Cond {
        cmp(Eq, num(1), bottom())
    }

    fn bad_guard(place: u32) -> Cond {
        cmp(Eq, bad(place), num(1))
    }

    #[test]
    fn comparisons() {
        check(&yes(), true, true);
        check(&no(), false, true);
        check(&undefined(), false, false);
        check(&cmp(Eq, bottom(), bottom()), false, false);
        check(&c(CondNode::NonZero(num(3))), true, true);
        check(&c(CondNode::NonZero(num(0))), false, true);
        check(&c(CondNode::NonZero(bottom())), false, false);
        assert_eq!(error(&cmp(Eq, bottom(), bad(7))), 7);
        assert_eq!(error(&cmp(Eq, bad(6), bad(7))), 6);
    }

    #[test]
    fn negation_needs_well_definedness() {
        check(&not(yes()), false, true);
        check(&not(no()), true, true);
        check(&not(undefined()), false, false);
        check(&not(not(undefined())), false, false);
        check(&not(or(vec![no(), undefined()])), false, false);
        check(&not(and(vec![no(), undefined()])), false, false);
        // Not well-defined, so the error is not met; an error alone counts as defined and is met.
        check(&not(and(vec![bad_guard(1), undefined()])), false, false);
        assert_eq!(error(&not(bad_guard(1))), 1);
    }

    #[test]
    fn connectives_stop_early() {
        check(&or(vec![undefined(), yes()]), true, false);
        check(&or(vec![yes(), bad_guard(1)]), true, true);
        check(&and(vec![undefined(), bad_guard(1)]), false, false);
        check(&and(vec![yes(), yes()]), true, true);
        assert_eq!(error(&or(vec![no(), bad_guard(1), bad_guard(2)])), 1);
        assert_eq!(error(&and(vec![yes(), bad_guard(2)])), 2);
    }

    #[test]
    fn quantifiers_go_through_the_agents_of_the_kind() {
        let mut b = Build::new();
        let x = b.attribute(&[]);
        let idle = || nil();
        let other = b.kind(1, vec![], &[], idle());
        let kind = b.kind(3, vec![(x, Init::OneOf(vec![id()]))], &[], idle());
        let mut state = initial(&interpreter(&b.0));
        let a = BinderId(0);
        let bound = || e(ExprNode::Agent(a));
        let x_of = |place| at(place, of(x, bound()));
        let forall = |g| c(CondNode::Forall(kind, a, Box::new(g)));
        let exists = |g| c(CondNode::Exists(kind, a, Box::new(g)));
        let sat = |state: &_, g: &_| Scope::of_state(&b.0, state).sat(g);

        assert_eq!(sat(&state, &forall(cmp(Eq, x_of(0), bound()))), Ok(true));
        assert_eq!(sat(&state, &forall(cmp(Ne, x_of(0), num(3)))), Ok(false));
        assert_eq!(sat(&state, &exists(cmp(Eq, x_of(0), num(3)))), Ok(true));
        assert_eq!(sat(&state, &exists(cmp(Eq, x_of(0), num(0)))), Ok(false));
        let wrong = c(CondNode::Exists(other, a, Box::new(cmp(Eq, x_of(5), num(0)))));
        assert_eq!(sat(&state, &wrong).map_err(|e| e.kind), Err(ErrorKind::NoVariable));

        let more = |n| cmp(Ge, x_of(0), num(n));
        assert_eq!(Scope::of_state(&b.0, &state).count(kind, a, &more(2)), Ok(2));
        state.agents[2].interface.insert(x, vec![None]);
        let scope = Scope::of_state(&b.0, &state);
        assert_eq!(scope.count(kind, a, &more(2)), Ok(1), "⊥ does not count");
        assert!(!scope.def(&forall(more(0))) && !scope.def(&exists(more(0))));
        assert_eq!(scope.sat(&exists(more(0))), Ok(true));
        assert_eq!(scope.sat(&not(exists(more(9)))), Ok(false));
    }

    #[test]
    fn nested_binders_are_distinct() {
        let mut b = Build::new();
        let kind = b.kind(3, vec![], &[], nil());
        let state = initial(&interpreter(&b.0));
        let bound = |i| e(ExprNode::Agent(BinderId(i)));
        let inner = c(CondNode::Exists(kind, BinderId(1), Box::new(cmp(Lt, bound(0), bound(1)))));
        let every = c(CondNode::Forall(kind, BinderId(0), Box::new(inner.clone())));
        let some = c(CondNode::Exists(kind, BinderId(0), Box::new(inner)));
        let scope = Scope::of_state(&b.0, &state);
        assert_eq!((scope.sat(&every), scope.sat(&some)), (Ok(false), Ok(true)));
    }
}
