//! The operators of programs on values that depend on bits: tables where both sides have few alternatives, circuits
//! elsewhere. The meaning is that of `swarmcheck_ir::arith`, ⊥ and overflow included.

use crate::circuit::{self, Bits};
use crate::hard;
use crate::word::{Form, MOST, Word, any};
use swarmcheck_aig::{Graph, Lit};
use swarmcheck_ir::{BinaryOp, UNDEF, UnaryOp, Value, arith};

/// Tables of sums and the like are made up to this many combinations: beyond that an adder is smaller.
const TABLE: usize = 256;
/// Tables of products and quotients pay for longer.
const LARGE_TABLE: usize = 2048;

/// The largest integer that programs know, and the negation of the smallest.
const TOP: i128 = i64::MAX as i128;

/// `a op b`, and where it does not fit 64 bits.
pub fn binary(g: &mut Graph, op: BinaryOp, a: &Word, b: &Word) -> (Word, Lit) {
    if op.is_comparison() {
        return (Word::condition(compare(g, op, a, b)), Lit::FALSE);
    }
    if a.known() == Some(UNDEF) || b.known() == Some(UNDEF) {
        return (Word::constant(UNDEF), Lit::FALSE);
    }
    if let (Form::Few(x), Form::Few(y)) = (&a.form, &b.form) {
        if a == b {
            return table(g, op, a, b, x.iter().map(|(v, lit)| (*v, *v, *lit)).collect());
        }
        let costly = matches!(op, BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round);
        let small = matches!(op, BinaryOp::And | BinaryOp::Or) || x.len().min(y.len()) == 1;
        if small || x.len() * y.len() <= if costly { LARGE_TABLE } else { TABLE } {
            let pairs = x.iter().flat_map(|(v, p)| y.iter().map(move |(w, q)| (*v, *w, *p, *q)));
            let pairs = pairs.map(|(v, w, p, q)| (v, w, g.and(p, q))).collect();
            return table(g, op, a, b, pairs);
        }
    }
    let undef = g.or(a.undef, b.undef);
    let (x, y) = (a.bits(g), b.bits(g));
    let (bits, undef) = match op {
        BinaryOp::Add => (circuit::add(g, &x, &y), undef),
        BinaryOp::Sub => (circuit::subtract(g, &x, &y), undef),
        BinaryOp::Mul => {
            hard::product(&x, &y);
            (circuit::multiply(g, &x, &y), undef)
        }
        BinaryOp::Min | BinaryOp::Max => {
            let less = circuit::less(g, &x, &y);
            let first = less.negate_if(op == BinaryOp::Max);
            (circuit::choose(g, first, &x, &y), undef)
        }
        BinaryOp::Div | BinaryOp::Mod | BinaryOp::Round => {
            hard::quotient(&x, &y);
            let zero = circuit::equal(g, &y, &Bits::constant(0));
            (divide(g, op, &x, &y), g.or(undef, zero))
        }
        _ => {
            // A condition made of numbers that have many values.
            let (p, q) = (truth(g, &x), truth(g, &y));
            let both = if op == BinaryOp::And { g.and(p, q) } else { g.or(p, q) };
            (Bits::unsigned(vec![both], 1), undef)
        }
    };
    fitting(g, undef, bits)
}

/// `op a`.
pub fn unary(g: &mut Graph, op: UnaryOp, a: &Word) -> Word {
    if let Form::Few(list) = &a.form {
        let mut out: Vec<(Value, Lit)> = list.iter().map(|(v, lit)| (arith::unary(op, *v), *lit)).collect();
        out.push((arith::unary(op, UNDEF), a.undef));
        return Word::few(g, out);
    }
    let bits = a.bits(g);
    match op {
        UnaryOp::Not => Word::condition(a.is(g, 0)),
        UnaryOp::Neg => Word { undef: a.undef, form: Form::Many(circuit::negate(g, &bits)) },
        UnaryOp::Abs => Word { undef: a.undef, form: Form::Many(circuit::absolute(g, &bits)) },
    }
}

/// Whether both are integers that compare so.
pub fn compare(g: &mut Graph, op: BinaryOp, a: &Word, b: &Word) -> Lit {
    match (a.known(), b.known()) {
        (Some(UNDEF), _) | (_, Some(UNDEF)) => return Lit::FALSE,
        (_, Some(value)) => {
            if let Some(lit) = a.among(g, |v| holds(op, v, value)) {
                return lit;
            }
        }
        (Some(value), _) => {
            if let Some(lit) = b.among(g, |v| holds(op, value, v)) {
                return lit;
            }
        }
        _ => {}
    }
    let undef = g.or(a.undef, b.undef);
    let result = match op {
        BinaryOp::Eq => equal(g, a, b),
        BinaryOp::Ne => !equal(g, a, b),
        BinaryOp::Lt => less(g, a, b),
        BinaryOp::Ge => !less(g, a, b),
        BinaryOp::Gt => less(g, b, a),
        _ => !less(g, b, a),
    };
    g.and(result, !undef)
}

/// `(a inner b) op value`, without the numbers in between: most of their combinations give the same answer. `None`
/// where that is not possible, or an overflow is.
pub fn compare_result(
    g: &mut Graph,
    op: BinaryOp,
    inner: BinaryOp,
    a: &Word,
    b: &Word,
    value: Value,
) -> Option<Lit> {
    let (Form::Few(x), Form::Few(y)) = (&a.form, &b.form) else { return None };
    if x.len() * y.len() > LARGE_TABLE || x.is_empty() || y.is_empty() {
        return None;
    }
    let fits = |v: Value, w: Value| arith::binary(inner, v, w).is_some();
    if x.iter().any(|(v, _)| y.iter().any(|(w, _)| !fits(*v, *w))) {
        return None;
    }
    let mut parts = vec![];
    for (v, lit) in x {
        let accept = |w: Value| arith::binary(inner, *v, w).is_some_and(|r| holds(op, r, value));
        let rest = b.among(g, accept)?;
        parts.push(g.and(*lit, rest));
    }
    Some(any(g, parts))
}

fn holds(op: BinaryOp, a: Value, b: Value) -> bool {
    arith::binary(op, a, b) == Some(1)
}

/// Where both are integers: whether they are equal.
fn equal(g: &mut Graph, a: &Word, b: &Word) -> Lit {
    match (&a.form, &b.form) {
        (Form::Few(x), Form::Few(_)) => {
            let parts: Vec<Lit> = x
                .iter()
                .map(|(v, lit)| {
                    let other = b.is(g, *v);
                    g.and(*lit, other)
                })
                .collect();
            any(g, parts)
        }
        _ => {
            let (x, y) = (a.bits(g), b.bits(g));
            circuit::equal(g, &x, &y)
        }
    }
}

/// Where both are integers: whether the first is less.
fn less(g: &mut Graph, a: &Word, b: &Word) -> Lit {
    let (Form::Few(x), Form::Few(y)) = (&a.form, &b.form) else {
        let (x, y) = (a.bits(g), b.bits(g));
        return circuit::less(g, &x, &y);
    };
    // For each value of the first, whether the second is larger, from the largest down.
    let mut larger = Lit::FALSE;
    let mut rest = y.iter().rev().peekable();
    let mut parts = vec![];
    for (v, lit) in x.iter().rev() {
        while let Some((_, other)) = rest.next_if(|(w, _)| w > v) {
            larger = g.or(larger, *other);
        }
        // Whatever the second is, it is larger.
        let larger = if rest.peek().is_none() { !b.undef } else { larger };
        parts.push(g.and(*lit, larger));
    }
    any(g, parts)
}

/// The result for each pair of values, with the condition under which these are the values.
fn table(g: &mut Graph, op: BinaryOp, a: &Word, b: &Word, pairs: Vec<(Value, Value, Lit)>) -> (Word, Lit) {
    let mut results = vec![(UNDEF, g.or(a.undef, b.undef))];
    let mut overflow = vec![];
    for (v, w, both) in pairs {
        match arith::binary(op, v, w) {
            Some(result) => results.push((result, both)),
            None => {
                overflow.push(both);
                results.push((UNDEF, both));
            }
        }
    }
    let mut word = Word::few(g, results);
    if let Form::Few(list) = &word.form
        && list.len() > MOST
    {
        let bits = word.bits(g);
        word.form = Form::Many(bits);
    }
    (word, any(g, overflow))
}

fn truth(g: &mut Graph, x: &Bits) -> Lit {
    !circuit::equal(g, x, &Bits::constant(0))
}

/// Division of any two numbers but by 0: truncated, Euclidean remainder, or rounded to the nearest, halves away from 0.
fn divide(g: &mut Graph, op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    let (x, y) = (circuit::absolute(g, a), circuit::absolute(g, b));
    let (quotient, rest) = circuit::divide(g, &x, &y);
    if op == BinaryOp::Mod {
        let exact = circuit::equal(g, &rest, &Bits::constant(0));
        let other = circuit::subtract(g, &y, &rest).within(0, y.high);
        let below = g.and(a.sign(), !exact);
        return circuit::choose(g, below, &other, &rest).within(0, (y.high - 1).max(0));
    }
    let mut size = quotient;
    if op == BinaryOp::Round {
        let twice = circuit::add(g, &rest, &rest);
        let away = !circuit::less(g, &twice, &y);
        size = circuit::add(g, &size, &Bits::unsigned(vec![away], 1));
    }
    let negated = circuit::negate(g, &size);
    let opposite = g.xor(a.sign(), b.sign());
    circuit::choose(g, opposite, &negated, &size)
}

/// A result, cut to what programs can hold, and where it is more than that.
fn fitting(g: &mut Graph, undef: Lit, bits: Bits) -> (Word, Lit) {
    if bits.low >= -TOP && bits.high <= TOP {
        return (Word { undef, form: Form::Many(bits) }, Lit::FALSE);
    }
    let (top, bottom) = (Bits::constant(TOP), Bits::constant(-TOP));
    let (above, below) = (circuit::less(g, &top, &bits), circuit::less(g, &bits, &bottom));
    let outside = g.or(above, below);
    let overflow = g.and(outside, !undef);
    (Word { undef, form: Form::Many(bits.within(-TOP, TOP)) }, overflow)
}

#[cfg(test)]
mod tests;
