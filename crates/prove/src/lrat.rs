//! Checks that a formula is unsatisfiable, by a proof in the format LRAT. No solver is used.
//!
//! A proof is a list of clauses, each of which follows from those before it; the last one is empty. A line has a number, the
//! literals of the clause, 0, the numbers of earlier clauses in an order in which they are used, 0. The clause follows by *reverse
//! unit propagation* (RUP): if all its literals are false, the first of these clauses has at most one literal that is not false,
//! which must be true then, and so on, until one has none.
//!
//! Lines that only preserve satisfiability (RAT, whose numbers are negative in part) are refused: the solver is told not to use
//! what needs them. So every accepted clause is implied by the formula. Lines that delete clauses are accepted.
//!
//! * N. Wetzler, M. Heule, W. Hunt, *DRAT-trim: efficient checking and trimming using expressive clausal proofs*, SAT 2014.
//! * L. Cruz-Filipe, M. Heule, W. Hunt, M. Kaufmann, P. Schneider-Kamp, *Efficient certified RAT verification*, CADE 2017.
//!
//! Trusted are this file and the formula, nothing else.

use crate::formula::Formula;
use std::collections::{HashMap, HashSet};

/// Why a proof is refused, and in which of its lines, from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refused {
    pub line: usize,
    pub why: Why,
}

/// What is wrong with a line of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is not a line of such a proof, or speaks of variables that the formula does not have.
    Malformed,
    /// Its number is not greater than all before it.
    Number,
    /// It names a clause that there is not, or that was deleted.
    Unknown,
    /// It is a step that preserves satisfiability only.
    Rat,
    /// One of the clauses it names has two literals that are not false, or one that is true.
    NotUnit,
    /// The clauses it names do not lead to a contradiction.
    NoConflict,
    /// All lines are right, but none is the empty clause.
    NotEmpty,
    /// The empty clause was before it.
    AfterTheEnd,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let why = match self.why {
            Why::Malformed => "it cannot be read",
            Why::Number => "its number is not greater than those before it",
            Why::Unknown => "it names a clause that is not there",
            Why::Rat => "it is a RAT step, which is not accepted",
            Why::NotUnit => "a clause that it names does not follow by unit propagation",
            Why::NoConflict => "the clauses that it names do not lead to a contradiction",
            Why::NotEmpty => "the proof ends without the empty clause",
            Why::AfterTheEnd => "it comes after the empty clause",
        };
        write!(f, "line {} of the refutation is wrong: {why}", self.line)
    }
}

/// The clauses that are known, and the literals that are false while a line is checked.
struct Checker<'a> {
    formula: &'a Formula,
    /// Clauses of the proof by number.
    derived: HashMap<u64, Vec<i32>>,
    /// Clauses of the formula that were deleted.
    deleted: HashSet<u64>,
    /// By variable: the line in which it got a value, and the value.
    values: Vec<(usize, bool)>,
    line: usize,
}

/// Checks a proof, and returns the number of its clauses.
pub fn check(formula: &Formula, proof: &str) -> Result<usize, Refused> {
    let variables = formula.variables.unsigned_abs() as usize;
    let (derived, deleted) = (HashMap::new(), HashSet::new());
    let mut checker = Checker { formula, derived, deleted, values: vec![(0, false); variables + 1], line: 0 };
    let (mut last, mut clauses) = (formula.clauses.len() as u64, 0);
    let mut lines = proof.lines();
    while let Some(line) = lines.next() {
        checker.line += 1;
        let refused = |why| Refused { line: checker.line, why };
        let (number, rest) = line.split_once(' ').ok_or(refused(Why::Malformed))?;
        let number: u64 = number.parse().map_err(|_| refused(Why::Malformed))?;
        let (deletes, rest) = rest.strip_prefix("d ").map_or((false, rest), |rest| (true, rest));
        let numbers: Option<Vec<i64>> = rest.split(' ').map(|word| word.parse().ok()).collect();
        let numbers = numbers.ok_or(refused(Why::Malformed))?;
        if deletes {
            checker.delete(&numbers).map_err(|why| Refused { line: checker.line, why })?;
            continue;
        }
        if number <= last {
            return Err(refused(Why::Number));
        }
        last = number;
        let clause = checker.derive(&numbers).map_err(|why| Refused { line: checker.line, why })?;
        clauses += 1;
        if clause.is_empty() {
            // What comes behind it would be handed on without having been looked at.
            return match lines.next() {
                None => Ok(clauses),
                Some(_) => Err(Refused { line: checker.line + 1, why: Why::AfterTheEnd }),
            };
        }
        checker.derived.insert(number, clause);
    }
    Err(Refused { line: checker.line, why: Why::NotEmpty })
}

impl Checker<'_> {
    /// The clause that a line adds, if it follows.
    fn derive(&mut self, numbers: &[i64]) -> Result<Vec<i32>, Why> {
        let end = numbers.iter().position(|&n| n == 0).ok_or(Why::Malformed)?;
        let (&last, hints) = numbers[end + 1..].split_last().ok_or(Why::Malformed)?;
        if last != 0 || hints.contains(&0) {
            return Err(Why::Malformed);
        }
        let mut clause = vec![];
        for &number in &numbers[..end] {
            let literal =
                i32::try_from(number).ok().filter(|l| (l.unsigned_abs() as usize) < self.values.len());
            let literal = literal.ok_or(Why::Malformed)?;
            match self.value(literal) {
                // A clause with a literal and its negation is useless, and no solver writes one.
                Some(true) => return Err(Why::Malformed),
                Some(false) => {}
                None => self.set(-literal),
            }
            clause.push(literal);
        }
        for &hint in hints {
            let hint = u64::try_from(hint).map_err(|_| Why::Rat)?;
            let mut open = None;
            for &literal in self.named(hint).ok_or(Why::Unknown)? {
                match self.value(literal) {
                    Some(false) => {}
                    Some(true) => return Err(Why::NotUnit),
                    None if open.is_none_or(|other| other == literal) => open = Some(literal),
                    None => return Err(Why::NotUnit),
                }
            }
            match open {
                Some(literal) => self.set(literal),
                None => return Ok(clause),
            }
        }
        Err(Why::NoConflict)
    }

    fn delete(&mut self, numbers: &[i64]) -> Result<(), Why> {
        let (&last, numbers) = numbers.split_last().ok_or(Why::Malformed)?;
        if last != 0 {
            return Err(Why::Malformed);
        }
        for &number in numbers {
            let number = u64::try_from(number).map_err(|_| Why::Malformed)?;
            self.named(number).ok_or(Why::Unknown)?;
            if self.derived.remove(&number).is_none() {
                self.deleted.insert(number);
            }
        }
        Ok(())
    }

    fn named(&self, number: u64) -> Option<&[i32]> {
        if self.deleted.contains(&number) {
            return None;
        }
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        self.formula.clauses.get(place).or_else(|| self.derived.get(&number).map(Vec::as_slice))
    }

    fn value(&self, literal: i32) -> Option<bool> {
        let (line, value) = self.values[literal.unsigned_abs() as usize];
        (line == self.line).then_some(value == (literal > 0))
    }

    fn set(&mut self, literal: i32) {
        self.values[literal.unsigned_abs() as usize] = (self.line, literal > 0);
    }
}
