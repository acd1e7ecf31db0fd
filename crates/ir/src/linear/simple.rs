//! Formulas that are `always` or `eventually` in disguise. Those have better searches than formulas.

use super::Linear;
use crate::expr::Expr;
use crate::property::Modality;

/// G p or F p, where p is a condition on states alone; also a conjunction of the former, a disjunction of the latter.
/// `state` gives the condition, if the formula below the operator is one.
pub fn simple<A>(
    formula: &Linear<A>,
    state: &dyn Fn(&Linear<A>) -> Option<Expr>,
) -> Option<(Modality, Expr)> {
    let all = |parts: &[Linear<A>], wanted: Modality| {
        let found = parts.iter().map(|p| simple(p, state)).collect::<Option<Vec<_>>>()?;
        let alike = !found.is_empty() && found.iter().all(|(modality, _)| *modality == wanted);
        alike.then(|| found.into_iter().map(|(_, e)| e).collect::<Vec<_>>())
    };
    match formula {
        Linear::And(parts) | Linear::Or(parts) if parts.len() == 1 => simple(&parts[0], state),
        Linear::Release(a, b) if is_false(a) => Some((Modality::Always, state(b)?)),
        Linear::Until(a, b) if is_true(a) => Some((Modality::Eventually, state(b)?)),
        Linear::And(parts) => Some((Modality::Always, Expr::and(all(parts, Modality::Always)?))),
        Linear::Or(parts) => Some((Modality::Eventually, Expr::or(all(parts, Modality::Eventually)?))),
        _ => None,
    }
}

fn is_true<A>(formula: &Linear<A>) -> bool {
    matches!(formula, Linear::And(parts) if parts.is_empty())
}

fn is_false<A>(formula: &Linear<A>) -> bool {
    matches!(formula, Linear::Or(parts) if parts.is_empty())
}
