//! The bits that hold the cells of a state.
//!
//! A cell with a small domain is numbered: its values in order, ⊥ last, in as few bits as that needs. Codes that are no
//! number of a value mean one all the same (see [`cases`]), so every valuation of the bits is a state; only the states
//! that use the proper codes are ever reached. A cell with a large domain is an integer in two's complement, with a bit
//! for ⊥ if it can be that. Where no domain is known a width is assumed, and a value that does not fit is noticed.

use crate::circuit::{self, Bits};
use crate::word::{Form, Word, any, bits_for, cases};
use swarmcheck_aig::{Graph, Lit};
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{Program, UNDEF, Value};

/// The widths assumed, one after the other, for cells without a known domain.
pub const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// The largest domain whose values are numbered.
const NUMBERED: i128 = 32;

/// How one cell is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// One of so many values from the lowest on, or ⊥.
    Numbered {
        /// The lowest value.
        low: Value,
        /// The number of values.
        count: u32,
        /// Whether ⊥ is one more.
        undef: bool,
    },
    /// In two's complement, ⊥ as a bit of its own after those of the number.
    Integer {
        /// The lowest value.
        low: Value,
        /// The highest value.
        high: Value,
        /// Whether it can be ⊥.
        undef: bool,
        /// The bounds are a guess: other values are possible.
        guessed: bool,
    },
}

/// The codes of all cells of a program. Unknown domains get the width with this number.
pub fn codes(program: &Program, layout: &Layout, guess: usize) -> Vec<Code> {
    let code = |slot: u32| {
        let var = program.var(layout.cell(slot).var);
        let undef = var.may_be_undef;
        match var.domain {
            Some((low, high)) => {
                let size = i128::from(high) - i128::from(low) + 1;
                if (1..=NUMBERED).contains(&size) {
                    Code::Numbered { low, count: size as u32, undef }
                } else {
                    Code::Integer { low: low.max(-i64::MAX), high, undef, guessed: false }
                }
            }
            None => {
                let width = WIDTHS[guess.min(WIDTHS.len() - 1)];
                let high = i64::MAX >> (64 - width);
                Code::Integer { low: (-high - 1).max(-i64::MAX), high, undef, guessed: width < 64 }
            }
        }
    };
    (0..layout.width() as u32).map(code).collect()
}

impl Code {
    /// How many bits it takes.
    pub fn width(&self) -> usize {
        match *self {
            Code::Numbered { count, undef, .. } => bits_for(u64::from(count) + u64::from(undef)),
            Code::Integer { low, high, undef, .. } => {
                circuit::width(low.into(), high.into()) + usize::from(undef)
            }
        }
    }

    /// The value that these bits hold.
    pub fn read(&self, g: &mut Graph, bits: &[Lit]) -> Word {
        match *self {
            Code::Numbered { low, count, undef } => {
                let cases = cases(g, bits, u64::from(count) + u64::from(undef));
                let value = |i: usize| if i < count as usize { low + i as i64 } else { UNDEF };
                Word::few(g, cases.into_iter().enumerate().map(|(i, lit)| (value(i), lit)))
            }
            Code::Integer { low, high, undef, .. } => {
                let (number, flag) = bits.split_at(self.width() - usize::from(undef));
                let bits = Bits::new(number.to_vec(), low.into(), high.into());
                Word { undef: flag.first().copied().unwrap_or(Lit::FALSE), form: Form::Many(bits) }
            }
        }
    }

    /// The bits that hold a value, and where it is none that they can hold.
    pub fn write(&self, g: &mut Graph, word: &Word) -> (Vec<Lit>, Lit) {
        let width = self.width();
        match *self {
            Code::Numbered { low, count, undef } => {
                let at = |v: Value| u64::try_from(i128::from(v) - i128::from(low)).ok();
                let code = |v: Value| match v {
                    UNDEF => undef.then_some(u64::from(count)),
                    v => at(v).filter(|&code| code < u64::from(count)),
                };
                let alternatives = self.alternatives(g, word);
                let bits = (0..width).map(|k| {
                    let ones = alternatives.iter().filter(|(v, _)| code(*v).unwrap_or(0) >> k & 1 != 0);
                    let ones = ones.map(|(_, lit)| *lit).collect();
                    any(g, ones)
                });
                let bits = bits.collect();
                let known: Vec<Lit> =
                    alternatives.iter().filter(|(v, _)| code(*v).is_some()).map(|(_, lit)| *lit).collect();
                let outside: Vec<Lit> =
                    alternatives.iter().filter(|(v, _)| code(*v).is_none()).map(|(_, lit)| *lit).collect();
                let misfit = match word.form {
                    Form::Few(_) => any(g, outside),
                    // The alternatives are only those that have a code.
                    Form::Many(_) => !any(g, known),
                };
                (bits, misfit)
            }
            Code::Integer { low, high, undef, .. } => {
                let number = word.bits(g);
                let digits = width - usize::from(undef);
                let mut bits: Vec<Lit> = (0..digits).map(|k| number.bit(k)).collect();
                let above = circuit::less(g, &Bits::constant(high.into()), &number);
                let below = circuit::less(g, &number, &Bits::constant(low.into()));
                let outside = g.or(above, below);
                let misfit = g.choose(word.undef, Lit::constant(!undef), outside);
                if undef {
                    // One code for ⊥: equal states have equal bits.
                    bits.iter_mut().for_each(|bit| *bit = g.and(*bit, !word.undef));
                    bits.push(word.undef);
                }
                (bits, misfit)
            }
        }
    }

    /// What the value can be, of what the code knows, with the conditions.
    fn alternatives(&self, g: &mut Graph, word: &Word) -> Vec<(Value, Lit)> {
        let mut out = match (&word.form, *self) {
            (Form::Few(list), _) => list.clone(),
            (Form::Many(_), Code::Numbered { low, count, .. }) => {
                (0..i64::from(count)).map(|i| (low + i, word.is(g, low + i))).collect()
            }
            (Form::Many(_), Code::Integer { .. }) => vec![],
        };
        if word.undef != Lit::FALSE {
            out.push((UNDEF, word.undef));
        }
        out
    }

    /// The value that these bits hold.
    pub fn decode(&self, bits: &[bool]) -> Value {
        let number = |bits: &[bool]| bits.iter().enumerate().fold(0u64, |n, (k, b)| n | u64::from(*b) << k);
        match *self {
            Code::Numbered { low, count, undef } => {
                let total = u64::from(count) + u64::from(undef);
                let mut code = number(bits);
                // As in `cases`: beyond the last number, bits that are not needed mean nothing.
                if code >= total {
                    let (mut first, mut left, mut rest) = (0, total, bits);
                    while left > 1 {
                        let half = 1u64 << (rest.len() - 1);
                        if left > half {
                            if rest[rest.len() - 1] {
                                (first, left) = (first + half, left - half);
                            } else {
                                left = half;
                            }
                        }
                        rest = &rest[..rest.len() - 1];
                    }
                    code = first;
                }
                if code < u64::from(count) { low + code as i64 } else { UNDEF }
            }
            Code::Integer { undef, .. } => {
                let (digits, flag) = bits.split_at(bits.len() - usize::from(undef));
                if flag.first() == Some(&true) {
                    return UNDEF;
                }
                let shift = 64 - digits.len().min(64) as u32;
                ((number(&digits[..digits.len().min(64)]) << shift) as i64) >> shift
            }
        }
    }

    /// The bits that hold a value; `None` if there are none.
    pub fn encode(&self, value: Value) -> Option<Vec<bool>> {
        let mut g = Graph::new();
        let (bits, misfit) = self.write(&mut g, &Word::constant(value));
        if misfit.known()? {
            return None;
        }
        bits.iter().map(|lit| lit.known()).collect()
    }

    /// Whether the bits are proper: all reachable states have such bits.
    pub fn proper(&self, g: &mut Graph, bits: &[Lit]) -> Lit {
        match *self {
            Code::Numbered { count, undef, .. } => {
                let top = i128::from(count) + i128::from(undef) - 1;
                let all = Bits::unsigned(bits.to_vec(), (1 << bits.len()) - 1);
                !circuit::less(g, &Bits::constant(top), &all)
            }
            Code::Integer { guessed: true, .. } => Lit::TRUE,
            Code::Integer { low, high, undef, .. } => {
                let digits = &bits[..bits.len() - usize::from(undef)];
                let half = 1i128 << (digits.len() - 1);
                let number = Bits::new(digits.to_vec(), -half, half - 1);
                let above = circuit::less(g, &Bits::constant(high.into()), &number);
                let below = circuit::less(g, &number, &Bits::constant(low.into()));
                let inside = g.and(!above, !below);
                let flag = bits.last().copied().filter(|_| undef).unwrap_or(Lit::FALSE);
                g.or(inside, flag)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_aig::graph::value;

    /// Every value comes back from its bits, by both ways of reading them, and no other value has bits.
    #[test]
    fn values_survive() {
        let codes = [
            Code::Numbered { low: -1, count: 3, undef: true },
            Code::Numbered { low: 5, count: 1, undef: false },
            Code::Numbered { low: 0, count: 10, undef: true },
            Code::Integer { low: -3, high: 90, undef: true, guessed: false },
            Code::Integer { low: -128, high: 127, undef: false, guessed: true },
            Code::Integer { low: -i64::MAX, high: i64::MAX, undef: true, guessed: false },
        ];
        for code in codes {
            let (low, high, undef) = match code {
                Code::Numbered { low, count, undef } => (low, low + i64::from(count) - 1, undef),
                Code::Integer { low, high, undef, .. } => (low, high, undef),
            };
            let candidates =
                [-i64::MAX, -200, -129, -128, -4, -3, -1, 0, 1, 2, 5, 6, 9, 10, 90, 91, 128, i64::MAX, UNDEF];
            for v in candidates {
                let inside = if v == UNDEF { undef } else { low <= v && v <= high };
                let bits = code.encode(v);
                assert_eq!(bits.is_some(), inside, "{v} in {code:?}");
                let Some(bits) = bits else { continue };
                assert_eq!(code.decode(&bits), v, "{code:?}");
                let mut g = Graph::new();
                let constants: Vec<Lit> = bits.iter().map(|b| Lit::constant(*b)).collect();
                assert_eq!(code.proper(&mut g, &constants), Lit::TRUE, "{v} in {code:?}");
                let word = code.read(&mut g, &constants);
                assert_eq!(code.write(&mut g, &word), (constants, Lit::FALSE), "{v} in {code:?}");
            }
        }
    }

    /// Codes that are no number of a value are read alike by the graph and by `decode`.
    #[test]
    fn improper_codes_mean_the_same_to_both_readers() {
        for (count, undef) in [(3, false), (5, true), (10, false), (6, false)] {
            let code = Code::Numbered { low: 0, count, undef };
            let mut g = Graph::new();
            let bits: Vec<Lit> = (0..code.width()).map(|_| g.variable()).collect();
            let word = code.read(&mut g, &bits);
            let proper = code.proper(&mut g, &bits);
            for number in 0..1u32 << bits.len() {
                let mut values = vec![false; g.nodes().len()];
                let chosen: Vec<bool> = (0..bits.len()).map(|k| number >> k & 1 != 0).collect();
                bits.iter().zip(&chosen).for_each(|(l, b)| values[l.node() as usize] = *b);
                g.evaluate(&mut values);
                assert_eq!(value(&values, proper), number < count + u32::from(undef));
                let decoded = code.decode(&chosen);
                if decoded == UNDEF {
                    assert!(value(&values, word.undef));
                } else {
                    let is = word.is(&mut g, decoded);
                    assert!(value(&values, is), "{number} of {code:?} is {decoded}");
                }
            }
        }
    }
}
