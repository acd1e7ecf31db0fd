//! Three truth values, joined after Kleene: what is known of a formula while its execution is not.

/// True, false, or open.
pub type Truth = Option<bool>;

pub(super) fn not(a: Truth) -> Truth {
    a.map(|a| !a)
}

pub(super) fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

pub(super) fn or(a: Truth, b: Truth) -> Truth {
    not(and(not(a), not(b)))
}
