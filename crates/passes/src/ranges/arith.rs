//! Arithmetic on abstract values: for each operator, all results that operands in these sets can have.
//!
//! Few operands are combined one by one, with the executor's own arithmetic. For intervals, each operator here is
//! monotone in each operand on each of the pieces it is split into, so the extreme results are at the corners. The
//! flag in a result says that numbers of 64 bits may leave 64 bits: these runs end with a fault, but the result has
//! no end on that side all the same (see [`super::value`]).

use super::value::{MOST, Value};
use swarmcheck_ir::{BinaryOp, UNDEF, UnaryOp, arith};

/// `op a`.
pub(super) fn unary(op: UnaryOp, a: &Value) -> Value {
    if let Some(few) = a.few() {
        let cells = few.iter().copied().chain(a.undef.then_some(UNDEF));
        return of_cells(cells.map(|v| arith::unary(op, v)));
    }
    let (lo, hi) = a.reach().unwrap_or((0, 0));
    match op {
        UnaryOp::Not => Value::condition(true, a.contains(0)),
        UnaryOp::Neg => Value::between(-hi, -lo).with_undef(a.undef),
        UnaryOp::Abs => {
            let least = if a.contains(0) { 0 } else { lo.abs().min(hi.abs()) };
            Value::between(least, lo.abs().max(hi.abs())).with_undef(a.undef)
        }
    }
}

/// `a op b`, and whether it may overflow.
pub(super) fn binary(op: BinaryOp, a: &Value, b: &Value) -> (Value, bool) {
    if a.is_none() || b.is_none() {
        return (Value::NONE, false);
    }
    if let (Some(x), Some(y)) = (a.few(), b.few()) {
        return one_by_one(op, a, b, &x, &y);
    }
    let undef = a.undef || b.undef;
    let (Some((al, ah)), Some((bl, bh))) = (a.reach(), b.reach()) else {
        // One is always ⊥.
        return (if op.is_comparison() { Value::only(0) } else { Value::UNDEF }, false);
    };
    if op.is_comparison() {
        let (yes, no) = match op {
            BinaryOp::Eq => (!a.meet(b).has_no_integer(), true),
            BinaryOp::Ne => (true, !a.meet(b).has_no_integer()),
            BinaryOp::Lt => (al < bh, ah >= bl),
            BinaryOp::Le => (al <= bh, ah > bl),
            BinaryOp::Gt => (ah > bl, al <= bh),
            _ => (ah >= bl, al < bh),
        };
        return (Value::condition(no || undef, yes), false);
    }
    match op {
        BinaryOp::Div | BinaryOp::Round => {
            return (quotient(op, a, b).with_undef(undef || b.contains(0)), false);
        }
        BinaryOp::Mod => return (remainder(a, b).with_undef(undef || b.contains(0)), false),
        _ => {}
    }
    // The binary forms of `and` and `or` do not occur in valid programs.
    let Some(exact) = exact(op) else { return (Value::condition(true, true), false) };
    let corners = |al, ah, bl, bh| hull([exact(al, bl), exact(al, bh), exact(ah, bl), exact(ah, bh)]);
    let most = i128::from(MOST);
    let number = |end: i128| end.clamp(-most, most);
    let (lo, hi) = corners(number(al), number(ah), number(bl), number(bh));
    let overflow = lo < -most || hi > most;
    let (lo, hi) = corners(al, ah, bl, bh);
    (Value::between(lo, hi).with_undef(undef), overflow)
}

/// The operators that are monotone in each operand, for integers of any size.
fn exact(op: BinaryOp) -> Option<fn(i128, i128) -> i128> {
    Some(match op {
        BinaryOp::Add => i128::saturating_add,
        BinaryOp::Sub => i128::saturating_sub,
        BinaryOp::Mul => i128::saturating_mul,
        BinaryOp::Min => |x, y| x.min(y),
        BinaryOp::Max => |x, y| x.max(y),
        _ => return None,
    })
}

/// `e op e`: both operands are the same expression, so they have the same value.
pub(super) fn with_itself(op: BinaryOp, e: &Value) -> Option<(Value, bool)> {
    if e.is_none() {
        return Some((Value::NONE, false));
    }
    let (yes, no) = (!e.has_no_integer(), e.undef);
    let of = |value: Value| Some((if yes { value } else { Value::NONE }.with_undef(e.undef), false));
    match op {
        BinaryOp::Sub => of(Value::only(0)),
        BinaryOp::Min | BinaryOp::Max => Some((e.clone(), false)),
        BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge => Some((Value::condition(no, yes), false)),
        BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt => Some((Value::condition(true, false), false)),
        BinaryOp::Div | BinaryOp::Round | BinaryOp::Mod => {
            let one = Value::only(i64::from(op != BinaryOp::Mod));
            let some = !e.without(0).has_no_integer();
            Some((if some { one } else { Value::NONE }.with_undef(e.undef || e.contains(0)), false))
        }
        BinaryOp::Mul => {
            if let Some(few) = e.few() {
                let squares: Vec<Option<i64>> = few.iter().map(|v| v.checked_mul(*v)).collect();
                let overflow = squares.contains(&None);
                let squares = Value::of(squares.into_iter().flatten());
                let large = if overflow { Value::between(MOST.into(), MOST.into()) } else { Value::NONE };
                return Some((squares.join(&large).with_undef(e.undef), overflow));
            }
            let (lo, hi) = e.reach()?;
            let (low, high) = (lo.saturating_mul(lo), hi.saturating_mul(hi));
            let least = if e.contains(0) { 0 } else { low.min(high) };
            let overflow = low.max(high) > i128::from(MOST);
            Some((Value::between(least, low.max(high)).with_undef(e.undef), overflow))
        }
        _ => None,
    }
}

/// `e / |e|` or `|e| / e`: the sign of `e`.
pub(super) fn sign(e: &Value) -> Value {
    let negative = !e.meet(&Value::between(-i128::from(MOST), -1)).has_no_integer();
    let positive = !e.meet(&Value::between(1, i128::from(MOST))).has_no_integer();
    let signs =
        Value::of([(negative, -1), (positive, 1)].into_iter().filter(|(may, _)| *may).map(|(_, s)| s));
    signs.with_undef(e.undef || e.contains(0))
}

fn one_by_one(op: BinaryOp, a: &Value, b: &Value, x: &[i64], y: &[i64]) -> (Value, bool) {
    let cells =
        |few: &[i64], undef: bool| few.iter().copied().chain(undef.then_some(UNDEF)).collect::<Vec<_>>();
    let (x, y) = (cells(x, a.undef), cells(y, b.undef));
    let mut numbers = vec![];
    let mut large = Value::NONE;
    for (v, w) in x.iter().flat_map(|v| y.iter().map(move |w| (*v, *w))) {
        match arith::binary(op, v, w) {
            Some(number) => numbers.push(number),
            None => {
                let result = exact(op).map_or(Value::INTEGER, |exact| {
                    let result = exact(v.into(), w.into());
                    Value::between(result, result)
                });
                large = large.join(&result);
            }
        }
    }
    let overflow = !large.is_none();
    let numbers = of_cells(numbers.into_iter());
    let undef = numbers.undef;
    (numbers.join(&large).with_undef(undef), overflow)
}

fn of_cells(cells: impl Iterator<Item = i64>) -> Value {
    let cells: Vec<i64> = cells.collect();
    let undef = cells.contains(&UNDEF);
    Value::of(cells.into_iter().filter(|v| *v != UNDEF)).with_undef(undef)
}

fn hull<const N: usize>(corners: [i128; N]) -> (i128, i128) {
    (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
}

/// Division by what is not 0, for the negative and the positive divisors apart: there it is monotone in both operands
/// (growing or falling in the divisor depending on the sign of the dividend, which is why the dividend is split too).
fn quotient(op: BinaryOp, a: &Value, b: &Value) -> Value {
    let halves = |v: &Value| {
        let most = i128::from(MOST);
        [Value::between(-most, -1), Value::between(1, most)].map(|half| {
            let half = v.meet(&half);
            let endless = |end: i128| end.abs() > most;
            half.reach().zip(half.bounds()).map(|((lo, hi), (l, h))| (l, h, endless(lo) || endless(hi)))
        })
    };
    let mut out = Value::NONE;
    if a.contains(0) && !b.without(0).has_no_integer() {
        out = Value::only(0);
    }
    for (al, ah, endless) in halves(a).into_iter().flatten() {
        for (bl, bh, vast) in halves(b).into_iter().flatten() {
            let at = |x, y| i128::from(arith::binary(op, x, y).unwrap_or(0));
            let (lo, hi) = hull([at(al, bl), at(al, bh), at(ah, bl), at(ah, bh)]);
            // By a divisor without end, nothing is left in the end.
            let (lo, hi) = if vast { (lo.min(0), hi.max(0)) } else { (lo, hi) };
            // A dividend without end has quotients without end, with the sign of the two halves.
            let most = i128::from(MOST);
            let (lo, hi) = match endless {
                true if (al > 0) == (bl > 0) => (lo, most),
                true => (-most, hi),
                false => (lo, hi),
            };
            out = out.join(&Value::between(lo, hi));
        }
    }
    out
}

/// The rest of a division by what is not 0: at least 0 and less than the divisor, signs aside.
fn remainder(a: &Value, b: &Value) -> Value {
    let (Some((al, ah)), Some((bl, bh))) = (a.reach(), b.without(0).reach()) else {
        return Value::NONE;
    };
    let largest = bl.abs().max(bh.abs());
    // One divisor: if no multiple of it is passed between the bounds, the rests go up with the dividend.
    if bl == bh && al.div_euclid(largest) == ah.div_euclid(largest) {
        return Value::between(al.rem_euclid(largest), ah.rem_euclid(largest));
    }
    let smallest = if bl <= 0 && bh >= 0 { 1 } else { bl.abs().min(bh.abs()) };
    if al >= 0 && ah < smallest {
        return a.clone().with_undef(false);
    }
    let most = if al >= 0 { ah.min(largest - 1) } else { largest - 1 };
    Value::between(0, most)
}
