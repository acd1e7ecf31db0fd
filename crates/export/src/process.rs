//! Chains and decision processes as files for probabilistic model checkers: all states, one by one.
//!
//! * `drn`: the explicit format of Storm (C. Hensel, S. Junges, J.-P. Katoen, T. Quatmann and M. Volk, "The probabilistic model checker
//!   Storm", STTT 24, 2022), with exact fractions.
//! * `jani`: JANI (C. E. Budde, C. Dehnert, E. M. Hahn, A. Hartmanns, S. Junges and A. Turrini, "JANI: quantitative model and
//!   tool interaction", TACAS 2017), one location for each state.
//! * `prism`: the explicit files of PRISM.
//!
//! A state without steps gets a loop, which pays nothing, and the label `deadlock`: a run that stops rests. None of the formats has an
//! initial distribution. If there are several initial states, one more state stands before them, has the label `start`, leads to
//! them with their probabilities and pays nothing. What is asked there begins with the operator X.

mod drn;
mod jani;
mod prism;

pub use drn::drn;
pub use jani::jani;
pub use prism::prism;

use crate::naming::{begins_with_a_letter, first_free, plain};
use std::collections::BTreeSet;
use swarmcheck_chance::{Bits, Process};
use swarmcheck_ir::Linear;

/// What is to be written.
pub struct ProcessExport<'a> {
    /// Without reductions, so that states are those of the model.
    pub process: &'a Process,
    /// The states in which a run has stopped. They need not be deadlocks of the process, if it has a step of resting.
    pub deadlocks: &'a Bits,
    /// Names and the states that have them.
    pub labels: &'a [(String, Bits)],
    /// Remarks for the reader, a line each.
    pub remarks: &'a [String],
    /// What can be asked, over the numbers of labels.
    pub claims: &'a [Claim],
}

/// Something to ask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The property of the model.
    pub name: String,
    /// Its formula.
    pub path: ClaimPath,
}

/// A set of runs. Numbers are those of labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClaimPath {
    /// The label in all states.
    Always(usize),
    /// The label in some state.
    Eventually(usize),
    /// The label after this many steps.
    After(u32, usize),
    /// A formula of linear time.
    Formula(Linear<usize>),
}

/// Names for labels: letters, digits and underscores, each once, and none that the formats have a meaning for.
pub fn label_names<'a>(wanted: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken: BTreeSet<String> = RESERVED.iter().map(|word| word.to_string()).collect();
    let one = |name: &str| {
        let name = plain(name);
        let name = if begins_with_a_letter(&name) { name } else { format!("p_{name}") };
        first_free(&mut taken, name, "_")
    };
    wanted.into_iter().map(one).collect()
}

/// Labels, variables and keywords of the formats.
const RESERVED: &[&str] = &[
    "init", "deadlock", "start", "steps", "true", "false", "min", "max", "floor", "ceil", "pow", "mod",
    "log", "time", "state", "states", "action", "rate", "F", "G", "U", "W", "R", "X", "P", "S", "E", "A",
    "C", "I", "Pmin", "Pmax", "Rmin", "Rmax",
];

/// A fraction without common factors.
fn fraction(numerator: u128, denominator: u128) -> String {
    let (mut a, mut b) = (numerator, denominator);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    match (numerator / a.max(1), denominator / a.max(1)) {
        (numerator, 1) => numerator.to_string(),
        (numerator, denominator) => format!("{numerator}/{denominator}"),
    }
}

/// What kind of process it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Chain,
    Decisions,
    /// Continuous time.
    Rates,
    /// Continuous time, with a state before that takes none.
    RatesAndStart,
}

impl ProcessExport<'_> {
    fn kind(&self) -> Kind {
        match (self.process.exits().is_some(), self.process.is_chain()) {
            (true, _) if self.has_start() => Kind::RatesAndStart,
            (true, _) => Kind::Rates,
            (false, true) => Kind::Chain,
            (false, false) => Kind::Decisions,
        }
    }

    /// Whether there is a state before the initial ones. Its number follows the others.
    fn has_start(&self) -> bool {
        self.process.initial().len() != 1
    }

    fn states(&self) -> usize {
        self.process.states() + usize::from(self.has_start())
    }

    fn rows(&self) -> usize {
        self.process.rows() + usize::from(self.has_start())
    }

    /// The label that a state has, if it is the only initial one, and all others, in order.
    fn labels_of(&self, state: usize) -> impl Iterator<Item = &str> {
        let initial =
            !self.has_start() && self.process.initial().iter().any(|(first, _)| *first as usize == state);
        let first = initial.then_some("init").into_iter();
        let dead = self.deadlocks.contains(state).then_some("deadlock");
        let given = self.labels.iter().filter(move |(_, states)| states.contains(state));
        first.chain(dead).chain(given.map(|(name, _)| name.as_str()))
    }

    /// The initial states with their weights and the sum of these.
    fn start(&self) -> (&[(u32, u64)], u64) {
        (self.process.initial(), self.process.initial_total())
    }

    /// Whether a row is a step of the model, and not only there because every state has one.
    fn is_step(&self, state: usize) -> bool {
        !self.deadlocks.contains(state)
    }

    /// The questions in the syntax of PRISM and Storm, a line each.
    pub fn questions(&self) -> Vec<String> {
        let optima: &[&str] = match self.kind() {
            Kind::Decisions => &["Pmin", "Pmax"],
            Kind::Chain | Kind::Rates => &["P"],
            // A Markov automaton has decisions, if only in name.
            Kind::RatesAndStart => &["Pmax"],
        };
        let mut out = vec![];
        for claim in self.claims {
            let path = self.path(&claim.path);
            out.extend(optima.iter().map(|optimum| format!("{optimum}=? [{path}]")));
        }
        out
    }

    /// A label in the syntax of PRISM and Storm. One that no state has is unknown to Storm, so that it is called `false`.
    pub fn label(&self, number: usize) -> String {
        let (name, states) = &self.labels[number];
        if states.is_empty() { "false".to_string() } else { format!("\"{name}\"") }
    }

    /// A path formula in the syntax of PRISM and Storm.
    pub fn path(&self, path: &ClaimPath) -> String {
        let label = |number: usize| self.label(number);
        let shift = if self.has_start() { "X " } else { "" };
        match path {
            ClaimPath::Always(number) => format!("{shift}G {}", label(*number)),
            ClaimPath::Eventually(number) => format!("{shift}F {}", label(*number)),
            ClaimPath::After(steps, number) => {
                let steps = u64::from(*steps) + u64::from(self.has_start());
                format!("true U[{steps},{steps}] {}", label(*number))
            }
            ClaimPath::Formula(formula) => {
                let folded = folded(formula, &|number| self.labels[number].1.is_empty());
                format!("{shift}{}", written(&folded, &label))
            }
        }
    }
}

/// The formula without labels that no state has, and without constants inside: Storm refuses some of these.
fn folded(formula: &Linear<usize>, never: &dyn Fn(usize) -> bool) -> Linear<usize> {
    let one = |f: &Linear<usize>| folded(f, never);
    let (truth, falsity) = (Linear::truth(), Linear::falsity());
    match formula {
        Linear::Atom(number) if never(*number) => falsity,
        Linear::Atom(number) => Linear::Atom(*number),
        Linear::Not(a) => match one(a) {
            a if a == truth => falsity,
            a if a == falsity => truth,
            a => Linear::not(a),
        },
        Linear::And(parts) => {
            let mut parts: Vec<_> = parts.iter().map(one).filter(|part| *part != truth).collect();
            match parts.contains(&falsity) {
                true => falsity,
                false if parts.len() == 1 => parts.remove(0),
                false => Linear::And(parts),
            }
        }
        Linear::Or(parts) => {
            let mut parts: Vec<_> = parts.iter().map(one).filter(|part| *part != falsity).collect();
            match parts.contains(&truth) {
                true => truth,
                false if parts.len() == 1 => parts.remove(0),
                false => Linear::Or(parts),
            }
        }
        Linear::Next(a) => match one(a) {
            a if a == truth || a == falsity => a,
            a => Linear::next(a),
        },
        Linear::Until(a, b) => match (one(a), one(b)) {
            (_, b) if b == truth || b == falsity => b,
            (a, b) if a == falsity => b,
            (a, b) => Linear::until(a, b),
        },
        Linear::Release(a, b) => match (one(a), one(b)) {
            (_, b) if b == truth || b == falsity => b,
            (a, b) if a == truth => b,
            (a, b) => Linear::release(a, b),
        },
    }
}

/// A formula of linear time in the syntax of PRISM and Storm.
fn written(formula: &Linear<usize>, label: &dyn Fn(usize) -> String) -> String {
    let one = |f: &Linear<usize>| written(f, label);
    let all = |parts: &[Linear<usize>], sign: &str, none: &str| match parts {
        [] => none.to_string(),
        parts => format!("({})", parts.iter().map(one).collect::<Vec<_>>().join(sign)),
    };
    match formula {
        Linear::Atom(number) => label(*number),
        Linear::Not(a) => format!("!{}", one(a)),
        Linear::And(parts) => all(parts, " & ", "true"),
        Linear::Or(parts) => all(parts, " | ", "false"),
        Linear::Next(a) => format!("(X {})", one(a)),
        Linear::Until(a, b) if **a == Linear::truth() => format!("(F {})", one(b)),
        Linear::Until(a, b) => format!("({} U {})", one(a), one(b)),
        Linear::Release(a, b) if **a == Linear::falsity() => format!("(G {})", one(b)),
        // φ R ψ is ¬(¬φ U ¬ψ).
        Linear::Release(a, b) => format!("!(!{} U !{})", one(a), one(b)),
    }
}

#[cfg(test)]
mod tests;
