//! Linear invariants: weighted sums of counters that no transition changes.
//!
//! A vector of weights, one for each place and one for each control state, is a *place invariant* if for every transition the weight of
//! the control state and of the agents that take part is the same before and after (T. Murata, Proc. IEEE 77, 1989, section V). Then in
//! every reachable state the weight is what it was initially, for every number of agents. All place invariants together are the kernel of
//! the incidence matrix, which this file computes in exact arithmetic. Transitions that are not monotone are treated as if they were: that
//! adds equations, so what is left is still invariant.

use super::rational::{Rational, whole};
use super::system::System;
use std::collections::BTreeMap;

/// Weights of places and of control states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// By place.
    pub places: Vec<i64>,
    /// By control state.
    pub controls: Vec<i64>,
}

type Row = BTreeMap<usize, Rational>;

/// A basis of all linear invariants; none if numbers become too large.
pub fn invariants(system: &System) -> Option<Vec<Invariant>> {
    let places = system.places.len();
    let columns = places + system.controls.len();
    // Rows in echelon form, by the column of their first entry, which is 1.
    let mut echelon: BTreeMap<usize, Row> = BTreeMap::new();
    for t in &system.transitions {
        let mut row = Row::new();
        let mut add = |column: usize, value: i64| -> Option<()> {
            let sum = row.get(&column).copied().unwrap_or(Rational::ZERO).plus(value.into())?;
            match sum.is_zero() {
                true => row.remove(&column),
                false => row.insert(column, sum),
            };
            Some(())
        };
        t.places().into_iter().try_for_each(|place| add(place, t.change(place)))?;
        add(places + t.to, 1)?;
        add(places + t.from, -1)?;
        reduce(&echelon, &mut row)?;
        if let Some((first, value)) = row.iter().next().map(|(column, value)| (*column, *value)) {
            for entry in row.values_mut() {
                *entry = entry.over(value)?;
            }
            echelon.insert(first, row);
        }
    }
    // Reduced: columns of first entries occur in no other row.
    let firsts: Vec<usize> = echelon.keys().copied().collect();
    for first in firsts.iter().rev() {
        let mut row = echelon.remove(first)?;
        let later: Vec<usize> = row.keys().copied().filter(|c| c != first).collect();
        for column in later {
            if let Some(other) = echelon.get(&column) {
                let factor = row.get(&column).copied().unwrap_or(Rational::ZERO);
                subtract(&mut row, other, factor)?;
            }
        }
        echelon.insert(*first, row);
    }
    let mut out = vec![];
    for free in (0..columns).filter(|column| !echelon.contains_key(column)) {
        let mut vector = vec![Rational::ZERO; columns];
        vector[free] = Rational::ONE;
        for (first, row) in &echelon {
            if let Some(value) = row.get(&free) {
                vector[*first] = value.negated();
            }
        }
        let vector = whole(&vector)?;
        let (one, other) = vector.split_at(places);
        out.push(Invariant { places: one.to_vec(), controls: other.to_vec() });
    }
    Some(out)
}

fn reduce(echelon: &BTreeMap<usize, Row>, row: &mut Row) -> Option<()> {
    let mut from = 0;
    while let Some((column, value)) = row.range(from..).next().map(|(c, v)| (*c, *v)) {
        if let Some(other) = echelon.get(&column) {
            subtract(row, other, value)?;
        }
        from = column + 1;
    }
    Some(())
}

fn subtract(row: &mut Row, other: &Row, factor: Rational) -> Option<()> {
    for (column, value) in other {
        let old = row.get(column).copied().unwrap_or(Rational::ZERO);
        let new = old.minus(factor.times(*value)?)?;
        match new.is_zero() {
            true => row.remove(column),
            false => row.insert(*column, new),
        };
    }
    Some(())
}

impl Invariant {
    /// The same weights up to multiples of the numbers of agents of each kind, which do not change: the most frequent weight of a kind becomes 0.
    /// For words only; weights of control states become those of the globals alone.
    pub fn without_totals(&self, system: &System) -> Invariant {
        let mut places = self.places.clone();
        let mut controls = self.controls.clone();
        for number in 0..system.program.kinds.len() as u32 {
            let kind = swarmcheck_ir::KindId(number);
            let own: Vec<usize> =
                (0..places.len()).filter(|place| system.places[*place].kind == kind).collect();
            let often =
                |place: &usize| own.iter().filter(|p| self.places[**p] == self.places[*place]).count();
            let Some(most) = own.iter().max_by_key(|place| often(place)).map(|place| self.places[*place])
            else {
                continue;
            };
            own.iter().for_each(|place| places[*place] -= most);
            for (control, weight) in controls.iter_mut().enumerate() {
                *weight -= most * system.named(control, kind);
            }
        }
        Invariant { places, controls }
    }

    /// `#(Yes with state = 1) − #(No with state = 0)`, without what control states add.
    pub fn words(&self, system: &System) -> String {
        let mut parts: Vec<String> = vec![];
        for (place, weight) in self.places.iter().enumerate().filter(|(_, weight)| **weight != 0) {
            let sign = match (parts.is_empty(), *weight < 0) {
                (true, false) => "",
                (true, true) => "−",
                (false, false) => " + ",
                (false, true) => " − ",
            };
            let factor = match weight.unsigned_abs() {
                1 => String::new(),
                other => format!("{other}·"),
            };
            parts.push(format!("{sign}{factor}#({})", system.place_words(place)));
        }
        if self.controls.iter().any(|weight| *weight != self.controls[0]) {
            parts.push(" + a number that depends on the globals".to_string());
        }
        match parts.is_empty() {
            true => "0".to_string(),
            false => parts.concat(),
        }
    }
}
