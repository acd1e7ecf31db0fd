//! Folding statements.

use super::expr::{expr, place};
use crate::ranges::Context;
use crate::ranges::walk::Effects;
use swarmcheck_ir::{Expr, Set, Stmt};

/// A folded block and what it can do.
pub(super) struct Folded {
    pub stmts: Vec<Stmt>,
    effects: Effects,
    /// Whether no run gets to its end.
    dead: bool,
}

impl Folded {
    /// Whether it can never be a model error.
    pub fn is_safe(&self) -> bool {
        !self.effects.fault && !self.effects.overflow
    }

    /// Whether it makes no difference to drop it together with everything after it.
    fn is_useless(&self) -> bool {
        self.dead && self.is_safe()
    }
}

/// Folds a block, up to a statement that is never passed, and goes to its end.
pub(super) fn block(here: &mut Context<'_>, body: &[Stmt]) -> Folded {
    let mut out = Folded { stmts: vec![], effects: Effects::default(), dead: false };
    for s in body {
        if here.is_dead() {
            break;
        }
        stmt(here, s, &mut out);
    }
    out.dead = here.is_dead();
    out
}

/// Folds a branch. Where it is cut short it would not assign all its locals any more; so either the caller drops it as
/// useless or it stays as it was.
fn branch(here: &mut Context<'_>, body: &[Stmt]) -> Folded {
    let mut out = block(here, body);
    if out.dead && !out.is_useless() {
        out.stmts = body.to_vec();
    }
    out
}

fn set(here: &Context<'_>, set: &Set) -> Set {
    match set {
        Set::Values(values) => Set::Values(values.iter().map(|v| expr(here, v)).collect()),
        Set::Range(lo, hi) => Set::Range(expr(here, lo), expr(here, hi)),
    }
}

fn stmt(here: &mut Context<'_>, s: &Stmt, out: &mut Folded) {
    let new = match s {
        Stmt::If(condition, yes, no) => return if_(here, condition, yes, no, out),
        Stmt::Choose(branches) => return choose(here, branches, out),
        Stmt::ForEach(kinds, bound, body) => {
            if here.count(kinds) > 0 {
                let mut inside = here.enter(kinds, *bound, body);
                let folded = branch(&mut inside, body);
                here.leave(inside, kinds, *bound, body);
                out.add(folded.effects);
                if !folded.stmts.is_empty() {
                    out.stmts.push(Stmt::ForEach(kinds.clone(), *bound, folded.stmts));
                }
            }
            return;
        }
        Stmt::Assign(at, e) => Stmt::Assign(place(here, at), expr(here, e)),
        Stmt::Fill(at, values) => Stmt::Fill(place(here, at), set(here, values)),
        Stmt::Let(local, e) => Stmt::Let(*local, expr(here, e)),
        Stmt::Havoc(local, values) => Stmt::Havoc(*local, set(here, values)),
        Stmt::Pick { local, kinds, bound, condition } => {
            let mut inside = here.clone();
            inside.bind(*bound, kinds);
            let condition = expr(&inside, condition);
            Stmt::Pick { local: *local, kinds: kinds.clone(), bound: *bound, condition }
        }
        Stmt::Assume(condition) => Stmt::Assume(expr(here, condition)),
        Stmt::Check(at) => Stmt::Check(place(here, at)),
        Stmt::Copy(..) | Stmt::Rank(_) => s.clone(),
    };
    let mut effects = Effects::default();
    here.stmt(s, &mut effects);
    let drop = match &new {
        Stmt::Assume(condition) => *condition == Expr::TRUE,
        Stmt::Check(_) => !effects.fault && !effects.overflow,
        _ => false,
    };
    if !drop {
        out.stmts.push(new);
    }
    out.add(effects);
}

impl Folded {
    fn add(&mut self, effects: Effects) {
        self.effects.fault |= effects.fault;
        self.effects.overflow |= effects.overflow;
    }
}

fn if_(here: &mut Context<'_>, condition: &Expr, yes: &[Stmt], no: &[Stmt], out: &mut Folded) {
    let folded = expr(here, condition);
    let mut effects = Effects::default();
    let (mut then, mut otherwise) = here.split(condition, &mut effects);
    let condition_is_safe = !effects.fault && !effects.overflow;
    out.add(effects);
    let (yes, no) = (branch(&mut then, yes), branch(&mut otherwise, no));
    out.add(yes.effects.clone());
    out.add(no.effects.clone());
    *here = then.join(otherwise);
    match (yes.is_useless(), no.is_useless()) {
        (true, true) => {
            // What may fault is still evaluated.
            let condition =
                if condition_is_safe { Expr::FALSE } else { Expr::And(vec![folded, Expr::FALSE]) };
            out.stmts.push(Stmt::Assume(condition));
        }
        (false, true) => {
            out.assume(folded);
            out.stmts.extend(yes.stmts);
        }
        (true, false) => {
            out.assume(Expr::not(folded));
            out.stmts.extend(no.stmts);
        }
        (false, false) if yes.stmts.is_empty() && no.stmts.is_empty() && condition_is_safe => {}
        (false, false) => out.stmts.push(Stmt::If(folded, yes.stmts, no.stmts)),
    }
}

impl Folded {
    fn assume(&mut self, condition: Expr) {
        if condition != Expr::TRUE {
            self.stmts.push(Stmt::Assume(condition));
        }
    }
}

/// A branch that is never open, or never ends, adds no choice. All conditions are evaluated before one is taken, so one
/// that may fault has to stay.
fn choose(here: &mut Context<'_>, branches: &[(Expr, Vec<Stmt>)], out: &mut Folded) {
    let (mut kept, mut ends) = (vec![], vec![]);
    for (condition, body) in branches {
        let mut effects = Effects::default();
        let (mut then, _) = here.split(condition, &mut effects);
        let safe = !effects.fault && !effects.overflow;
        out.add(effects);
        let folded = branch(&mut then, body);
        if !(safe && folded.is_useless()) {
            // A body that was cut short is never run to its end: it stays as it was.
            let stmts = if folded.dead { body.clone() } else { folded.stmts };
            kept.push((expr(here, condition), stmts));
        }
        out.add(folded.effects);
        ends.push(then);
    }
    here.meet_again(ends);
    match kept.len() {
        0 => out.stmts.push(Stmt::Assume(Expr::FALSE)),
        1 => {
            let (condition, body) = kept.remove(0);
            out.assume(condition);
            out.stmts.extend(body);
        }
        _ => out.stmts.push(Stmt::Choose(kept)),
    }
}
