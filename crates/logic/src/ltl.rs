//! Linear temporal logic over the letters of infinite words. What a letter is, and which propositions it satisfies, is
//! for others to say: for calculi it is the label of a step.
//!
//! Formulas are in negation normal form from the start ([`Formula::negated`]). There are two independent readings:
//!
//! * [`Tableau`] reads a word from left to right and keeps the set of formulas that the rest of it must satisfy, guessing
//!   where a disjunction or an until leaves a choice (the construction of Gerth, Peled, Vardi and Wolper, *Simple
//!   on-the-fly automatic verification of linear temporal logic*, 1995). A run is accepting if no until is put off for
//!   ever.
//! * [`Formula::holds`] evaluates a formula on a word that ends in a loop, position by position, straight from the
//!   definition.

use std::collections::{BTreeSet, HashMap};

/// A formula with propositions of type `P`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Formula<P> {
    /// The letter satisfies the proposition, or does not.
    Letter(P, bool),
    /// All of them; `true` if there are none.
    And(Vec<Formula<P>>),
    /// One of them; `false` if there are none.
    Or(Vec<Formula<P>>),
    /// From the next letter on.
    Next(Box<Formula<P>>),
    /// The second one some time, and the first one until then.
    Until(Box<Formula<P>>, Box<Formula<P>>),
    /// The second one, up to and including when the first one holds, or forever.
    Release(Box<Formula<P>>, Box<Formula<P>>),
}

impl<P: Clone> Formula<P> {
    /// `<> f`.
    pub fn eventually(self) -> Formula<P> {
        Formula::Until(Box::new(Formula::And(vec![])), Box::new(self))
    }

    /// `[] f`.
    pub fn always(self) -> Formula<P> {
        Formula::Release(Box::new(Formula::Or(vec![])), Box::new(self))
    }

    /// The negation.
    pub fn negated(&self) -> Formula<P> {
        let all = |parts: &[Formula<P>]| parts.iter().map(Formula::negated).collect();
        let boxed = |f: &Formula<P>| Box::new(f.negated());
        match self {
            Formula::Letter(p, positive) => Formula::Letter(p.clone(), !positive),
            Formula::And(parts) => Formula::Or(all(parts)),
            Formula::Or(parts) => Formula::And(all(parts)),
            Formula::Next(f) => Formula::Next(boxed(f)),
            Formula::Until(f, g) => Formula::Release(boxed(f), boxed(g)),
            Formula::Release(f, g) => Formula::Until(boxed(f), boxed(g)),
        }
    }

    /// Whether the word `prefix · cycle · cycle · …` satisfies it. `cycle` must not be empty.
    pub fn holds<L>(&self, prefix: &[L], cycle: &[L], satisfies: &dyn Fn(&L, &P) -> bool) -> bool {
        let word: Vec<&L> = prefix.iter().chain(cycle).collect();
        let truth = self.truths(&word, prefix.len(), satisfies);
        truth.first().copied().unwrap_or(false)
    }

    /// Its truth at every position of the word; the last position is followed by `back`.
    fn truths<L>(&self, word: &[&L], back: usize, satisfies: &dyn Fn(&L, &P) -> bool) -> Vec<bool> {
        let of = |f: &Formula<P>| f.truths(word, back, satisfies);
        let after = |at: usize| if at + 1 < word.len() { at + 1 } else { back };
        let positions = 0..word.len();
        match self {
            Formula::Letter(p, positive) => word.iter().map(|l| satisfies(l, p) == *positive).collect(),
            Formula::And(parts) => {
                let parts: Vec<Vec<bool>> = parts.iter().map(of).collect();
                positions.map(|at| parts.iter().all(|p| p[at])).collect()
            }
            Formula::Or(parts) => {
                let parts: Vec<Vec<bool>> = parts.iter().map(of).collect();
                positions.map(|at| parts.iter().any(|p| p[at])).collect()
            }
            Formula::Next(f) => {
                let f = of(f);
                positions.map(|at| f[after(at)]).collect()
            }
            Formula::Until(f, g) | Formula::Release(f, g) => {
                let least = matches!(self, Formula::Until(..));
                let (f, g) = (of(f), of(g));
                let mut now = vec![!least; word.len()];
                // From the least, or the greatest, solution on: a pass for each position is more than enough.
                for _ in 0..=word.len() {
                    for at in positions.clone().rev() {
                        now[at] = match least {
                            true => g[at] || (f[at] && now[after(at)]),
                            false => g[at] && (f[at] || now[after(at)]),
                        };
                    }
                }
                now
            }
        }
    }

    /// The number of parts.
    pub fn size(&self) -> usize {
        1 + match self {
            Formula::Letter(..) => 0,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().map(Formula::size).sum(),
            Formula::Next(f) => f.size(),
            Formula::Until(f, g) | Formula::Release(f, g) => f.size() + g.size(),
        }
    }
}

/// What the rest of a word must satisfy: numbers of formulas.
pub type Obligations = BTreeSet<u32>;

/// One way to read a letter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reading {
    /// What the rest must satisfy.
    pub next: Obligations,
    /// The untils that were put off, a bit each.
    pub put_off: u64,
}

/// The formula needs more untils or more ways to read a letter than the tableau can count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooComplex;

/// Bound on the number of ways to read one letter; larger tableaux are not useful.
const MOST_READINGS: usize = 10_000;

/// Reads words for a formula.
pub struct Tableau<P> {
    formulas: Vec<Formula<P>>,
    numbers: HashMap<Formula<P>, u32>,
    /// The bit of each until.
    untils: HashMap<u32, u32>,
}

impl<P: Clone + Eq + std::hash::Hash> Tableau<P> {
    /// A tableau, and what a whole word must satisfy.
    pub fn new(formula: &Formula<P>) -> (Tableau<P>, Obligations) {
        let mut tableau = Tableau { formulas: vec![], numbers: HashMap::new(), untils: HashMap::new() };
        let start = tableau.number(formula);
        (tableau, BTreeSet::from([start]))
    }

    /// One bit for each until that was met so far.
    pub fn untils(&self) -> u64 {
        self.untils.values().fold(0, |bits, bit| bits | 1 << bit)
    }

    fn number(&mut self, formula: &Formula<P>) -> u32 {
        if let Some(&known) = self.numbers.get(formula) {
            return known;
        }
        let number = self.formulas.len() as u32;
        self.formulas.push(formula.clone());
        self.numbers.insert(formula.clone(), number);
        number
    }

    /// All ways to read a letter under some obligations.
    pub fn read(
        &mut self,
        now: &Obligations,
        satisfies: &dyn Fn(&P) -> bool,
    ) -> Result<Vec<Reading>, TooComplex> {
        let mut out = BTreeSet::new();
        let first = Reading { next: BTreeSet::new(), put_off: 0 };
        let mut todo = vec![(now.iter().copied().collect::<Vec<u32>>(), BTreeSet::new(), first)];
        while let Some((mut open, mut done, mut reading)) = todo.pop() {
            if todo.len() > MOST_READINGS || out.len() > MOST_READINGS {
                return Err(TooComplex);
            }
            let Some(number) = open.pop() else {
                out.insert(reading);
                continue;
            };
            if !done.insert(number) {
                todo.push((open, done, reading));
                continue;
            }
            match self.formulas[number as usize].clone() {
                Formula::Letter(p, positive) => {
                    if satisfies(&p) == positive {
                        todo.push((open, done, reading));
                    }
                }
                Formula::And(parts) => {
                    open.extend(parts.iter().map(|part| self.number(part)));
                    todo.push((open, done, reading));
                }
                Formula::Or(parts) => {
                    for part in &parts {
                        let mut way = open.clone();
                        way.push(self.number(part));
                        todo.push((way, done.clone(), reading.clone()));
                    }
                }
                Formula::Next(f) => {
                    reading.next.insert(self.number(&f));
                    todo.push((open, done, reading));
                }
                Formula::Until(f, g) => {
                    let fresh = self.untils.len() as u32;
                    let bit = *self.untils.entry(number).or_insert(fresh);
                    if bit >= 64 {
                        return Err(TooComplex);
                    }
                    let mut now = open.clone();
                    now.push(self.number(&g));
                    todo.push((now, done.clone(), reading.clone()));
                    open.push(self.number(&f));
                    reading.next.insert(number);
                    reading.put_off |= 1 << bit;
                    todo.push((open, done, reading));
                }
                Formula::Release(f, g) => {
                    open.push(self.number(&g));
                    let mut now = open.clone();
                    now.push(self.number(&f));
                    todo.push((now, done.clone(), reading.clone()));
                    reading.next.insert(number);
                    todo.push((open, done, reading));
                }
            }
        }
        Ok(out.into_iter().collect())
    }
}
