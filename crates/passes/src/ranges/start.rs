//! What the initial block leaves behind.
//!
//! It starts from a state in which every cell is 0, so a variable can have a value after it that was never assigned,
//! unless it is known that all its copies were: by a statement that no branch skips, outside all loops or once for each
//! agent of its owners. Assumptions at its end that refer to all agents say more about the values.

use super::context::Context;
use super::fixpoint::Equations;
use super::value::Value;
use super::walk::Effects;
use std::rc::Rc;
use swarmcheck_ir::{Expr, Place, Program, Quantifier, Stmt, VarId};

/// What is known before the initial block, if it assigns these values.
pub(super) fn context<'a>(program: &'a Program, assigned: &'a [Value]) -> Context<'a> {
    let mut context = Context::new(program, assigned, &[], &program.init_locals);
    context.unset = Some(Rc::default());
    context
}

/// All values that the initial block assigns.
pub(super) fn assigned(program: &Program, thresholds: &[i64]) -> Vec<Value> {
    let all: Vec<VarId> = (0..program.vars.len() as u32).map(VarId).collect();
    let run = |_: usize, values: &[Value]| {
        let mut effects = Effects::default();
        context(program, values).block(&program.init, &mut effects);
        effects
    };
    Equations {
        start: vec![Value::NONE; all.len()],
        near: None,
        reads: vec![all],
        run: &run,
        declared: &|_, value| value,
        thresholds: thresholds.to_vec(),
    }
    .solve()
}

/// The values that variables can have after the initial block.
pub(super) fn values(program: &Program, assigned: &[Value]) -> Vec<Value> {
    let mut end = context(program, assigned);
    end.block(&program.init, &mut Effects::default());
    let mut out = vec![];
    for var in (0..program.vars.len() as u32).map(VarId) {
        let mut value = super::declared(program, var, assigned[var.0 as usize].clone());
        if end.is_unset(var) {
            value = value.join(&Value::only(0));
        }
        let nobody = program.var(var).owners.as_deref().is_some_and(|kinds| end.count(kinds) == 0);
        out.push(if end.dead || nobody { Value::NONE } else { value });
    }
    for stmt in last_assumptions(&program.init) {
        let known = out.clone();
        learned(&Context::new(program, &known, &[], &program.init_locals), stmt, &mut out);
    }
    out
}

/// The conditions assumed at the end of a block, after all that it writes.
fn last_assumptions(block: &[Stmt]) -> impl Iterator<Item = &Expr> {
    block.iter().rev().map_while(|s| if let Stmt::Assume(e) = s { Some(e) } else { None })
}

/// What a condition says about variables as a whole: about global ones, and, if it refers to all agents that have a
/// variable, about that.
fn learned(context: &Context<'_>, condition: &Expr, values: &mut [Value]) {
    if let Expr::And(parts) = condition {
        return parts.iter().for_each(|p| learned(context, p, values));
    }
    let program = context.program;
    let here = context.where_(condition, true);
    for (var, value) in values.iter_mut().enumerate() {
        let (id, var) = (VarId(var as u32), &program.vars[var]);
        if var.owners.is_none() && var.dimensions.is_empty() {
            let known = here.found(&Expr::Read(Place::global(id))).value;
            *value = if here.dead { Value::NONE } else { value.meet(&known) };
        }
    }
    let Expr::Quantified(Quantifier::Forall, kinds, bound, body) = condition else { return };
    let mut inside = context.clone();
    inside.bind(*bound, kinds);
    inside.assume(body, true);
    let all = |owners: &[_]| owners.iter().all(|k| kinds.contains(k) || program.kind(*k).count == 0);
    for (var, value) in values.iter_mut().enumerate() {
        let (id, var) = (VarId(var as u32), &program.vars[var]);
        if var.dimensions.is_empty() && var.owners.as_deref().is_some_and(all) {
            let known = inside.found(&Expr::Read(Place::of(id, Expr::Bound(*bound)))).value;
            *value = if inside.dead { Value::NONE } else { value.meet(&known) };
        }
    }
}
