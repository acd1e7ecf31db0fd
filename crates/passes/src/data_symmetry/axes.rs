//! All values of some slots and locals, one combination after the other, in a state and in its image.

use super::DataSymmetry;
use super::families::Families;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::Value;
use swarmcheck_ir::ground::{Ground, Touched};

/// More combinations of values than this are not tried for one proof.
const MOST_AT_ONCE: u64 = 1 << 18;

/// The values that a local may have where it is read; `None` if that is not known.
pub(super) type Known = BTreeMap<u32, Option<BTreeSet<Value>>>;

/// A symmetry as a map of slots.
pub(super) struct Map {
    to: Vec<u32>,
    sum: Vec<Option<Value>>,
}

impl Map {
    pub fn new(ground: &Ground, symmetry: &DataSymmetry) -> Map {
        let (to, sum) = (0..ground.width() as u32).map(|slot| symmetry.slot(&ground.layout, slot)).unzip();
        Map { to, sum }
    }

    /// Whether it does anything to a slot.
    pub fn moves(&self, slot: u32) -> bool {
        self.to[slot as usize] != slot || self.sum[slot as usize].is_some()
    }

    /// Where the value of a slot goes, and what becomes of it.
    pub fn image(&self, slot: u32, value: Value) -> (u32, Value) {
        let slot = slot as usize;
        (self.to[slot], self.sum[slot].map_or(value, |sum| sum.wrapping_sub(value)))
    }

    /// These slots with all they are mapped to, in ascending order.
    pub fn closed(&self, slots: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut out = BTreeSet::new();
        for mut slot in slots {
            while out.insert(slot) {
                slot = self.to[slot as usize];
            }
        }
        out.into_iter().collect()
    }
}

/// All that a piece of code touches, with the values it can have.
pub(super) struct Axes {
    /// Slots, closed under the map, in ascending order.
    pub slots: Vec<u32>,
    locals: Vec<u32>,
    /// First those of the slots, then those of the locals.
    values: Vec<Vec<Value>>,
    at: Vec<usize>,
}

impl Axes {
    /// `None` if the values are not known, or there are too many combinations, or none. Locals that are looked at later
    /// (`kept`) count as read: a run that does not write them leaves them as they are.
    pub fn new(
        families: &Families,
        ground: &Ground,
        map: &Map,
        touched: &Touched,
        known: &Known,
        kept: &[u32],
    ) -> Option<Axes> {
        let slots = map.closed(touched.reads.iter().chain(&touched.writes).copied());
        // Locals that nothing has written yet are written before they are read.
        let seen: BTreeSet<u32> = touched.local_reads.iter().chain(kept).copied().collect();
        let locals: Vec<u32> = seen.into_iter().filter(|local| known.contains_key(local)).collect();
        let mut values = vec![];
        for &slot in &slots {
            let var = ground.layout.cell(slot).var;
            values.push(families.values[var.0 as usize].clone()?);
        }
        for local in &locals {
            values.push(known.get(local)?.as_ref()?.iter().copied().collect());
        }
        let count = |n: u64, all: &Vec<Value>| n.checked_mul(all.len() as u64);
        let combinations = values.iter().try_fold(1, count)?;
        let at = vec![0; values.len()];
        (1..=MOST_AT_ONCE).contains(&combinations).then_some(Axes { slots, locals, values, at })
    }

    /// Goes on to the next combination, if there is one.
    pub fn advance(&mut self) -> bool {
        swarmcheck_ir::cancel::check();
        for (at, values) in self.at.iter_mut().zip(&self.values) {
            *at += 1;
            if *at < values.len() {
                return true;
            }
            *at = 0;
        }
        false
    }

    /// Puts the values of the slots into one state, and their images into another.
    pub fn place(&self, map: &Map, here: &mut [Value], there: &mut [Value]) {
        for (i, &slot) in self.slots.iter().enumerate() {
            let value = self.values[i][self.at[i]];
            let (to, image) = map.image(slot, value);
            here[slot as usize] = value;
            there[to as usize] = image;
        }
    }

    /// Puts the values of the locals where they belong.
    pub fn place_locals(&self, locals: &mut Vec<Value>) {
        let slots = self.slots.len();
        for (i, &local) in self.locals.iter().enumerate() {
            if locals.len() <= local as usize {
                locals.resize(local as usize + 1, 0);
            }
            locals[local as usize] = self.values[slots + i][self.at[slots + i]];
        }
    }
}
