//! A formula along a run, state by state, until the run has decided it: formula progression (F. Bacchus and F. Kabanza, "Using temporal
//! logics to express search control knowledge for planning", 2000), with three truth values as A. Bauer, M. Leucker and C. Schallhart have
//! them ("Runtime verification for LTL and TLTL", 2011).
//!
//! What is left of a formula after a state is a formula again; the run satisfies it from the next state on if and only if it satisfies
//! the whole. A formula that is left is true, or false, for all that may follow if its negation, or itself, has an automaton that accepts nothing. Atoms
//! are taken to be independent, so a formula that only the model makes true may stay open: that is what is known of a prefix alone.
//!
//! Formulas that are left are kept and numbered, so a run follows a deterministic automaton that is made on the way.

use super::automaton::{Automaton, automaton};
use super::{Literal, positive};
use std::collections::HashMap;
use swarmcheck_ir::Linear;

/// So many formulas are kept at a time; larger ones are given up.
const MOST: usize = 20_000;
const LARGEST: usize = 2_000;
/// Automata are made of formulas up to this size, with so many states.
const DECIDED_SIZE: usize = 60;
const DECIDED_STATES: usize = 300;

/// Follows a formula along runs.
#[derive(Clone, Debug)]
pub struct Progress {
    left: Vec<Left>,
    numbers: HashMap<Linear<Literal>, usize>,
    next: HashMap<(usize, Vec<bool>), usize>,
}

#[derive(Clone, Debug)]
struct Left {
    /// None: the formula became too large, and nothing is known any more.
    formula: Option<Linear<Literal>>,
    verdict: Option<bool>,
}

/// What is left of a formula at the beginning of a run.
pub const BEGINNING: usize = 0;

impl Progress {
    /// Follows this formula; atoms are numbers of conditions.
    pub fn new(formula: &Linear<usize>) -> Progress {
        let mut progress = Progress { left: vec![], numbers: HashMap::new(), next: HashMap::new() };
        progress.number(simplified(&positive(formula, false)));
        progress
    }

    /// What is left after a state in which conditions have these truth values. Numbers that were given before are void then, but for
    /// [`BEGINNING`].
    pub fn after(&mut self, left: usize, truth: &[bool]) -> usize {
        if let Some(&known) = self.next.get(&(left, truth.to_vec())) {
            return known;
        }
        let Some(formula) = self.left.get(left).and_then(|l| l.formula.as_ref()) else { return left };
        let progressed = progressed(formula, truth);
        let kept = self.left.len();
        let to = self.number(progressed);
        // Where the table has begun anew, the old number means nothing.
        if self.left.len() >= kept && self.next.len() < 4 * MOST {
            self.next.insert((left, truth.to_vec()), to);
        }
        to
    }

    /// Whether every run, or no run, that comes here satisfies the whole formula.
    pub fn verdict(&self, left: usize) -> Option<bool> {
        self.left.get(left)?.verdict
    }

    /// Whether a run satisfies it if it stays in a state with these truth values for ever.
    pub fn at_rest(&self, left: usize, truth: &[bool]) -> Option<bool> {
        Some(at_rest(self.left.get(left)?.formula.as_ref()?, truth))
    }

    fn number(&mut self, formula: Linear<Literal>) -> usize {
        if let Some(&known) = self.numbers.get(&formula) {
            return known;
        }
        // What is known of a formula must not depend on the runs that were followed before, so there is no end of the table: it begins
        // anew. A run has one number at a time, and gets another one here.
        if self.left.len() >= MOST {
            self.left.truncate(BEGINNING + 1);
            self.numbers.retain(|_, number| *number == BEGINNING);
            self.next.clear();
        }
        let at = self.left.len();
        if formula.size() > LARGEST {
            self.left.push(Left { formula: None, verdict: None });
            return at;
        }
        let verdict = decided(&formula);
        self.left.push(Left { formula: Some(formula.clone()), verdict });
        self.numbers.insert(formula, at);
        at
    }
}

fn decided(formula: &Linear<Literal>) -> Option<bool> {
    match formula {
        Linear::And(parts) if parts.is_empty() => return Some(true),
        Linear::Or(parts) if parts.is_empty() => return Some(false),
        _ => {}
    }
    if formula.size() > DECIDED_SIZE {
        return None;
    }
    let accepts = |f: &Linear<Literal>| automaton(f, DECIDED_STATES).map(|a| accepts_something(&a));
    if accepts(formula) == Some(false) {
        return Some(false);
    }
    (accepts(&negated(formula)) == Some(false)).then_some(true)
}

fn negated(formula: &Linear<Literal>) -> Linear<Literal> {
    let all = |parts: &[Linear<Literal>]| parts.iter().map(negated).collect::<Vec<_>>();
    match formula {
        Linear::Atom((atom, truth)) => Linear::Atom((*atom, !truth)),
        Linear::Not(a) => (**a).clone(),
        Linear::And(parts) => Linear::Or(all(parts)),
        Linear::Or(parts) => Linear::And(all(parts)),
        Linear::Next(a) => Linear::next(negated(a)),
        Linear::Until(a, b) => Linear::release(negated(a), negated(b)),
        Linear::Release(a, b) => Linear::until(negated(a), negated(b)),
    }
}

/// Whether there is a cycle through an accepting state that can be reached.
fn accepts_something(automaton: &Automaton) -> bool {
    let from = |starts: &[usize]| {
        let mut seen = vec![false; automaton.states.len()];
        let mut todo = starts.to_vec();
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                todo.extend(automaton.states[at].next.iter().map(|t| t.to));
            }
        }
        seen
    };
    let initial: Vec<usize> = automaton.initial.iter().map(|t| t.to).collect();
    let reached = from(&initial);
    let accepting = (0..reached.len()).filter(|at| reached[*at] && automaton.states[*at].accepting);
    accepting.into_iter().any(|at| {
        let next: Vec<usize> = automaton.states[at].next.iter().map(|t| t.to).collect();
        from(&next)[at]
    })
}

/// The formula that must hold from the next state on.
fn progressed(formula: &Linear<Literal>, truth: &[bool]) -> Linear<Literal> {
    let one = |f: &Linear<Literal>| progressed(f, truth);
    match formula {
        Linear::Atom((atom, wanted)) => match truth.get(*atom).copied().unwrap_or(false) == *wanted {
            true => Linear::truth(),
            false => Linear::falsity(),
        },
        Linear::Not(a) => negated(&one(a)),
        Linear::And(parts) => joined(parts.iter().map(one), true),
        Linear::Or(parts) => joined(parts.iter().map(one), false),
        Linear::Next(a) => (**a).clone(),
        Linear::Until(a, b) => {
            let wait = joined([one(a), formula.clone()], true);
            joined([one(b), wait], false)
        }
        Linear::Release(a, b) => {
            let wait = joined([one(a), formula.clone()], false);
            joined([one(b), wait], true)
        }
    }
}

fn simplified(formula: &Linear<Literal>) -> Linear<Literal> {
    match formula {
        Linear::Atom(_) => formula.clone(),
        Linear::Not(a) => negated(&simplified(a)),
        Linear::And(parts) => joined(parts.iter().map(simplified), true),
        Linear::Or(parts) => joined(parts.iter().map(simplified), false),
        Linear::Next(a) => Linear::next(simplified(a)),
        Linear::Until(a, b) => Linear::until(simplified(a), simplified(b)),
        Linear::Release(a, b) => Linear::release(simplified(a), simplified(b)),
    }
}

/// A conjunction, or a disjunction, flat, sorted and without what adds nothing.
fn joined(parts: impl IntoIterator<Item = Linear<Literal>>, and: bool) -> Linear<Literal> {
    let mut out: Vec<Linear<Literal>> = vec![];
    for part in parts {
        match part {
            // What decides it: false in a conjunction, true in a disjunction.
            Linear::Or(inner) if and && inner.is_empty() => return Linear::falsity(),
            Linear::And(inner) if !and && inner.is_empty() => return Linear::truth(),
            Linear::And(inner) if and => out.extend(inner),
            Linear::Or(inner) if !and => out.extend(inner),
            other => out.push(other),
        }
    }
    out.sort();
    out.dedup();
    // a ∧ (a ∨ b) is a, and a ∨ (a ∧ b) is a.
    let absorbed = |part: &Linear<Literal>| match part {
        Linear::Or(inner) if and => inner.iter().any(|i| out.binary_search(i).is_ok()),
        Linear::And(inner) if !and => inner.iter().any(|i| out.binary_search(i).is_ok()),
        _ => false,
    };
    let kept: Vec<bool> = out.iter().map(|part| !absorbed(part)).collect();
    let mut kept = kept.into_iter();
    out.retain(|_| kept.next().unwrap_or(true));
    match out.len() {
        1 => out.swap_remove(0),
        _ if and => Linear::And(out),
        _ => Linear::Or(out),
    }
}

/// The truth of a formula where every state is the same.
fn at_rest(formula: &Linear<Literal>, truth: &[bool]) -> bool {
    match formula {
        Linear::Atom((atom, wanted)) => truth.get(*atom).copied().unwrap_or(false) == *wanted,
        Linear::Not(a) => !at_rest(a, truth),
        Linear::And(parts) => parts.iter().all(|p| at_rest(p, truth)),
        Linear::Or(parts) => parts.iter().any(|p| at_rest(p, truth)),
        Linear::Next(a) | Linear::Until(_, a) | Linear::Release(_, a) => at_rest(a, truth),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{lasso, prefix};
    use super::*;

    fn random(rng: &mut fastrand::Rng, depth: u32) -> Linear<usize> {
        let one = |rng: &mut fastrand::Rng| random(rng, depth - 1);
        match if depth == 0 { 0 } else { rng.u32(0..8) } {
            0 => Linear::Atom(rng.usize(0..3)),
            1 => Linear::not(one(rng)),
            2 => Linear::And(vec![one(rng), one(rng)]),
            3 => Linear::Or(vec![one(rng), one(rng)]),
            4 => Linear::next(one(rng)),
            5 => Linear::until(one(rng), one(rng)),
            6 => Linear::release(one(rng), one(rng)),
            _ => Linear::finally(one(rng)),
        }
    }

    /// Whatever a prefix decides is so in every run that begins with it, bad prefixes are recognised at least as early as by
    /// `prefix`, and at rest the answer is that of the definition.
    #[test]
    fn verdicts_are_those_of_the_definition() {
        let mut rng = fastrand::Rng::with_seed(11);
        let (mut decided, mut open, mut rests) = (0, 0, [0, 0]);
        for _ in 0..3000 {
            let formula = random(&mut rng, 3);
            let word: Vec<[bool; 3]> =
                (0..rng.usize(1..7)).map(|_| [rng.bool(), rng.bool(), rng.bool()]).collect();
            let mut progress = Progress::new(&formula);
            let mut left = BEGINNING;
            for (at, letter) in word.iter().enumerate() {
                left = progress.after(left, letter);
                let read = &word[..=at];
                let bad = prefix::is_bad(&formula, read.len(), &|atom, at| read[at][atom]);
                assert!(!bad || progress.verdict(left) == Some(false), "{formula:?} {read:?}");
                let Some(verdict) = progress.verdict(left) else {
                    open += 1;
                    continue;
                };
                decided += 1;
                for _ in 0..5 {
                    let mut long = read.to_vec();
                    long.extend((0..rng.usize(1..5)).map(|_| [rng.bool(), rng.bool(), rng.bool()]));
                    let back = rng.usize(read.len()..long.len());
                    let truth = |atom: usize, at: usize| long[at][atom];
                    assert_eq!(
                        lasso::satisfies(&formula, long.len(), back, &truth),
                        verdict,
                        "{formula:?} {long:?}"
                    );
                }
            }
            let rest = [rng.bool(), rng.bool(), rng.bool()];
            let mut whole = word.clone();
            whole.push(rest);
            let expected = lasso::satisfies(&formula, whole.len(), word.len(), &|atom, at| whole[at][atom]);
            assert_eq!(progress.at_rest(left, &rest), Some(expected), "{formula:?} {whole:?}");
            rests[usize::from(expected)] += 1;
        }
        assert!(
            decided > 1000 && open > 1000 && rests[0] > 500 && rests[1] > 500,
            "{decided} {open} {rests:?}"
        );
    }

    /// No prefix shows by its shape that F p ∧ G ¬p is false; its automaton does.
    #[test]
    fn contradictions_are_found() {
        let p = || Linear::Atom(0);
        let both = Linear::And(vec![Linear::finally(p()), Linear::globally(Linear::not(p()))]);
        assert_eq!(Progress::new(&both).verdict(BEGINNING), Some(false));
        assert_eq!(Progress::new(&Linear::not(both)).verdict(BEGINNING), Some(true));
        let often = Linear::globally(Linear::finally(p()));
        let mut progress = Progress::new(&often);
        let left = progress.after(BEGINNING, &[true]);
        assert_eq!((progress.verdict(left), progress.at_rest(left, &[true])), (None, Some(true)));
    }
}
