//! Constant folding and removal of unreachable code: an expression with one possible value becomes a constant.
//!
//! The ranges of variables hold in every reachable state, and what a function learns from its guard and its branches
//! holds where it is used; so an expression that has one value under them has that value whenever it is evaluated.
//! Evaluating is more than having a value, though: it can be a model error. An expression is replaced only if it is
//! proved that it cannot fault, overflow included. Parts of a conjunction are simplified under the parts before them,
//! because they are evaluated only where those hold.
//!
//! Functions keep their numbers: one that can never run has the guard `false` and no body. States are the same as
//! before, and so are the steps between them; only choices that lead nowhere may be fewer.

mod block;
mod expr;

use crate::Reduced;
use crate::linear::Condition;
use crate::ranges::{Ranges, ranges};
use swarmcheck_ir::{Expr, Function, Inside, Modality, Program, Property, Stmt};

/// Replaces what is constant in all reachable states, and drops what can never run.
pub fn fold(program: &Program) -> Reduced {
    fold_within(program, &ranges(program))
}

/// The same, with ranges that are known.
pub fn fold_within(program: &Program, ranges: &Ranges) -> Reduced {
    let mut notes = vec![];
    let mut out = program.clone();
    out.init = initial(program, ranges);
    for (new, old) in out.functions.iter_mut().zip(&program.functions) {
        *new = function(program, ranges, old);
        if new.guard == Expr::FALSE && old.guard != Expr::FALSE {
            notes.push(format!("{} can never run", old.name));
        } else if new != old {
            notes.push(format!("{} is simpler", old.name));
        }
    }
    for (new, old) in out.properties.iter_mut().zip(&program.properties) {
        *new = property(program, ranges, old);
        if new.predicate != old.predicate && matches!(new.predicate, Expr::Const(_)) {
            let value = if new.predicate == Expr::TRUE { "true" } else { "false" };
            notes.push(format!("{} is always {value}", old.name));
        }
    }
    Reduced { program: out, normalise: vec![], notes }
}

/// A condition that no agent evaluates, or the last thing that one does, with its constant parts replaced.
pub fn condition(program: &Program, ranges: &Ranges, e: &Expr) -> Condition {
    let here = ranges.anywhere(program);
    Condition { expr: expr::expr(&here, e), safe: here.found(e).is_safe() }
}

fn initial(program: &Program, ranges: &Ranges) -> Vec<Stmt> {
    block::block(&mut ranges.at_start(program), &program.init).stmts
}

/// Makes a function one that never runs.
pub(crate) fn disable(function: &mut Function) {
    function.guard = Expr::FALSE;
    function.locals.clear();
    function.body.clear();
}

fn function(program: &Program, ranges: &Ranges, old: &Function) -> Function {
    let mut out = old.clone();
    let mut here = ranges.at_entry(program, old);
    if here.is_dead() {
        disable(&mut out);
        return out;
    }
    let guard_is_safe = here.found(&old.guard).is_safe();
    out.guard = expr::expr(&here, &old.guard);
    here.assume(&old.guard, true);
    let body = block::block(&mut here, &old.body);
    if here.is_dead() && body.is_safe() {
        // The guard may still fault, which has to be met; nothing comes after it.
        disable(&mut out);
        if !guard_is_safe {
            let guard = expr::expr(&ranges.at_entry(program, old), &old.guard);
            out.guard = Expr::and([guard, Expr::FALSE]);
        }
        return out;
    }
    out.body = body.stmts;
    out
}

fn property(program: &Program, ranges: &Ranges, old: &Property) -> Property {
    let here = ranges.anywhere(program);
    let mut out = old.clone();
    out.predicate = expr::expr(&here, &old.predicate);
    if let Modality::Scoped { start, end, inside, .. } = &mut out.modality {
        *start = expr::expr(&here, start);
        *end = expr::expr(&here, end);
        if let Inside::Precedes(first) = inside {
            *first = expr::expr(&here, first);
        }
    }
    out
}
