//! Abstract execution of code on locations alone: a condition on something else may go either way.

use super::graph::MOST_LOCATIONS;
use super::truth::holds;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::{Expr, LocalId, Place, Set, Stmt, VarId, stmt};

/// Whether a block moves no agent but this one, or the system if there is none.
pub(super) fn moves_only(body: &[Stmt], agent: Option<&Expr>, pcs: &[VarId]) -> bool {
    let mut fits = true;
    stmt::walk(body, &mut |s| match s {
        Stmt::Assign(place, _) | Stmt::Fill(place, _) if pcs.contains(&place.var) => {
            fits &= place.agent.as_deref() == agent;
        }
        Stmt::Copy(var, ..) | Stmt::Rank(var) => fits &= !pcs.contains(var),
        _ => {}
    });
    fits
}

/// Whether a block moves no agent.
fn moves_nobody(body: &[Stmt], pcs: &[VarId]) -> bool {
    let mut fits = true;
    stmt::walk(body, &mut |s| match s {
        Stmt::Assign(place, _) | Stmt::Fill(place, _) => fits &= !pcs.contains(&place.var),
        Stmt::Copy(var, ..) | Stmt::Rank(var) => fits &= !pcs.contains(var),
        _ => {}
    });
    fits
}

/// Runs a block on locations; `None` if it does something else to them than assign constants to the agent's own, or to
/// those of the system if there is no agent.
pub(super) fn run(
    body: &[Stmt],
    pcs: &[VarId],
    agent: Option<&Expr>,
    at: BTreeSet<Vec<i64>>,
) -> Option<BTreeSet<Vec<i64>>> {
    Run { pcs, agent, constants: BTreeMap::new() }.block(body, at)
}

#[derive(Clone)]
struct Run<'a> {
    pcs: &'a [VarId],
    agent: Option<&'a Expr>,
    /// Locals that are known to be constant from here on.
    constants: BTreeMap<LocalId, i64>,
}

impl Run<'_> {
    fn block(&mut self, body: &[Stmt], mut at: BTreeSet<Vec<i64>>) -> Option<BTreeSet<Vec<i64>>> {
        for s in body {
            at = self.stmt(s, at)?;
            if at.len() > MOST_LOCATIONS {
                return None;
            }
        }
        Some(at)
    }

    fn stmt(&mut self, s: &Stmt, at: BTreeSet<Vec<i64>>) -> Option<BTreeSet<Vec<i64>>> {
        swarmcheck_ir::cancel::check();
        let (pcs, agent) = (self.pcs, self.agent);
        let after = match s {
            Stmt::Assign(place, value) if pcs.contains(&place.var) => {
                self.assign(place, std::slice::from_ref(value), at)?
            }
            Stmt::Fill(place, Set::Values(values)) if pcs.contains(&place.var) => {
                self.assign(place, values, at)?
            }
            Stmt::Fill(place, _) if pcs.contains(&place.var) => return None,
            Stmt::Copy(var, ..) | Stmt::Rank(var) if pcs.contains(var) => return None,
            Stmt::Let(local, value) => {
                match self.constant(value) {
                    Some(value) => self.constants.insert(*local, value),
                    None => self.constants.remove(local),
                };
                at
            }
            Stmt::Havoc(local, _) | Stmt::Pick { local, .. } => {
                self.constants.remove(local);
                at
            }
            Stmt::If(c, yes, no) => {
                let without =
                    |truth| at.iter().filter(move |l| holds(c, pcs, agent, l) != Some(truth)).cloned();
                let mut after = self.clone().block(yes, without(false).collect())?;
                after.extend(self.clone().block(no, without(true).collect())?);
                self.forget(s);
                after
            }
            Stmt::Choose(branches) => {
                let mut after = BTreeSet::new();
                for (c, body) in branches {
                    let can = at.iter().filter(|l| holds(c, pcs, agent, l) != Some(false)).cloned();
                    after.extend(self.clone().block(body, can.collect())?);
                }
                self.forget(s);
                after
            }
            // A loop inside: it must leave locations alone.
            Stmt::ForEach(_, _, body) => {
                self.forget(s);
                moves_nobody(body, pcs).then_some(at)?
            }
            _ => at,
        };
        Some(after)
    }

    /// Gives a location variable one of these values.
    fn assign(&self, place: &Place, values: &[Expr], at: BTreeSet<Vec<i64>>) -> Option<BTreeSet<Vec<i64>>> {
        let i = self.pcs.iter().position(|p| *p == place.var)?;
        if place.agent.as_deref() != self.agent || !place.index.is_empty() {
            return None;
        }
        let values: Vec<i64> = values.iter().map(|v| self.constant(v)).collect::<Option<_>>()?;
        let moved = |location: &Vec<i64>, value: i64| {
            let mut location = location.clone();
            location[i] = value;
            location
        };
        Some(at.iter().flat_map(|location| values.iter().map(|v| moved(location, *v))).collect())
    }

    fn constant(&self, e: &Expr) -> Option<i64> {
        match e {
            Expr::Const(value) => Some(*value),
            Expr::Local(local) => self.constants.get(local).copied(),
            _ => None,
        }
    }

    /// Forgets locals that a statement may give another value on some of its ways.
    fn forget(&mut self, s: &Stmt) {
        stmt::walk(std::slice::from_ref(s), &mut |s| {
            if let Stmt::Let(local, _) | Stmt::Havoc(local, _) | Stmt::Pick { local, .. } = s {
                self.constants.remove(local);
            }
        });
    }
}
