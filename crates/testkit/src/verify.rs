//! Asks the explicit-state engine about random systems in many ways and compares everything it says with the naive
//! search: verdicts, sizes, shortest counterexamples. Counterexamples are replayed on the reference semantics.
//!
//! * [`claims`]: properties of all modalities for a random system.
//! * [`mutated`]: properties built from reached states by changing one cell.
//! * [`ask`]: the ways to ask.
//! * [`view`], [`expect`]: which answers are right, errors of the model included.
//! * [`compare`]: whether an engine's answers are.
//! * [`bits`]: the system of bits that symbolic engines work on.
//! * [`symbolic`]: whether the answers of the engines on it are.
//! * [`steps`]: the ground program and the ranges, which searches are built from.

pub mod ask;
pub mod bits;
pub mod claims;
pub mod compare;
pub mod expect;
pub mod follow;
pub mod mutated;
pub mod steps;
pub mod symbolic;
#[cfg(test)]
mod tests;
pub mod view;

pub use ask::Ask;
pub use compare::{Failure, Seen, System};
pub use expect::Word;

use crate::generate;
use crate::oracle::{self, OracleAnswer, OracleQuestion};
use crate::search::Space;
use swarmcheck_labs::lower;
use swarmcheck_session::{ModelOptions, Prepared, Trouble, prepare, words};

/// The system with this number, with more properties than it comes with; `None` if it is refused or has more states
/// than this. Of several random properties those are taken that hold and do not hold in turn, as far as there are any.
pub fn system(seed: u64, reading: lower::Options, most: usize, more: usize) -> Option<String> {
    enriched(generate::system(seed), claims::candidates, seed, reading, most, more)
}

/// The same for a system with two kinds of agents that are alike, and properties about both.
pub fn alike(seed: u64, reading: lower::Options, most: usize, more: usize) -> Option<String> {
    enriched(generate::alike(seed), claims::of_both, seed, reading, most, more)
}

/// The same for a system in which values can often be mirrored or variables exchanged.
pub fn arena(seed: u64, reading: lower::Options, most: usize, more: usize) -> Option<String> {
    enriched(generate::arena(seed), claims::candidates, seed, reading, most, more)
}

/// A text with properties built from its reached states; `None` if it is
/// refused, has more states than this, or has no state at all.
pub fn sharpened(text: &str, seed: u64, reading: lower::Options, most: usize, more: usize) -> Option<String> {
    let prepared = open(text, reading).ok()?;
    let space = Space::explore(&prepared.flat, most);
    if !space.complete {
        return None;
    }
    let claims = mutated::claims(&prepared, &space, seed, more);
    let definitions: Vec<String> = claims.into_iter().map(|claim| claim.definition).collect();
    (!definitions.is_empty()).then(|| format!("{text}{}", claims::section(&definitions)))
}

/// Gives candidates for this many properties.
type Candidates = fn(&Prepared, &Space, u64, usize) -> Vec<Vec<String>>;

fn enriched(
    text: String,
    candidates: Candidates,
    seed: u64,
    reading: lower::Options,
    most: usize,
    more: usize,
) -> Option<String> {
    let prepared = open(&text, reading).ok()?;
    let space = Space::explore(&prepared.flat, most);
    if !space.complete {
        return None;
    }
    let lists = candidates(&prepared, &space, seed, more);
    let with = |chosen: &[String]| format!("{text}{}", claims::section(chosen));
    let flat = open(&with(&lists.concat()), reading).ok()?.flat;
    let first = flat.program.properties.iter().position(|p| p.name.starts_with("More"))?;
    let mut number = first;
    let mut chosen = vec![];
    for (at, list) in lists.iter().enumerate() {
        let wanted =
            if (seed as usize + at).is_multiple_of(3) { OracleAnswer::Holds } else { OracleAnswer::Violated };
        let answers =
            |c: &usize| oracle::answer(&flat, &space, number + c, &OracleQuestion::default()) == wanted;
        chosen.push(list[(0..list.len()).find(answers).unwrap_or(0)].clone());
        number += list.len();
    }
    Some(with(&chosen))
}

/// Round-robin or not, the two readings of the rules of messages, late and early choice, and messages as steps or not, in
/// turn.
pub fn reading(seed: u64) -> lower::Options {
    let semantics = if seed % 4 < 2 { lower::Semantics::Sliver } else { lower::Semantics::Paper };
    let choice = if seed / 4 % 3 == 2 { lower::Choice::Early } else { lower::Choice::Late };
    let sync = seed / 12 % 3 == 1;
    lower::Options { fair: seed % 2 == 1, semantics, choice, sync }
}

/// Reads a system; if it is refused, why. A first line `#! n=2 m=3` gives values to its parameters.
pub fn open(text: &str, reading: lower::Options) -> Result<Prepared, String> {
    read_as(text, reading).map_err(|trouble| words::refusal(&trouble.into()))
}

/// The same with all that is known about a refusal.
pub fn read_as(text: &str, reading: lower::Options) -> Result<Prepared, Trouble> {
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!")).unwrap_or_default();
    let pairs = first.split_whitespace().filter_map(|pair| pair.split_once('='));
    let parameters = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let lower::Options { fair, semantics, choice, sync } = reading;
    let options = ModelOptions { parameters, fair, semantics, choice, sync, ..ModelOptions::default() };
    prepare("random.labs", text.as_bytes(), options)
}
