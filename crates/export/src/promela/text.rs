//! Terms in Promela, which writes them as C does, except for the conditional.

use crate::term::Term;
use swarmcheck_ir::BinaryOp;

/// Operator precedence; an operand that binds less gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Any,
    All,
    Comparison,
    Sum,
    Product,
    Sign,
    Atom,
}

/// The operations that Promela does not have, as macros; the file defines all of them.
pub(super) const MACROS: &str = "\
#define absolute(x) ((x) < 0 -> -(x) : (x))
#define least(x, y) ((x) < (y) -> (x) : (y))
#define greatest(x, y) ((x) > (y) -> (x) : (y))
#define modulo(x, y) ((x) % (y) < 0 -> (x) % (y) + absolute(y) : (x) % (y))
#define rest(x, y) absolute((x) % (y))
#define away(x, y) (((x) < 0) == ((y) < 0) -> 1 : -1)
#define rounded(x, y) ((x) / (y) + (rest(x, y) >= absolute(y) - rest(x, y) -> away(x, y) : 0))
";

pub(super) const MACRO_NAMES: &[&str] =
    &["absolute", "least", "greatest", "modulo", "rest", "away", "rounded"];

pub(super) fn text(t: &Term) -> String {
    at(t, Level::Any)
}

/// A term as an operand of negation.
pub(super) fn atom(t: &Term) -> String {
    at(t, Level::Atom)
}

fn at(t: &Term, context: Level) -> String {
    let (text, level) = bare(t);
    if level < context { format!("({text})") } else { text }
}

fn bare(t: &Term) -> (String, Level) {
    let call = |name: &str, parts: &[&Term]| {
        let parts: Vec<String> = parts.iter().map(|p| text(p)).collect();
        (format!("{name}({})", parts.join(", ")), Level::Atom)
    };
    match t {
        Term::Number(n) if *n < 0 => (n.to_string(), Level::Sign),
        Term::Number(n) => (n.to_string(), Level::Atom),
        Term::Name(name) | Term::Flag(name) => (name.clone(), Level::Atom),
        Term::Cell(name, index) => (format!("{name}[{}]", text(index)), Level::Atom),
        Term::Minus(t) => (format!("-{}", at(t, Level::Atom)), Level::Sign),
        Term::Not(t) => (format!("!{}", at(t, Level::Atom)), Level::Sign),
        Term::Absolute(t) => call("absolute", &[t]),
        Term::Rest(a, b) => (format!("{} % {}", at(a, Level::Product), at(b, Level::Sign)), Level::Product),
        Term::All(parts) => (joined(parts, " && ", Level::Comparison), Level::All),
        Term::Any(parts) => (joined(parts, " || ", Level::Comparison), Level::Any),
        Term::Choice(parts) => {
            let (c, a, b) = &**parts;
            (
                format!("({} -> {} : {})", text(c), at(a, Level::Comparison), at(b, Level::Comparison)),
                Level::Atom,
            )
        }
        Term::Binary(op, a, b) => {
            let (word, level) = match op {
                BinaryOp::Mod => return call("modulo", &[a, b]),
                BinaryOp::Round => return call("rounded", &[a, b]),
                BinaryOp::Min => return call("least", &[a, b]),
                BinaryOp::Max => return call("greatest", &[a, b]),
                BinaryOp::Add => ("+", Level::Sum),
                BinaryOp::Sub => ("-", Level::Sum),
                BinaryOp::Mul => ("*", Level::Product),
                BinaryOp::Div => ("/", Level::Product),
                BinaryOp::Eq => ("==", Level::Comparison),
                BinaryOp::Ne => ("!=", Level::Comparison),
                BinaryOp::Lt => ("<", Level::Comparison),
                BinaryOp::Le => ("<=", Level::Comparison),
                BinaryOp::Gt => (">", Level::Comparison),
                BinaryOp::Ge => (">=", Level::Comparison),
                // Terms say these two in other ways.
                BinaryOp::And => ("&&", Level::All),
                BinaryOp::Or => ("||", Level::Any),
            };
            let (left, right) = match level {
                Level::Sum => (Level::Sum, Level::Product),
                Level::Product => (Level::Product, Level::Sign),
                _ => (Level::Sum, Level::Sum),
            };
            (format!("{} {word} {}", at(a, left), at(b, right)), level)
        }
    }
}

/// `and` inside `or` gets parentheses, because the precedence is easily misread.
fn joined(parts: &[Term], word: &str, context: Level) -> String {
    parts.iter().map(|p| at(p, context)).collect::<Vec<_>>().join(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(n: &str) -> Term {
        Term::Name(n.to_string())
    }

    /// Parentheses are where C needs them: subtraction groups to the left, and a sign is not a subtraction.
    #[test]
    fn parentheses() {
        let minus = |a, b| Term::binary(BinaryOp::Sub, a, b);
        assert_eq!(text(&minus(name("x"), minus(name("y"), name("z")))), "x - (y - z)");
        assert_eq!(text(&minus(minus(name("x"), name("y")), name("z"))), "x - y - z");
        assert_eq!(text(&minus(name("x"), Term::Number(-3))), "x - -3");
        let less = Term::compare(BinaryOp::Lt, name("x"), Term::Number(1));
        let both = Term::all([less.clone(), name("q")]);
        assert_eq!(text(&Term::any([both.clone(), name("r")])), "(x < 1 && q) || r");
        assert_eq!(text(&Term::compare(BinaryOp::Eq, less, name("y"))), "(x < 1) == y");
        assert_eq!(text(&Term::Not(Box::new(both))), "!(x < 1 && q)");
    }
}
