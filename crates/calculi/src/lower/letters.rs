//! The label of the step just made, for formulas: a variable of the program that every step writes, and that nothing but
//! formulas reads. Labels that no formula names are one value together.

use crate::linear::Proposition;
use crate::property::Property;
use swarmcheck_ir as ir;
use swarmcheck_ir::Linear;
use swarmcheck_ir::program::Role;
use swarmcheck_source::Span;

/// The name of the variable.
pub const LAST_LABEL: &str = "step.label";

/// No step was made: at first, and in a system that rests.
const NONE: i64 = 0;

pub(super) struct Letters {
    var: ir::VarId,
    /// The labels that formulas name; they have the numbers from 1 on.
    labels: Vec<String>,
}

impl Letters {
    /// What formulas need; nothing if there is none.
    pub(super) fn new(properties: &[Property], var: ir::VarId) -> Option<Letters> {
        let mut labels: Vec<String> = vec![];
        let mut formulas = properties.iter().filter_map(Property::formula).peekable();
        formulas.peek()?;
        for (label, _) in formulas.flat_map(|formula| &formula.labels) {
            if !labels.contains(label) {
                labels.push(label.clone());
            }
        }
        Some(Letters { var, labels })
    }

    pub(super) fn variable(&self) -> ir::Var {
        ir::Var {
            name: LAST_LABEL.to_string(),
            owners: None,
            dimensions: vec![],
            domain: Some((NONE, self.labels.len() as i64 + 1)),
            may_be_undef: false,
            role: Role::Step,
        }
    }

    /// The step just made has this label.
    pub(super) fn note(&self, label: &str) -> ir::Stmt {
        let at = self.labels.iter().position(|own| own == label).unwrap_or(self.labels.len());
        self.assign(at as i64 + 1)
    }

    /// No step was made.
    pub(super) fn forget(&self) -> ir::Stmt {
        self.assign(NONE)
    }

    fn assign(&self, value: i64) -> ir::Stmt {
        ir::Stmt::Assign(ir::Place::global(self.var), ir::Expr::Const(value))
    }

    /// A formula over labels as one over states, of which the first is that after the first step. Parts without temporal
    /// operators are one condition, so that automata are small.
    pub(super) fn formula(&self, formula: &Linear<Proposition>) -> Linear<ir::Expr> {
        let of = |f: &Linear<Proposition>| self.formula(f);
        match formula {
            Linear::Atom(proposition) => Linear::Atom(self.proposition(proposition)),
            // The premise of an implication stays to be seen.
            Linear::Not(a) => Linear::not(of(a)),
            Linear::And(parts) | Linear::Or(parts) => {
                match self.condition(formula).filter(|_| !parts.is_empty()) {
                    Some(condition) => Linear::Atom(condition),
                    None if matches!(formula, Linear::And(_)) => Linear::And(parts.iter().map(of).collect()),
                    None => Linear::Or(parts.iter().map(of).collect()),
                }
            }
            Linear::Next(a) => Linear::next(of(a)),
            Linear::Until(a, b) => Linear::until(of(a), of(b)),
            Linear::Release(a, b) => Linear::release(of(a), of(b)),
        }
    }

    /// A formula without temporal operators.
    fn condition(&self, formula: &Linear<Proposition>) -> Option<ir::Expr> {
        let all = |parts: &[Linear<Proposition>]| -> Option<Vec<ir::Expr>> {
            parts.iter().map(|part| self.condition(part)).collect()
        };
        Some(match formula {
            Linear::Atom(proposition) => self.proposition(proposition),
            Linear::Not(a) => ir::Expr::not(self.condition(a)?),
            Linear::And(parts) => ir::Expr::and(all(parts)?),
            Linear::Or(parts) => ir::Expr::or(all(parts)?),
            Linear::Next(_) | Linear::Until(..) | Linear::Release(..) => return None,
        })
    }

    fn proposition(&self, proposition: &Proposition) -> ir::Expr {
        let (op, value) = match proposition {
            Proposition::Any => (ir::BinaryOp::Ne, NONE),
            Proposition::Label(label) => {
                let at = self.labels.iter().position(|own| own == label).unwrap_or(self.labels.len());
                (ir::BinaryOp::Eq, at as i64 + 1)
            }
        };
        let read = ir::Expr::Read(ir::Place::global(self.var));
        ir::Expr::binary(op, read, ir::Expr::Const(value), Span::default())
    }
}
