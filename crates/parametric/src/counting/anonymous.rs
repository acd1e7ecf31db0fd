//! When agents can be counted: what a program must satisfy besides the premises of the deletion lemma, and which steps stay possible in a crowd.
//!
//! **Anonymity.** If identities are compared by `=` and `≠` only, and no step has a loop over agents, then exchanging two agents of one
//! kind (their copies of variables, and their numbers in global identities) turns steps into steps: all that [`crate::deletion`] lets a
//! program do with an identity is to compare it, to store it in a global variable, and to read the variables of the agent. So a state may
//! be replaced by its globals, the places of the agents that global identities name, and the *number* of all others in each place.
//!
//! **Monotone steps.** A step of a small population is a step of each larger one, with the others unchanged, if all conditions that it has
//! evaluated keep their truth values when agents are added. Conditions without quantifiers read the agent that makes the step, drawn agents and
//! targets of global identities, so they do. `∃` that is true and `∀` that is false have a witness that stays. Everything else
//! about all agents (`∀` that is true is a test that a place is empty) may fail in a larger population; a step that asks for such a thing is
//! *not monotone*. Proofs of safety take it as if it were, which adds executions; proofs that something can be reached never use it.

use crate::premise::{Broken, Premise};
use crate::sorts::{Identities, Sort};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Function, KindId, Program, Quantifier, Stmt, UnaryOp, Var, VarId};
use swarmcheck_source::Span;

/// Checks what counting needs of a program and a predicate, besides the premises of the deletion lemma.
pub fn check(program: &Program, predicate: &Expr) -> Result<(), Premise> {
    let identities = &Identities::new(program);
    if let Some(at) = program.vars.iter().position(|var| var.role == Role::Order) {
        // Users know the variable that it belongs to.
        let id = VarId(at as u32);
        let timestamped =
            |var: &&Var| matches!(var.role, Role::Data { order: Some(order), .. } if order == id);
        let variable = program.vars.iter().find(timestamped).unwrap_or(&program.vars[at]).name.clone();
        return Premise::at(first_write(program, id), Broken::CountedTimestamps { variable });
    }
    let mut blocks: Vec<(Option<usize>, &[Stmt])> = vec![(None, &program.init)];
    for (number, function) in program.functions.iter().enumerate() {
        unordered(program, identities, Some(number), &function.guard)?;
        blocks.push((Some(number), &function.body));
    }
    for (function, block) in blocks {
        let mut all = vec![];
        swarmcheck_ir::stmt::walk(block, &mut |stmt| all.push(stmt));
        for stmt in all {
            if let (Stmt::ForEach(..), Some(number)) = (stmt, function) {
                return Premise::at(program.functions[number].span, Broken::Broadcast);
            }
            stmt.exprs().into_iter().try_for_each(|e| unordered(program, identities, function, e))?;
        }
    }
    unordered(program, identities, None, predicate)
}

/// The first action that writes a variable.
fn first_write(program: &Program, var: VarId) -> Span {
    let writes = |function: &&Function| {
        let mut found = false;
        swarmcheck_ir::stmt::walk(&function.body, &mut |stmt| {
            found |= match stmt {
                Stmt::Assign(place, _) | Stmt::Fill(place, _) => place.var == var,
                Stmt::Copy(copied, ..) => *copied == var,
                _ => false,
            };
        });
        found && function.span != Span::default()
    };
    program.functions.iter().find(writes).map_or(Span::default(), |function| function.span)
}

/// Identities are not compared by their order, and are not the value that an agent stores.
fn unordered(
    program: &Program,
    identities: &Identities,
    function: Option<usize>,
    e: &Expr,
) -> Result<(), Premise> {
    let mut found = None;
    e.walk(&mut |e| {
        if let Expr::Binary(op, a, b, span) = e {
            let identity = [a, b].iter().any(|side| {
                matches!(identities.sort(program, function, side), Sort::Identity | Sort::Timestamp(_))
            });
            if identity && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
                found = found.or(Some(*span));
            }
        }
    });
    found.map_or(Ok(()), |span| Premise::at(span, Broken::IdentityOrder))
}

/// Whether steps of a function stay possible, with the same effect, when agents of kinds that are not fixed are added.
pub fn is_monotone(function: &Function, fixed: &[KindId]) -> bool {
    let mut all = vec![];
    swarmcheck_ir::stmt::walk(&function.body, &mut |stmt| all.push(stmt));
    let plain = |e: &&Expr| !asks_about_all(e, fixed);
    stays(&function.guard, true, fixed)
        && all.into_iter().all(|stmt| match stmt {
            Stmt::Assume(e) => stays(e, true, fixed),
            Stmt::If(e, ..) => stays(e, true, fixed) && stays(e, false, fixed),
            Stmt::Choose(branches) => branches.iter().all(|(c, _)| stays(c, true, fixed)),
            Stmt::ForEach(..) | Stmt::Rank(_) => false,
            Stmt::Assign(..)
            | Stmt::Fill(..)
            | Stmt::Let(..)
            | Stmt::Havoc(..)
            | Stmt::Pick { .. }
            | Stmt::Check(_)
            | Stmt::Copy(..) => stmt.exprs().iter().all(plain),
        })
}

/// Whether a quantifier ranges over agents whose number may grow.
fn asks_about_all(e: &Expr, fixed: &[KindId]) -> bool {
    let mut found = false;
    e.walk(&mut |e| {
        if let Expr::Quantified(_, kinds, _, _) = e {
            found |= !is_fixed(kinds, fixed);
        }
    });
    found
}

fn is_fixed(kinds: &[KindId], fixed: &[KindId]) -> bool {
    kinds.iter().all(|kind| fixed.contains(kind))
}

/// Whether a condition with this truth value keeps it when agents are added.
fn stays(e: &Expr, truth: bool, fixed: &[KindId]) -> bool {
    if !asks_about_all(e, fixed) {
        return true;
    }
    match e {
        Expr::Unary(UnaryOp::Not, inner) => stays(inner, !truth, fixed),
        Expr::And(parts) | Expr::Or(parts) => parts.iter().all(|part| stays(part, truth, fixed)),
        Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b, _) => {
            stays(a, truth, fixed) && stays(b, truth, fixed)
        }
        Expr::Quantified(Quantifier::Exists | Quantifier::Forall, kinds, _, body)
            if is_fixed(kinds, fixed) =>
        {
            stays(body, truth, fixed)
        }
        Expr::Quantified(Quantifier::Exists, _, _, body) => truth && stays(body, true, fixed),
        Expr::Quantified(Quantifier::Forall, _, _, body) => !truth && stays(body, false, fixed),
        _ => false,
    }
}

/// How many agents have to be looked at for the steps of a function, besides those that global identities name. Errors in the evaluation of a
/// quantifier occur at bound agents, which the witnesses of the deletion lemma need not contain.
pub fn participants(function: &Function, witnesses: u32) -> u32 {
    let mut deepest = depth(&function.guard);
    swarmcheck_ir::stmt::walk(&function.body, &mut |stmt| {
        deepest = stmt.exprs().into_iter().map(depth).max().unwrap_or(0).max(deepest);
    });
    witnesses.saturating_add(deepest)
}

/// How deep quantifiers are nested, at most: their number is an upper bound.
fn depth(e: &Expr) -> u32 {
    let mut found = 0;
    e.walk(&mut |e| found += u32::from(matches!(e, Expr::Quantified(..))));
    found
}

/// The cells of global variables that hold identities.
pub fn identity_cells(program: &Program) -> Vec<VarId> {
    let identities = Identities::new(program);
    let global = |(number, var): (u32, &Var)| {
        (var.owners.is_none() && identities.holds(VarId(number))).then_some(VarId(number))
    };
    (0..).zip(&program.vars).filter_map(global).collect()
}
