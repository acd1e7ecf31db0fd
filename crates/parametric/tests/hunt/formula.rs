//! Conditions in negation normal form, for counting: how many agents a substructure must keep so that a condition that is true stays true.
//!
//! States are finite structures whose elements are the agents. Deleting agents gives a substructure, renumbered in order. A quantifier-free
//! condition about kept agents keeps its truth value. A universal one that is true stays true; for an existential one, a witness must be kept
//! (Pnueli, Ruah, Zuck, *Automatic Deductive Verification with Invisible Invariants*, 2001, section 3). So for ∃x₁…xₙ ∀y… n agents are enough, and
//! a condition with an ∃ below a ∀ has no bound: each agent that is kept needs a witness, which needs another one.
//! "At least k agents" is ∃x₁…x_k all different, and "at most k" is a universal condition, for k fixed.

use swarmcheck_ir::{BinaryOp, Expr, KindId, Program, Quantifier, UNDEF, UnaryOp};

/// What remains of a condition when only its quantifiers over open kinds matter.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// Without quantifiers over open kinds.
    Plain,
    /// Conjunction.
    All(Vec<Formula>),
    /// Disjunction.
    Any(Vec<Formula>),
    /// This many different agents, each with this.
    Exists(u64, Box<Formula>),
    /// Every agent.
    Forall(Box<Formula>),
}

/// Translates conditions of one program.
#[derive(Clone, Copy)]
pub struct Translate<'a> {
    /// For the kinds.
    pub program: &'a Program,
    /// Those with any number of agents.
    pub open: &'a [KindId],
}

/// The number of existential quantifiers of the prenex form ∃…∃∀…∀.
pub fn existentials(formula: &Formula) -> Result<u64, String> {
    Ok(match formula {
        Formula::Plain => 0,
        // In (∃x a) ∧ (∃y b) the two may be different agents; in (∃x a) ∨ (∃y b) = ∃x (a ∨ b) one is enough.
        Formula::All(parts) => parts.iter().map(existentials).sum::<Result<u64, _>>()?,
        Formula::Any(parts) => {
            parts.iter().map(existentials).collect::<Result<Vec<_>, _>>()?.into_iter().max().unwrap_or(0)
        }
        Formula::Exists(times, body) => times * (1 + existentials(body)?),
        Formula::Forall(body) => match existentials(body)? {
            0 => 0,
            _ => return Err("an existential quantifier below a universal one".to_string()),
        },
    })
}

impl Translate<'_> {
    /// Whether a quantifier over these kinds ranges over some open kind; if not, over how many agents.
    pub fn range(&self, kinds: &[KindId]) -> Result<(), u64> {
        if kinds.iter().any(|kind| self.open.contains(kind)) {
            return Ok(());
        }
        Err(kinds.iter().map(|kind| u64::from(self.program.kind(*kind).count)).sum())
    }

    /// Whether some quantifier in it ranges over an open kind.
    pub fn quantifies(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| {
            found |= matches!(e, Expr::Quantified(_, kinds, _, _) if self.range(kinds).is_ok());
        });
        found
    }

    /// That a condition is true (`wanted`), or false.
    pub fn condition(&self, e: &Expr, wanted: bool) -> Result<Formula, String> {
        let each =
            |parts: &[Expr]| parts.iter().map(|p| self.condition(p, wanted)).collect::<Result<Vec<_>, _>>();
        let join = |parts, all: bool| if all { Formula::All(parts) } else { Formula::Any(parts) };
        Ok(match e {
            e if !self.quantifies(e) => Formula::Plain,
            Expr::And(parts) => join(each(parts)?, wanted),
            Expr::Or(parts) => join(each(parts)?, !wanted),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b, _) => {
                let parts = vec![self.condition(a, wanted)?, self.condition(b, wanted)?];
                join(parts, (*op == BinaryOp::And) == wanted)
            }
            Expr::Unary(UnaryOp::Not, e) => self.condition(e, !wanted)?,
            Expr::If(c, a, b) => self.either(c, self.condition(a, wanted)?, self.condition(b, wanted)?)?,
            Expr::Defined(e) => self.defined(e)?,
            Expr::Quantified(Quantifier::Count, ..) => {
                self.threshold(e, BinaryOp::Ne, &Expr::FALSE, wanted)?
            }
            Expr::Quantified(quantifier, kinds, _, body) => {
                let existential = (*quantifier == Quantifier::Exists) == wanted;
                self.over(kinds, existential, self.condition(body, wanted)?)
            }
            Expr::Binary(op, a, b, _) if op.is_comparison() => self.threshold(a, *op, b, wanted)?,
            e => self.value(e)?,
        })
    }

    fn over(&self, kinds: &[KindId], existential: bool, body: Formula) -> Formula {
        match (self.range(kinds), existential) {
            (Ok(()), true) => Formula::Exists(1, Box::new(body)),
            (Ok(()), false) => Formula::Forall(Box::new(body)),
            (Err(_), true) => body,
            (Err(agents), false) => Formula::All(vec![body; agents as usize]),
        }
    }

    fn either(&self, c: &Expr, yes: Formula, no: Formula) -> Result<Formula, String> {
        let yes = Formula::All(vec![self.condition(c, true)?, yes]);
        let no = Formula::All(vec![self.condition(c, false)?, no]);
        Ok(Formula::Any(vec![yes, no]))
    }

    /// That a value stays what it is: the conditions that it depends on keep their truth values, whichever they are.
    pub fn value(&self, e: &Expr) -> Result<Formula, String> {
        let all = |parts: &[&Expr]| {
            Ok(Formula::All(parts.iter().map(|p| self.value(p)).collect::<Result<_, String>>()?))
        };
        match e {
            e if !self.quantifies(e) => Ok(Formula::Plain),
            Expr::Quantified(Quantifier::Count, kinds, ..) if self.range(kinds).is_ok() => {
                Err("a number of agents is used as a value".to_string())
            }
            // The count of a fixed number of agents: each may or may not be counted.
            Expr::Quantified(Quantifier::Count, kinds, _, body) => {
                Ok(self.over(kinds, false, self.whichever(body)?))
            }
            Expr::If(c, a, b) => self.either(c, self.value(a)?, self.value(b)?),
            Expr::Binary(op, a, b, _)
                if !op.is_comparison() && !matches!(op, BinaryOp::And | BinaryOp::Or) =>
            {
                all(&[a, b])
            }
            Expr::Unary(UnaryOp::Neg | UnaryOp::Abs, e) | Expr::LocalCell(_, e, _) => self.value(e),
            Expr::Read(place) => {
                let parts: Vec<&Expr> = place.agent.iter().map(|a| &**a).chain(&place.index).collect();
                all(&parts)
            }
            condition => self.whichever(condition),
        }
    }

    fn whichever(&self, condition: &Expr) -> Result<Formula, String> {
        Ok(Formula::Any(vec![self.condition(condition, true)?, self.condition(condition, false)?]))
    }

    /// That it stays defined or undefined. Quantifiers and comparisons are always defined.
    fn defined(&self, e: &Expr) -> Result<Formula, String> {
        Ok(match e {
            Expr::Quantified(..)
            | Expr::And(_)
            | Expr::Or(_)
            | Expr::Defined(_)
            | Expr::Unary(UnaryOp::Not, _) => Formula::Plain,
            Expr::Binary(op, ..) if op.is_comparison() => Formula::Plain,
            Expr::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round, ..) => self.value(e)?,
            Expr::Binary(_, a, b, _) => Formula::All(vec![self.defined(a)?, self.defined(b)?]),
            Expr::Unary(_, e) => self.defined(e)?,
            Expr::If(c, a, b) => self.either(c, self.defined(a)?, self.defined(b)?)?,
            e => self.value(e)?,
        })
    }

    /// A comparison: of sums of counts with a number that is known, or of values that stay what they are.
    fn threshold(&self, a: &Expr, op: BinaryOp, b: &Expr, wanted: bool) -> Result<Formula, String> {
        let mut sum = Sum::default();
        if !sum.add(self, a, 1) || !sum.add(self, b, -1) || sum.counts.is_empty() {
            return Ok(Formula::All(vec![self.value(a)?, self.value(b)?]));
        }
        // Σ cᵢ·countᵢ + rest op 0, with all cᵢ of one sign.
        let negative = sum.counts.iter().all(|(times, ..)| *times < 0);
        if !negative && !sum.counts.iter().all(|(times, ..)| *times > 0) {
            return Err("numbers of agents are compared with each other".to_string());
        }
        let op = if negative { op.mirrored() } else { op };
        let limit = if negative { sum.rest } else { -sum.rest };
        let op = if wanted { op } else { op.negated().ok_or("a comparison")? };
        let at_least = |limit: i64| self.at_least(&sum, limit);
        let at_most = |limit: i64| self.at_most(&sum, limit);
        Ok(match op {
            BinaryOp::Ge => at_least(limit)?,
            BinaryOp::Gt => at_least(limit + 1)?,
            BinaryOp::Le => at_most(limit)?,
            BinaryOp::Lt => at_most(limit - 1)?,
            BinaryOp::Eq => Formula::All(vec![at_least(limit)?, at_most(limit)?]),
            _ => Formula::Any(vec![at_least(limit + 1)?, at_most(limit - 1)?]),
        })
    }

    /// Each agent that is counted adds at least 1, so `limit` of them are enough.
    fn at_least(&self, sum: &Sum<'_>, limit: i64) -> Result<Formula, String> {
        let bodies =
            sum.counts.iter().map(|(_, body)| self.condition(body, true)).collect::<Result<Vec<_>, _>>()?;
        Ok(match u64::try_from(limit) {
            Ok(limit) if limit > 0 => Formula::Exists(limit, Box::new(Formula::Any(bodies))),
            _ => Formula::Plain,
        })
    }

    /// Nobody who is not counted may be counted after a deletion.
    fn at_most(&self, sum: &Sum<'_>, limit: i64) -> Result<Formula, String> {
        let bodies =
            sum.counts.iter().map(|(_, body)| self.condition(body, false)).collect::<Result<Vec<_>, _>>()?;
        if limit < 0 {
            return Ok(Formula::Plain);
        }
        Ok(Formula::Forall(Box::new(Formula::All(bodies))))
    }
}

/// A sum of counts and a number.
#[derive(Default)]
struct Sum<'e> {
    counts: Vec<(i64, &'e Expr)>,
    rest: i64,
}

impl<'e> Sum<'e> {
    /// Whether the expression is such a sum.
    fn add(&mut self, over: &Translate<'_>, e: &'e Expr, times: i64) -> bool {
        match e {
            Expr::Const(UNDEF) => false,
            Expr::Const(value) => {
                let product = value.checked_mul(times).and_then(|v| self.rest.checked_add(v));
                product.map(|rest| self.rest = rest).is_some()
            }
            // Of a closed kind all agents stay: if no witness is needed, what they add never changes, and takes none away.
            Expr::Quantified(Quantifier::Count, kinds, _, body)
                if over.range(kinds).is_ok() || !over.quantifies(body) =>
            {
                self.counts.push((times, body));
                true
            }
            Expr::Binary(BinaryOp::Add, a, b, _) => self.add(over, a, times) && self.add(over, b, times),
            Expr::Binary(BinaryOp::Sub, a, b, _) => self.add(over, a, times) && self.add(over, b, -times),
            _ => false,
        }
    }
}
