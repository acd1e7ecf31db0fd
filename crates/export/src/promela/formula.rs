//! Formulas of linear time as Spin's own `ltl`, where that says the same; elsewhere they are a product with an automaton.
//!
//! A step of the program that makes choices is several steps of Spin, and a claim is looked at after each of them. Formulas
//! without X cannot tell executions apart that differ in how often a state is repeated (Lamport, "What good is temporal
//! logic?", 1983). So they are written as they are, if the values of all their atoms change at once: one assignment, at the
//! end of every step, keeps them in one variable. Before the initial block has ended nothing is said.
//!
//! The last state of an execution that stops is repeated, which Spin does by itself. It is the same only if resting
//! changes nothing that an atom reads, and if Spin sees that no step is possible.

use super::names::Names;
use crate::Export;
use swarmcheck_ir::{Expr, Linear, LinearTime, Modality, Stmt, VarId, stmt};

/// With more temporal operators, Spin's translation into an automaton may take minutes; ours does not.
const OPERATORS: usize = 3;

/// Atoms are kept in the bits of one `int`.
const ATOMS: usize = 31;

/// Whether the property is a formula that `ltl` can say, as long as Spin sees which executions stop.
pub(super) fn sayable(export: &Export<'_>) -> bool {
    let property = export.property.and_then(|number| export.program.properties.get(number));
    match property.map(|property| &property.modality) {
        Some(Modality::Linear(linear)) => {
            operators(&linear.formula).is_some_and(|number| number <= OPERATORS)
                && distinct(&linear.formula).len() <= ATOMS
                && !resting_matters(linear)
        }
        _ => false,
    }
}

/// The number of temporal operators; `None` if one of them is X.
fn operators(formula: &Linear<Expr>) -> Option<usize> {
    match formula {
        Linear::Atom(_) => Some(0),
        Linear::Not(a) => operators(a),
        Linear::And(parts) | Linear::Or(parts) => parts.iter().map(operators).sum(),
        Linear::Next(_) => None,
        Linear::Until(a, b) | Linear::Release(a, b) => Some(1 + operators(a)? + operators(b)?),
    }
}

/// The atoms, each once.
pub(super) fn distinct(formula: &Linear<Expr>) -> Vec<&Expr> {
    let (mut all, mut out) = (vec![], vec![]);
    formula.atoms(&mut all);
    for atom in all {
        if !out.contains(&atom) {
            out.push(atom);
        }
    }
    out
}

/// Whether an atom reads something that resting changes.
fn resting_matters(linear: &LinearTime) -> bool {
    let mut written: Vec<VarId> = vec![];
    stmt::walk(&linear.rest, &mut |stmt| match stmt {
        Stmt::Assign(place, _) | Stmt::Fill(place, _) => written.push(place.var),
        Stmt::Copy(var, ..) | Stmt::Rank(var) => written.push(*var),
        _ => {}
    });
    let mut read = false;
    for atom in distinct(&linear.formula) {
        atom.walk(&mut |e| read |= matches!(e, Expr::Read(place) if written.contains(&place.var)));
    }
    read
}

/// The names that stand for atoms in a file.
pub(super) struct AtomNames {
    /// The variable with a bit for each.
    pub(super) kept: String,
    /// The macros for their values after the last step.
    pub(super) now: Vec<String>,
    /// The macros for the conditions.
    pub(super) conditions: Vec<String>,
}

impl AtomNames {
    pub(super) fn new(number: usize, names: &mut Names) -> AtomNames {
        AtomNames {
            kept: names.fresh("atoms_now"),
            now: (0..number).map(|at| names.fresh(&format!("atom_{at}_now"))).collect(),
            conditions: (0..number).map(|at| names.fresh(&format!("atom_{at}"))).collect(),
        }
    }

    /// The variable, and the macros that read it.
    pub(super) fn declarations(&self) -> String {
        let mut out = format!("int {};\n", self.kept);
        for (at, name) in self.now.iter().enumerate() {
            out += &format!("#define {name} (({} & {}) != 0)\n", self.kept, 1_u32 << at);
        }
        out
    }

    /// The assignment that gives all atoms their values at once.
    pub(super) fn update(&self) -> String {
        let bit = |(at, name): (usize, &String)| format!("({name} -> {} : 0)", 1_u32 << at);
        let bits: Vec<String> = self.conditions.iter().enumerate().map(bit).collect();
        format!("  {} = {};\n", self.kept, if bits.is_empty() { "0".to_string() } else { bits.join(" + ") })
    }
}

/// What `ltl` says: the formula holds where the initial block has ended.
pub(super) fn claim(formula: &Linear<Expr>, names: &AtomNames) -> String {
    let atoms = distinct(formula);
    format!("(!started) U (started && {})", text(formula, &atoms, names))
}

/// A formula, in parentheses wherever one could be in doubt.
fn text(formula: &Linear<Expr>, atoms: &[&Expr], names: &AtomNames) -> String {
    let one = |formula: &Linear<Expr>| text(formula, atoms, names);
    let joined = |parts: &[Linear<Expr>], word: &str, nothing: &str| match parts {
        [] => nothing.to_string(),
        parts => format!("({})", parts.iter().map(one).collect::<Vec<_>>().join(word)),
    };
    match formula {
        Linear::Atom(e) => {
            let at = atoms.iter().position(|atom| *atom == e).unwrap_or_default();
            names.now[at].clone()
        }
        Linear::Not(a) => format!("(!{})", one(a)),
        Linear::And(parts) => joined(parts, " && ", "true"),
        Linear::Or(parts) => joined(parts, " || ", "false"),
        // `sayable` has excluded it.
        Linear::Next(a) => format!("(X {})", one(a)),
        Linear::Until(a, b) if **a == Linear::truth() => format!("(<> {})", one(b)),
        Linear::Release(a, b) if **a == Linear::falsity() => format!("([] {})", one(b)),
        Linear::Until(a, b) => format!("({} U {})", one(a), one(b)),
        Linear::Release(a, b) => format!("({} V {})", one(a), one(b)),
    }
}
