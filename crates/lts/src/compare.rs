//! Whether two systems behave alike, and evidence if they do not: a trace that only one of them has, or a formula that
//! only one of them satisfies.
//!
//! Strong and branching bisimilarity are those of [`mod@crate::minimise`]. **Weak bisimilarity** (Milner 1989) is strong
//! bisimilarity where a step may be surrounded by invisible ones, and an invisible step matched by none. **Trace
//! equivalence** compares the sequences of visible labels that the systems can begin with.
//!
//! Formulas are found by refining a partition in rounds until it tells the initial states apart: what is
//! distinguished in a round is distinguished by a formula over what was distinguished in the round before
//! (Cleaveland, *On automatically explaining bisimulation inequivalence*, 1990; for branching bisimilarity Korver,
//! *Computing distinguishing formulas for branching bisimulation*, 1991). Every formula is evaluated on both systems
//! before it is given out.

mod formula;
mod rounds;
mod saturate;
mod trace;

use crate::minimise::{Equivalence, equivalent_unless, minimise_unless};
use crate::stop::{Stop, Stopped};
use crate::system::Lts;
pub use formula::Formula;
use formula::Step;
use saturate::saturate;
pub use trace::distinguishing_trace;

/// Ways to behave alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// Strong bisimilarity.
    Strong,
    /// Branching bisimilarity.
    Branching,
    /// Weak bisimilarity.
    Weak,
    /// Trace equivalence.
    Trace,
}

/// The systems behave differently.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// A formula that the first system satisfies and the second does not; none for trace equivalence, or if it would be
    /// too large.
    pub formula: Option<Formula>,
    /// A shortest sequence of visible labels that only one of them can begin with, and whether it is the first one.
    pub trace: Option<(Vec<String>, bool)>,
    /// Looking for evidence was given up, so there may be more than this.
    pub given_up: bool,
}

/// Compares two systems; `None` if they behave alike. That they differ is known before there is evidence, and is told
/// also if the search for evidence is given up.
pub fn compare(a: &Lts, b: &Lts, relation: Relation, stop: Stop<'_>) -> Result<Option<Difference>, Stopped> {
    // Everything below is invariant under the finer equivalence, and smaller systems are quicker.
    let finer = if relation == Relation::Strong { Equivalence::Strong } else { Equivalence::Branching };
    let (a, b) = (minimise_unless(a, finer, stop)?, minimise_unless(b, finer, stop)?);
    let (both, second) = a.beside(&b);
    let roots = [both.initial(), second.start + b.initial()];
    let (step, system) = match relation {
        Relation::Trace => {
            let trace = distinguishing_trace(&a, &b, stop)?;
            return Ok(trace.map(|trace| Difference { formula: None, trace: Some(trace), given_up: false }));
        }
        Relation::Strong => (Step::Strong, None),
        Relation::Branching => (Step::Branching, None),
        Relation::Weak => (Step::Weak, Some([saturate(&a, stop)?, saturate(&b, stop)?])),
    };
    let alike = match &system {
        None => equivalent_unless(&a, &b, finer, stop)?,
        Some([a, b]) => equivalent_unless(a, b, Equivalence::Strong, stop)?,
    };
    if alike {
        return Ok(None);
    }
    let trace = distinguishing_trace(&a, &b, stop);
    let formula = match &system {
        None => rounds::distinguish(&both, roots, step, stop),
        Some([a, b]) => rounds::distinguish(&a.beside(b).0, roots, step, stop),
    };
    let formula = formula.and_then(|formula| match formula {
        None => Ok(None),
        Some(formula) => {
            let holds = formula.satisfied(&both, stop)?;
            Ok(Some(formula).filter(|_| holds[roots[0] as usize] && !holds[roots[1] as usize]))
        }
    });
    let given_up = trace.is_err() || formula.is_err();
    Ok(Some(Difference { formula: formula.unwrap_or(None), trace: trace.unwrap_or(None), given_up }))
}
