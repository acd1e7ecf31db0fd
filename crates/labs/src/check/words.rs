//! The words and suggestions that several messages share.

use crate::codes;
use crate::model::Class;
use crate::syntax::ast::{AssignOp, Name};
use swarmcheck_source::{Diagnostic, Span};

/// A name declared for the second time.
pub(super) fn duplicate(what: &str, name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE, name.span, format!("{what} `{}` is declared twice", name.text))
        .label("declared again here")
        .also(first, "first declared here")
}

/// A class of variables, with its article.
pub(super) fn class(class: Class) -> &'static str {
    match class {
        Class::Environment => "an environment variable",
        Class::Attribute => "an attribute",
        Class::Stigmergic(_) => "a stigmergic variable",
    }
}

/// A class of variables, without article.
pub(super) fn bare_class(which: Class) -> &'static str {
    class(which).split_once(' ').map_or("variable", |(_, words)| words)
}

/// The arrow that assigns variables of a class.
pub(super) fn arrow(class: Class) -> AssignOp {
    match class {
        Class::Environment => AssignOp::Environment,
        Class::Attribute => AssignOp::Attribute,
        Class::Stigmergic(_) => AssignOp::Stigmergy,
    }
}

/// "1 index", "2 indices".
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {many}"),
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

/// "`A`", "`A` and `B`", "`A`, `B` and `C`".
pub(super) fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut quoted: Vec<String> = names.into_iter().map(|n| format!("`{n}`")).collect();
    let last = quoted.pop().unwrap_or_default();
    if quoted.is_empty() { last } else { format!("{} and {last}", quoted.join(", ")) }
}
