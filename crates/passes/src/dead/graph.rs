//! Where the agents of a kind can be, and which functions lead where.

use std::collections::{BTreeSet, HashMap};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Function, KindId, Program, Stmt, UnaryOp, VarId, stmt};

/// More locations than this are not worth while.
const MOST_LOCATIONS: usize = 4_000;

/// The locations of a kind.
pub(super) struct Graph {
    /// The location variables.
    pub pcs: Vec<VarId>,
    /// Their values, location by location.
    pub locations: Vec<Vec<i64>>,
    pub initial: Vec<usize>,
    pub edges: Vec<Edge>,
}

/// A function that leads from one location to another.
pub(super) struct Edge {
    pub function: usize,
    pub from: usize,
    pub to: usize,
}

/// Finds the locations of a kind, if location variables are used as the pass needs.
pub(super) fn graph(program: &Program, kind: KindId) -> Option<Graph> {
    let is_pc = |v: &VarId| {
        let var = program.var(*v);
        var.role == Role::Location && var.owners.as_ref().is_some_and(|o| o.contains(&kind))
    };
    let pcs: Vec<VarId> = (0..program.vars.len() as u32).map(VarId).filter(is_pc).collect();
    if pcs.is_empty() || !program.functions.iter().all(|f| moves_only(&f.body, Some(&Expr::Me), &pcs)) {
        return None;
    }
    let mut out = Graph { pcs, locations: vec![], initial: vec![], edges: vec![] };
    let mut known = HashMap::new();
    let start = BTreeSet::from([vec![0; out.pcs.len()]]);
    for location in initial(program, kind, &out.pcs, start)? {
        let at = out.add(&mut known, location);
        out.initial.push(at);
    }
    let mut from = 0;
    while from < out.locations.len() {
        for (function, f) in program.functions.iter().enumerate() {
            if !f.owners.contains(&kind) || !out.enters(f, from) {
                continue;
            }
            let here = BTreeSet::from([out.locations[from].clone()]);
            for location in run(&f.body, &out.pcs, &Expr::Me, here)? {
                let to = out.add(&mut known, location);
                out.edges.push(Edge { function, from, to });
            }
        }
        from += 1;
        if out.locations.len() > MOST_LOCATIONS {
            return None;
        }
    }
    Some(out)
}

impl Graph {
    fn add(&mut self, known: &mut HashMap<Vec<i64>, usize>, location: Vec<i64>) -> usize {
        *known.entry(location.clone()).or_insert_with(|| {
            self.locations.push(location);
            self.locations.len() - 1
        })
    }

    fn enters(&self, f: &Function, at: usize) -> bool {
        let value = |pc: &VarId| self.pcs.iter().position(|p| p == pc).map(|i| self.locations[at][i]);
        f.entry.iter().all(|(pc, needed)| value(pc).is_none_or(|v| v == *needed))
    }
}

/// Whether a block moves nobody but this agent; nobody at all if there is none.
fn moves_only(body: &[Stmt], agent: Option<&Expr>, pcs: &[VarId]) -> bool {
    let mut fits = true;
    stmt::walk(body, &mut |s| match s {
        Stmt::Assign(place, _) | Stmt::Fill(place, _) if pcs.contains(&place.var) => {
            fits &= agent.is_some() && place.agent.as_deref() == agent;
        }
        Stmt::Copy(var, ..) | Stmt::Rank(var) => fits &= !pcs.contains(var),
        _ => {}
    });
    fits
}

/// The first locations: the initial block moves every agent of the kind in a loop of its own.
fn initial(
    program: &Program,
    kind: KindId,
    pcs: &[VarId],
    mut at: BTreeSet<Vec<i64>>,
) -> Option<BTreeSet<Vec<i64>>> {
    for s in &program.init {
        at = match s {
            Stmt::ForEach(kinds, bound, body) if kinds.contains(&kind) => {
                run(body, pcs, &Expr::Bound(*bound), at)?
            }
            // Loops over other agents, but they could name one of ours.
            Stmt::ForEach(_, bound, body) => {
                moves_only(body, Some(&Expr::Bound(*bound)), pcs).then_some(at)?
            }
            other => run(std::slice::from_ref(other), pcs, &Expr::Me, at)?,
        };
    }
    Some(at)
}

/// Runs a block on locations; `None` if it does something else to them than assign constants to the agent's own.
fn run(body: &[Stmt], pcs: &[VarId], agent: &Expr, mut at: BTreeSet<Vec<i64>>) -> Option<BTreeSet<Vec<i64>>> {
    for s in body {
        at = match s {
            Stmt::Assign(place, value) if pcs.contains(&place.var) => {
                let i = pcs.iter().position(|p| *p == place.var)?;
                let (Expr::Const(value), Some(owner)) = (value, place.agent.as_deref()) else { return None };
                if owner != agent || !place.index.is_empty() {
                    return None;
                }
                at.into_iter()
                    .map(|mut l| {
                        l[i] = *value;
                        l
                    })
                    .collect()
            }
            Stmt::Fill(place, _) if pcs.contains(&place.var) => return None,
            Stmt::Copy(var, ..) | Stmt::Rank(var) if pcs.contains(var) => return None,
            Stmt::If(c, yes, no) => {
                let without =
                    |truth| at.iter().filter(move |l| holds(c, pcs, agent, l) != Some(truth)).cloned();
                let mut after = run(yes, pcs, agent, without(false).collect())?;
                after.extend(run(no, pcs, agent, without(true).collect())?);
                after
            }
            Stmt::Choose(branches) => {
                let mut after = BTreeSet::new();
                for (c, body) in branches {
                    let can = at.iter().filter(|l| holds(c, pcs, agent, l) != Some(false)).cloned();
                    after.extend(run(body, pcs, agent, can.collect())?);
                }
                after
            }
            // A loop inside: it must leave locations alone.
            Stmt::ForEach(_, _, body) => moves_only(body, None, pcs).then_some(at)?,
            _ => at,
        };
        if at.len() > MOST_LOCATIONS {
            return None;
        }
    }
    Some(at)
}

/// The truth of a condition, as far as the location tells.
fn holds(c: &Expr, pcs: &[VarId], agent: &Expr, at: &[i64]) -> Option<bool> {
    match c {
        Expr::Const(v) => Some(*v != 0),
        Expr::Unary(UnaryOp::Not, c) => Some(!holds(c, pcs, agent, at)?),
        Expr::And(parts) => junction(parts.iter().map(|p| holds(p, pcs, agent, at)), true),
        Expr::Or(parts) => junction(parts.iter().map(|p| holds(p, pcs, agent, at)), false),
        Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), a, b, _) => {
            let (Expr::Read(place), Expr::Const(value)) = (&**a, &**b) else { return None };
            let i = pcs.iter().position(|p| *p == place.var)?;
            let own = place.agent.as_deref() == Some(agent) && place.index.is_empty();
            own.then_some((at[i] == *value) == (*op == BinaryOp::Eq))
        }
        _ => None,
    }
}

/// `and` with `neutral` true, `or` with it false; one unknown part makes it unknown unless another decides.
fn junction(mut parts: impl Iterator<Item = Option<bool>>, neutral: bool) -> Option<bool> {
    let mut known = true;
    if parts.any(|p| {
        known &= p.is_some();
        p == Some(!neutral)
    }) {
        return Some(!neutral);
    }
    known.then_some(neutral)
}
