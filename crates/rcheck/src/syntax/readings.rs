//! Two readings of one text. The article has parentheses everywhere, so it does not say how strongly operators bind.
//!
//! The *conventional* reading has the usual levels: `!`, temporal operators, `U R W`, `&`, `|`, `->`, `<->`. The authors' editor
//! (its grammar is in their repository) has one level for all of these from `U` on, from left to right, and lets a prefix
//! operator reach as far as it can; so does `rep`. Their older tool agrees with neither: there, prefix operators bind
//! tightest, `&` comes before `|`, and `->` before `&`.
//!
//! A text is parsed in both ways, and the trees are compared. Parentheses make them equal.

use super::ast::{Expr, Node, Op};
use swarmcheck_source::Span;
use swarmcheck_source::fix::Edit;

/// How strongly operators bind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precedence {
    /// The usual levels.
    Conventional,
    /// One level, as the authors' editor reads.
    Rcheck,
}

impl Precedence {
    pub const ALL: [Precedence; 2] = [Precedence::Conventional, Precedence::Rcheck];

    /// What it is called on the command line and in traces.
    pub fn word(self) -> &'static str {
        match self {
            Precedence::Conventional => "conventional",
            Precedence::Rcheck => "rcheck",
        }
    }

    pub fn named(word: &str) -> Option<Precedence> {
        Precedence::ALL.into_iter().find(|precedence| precedence.word() == word)
    }
}

/// Whether two trees of the same text mean the same: `&` and `|` may be grouped in any way.
pub(super) fn alike(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[&Expr], b: &[&Expr]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b));
    match (&a.node, &b.node) {
        (Node::Binary(Op::And, ..), Node::Binary(Op::And, ..)) => all(&chain(a, Op::And), &chain(b, Op::And)),
        (Node::Binary(Op::Or, ..), Node::Binary(Op::Or, ..)) => all(&chain(a, Op::Or), &chain(b, Op::Or)),
        (Node::Binary(f, a, b), Node::Binary(g, c, d)) => f == g && alike(a, c) && alike(b, d),
        (Node::Number(a), Node::Number(b)) => a == b,
        (Node::Bool(a), Node::Bool(b)) => a == b,
        (Node::Broadcast, Node::Broadcast) => true,
        (Node::Name(a), Node::Name(b)) | (Node::Property(a), Node::Property(b)) => a == b,
        (Node::Of(a, b), Node::Of(c, d)) => a.text == c.text && b.text == d.text,
        (Node::Not(a), Node::Not(b)) | (Node::Negative(a), Node::Negative(b)) => alike(a, b),
        (Node::Call(f, a), Node::Call(g, b)) => {
            f.text == g.text && all(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>())
        }
        (Node::Temporal(f, a), Node::Temporal(g, b)) => f == g && alike(a, b),
        (
            Node::Observe { necessary: f, seen: a, then: b },
            Node::Observe { necessary: g, seen: c, then: d },
        ) => f == g && alike(a, c) && alike(b, d),
        (Node::Agents { body: a, name: f, .. }, Node::Agents { body: b, name: g, .. }) => {
            f.text == g.text && alike(a, b)
        }
        (Node::Admitted { all: f, body: a }, Node::Admitted { all: g, body: b }) => f == g && alike(a, b),
        _ => false,
    }
}

/// The operands of nested `&` or `|`.
fn chain(e: &Expr, op: Op) -> Vec<&Expr> {
    match &e.node {
        Node::Binary(other, a, b) if *other == op => [chain(a, op), chain(b, op)].concat(),
        _ => vec![e],
    }
}

/// A reading with all its parentheses.
pub(super) fn show(e: &Expr, text: &str) -> String {
    let part = |e: &Expr| match &e.node {
        Node::Binary(op, ..) if word(*op).is_some() => format!("({})", show(e, text)),
        Node::Temporal(..) | Node::Observe { .. } | Node::Agents { .. } => format!("({})", show(e, text)),
        _ => show(e, text),
    };
    match &e.node {
        Node::Binary(op, a, b) if word(*op).is_some() => {
            let sign = word(*op).unwrap_or_default();
            let joined = matches!(op, Op::And | Op::Or);
            match joined {
                true => chain(e, *op).into_iter().map(part).collect::<Vec<_>>().join(&format!(" {sign} ")),
                false => format!("{} {sign} {}", part(a), part(b)),
            }
        }
        Node::Not(inner) => format!("!{}", part(inner)),
        Node::Temporal(operator, inner) => format!("{} {}", operator.word(), part(inner)),
        Node::Observe { necessary, seen, then } => {
            let (open, close) = if *necessary { ("[", "]") } else { ("<", ">") };
            format!("{open}{}{close} {}", show(seen, text), part(then))
        }
        Node::Agents { body, .. } => {
            let head = Span { start: e.span.start, end: body.span.start };
            let head = line(text, head);
            format!("{} {}", head.trim_start_matches('(').trim(), part(body))
        }
        Node::Admitted { all, body } => {
            format!("{}({})", if *all { "forall" } else { "exists" }, show(body, text))
        }
        _ => line(text, e.span),
    }
}

/// The parentheses that make both readings of a text this one.
pub(super) fn parentheses(e: &Expr, text: &str) -> Vec<Edit> {
    let mut edits = vec![];
    below(e, text, &mut edits);
    edits
}

/// Parentheses below an expression, where [`show`] has them.
fn below(e: &Expr, text: &str, edits: &mut Vec<Edit>) {
    let mut part = |e: &Expr| {
        let groups = match &e.node {
            // Parentheses that are there already belong to the place.
            Node::Binary(op, a, _) => word(*op).is_some() && a.span.start == e.span.start,
            Node::Temporal(..) | Node::Observe { .. } | Node::Agents { .. } => {
                text.as_bytes().get(e.span.range().start) != Some(&b'(')
            }
            _ => false,
        };
        let insert = |at: u32, text: &str| Edit { span: Span { start: at, end: at }, text: text.to_string() };
        if groups {
            edits.push(insert(e.span.start, "("));
        }
        below(e, text, edits);
        if groups {
            edits.push(insert(e.span.end, ")"));
        }
    };
    match &e.node {
        Node::Binary(op @ (Op::And | Op::Or), ..) => chain(e, *op).into_iter().for_each(part),
        Node::Binary(_, a, b) => [a, b].into_iter().for_each(|e| part(e)),
        Node::Not(inner) | Node::Temporal(_, inner) | Node::Agents { body: inner, .. } => part(inner),
        Node::Observe { seen, then, .. } => {
            part(then);
            below(seen, text, edits);
        }
        Node::Admitted { body, .. } => below(body, text, edits),
        Node::Call(_, arguments) => arguments.iter().for_each(|argument| below(argument, text, edits)),
        _ => {}
    }
}

fn word(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::And => "&",
        Op::Or => "|",
        Op::Implies => "->",
        Op::Iff => "<->",
        Op::Until => "U",
        Op::Release => "R",
        Op::WeakUntil => "W",
        _ => return None,
    })
}

/// The text below a span, in one line.
pub(super) fn line(text: &str, span: Span) -> String {
    let below = text.get(span.range()).unwrap_or("");
    let rows = below.lines().map(|row| row.split("//").next().unwrap_or(""));
    rows.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}
