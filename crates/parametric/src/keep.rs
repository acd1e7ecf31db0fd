//! How many agents must stay for a condition to keep its truth value when all others are deleted.
//!
//! Let `s` be a state in which a condition has the value `t`, and let `keep(e, t) = k`. Then there are at most `k` agents of open
//! kinds such that `e` still has the value `t` after any set of *other* agents of open kinds has been deleted from `s`.
//! Agents that the surroundings bind (the one that makes the step, those of outer quantifiers, targets of global identities) are
//! never deleted, and agents of closed kinds are not either. Proof by induction on `e`:
//!
//! * Without quantifiers, `e` reads agents that are bound only, and nothing that it reads changes.
//! * `∀x φ` is true: every agent that is left satisfies `φ`, if `φ` stays true by itself (`keep(φ, true) = 0`). If `φ` needs
//!   witnesses, each agent needs its own, and no number is enough. False: one agent that violates `φ`, and what `φ` needs there.
//!   `∃` is the dual.
//! * A conjunction is true: what all parts need. False: what the part needs that is false, so the most that one needs. `∨` is the dual.
//! * `#φ ≤ c` (and sums of such counts) is true: fewer agents are not more. False: `c + 1` agents that satisfy `φ`. For `#φ ≥ c` it is the
//!   other way round. `φ` must be without quantifiers there. Whoever is kept as a witness keeps `φ`, whoever is deleted is not counted.
//!
//! The idea is that of small-model theorems for quantified invariants: A. Pnueli, S. Ruah, L. Zuck, *Automatic Deductive Verification
//! with Invisible Invariants*, TACAS 2001, section 4; here the bound is computed along the formula instead of being read off a prefix.

use crate::premise::{Broken, Premise};
use swarmcheck_ir::{BinaryOp, Expr, KindId, Program, Quantifier, UnaryOp, Value};
use swarmcheck_source::Span;

/// A program together with its open kinds.
#[derive(Clone, Copy)]
pub struct Open<'a> {
    /// The program, at any size.
    pub program: &'a Program,
    /// The kinds whose number of agents is open.
    pub kinds: &'a [KindId],
}

impl Open<'_> {
    /// Whether agents of one of these kinds may be deleted.
    pub fn any(&self, kinds: &[KindId]) -> bool {
        kinds.iter().any(|kind| self.kinds.contains(kind))
    }

    pub(crate) fn closed_agents(&self, kinds: &[KindId]) -> u32 {
        kinds.iter().map(|kind| self.program.kind(*kind).count).sum()
    }

    /// How many agents must stay for a condition to keep this truth value.
    pub fn keep(&self, e: &Expr, truth: bool) -> Result<u32, Premise> {
        if !has_quantifier(e) {
            return Ok(0);
        }
        match e {
            Expr::Unary(UnaryOp::Not, inner) => self.keep(inner, !truth),
            Expr::And(parts) => self.parts(parts.iter(), truth, true),
            Expr::Or(parts) => self.parts(parts.iter(), truth, false),
            Expr::Binary(BinaryOp::And, a, b, _) => self.parts([&**a, &**b].into_iter(), truth, true),
            Expr::Binary(BinaryOp::Or, a, b, _) => self.parts([&**a, &**b].into_iter(), truth, false),
            Expr::If(c, a, b) => {
                let yes = self.keep(c, true)?.saturating_add(self.keep(a, truth)?);
                Ok(yes.max(self.keep(c, false)?.saturating_add(self.keep(b, truth)?)))
            }
            Expr::Quantified(Quantifier::Forall, kinds, _, body) => self.quantified(kinds, body, truth, true),
            Expr::Quantified(Quantifier::Exists, kinds, _, body) => {
                self.quantified(kinds, body, truth, false)
            }
            Expr::Binary(op, a, b, span) if op.is_comparison() => self.compared(*op, (a, b), *span, truth),
            _ => self.stable(e),
        }
    }

    fn parts<'e>(
        &self,
        parts: impl Iterator<Item = &'e Expr>,
        truth: bool,
        all: bool,
    ) -> Result<u32, Premise> {
        let mut out: u32 = 0;
        for part in parts {
            let kept = self.keep(part, truth)?;
            out = if truth == all { kept.saturating_add(out) } else { kept.max(out) };
        }
        Ok(out)
    }

    /// `universal` tells `∀` from `∃`.
    fn quantified(
        &self,
        kinds: &[KindId],
        body: &Expr,
        truth: bool,
        universal: bool,
    ) -> Result<u32, Premise> {
        let inside = self.keep(body, truth)?;
        if !self.any(kinds) {
            return Ok(self.closed_agents(kinds).saturating_mul(inside));
        }
        match (truth == universal, inside) {
            (true, 0) => Ok(0),
            (true, _) => Premise::at(place(body), Broken::MixedQuantifiers),
            (false, _) => Ok(inside.saturating_add(1)),
        }
    }

    fn compared(
        &self,
        op: BinaryOp,
        (a, b): (&Expr, &Expr),
        span: Span,
        truth: bool,
    ) -> Result<u32, Premise> {
        let (counts, op, limit) = match (constant(a), constant(b)) {
            (None, Some(limit)) => (a, op, limit),
            (Some(limit), None) => (b, op.mirrored(), limit),
            _ => return self.both(a, b, span),
        };
        let Some(subtracted) = self.counts(counts)? else { return self.both(a, b, span) };
        let limit = limit.saturating_sub(subtracted);
        let more = |than: Value| u32::try_from(than.saturating_add(1).max(0)).unwrap_or(u32::MAX / 4);
        // How many must stay where the sum is greater than the limit, at least it, and so on.
        let (above, at_least) = (more(limit), more(limit.saturating_sub(1)));
        Ok(match (op, truth) {
            (BinaryOp::Le, true) | (BinaryOp::Gt, false) | (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => 0,
            (BinaryOp::Le, false) | (BinaryOp::Gt, true) => above,
            (BinaryOp::Lt, false) | (BinaryOp::Ge, true) => at_least,
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => at_least,
            _ => above,
        })
    }

    /// Whether an expression is a sum of counts and constants; the sum of the constants.
    fn counts(&self, e: &Expr) -> Result<Option<Value>, Premise> {
        match e {
            Expr::Const(value) => Ok(Some(*value)),
            Expr::Binary(BinaryOp::Add, a, b, _) => {
                let (Some(a), Some(b)) = (self.counts(a)?, self.counts(b)?) else { return Ok(None) };
                Ok(a.checked_add(b))
            }
            Expr::Quantified(Quantifier::Count, _, _, body) => match has_quantifier(body) {
                true => Premise::at(place(e), Broken::Counted),
                false => Ok(Some(0)),
            },
            _ => Ok(None),
        }
    }

    fn both(&self, a: &Expr, b: &Expr, span: Span) -> Result<u32, Premise> {
        let sum = self.stable(a)?.saturating_add(self.stable(b)?);
        if sum > u32::MAX / 8 { Premise::at(span, Broken::Counted) } else { Ok(sum) }
    }

    /// How many agents must stay for an expression to keep its value, whatever that is.
    pub fn stable(&self, e: &Expr) -> Result<u32, Premise> {
        if !has_quantifier(e) {
            return Ok(0);
        }
        match e {
            Expr::Quantified(Quantifier::Count, kinds, _, _) if self.any(kinds) => {
                Premise::at(place(e), Broken::Counted)
            }
            Expr::Quantified(Quantifier::Count, kinds, _, body) => {
                Ok(self.closed_agents(kinds).saturating_mul(self.stable(body)?))
            }
            Expr::Quantified(..) | Expr::And(_) | Expr::Or(_) | Expr::Unary(UnaryOp::Not, _) => {
                Ok(self.keep(e, true)?.max(self.keep(e, false)?))
            }
            Expr::Binary(op, a, b, span) if op.is_comparison() => {
                let ways =
                    [self.compared(*op, (a, b), *span, true)?, self.compared(*op, (a, b), *span, false)?];
                Ok(ways[0].max(ways[1]))
            }
            Expr::If(c, a, b) => {
                let yes = self.keep(c, true)?.saturating_add(self.stable(a)?);
                Ok(yes.max(self.keep(c, false)?.saturating_add(self.stable(b)?)))
            }
            Expr::Binary(_, a, b, _) => Ok(self.stable(a)?.saturating_add(self.stable(b)?)),
            Expr::Unary(_, e) | Expr::Defined(e) | Expr::LocalCell(_, e, _) => self.stable(e),
            Expr::Read(place) => {
                let parts = place.agent.iter().map(|agent| &**agent).chain(&place.index);
                parts.map(|part| self.stable(part)).try_fold(0u32, |sum, next| Ok(sum.saturating_add(next?)))
            }
            Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => Ok(0),
        }
    }
}

fn constant(e: &Expr) -> Option<Value> {
    match e {
        Expr::Const(value) if *value != swarmcheck_ir::UNDEF => Some(*value),
        _ => None,
    }
}

/// Whether a quantifier, or a count, stands anywhere in an expression.
pub fn has_quantifier(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e, Expr::Quantified(..)));
    found
}

/// Some place of the user's file that an expression comes from.
pub fn place(e: &Expr) -> Span {
    let mut found = Span::default();
    e.walk(&mut |e| {
        let here = match e {
            Expr::Binary(_, _, _, span) | Expr::LocalCell(_, _, span) => *span,
            Expr::Read(place) => place.span,
            _ => Span::default(),
        };
        if found == Span::default() {
            found = here;
        }
    });
    found
}
