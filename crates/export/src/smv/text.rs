//! Terms in SMV, where numbers and conditions are different things: which one is expected decides how a term is written.
//! Operators and their precedence are those of the NuSMV 2.6 manual, section 2.2.3.

use crate::term::Term;
use swarmcheck_ir::BinaryOp;

/// Operator precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Choice,
    Any,
    All,
    Comparison,
    Sum,
    Product,
    Sign,
    Atom,
}

/// A term where a condition is expected.
pub(super) fn condition(t: &Term) -> String {
    truth(t, Level::Choice)
}

/// A term where a number is expected.
pub(super) fn number(t: &Term) -> String {
    value(t, Level::Choice)
}

fn wrapped(text: String, level: Level, context: Level) -> String {
    if level < context { format!("({text})") } else { text }
}

fn truth(t: &Term, context: Level) -> String {
    let (text, level) = match t {
        Term::Number(0) => ("FALSE".to_string(), Level::Atom),
        Term::Number(_) => ("TRUE".to_string(), Level::Atom),
        Term::Flag(name) => (name.clone(), Level::Atom),
        Term::Not(t) => (format!("!{}", truth(t, Level::Atom)), Level::Sign),
        Term::All(parts) => (joined(parts, " & ", Level::Comparison), Level::All),
        Term::Any(parts) => (joined(parts, " | ", Level::Comparison), Level::Any),
        Term::Binary(op, a, b) if op.is_comparison() => (
            format!("{} {} {}", value(a, Level::Sum), operator(*op), value(b, Level::Sum)),
            Level::Comparison,
        ),
        Term::Choice(parts) if t.is_condition() => {
            let (c, a, b) = &**parts;
            let text =
                format!("{} ? {} : {}", truth(c, Level::Any), truth(a, Level::Any), truth(b, Level::Any));
            (text, Level::Choice)
        }
        t => (format!("{} != 0", value(t, Level::Sum)), Level::Comparison),
    };
    wrapped(text, level, context)
}

fn value(t: &Term, context: Level) -> String {
    let (text, level) = match t {
        Term::Number(n) if *n < 0 => (n.to_string(), Level::Sign),
        Term::Number(n) => (n.to_string(), Level::Atom),
        Term::Name(name) => (name.clone(), Level::Atom),
        Term::Minus(t) => (format!("-{}", value(t, Level::Atom)), Level::Sign),
        Term::Rest(a, b) => {
            (format!("{} mod {}", value(a, Level::Product), value(b, Level::Sign)), Level::Product)
        }
        Term::Choice(parts) if !t.is_condition() => {
            let (c, a, b) = &**parts;
            let text =
                format!("{} ? {} : {}", truth(c, Level::Any), value(a, Level::Any), value(b, Level::Any));
            (text, Level::Choice)
        }
        Term::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            (format!("{} {} {}", value(a, Level::Sum), operator(*op), value(b, Level::Product)), Level::Sum)
        }
        Term::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), a, b) => (
            format!("{} {} {}", value(a, Level::Product), operator(*op), value(b, Level::Sign)),
            Level::Product,
        ),
        // A condition as a number.
        t => (format!("{} ? 1 : 0", truth(t, Level::Any)), Level::Choice),
    };
    wrapped(text, level, context)
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Mod => "mod",
        BinaryOp::Eq => "=",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        // Terms say these in other ways.
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Round | BinaryOp::Min | BinaryOp::Max => "+",
    }
}

fn joined(parts: &[Term], word: &str, context: Level) -> String {
    parts.iter().map(|p| truth(p, context)).collect::<Vec<_>>().join(word)
}

/// A term without the operations that SMV does not have, or not in our sense: rounding, absolute values, and
/// quotients and remainders of negative numbers, in which versions differ.
///
/// What is needed more than once gets a name by `name`, because nested terms would double at every level otherwise.
pub(super) fn plain(t: Term, name: &dyn Fn(Term) -> Term) -> Term {
    let plain = |t: Term| plain(t, name);
    let shared = |t: Box<Term>| name(plain(*t));
    let many = |parts: Vec<Term>| parts.into_iter().map(plain).collect();
    let minus = |x: Term, y: Term| Term::binary(BinaryOp::Sub, x, y);
    match t {
        Term::Absolute(t) => size(&shared(t)),
        Term::Binary(BinaryOp::Min, a, b) => {
            let (a, b) = (shared(a), shared(b));
            Term::choice(Term::compare(BinaryOp::Lt, a.clone(), b.clone()), a, b)
        }
        Term::Binary(BinaryOp::Max, a, b) => {
            let (a, b) = (shared(a), shared(b));
            Term::choice(Term::compare(BinaryOp::Gt, a.clone(), b.clone()), a, b)
        }
        Term::Binary(op @ (BinaryOp::Mod | BinaryOp::Round | BinaryOp::Div), a, b) => {
            let (a, b) = (shared(a), shared(b));
            let (dividend, divisor) = (name(size(&a)), divisor(name(size(&b))));
            let rest = || Term::Rest(Box::new(dividend.clone()), Box::new(divisor.clone()));
            let whole = || Term::Binary(BinaryOp::Div, Box::new(dividend.clone()), Box::new(divisor.clone()));
            let same = Term::any([
                Term::all([negative(&a), negative(&b)]),
                Term::all([Term::not(negative(&a)), Term::not(negative(&b))]),
            ]);
            let signed = |t: Term| Term::choice(same, t.clone(), Term::minus(t));
            match op {
                BinaryOp::Div => signed(name(whole())),
                BinaryOp::Mod => {
                    let rest = name(rest());
                    let none = Term::compare(BinaryOp::Eq, rest.clone(), Term::Number(0));
                    let up = Term::choice(none, Term::Number(0), minus(divisor, rest.clone()));
                    Term::choice(negative(&a), up, rest)
                }
                _ => {
                    let (rest, whole) = (name(rest()), name(whole()));
                    let up = Term::compare(BinaryOp::Ge, rest.clone(), minus(divisor, rest));
                    let next = Term::binary(BinaryOp::Add, whole.clone(), Term::Number(1));
                    signed(name(Term::choice(up, next, whole)))
                }
            }
        }
        Term::Cell(name, index) => Term::Cell(name, Box::new(plain(*index))),
        Term::Minus(t) => Term::minus(plain(*t)),
        Term::Not(t) => Term::not(plain(*t)),
        Term::Rest(a, b) => Term::Rest(Box::new(plain(*a)), Box::new(divisor(shared(b)))),
        Term::Binary(op, a, b) => Term::binary(op, plain(*a), plain(*b)),
        Term::All(parts) => Term::All(many(parts)),
        Term::Any(parts) => Term::Any(many(parts)),
        Term::Choice(parts) => {
            let (c, a, b) = *parts;
            Term::choice(plain(c), plain(a), plain(b))
        }
        other => other,
    }
}

fn negative(t: &Term) -> Term {
    Term::compare(BinaryOp::Lt, t.clone(), Term::Number(0))
}

/// The absolute value.
fn size(t: &Term) -> Term {
    Term::choice(negative(t), Term::minus(t.clone()), t.clone())
}

/// A number that is positive wherever it is used to divide by. NuSMV divides in all states, whatever the value is used for, and refuses
/// a module in which a divisor is 0 in one of them.
fn divisor(t: Term) -> Term {
    Term::choice(Term::compare(BinaryOp::Lt, t.clone(), Term::Number(1)), Term::Number(1), t)
}
