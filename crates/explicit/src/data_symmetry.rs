//! Symmetries of the data on packed states: of all images of a state, the least is stored.
//!
//! The code of a value is the value less a constant, so what a symmetry does to a field is: the code, or a constant less the
//! code, goes to another field, plus a constant. All fields of a word that go the same way go together, by a mask and a
//! rotation; constants of all of them are added at once. Sums wrap around: what comes out fits its fields, and a number of
//! 64 bits is determined by what it is up to multiples of 2⁶⁴.

use crate::codec::{Codec, Overflow};
use crate::worker::apart;
use std::cmp::Ordering;
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::Layout;
use swarmcheck_passes::data_symmetry::{DataSymmetries, DataSymmetry};
use swarmcheck_passes::symmetry::Canon;

/// Larger groups of data symmetries are not combined with agent symmetry, because agents are renamed in each image, which
/// would take too long. Canonicalising one after the other would be wrong: states of one orbit would be stored as different
/// ones, and executions could not be reconstructed.
pub(crate) const FEW: usize = 15;

/// Canonicalises packed states: the least image under all data symmetries. It has buffers, so each thread has its own.
#[derive(Debug)]
pub struct DataCanon {
    images: Vec<Image>,
    /// Room for an image and for the least so far.
    image: Vec<u64>,
    least: Vec<u64>,
    /// Room for an unpacked image, whose agents are renamed.
    state: Vec<Value>,
}

/// One symmetry as a map of packed states: for each word of the image, how it is computed.
#[derive(Clone, Debug)]
struct Image {
    words: Vec<Word>,
}

#[derive(Clone, Debug, Default)]
struct Word {
    constant: u64,
    moves: Vec<Move>,
}

/// Some fields of a word on their way.
#[derive(Clone, Copy, Debug)]
struct Move {
    from: u32,
    rotate: u32,
    mask: u64,
    /// The codes are subtracted: the values are mirrored (`lo + hi - v`).
    negated: bool,
}

impl DataCanon {
    /// For states packed by this codec; an error if it has no room for all images of values.
    pub fn new(layout: &Layout, codec: &Codec, found: &DataSymmetries) -> Result<DataCanon, Overflow> {
        for slot in 0..layout.width() as u32 {
            if let Some((lo, hi)) = found.bounds[layout.cell(slot).var.0 as usize] {
                codec.encode(slot, lo).and(codec.encode(slot, hi)).ok_or(Overflow)?;
            }
        }
        let images = found.symmetries.iter().map(|symmetry| Image::new(layout, codec, symmetry)).collect();
        Ok(DataCanon::with_room(images, codec.words(), layout.width()))
    }

    fn with_room(images: Vec<Image>, words: usize, width: usize) -> DataCanon {
        DataCanon { images, image: apart(words, 0), least: apart(words, 0), state: apart(width, 0) }
    }

    /// Replaces a state by the least of its images, itself included.
    #[inline]
    pub fn canonical(&mut self, words: &mut [u64]) {
        match words {
            [one] => {
                let state = [*one];
                *one = self.images.iter().fold(*one, |least, image| least.min(image.words[0].of(&state)));
            }
            [first, second] => {
                let state = [*first, *second];
                for image in &self.images {
                    let word = image.words[0].of(&state);
                    // Most images are decided by their first word.
                    if word <= *first {
                        let other = image.words[1].of(&state);
                        if (word, other) < (*first, *second) {
                            (*first, *second) = (word, other);
                        }
                    }
                }
            }
            words => self.canonical_of_many(words),
        }
    }

    fn canonical_of_many(&mut self, words: &mut [u64]) {
        self.least.copy_from_slice(words);
        for image in &self.images {
            let mut order = Ordering::Equal;
            for (at, word) in image.words.iter().enumerate() {
                self.image[at] = word.of(words);
                order = order.then(self.image[at].cmp(&self.least[at]));
                if order == Ordering::Greater {
                    break;
                }
            }
            if order == Ordering::Less {
                self.least.copy_from_slice(&self.image);
            }
        }
        words.copy_from_slice(&self.least);
    }

    /// The same for states whose agents are renamed as well: the least of all images of which each is renamed.
    pub fn renamed(&mut self, canon: &mut Canon, codec: &Codec, words: &mut [u64]) {
        self.least.copy_from_slice(words);
        for image in &self.images {
            self.image.iter_mut().zip(&image.words).for_each(|(out, word)| *out = word.of(words));
            codec.unpack(&self.image, &mut self.state);
            canon.canonical(&mut self.state);
            // Agents have the same room for the same variables.
            if codec.pack(&self.state, &mut self.image).is_ok() && self.image < self.least {
                self.least.copy_from_slice(&self.image);
            }
        }
        words.copy_from_slice(&self.least);
    }
}

impl Clone for DataCanon {
    fn clone(&self) -> DataCanon {
        DataCanon::with_room(self.images.clone(), self.image.len(), self.state.len())
    }
}

/// Replaces a packed state, whose agents have been renamed if they are, by the one that is stored for it.
#[inline]
pub fn least(data: &mut Option<DataCanon>, canon: &mut Option<Canon>, codec: &Codec, words: &mut [u64]) {
    match (data, canon) {
        (None, _) => {}
        (Some(data), None) => data.canonical(words),
        (Some(data), Some(canon)) => data.renamed(canon, codec, words),
    }
}

impl Image {
    fn new(layout: &Layout, codec: &Codec, symmetry: &DataSymmetry) -> Image {
        let mut words = vec![Word::default(); codec.words()];
        for slot in 0..layout.width() as u32 {
            let (to, sum) = symmetry.slot(layout, slot);
            let (from, target) = (codec.field(slot), codec.field(to));
            // A value is its code plus the base of the field.
            let constant = match sum {
                None => from.base.wrapping_sub(target.base),
                Some(sum) => sum.wrapping_sub(from.base).wrapping_sub(target.base),
            };
            let word = &mut words[target.word as usize];
            word.constant = word.constant.wrapping_add((constant as u64) << target.shift);
            word.add(Move {
                from: from.word,
                rotate: (64 + target.shift - from.shift) % 64,
                mask: from.mask << from.shift,
                negated: sum.is_some(),
            });
        }
        Image { words }
    }
}

impl Word {
    /// Fields that go the same way go together.
    fn add(&mut self, fields: Move) {
        let alike =
            |m: &&mut Move| m.from == fields.from && m.rotate == fields.rotate && m.negated == fields.negated;
        match self.moves.iter_mut().find(alike) {
            Some(others) => others.mask |= fields.mask,
            None if fields.mask == 0 => {}
            None => self.moves.push(fields),
        }
    }

    /// The word of the image of a state.
    #[inline]
    fn of(&self, state: &[u64]) -> u64 {
        let mut sum = self.constant;
        for fields in &self.moves {
            let bits = (state[fields.from as usize] & fields.mask).rotate_left(fields.rotate);
            sum = if fields.negated { sum.wrapping_sub(bits) } else { sum.wrapping_add(bits) };
        }
        sum
    }
}
