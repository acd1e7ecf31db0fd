//! Statements annotated with what is known about them: whether they may be a model error, and whether they can disable
//! the step.

use crate::ranges::Context;
use crate::ranges::walk::Effects;
use std::collections::BTreeSet;
use swarmcheck_ir::{Expr, LocalId, Stmt, VarId};

/// A statement with the results of the analysis.
pub(super) struct Annotated<'a> {
    pub stmt: &'a Stmt,
    /// Evaluating what stands directly in it may be a model error. Overflow counts only if it decides the way: if some
    /// way on is closed, perhaps because all runs that would take it overflow.
    pub risky: bool,
    /// It may disable the step.
    pub stops: bool,
    /// It is unreachable.
    pub dead: bool,
    /// The blocks inside.
    pub blocks: Vec<Vec<Annotated<'a>>>,
}

/// Notes what is known along a block, and goes to its end.
pub(super) fn block<'a>(here: &mut Context<'_>, body: &'a [Stmt]) -> Vec<Annotated<'a>> {
    body.iter().map(|s| stmt(here, s)).collect()
}

fn stmt<'a>(here: &mut Context<'_>, s: &'a Stmt) -> Annotated<'a> {
    let dead = here.is_dead();
    let mut effects = Effects::default();
    let mut closed = false;
    let mut out = Annotated { stmt: s, risky: false, stops: false, dead, blocks: vec![] };
    match s {
        Stmt::If(condition, yes, no) => {
            let (mut then, mut otherwise) = here.split(condition, &mut effects);
            closed = then.is_dead() || otherwise.is_dead();
            out.blocks = vec![block(&mut then, yes), block(&mut otherwise, no)];
            *here = then.join(otherwise);
        }
        Stmt::Choose(branches) => {
            out.stops = !branches.iter().any(|(c, _)| !here.found(c).value.may_fail());
            let mut ends = vec![];
            for (condition, body) in branches {
                let (mut then, _) = here.split(condition, &mut effects);
                closed |= then.is_dead();
                out.blocks.push(block(&mut then, body));
                ends.push(then);
            }
            here.meet_again(ends);
        }
        Stmt::ForEach(kinds, bound, body) => {
            let mut inside = here.enter(kinds, *bound, body);
            inside.die_if(here.count(kinds) == 0);
            out.blocks = vec![block(&mut inside, body)];
            if here.count(kinds) > 0 {
                here.leave(inside, kinds, *bound, body);
            }
        }
        _ => {
            out.stops = can_stop(here, s);
            here.stmt(s, &mut effects);
            closed = here.is_dead();
        }
    }
    out.risky = !dead && (effects.fault || (effects.overflow && closed));
    out.stops &= !dead;
    out
}

/// Whether a statement without blocks can disable the step.
fn can_stop(here: &Context<'_>, s: &Stmt) -> bool {
    match s {
        Stmt::Assign(place, _) => here.place_may_be_undef(place),
        Stmt::Fill(place, set) => !here.surely_exists(place) || here.drawn(set, &mut Effects::default()).1,
        Stmt::Havoc(_, set) => here.drawn(set, &mut Effects::default()).1,
        Stmt::Pick { local, kinds, bound, condition } => {
            let mut inside = here.clone();
            inside.bind(*bound, kinds);
            let enough = here.count(kinds) > i64::from(here.length(*local));
            inside.found(condition).value.may_fail() || !enough
        }
        Stmt::Assume(condition) => here.found(condition).value.may_fail(),
        _ => false,
    }
}

impl Annotated<'_> {
    pub fn writes(&self) -> Option<VarId> {
        match self.stmt {
            Stmt::Assign(place, _) | Stmt::Fill(place, _) => Some(place.var),
            Stmt::Copy(var, ..) | Stmt::Rank(var) => Some(*var),
            _ => None,
        }
    }

    /// The local it gives a value.
    fn gives(&self) -> Option<LocalId> {
        match self.stmt {
            Stmt::Let(local, _) | Stmt::Havoc(local, _) | Stmt::Pick { local, .. } => Some(*local),
            _ => None,
        }
    }

    /// Whether it has to stay if these variables and locals matter.
    pub fn stays(&self, vars: &BTreeSet<VarId>, locals: &BTreeSet<LocalId>) -> bool {
        self.risky
            || self.stops
            || self.writes().is_some_and(|v| vars.contains(&v))
            || self.gives().is_some_and(|l| locals.contains(&l))
            || self.blocks.iter().flatten().any(|n| n.stays(vars, locals))
    }
}

/// Whether a statement of the block, at any depth, fits.
pub(super) fn any(block: &[Annotated<'_>], test: &dyn Fn(&Annotated<'_>) -> bool) -> bool {
    block.iter().any(|n| test(n) || n.blocks.iter().any(|b| any(b, test)))
}

/// Adds what the statements that stay depend on.
pub(super) fn close(block: &[Annotated<'_>], vars: &mut BTreeSet<VarId>, locals: &mut BTreeSet<LocalId>) {
    for annotated in block {
        if !annotated.stays(vars, locals) {
            continue;
        }
        // What stays because it may go wrong stays as it is.
        vars.extend(annotated.writes());
        for e in annotated.stmt.exprs() {
            depend(e, vars, locals);
        }
        annotated.blocks.iter().for_each(|b| close(b, vars, locals));
    }
}

/// Adds what an expression reads.
pub(super) fn depend(e: &Expr, vars: &mut BTreeSet<VarId>, locals: &mut BTreeSet<LocalId>) {
    e.walk(&mut |e| match e {
        Expr::Read(place) => {
            vars.insert(place.var);
        }
        Expr::Local(local) | Expr::LocalCell(local, ..) => {
            locals.insert(*local);
        }
        _ => {}
    });
}
