//! Formulas in conjunctive normal form as data: what a question to a solver consists of, for those who want to ask it elsewhere.

use crate::sat::{Failure, Limits, Sat};

/// Clauses, one after the other. Literals are as in DIMACS.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clauses {
    literals: Vec<i32>,
    ends: Vec<usize>,
}

impl Clauses {
    pub fn push(&mut self, clause: &[i32]) {
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of literals in sum.
    pub fn literals(&self) -> usize {
        self.literals.len()
    }

    pub fn get(&self, number: usize) -> Option<&[i32]> {
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.literals[start..end])
    }

    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        (0..self.len()).filter_map(|number| self.get(number))
    }
}

/// A formula. It is a solver, too, that writes down what it is told and answers nothing, so whatever writes clauses for a solver
/// can write them here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formula {
    pub variables: i32,
    pub clauses: Clauses,
}

impl Formula {
    /// The formula in the format of DIMACS.
    pub fn dimacs(&self) -> String {
        let mut out = format!("p cnf {} {}\n", self.variables, self.clauses.len());
        for clause in self.clauses.iter() {
            for literal in clause {
                out.push_str(&literal.to_string());
                out.push(' ');
            }
            out.push_str("0\n");
        }
        out
    }
}

impl<'s> Sat<'s> for Formula {
    fn with_limits(_: Limits<'s>) -> Self {
        Formula::default()
    }

    fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    fn add(&mut self, clause: &[i32]) {
        self.clauses.push(clause);
    }

    fn solve(&mut self, _: &[i32]) -> Result<bool, Failure> {
        Err(Failure::Internal("a formula that is only written down was asked for an answer"))
    }

    fn value(&self, _: i32) -> bool {
        false
    }

    fn failed(&self, _: i32) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_written_as_dimacs() {
        let mut formula = Formula::default();
        let (a, b) = (formula.variable(), formula.variable());
        formula.add(&[a, -b]);
        formula.add(&[]);
        assert_eq!(formula.dimacs(), "p cnf 2 2\n1 -2 0\n0\n");
        assert_eq!(formula.clauses.get(1), Some(&[][..]));
        assert_eq!(formula.clauses.get(2), None);
    }
}
