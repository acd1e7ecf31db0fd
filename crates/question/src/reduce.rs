//! Which reductions apply to a question, and the smaller program they give.
//!
//! Passes change the program, once; what they do to states is kept as a block that turns a state of the original into
//! the state that stands for it ([`Smaller::normalise`]). Symmetries change how states are stored. Each argument stands in
//! the file of the pass.

use crate::fairness::Tracked;
use crate::refusal::Refusal;
use crate::setting::{Fairness, Reductions};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use swarmcheck_ir::{Expr, Modality, Program, Stmt, VarId};
use swarmcheck_passes::data_symmetry::{self, DataSymmetries};
use swarmcheck_passes::linear::{self, Condition, Product};
pub use swarmcheck_passes::ranges::Range;
use swarmcheck_passes::ranges::Ranges;
use swarmcheck_passes::symmetry::{Moves, Symmetry};
use swarmcheck_passes::{Needs, dead, fold, miniscope, ranges, slice, stale, symmetry};

/// A program made smaller for some questions.
pub struct Smaller {
    /// The smaller program.
    pub program: Program,
    /// Turns a state of the original into the one that stands for it.
    pub normalise: Vec<Stmt>,
    /// Agent symmetry: which agents are interchangeable.
    pub symmetry: Option<Symmetry>,
    /// Symmetries of the data: values that can be mirrored and variables that can be exchanged.
    pub data_symmetries: Option<DataSymmetries>,
    /// What was reduced, as sentences for reports.
    pub notes: Vec<String>,
}

/// A program with constants folded: before anything else, so that what they make irrelevant can be left out. Made once
/// for all questions about it.
pub struct FoldedProgram {
    /// The program.
    pub program: Program,
    /// The ranges of its variables, if they are needed. Folding changes no state, so they are those of the original.
    ranges: Option<Ranges>,
    /// The reductions that were allowed when it was made.
    reductions: Reductions,
    /// The program that it was made of, if others may ask for it again.
    of: Option<Arc<Program>>,
    /// Conditions of formulas that were folded for one product, for the next: many formulas have the same.
    conditions: Mutex<Vec<(Expr, Condition)>>,
    /// The program that keeps track of who moves, for questions about fair executions.
    tracked: Mutex<Vec<Arc<Tracked>>>,
}

/// Folds constants, if that may be done.
pub fn fold_constants(program: &Arc<Program>, use_: &Reductions) -> FoldedProgram {
    FoldedProgram { of: Some(Arc::clone(program)), ..fold_alone(program, use_) }
}

/// The same, for one question.
fn fold_alone(program: &Program, use_: &Reductions) -> FoldedProgram {
    let ranges = (use_.fold || use_.slice || use_.ranges).then(|| ranges::ranges(program));
    folded(program, ranges, use_)
}

/// The same for a program that has one variable more, the last one, than one that was folded before: a monitor, or an
/// automaton. What is known of the others is not found again.
pub fn fold_constants_near(program: &Program, known: &FoldedProgram) -> FoldedProgram {
    let ranges = known.ranges.as_ref().map(|known| ranges::ranges_near(program, known));
    folded(program, ranges, &known.reductions)
}

fn folded(program: &Program, ranges: Option<Ranges>, use_: &Reductions) -> FoldedProgram {
    let folded = match &ranges {
        Some(ranges) if use_.fold => fold::fold_within(program, ranges).program,
        _ => program.clone(),
    };
    FoldedProgram {
        program: folded,
        ranges,
        reductions: *use_,
        of: None,
        conditions: Mutex::default(),
        tracked: Mutex::default(),
    }
}

/// Of an automaton with more transitions than this, most can be left out of each function, because what the function sends is
/// known there. That takes folding of the whole product, and pays.
const FEW_TRANSITIONS: usize = 48;

/// The product of a folded program with the automaton of a formula. Nothing that is known of the program is found again, and
/// only what the automaton adds is folded. Also what [`Product::bad`] and [`Product::safety`] say. `None` where that is not
/// possible.
pub fn product(
    folded: &FoldedProgram,
    property: usize,
    rests: bool,
) -> Option<(FoldedProgram, (Option<Expr>, bool))> {
    let FoldedProgram { program, ranges, reductions, conditions, .. } = folded;
    let ranges = ranges.as_ref().filter(|_| reductions.fold)?;
    let Modality::Linear(linear) = &program.properties[property].modality else { return None };
    // Nobody folds while holding the list: whoever folds may have to wait for a turn, and the one whose turn it is would wait
    // for the list.
    let known = || conditions.lock().unwrap_or_else(PoisonError::into_inner);
    let mut fold = |e: &Expr| {
        let found = known().iter().find(|(other, _)| other == e).map(|(_, folded)| folded.clone());
        found.unwrap_or_else(|| {
            let folded = fold::condition(program, ranges, e);
            known().push((e.clone(), folded.clone()));
            folded
        })
    };
    let product = linear::product_with(program, property, rests, FEW_TRANSITIONS, &mut fold)?;
    let Product { program, bad, safety, .. } = product;
    let rest: &[Stmt] = if rests { &linear.rest } else { &[] };
    let ranges = Some(ranges::ranges_of_product(&program, ranges, rest)?);
    let conditions = Mutex::default();
    let tracked = Mutex::default();
    let folded = FoldedProgram { program, ranges, reductions: *reductions, of: None, conditions, tracked };
    Some((folded, (bad, safety)))
}

/// The variables that matter to a property: properties with the same are searched together.
pub fn relevant(folded: &FoldedProgram, property: &[usize], needs: Needs) -> BTreeSet<VarId> {
    let program = &folded.program;
    match &folded.ranges {
        Some(ranges) if folded.reductions.slice => slice::kept_within(program, ranges, property, needs),
        _ => (0..program.vars.len() as u32).map(VarId).collect(),
    }
}

/// Applies what may be applied.
pub fn reduce(program: &Program, properties: &[usize], needs: Needs, use_: &Reductions) -> Smaller {
    reduce_folded(&fold_alone(program, use_), properties, needs, use_)
}

impl FoldedProgram {
    /// Whether it was made of this program.
    pub fn is_of(&self, program: &Arc<Program>) -> bool {
        self.of.as_ref().is_some_and(|of| Arc::ptr_eq(of, program))
    }

    /// The program that keeps track of who moves, made now if it was not before.
    pub(crate) fn tracked(
        &self,
        fairness: Fairness,
        make: impl FnOnce() -> Result<Tracked, Refusal>,
    ) -> Result<Arc<Tracked>, Refusal> {
        // Nobody works while holding the list, see [`product`].
        let list = || self.tracked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = list().iter().find(|known| known.is_for(fairness)).cloned() {
            return Ok(known);
        }
        let made = Arc::new(make()?);
        list().push(Arc::clone(&made));
        Ok(made)
    }

    /// The values of a variable in all reachable states, if they were found.
    pub fn range(&self, var: VarId) -> Option<Range> {
        self.ranges.as_ref().map(|ranges| ranges.value(var))
    }

    /// Whether it is what these reductions begin with: those that come later do not matter.
    pub fn suits(&self, reductions: &Reductions) -> bool {
        let first = |r: &Reductions| (r.fold, r.slice, r.ranges);
        first(&self.reductions) == first(reductions)
    }
}

/// Applies to a folded program what else may be applied.
pub fn reduce_folded(
    folded: &FoldedProgram,
    properties: &[usize],
    needs: Needs,
    use_: &Reductions,
) -> Smaller {
    let mut out = Smaller {
        program: folded.program.clone(),
        normalise: vec![],
        symmetry: None,
        data_symmetries: None,
        notes: vec![],
    };
    let apply = |out: &mut Smaller, reduced: swarmcheck_passes::Reduced| {
        out.program = reduced.program;
        out.normalise.extend(reduced.normalise);
        out.notes.extend(reduced.notes);
    };
    if let (Some(ranges), true) = (&folded.ranges, use_.slice) {
        let reduced = slice::slice_within(&out.program, ranges, properties, needs);
        apply(&mut out, reduced);
    }
    if use_.dead {
        let reduced = dead::dead(&out.program, properties);
        apply(&mut out, reduced);
    }
    if use_.stale && !needs.steps {
        let reduced = stale::stale(&out.program);
        apply(&mut out, reduced);
    }
    if let (Some(known), true) = (&folded.ranges, use_.ranges) {
        let found = ranges::ranges_near(&out.program, known);
        out.program = ranges::narrow_to(&out.program, &found).program;
    }
    if use_.symmetry {
        out.symmetry = symmetry::symmetry(&out.program, properties);
        if let Some(symmetry) = &out.symmetry {
            symmetry.widen(&mut out.program);
            let group = |g: &symmetry::Group| match g.moves {
                Moves::Full => format!("{} agents are interchangeable", g.agents.len()),
                Moves::Rotation => format!("{} agents can be rotated", g.agents.len()),
            };
            out.notes.extend(symmetry.groups.iter().map(group));
        }
    }
    if use_.data_symmetry {
        let groups = out.symmetry.iter().flat_map(|s| &s.groups);
        let numbers: Vec<VarId> = groups.flat_map(|g| g.ids.iter().copied()).collect();
        out.data_symmetries = data_symmetry::data_symmetries(&out.program, properties, &numbers);
        out.notes.extend(out.data_symmetries.as_ref().map(|m| m.note(&out.program)));
    }
    if use_.fold {
        // Last, with the domains that the search keeps to: symmetry judges a property better as it was written.
        for &number in properties {
            let smaller = miniscope::miniscope(&out.program, &out.program.properties[number].predicate);
            out.program.properties[number].predicate = smaller;
        }
    }
    out
}
