//! Proofs in the format LRAT that formulas are unsatisfiable: found by batsat, completed here, and checked by [`crate::lrat`].
//!
//! The solver says which clauses it has learnt, but not why they follow. That is worked out backwards, as in DRAT-trim (N. Wetzler, M. Heule,
//! W. Hunt, *DRAT-trim: efficient checking and trimming using expressive clausal proofs*, SAT 2014): from the contradiction at
//! the end, only clauses that something after them needs are looked at, and clauses that are needed anyway are preferred when
//! others are propagated (core first). The clauses that the propagation has used become the hints of the line.
//!
//! It differs in that a literal that propagation has made true for good becomes a clause of its own where it is used. Without that every line
//! would have to repeat why. Nothing here is trusted.

mod propagation;

use crate::formula::{Clauses, Formula};
use crate::sat::learnt::learnt;
use crate::sat::{Failure, Limits};
use propagation::{NONE, Propagation};
use std::fmt::Write;

/// Proofs with a longer text are not written.
const LONGEST: usize = 64 << 20;

/// What was found about a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refutation {
    /// It is unsatisfiable, by this proof in LRAT.
    Proof(String),
    Satisfiable,
    /// It is unsatisfiable, but its proof is too long.
    TooLong,
}

/// Solves a formula, with a proof if it is unsatisfiable.
pub fn refute(formula: &Formula, limits: Limits<'_>) -> Result<Refutation, Failure> {
    match learnt(formula, limits)? {
        None => Ok(Refutation::Satisfiable),
        Some(lemmas) => explained(formula, &lemmas, limits),
    }
}

/// What a line of the proof refers to.
#[derive(Clone, Copy)]
enum Hint {
    /// A clause of the formula, or one that was learnt.
    Clause(u32),
    /// The clause that consists of the literal over this variable that is true for good.
    Unit(u32),
}

/// What a line of the proof is called by later ones.
enum Line {
    /// A clause, with why it follows.
    Derived { name: Option<Hint>, literals: Vec<i32>, hints: Vec<Hint> },
    /// The literal over this variable is a clause anyway: no line is needed.
    Given { variable: u32, clause: u32 },
}

/// The proof that consists of the learnt clauses that are needed, each with the reasons why it follows.
pub fn explained(formula: &Formula, lemmas: &Clauses, limits: Limits<'_>) -> Result<Refutation, Failure> {
    let given = formula.clauses.len();
    let mut explainer = Explainer {
        state: Propagation::new(formula.variables),
        lines: vec![],
        size: 0,
        ..Explainer::default()
    };
    let mut conflict = explainer.state.begin(&formula.clauses);
    // How many literals were true for good before each clause was learnt.
    let mut before = vec![];
    for lemma in lemmas.iter() {
        if conflict.is_some() {
            break;
        }
        if before.len() % 1024 == 0 {
            limits.check()?;
        }
        before.push(explainer.state.trail.len());
        conflict = explainer.state.add(lemma);
    }
    let Some(conflict) = conflict else {
        return Err(Failure::Internal("what a solver has learnt is no refutation"));
    };
    let base = explainer.state.trail.len();
    let hints = explainer.reasons(conflict, base);
    explainer.write(None, vec![], hints);
    for (number, &base) in before.iter().enumerate().rev() {
        if explainer.size > LONGEST {
            return Ok(Refutation::TooLong);
        }
        limits.check()?;
        explainer.forget(base);
        let clause = (given + number) as u32;
        explainer.state.alive = clause;
        if explainer.state.core[clause as usize] {
            explainer.lemma(clause)?;
        }
    }
    explainer.forget(0);
    Ok(explainer.text(given))
}

#[derive(Default)]
struct Explainer {
    state: Propagation,
    /// The last one first.
    lines: Vec<Line>,
    /// By variable: the literal that is true for good is needed as a clause.
    needed: Vec<bool>,
    seen: Vec<bool>,
    /// How long the text will be, about.
    size: usize,
}

impl Explainer {
    fn write(&mut self, name: Option<Hint>, literals: Vec<i32>, hints: Vec<Hint>) {
        self.size += 8 * (literals.len() + hints.len() + 3);
        self.lines.push(Line::Derived { name, literals, hints });
    }

    fn need(&mut self, variable: u32) -> Hint {
        if self.needed.len() <= variable as usize {
            self.needed.resize(variable as usize + 1, false);
        }
        self.needed[variable as usize] = true;
        Hint::Unit(variable)
    }

    /// The clauses that lead to a clause whose literals are all false, in the order in which they are used. Literals that were true
    /// before `base` are for good.
    fn reasons(&mut self, conflict: u32, base: usize) -> Vec<Hint> {
        let (mut units, mut clauses, mut cause) = (vec![], vec![], conflict);
        let mut at = self.state.trail.len();
        self.seen.resize(self.state.reasons.len(), false);
        loop {
            self.state.core[cause as usize] = true;
            clauses.push(Hint::Clause(cause));
            for &literal in self.state.clause(cause) {
                let variable = literal.unsigned_abs() as usize;
                // All but the literal that the clause has made true.
                if self.state.places[variable] < at {
                    self.seen[variable] = true;
                }
            }
            // The last literal that had a part in it and that a clause has made true.
            loop {
                if at == base {
                    cause = NONE;
                    break;
                }
                at -= 1;
                let variable = self.state.trail[at].unsigned_abs() as usize;
                if std::mem::take(&mut self.seen[variable]) && self.state.reasons[variable] != NONE {
                    cause = self.state.reasons[variable];
                    break;
                }
            }
            if cause == NONE {
                break;
            }
        }
        for hint in &clauses {
            let Hint::Clause(clause) = *hint else { continue };
            for &literal in self.state.clause(clause) {
                // Seen, and not met on the way down to the base.
                if std::mem::take(&mut self.seen[literal.unsigned_abs() as usize]) {
                    units.push(literal.unsigned_abs());
                }
            }
        }
        let mut hints: Vec<Hint> = units.into_iter().map(|variable| self.need(variable)).collect();
        hints.extend(clauses.into_iter().rev());
        hints
    }

    /// A learnt clause that is needed: why it follows from those before it.
    fn lemma(&mut self, clause: u32) -> Result<(), Failure> {
        let base = self.state.trail.len();
        let literals = self.state.clause(clause).to_vec();
        let mut hints = None;
        for &literal in &literals {
            match self.state.value(literal) {
                Some(true) => {
                    hints = Some(vec![self.need(literal.unsigned_abs())]);
                    break;
                }
                Some(false) => {}
                None => self.state.set(-literal, NONE),
            }
        }
        if hints.is_none() {
            let conflict = self.state.propagate();
            let conflict =
                conflict.ok_or(Failure::Internal("a learnt clause does not follow by propagation"))?;
            hints = Some(self.reasons(conflict, base));
        }
        self.state.undo(base);
        self.write(Some(Hint::Clause(clause)), literals, hints.unwrap_or_default());
        Ok(())
    }

    /// Goes back to a time when only so many literals were true for good. Those that are needed as clauses are written.
    fn forget(&mut self, base: usize) {
        while self.state.trail.len() > base {
            let literal = self.state.trail[self.state.trail.len() - 1];
            let variable = literal.unsigned_abs();
            if self.needed.get(variable as usize) == Some(&true) {
                let clause = self.state.reasons[variable as usize];
                self.state.core[clause as usize] = true;
                let others = self.state.clause(clause).to_vec();
                if others.len() == 1 {
                    self.lines.push(Line::Given { variable, clause });
                } else {
                    let others = others.iter().map(|l| l.unsigned_abs()).filter(|&other| other != variable);
                    let mut hints: Vec<Hint> = others.map(|other| self.need(other)).collect();
                    hints.push(Hint::Clause(clause));
                    self.write(Some(Hint::Unit(variable)), vec![literal], hints);
                }
            }
            self.state.undo(self.state.trail.len() - 1);
        }
    }

    fn text(self, given: usize) -> Refutation {
        let mut clauses: Vec<u64> = vec![0; self.state.core.len()];
        let mut units: Vec<u64> = vec![0; self.state.reasons.len()];
        for (number, place) in clauses.iter_mut().take(given).enumerate() {
            *place = number as u64 + 1;
        }
        let (mut out, mut last) = (String::new(), given as u64);
        for line in self.lines.into_iter().rev() {
            let (name, literals, hints) = match line {
                Line::Given { variable, clause } => {
                    units[variable as usize] = clauses[clause as usize];
                    continue;
                }
                Line::Derived { name, literals, hints } => (name, literals, hints),
            };
            last += 1;
            // Writing to a string does not fail.
            let _ = write!(out, "{last}");
            for literal in literals {
                let _ = write!(out, " {literal}");
            }
            out.push_str(" 0");
            for hint in hints {
                let number = match hint {
                    Hint::Clause(clause) => clauses[clause as usize],
                    Hint::Unit(variable) => units[variable as usize],
                };
                let _ = write!(out, " {number}");
            }
            out.push_str(" 0\n");
            match name {
                Some(Hint::Clause(clause)) => clauses[clause as usize] = last,
                Some(Hint::Unit(variable)) => units[variable as usize] = last,
                None => {}
            }
        }
        if out.len() > LONGEST { Refutation::TooLong } else { Refutation::Proof(out) }
    }
}
