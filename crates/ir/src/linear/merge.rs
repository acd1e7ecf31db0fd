//! Formulas over conditions with fewer and larger conditions: what is said of one state becomes one condition. Automata
//! are smaller for it.

use super::Linear;
use crate::expr::Expr;

/// The same formula. `!`, `and` and `or` of conditions are conditions; X commutes with them, so what is said of the
/// next state stays together, too.
pub fn merged(formula: &Linear<Expr>) -> Linear<Expr> {
    match formula {
        Linear::Atom(e) => Linear::Atom(e.clone()),
        Linear::Not(a) => match merged(a) {
            Linear::Atom(e) => Linear::Atom(Expr::not(e)),
            Linear::Next(a) => match *a {
                Linear::Atom(e) => Linear::next(Linear::Atom(Expr::not(e))),
                other => Linear::not(Linear::next(other)),
            },
            other => Linear::not(other),
        },
        Linear::And(parts) => list(parts, Expr::and, Linear::And),
        Linear::Or(parts) => implication(parts).unwrap_or_else(|| list(parts, Expr::or, Linear::Or)),
        Linear::Next(a) => Linear::next(merged(a)),
        Linear::Until(a, b) => Linear::until(merged(a), merged(b)),
        Linear::Release(a, b) => Linear::release(merged(a), merged(b)),
    }
}

/// The premise of an implication stays one: where it is never true, the formula says nothing, and that is looked for.
fn implication(parts: &[Linear<Expr>]) -> Option<Linear<Expr>> {
    let is_condition = |f: &Linear<Expr>| match f {
        Linear::Atom(_) => true,
        Linear::Next(inner) => matches!(**inner, Linear::Atom(_)),
        _ => false,
    };
    let [Linear::Not(premise), then] = parts else { return None };
    let (premise, then) = (merged(premise), merged(then));
    let keeps = is_condition(&premise) && !is_condition(&then);
    keeps.then(|| Linear::Or(vec![Linear::not(premise), then]))
}

fn list(
    parts: &[Linear<Expr>],
    join: fn(Vec<Expr>) -> Expr,
    build: fn(Vec<Linear<Expr>>) -> Linear<Expr>,
) -> Linear<Expr> {
    let (mut now, mut next, mut others) = (vec![], vec![], vec![]);
    for part in parts {
        match merged(part) {
            Linear::Atom(e) => now.push(e),
            Linear::Next(inner) => match *inner {
                Linear::Atom(e) => next.push(e),
                other => others.push(Linear::next(other)),
            },
            other => others.push(other),
        }
    }
    let now = (!now.is_empty()).then(|| Linear::Atom(join(now)));
    let next = (!next.is_empty()).then(|| Linear::next(Linear::Atom(join(next))));
    let mut all: Vec<Linear<Expr>> = now.into_iter().chain(next).chain(others).collect();
    if all.len() == 1 { all.remove(0) } else { build(all) }
}
