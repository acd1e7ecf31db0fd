//! Which values an assigned term may have, for all values of the variables: NuSMV refuses a module in which a branch of an assignment
//! leaves the domain of its variable, also if the branch is never taken or the state is never reached.
//!
//! Intervals are enough. A term that may leave the domain by them is replaced by 0 there, which is in every domain. That changes
//! no step that is made: the domains come from the ranges of the program, which its steps do not leave.

use super::Model;
use super::paths::{Define, Input, Runner};
use crate::term::Term;
use std::collections::HashMap;
use swarmcheck_ir::BinaryOp;

type Interval = (i64, i64);

/// The intervals of all names.
pub(super) struct Domains {
    names: HashMap<String, Interval>,
}

/// What is not known.
const ANY: Interval = (i64::MIN / 4, i64::MAX / 4);

impl Domains {
    pub(super) fn new(runner: &Runner<'_>, model: &Model<'_>) -> Domains {
        let cells = model.cells.iter().cloned().zip(model.domains.iter().copied());
        let mut out = Domains { names: cells.collect() };
        for Input { name, lo, hi } in runner.inputs.borrow().iter() {
            out.names.insert(name.clone(), (*lo, *hi));
        }
        // Definitions use earlier ones only.
        for Define { name, term, is_condition } in runner.defines.borrow().iter() {
            let interval = if *is_condition { (0, 1) } else { out.interval(term) };
            out.names.insert(name.clone(), interval);
        }
        out
    }

    /// A term with the same value where that is in the domain, and one in the domain elsewhere; `None` for a number outside of it,
    /// which no step assigns.
    pub(super) fn within(&self, runner: &Runner<'_>, t: &Term, (lo, hi): Interval) -> Option<Term> {
        let (least, most) = self.interval(t);
        if lo <= least && most <= hi {
            return Some(t.clone());
        }
        if matches!(t, Term::Number(_)) {
            return None;
        }
        let t = runner.defined(t.clone());
        let above = Term::compare(BinaryOp::Ge, t.clone(), Term::Number(lo));
        let below = Term::compare(BinaryOp::Le, t.clone(), Term::Number(hi));
        let fits = Term::all([
            if least < lo { above } else { Term::TRUE },
            if most > hi { below } else { Term::TRUE },
        ]);
        Some(Term::choice(fits, t, Term::Number(0)))
    }

    fn interval(&self, t: &Term) -> Interval {
        match t {
            t if t.is_condition() && !matches!(t, Term::Number(_)) => (0, 1),
            Term::Number(n) => (*n, *n),
            Term::Name(name) => self.names.get(name).copied().unwrap_or(ANY),
            Term::Minus(t) => {
                let (lo, hi) = self.interval(t);
                (-hi, -lo)
            }
            Term::Choice(parts) => {
                let (a, b) = (self.interval(&parts.1), self.interval(&parts.2));
                (a.0.min(b.0), a.1.max(b.1))
            }
            Term::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                let (a, b) = (self.interval(a), self.interval(b));
                let result = |x: i64, y: i64| match op {
                    BinaryOp::Add => x.saturating_add(y),
                    BinaryOp::Sub => x.saturating_sub(y),
                    _ => x.saturating_mul(y),
                };
                let all = [result(a.0, b.0), result(a.0, b.1), result(a.1, b.0), result(a.1, b.1)];
                let least = all.iter().copied().min().unwrap_or(ANY.0);
                let most = all.iter().copied().max().unwrap_or(ANY.1);
                (least.max(ANY.0), most.min(ANY.1))
            }
            // Divisors are positive.
            Term::Binary(BinaryOp::Div, a, _) => {
                let (lo, hi) = self.interval(a);
                let most = lo.abs().max(hi.abs());
                (if lo >= 0 { 0 } else { -most }, most)
            }
            Term::Rest(a, b) => {
                let (dividend, divisor) = (self.interval(a), self.interval(b));
                let most = dividend.0.abs().max(dividend.1.abs()).min((divisor.1 - 1).max(0));
                (if dividend.0 >= 0 { 0 } else { -most }, most)
            }
            _ => ANY,
        }
    }
}
