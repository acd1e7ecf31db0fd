//! More properties for a random system: all modalities, about values that its variables really have, so that each
//! verdict is met.

use crate::search::Space;
use std::collections::BTreeSet;
use swarmcheck_ir::{UNDEF, Value, VarId};
use swarmcheck_labs::model::{Class, Model};
use swarmcheck_session::Prepared;
use swarmcheck_simulate::Rng;

/// Candidates for this many properties: lists of definitions, each with a name of its own.
pub fn candidates(prepared: &Prepared, space: &Space, seed: u64, count: usize) -> Vec<Vec<String>> {
    let mut claims = Claims::new(prepared, space, seed);
    // Neighbours are different, and all come round.
    let first = seed as usize * count;
    let list = |at: usize| {
        let modality = (first + at) % MODALITIES;
        (0..CANDIDATES).map(|number| claims.property(&format!("More{at}{number}"), modality)).collect()
    };
    (0..count).map(list).collect()
}

/// The same for systems with two kinds that are alike: properties that treat their agents alike, or nearly so.
pub fn of_both(prepared: &Prepared, space: &Space, seed: u64, count: usize) -> Vec<Vec<String>> {
    let mut claims = Claims::new(prepared, space, seed);
    let list = |at: usize| {
        let modality = (seed as usize * count + at) % SIMPLE;
        (0..CANDIDATES)
            .map(|number| claims.property_of_both(&format!("More{at}{number}"), modality))
            .collect()
    };
    (0..count).map(list).collect()
}

/// A section with these properties.
pub fn section(properties: &[String]) -> String {
    format!("check {{\n{}}}\n", properties.concat())
}

/// For each variable of the model, the values that it has in some states.
fn values(model: &Model, prepared: &Prepared, space: &Space) -> Vec<Vec<Value>> {
    let layout = &prepared.flat.layout;
    let of = |name: &String| {
        let var = prepared.flat.program.vars.iter().position(|v| v.name == *name)?;
        let slots = (0..layout.width()).filter(|&slot| layout.cell(slot as u32).var == VarId(var as u32));
        let slots: Vec<usize> = slots.collect();
        let seen = space.states.iter().flat_map(|state| slots.iter().map(|&slot| state[slot]));
        Some(seen.filter(|v| *v != UNDEF).collect::<BTreeSet<Value>>().into_iter().collect())
    };
    model.variables.iter().map(|v| of(&v.name).unwrap_or_default()).collect()
}

/// How many kinds of properties there are.
const MODALITIES: usize = 12;
/// How many of them have one predicate only.
const SIMPLE: usize = 6;
/// How many properties of a kind there are to choose from.
const CANDIDATES: usize = 4;

/// Draws properties of a system and their parts.
pub struct Claims<'a> {
    model: &'a Model,
    values: Vec<Vec<Value>>,
    rng: Rng,
}

impl<'a> Claims<'a> {
    /// About a LAbS model and the values in these states.
    ///
    /// # Panics
    /// If the model is in another language.
    pub fn new(prepared: &'a Prepared, space: &Space, seed: u64) -> Claims<'a> {
        let model = prepared.model.labs().expect("random models are written in LAbS");
        Claims { model, values: values(model, prepared, space), rng: Rng::for_run(0xC1A1, seed) }
    }

    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn property(&mut self, name: &str, modality: usize) -> String {
        let words = match modality {
            simple if simple < SIMPLE => self.simple(simple),
            scoped => {
                let (first, second) = if scoped < 9 { ("between", "and") } else { ("from", "until") };
                let inside = match scoped % 3 {
                    0 => "always".to_string(),
                    1 => "thereIs".to_string(),
                    _ => format!("({}) precedes", self.predicate()),
                };
                let (start, end) = self.events();
                format!("{first} ({start}) {second} ({end}), {inside}")
            }
        };
        format!("  {name} = {words} {}\n", self.predicate())
    }

    fn simple(&mut self, modality: usize) -> String {
        match ["always", "eventually", "finally", "fairly", "fairly_inf"].get(modality) {
            Some(word) => word.to_string(),
            None => format!("after {}", self.below(7)),
        }
    }

    /// The same of agents of two kinds, written in several ways; now and then of one of them something else.
    fn property_of_both(&mut self, name: &str, modality: usize) -> String {
        let words = self.simple(modality);
        let [ant, bee] = [0, 1].map(|kind| self.model.kinds[kind].name.clone());
        let one = self.about(0, "a");
        let other = if self.below(6) == 0 { self.about(1, "b") } else { one.replace(" of a", " of b") };
        let (q, junction) =
            self.pick(&[("forall", "and"), ("exists", "or"), ("forall", "or"), ("exists", "and")]);
        let predicate = match self.below(3) {
            0 => format!("({q} {ant} a, {one}) {junction} ({q} {bee} b, {other})"),
            1 => format!("{q} {ant} a, {q} {bee} b, ({one}) {junction} ({other})"),
            _ => format!("{q} {bee} b, {q} {ant} a, ({one}) {junction} ({other})"),
        };
        format!("  {name} = {words} {predicate}\n")
    }

    /// What opens a scope and what closes it: mostly that one variable has two values.
    fn events(&mut self) -> (String, String) {
        let vars: Vec<usize> = (0..self.values.len()).filter(|&v| self.values[v].len() > 1).collect();
        if vars.is_empty() || self.below(3) == 0 {
            return (self.predicate(), self.predicate());
        }
        let var = self.pick(&vars);
        let cell = self.cell(var);
        let values = self.values[var].clone();
        let (start, end) = (number(self.pick(&values)), number(self.pick(&values)));
        let has = |kind: &usize| self.variables(*kind).contains(&var);
        let owners: Vec<usize> = (0..self.model.kinds.len()).filter(has).collect();
        if owners.is_empty() {
            return (format!("{cell} = {start}"), format!("{cell} = {end}"));
        }
        let kind = self.model.kinds[self.pick(&owners)].name.clone();
        let (one, other) = (self.pick(&["exists", "forall"]), self.pick(&["exists", "forall"]));
        (format!("{one} {kind} a, {cell} of a = {start}"), format!("{other} {kind} a, {cell} of a = {end}"))
    }

    /// A predicate without names that are bound outside.
    pub fn predicate(&mut self) -> String {
        match self.below(20) {
            0 => self.pick(&["true", "false"]).to_string(),
            1..3 => format!("!({})", self.atom()),
            3..6 => format!("({}) and ({})", self.atom(), self.atom()),
            6..9 => format!("({}) or ({})", self.atom(), self.atom()),
            _ => self.atom(),
        }
    }

    /// A condition on one variable, or two.
    fn atom(&mut self) -> String {
        let shared: Vec<usize> =
            (0..self.values.len()).filter(|&v| self.model.variables[v].class == Class::Environment).collect();
        let kinds: Vec<usize> = (0..self.model.kinds.len()).collect();
        if !shared.is_empty() && self.below(4) == 0 {
            let var = self.pick(&shared);
            let cell = self.cell(var);
            // A predicate that is an error of the model where the value is positive.
            if self.below(40) == 0 {
                return format!("{cell} + 9223372036854775807 > 5");
            }
            return format!("{cell} {}", self.compared(var));
        }
        let kind = self.pick(&kinds);
        let name = self.model.kinds[kind].name.clone();
        let word = self.pick(&["forall", "exists", "forall", "exists", "count"]);
        if word == "count" {
            let (most, op) = (self.below(3), self.pick(&["=", "<", ">="]));
            return format!("(count {name} a, {}) {op} {most}", self.about(kind, "a"));
        }
        if self.below(5) == 0 {
            let other = self.pick(&kinds);
            let inner = self.pick(&["forall", "exists"]);
            let (left, right) = (self.variables(kind), self.variables(other));
            if let (false, false) = (left.is_empty(), right.is_empty()) {
                let (x, y) = (self.pick(&left), self.pick(&right));
                let (x, y) = (self.cell(x), self.cell(y));
                let op = self.pick(&["=", "!=", "<", ">="]);
                let apart = self.pick(&["", "id of a = id of b or ", "id of a < id of b and "]);
                let to = &self.model.kinds[other].name;
                return format!("{word} {name} a, {inner} {to} b, {apart}{x} of a {op} {y} of b");
            }
        }
        format!("{word} {name} a, {}", self.about(kind, "a"))
    }

    fn variables(&self, kind: usize) -> Vec<usize> {
        let kind = &self.model.kinds[kind];
        let has = |at: &usize| match self.model.variables[*at].class {
            Class::Environment => false,
            Class::Attribute => kind.attributes.iter().any(|(var, _)| var.0 as usize == *at),
            Class::Stigmergic(tuple) => kind.stigmergies.contains(&self.model.tuple(tuple).stigmergy),
        };
        (0..self.values.len()).filter(has).collect()
    }

    /// A condition on one agent of a kind, by the name that it has outside.
    pub fn about(&mut self, kind: usize, agent: &str) -> String {
        let vars = self.variables(kind);
        let agents = self.model.agents().max(1) as usize;
        if vars.is_empty() || self.below(12) == 0 {
            let op = self.pick(&["=", "!=", "<"]);
            return format!("id of {agent} {op} {}", self.below(agents));
        }
        let var = self.pick(&vars);
        let cell = format!("{} of {agent}", self.cell(var));
        match self.below(10) {
            0 => format!("{cell} = id of {agent}"),
            1 => {
                let other = self.pick(&vars);
                format!("{cell} >= {} of {agent}", self.cell(other))
            }
            2 => format!("id of {agent} = {} or {cell} {}", self.below(agents), self.compared(var)),
            _ => format!("{cell} {}", self.compared(var)),
        }
    }

    fn cell(&mut self, var: usize) -> String {
        let variable = &self.model.variables[var];
        let (name, sizes) = (variable.name.clone(), variable.dimensions.clone());
        let index: Vec<String> = sizes.iter().map(|size| self.below(*size as usize).to_string()).collect();
        if index.is_empty() { name } else { format!("{name}[{}]", index.join(", ")) }
    }

    /// A comparison with a value that the variable has, mostly.
    fn compared(&mut self, var: usize) -> String {
        let op = self.pick(&["=", "!=", "<", "<=", ">", ">="]);
        let values = self.values[var].clone();
        let value =
            if values.is_empty() || self.below(8) == 0 { self.below(3) as i64 } else { self.pick(&values) };
        format!("{op} {}", number(value))
    }
}

/// A number as the language writes it.
pub(super) fn number(value: Value) -> String {
    if value < 0 { format!("(0 - {})", value.unsigned_abs()) } else { value.to_string() }
}
