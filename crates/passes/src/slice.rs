//! Cone-of-influence reduction (slicing): variables that the properties do not depend on are dropped, with all code that
//! only serves them.
//!
//! Program slicing is from Weiser (ICSE 1981); with the variables of a property as the criterion it is the
//! cone-of-influence reduction of model checkers (Clarke, Grumberg and Peled, "Model Checking", 1999). Ours differs
//! in two ways: it keeps everything that may be a model error, and it removes messages that cannot influence the
//! property from the guards that wait for them.
//!
//! **What is kept.** The set R is the smallest that contains what the listed properties read and is closed under this:
//! of a function that matters, its entry, its guard, everything that decides whether it can run to its end, the
//! conditions around what is kept of its body, and what is assigned to variables of R are read from R. A function
//! matters if it writes a variable of R, if it may meet a model error, or if `needs` says so. Nothing is dropped that
//! may be a model error (a cell, an agent or a variable that does not exist), unless the ranges prove that it cannot.
//! A number that is not needed may overflow in what is dropped: then the answer is about the program without it.
//!
//! **Soundness.** Take a state of the original program and set everything outside R to 0. A function that matters
//! does the same to R in both: whether it can run, with which choices, and what it writes to R depends on R alone. A
//! function that does not matter changes nothing in R, so in the smaller program its step is no step.
//!
//! * With `needs.steps` every function matters: steps correspond one to one.
//! * Otherwise the smaller program has the same executions up to steps that change nothing (stuttering), so the same
//!   values of R can be reached, and from corresponding states the same can be reached.
//! * With `needs.endings` only messages are dropped that always terminate (see `drain`), so no execution becomes
//!   finite or infinite by it.
//!
//! **Messages.** Functions often wait until an agent has no message of any sort to send. If the messages of a sort do
//! not matter, they can always be sent first, one after the other, until none is left, and that changes nothing in R.
//! So every step of the smaller program is possible in the original one, after such messages; the condition that there
//! are none is dropped from the guards.
//!
//! The initial block still makes all its choices that an assumption looks at; variables outside R are set back to 0 at
//! its end. Their domain describes the states after it.

mod annotated;
mod cone;
mod cut;
mod drain;

use crate::ranges::{Ranges, ranges};
use crate::{Needs, Reduced};
use cone::Plan;
use std::collections::BTreeSet;
use swarmcheck_ir::{Expr, Inside, Modality, Place, Program, Property, Set, Stmt, VarId};

/// The variables that these properties (by their numbers) depend on: properties with the same ones share a slice.
pub fn kept(program: &Program, properties: &[usize], needs: Needs) -> BTreeSet<VarId> {
    kept_within(program, &ranges(program), properties, needs)
}

/// The same where the ranges of the program are known.
pub fn kept_within(
    program: &Program,
    ranges: &Ranges,
    properties: &[usize],
    needs: Needs,
) -> BTreeSet<VarId> {
    Plan::new(program, ranges, properties, needs).keep
}

/// Drops what these properties (by their numbers) do not depend on. The others become `true`.
pub fn slice(program: &Program, properties: &[usize], needs: Needs) -> Reduced {
    slice_within(program, &ranges(program), properties, needs)
}

/// The same where the ranges of the program are known.
pub fn slice_within(program: &Program, ranges: &Ranges, properties: &[usize], needs: Needs) -> Reduced {
    let plan = Plan::new(program, ranges, properties, needs);
    let mut out = program.clone();
    for (i, function) in out.functions.iter_mut().enumerate() {
        plan.cut_function(i, function);
    }
    out.init = cut::initial(program, ranges, &plan.keep);
    for (i, property) in out.properties.iter_mut().enumerate() {
        if !properties.contains(&i) {
            forget(property);
        }
    }
    let gone: Vec<VarId> =
        (0..program.vars.len() as u32).map(VarId).filter(|v| !plan.keep.contains(v)).collect();
    for var in &gone {
        let var = &mut out.vars[var.0 as usize];
        (var.domain, var.may_be_undef) = (Some((0, 0)), false);
    }
    let mut notes = vec![];
    let list = |names: Vec<&str>, what: &str| {
        if names.is_empty() { None } else { Some(format!("{what}: {}", names.join(", "))) }
    };
    notes.extend(list(gone.iter().map(|v| program.var(*v).name.as_str()).collect(), "not needed"));
    let functions = program.functions.iter().enumerate();
    let idle = functions.filter(|(i, f)| !plan.matters(*i) && f.guard != Expr::FALSE);
    notes.extend(list(idle.map(|(_, f)| f.name.as_str()).collect(), "without effect"));
    let normalise = gone.iter().map(|v| reset(program, *v)).collect();
    Reduced { program: out, normalise, notes }
}

/// Sets all cells of a variable to 0.
fn reset(program: &Program, var: VarId) -> Stmt {
    let zero = Set::one(Expr::Const(0));
    let place = |agent: Option<Expr>| Place {
        var,
        agent: agent.map(Box::new),
        index: vec![],
        span: swarmcheck_source::Span::default(),
    };
    match &program.var(var).owners {
        None => Stmt::Fill(place(None), zero),
        Some(kinds) => Stmt::ForEach(kinds.clone(), 0, vec![Stmt::Fill(place(Some(Expr::Bound(0))), zero)]),
    }
}

/// Makes a property one that reads nothing.
fn forget(property: &mut Property) {
    property.predicate = Expr::TRUE;
    if matches!(property.modality, Modality::Linear(_)) {
        property.modality = Modality::Always;
    }
    if let Modality::Scoped { start, end, inside, .. } = &mut property.modality {
        (*start, *end) = (Expr::TRUE, Expr::TRUE);
        if let Inside::Precedes(first) = inside {
            *first = Expr::TRUE;
        }
    }
}
