//! The control graph of a kind of agents, or of the whole system: its locations, and the functions that lead from one to
//! another.

use super::run::{moves_only, run};
use super::truth::holds;
use crate::symmetry::fault::Faults;
use std::collections::{BTreeSet, HashMap};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, Function, KindId, Place, Program, Stmt, VarId};

/// Control graphs with more locations are not analysed.
pub(super) const MOST_LOCATIONS: usize = 4_000;

/// The locations of the agents of a kind, or of the system.
pub(super) struct Graph {
    /// The kind of agents; `None` for the system.
    pub kind: Option<KindId>,
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
pub(super) fn of_kind(program: &Program, kind: KindId) -> Option<Graph> {
    let is_pc = |v: &VarId| {
        let var = program.var(*v);
        var.role == Role::Location && var.owners.as_ref().is_some_and(|o| o.contains(&kind))
    };
    let pcs: Vec<VarId> = (0..program.vars.len() as u32).map(VarId).filter(is_pc).collect();
    graph(program, Some(kind), pcs)
}

/// Takes the values of a global variable for the locations of the system, if it is only ever given constants.
pub(super) fn of_system(program: &Program, control: VarId) -> Option<Graph> {
    graph(program, None, vec![control])
}

fn graph(program: &Program, kind: Option<KindId>, pcs: Vec<VarId>) -> Option<Graph> {
    let runner = kind.map(|_| Expr::Me);
    if pcs.is_empty() || !program.functions.iter().all(|f| moves_only(&f.body, runner.as_ref(), &pcs)) {
        return None;
    }
    let mut out = Graph { kind, pcs, locations: vec![], initial: vec![], edges: vec![] };
    let mut known = HashMap::new();
    let start = BTreeSet::from([vec![0; out.pcs.len()]]);
    for location in initial(program, kind, &out.pcs, start)? {
        let at = out.add(&mut known, location);
        out.initial.push(at);
    }
    let mut from = 0;
    while from < out.locations.len() {
        for (function, f) in program.functions.iter().enumerate() {
            if !out.is_run(program, f) || !out.enters(program, f, from) {
                continue;
            }
            let here = BTreeSet::from([out.locations[from].clone()]);
            for location in run(&f.body, &out.pcs, runner.as_ref(), here)? {
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

    /// Whether agents that the locations are about run a function.
    pub fn is_run(&self, program: &Program, f: &Function) -> bool {
        match self.kind {
            Some(kind) => f.owners.contains(&kind),
            None => f.owners.iter().any(|kind| program.kind(*kind).count > 0),
        }
    }

    /// Where a location variable of an agent, or of the system, is found.
    pub fn place(&self, pc: VarId, agent: &Expr) -> Place {
        if self.kind.is_some() { Place::of(pc, agent.clone()) } else { Place::global(pc) }
    }

    /// Whether a function may run, or fault, at a location. A part of the guard that is false there keeps it from both,
    /// unless a part before it can fault.
    fn enters(&self, program: &Program, f: &Function, at: usize) -> bool {
        let location = &self.locations[at];
        let value = |pc: &VarId| self.pcs.iter().position(|p| p == pc).map(|i| location[i]);
        if !f.entry.iter().all(|(pc, needed)| value(pc).is_none_or(|v| v == *needed)) {
            return false;
        }
        let parts = match &f.guard {
            Expr::And(parts) => &parts[..],
            other => std::slice::from_ref(other),
        };
        let me = self.kind.map(|_| Expr::Me);
        for part in parts {
            if Faults::new(program, &f.owners).possible(part) {
                return true;
            }
            if holds(part, &self.pcs, me.as_ref(), location) == Some(false) {
                return false;
            }
        }
        true
    }
}

/// The initial locations: the initial block moves every agent of the kind in a loop of its own, the system outside of
/// loops.
fn initial(
    program: &Program,
    kind: Option<KindId>,
    pcs: &[VarId],
    mut at: BTreeSet<Vec<i64>>,
) -> Option<BTreeSet<Vec<i64>>> {
    let nobody = kind.map(|_| Expr::Me);
    for s in &program.init {
        at = match s {
            Stmt::ForEach(kinds, bound, body) if kind.is_some_and(|kind| kinds.contains(&kind)) => {
                run(body, pcs, Some(&Expr::Bound(*bound)), at)?
            }
            // Loops over other agents, but they could name one of ours.
            Stmt::ForEach(_, bound, body) => {
                moves_only(body, Some(&Expr::Bound(*bound)), pcs).then_some(at)?
            }
            other => run(std::slice::from_ref(other), pcs, nobody.as_ref(), at)?,
        };
    }
    Some(at)
}
