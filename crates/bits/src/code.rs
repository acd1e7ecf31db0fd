//! The bits that hold the cells of a state.
//!
//! A cell with a small domain is numbered: its values in order, ⊥ last, in as few bits as that needs. Codes that are no
//! number of a value mean one all the same (see [`cases`]), so every valuation of the bits is a state; only the states
//! that use the proper codes are ever reached. A cell with a large domain is an integer in two's complement, with a bit
//! for ⊥ if it can be that. Where no domain is known a width is assumed, or a list of values (`listed.rs`), and a value that does not
//! fit is noticed.

use crate::circuit::{self, Bits};
use crate::listed::listed;
use crate::word::{Form, Word, any, bits_for, cases};
use std::rc::Rc;
use swarmcheck_aig::{Graph, Lit};
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::{Program, UNDEF, Value};

/// The widths assumed, one after the other, for cells without a known domain.
pub const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// The guess that stands for the values that a search of few states has found, instead of a width.
pub const LISTED: usize = WIDTHS.len();

/// The guesses worth a try, the best first. No value is outside of the last one.
pub fn guesses(program: &Program, ground: &Ground) -> impl Iterator<Item = usize> {
    listed(program, ground).map(|_| LISTED).into_iter().chain(0..WIDTHS.len())
}

/// The largest domain whose values are numbered.
const NUMBERED: i128 = 32;

/// How one cell is held.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// One of these values, which are in order, or ⊥. It is a guess: other values are possible.
    Listed {
        /// The values.
        values: Rc<[Value]>,
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

/// The codes of all cells of a program. Unknown domains get the width with this number, or listed values; without a list the largest width.
pub fn codes(program: &Program, ground: &Ground, guess: usize) -> Vec<Code> {
    let seen = if guess == LISTED { listed(program, ground) } else { None };
    let code = |slot: u32| {
        let var = program.var(ground.layout.cell(slot).var);
        let undef = var.may_be_undef;
        if let Some((low, high)) = var.domain {
            let size = i128::from(high) - i128::from(low) + 1;
            if (1..=NUMBERED).contains(&size) {
                return Code::Numbered { low, count: size as u32, undef };
            }
        }
        if let Some(seen) = &seen {
            return guessed(&seen[slot as usize]);
        }
        match var.domain {
            Some((low, high)) => Code::Integer { low: low.max(-i64::MAX), high, undef, guessed: false },
            None => {
                let width = WIDTHS[guess.min(WIDTHS.len() - 1)];
                let high = i64::MAX >> (64 - width);
                Code::Integer { low: (-high - 1).max(-i64::MAX), high, undef, guessed: width < 64 }
            }
        }
    };
    (0..ground.width() as u32).map(code).collect()
}

/// A code for these values: a list if they are few, otherwise their bounds.
fn guessed(seen: &[Value]) -> Code {
    let values: Rc<[Value]> = seen.iter().copied().filter(|value| *value != UNDEF).collect();
    let undef = values.len() < seen.len();
    match (values.first(), values.last()) {
        (Some(low), Some(high)) if values.len() as i128 > NUMBERED => {
            Code::Integer { low: *low, high: *high, undef, guessed: true }
        }
        _ => Code::Listed { values, undef },
    }
}

impl Code {
    /// Whether values without a code are possible.
    pub fn is_guess(&self) -> bool {
        matches!(self, Code::Listed { .. } | Code::Integer { guessed: true, .. })
    }

    /// The values in the order of their numbers, ⊥ included; none if they are not numbered.
    pub fn numbered(&self) -> Option<Vec<Value>> {
        self.numbers().map(|all| (0..all).map(|number| self.value(number)).collect())
    }

    /// How many values are numbered, ⊥ included; none if they are not numbered.
    fn numbers(&self) -> Option<u64> {
        match self {
            Code::Numbered { count, undef, .. } => Some(u64::from(*count) + u64::from(*undef)),
            Code::Listed { values, undef } => Some(values.len() as u64 + u64::from(*undef)),
            Code::Integer { .. } => None,
        }
    }

    /// The value with a number; ⊥ is the last one.
    fn value(&self, number: u64) -> Value {
        match self {
            Code::Numbered { low, count, .. } if number < u64::from(*count) => low + number as i64,
            Code::Listed { values, .. } => values.get(number as usize).copied().unwrap_or(UNDEF),
            _ => UNDEF,
        }
    }

    /// The number of a value.
    fn number(&self, value: Value) -> Option<u64> {
        let defined = match self {
            Code::Numbered { low, count, .. } => {
                let at = u64::try_from(i128::from(value) - i128::from(*low)).ok();
                at.filter(|at| *at < u64::from(*count))
            }
            Code::Listed { values, .. } => values.binary_search(&value).ok().map(|at| at as u64),
            Code::Integer { .. } => None,
        };
        match self {
            Code::Numbered { undef, .. } | Code::Listed { undef, .. } if value == UNDEF => {
                if *undef {
                    self.numbers().map(|all| all - 1)
                } else {
                    None
                }
            }
            _ => defined,
        }
    }

    /// How many bits it takes.
    pub fn width(&self) -> usize {
        match *self {
            Code::Numbered { .. } | Code::Listed { .. } => bits_for(self.numbers().unwrap_or(0)),
            Code::Integer { low, high, undef, .. } => {
                circuit::width(low.into(), high.into()) + usize::from(undef)
            }
        }
    }

    /// The value that these bits hold.
    pub fn read(&self, g: &mut Graph, bits: &[Lit]) -> Word {
        match *self {
            Code::Numbered { .. } | Code::Listed { .. } => {
                let cases = cases(g, bits, self.numbers().unwrap_or(0));
                Word::few(g, cases.into_iter().zip(0..).map(|(lit, number)| (self.value(number), lit)))
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
            Code::Numbered { .. } | Code::Listed { .. } => {
                let code = |v: Value| self.number(v);
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
        let mut out = match &word.form {
            Form::Few(list) => list.clone(),
            Form::Many(_) => {
                let numbers = 0..self.numbers().unwrap_or(0);
                let values = numbers.map(|number| self.value(number)).filter(|value| *value != UNDEF);
                values.map(|value| (value, word.is(g, value))).collect()
            }
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
            Code::Numbered { .. } | Code::Listed { .. } => {
                let total = self.numbers().unwrap_or(0);
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
                self.value(code)
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
            Code::Numbered { .. } | Code::Listed { .. } => {
                let top = i128::from(self.numbers().unwrap_or(0)) - 1;
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
            Code::Listed { values: [-i64::MAX, 0, 5, i64::MAX].into(), undef: true },
            Code::Listed { values: [9].into(), undef: false },
            Code::Listed { values: [].into(), undef: true },
        ];
        for code in codes {
            let is_inside = |v: Value| match &code {
                Code::Numbered { low, count, undef } => match v {
                    UNDEF => *undef,
                    v => *low <= v && v < low + i64::from(*count),
                },
                Code::Listed { values, undef } => values.contains(&v) || (*undef && v == UNDEF),
                Code::Integer { low, high, undef, .. } => match v {
                    UNDEF => *undef,
                    v => *low <= v && v <= *high,
                },
            };
            let candidates =
                [-i64::MAX, -200, -129, -128, -4, -3, -1, 0, 1, 2, 5, 6, 9, 10, 90, 91, 128, i64::MAX, UNDEF];
            for v in candidates {
                let bits = code.encode(v);
                assert_eq!(bits.is_some(), is_inside(v), "{v} in {code:?}");
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
        let codes =
            [(3, false), (5, true), (10, false), (6, false)].into_iter().flat_map(|(count, undef)| {
                let values: Vec<Value> = (0..i64::from(count)).map(|at| at * at * 1_000_003).collect();
                [Code::Numbered { low: 0, count, undef }, Code::Listed { values: values.into(), undef }]
            });
        for code in codes {
            let mut g = Graph::new();
            let bits: Vec<Lit> = (0..code.width()).map(|_| g.variable()).collect();
            let word = code.read(&mut g, &bits);
            let proper = code.proper(&mut g, &bits);
            for number in 0..1u32 << bits.len() {
                let mut values = vec![false; g.nodes().len()];
                let chosen: Vec<bool> = (0..bits.len()).map(|k| number >> k & 1 != 0).collect();
                bits.iter().zip(&chosen).for_each(|(l, b)| values[l.node() as usize] = *b);
                g.evaluate(&mut values);
                assert_eq!(Some(value(&values, proper)), code.numbers().map(|all| u64::from(number) < all));
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
