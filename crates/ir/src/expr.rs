//! Expressions of the parametric program.
//!
//! Conditions are expressions that are 0 or 1. They are two-valued: front ends lower a guard to "defined and true"
//! with [`Expr::Defined`], so no engine needs a third truth value.

use crate::arith::{self, UNDEF, Value};
use crate::program::{KindId, LocalId, VarId};
use swarmcheck_source::Span;

#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// An integer, or ⊥ as [`UNDEF`].
    Const(Value),
    /// The number of the agent that runs the function.
    Me,
    /// The number of an agent bound by a loop or a quantifier.
    Bound(u32),
    /// The value of a cell.
    Read(Place),
    /// A scalar local of the function.
    Local(LocalId),
    /// A cell of a local array. ⊥ if the index is.
    LocalCell(LocalId, Box<Expr>, Span),
    /// `op e`.
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`: both sides are evaluated, left first; the span is blamed for an overflow.
    Binary(BinaryOp, Box<Expr>, Box<Expr>, Span),
    /// Left to right, stopping at the first that is false.
    And(Vec<Expr>),
    /// Left to right, stopping at the first that is true.
    Or(Vec<Expr>),
    /// `if c then a else b`: only one branch is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// False exactly if the expression evaluates to ⊥. A fault inside counts as defined: it will be met when the
    /// expression is evaluated for its value.
    Defined(Box<Expr>),
    /// Over all agents of the kinds, in order of their numbers.
    Quantified(Quantifier, Vec<KindId>, u32, Box<Expr>),
}

/// A cell of a variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub var: VarId,
    /// The owner of the copy; `None` for a global variable.
    pub agent: Option<Box<Expr>>,
    /// One index per dimension; evaluated after the agent, left to right. ⊥ makes a read ⊥.
    pub index: Vec<Expr>,
    /// Blamed for an index out of bounds.
    pub span: Span,
}

impl Place {
    /// A global scalar.
    pub fn global(var: VarId) -> Place {
        Place { var, agent: None, index: vec![], span: Span::default() }
    }

    /// An agent's scalar.
    pub fn of(var: VarId, agent: Expr) -> Place {
        Place { var, agent: Some(Box::new(agent)), index: vec![], span: Span::default() }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-e`.
    Neg,
    /// `|e|`.
    Abs,
    /// Logical negation of a condition.
    Not,
}

/// Binary operators; meanings in [`crate::arith`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Round,
    Min,
    Max,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

impl BinaryOp {
    /// Whether the result is a condition.
    #[inline]
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge
        )
    }

    /// The comparison with its sides exchanged.
    pub fn mirrored(self) -> BinaryOp {
        match self {
            BinaryOp::Lt => BinaryOp::Gt,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Ge => BinaryOp::Le,
            other => other,
        }
    }

    /// The comparison that holds exactly when this one does not, on defined operands.
    pub fn negated(self) -> Option<BinaryOp> {
        Some(match self {
            BinaryOp::Eq => BinaryOp::Ne,
            BinaryOp::Ne => BinaryOp::Eq,
            BinaryOp::Lt => BinaryOp::Ge,
            BinaryOp::Ge => BinaryOp::Lt,
            BinaryOp::Gt => BinaryOp::Le,
            BinaryOp::Le => BinaryOp::Gt,
            _ => return None,
        })
    }
}

/// The three ways to range over agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// A condition: all of them. Stops at the first that fails.
    Forall,
    /// A condition: one of them. Stops at the first that fits.
    Exists,
    /// A number: how many of them.
    Count,
}

impl Expr {
    /// The condition `true`.
    pub const TRUE: Expr = Expr::Const(1);
    /// The condition `false`.
    pub const FALSE: Expr = Expr::Const(0);

    pub fn read(place: Place) -> Expr {
        Expr::Read(place)
    }

    /// `a op b`, folded if both are constants and nothing goes wrong.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        if let (Expr::Const(x), Expr::Const(y)) = (&a, &b)
            && let Some(value) = arith::binary(op, *x, *y)
        {
            return Expr::Const(value);
        }
        Expr::Binary(op, Box::new(a), Box::new(b), span)
    }

    /// `op e`, folded if constant.
    pub fn unary(op: UnaryOp, e: Expr) -> Expr {
        match e {
            Expr::Const(v) => Expr::Const(arith::unary(op, v)),
            e => Expr::Unary(op, Box::new(e)),
        }
    }

    /// Conjunction: flattened, `true` dropped, cut after the first constant `false`.
    pub fn and(parts: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::junction(parts, Expr::And, 1, |e| match e {
            Expr::And(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// Disjunction: flattened, `false` dropped, cut after the first constant `true`.
    pub fn or(parts: impl IntoIterator<Item = Expr>) -> Expr {
        Expr::junction(parts, Expr::Or, 0, |e| match e {
            Expr::Or(inner) => Ok(inner),
            other => Err(other),
        })
    }

    fn junction(
        parts: impl IntoIterator<Item = Expr>,
        build: fn(Vec<Expr>) -> Expr,
        neutral: Value,
        open: fn(Expr) -> Result<Vec<Expr>, Expr>,
    ) -> Expr {
        let mut out = Vec::new();
        for part in parts {
            match open(part) {
                Ok(inner) => out.extend(inner),
                Err(Expr::Const(v)) if (v != 0) == (neutral != 0) => {}
                Err(other) => out.push(other),
            }
            // What stands before a constant must still be evaluated, for its faults; what stands after never is.
            if matches!(out.last(), Some(Expr::Const(_))) {
                break;
            }
        }
        match out.len() {
            0 => Expr::Const(neutral),
            1 => out.remove(0),
            _ => build(out),
        }
    }

    /// Logical negation, folded if constant.
    #[allow(clippy::should_implement_trait)]
    pub fn not(e: Expr) -> Expr {
        Expr::unary(UnaryOp::Not, e)
    }

    /// `if c then a else b`, folded if the condition is constant.
    pub fn ite(c: Expr, a: Expr, b: Expr) -> Expr {
        match c {
            Expr::Const(v) => {
                if v != 0 {
                    a
                } else {
                    b
                }
            }
            c => Expr::If(Box::new(c), Box::new(a), Box::new(b)),
        }
    }

    /// Whether the expression is defined, folded if constant.
    pub fn defined(e: Expr) -> Expr {
        match e {
            Expr::Const(v) => Expr::Const(i64::from(v != UNDEF)),
            Expr::Me | Expr::Bound(_) => Expr::TRUE,
            e => Expr::Defined(Box::new(e)),
        }
    }

    /// Calls `visit` on this expression and everything below it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        crate::cancel::check();
        visit(self);
        match self {
            Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => {}
            Expr::Read(place) => {
                place.agent.iter().for_each(|a| a.walk(visit));
                place.index.iter().for_each(|i| i.walk(visit));
            }
            Expr::LocalCell(_, e, _)
            | Expr::Unary(_, e)
            | Expr::Defined(e)
            | Expr::Quantified(_, _, _, e) => {
                e.walk(visit);
            }
            Expr::Binary(_, a, b, _) => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::And(parts) | Expr::Or(parts) => parts.iter().for_each(|p| p.walk(visit)),
            Expr::If(c, a, b) => {
                c.walk(visit);
                a.walk(visit);
                b.walk(visit);
            }
        }
    }
}
