//! Arithmetic on abstract values: for each operator, all results that operands in these sets can have.
//!
//! Few operands are combined one by one, with the executor's own arithmetic. Of more operands the intervals are combined. The
//! flag in a result says that numbers of 64 bits may leave 64 bits: these runs end with a fault, but the result has
//! no end on that side all the same (see [`super::value`]).

use super::value::{MOST, Value};
use swarmcheck_ir::{BinaryOp, Interval, UNDEF, UnaryOp, arith};

/// `op a`.
pub(super) fn unary(op: UnaryOp, a: &Value) -> Value {
    if let Some(few) = a.few() {
        let cells = few.iter().copied().chain(a.undef.then_some(UNDEF));
        return of_cells(cells.map(|v| arith::unary(op, v)));
    }
    let reach = a.reach().unwrap_or(Interval::exactly(0));
    match op {
        UnaryOp::Not => Value::condition(true, a.contains(0)),
        UnaryOp::Neg => Value::within(reach.negated()).with_undef(a.undef),
        UnaryOp::Abs => Value::within(reach.absolute()).with_undef(a.undef),
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
    let (Some(x), Some(y)) = (a.reach(), b.reach()) else {
        // One is always ⊥.
        return (if op.is_comparison() { Value::only(0) } else { Value::UNDEF }, false);
    };
    if op.is_comparison() {
        let (yes, no) = match op {
            BinaryOp::Eq => (!a.meet(b).has_no_integer(), true),
            BinaryOp::Ne => (true, !a.meet(b).has_no_integer()),
            _ => Interval::compare(op, x, y),
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
    if matches!(op, BinaryOp::And | BinaryOp::Or) {
        return (Value::condition(true, true), false);
    }
    let number = |reach: Interval| reach.clamped(Interval::NUMBERS);
    let overflow = !Interval::binary(op, number(x), number(y)).is_within(Interval::NUMBERS);
    (Value::within(Interval::binary(op, x, y)).with_undef(undef), overflow)
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
            let size = e.reach()?.absolute();
            let squares = Interval::binary(BinaryOp::Mul, size, size);
            let overflow = squares.hi > Interval::NUMBERS.hi;
            Some((Value::within(squares).with_undef(e.undef), overflow))
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
            // It does not fit 64 bits.
            None => {
                let of = |v: i64| Interval::exactly(v.into());
                large = large.join(&Value::within(Interval::binary(op, of(v), of(w))));
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

/// The negative and the positive numbers.
fn halves(v: &Value) -> impl Iterator<Item = Interval> {
    [Value::between(-i128::from(MOST), -1), Value::between(1, i128::from(MOST))]
        .into_iter()
        .filter_map(|half| v.meet(&half).reach())
}

/// Division by what is not 0, for negative and positive numbers apart: sets know better than intervals what is next to 0.
fn quotient(op: BinaryOp, a: &Value, b: &Value) -> Value {
    let mut out = Value::NONE;
    if a.contains(0) && !b.without(0).has_no_integer() {
        out = Value::only(0);
    }
    for dividend in halves(a) {
        for divisor in halves(b) {
            out = out.join(&Value::within(Interval::binary(op, dividend, divisor)));
        }
    }
    out
}

/// The rest of a division by what is not 0.
fn remainder(a: &Value, b: &Value) -> Value {
    let (Some(dividend), Some(divisor)) = (a.reach(), b.without(0).reach()) else {
        return Value::NONE;
    };
    // Numbers that are smaller than all divisors are their own rests.
    if dividend.lo >= 0 && dividend.hi < divisor.absolute().lo {
        return a.clone().with_undef(false);
    }
    Value::within(Interval::binary(BinaryOp::Mod, dividend, divisor))
}
