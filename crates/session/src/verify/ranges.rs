//! Properties that follow from the ranges of variables: nothing is searched for them, and the answer should say so.
//!
//! Interval analysis and constant folding come before the search (`crates/passes/src/ranges.rs`). If they make a predicate
//! `true`, no variable matters any more, and a search of one state says *holds*. That looks as if nothing had been
//! checked.

use crate::because::VariableRange;
use crate::open::Prepared;
use crate::outcome::Evidence;
use std::collections::BTreeSet;
use swarmcheck_engine::{self as engine, Effort, Reductions};
use swarmcheck_ir::{Expr, Modality, VarId, cancel};
use swarmcheck_question::reduce::fold_constants;

/// The evidence for a property that a search without any step has decided, if the ranges say it all.
pub(super) fn evidence(
    prepared: &Prepared,
    reductions: &Reductions,
    property: usize,
    found: engine::Evidence,
    effort: &Effort,
) -> Option<Evidence> {
    let searched = effort.transitions > 0 || effort.states != 1;
    if found != engine::Evidence::Explored || searched || !(reductions.fold && reductions.ranges) {
        return None;
    }
    let original = &prepared.flat.program.properties[property];
    if matches!(original.modality, Modality::Scoped { .. } | Modality::Linear(_)) {
        return None;
    }
    let folded = prepared
        .folded
        .get_or_init(|| cancel::spare(|| fold_constants(&prepared.flat.program, &Reductions::ALL)));
    if folded.program.properties[property].predicate != Expr::TRUE {
        return None;
    }
    let mut read: BTreeSet<VarId> = BTreeSet::new();
    original.predicate.walk(&mut |e| {
        if let Expr::Read(place) = e {
            read.insert(place.var);
        }
    });
    let range = |var: VarId| {
        let values = folded.range(var)?;
        let variable = prepared.flat.program.var(var).name.clone();
        Some(VariableRange { variable, low: values.lo, high: values.hi, undefined: values.undef })
    };
    let variables: Option<Vec<VariableRange>> = read.into_iter().map(range).collect();
    variables.map(|variables| Evidence::Ranges { variables })
}
