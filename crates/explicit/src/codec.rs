//! Packed states: each cell in as few bits as its range needs.
//!
//! A cell whose variable has a known domain gets just enough bits; one that is constant gets none. Where no domain is
//! known a width is assumed: a value that does not fit is noticed, never cut, and the search starts again with a wider
//! code ([`Codec::wider`]). No field crosses the border of a word, so reading one is a shift and a mask.

use crate::packed::Spot;
use swarmcheck_ir::flat::Layout;
use swarmcheck_ir::{Program, UNDEF, Value, Var};

/// The widths tried, one after the other, for cells without a known domain.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// The packing of the states of one program.
#[derive(Clone, Debug)]
pub struct Codec {
    fields: Vec<Field>,
    words: usize,
    guess: usize,
    guessed: bool,
}

#[derive(Clone, Copy, Debug)]
struct Field {
    word: u32,
    shift: u32,
    /// The bits of the field, not shifted; 0 for a constant.
    mask: u64,
    /// The value that is stored as `undef as u64`: ⊥, if possible, comes before all numbers as 0.
    low: Value,
    /// How many codes there are, less one.
    top: u64,
    undef: bool,
}

/// Where a cell is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits {
    /// The index of the word.
    pub(crate) word: u32,
    /// How far the bits are shifted.
    pub(crate) shift: u32,
    /// The bits, not shifted; 0 for a constant.
    pub(crate) mask: u64,
    /// A number is its code plus this.
    pub(crate) base: Value,
}

/// A value does not fit its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overflow;

impl Codec {
    /// The narrowest code for the states of a program.
    pub fn new(program: &Program, layout: &Layout) -> Codec {
        Codec::with_guess(program, layout, 0)
    }

    /// A wider code, if some cell's range is not known; `None` if the widest was tried.
    pub fn wider(&self, program: &Program, layout: &Layout) -> Option<Codec> {
        let next = self.guess + 1;
        (self.guessed && next < WIDTHS.len()).then(|| Codec::with_guess(program, layout, next))
    }

    fn with_guess(program: &Program, layout: &Layout, guess: usize) -> Codec {
        let [dense, aligned] = [false, true].map(|align| Codec::arranged(program, layout, guess, align));
        if aligned.words <= dense.words { aligned } else { dense }
    }

    /// What belongs to one agent lies together: messages copy several of its cells at once. With `align` it goes into
    /// one word if it can: then it can be changed at once.
    fn arranged(program: &Program, layout: &Layout, guess: usize, align: bool) -> Codec {
        let cells = 0..layout.width() as u32;
        let var = |slot: u32| program.var(layout.cell(slot).var);
        let mut codec = Codec {
            fields: cells.clone().map(|slot| Field::new(var(slot), guess)).collect(),
            words: 0,
            guess,
            guessed: cells.clone().any(|slot| var(slot).domain.is_none()),
        };
        let mut slots: Vec<u32> = cells.collect();
        slots.sort_by_key(|&slot| layout.cell(slot).agent);
        let mut used = 64;
        for together in slots.chunk_by(|&a, &b| layout.cell(a).agent == layout.cell(b).agent) {
            let all: u32 = together.iter().map(|&slot| codec.fields[slot as usize].bits()).sum();
            if align && all <= 64 && used + all > 64 {
                used = 64;
            }
            for &slot in together {
                let field = &mut codec.fields[slot as usize];
                let bits = field.bits();
                if used + bits > 64 {
                    codec.words += 1;
                    used = 0;
                }
                field.word = codec.words.saturating_sub(1) as u32;
                field.shift = if bits == 0 { 0 } else { used };
                used += bits;
            }
        }
        codec.words = codec.words.max(1);
        codec
    }

    /// How many 64-bit words a packed state has.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many cells an unpacked state has.
    pub fn cells(&self) -> usize {
        self.fields.len()
    }

    /// Bits per state that carry information.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(Field::bits).sum()
    }

    /// Packs a state; an error if a value does not fit its field.
    pub fn pack(&self, state: &[Value], words: &mut [u64]) -> Result<(), Overflow> {
        words.fill(0);
        for (field, &value) in self.fields.iter().zip(state) {
            words[field.word as usize] |= field.code(value)? << field.shift;
        }
        Ok(())
    }

    /// Where a cell is and how many codes it has; `None` if it is wide.
    pub(crate) fn spot(&self, slot: u32) -> Option<(Spot, u32)> {
        let field = &self.fields[slot as usize];
        let mask = u32::try_from(field.mask).ok()?;
        let codes = u32::try_from(field.top).ok()?.checked_add(1)?;
        Some((Spot { mask, word: u16::try_from(field.word).ok()?, shift: field.shift as u16 }, codes))
    }

    /// Where a cell is, whatever its width, and what its codes mean.
    pub(crate) fn field(&self, slot: u32) -> Bits {
        let field = &self.fields[slot as usize];
        let base = field.low.wrapping_sub(i64::from(field.undef));
        Bits { word: field.word, shift: field.shift, mask: field.mask, base }
    }

    /// The code of a value, if the cell can have it.
    pub(crate) fn encode(&self, slot: u32, value: Value) -> Option<u64> {
        self.fields[slot as usize].code(value).ok()
    }

    /// The value of a code.
    pub(crate) fn decode(&self, slot: u32, code: u64) -> Value {
        self.fields[slot as usize].value(code)
    }

    /// Whether two cells' codes compare as their values do.
    pub(crate) fn alike(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.fields[a as usize], &self.fields[b as usize]);
        a.low == b.low && !a.undef && !b.undef && a.top != u64::MAX && b.top != u64::MAX
    }

    /// Whether two cells have the same codes for the same values.
    pub(crate) fn same(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.fields[a as usize], &self.fields[b as usize]);
        a.low == b.low && a.undef == b.undef && a.top == b.top
    }

    /// Replaces the value of one cell.
    #[inline]
    pub fn patch(&self, words: &mut [u64], slot: u32, value: Value) -> Result<(), Overflow> {
        let field = &self.fields[slot as usize];
        let code = field.code(value)?;
        let word = &mut words[field.word as usize];
        *word = *word & !(field.mask << field.shift) | code << field.shift;
        Ok(())
    }

    /// Inverse of [`Codec::pack`].
    #[inline]
    pub fn unpack(&self, words: &[u64], state: &mut [Value]) {
        for (field, value) in self.fields.iter().zip(state) {
            *value = field.value(words[field.word as usize] >> field.shift & field.mask);
        }
    }
}

impl Field {
    /// The field of a variable's cell; where it goes is not known yet.
    fn new(var: &Var, guess: usize) -> Field {
        let (low, top) = match var.domain {
            Some((lo, hi)) => (lo, hi.abs_diff(lo).checked_add(u64::from(var.may_be_undef))),
            None => {
                let width = WIDTHS[guess];
                (i64::MIN >> (64 - width), Some(u64::MAX >> (64 - width)))
            }
        };
        // A domain as wide as all numbers, or the widest guess, is stored as it is: ⊥ is a code like any other.
        let whole = top.is_none_or(|top| top == u64::MAX);
        let bits = if whole { 64 } else { 64 - top.unwrap_or(0).leading_zeros() };
        Field {
            word: 0,
            shift: 0,
            mask: if bits == 0 { 0 } else { u64::MAX >> (64 - bits) },
            low: if whole { 0 } else { low },
            top: top.unwrap_or(u64::MAX),
            undef: var.may_be_undef && !whole,
        }
    }

    fn bits(&self) -> u32 {
        self.mask.count_ones()
    }

    #[inline]
    fn code(&self, value: Value) -> Result<u64, Overflow> {
        if self.undef {
            if value == UNDEF {
                return Ok(0);
            }
            let code = value.wrapping_sub(self.low) as u64;
            return if value >= self.low && code < self.top { Ok(code + 1) } else { Err(Overflow) };
        }
        let code = value.wrapping_sub(self.low) as u64;
        let fits = code <= self.top && (value >= self.low || self.top == u64::MAX);
        if fits { Ok(code) } else { Err(Overflow) }
    }

    #[inline]
    fn value(&self, code: u64) -> Value {
        match (self.undef, code) {
            (false, code) => self.low.wrapping_add(code as i64),
            (true, 0) => UNDEF,
            (true, code) => self.low.wrapping_add((code - 1) as i64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_ir::flat::Flat;
    use swarmcheck_ir::program::{Program, Role, Var};

    type Domain = (Option<(i64, i64)>, bool);

    fn program(domains: &[Domain]) -> Program {
        let var = |(i, &(domain, may_be_undef)): (usize, &Domain)| Var {
            name: format!("v{i}"),
            owners: None,
            dimensions: vec![],
            domain,
            may_be_undef,
            role: Role::Turn,
        };
        Program {
            kinds: vec![],
            vars: domains.iter().enumerate().map(var).collect(),
            init_locals: vec![],
            init: vec![],
            functions: vec![],
            properties: vec![],
        }
    }

    fn round_trip(codec: &Codec, state: &[Value]) {
        let mut words = vec![0; codec.words()];
        codec.pack(state, &mut words).expect("it fits");
        let mut back = vec![7; state.len()];
        codec.unpack(&words, &mut back);
        assert_eq!(back, state);
        let mut patched = vec![0; codec.words()];
        let zero: Vec<Value> = codec.fields.iter().map(|f| f.value(0)).collect();
        codec.pack(&zero, &mut patched).expect("the first code fits");
        for (slot, value) in state.iter().enumerate() {
            codec.patch(&mut patched, slot as u32, *value).expect("it fits");
        }
        assert_eq!(patched, words);
    }

    #[test]
    fn every_value_of_a_domain_comes_back_and_no_other_fits() {
        let p = program(&[
            (Some((-1, 1)), false),
            (Some((-1, 1)), true),
            (Some((5, 5)), false),
            (Some((5, 5)), true),
            (Some((0, 255)), true),
            (Some((i64::MIN + 1, i64::MAX)), true),
            (Some((0, i64::MAX)), false),
        ]);
        let flat = Flat::new(p.clone());
        let codec = Codec::new(&p, &flat.layout);
        assert_eq!(codec.bits(), 2 + 2 + 1 + 9 + 64 + 63);
        round_trip(&codec, &[-1, -1, 5, 5, 0, i64::MIN + 1, 0]);
        round_trip(&codec, &[1, UNDEF, 5, UNDEF, UNDEF, UNDEF, i64::MAX]);
        round_trip(&codec, &[0, 1, 5, 5, 255, i64::MAX, 17]);
        let mut words = vec![0; codec.words()];
        let outside = [
            (0, 2),
            (0, -2),
            (0, UNDEF),
            (1, 2),
            (1, -2),
            (2, 4),
            (2, 6),
            (3, 6),
            (4, 256),
            (4, -1),
            (6, -1),
        ];
        for (slot, value) in outside {
            assert_eq!(codec.patch(&mut words, slot, value), Err(Overflow), "{slot} {value}");
        }
    }

    #[test]
    fn unknown_ranges_are_widened() {
        let p = program(&[(None, true), (None, false), (Some((0, 0)), false)]);
        let flat = Flat::new(p.clone());
        let mut codec = Codec::new(&p, &flat.layout);
        let mut words = vec![0; 8];
        for (fits, not) in [(127, 128), (32767, 32768), (i64::from(i32::MAX), i64::from(i32::MAX) + 1)] {
            assert!(codec.patch(&mut words, 1, fits).is_ok());
            assert!(codec.patch(&mut words, 1, not).is_err());
            codec = codec.wider(&p, &flat.layout).expect("there is a wider one");
        }
        round_trip(&codec, &[UNDEF, i64::MAX, 0]);
        round_trip(&codec, &[i64::MAX, -i64::MAX, 0]);
        assert!(codec.wider(&p, &flat.layout).is_none());
    }
}
