//! Which values an assigned term may have, for all values of the variables: NuSMV refuses a module in which a branch of an assignment
//! leaves the domain of its variable, also if the branch is never taken or the state is never reached.
//!
//! Intervals are enough. A term that may leave the domain by them is replaced by 0 there, which is in every domain. That changes
//! no step that is made: the domains come from the ranges of the program, which its steps do not leave.

use super::Model;
use super::paths::{Define, Input, Runner};
use crate::term::Term;
use std::collections::HashMap;
use swarmcheck_ir::{BinaryOp, Interval};

/// The intervals of all names.
pub(super) struct Domains {
    names: HashMap<String, Interval>,
}

/// What is not known.
const ANY: Interval = Interval::new((i64::MIN / 4) as i128, (i64::MAX / 4) as i128);

impl Domains {
    pub(super) fn new(runner: &Runner<'_>, model: &Model<'_>) -> Domains {
        let cells = model.cells.iter().cloned().zip(model.domains.iter().map(|&(lo, hi)| between(lo, hi)));
        let mut out = Domains { names: cells.collect() };
        for Input { name, lo, hi } in runner.inputs.borrow().iter() {
            out.names.insert(name.clone(), between(*lo, *hi));
        }
        // Definitions use earlier ones only.
        for Define { name, term, is_condition } in runner.defines.borrow().iter() {
            let interval = if *is_condition { Interval::CONDITION } else { out.interval(term) };
            out.names.insert(name.clone(), interval);
        }
        out
    }

    /// A term with the same value where that is in the domain, and one in the domain elsewhere; `None` for a number outside of it,
    /// which no step assigns.
    pub(super) fn within(&self, runner: &Runner<'_>, t: &Term, (lo, hi): (i64, i64)) -> Option<Term> {
        let (found, domain) = (self.interval(t), between(lo, hi));
        if found.is_within(domain) {
            return Some(t.clone());
        }
        if matches!(t, Term::Number(_)) {
            return None;
        }
        let t = runner.defined(t.clone());
        let above = Term::compare(BinaryOp::Ge, t.clone(), Term::Number(lo));
        let below = Term::compare(BinaryOp::Le, t.clone(), Term::Number(hi));
        let fits = Term::all([
            if found.lo < domain.lo { above } else { Term::TRUE },
            if found.hi > domain.hi { below } else { Term::TRUE },
        ]);
        Some(Term::choice(fits, t, Term::Number(0)))
    }

    fn interval(&self, t: &Term) -> Interval {
        match t {
            t if t.is_condition() && !matches!(t, Term::Number(_)) => Interval::CONDITION,
            Term::Number(n) => Interval::exactly((*n).into()),
            Term::Name(name) => self.names.get(name).copied().unwrap_or(ANY),
            Term::Minus(t) => self.interval(t).negated(),
            Term::Choice(parts) => self.interval(&parts.1).hull(self.interval(&parts.2)),
            Term::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                Interval::binary(*op, self.interval(a), self.interval(b)).clamped(ANY)
            }
            // Divisors are positive. Versions differ in how they round quotients of negative numbers.
            Term::Binary(BinaryOp::Div, a, _) => {
                let dividend = self.interval(a);
                Interval::new(if dividend.lo >= 0 { 0 } else { -dividend.size() }, dividend.size())
            }
            Term::Rest(a, b) => {
                let (dividend, divisor) = (self.interval(a), self.interval(b));
                let most = dividend.size().min((divisor.hi - 1).max(0));
                Interval::new(if dividend.lo >= 0 { 0 } else { -most }, most)
            }
            _ => ANY,
        }
    }
}

fn between(lo: i64, hi: i64) -> Interval {
    Interval::new(lo.into(), hi.into())
}
