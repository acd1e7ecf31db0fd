//! Integers as vectors of bits: exact circuits for arithmetic and comparison.
//!
//! Numbers are in two's complement. Each vector knows bounds of what it can hold, and results get as many bits as their
//! bounds need, so nothing ever wraps.

use swarmcheck_aig::{Graph, Lit};

/// An integer that depends on bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The least significant bit comes first; the last one is the sign.
    bits: Vec<Lit>,
    /// It is never less than this.
    pub low: i128,
    /// It is never more than this.
    pub high: i128,
}

/// How many bits hold all numbers between these bounds, sign included.
pub fn width(low: i128, high: i128) -> usize {
    let one = |v: i128| 129 - (if v < 0 { !v } else { v }).leading_zeros() as usize;
    one(low).max(one(high))
}

impl Bits {
    pub fn constant(value: i128) -> Bits {
        let bits = (0..width(value, value)).map(|k| Lit::constant(value >> k & 1 != 0)).collect();
        Bits { bits, low: value, high: value }
    }

    /// From its bits, sign last, and bounds that the caller vouches for.
    pub fn new(mut bits: Vec<Lit>, low: i128, high: i128) -> Bits {
        let wanted = width(low, high);
        let sign = bits.last().copied().unwrap_or(Lit::FALSE);
        bits.resize(wanted, sign);
        Bits { bits, low, high }
    }

    /// A number without a sign, from its bits: it is between 0 and the bound.
    pub fn unsigned(mut bits: Vec<Lit>, high: i128) -> Bits {
        bits.push(Lit::FALSE);
        Bits::new(bits, 0, high)
    }

    /// The bits; the last is the sign.
    pub fn bits(&self) -> &[Lit] {
        &self.bits
    }

    /// A bit; beyond the last one they are all like the sign.
    pub fn bit(&self, number: usize) -> Lit {
        self.bits.get(number).or(self.bits.last()).copied().unwrap_or(Lit::FALSE)
    }

    /// The sign bit.
    pub fn sign(&self) -> Lit {
        if self.low >= 0 { Lit::FALSE } else { self.bit(self.bits.len()) }
    }

    /// The same number with narrower bounds, that the caller vouches for.
    pub fn within(&self, low: i128, high: i128) -> Bits {
        Bits::new(self.bits.clone(), low.max(self.low), high.min(self.high))
    }
}

/// `a + b + carry`, on so many bits.
fn sum(
    g: &mut Graph,
    a: impl Fn(usize) -> Lit,
    b: impl Fn(usize) -> Lit,
    carry: Lit,
    width: usize,
) -> Vec<Lit> {
    let mut carry = carry;
    let mut out = Vec::with_capacity(width);
    for k in 0..width {
        let (a, b) = (a(k), b(k));
        let half = g.xor(a, b);
        out.push(g.xor(half, carry));
        let (both, through) = (g.and(a, b), g.and(half, carry));
        carry = g.or(both, through);
    }
    out
}

/// `a + b`.
pub fn add(g: &mut Graph, a: &Bits, b: &Bits) -> Bits {
    let (low, high) = (a.low + b.low, a.high + b.high);
    let bits = sum(g, |k| a.bit(k), |k| b.bit(k), Lit::FALSE, width(low, high));
    Bits::new(bits, low, high)
}

/// `a - b`.
pub fn subtract(g: &mut Graph, a: &Bits, b: &Bits) -> Bits {
    let (low, high) = (a.low - b.high, a.high - b.low);
    let bits = sum(g, |k| a.bit(k), |k| !b.bit(k), Lit::TRUE, width(low, high));
    Bits::new(bits, low, high)
}

/// `-a`.
pub fn negate(g: &mut Graph, a: &Bits) -> Bits {
    subtract(g, &Bits::constant(0), a)
}

/// `|a|`.
pub fn absolute(g: &mut Graph, a: &Bits) -> Bits {
    if a.low >= 0 {
        return a.clone();
    }
    let negated = negate(g, a);
    let sign = a.sign();
    choose(g, sign, &negated, a).within(0, a.high.max(-a.low))
}

/// `a` where the condition is true, `b` elsewhere.
pub fn choose(g: &mut Graph, condition: Lit, a: &Bits, b: &Bits) -> Bits {
    let (low, high) = (a.low.min(b.low), a.high.max(b.high));
    let bits = (0..width(low, high)).map(|k| g.choose(condition, a.bit(k), b.bit(k))).collect();
    Bits::new(bits, low, high)
}

/// `a * b`. The bounds of both must fit 64 bits.
pub fn multiply(g: &mut Graph, a: &Bits, b: &Bits) -> Bits {
    let corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
    let (low, high) = (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0));
    let width = width(low, high);
    // In two's complement the sum of shifted copies is right modulo 2^width, the copy of the sign being subtracted:
    // with b extended to the full width that happens by itself, but costs a row per bit. So the sign is treated apart.
    let (magnitude, sign) = b.bits.split_at(b.bits.len() - 1);
    let mut total = vec![Lit::FALSE; width];
    for (shift, &bit) in magnitude.iter().enumerate().take(width) {
        let row: Vec<Lit> =
            (0..width).map(|k| if k < shift { Lit::FALSE } else { g.and(a.bit(k - shift), bit) }).collect();
        total = sum(g, |k| total[k], |k| row[k], Lit::FALSE, width);
    }
    let (sign, shift) = (sign.first().copied().unwrap_or(Lit::FALSE), magnitude.len());
    if sign != Lit::FALSE && shift < width {
        let row: Vec<Lit> =
            (0..width).map(|k| if k < shift { Lit::FALSE } else { g.and(a.bit(k - shift), sign) }).collect();
        total = sum(g, |k| total[k], |k| !row[k], Lit::TRUE, width);
    }
    Bits::new(total, low, high)
}

/// Quotient and remainder of numbers that are not negative. What they are for a divisor 0 does not matter.
pub fn divide(g: &mut Graph, a: &Bits, b: &Bits) -> (Bits, Bits) {
    let width = a.bits.len();
    let mut rest = Bits::constant(0);
    let mut quotient = vec![Lit::FALSE; width];
    for k in (0..width).rev() {
        let mut bits = vec![a.bit(k)];
        bits.extend((0..rest.bits.len()).map(|i| rest.bit(i)));
        // Before the subtraction the remainder is less than twice the divisor.
        let bound = (2 * rest.high + 1).min(2 * b.high.max(1) - 1).max(0);
        let shifted = Bits { low: 0, high: bound, bits };
        let less = less(g, &shifted, b);
        quotient[k] = !less;
        let difference = subtract(g, &shifted, b);
        let kept = choose(g, less, &shifted, &difference);
        rest = Bits::new(kept.bits, 0, (b.high - 1).max(0).min(bound));
    }
    quotient.push(Lit::FALSE);
    (Bits::new(quotient, 0, a.high.max(0)), rest.within(0, a.high.max(0)))
}

/// `a < b`.
pub fn less(g: &mut Graph, a: &Bits, b: &Bits) -> Lit {
    if a.high < b.low {
        return Lit::TRUE;
    }
    if a.low >= b.high {
        return Lit::FALSE;
    }
    let width = a.bits.len().max(b.bits.len());
    let mut less = Lit::FALSE;
    for k in 0..width {
        // At the sign it is the other way round.
        let (x, y) = if k + 1 == width { (b.bit(k), a.bit(k)) } else { (a.bit(k), b.bit(k)) };
        let (differ, smaller) = (g.xor(x, y), g.and(!x, y));
        let same = g.and(!differ, less);
        less = g.or(smaller, same);
    }
    less
}

/// `a = b`.
pub fn equal(g: &mut Graph, a: &Bits, b: &Bits) -> Lit {
    if a.high < b.low || b.high < a.low {
        return Lit::FALSE;
    }
    let width = a.bits.len().max(b.bits.len());
    let same: Vec<Lit> = (0..width).map(|k| g.iff(a.bit(k), b.bit(k))).collect();
    g.all(&same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_aig::graph::value;

    fn variable(g: &mut Graph, low: i128, high: i128) -> Bits {
        let bits = (0..width(low, high)).map(|_| g.variable()).collect();
        Bits::new(bits, low, high)
    }

    fn set(values: &mut [bool], bits: &Bits, number: i128) {
        for (k, lit) in bits.bits().iter().enumerate() {
            values[lit.node() as usize] = number >> k & 1 != 0;
        }
    }

    fn get(values: &[bool], bits: &Bits) -> i128 {
        let mut out = 0;
        for (k, lit) in bits.bits().iter().enumerate() {
            let bit = i128::from(value(values, *lit));
            out += if k + 1 == bits.bits().len() { -(bit << k) } else { bit << k };
        }
        out
    }

    /// All pairs of numbers of several ranges, against the machine's arithmetic.
    #[test]
    fn circuits_compute() {
        let ranges = [(-5, 6), (0, 9), (-4, 3), (3, 3), (-7, -1), (0, 1)];
        for (low, high) in ranges {
            for (other_low, other_high) in ranges {
                let mut g = Graph::new();
                let (a, b) = (variable(&mut g, low, high), variable(&mut g, other_low, other_high));
                let results = [
                    add(&mut g, &a, &b),
                    subtract(&mut g, &a, &b),
                    multiply(&mut g, &a, &b),
                    absolute(&mut g, &a),
                ];
                let (x, y) = (absolute(&mut g, &a), absolute(&mut g, &b));
                let (quotient, rest) = divide(&mut g, &x, &y);
                let (less, equal) = (less(&mut g, &a, &b), equal(&mut g, &a, &b));
                for (p, q) in (low..=high).flat_map(|p| (other_low..=other_high).map(move |q| (p, q))) {
                    let mut values = vec![false; g.nodes().len()];
                    set(&mut values, &a, p);
                    set(&mut values, &b, q);
                    g.evaluate(&mut values);
                    let found = results.each_ref().map(|bits| get(&values, bits));
                    assert_eq!(found, [p + q, p - q, p * q, p.abs()], "{p} {q}");
                    assert_eq!((value(&values, less), value(&values, equal)), (p < q, p == q), "{p} {q}");
                    if q != 0 {
                        let found = (get(&values, &quotient), get(&values, &rest));
                        assert_eq!(found, (p.abs() / q.abs(), p.abs() % q.abs()), "{p} {q}");
                    }
                }
            }
        }
    }
}
