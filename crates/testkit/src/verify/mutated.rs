//! Properties built from reached states. A property says that a vector of values never occurs, or comes again, or comes between
//! two others; a mutation changes one cell of the vector, so that it is just not reached, or reached by a rare way only.
//!
//! Such properties are sharp: a reduction that merges two states, or an abstraction that loses one, answers them wrongly, while
//! properties about one variable are seldom noticed to change. Whether a vector occurs is known twice: from the naive search
//! with the property as it is read, and from the list of states (`Source::occurs`), which reads no property.

use super::claims::number;
use crate::search::Space;
use std::collections::BTreeMap;
use swarmcheck_ir::cells::Cell;
use swarmcheck_ir::{UNDEF, Value};
use swarmcheck_labs::model::Model;
use swarmcheck_session::Prepared;
use swarmcheck_simulate::Rng;

/// How many kinds of properties there are.
const SHAPES: u64 = 9;

/// A property with what is known of it.
#[derive(Clone, Debug)]
pub struct MutatedClaim {
    /// Its definition, with its name.
    pub definition: String,
    /// For those that say that a vector never occurs: whether it does.
    pub occurs: Option<bool>,
}

/// Values of some cells: slots of states with what is in them.
#[derive(Clone, Debug)]
struct Vector(BTreeMap<usize, Value>);

/// A cell that a property can speak of.
struct Place {
    slot: usize,
    agent: Option<u32>,
    /// The name with its indices.
    name: String,
    /// What it has been seen to be.
    values: Vec<Value>,
    /// The same cell of all agents of the kind: a quantifier reads them all.
    read: Vec<usize>,
}

/// So many properties of a system, named `More0` and so on.
pub fn claims(prepared: &Prepared, space: &Space, seed: u64, count: usize) -> Vec<MutatedClaim> {
    let Some(model) = prepared.model.labs() else { return vec![] };
    let places = places(model, prepared, space);
    if space.states.is_empty() || places.is_empty() {
        return vec![];
    }
    let mut source = Source { model, places, space, rng: Rng::for_run(0x37A7E, seed) };
    let first = seed.wrapping_mul(count as u64);
    (0..count).filter_map(|at| source.claim(at, first.wrapping_add(at as u64) % SHAPES)).collect()
}

fn places(model: &Model, prepared: &Prepared, space: &Space) -> Vec<Place> {
    let program = &prepared.flat.program;
    let place = |(slot, cell): (u32, Cell)| {
        let name = &program.var(cell.var).name;
        let variable = model.variables.iter().find(|v| v.name == *name)?;
        let mut indices = vec![];
        let mut rest = cell.index;
        for size in variable.dimensions.iter().rev() {
            indices.push((rest % size).to_string());
            rest /= size;
        }
        indices.reverse();
        let indices = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(", ")) };
        let mut values: Vec<Value> = space.states.iter().map(|state| state[slot as usize]).collect();
        values.sort_unstable();
        values.dedup();
        values.retain(|v| can_be_written(*v));
        let kind = |agent: Option<u32>| agent.map(|agent| model.kind_of(agent));
        let alike = |other: &Cell| {
            (other.var, other.index, kind(other.agent)) == (cell.var, cell.index, kind(cell.agent))
        };
        let read =
            prepared.flat.layout.cells().filter(|(_, other)| alike(other)).map(|(slot, _)| slot as usize);
        let (read, name) = (read.collect(), format!("{name}{indices}"));
        Some(Place { slot: slot as usize, agent: cell.agent, name, values, read })
    };
    prepared.flat.layout.cells().filter_map(place).collect()
}

/// ⊥ cannot be compared with, and the least number has no literal.
fn can_be_written(value: Value) -> bool {
    value != UNDEF && value != Value::MIN
}

struct Source<'a> {
    model: &'a Model,
    places: Vec<Place>,
    space: &'a Space,
    rng: Rng,
}

impl Source<'_> {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }

    /// The values of a state that was reached, of all cells or of some.
    fn vector(&mut self) -> Option<Vector> {
        let at = self.below(self.space.states.len());
        let whole = self.below(2) == 0;
        let mut vector = BTreeMap::new();
        for place in 0..self.places.len() {
            let slot = self.places[place].slot;
            let value = self.space.states[at][slot];
            if can_be_written(value) && (whole || self.below(5) < 3) {
                vector.insert(slot, value);
            }
        }
        (!vector.is_empty()).then_some(Vector(vector))
    }

    /// One cell has another value that it has somewhere, or a neighbouring number.
    fn mutated(&mut self, vector: &Vector) -> Vector {
        let slots: Vec<usize> = vector.0.keys().copied().collect();
        let slot = slots[self.below(slots.len())];
        let old = vector.0[&slot];
        let seen = self.places.iter().find(|place| place.slot == slot);
        let mut others: Vec<Value> = seen.map_or(vec![], |place| place.values.clone());
        others.extend([old.saturating_add(1), old.saturating_sub(1)]);
        others.retain(|value| *value != old && can_be_written(*value));
        let mut out = vector.clone();
        if !others.is_empty() {
            let value = others[self.below(others.len())];
            out.0.insert(slot, value);
        }
        out
    }

    /// A mutation, half of the time one that does not occur if there is one among the first.
    fn sharp(&mut self, vector: &Vector) -> Vector {
        let first = self.mutated(vector);
        if self.below(2) == 0 {
            return first;
        }
        for _ in 0..6 {
            let other = self.mutated(vector);
            if !self.occurs(&other) {
                return other;
            }
        }
        first
    }

    fn claim(&mut self, number: usize, shape: u64) -> Option<MutatedClaim> {
        let vector = self.vector()?;
        let (other, third) = (self.vector()?, self.vector()?);
        let sharp = self.sharp(&vector);
        let [v, o, t, m] = [&vector, &other, &third, &sharp].map(|vector| self.words(vector));
        let mut occurs = None;
        let words = match shape {
            0 => {
                occurs = Some(self.occurs(&vector));
                format!("always !({v})")
            }
            // Mutations are worth more than what was simply reached.
            1..4 => {
                occurs = Some(self.occurs(&sharp));
                format!("always !({m})")
            }
            4 => format!("fairly_inf {v}"),
            5 => format!("eventually ({m}) or ({o})"),
            6 => format!("between ({v}) and ({o}), always !({m})"),
            7 => format!("from ({v}) until ({m}), thereIs {o}"),
            _ => format!("between ({v}) and ({o}), ({m}) precedes {t}"),
        };
        Some(MutatedClaim { definition: format!("  More{number} = {words}\n"), occurs })
    }

    /// Whether some state does not satisfy the negation of the vector. The negation is satisfied if everything in it is
    /// defined and some cell has another number: docs/labs.md, rules T 3.5 and T 3.6.
    fn occurs(&self, vector: &Vector) -> bool {
        let mentioned: Vec<&Place> = self.places.iter().filter(|p| vector.0.contains_key(&p.slot)).collect();
        let satisfied = |state: &Vec<Value>| {
            let defined = mentioned.iter().all(|p| p.read.iter().all(|slot| state[*slot] != UNDEF));
            defined && vector.0.iter().any(|(slot, value)| state[*slot] != *value)
        };
        !self.space.states.iter().all(satisfied)
    }

    /// The vector as a predicate: of each agent by its id, then of the environment.
    fn words(&self, vector: &Vector) -> String {
        let mut parts: Vec<String> = vec![];
        for agent in 0..self.model.agents() {
            let mine = self.places.iter().filter(|place| place.agent == Some(agent));
            let values: Vec<String> = mine
                .filter_map(|place| Some((place, vector.0.get(&place.slot)?)))
                .map(|(place, value)| format!("{} of a = {}", place.name, number(*value)))
                .collect();
            if !values.is_empty() {
                let kind = &self.model.kind(self.model.kind_of(agent)).name;
                parts.push(format!("(exists {kind} a, id of a = {agent} and {})", values.join(" and ")));
            }
        }
        let shared = self.places.iter().filter(|place| place.agent.is_none());
        let shared = shared.filter_map(|place| Some((place, vector.0.get(&place.slot)?)));
        parts.extend(shared.map(|(place, value)| format!("{} = {}", place.name, number(*value))));
        parts.join(" and ")
    }
}
