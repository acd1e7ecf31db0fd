//! Arithmetic that no solver and no diagram gets through.
//!
//! Circuits for products and quotients are small, but what they compute is not: every diagram of the middle bits of a
//! product has a size exponential in the shorter operand (R. E. Bryant, "On the complexity of VLSI implementations and graph
//! representations of Boolean functions", IEEE Transactions on Computers 40(2), 1991), and to prove something about it a
//! solver looks at about as many cases. So engines that would never end say so. The measure is the length of the
//! shorter operand; for a quotient that is the divisor or the quotient itself. Numbers with few alternatives become tables
//! and do not count, and neither do factors that are powers of two.

use crate::circuit::Bits;
use std::cell::Cell;

/// Diagrams of longer operands do not fit any memory.
pub const DIAGRAMS: usize = 20;
/// With longer operands solvers do not end when they are asked about states of which nothing is known.
pub const SOLVERS: usize = 32;

thread_local! {
    /// The largest measure of what this thread has translated. Each question is translated by one thread from its
    /// beginning to its end.
    static HARDEST: Cell<usize> = const { Cell::new(0) };
}

/// To be called before each translation: resets the measure.
pub fn begin() {
    HARDEST.set(0);
}

/// What was translated multiplies or divides numbers that are too long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooHard {
    /// The largest measure that was met, in bits.
    pub bits: usize,
}

/// Refuses what was translated since [`begin`] if an operand has more than `most` bits.
pub fn check(most: usize) -> Result<(), TooHard> {
    let bits = HARDEST.get();
    if bits <= most { Ok(()) } else { Err(TooHard { bits }) }
}

/// Measures a product that is translated.
pub(crate) fn product(a: &Bits, b: &Bits) {
    note(length(a).min(length(b)));
}

/// Measures a quotient or a remainder.
pub(crate) fn quotient(a: &Bits, b: &Bits) {
    let known = b.low == b.high;
    let quotient = if known { a.bits().len().saturating_sub(b.bits().len()) } else { a.bits().len() };
    note(length(b).min(quotient));
}

fn note(measure: usize) {
    HARDEST.set(HARDEST.get().max(measure));
}

/// How many bits there are to choose; of a constant, how many matter.
fn length(a: &Bits) -> usize {
    match a.low.unsigned_abs() {
        0 if a.low == a.high => 0,
        value if a.low == a.high => (128 - value.leading_zeros() - value.trailing_zeros()) as usize,
        _ => a.bits().len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_aig::Graph;

    fn variable(g: &mut Graph, high: i128) -> Bits {
        let bits = (0..crate::circuit::width(0, high)).map(|_| g.variable()).collect();
        Bits::new(bits, 0, high)
    }

    fn measured(note: impl FnOnce()) -> usize {
        begin();
        note();
        HARDEST.get()
    }

    #[test]
    fn the_shorter_operand_counts() {
        let mut g = Graph::new();
        let (long, short) = (variable(&mut g, i64::MAX.into()), variable(&mut g, 1000));
        assert_eq!(measured(|| product(&long, &short)), 11);
        assert_eq!(measured(|| product(&long, &Bits::constant(96))), 2);
        assert_eq!(measured(|| quotient(&long, &Bits::constant(5))), 3);
        // The quotient is 0 or 1.
        assert!(measured(|| quotient(&long, &Bits::constant(i64::MAX.into()))) <= 1);
        assert_eq!(measured(|| quotient(&long, &long)), 64);
        assert!(check(DIAGRAMS).is_err() && check(SOLVERS).is_err() && check(64).is_ok());
    }
}
