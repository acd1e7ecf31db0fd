//! What targets write about a question: the claim that it makes, with its conditions.
//!
//! What is asked, and what is asked of nobody, is decided in `question`: a scope becomes a monitor variable, and an LTL
//! formula, for targets without LTL, a product with the Büchi automaton of its negation. So the program that is left may
//! have one more variable, the last one, and one more function, the last one. A target refuses the claims that it cannot
//! express.

use crate::{Export, Refusal};
use std::sync::Arc;
use swarmcheck_ir::{Expr, LinearTime, Modality, Program};
use swarmcheck_question::{
    Fairness, QuestionKind, Reductions, SearchShape, Setting, Subject, Watch, questions,
};

/// A question about a program.
pub(crate) struct ExportQuestion {
    /// The program, perhaps with a monitor or an automaton.
    pub(crate) program: Arc<Program>,
    /// The name of the property.
    pub(crate) name: Option<String>,
    pub(crate) ask: ExportClaim,
    /// Executions end after this many steps.
    pub(crate) last: Option<u32>,
}

pub(crate) enum ExportClaim {
    /// Whether there is always a step.
    Alive,
    /// Whether it holds in every state.
    Always(Expr),
    /// Whether it holds after the last step.
    AtLast(Expr),
    /// Whether it has held at some point when the last step is made.
    ByLast(Expr),
    /// Whether every maximal execution reaches it.
    Eventually(Expr),
    /// Whether `kept` holds in every state and no execution stops, or stays forever, where `waiting` holds.
    Promised {
        /// The scope is not violated.
        kept: Expr,
        /// The scope is open and its predicate has not held yet.
        waiting: Expr,
    },
    /// Whether no infinite execution satisfies it infinitely often.
    Never(Expr),
    /// Whether every execution satisfies the formula; one that stops repeats its last state.
    Formula(Box<LinearTime>),
    /// Whether it can be reached: from every state, or from every state reached without it.
    Reachable {
        goal: Expr,
        /// From every state.
        again: bool,
    },
}

/// Why there is no question: nobody can be asked, or there is nothing to ask about.
pub(crate) enum NoQuestion {
    Shared(swarmcheck_question::Refusal),
    Property(&'static str),
}

impl From<NoQuestion> for Refusal {
    fn from(none: NoQuestion) -> Refusal {
        match none {
            NoQuestion::Shared(refusal) => Refusal { why: refusal.to_string() },
            NoQuestion::Property(why) => Refusal { why: why.to_string() },
        }
    }
}

impl ExportQuestion {
    /// The question of an export; `formulas` tells whether the target has formulas of linear time.
    pub(crate) fn new(export: &Export<'_>, formulas: bool) -> Result<ExportQuestion, NoQuestion> {
        let program = &export.flat.program;
        if export.property.is_none() && export.bound.is_some() {
            return Err(NoQuestion::Property("a bound on steps needs a property: name one"));
        }
        let property = export.property.map(|number| program.properties.get(number));
        let Some(property) = property.map_or(Some(None), |found| found.map(Some)) else {
            return Err(NoQuestion::Property("the program has no such property"));
        };
        let name = property.map(|property| property.name.clone());
        if let (true, None, Some(Modality::Linear(linear))) =
            (formulas, export.bound, property.map(|property| &property.modality))
        {
            let ask = ExportClaim::Formula(linear.clone());
            return Ok(ExportQuestion { program: Arc::clone(program), name, ask, last: None });
        }
        let setting = Setting {
            program: Arc::clone(program),
            bound: export.bound,
            ignore_deadlock: false,
            fairness: Fairness::None,
            reductions: Reductions::NONE,
            folded: None,
        };
        let subject = export.property.map_or(Subject::DeadlockFreedom, Subject::Property);
        let found = questions(&setting, subject).map_err(NoQuestion::Shared)?;
        let condition = |what| found.condition(&found.program, what).cloned();
        let p = condition(Watch::Predicate(subject)).unwrap_or(Expr::TRUE);
        let last = match found.shape {
            SearchShape::Whole | SearchShape::Before => None,
            SearchShape::Within(steps) | SearchShape::After { steps, .. } => Some(steps),
        };
        let ask = match (found.only().kind, found.shape) {
            (QuestionKind::Alive, _) => ExportClaim::Alive,
            (QuestionKind::Always, SearchShape::After { avoiding: true, .. }) => ExportClaim::ByLast(p),
            (QuestionKind::Always, SearchShape::After { avoiding: false, .. }) => ExportClaim::AtLast(p),
            (QuestionKind::Always, _) => ExportClaim::Always(p),
            (QuestionKind::Reached, _) => ExportClaim::Eventually(p),
            (QuestionKind::Reachable, shape) => {
                ExportClaim::Reachable { goal: p, again: shape == SearchShape::Whole }
            }
            (QuestionKind::Scope { .. }, _) => match condition(Watch::Waiting) {
                Some(waiting) => ExportClaim::Promised { kept: p, waiting },
                None => ExportClaim::Always(p),
            },
            (QuestionKind::Recurs, _) => ExportClaim::Never(p),
            // The automaton accepts where everything that follows violates the formula, and nowhere else.
            (QuestionKind::Kept, _) => ExportClaim::Never(Expr::not(p)),
        };
        let mut program = found.program;
        // Further conditions were properties for those who search.
        if program.properties.len() > export.program.properties.len() {
            Arc::make_mut(&mut program).properties.truncate(export.program.properties.len());
        }
        Ok(ExportQuestion { program, name, ask, last })
    }
}
