//! Bounds of numbers, and the conditions under which they are left.

use super::Total;
use crate::term::Term;
use swarmcheck_ir::{BinaryOp, Interval, KindId, Program};

/// The agents of some kinds as ranges with both ends, in order; neighbours are joined.
pub(crate) fn spans(program: &Program, kinds: &[KindId]) -> Vec<(u32, u32)> {
    let all = kinds.iter().map(|k| program.kind(*k)).filter(|k| k.count > 0);
    let mut spans: Vec<(u32, u32)> = all.map(|k| (k.first, k.first + k.count - 1)).collect();
    spans.sort_unstable();
    let mut out: Vec<(u32, u32)> = vec![];
    for span in spans {
        match out.last_mut() {
            Some(last) if span.0 <= last.1.saturating_add(1) => last.1 = last.1.max(span.1),
            _ => out.push(span),
        }
    }
    out
}

/// When an index is not below a length.
pub(super) fn outside(index: &Total, length: i64) -> Term {
    let (lo, hi) = index.bounds;
    let below = Term::compare(BinaryOp::Lt, index.value.clone(), Term::Number(0));
    let above = Term::compare(BinaryOp::Ge, index.value.clone(), Term::Number(length));
    Term::any([if lo >= 0 { Term::FALSE } else { below }, if hi < length { Term::FALSE } else { above }])
}

/// When a number is that of an agent in these ranges.
pub(super) fn member(agent: &Total, owners: &[(u32, u32)]) -> Term {
    let (lo, hi) = agent.bounds;
    let within = |span: &(u32, u32)| owners.iter().any(|o| o.0 <= span.0 && span.1 <= o.1);
    if agent.agents.as_ref().is_some_and(|spans| spans.iter().all(within)) {
        return Term::TRUE;
    }
    Term::any(owners.iter().map(|o| {
        let (first, last) = (i64::from(o.0), i64::from(o.1));
        let above = Term::compare(BinaryOp::Ge, agent.value.clone(), Term::Number(first));
        let below = Term::compare(BinaryOp::Le, agent.value.clone(), Term::Number(last));
        Term::all([if lo >= first { Term::TRUE } else { above }, if hi <= last { Term::TRUE } else { below }])
    }))
}

/// Bounds of a result; what is always ⊥ has 0 as its number.
pub(super) fn range(op: BinaryOp, a: (i64, i64), b: (i64, i64)) -> Interval {
    let of = |(lo, hi): (i64, i64)| Interval::new(lo.into(), hi.into());
    let found = Interval::binary(op, of(a), of(b));
    if found.is_empty() { Interval::exactly(0) } else { found }
}

/// When the result of an operation on numbers within the limits is not within them.
pub(super) fn too_large(op: BinaryOp, a: &Term, b: &Term, least: i64, most: i64) -> Term {
    let is = |op, x: Term, y: Term| Term::compare(op, x, y);
    let (zero, minus) =
        (|| Term::Number(0), |x: i64, y: &Term| Term::binary(BinaryOp::Sub, Term::Number(x), y.clone()));
    let plus = |x: i64, y: &Term| Term::binary(BinaryOp::Add, Term::Number(x), y.clone());
    match op {
        BinaryOp::Add => Term::any([
            Term::all([is(BinaryOp::Gt, b.clone(), zero()), is(BinaryOp::Gt, a.clone(), minus(most, b))]),
            Term::all([is(BinaryOp::Lt, b.clone(), zero()), is(BinaryOp::Lt, a.clone(), minus(least, b))]),
        ]),
        BinaryOp::Sub => Term::any([
            Term::all([is(BinaryOp::Lt, b.clone(), zero()), is(BinaryOp::Gt, a.clone(), plus(most, b))]),
            Term::all([is(BinaryOp::Gt, b.clone(), zero()), is(BinaryOp::Lt, a.clone(), plus(least, b))]),
        ]),
        BinaryOp::Mul => {
            let most = Term::binary(BinaryOp::Div, Term::Number(most), Term::absolute(a.clone()));
            Term::all([
                is(BinaryOp::Ne, a.clone(), zero()),
                is(BinaryOp::Gt, Term::absolute(b.clone()), most),
            ])
        }
        // No other operation leaves the limits.
        _ => Term::FALSE,
    }
}
