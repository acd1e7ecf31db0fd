//! Temporal properties of a program. Their meaning lives in the `logic` crate.

use crate::expr::Expr;
use crate::linear::Linear;
use crate::stmt::Stmt;
use swarmcheck_source::Span;

/// A named property. Predicates are closed conditions: no agent runs them.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub name: String,
    /// When the predicate must hold.
    pub modality: Modality,
    /// The state predicate.
    pub predicate: Expr,
    /// Its place in the user's file.
    pub span: Span,
    /// Some quantifier of it ranges over no agent at all.
    pub vacuous: bool,
}

impl Property {
    /// All its conditions: the predicate first, then those of its scope.
    pub fn exprs(&self) -> Vec<&Expr> {
        let mut out = vec![&self.predicate];
        if let Modality::Scoped { start, end, inside, .. } = &self.modality {
            out.extend([start, end]);
            if let Inside::Precedes(first) = inside {
                out.push(first);
            }
        }
        if let Modality::Linear(linear) = &self.modality {
            linear.formula.atoms(&mut out);
            out.push(&linear.rests);
        }
        out
    }
}

/// When a predicate must hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Modality {
    /// In every reachable state.
    Always,
    /// At some point of every maximal execution.
    Eventually,
    /// Like `Eventually`; with a step bound, in the last state.
    Finally,
    /// From every state reached without it, it can be reached.
    Fairly,
    /// From every reachable state, it can be reached.
    FairlyInf,
    /// After exactly this many steps.
    After(u32),
    /// Only between two events.
    Scoped {
        /// The scope also counts when it never closes.
        open: bool,
        start: Expr,
        end: Expr,
        /// The requirement inside the scope.
        inside: Inside,
    },
    /// Every infinite execution satisfies a formula of linear time; the predicate is not used.
    Linear(Box<LinearTime>),
}

/// A formula of linear time, and how an execution that stops goes on: it rests forever.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearTime {
    /// The formula over conditions on states.
    pub formula: Linear<Expr>,
    /// Holds exactly in the states without a step.
    pub rests: Expr,
    /// The effect of a stuttering step at the end of an execution. It is idempotent.
    pub rest: Vec<Stmt>,
}

/// The requirement inside a scope.
#[derive(Clone, Debug, PartialEq)]
pub enum Inside {
    /// The predicate holds throughout.
    Always,
    /// The predicate holds at some point.
    ThereIs,
    /// This condition holds before the predicate first does.
    Precedes(Expr),
}
