//! Which loops over agents do nothing for agents that are far away.
//!
//! The delivery of a message is a loop over all agents, and its body begins with a link predicate. If the predicate implies that
//! two coordinates differ by a constant at most, the loop need only go through the agents in a box around the one that runs it:
//! for the others the predicate is false, and the body does nothing. The predicate is still evaluated for everybody in the box,
//! in the order of the agents, so writes come in the same order.
//!
//! Bounds are derived from the shape of the expression: `e <= k` bounds every summand of `e` by `k` minus the least values of the
//! others, a square by its root, an absolute value, a difference and a maximum by themselves. A conjunction has the bounds of all its parts, a
//! disjunction those that all its parts have.
//!
//! An agent may be left out only if evaluating its predicate cannot meet a fault. Intervals show that, for coordinates of at most
//! [`FARTHEST`]; while a coordinate is larger or ⊥, loops go through everybody.

use super::code::{Code, Op};
use crate::arith::Value;
use crate::expr::{BinaryOp, UnaryOp};

/// The largest coordinate for which boxes are used.
pub(super) const FARTHEST: Value = 1 << 29;
/// The most coordinates of a box.
pub(super) const MOST: usize = 3;

/// For some variables, the least and the largest difference between the copy of the agent that runs the loop and that of the bound
/// agent.
type Bounds = Vec<(u32, Range)>;
type Range = (i128, i128);
/// Larger than every difference of two numbers.
const FAR: i128 = 1 << 66;

/// For whom a block does something.
#[derive(Clone, PartialEq, Debug)]
enum Reach {
    Nobody,
    Within(Bounds),
    Everybody,
}

impl Reach {
    /// Whoever is reached by one of the two.
    fn or(self, other: Reach) -> Reach {
        match (self, other) {
            (Reach::Nobody, reach) | (reach, Reach::Nobody) => reach,
            (Reach::Within(a), Reach::Within(b)) => {
                let both = |(var, d): &(u32, Range)| {
                    let (_, e) = b.iter().find(|(other, _)| other == var)?;
                    Some((*var, hull(*d, *e)))
                };
                let both: Bounds = a.iter().filter_map(both).collect();
                if both.is_empty() { Reach::Everybody } else { Reach::Within(both) }
            }
            _ => Reach::Everybody,
        }
    }

    /// Whoever is reached by both.
    fn and(self, other: Reach) -> Reach {
        match (self, other) {
            (Reach::Nobody, _) | (_, Reach::Nobody) => Reach::Nobody,
            (Reach::Everybody, reach) | (reach, Reach::Everybody) => reach,
            (Reach::Within(mut a), Reach::Within(b)) => {
                for (var, d) in b {
                    match a.iter_mut().find(|(other, _)| *other == var) {
                        Some((_, range)) => *range = (d.0.max(range.0), d.1.min(range.1)),
                        None => a.push((var, d)),
                    }
                }
                Reach::Within(a)
            }
        }
    }
}

/// The box outside which the body of a loop does nothing, if there is one: variables and by how much they may differ.
pub(super) fn bounds(body: &[Op], bound: u32) -> Option<Vec<(u32, Value)>> {
    let Reach::Within(ranges) = block(body, bound) else { return None };
    let radius = |(var, (lo, hi)): (u32, Range)| {
        let radius = (-lo).max(hi).max(0);
        (radius <= i128::from(FARTHEST)).then_some((var, radius as Value))
    };
    let bounds: Vec<(u32, Value)> = ranges.into_iter().filter_map(radius).take(MOST).collect();
    let vars: Vec<u32> = bounds.iter().map(|(var, _)| *var).collect();
    (!bounds.is_empty() && tests_are_safe(body, &vars) && !writes(body, &vars)).then_some(bounds)
}

fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn block(body: &[Op], bound: u32) -> Reach {
    body.iter().fold(Reach::Nobody, |reach, op| match op {
        Op::If(condition, _, no) => reach.or(reached(condition, bound)).or(block(no, bound)),
        _ => Reach::Everybody,
    })
}

/// Whether the tests that decide whether the body does anything are free of faults.
fn tests_are_safe(body: &[Op], near: &[u32]) -> bool {
    body.iter().all(|op| match op {
        Op::If(condition, _, no) => interval(condition, near).is_some() && tests_are_safe(no, near),
        _ => false,
    })
}

/// Whether a block may write one of these variables.
fn writes(body: &[Op], vars: &[u32]) -> bool {
    body.iter().any(|op| match op {
        Op::AssignMine(var, _) | Op::AssignBound { var, .. } | Op::Copy { var, .. } | Op::Rank(var) => {
            vars.contains(var)
        }
        Op::Assign(target, _) | Op::Fill { target, .. } => vars.contains(&target.var),
        Op::If(_, yes, no) => writes(yes, vars) || writes(no, vars),
        Op::Choose(branches) => branches.iter().any(|(_, body)| writes(body, vars)),
        Op::ForEach(_, _, body) => writes(body, vars),
        Op::Near(near) => writes(&near.body, vars),
        Op::AssignGlobal(..)
        | Op::Let(..)
        | Op::Havoc(..)
        | Op::Pick(_)
        | Op::Assume(_)
        | Op::Check(_)
        | Op::Tick(_) => false,
    })
}

/// For whom a condition can hold.
fn reached(condition: &Code, bound: u32) -> Reach {
    match condition {
        Code::Const(0) => Reach::Nobody,
        Code::And(parts) => {
            parts.iter().fold(Reach::Everybody, |reach, part| reach.and(reached(part, bound)))
        }
        Code::Or(parts) => parts.iter().fold(Reach::Nobody, |reach, part| reach.or(reached(part, bound))),
        Code::Binary(op, sides, _) => {
            let (op, e, k) = match (&sides.0, &sides.1) {
                (e, Code::Const(k)) => (*op, e, *k),
                (Code::Const(k), e) => (op.mirrored(), e, *k),
                _ => return Reach::Everybody,
            };
            let k = i128::from(k);
            match op {
                BinaryOp::Le => at_most(e, k, bound),
                BinaryOp::Lt => at_most(e, k - 1, bound),
                BinaryOp::Ge => at_least(e, k, bound),
                BinaryOp::Gt => at_least(e, k + 1, bound),
                BinaryOp::Eq => at_most(e, k, bound).and(at_least(e, k, bound)),
                _ => Reach::Everybody,
            }
        }
        _ => Reach::Everybody,
    }
}

/// For whom an expression can be defined and at most `k`.
fn at_most(e: &Code, k: i128, bound: u32) -> Reach {
    let within = |e: &Code, most: i128| match distance(e, bound) {
        Some(_) if most < 0 => Reach::Nobody,
        Some((var, _)) => Reach::Within(vec![(var, (-most, most))]),
        None => Reach::Everybody,
    };
    match e {
        Code::Unary(UnaryOp::Abs, e) => within(e, k),
        Code::Binary(BinaryOp::Add, sides, _) => {
            let summand = |e: &Code, other: &Code| match least(other) {
                Some(least) => at_most(e, k - least, bound),
                None => Reach::Everybody,
            };
            summand(&sides.0, &sides.1).and(summand(&sides.1, &sides.0))
        }
        Code::Binary(BinaryOp::Mul, sides, _) if same(&sides.0, &sides.1) => {
            within(&sides.0, if k < 0 { -1 } else { k.isqrt() })
        }
        Code::Binary(BinaryOp::Max, sides, _) => at_most(&sides.0, k, bound).and(at_most(&sides.1, k, bound)),
        e => match distance(e, bound) {
            Some((var, true)) => Reach::Within(vec![(var, (-FAR, k))]),
            Some((var, false)) => Reach::Within(vec![(var, (-k, FAR))]),
            None => Reach::Everybody,
        },
    }
}

/// For whom an expression can be defined and at least `k`.
fn at_least(e: &Code, k: i128, bound: u32) -> Reach {
    match distance(e, bound) {
        Some((var, true)) => Reach::Within(vec![(var, (k, FAR))]),
        Some((var, false)) => Reach::Within(vec![(var, (-FAR, -k))]),
        None => Reach::Everybody,
    }
}

/// The least value of an expression that is not negative by its shape.
fn least(e: &Code) -> Option<i128> {
    match e {
        Code::Const(v) if *v != crate::UNDEF => Some(i128::from(*v)),
        Code::Unary(UnaryOp::Abs, _) => Some(0),
        Code::Binary(BinaryOp::Mul, sides, _) if same(&sides.0, &sides.1) => Some(0),
        Code::Binary(BinaryOp::Add, sides, _) => Some(least(&sides.0)? + least(&sides.1)?),
        Code::Binary(BinaryOp::Max, sides, _) => match (least(&sides.0), least(&sides.1)) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        },
        _ => None,
    }
}

/// The variable whose copies are subtracted, one of the agent that runs the loop and one of the bound agent, and whether the first one
/// comes first.
fn distance(e: &Code, bound: u32) -> Option<(u32, bool)> {
    let Code::Binary(BinaryOp::Sub, sides, _) = e else { return None };
    match (&sides.0, &sides.1) {
        (Code::Mine(x), Code::OfBound { var, bound: b }) if x == var && *b == bound => Some((*x, true)),
        (Code::OfBound { var, bound: b }, Code::Mine(x)) if x == var && *b == bound => Some((*x, false)),
        _ => None,
    }
}

/// Whether two expressions of a simple form are the same, so that their product is a square.
fn same(a: &Code, b: &Code) -> bool {
    match (a, b) {
        (Code::Const(x), Code::Const(y)) => x == y,
        (Code::Mine(x), Code::Mine(y)) => x == y,
        (Code::OfBound { var: x, bound: a }, Code::OfBound { var: y, bound: b }) => (x, a) == (y, b),
        (Code::Binary(p, a, _), Code::Binary(q, b, _)) => p == q && same(&a.0, &b.0) && same(&a.1, &b.1),
        (Code::Unary(p, a), Code::Unary(q, b)) => p == q && same(a, b),
        _ => false,
    }
}

const ANY: (i128, i128) = (Value::MIN as i128, Value::MAX as i128);
const TRUTH: (i128, i128) = (0, 1);

/// The numbers that an expression can evaluate to, besides ⊥; nothing if it may meet a fault. These variables have at most
/// [`FARTHEST`].
pub(super) fn interval(e: &Code, near: &[u32]) -> Option<(i128, i128)> {
    let far = i128::from(FARTHEST);
    Some(match e {
        Code::Const(v) => (i128::from(*v), i128::from(*v)),
        Code::Me | Code::Bound(_) => (0, i128::from(u32::MAX)),
        Code::Mine(var) | Code::OfBound { var, .. } if near.contains(var) => (-far, far),
        Code::Mine(_) | Code::OfBound { .. } | Code::Global(_) | Code::Local(_) => ANY,
        Code::Unary(op, e) => {
            let (lo, hi) = interval(e, near)?;
            match op {
                UnaryOp::Not => TRUTH,
                UnaryOp::Neg => (-hi, -lo),
                UnaryOp::Abs => (0, hi.max(-lo)),
            }
        }
        Code::Binary(op, sides, _) => {
            let (a, b) = (interval(&sides.0, near)?, interval(&sides.1, near)?);
            let hull = (a.0.min(b.0), a.1.max(b.1));
            let result = match op {
                BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
                BinaryOp::Sub => (a.0 - b.1, a.1 - b.0),
                BinaryOp::Mul => {
                    // Numbers of 64 bits: their products fit 128.
                    let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
                    (all.into_iter().min()?, all.into_iter().max()?)
                }
                BinaryOp::Min | BinaryOp::Max => hull,
                BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round => ANY,
                _ => TRUTH,
            };
            let checked = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
            if checked && (result.0 <= ANY.0 || result.1 > ANY.1) {
                return None;
            }
            result
        }
        Code::And(parts) | Code::Or(parts) => {
            parts.iter().try_for_each(|part| interval(part, near).map(|_| ()))?;
            TRUTH
        }
        Code::If(parts) => {
            interval(&parts.0, near)?;
            let (a, b) = (interval(&parts.1, near)?, interval(&parts.2, near)?);
            (a.0.min(b.0), a.1.max(b.1))
        }
        Code::Defined(e) => {
            interval(e, near)?;
            TRUTH
        }
        Code::LocalCell { .. }
        | Code::Cell(_)
        | Code::Quantified(..)
        | Code::Newest { .. }
        | Code::Kept(_) => return None,
    })
}
