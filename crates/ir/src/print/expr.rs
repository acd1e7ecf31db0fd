//! Expressions on paper, with as few parentheses as precedence allows.

use super::names::Scope;
use crate::arith::{UNDEF, Value};
use crate::expr::{BinaryOp, Expr, Place, Quantifier, UnaryOp};

/// Precedence of expressions; an operand looser than its context gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Quantifiers and conditional expressions reach as far right as they can.
    Open,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Sign,
    Atom,
}

impl Level {
    fn tighter(self) -> Level {
        match self {
            Level::Open => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Sign,
            Level::Sign | Level::Atom => Level::Atom,
        }
    }
}

/// What the context expects: 0 and 1 are written `false` and `true` where a condition is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Condition,
}

/// A value: a number, or ⊥ as `undef`.
pub(super) fn value(v: Value) -> String {
    if v == UNDEF { "undef".to_string() } else { v.to_string() }
}

/// Prints expressions with the given names.
pub(super) struct Exprs<'a> {
    pub names: &'a Scope<'a>,
}

impl Exprs<'_> {
    pub(super) fn number(&self, e: &Expr) -> String {
        self.text(e, Level::Open, Sort::Number)
    }

    pub(super) fn condition(&self, e: &Expr) -> String {
        self.text(e, Level::Open, Sort::Condition)
    }

    /// A condition that stands next to `and` or `precedes`.
    pub(super) fn condition_in_words(&self, e: &Expr) -> String {
        self.text(e, Level::Not, Sort::Condition)
    }

    /// `x[agent][i, j]`; without indices the whole variable.
    pub(super) fn place(&self, place: &Place) -> String {
        let agent = place.agent.iter().map(|a| format!("[{}]", self.number(a)));
        let index = (!place.index.is_empty()).then(|| format!("[{}]", self.numbers(&place.index)));
        std::iter::once(self.names.var(place.var)).chain(agent).chain(index).collect()
    }

    pub(super) fn numbers(&self, es: &[Expr]) -> String {
        es.iter().map(|e| self.number(e)).collect::<Vec<_>>().join(", ")
    }

    /// `lo..<hi`; sums and products need no parentheses there.
    pub(super) fn half_open(&self, lo: &Expr, hi: &Expr) -> String {
        let bound = |e| self.text(e, Level::Sum, Sort::Number);
        format!("{}..<{}", bound(lo), bound(hi))
    }

    fn text(&self, e: &Expr, context: Level, sort: Sort) -> String {
        let text = self.bare(e, sort);
        if level(e) < context { format!("({text})") } else { text }
    }

    fn bare(&self, e: &Expr, sort: Sort) -> String {
        match e {
            Expr::Const(0) if sort == Sort::Condition => "false".to_string(),
            Expr::Const(1) if sort == Sort::Condition => "true".to_string(),
            Expr::Const(v) => value(*v),
            Expr::Me => "me".to_string(),
            Expr::Bound(b) => self.names.bound(*b),
            Expr::Read(place) => self.place(place),
            Expr::Local(l) => self.names.local(*l),
            Expr::LocalCell(l, index, _) => format!("{}[{}]", self.names.local(*l), self.number(index)),
            Expr::Unary(UnaryOp::Neg, e) => format!("-{}", self.text(e, Level::Atom, Sort::Number)),
            Expr::Unary(UnaryOp::Abs, e) => format!("abs({})", self.number(e)),
            Expr::Unary(UnaryOp::Not, e) => format!("not {}", self.text(e, Level::Not, Sort::Condition)),
            Expr::Binary(op, a, b, _) => self.binary(*op, a, b),
            Expr::And(parts) => self.junction(parts, " and ", Level::And, "true"),
            Expr::Or(parts) => self.junction(parts, " or ", Level::Or, "false"),
            Expr::If(c, a, b) => format!(
                "if {} then {} else {}",
                self.text(c, Level::Or, Sort::Condition),
                self.text(a, Level::Or, sort),
                self.text(b, Level::Open, sort)
            ),
            Expr::Defined(e) => format!("defined({})", self.number(e)),
            Expr::Quantified(quantifier, kinds, bound, body) => {
                let word = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Count => "count",
                };
                let kinds = self.names.kinds(kinds);
                format!("{word} {} in {kinds}: {}", self.names.bound(*bound), self.condition(body))
            }
        }
    }

    /// Operands are one level tighter, so that a junction inside a junction of its kind, which the constructors
    /// never build, shows.
    fn junction(&self, parts: &[Expr], word: &str, level: Level, nothing: &str) -> String {
        match parts {
            [] => nothing.to_string(),
            [only] => self.condition(only),
            parts => {
                let part = |e| self.text(e, level.tighter(), Sort::Condition);
                parts.iter().map(part).collect::<Vec<_>>().join(word)
            }
        }
    }

    fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        let word = match op {
            BinaryOp::Round => return format!("round({}, {})", self.number(a), self.number(b)),
            BinaryOp::Min => return format!("min({}, {})", self.number(a), self.number(b)),
            BinaryOp::Max => return format!("max({}, {})", self.number(a), self.number(b)),
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
            BinaryOp::Eq => "=",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
        };
        let here = operator(op);
        let sort = if here <= Level::And { Sort::Condition } else { Sort::Number };
        // Sums and products group to the left; a comparison of comparisons needs parentheses on both sides.
        let left = if here >= Level::Sum { here } else { here.tighter() };
        format!("{} {word} {}", self.text(a, left, sort), self.text(b, here.tighter(), sort))
    }
}

fn level(e: &Expr) -> Level {
    match e {
        Expr::Quantified(..) | Expr::If(..) => Level::Open,
        Expr::And(parts) | Expr::Or(parts) if parts.len() < 2 => parts.first().map_or(Level::Atom, level),
        Expr::Or(_) => Level::Or,
        Expr::And(_) => Level::And,
        Expr::Unary(UnaryOp::Not, _) => Level::Not,
        Expr::Binary(op, ..) => operator(*op),
        Expr::Unary(UnaryOp::Neg, _) => Level::Sign,
        Expr::Const(v) if *v < 0 && *v != UNDEF => Level::Sign,
        _ => Level::Atom,
    }
}

fn operator(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Or => Level::Or,
        BinaryOp::And => Level::And,
        BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
            Level::Comparison
        }
        BinaryOp::Add | BinaryOp::Sub => Level::Sum,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => Level::Product,
        BinaryOp::Round | BinaryOp::Min | BinaryOp::Max => Level::Atom,
    }
}
