//! Whether two systems behave alike, and evidence if they do not: a trace that only one of them has, or a formula that
//! only one of them satisfies.
//!
//! Strong and branching bisimilarity are those of [`mod@crate::minimise`]. **Weak bisimilarity** (Milner 1989) is strong
//! bisimilarity where a step may be surrounded by invisible ones, and an invisible step matched by none. **Trace
//! equivalence** compares the sequences of visible labels that the systems can begin with.
//!
//! Formulas are found by refining a partition in rounds until it tells the initial states apart: what is
//! told apart in a round is told apart by a formula over what was told apart in the round before (Cleaveland, *On
//! automatically explaining bisimulation inequivalence*, 1990; for branching bisimilarity Korver, *Computing
//! distinguishing formulas for branching bisimulation*, 1991). Every formula is evaluated on both systems before it is
//! given out.

mod formula;
mod rounds;
mod saturate;
mod trace;

use crate::minimise::{Equivalence, equivalent, minimise};
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
}

/// Somebody has stopped the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Compares two systems; `None` if they behave alike. `stopped` is asked now and then.
pub fn compare(
    a: &Lts,
    b: &Lts,
    relation: Relation,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<Difference>, Stopped> {
    // Everything below is invariant under the finer equivalence, and smaller systems are quicker.
    let finer = if relation == Relation::Strong { Equivalence::Strong } else { Equivalence::Branching };
    let (a, b) = (minimise(a, finer), minimise(b, finer));
    let (both, second) = a.beside(&b);
    let roots = [both.initial(), second.start + b.initial()];
    let (step, system) = match relation {
        Relation::Trace => {
            let trace = distinguishing_trace(&a, &b, stopped)?;
            return Ok(trace.map(|trace| Difference { formula: None, trace: Some(trace) }));
        }
        Relation::Strong => (Step::Strong, None),
        Relation::Branching => (Step::Branching, None),
        Relation::Weak => (Step::Weak, Some([saturate(&a, stopped)?, saturate(&b, stopped)?])),
    };
    let alike = match &system {
        None => equivalent(&a, &b, finer),
        Some([a, b]) => equivalent(a, b, Equivalence::Strong),
    };
    if alike {
        return Ok(None);
    }
    let formula = match &system {
        None => rounds::distinguish(&both, roots, step, stopped)?,
        Some([a, b]) => rounds::distinguish(&a.beside(b).0, roots, step, stopped)?,
    };
    let tells = |formula: &Formula| {
        let holds = formula.satisfied(&both);
        holds[roots[0] as usize] && !holds[roots[1] as usize]
    };
    Ok(Some(Difference { formula: formula.filter(tells), trace: distinguishing_trace(&a, &b, stopped)? }))
}
