//! How many agents must stay for an error of the model to be met again when all others are deleted.
//!
//! An expression that ends in an error was evaluated up to it: in `a or b`, an error in `b` is met because `a` is false, and `a` may
//! need witnesses for that. [`crate::keep`] does not count them, since it asks for the value of `a or b` only. The agents that quantifiers bind where
//! the error occurs are not counted here; [`crate::prove::Bound`] has room for them.

use crate::keep::{Open, place};
use crate::premise::{Broken, Premise};
use swarmcheck_ir::{BinaryOp, Expr, Quantifier};

impl Open<'_> {
    /// How many agents must stay for an error in this expression; `None` if it cannot end in one.
    pub fn error(&self, e: &Expr) -> Result<Option<u32>, Premise> {
        match e {
            Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => Ok(None),
            // An error inside counts as defined, and is met again when the expression is evaluated for its value.
            Expr::Defined(_) => Ok(None),
            Expr::Unary(_, inner) => self.error(inner),
            Expr::LocalCell(_, index, _) => {
                let own = (!matches!(**index, Expr::Const(_))).then_some(0);
                Ok(self.error(index)?.max(own))
            }
            Expr::Read(place) => {
                let named = matches!(place.agent.as_deref(), None | Some(Expr::Me | Expr::Bound(_)));
                let computed = place.index.iter().any(|index| !matches!(index, Expr::Const(_)));
                let mut most = (!named || computed).then_some(0);
                for part in place.agent.iter().map(|agent| &**agent).chain(&place.index) {
                    most = most.max(self.error(part)?);
                }
                Ok(most)
            }
            // Both sides are evaluated, whatever their values.
            Expr::Binary(op, a, b, _) => {
                let own = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul).then_some(0);
                Ok(self.error(a)?.max(self.error(b)?).max(own))
            }
            Expr::And(parts) => self.error_after(parts, true),
            Expr::Or(parts) => self.error_after(parts, false),
            Expr::If(c, a, b) => {
                let mut most = self.error(c)?;
                for (truth, branch) in [(true, a), (false, b)] {
                    if let Some(needed) = self.error(branch)? {
                        most = most.max(Some(needed.saturating_add(self.keep(c, truth)?)));
                    }
                }
                Ok(most)
            }
            Expr::Quantified(quantifier, kinds, _, body) => {
                let needed = self.error(body)?;
                // Agents before the one with the error must not end the evaluation. None of them may need witnesses for that.
                let ends = match quantifier {
                    Quantifier::Forall => Some(true),
                    Quantifier::Exists => Some(false),
                    Quantifier::Count => None,
                };
                match ends {
                    Some(truth) if needed.is_some() && self.keep(body, truth)? > 0 && self.any(kinds) => {
                        Premise::at(place(body), Broken::MixedQuantifiers)
                    }
                    // Of a closed kind all agents stay, and each may need witnesses.
                    Some(truth) if needed.is_some() => {
                        let others = self.closed_agents(kinds).saturating_mul(self.keep(body, truth)?);
                        Ok(needed.map(|needed| needed.saturating_add(others)))
                    }
                    _ => Ok(needed),
                }
            }
        }
    }

    /// An error in one of some parts, which is reached if all before it have this truth value.
    fn error_after(&self, parts: &[Expr], truth: bool) -> Result<Option<u32>, Premise> {
        let (mut before, mut most) = (0u32, None);
        for part in parts {
            if let Some(needed) = self.error(part)? {
                most = most.max(Some(before.saturating_add(needed)));
            }
            // What a part needs may be unbounded, which matters only if an error can come after it.
            match self.keep(part, truth) {
                Ok(kept) => before = before.saturating_add(kept),
                Err(why) => {
                    let rest = parts.iter().skip_while(|p| !std::ptr::eq(*p, part)).skip(1);
                    for later in rest {
                        if self.error(later)?.is_some() {
                            return Err(why);
                        }
                    }
                    return Ok(most);
                }
            }
        }
        Ok(most)
    }
}
