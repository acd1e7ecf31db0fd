//! What a condition says about the expressions in it, once it is known to hold or to fail.
//!
//! Only runs without a fault count: the others end at the condition. So a comparison that holds says that both sides
//! are defined, and one that fails says the opposite comparison if neither side can be ⊥.

use super::arith::{binary, unary};
use super::context::{Context, Fact, Source};
use super::same::likeness;
use super::value::{MOST, Value};
use std::rc::Rc;
use swarmcheck_ir::{BinaryOp, Expr, Interval, UnaryOp};

/// Larger disjunctions are not distinguished case by case.
const MOST_CASES: usize = 4;
/// Nor are disjunctions deeper inside disjunctions.
const DEEPEST: u32 = 2;

impl Context<'_> {
    /// Goes on where the condition has this truth value.
    pub(crate) fn assume(&mut self, condition: &Expr, truth: bool) {
        if self.dead {
            return;
        }
        match condition {
            Expr::Unary(UnaryOp::Not, e) => return self.assume(e, !truth),
            Expr::And(parts) if truth => return parts.iter().for_each(|p| self.assume(p, true)),
            Expr::Or(parts) if !truth => return parts.iter().for_each(|p| self.assume(p, false)),
            Expr::And(parts) | Expr::Or(parts)
                if parts.len() <= MOST_CASES && self.depth < DEEPEST && !parts.is_empty() =>
            {
                return self.cases(|here| {
                    let mut before = here.clone();
                    let mut out = vec![];
                    for part in parts {
                        out.push(before.where_(part, truth));
                        before.assume(part, !truth);
                    }
                    out
                });
            }
            Expr::If(c, a, b) if self.depth < DEEPEST => {
                return self.cases(|here| {
                    [(a, true), (b, false)]
                        .map(|(branch, which)| {
                            let mut case = here.where_(c, which);
                            case.assume(branch, truth);
                            case
                        })
                        .into()
                });
            }
            _ => {}
        }
        let value = self.found(condition).value;
        if !(if truth { value.may_hold() } else { value.may_fail() }) {
            self.dead = true;
            return;
        }
        match condition {
            Expr::Binary(op, a, b, _) => self.compared(*op, a, b, truth),
            Expr::Defined(e) => self.defined(e, truth),
            _ => {}
        }
    }

    /// A fault inside counts as defined: then the run goes on here, although the expression has no value, and nothing is
    /// known of its operands.
    fn defined(&mut self, e: &Expr, truth: bool) {
        let found = self.found(e);
        if !truth {
            self.note(e, Value::UNDEF, false);
        } else if found.is_safe() || !found.value.has_no_integer() {
            self.note(e, Value::INTEGER, found.is_safe());
        }
    }

    /// What all of several cases have in common.
    fn cases(&mut self, split: impl FnOnce(&Self) -> Vec<Self>) {
        self.depth += 1;
        let cases = split(self);
        let depth = self.depth - 1;
        self.dead = true;
        *self = cases.into_iter().fold(self.clone(), Context::join);
        self.depth = depth;
    }

    fn compared(&mut self, op: BinaryOp, a: &Expr, b: &Expr, truth: bool) {
        let (left, right) = (self.found(a).value, self.found(b).value);
        if truth {
            self.learn(a, below(op, &left, &right).with_undef(false));
            self.learn(b, below(op.mirrored(), &right, &left).with_undef(false));
        } else if let Some(op) = op.negated() {
            if !right.undef {
                self.learn(a, below(op, &left, &right).with_undef(left.undef));
            }
            if !left.undef {
                self.learn(b, below(op.mirrored(), &right, &left).with_undef(right.undef));
            }
        }
    }

    /// Notes that an expression has one of these values.
    pub(super) fn learn(&mut self, e: &Expr, value: Value) {
        self.note(e, value, true);
    }

    fn note(&mut self, e: &Expr, value: Value, operands: bool) {
        if self.dead {
            return;
        }
        let old = self.found(e).value;
        let new = old.meet(&value);
        if new.is_none() {
            self.dead = true;
            return;
        }
        if new == old {
            return;
        }
        match e {
            Expr::Const(_) => {}
            Expr::Local(l) => self.give(*l, new.clone()),
            _ => {
                let likeness = likeness(e);
                match self.facts.iter().position(|fact| fact.is_about(e, likeness)) {
                    Some(at) => Rc::make_mut(&mut self.facts)[at].value = new.clone(),
                    None => self.keep(Fact::new(e.clone(), new.clone(), Source::Condition)),
                }
            }
        }
        if operands && !new.undef {
            self.operands(e, &new);
        }
    }

    /// What the result of an operation says about its operands. It is defined, so they are.
    fn operands(&mut self, e: &Expr, result: &Value) {
        let defined = |here: &Self, e: &Expr| here.found(e).value.with_undef(false);
        match e {
            Expr::Binary(BinaryOp::Add, a, b, _) => {
                let (x, y) = (defined(self, a), defined(self, b));
                self.learn(a, binary(BinaryOp::Sub, result, &y).0);
                self.learn(b, binary(BinaryOp::Sub, result, &x).0);
            }
            Expr::Binary(BinaryOp::Sub, a, b, _) => {
                let (x, y) = (defined(self, a), defined(self, b));
                self.learn(a, binary(BinaryOp::Add, result, &y).0);
                self.learn(b, binary(BinaryOp::Sub, &x, result).0);
            }
            Expr::Unary(UnaryOp::Neg, a) => self.learn(a, unary(UnaryOp::Neg, result)),
            Expr::Unary(UnaryOp::Abs, a) => {
                let value = match (result.few(), result.reach()) {
                    (Some(few), _) => Value::of(few.iter().flat_map(|v| [*v, -*v])),
                    (None, Some(reach)) => Value::between(-reach.hi, reach.hi),
                    (None, None) => return,
                };
                self.learn(a, value);
            }
            _ => {}
        }
    }
}

/// The integers of `a` that compare so to some integer of `b`, and perhaps more.
fn below(op: BinaryOp, a: &Value, b: &Value) -> Value {
    let Some(Interval { lo, hi }) = b.reach() else { return Value::NONE };
    let most = i128::from(MOST);
    let allowed = match op {
        BinaryOp::Eq => b.clone(),
        BinaryOp::Ne if lo == hi => return a.without(lo as i64),
        BinaryOp::Lt => Value::between(-most, hi - 1),
        BinaryOp::Le => Value::between(-most, hi),
        BinaryOp::Gt => Value::between(lo + 1, most),
        BinaryOp::Ge => Value::between(lo, most),
        _ => return a.clone(),
    };
    a.meet(&allowed)
}
