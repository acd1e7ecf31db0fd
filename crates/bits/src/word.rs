//! Values that depend on bits: an integer or ⊥, which one depends on the valuation.
//!
//! A value with few alternatives is a list of them, each with the condition under which it is the one: arithmetic on such
//! lists is a table, and comparing them costs one gate per value. A value with many is a vector of bits.

use crate::circuit::{self, Bits};
use std::collections::BTreeMap;
use swarmcheck_aig::{Graph, Lit};
use swarmcheck_ir::{UNDEF, Value};

/// Lists longer than this become vectors of bits where they meet other values.
pub const MOST: usize = 64;

/// A value of the program, as a function of the bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// It is ⊥.
    pub undef: Lit,
    /// What it is otherwise.
    pub form: Form,
}

/// How an integer is represented.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// Each integer it can be, in ascending order, with the condition under which it is. In every valuation exactly one
    /// of these conditions and `undef` is true.
    Few(Vec<(Value, Lit)>),
    /// As bits, which mean nothing where the value is ⊥.
    Many(Bits),
}

impl Word {
    pub fn constant(value: Value) -> Word {
        match value {
            UNDEF => Word { undef: Lit::TRUE, form: Form::Few(vec![]) },
            value => Word { undef: Lit::FALSE, form: Form::Few(vec![(value, Lit::TRUE)]) },
        }
    }

    /// 1 where the condition is true, 0 elsewhere.
    pub fn condition(lit: Lit) -> Word {
        match lit.known() {
            Some(value) => Word::constant(i64::from(value)),
            None => Word { undef: Lit::FALSE, form: Form::Few(vec![(0, !lit), (1, lit)]) },
        }
    }

    /// An integer as bits.
    pub fn many(bits: Bits) -> Word {
        Word { undef: Lit::FALSE, form: Form::Many(bits) }
    }

    /// From alternatives, ⊥ among them perhaps, of whose conditions exactly one is true in every valuation. The same
    /// value may occur several times.
    pub fn few(g: &mut Graph, alternatives: impl IntoIterator<Item = (Value, Lit)>) -> Word {
        let mut grouped: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (value, lit) in alternatives {
            if lit != Lit::FALSE {
                grouped.entry(value).or_default().push(lit);
            }
        }
        let undef = grouped.remove(&UNDEF).map_or(Lit::FALSE, |lits| any(g, lits));
        let mut list: Vec<(Value, Lit)> = grouped.into_iter().map(|(v, lits)| (v, any(g, lits))).collect();
        if let [(_, lit)] = &mut list[..] {
            *lit = !undef;
        }
        Word { undef, form: Form::Few(list) }
    }

    /// Its value, if it does not depend on anything.
    pub fn known(&self) -> Option<Value> {
        match (&self.form, self.undef) {
            (_, Lit::TRUE) => Some(UNDEF),
            (Form::Few(list), Lit::FALSE) => match list[..] {
                [(value, _)] => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    /// Bounds of the integers it can be; none if it is always ⊥.
    pub fn bounds(&self) -> Option<(i128, i128)> {
        match &self.form {
            Form::Few(list) => Some((list.first()?.0.into(), list.last()?.0.into())),
            Form::Many(bits) => Some((bits.low, bits.high)),
        }
    }

    /// As bits; they mean nothing where it is ⊥.
    pub fn bits(&self, g: &mut Graph) -> Bits {
        let list = match &self.form {
            Form::Many(bits) => return bits.clone(),
            Form::Few(list) => list,
        };
        let (low, high) = self.bounds().unwrap_or((0, 0));
        let bits = (0..circuit::width(low, high)).map(|k| {
            let of = |wanted: bool| {
                let chosen = list.iter().filter(|(v, _)| (i128::from(*v) >> k & 1 != 0) == wanted);
                chosen.map(|(_, lit)| *lit).collect::<Vec<_>>()
            };
            let (ones, zeros) = (of(true), of(false));
            // Where it is ⊥ either will do, so the shorter list decides.
            if ones.len() <= zeros.len() { any(g, ones) } else { !any(g, zeros) }
        });
        let bits = bits.collect();
        Bits::new(bits, low, high)
    }

    /// It is an integer for which this holds. Where it is represented by bits, `None`.
    pub fn among(&self, g: &mut Graph, accept: impl Fn(Value) -> bool) -> Option<Lit> {
        let Form::Few(list) = &self.form else { return None };
        let of = |wanted: bool| {
            list.iter().filter(|(v, _)| accept(*v) == wanted).map(|(_, lit)| *lit).collect::<Vec<_>>()
        };
        let (yes, mut no) = (of(true), of(false));
        Some(if yes.is_empty() {
            Lit::FALSE
        } else if yes.len() <= no.len() {
            any(g, yes)
        } else {
            no.push(self.undef);
            !any(g, no)
        })
    }

    /// It is this integer.
    pub fn is(&self, g: &mut Graph, value: Value) -> Lit {
        match &self.form {
            Form::Few(list) => {
                list.binary_search_by_key(&value, |(v, _)| *v).map_or(Lit::FALSE, |at| list[at].1)
            }
            Form::Many(bits) => {
                let same = circuit::equal(g, bits, &Bits::constant(value.into()));
                g.and(same, !self.undef)
            }
        }
    }

    /// As a condition: true unless it is 0. ⊥ is not 0.
    pub fn holds(&self, g: &mut Graph) -> Lit {
        !self.is(g, 0)
    }

    /// The first where the condition is true, the second elsewhere.
    pub fn choose(g: &mut Graph, condition: Lit, yes: &Word, no: &Word) -> Word {
        if yes == no || condition == Lit::TRUE {
            return yes.clone();
        }
        if condition == Lit::FALSE {
            return no.clone();
        }
        let undef = g.choose(condition, yes.undef, no.undef);
        let (a, b) = match (&yes.form, &no.form) {
            (Form::Few(a), Form::Few(b)) => (a, b),
            _ => {
                let (a, b) = (yes.bits(g), no.bits(g));
                // What is always ⊥ has no bits that matter.
                let bits = match (yes.bounds(), no.bounds()) {
                    (None, _) => b,
                    (_, None) => a,
                    _ => circuit::choose(g, condition, &a, &b),
                };
                return Word { undef, form: Form::Many(bits) };
            }
        };
        let mut merged: BTreeMap<Value, (Lit, Lit)> = BTreeMap::new();
        for (value, lit) in a {
            merged.entry(*value).or_insert((Lit::FALSE, Lit::FALSE)).0 = *lit;
        }
        for (value, lit) in b {
            merged.entry(*value).or_insert((Lit::FALSE, Lit::FALSE)).1 = *lit;
        }
        let list = merged.into_iter().map(|(v, (yes, no))| (v, g.choose(condition, yes, no))).collect();
        Word { undef, form: Form::Few(list) }
    }

    /// The value whose condition is true: exactly one is.
    pub fn select(g: &mut Graph, alternatives: &[(Lit, Word)]) -> Word {
        let [first, rest @ ..] = alternatives else { return Word::constant(UNDEF) };
        if rest.is_empty() {
            return first.1.clone();
        }
        let mut values = vec![];
        for (lit, word) in alternatives {
            let Form::Few(list) = &word.form else {
                return rest.iter().fold(first.1.clone(), |other, (l, w)| Word::choose(g, *l, w, &other));
            };
            values.extend(list.iter().chain([&(UNDEF, word.undef)]).map(|(v, own)| (*v, *lit, *own)));
        }
        let values: Vec<(Value, Lit)> =
            values.into_iter().map(|(v, lit, own)| (v, g.and(lit, own))).collect();
        Word::few(g, values)
    }

    /// Every integer it can be with its condition, also where it is represented by bits; `None` if that would be more
    /// than so many.
    pub fn spread(&self, g: &mut Graph, most: i128) -> Option<Vec<(Value, Lit)>> {
        match &self.form {
            Form::Few(list) => Some(list.clone()),
            Form::Many(bits) if bits.high - bits.low < most => {
                let values = bits.low as i64..=bits.high as i64;
                Some(values.map(|v| (v, self.is(g, v))).collect())
            }
            Form::Many(_) => None,
        }
    }
}

/// At least one, in an order that depends on the parts alone, so that the same parts give the same node.
pub fn any(g: &mut Graph, mut parts: Vec<Lit>) -> Lit {
    parts.sort_unstable();
    parts.dedup();
    g.any(&parts)
}

/// A condition for each number below `count`, of which exactly one is true in every valuation of the bits. There are as
/// many bits as [`bits_for`] says; the first half of the numbers has the most significant bit 0.
pub fn cases(g: &mut Graph, bits: &[Lit], count: u64) -> Vec<Lit> {
    fn split(g: &mut Graph, bits: &[Lit], count: u64, here: Lit, out: &mut Vec<Lit>) {
        let Some((top, rest)) = bits.split_last().filter(|_| count > 1) else {
            return out.push(here);
        };
        let half = 1u64 << rest.len();
        if count <= half {
            return split(g, rest, count, here, out);
        }
        let (low, high) = (g.and(here, !*top), g.and(here, *top));
        split(g, rest, half, low, out);
        split(g, rest, count - half, high, out);
    }
    let mut out = vec![];
    split(g, bits, count, Lit::TRUE, &mut out);
    out
}

/// How many bits tell so many numbers apart.
pub fn bits_for(count: u64) -> usize {
    (64 - count.saturating_sub(1).leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_case_is_true_in_every_valuation() {
        for count in 1..20u64 {
            let mut g = Graph::new();
            let bits: Vec<Lit> = (0..bits_for(count)).map(|_| g.variable()).collect();
            let cases = cases(&mut g, &bits, count);
            assert_eq!(cases.len() as u64, count);
            for code in 0..1u64 << bits.len() {
                let mut values = vec![false; g.nodes().len()];
                for (k, bit) in bits.iter().enumerate() {
                    values[bit.node() as usize] = code >> k & 1 != 0;
                }
                g.evaluate(&mut values);
                let is_true = |lit: &&Lit| swarmcheck_aig::graph::value(&values, **lit);
                assert_eq!(cases.iter().filter(is_true).count(), 1);
                // A code that is a number means that number.
                assert!(code >= count || is_true(&&cases[code as usize]), "{code} of {count}");
            }
        }
    }
}
