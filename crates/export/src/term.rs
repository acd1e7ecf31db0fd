//! Terms over numbers and conditions, between the emulation program and the text of a target: no ⊥, no errors, no
//! agents. What can be worked out at once is worked out when a term is built, so that instances read well.

use swarmcheck_ir::{BinaryOp, cancel};

/// A term. Conditions are 0 or 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Term {
    Number(i64),
    /// A variable or a parameter.
    Name(String),
    /// A condition with a name.
    Flag(String),
    /// A cell of an array.
    Cell(String, Box<Term>),
    /// `-t`.
    Minus(Box<Term>),
    /// Negation of a condition.
    Not(Box<Term>),
    /// Arithmetic or a comparison; `Div` truncates, `Mod` and `Round` never see a zero divisor.
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// The remainder of a number that is not negative by one that is positive: the same in all languages.
    Rest(Box<Term>, Box<Term>),
    /// The absolute value.
    Absolute(Box<Term>),
    /// All conditions, evaluated from the left and only as far as needed.
    All(Vec<Term>),
    /// One of the conditions, evaluated from the left and only as far as needed.
    Any(Vec<Term>),
    /// If the first, then the second, else the third; only one of them is evaluated.
    Choice(Box<(Term, Term, Term)>),
}

impl Term {
    pub(crate) const TRUE: Term = Term::Number(1);
    pub(crate) const FALSE: Term = Term::Number(0);

    /// Whether it is a condition, which is 0 or 1.
    pub(crate) fn is_condition(&self) -> bool {
        match self {
            Term::Number(n) => *n == 0 || *n == 1,
            Term::Not(_) | Term::All(_) | Term::Any(_) | Term::Flag(_) => true,
            Term::Binary(op, ..) => op.is_comparison(),
            Term::Choice(parts) => parts.1.is_condition() && parts.2.is_condition(),
            _ => false,
        }
    }

    /// The condition that a term is not 0.
    pub(crate) fn truth(self) -> Term {
        match self {
            Term::Number(n) => Term::Number(i64::from(n != 0)),
            t if t.is_condition() => t,
            t => Term::compare(BinaryOp::Ne, t, Term::Number(0)),
        }
    }

    /// Negation of a condition.
    pub(crate) fn not(t: Term) -> Term {
        match t {
            Term::Number(n) => Term::Number(i64::from(n == 0)),
            Term::Not(inner) => *inner,
            Term::Binary(op, a, b) if op.negated().is_some() => {
                Term::Binary(op.negated().unwrap_or(op), a, b)
            }
            t => Term::Not(Box::new(t)),
        }
    }

    pub(crate) fn all(parts: impl IntoIterator<Item = Term>) -> Term {
        let mut out = vec![];
        for part in parts {
            cancel::check();
            match part {
                Term::Number(0) => {
                    // What stands before is only a condition: evaluating a term has no other effect.
                    return Term::FALSE;
                }
                Term::Number(_) => {}
                Term::All(inner) => out.extend(inner),
                other => out.push(other),
            }
        }
        match out.len() {
            0 => Term::TRUE,
            1 => out.remove(0),
            _ => Term::All(out),
        }
    }

    pub(crate) fn any(parts: impl IntoIterator<Item = Term>) -> Term {
        let mut out = vec![];
        for part in parts {
            cancel::check();
            match part {
                Term::Number(0) => {}
                Term::Number(_) => return Term::TRUE,
                Term::Any(inner) => out.extend(inner),
                other => out.push(other),
            }
        }
        match out.len() {
            0 => Term::FALSE,
            1 => out.remove(0),
            _ => Term::Any(out),
        }
    }

    /// If `c`, then `a`, else `b`.
    pub(crate) fn choice(c: Term, a: Term, b: Term) -> Term {
        match c {
            Term::Number(0) => b,
            Term::Number(_) => a,
            _ if a == b => a,
            c if a == Term::TRUE && b == Term::FALSE => c,
            c if a == Term::FALSE && b == Term::TRUE => Term::not(c),
            c => Term::Choice(Box::new((c, a, b))),
        }
    }

    /// A comparison.
    pub(crate) fn compare(op: BinaryOp, a: Term, b: Term) -> Term {
        Term::binary(op, a, b)
    }

    /// An operation, worked out if both sides are numbers.
    pub(crate) fn binary(op: BinaryOp, a: Term, b: Term) -> Term {
        cancel::check();
        match (&a, &b, op) {
            (Term::Number(x), Term::Number(y), _) => {
                if let Some(value) = swarmcheck_ir::arith::binary(op, *x, *y)
                    && value != swarmcheck_ir::UNDEF
                {
                    return Term::Number(value);
                }
            }
            (Term::Number(0), _, BinaryOp::Add) | (Term::Number(1), _, BinaryOp::Mul) => return b,
            (_, Term::Number(0), BinaryOp::Add | BinaryOp::Sub) | (_, Term::Number(1), BinaryOp::Mul) => {
                return a;
            }
            _ => {}
        }
        Term::Binary(op, Box::new(a), Box::new(b))
    }

    /// `-t`.
    pub(crate) fn minus(t: Term) -> Term {
        match t {
            Term::Number(n) => Term::Number(-n),
            t => Term::Minus(Box::new(t)),
        }
    }

    /// The absolute value.
    pub(crate) fn absolute(t: Term) -> Term {
        match t {
            Term::Number(n) => Term::Number(n.abs()),
            t => Term::Absolute(Box::new(t)),
        }
    }

    /// How many nodes it has: a measure of its text.
    pub(crate) fn size(&self) -> usize {
        1 + match self {
            Term::Number(_) | Term::Name(_) | Term::Flag(_) => 0,
            Term::Cell(_, t) | Term::Minus(t) | Term::Not(t) | Term::Absolute(t) => t.size(),
            Term::Binary(_, a, b) | Term::Rest(a, b) => a.size() + b.size(),
            Term::All(parts) | Term::Any(parts) => parts.iter().map(Term::size).sum(),
            Term::Choice(parts) => parts.0.size() + parts.1.size() + parts.2.size(),
        }
    }
}
