//! Which reductions apply to a question, and the smaller program they give.
//!
//! Passes change the program, once; what they do to states is kept as a block that turns a state of the original into
//! the state that stands for it ([`Smaller::normalise`]). Symmetry changes how states are stored. Each argument stands in
//! the file of the pass.

use std::collections::BTreeSet;
use swarmcheck_engine::Reductions;
use swarmcheck_ir::{Expr, Program, Stmt, VarId};
use swarmcheck_passes::symmetry::{Moves, Symmetry};
use swarmcheck_passes::{Needs, dead, fold, ranges, slice, stale, symmetry};

/// A program made smaller for some questions.
pub struct Smaller {
    /// The program.
    pub program: Program,
    /// Turns a state of the original into the one that stands for it.
    pub normalise: Vec<Stmt>,
    /// Who is interchangeable with whom.
    pub symmetry: Option<Symmetry>,
    /// What was done, for people.
    pub notes: Vec<String>,
}

/// The variables that matter to a property: properties with the same are searched together.
pub fn relevant(program: &Program, property: &[usize], needs: Needs, use_: &Reductions) -> BTreeSet<VarId> {
    if use_.slice {
        slice::kept(program, property, needs)
    } else {
        (0..program.vars.len() as u32).map(VarId).collect()
    }
}

/// Folds constants: before anything else, so that what they make irrelevant can be left out.
pub fn prepare(program: &Program, use_: &Reductions) -> Program {
    if use_.fold { fold::fold(program).program } else { program.clone() }
}

/// Applies what may be applied.
pub fn reduce(program: &Program, properties: &[usize], needs: Needs, use_: &Reductions) -> Smaller {
    let mut out =
        Smaller { program: prepare(program, use_), normalise: vec![], symmetry: None, notes: vec![] };
    for &number in properties {
        let (before, after) = (&program.properties[number], &out.program.properties[number]);
        if after.predicate == Expr::TRUE && before.predicate != Expr::TRUE {
            out.notes.push(format!("the predicate of {} is true whatever the values are", before.name));
        }
    }
    let apply = |out: &mut Smaller, reduced: swarmcheck_passes::Reduced| {
        out.program = reduced.program;
        out.normalise.extend(reduced.normalise);
        out.notes.extend(reduced.notes);
    };
    if use_.slice {
        let reduced = slice::slice(&out.program, properties, needs);
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
    if use_.ranges {
        out.program = ranges::narrow(&out.program).program;
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
    out
}
