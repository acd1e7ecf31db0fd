//! Dead-variable reduction: a variable whose value is not read any more is reset.
//!
//! A variable is *dead* where, on every way on, it is written before it is read. Two states that differ in the value of
//! a dead variable have the same future, so this pass resets it to one fixed value in the step after which it is dead.
//! The technique is from Bozga, Fernandez and Ghirvu, "State space reduction based on live variables analysis" (SAS
//! 1999). There control states are given; here they are recovered from location variables, for each kind of agents.
//!
//! # What is recognised
//!
//! *Variables of agents*: of the user's model, without timestamps, that only their owner touches: every read and write in
//! a function is of the copy of the agent that runs it, and the properties at hand do not read it. Where an agent is in
//! its process its location variables say; they too must be written by their owner only, and only with constants. The
//! *locations* of a kind, as vectors of these values, and the ways between them, are found by running the functions on
//! locations alone: a condition on something else is taken to go either way.
//!
//! *Variables of the system*: global ones of the user's model, and those that say what the step just made was, that the
//! properties at hand do not read. Where the
//! system is another global variable says, its *control*, if it is only ever given constants: a lock that is free,
//! taken or about to be given back, for instance. Its values are the locations, and all functions of all agents are
//! ways between them. Every global variable that fits is tried as a control, one after the other, each on the program
//! that the one before gave.
//!
//! # Soundness
//!
//! A variable `v` is *live* at a location `l` if some function that can be entered there reads `v`, in its guard or in
//! its body, before it has written all of it; or if some function can be entered there, does not write all of `v` in
//! every case, and leads to a location at which `v` is live. A function can be entered unless its entry, or a part of
//! its guard before which nothing can fault, is false at the location. The least such set is taken; elsewhere `v` is
//! dead.
//!
//! Let `n(s)` be the state `s` with all dead variables of all agents reset. Then `n` is a bisimulation, step by step,
//! between the program before and the one after. For let agent `a` run function `f` in `s`. In `n(s)` it can do the same:
//! its location is the same, and what the guard reads is live, hence the same. The body takes the same course: what it
//! reads is live, or it has written it itself. Afterwards, the two states differ at most in variables that were dead
//! before and were not written by `f`: those of other agents, which are where they were, so they are dead still; and
//! those of `a`, which, as `f` did not write them, are dead at the new location by the definition. So `n` makes them
//! equal. The step of the new program ends with resetting what is dead at the new location, unless it was dead, hence
//! reset, before and `f` has not written it; that is what `n` does. The same at the end of the initial block. Faults,
//! deadlocks, the number of steps, and the truth of the properties at hand are the same.
//!
//! For variables of the system the argument is the same with one location, that of the system, which every function of
//! every agent may change: there are no other agents to consider. Resetting never touches the control it goes by.

mod graph;
mod live;
mod run;
mod truth;

use crate::Reduced;
use graph::{Edge, Graph};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, KindId, Place, Program, Set, Stmt, VarId};

/// If a variable is dead at more locations than this, and alive at others, the conditions would cost too much.
const MOST_LOCATIONS: usize = 64;

/// Resets variables where they are dead, as far as these properties can tell.
pub fn dead(program: &Program, properties: &[usize]) -> Reduced {
    let mut out = Reduced { program: program.clone(), normalise: vec![], notes: vec![] };
    let all = || (0..program.vars.len() as u32).map(VarId);
    let private: Vec<VarId> = all()
        .filter(|v| is_data(program, *v) && program.var(*v).owners.is_some())
        .filter(|v| live::only_the_owner_touches(program, *v, properties))
        .collect();
    for kind in (0..program.kinds.len() as u32).map(KindId) {
        let owned = |v: &&VarId| program.var(**v).owners.as_ref().is_some_and(|o| o.contains(&kind));
        if program.kind(kind).count == 0 || !private.iter().any(|v| owned(&v)) {
            continue;
        }
        let Some(graph) = graph::of_kind(program, kind) else { continue };
        for v in private.iter().filter(owned) {
            reset(program, &graph, *v, &mut out);
        }
    }
    let is_global = |v: &VarId| program.var(*v).owners.is_none();
    let is_written = |v: &VarId| program.functions.iter().any(|f| live::writes(&f.body, *v));
    let unseen: Vec<VarId> = all()
        .filter(|v| is_global(v) && is_data(program, *v) && is_written(v))
        .filter(|v| live::no_property_reads(program, *v, properties))
        .collect();
    let controls = all().filter(|v| is_global(v) && program.var(*v).dimensions.is_empty());
    for control in controls {
        let others: Vec<VarId> = unseen.iter().copied().filter(|v| *v != control).collect();
        if others.is_empty() {
            continue;
        }
        let before = out.program.clone();
        let Some(graph) = graph::of_system(&before, control) else { continue };
        if graph.locations.len() > 1 {
            others.iter().for_each(|v| reset(&before, &graph, *v, &mut out));
        }
    }
    out
}

/// Whether a variable may be reset: data, and what a step was, which the automaton of a formula reads in that step.
fn is_data(program: &Program, v: VarId) -> bool {
    matches!(program.var(v).role, Role::Data { order: None, .. } | Role::Step)
}

/// Adds the resets of one variable, at locations of its owners or of the system.
fn reset(program: &Program, graph: &Graph, v: VarId, out: &mut Reduced) {
    let live = live::live(program, graph, v);
    if live.iter().all(|l| *l) {
        return;
    }
    let value = reset_value(program, v);
    let mut added = vec![];
    for (number, f) in program.functions.iter().enumerate().filter(|(_, f)| graph.is_run(program, f)) {
        let writes = live::writes(&f.body, v);
        let edges = || graph.edges.iter().filter(|e| e.function == number);
        let is_due = |e: &Edge| !live[e.to] && (live[e.from] || writes);
        if !edges().any(is_due) {
            continue;
        }
        // Others that run the same code may be elsewhere.
        let is_other =
            |kind: &KindId| graph.kind.is_some_and(|k| k != *kind) && program.kind(*kind).count > 0;
        if f.owners.iter().any(is_other) {
            return;
        }
        let ends: Vec<usize> = edges().map(|e| e.to).collect();
        let Some(reset) = when_dead(graph, &live, &ends, &Expr::Me, clear(program, v, &value, Expr::Me))
        else {
            return;
        };
        added.push((number, reset));
    }
    let everywhere: Vec<usize> = (0..graph.locations.len()).collect();
    let owner = Expr::Bound(0);
    let clear_owner = clear(program, v, &value, owner.clone());
    let Some(mut all) = when_dead(graph, &live, &everywhere, &owner, clear_owner) else { return };
    if let Some(kind) = graph.kind {
        all = Stmt::ForEach(vec![kind], 0, vec![all]);
    }
    if graph.initial.iter().any(|l| !live[*l]) {
        out.program.init.push(all.clone());
    }
    for (number, reset) in added {
        out.program.functions[number].body.push(reset);
    }
    let (dead, of) = (live.iter().filter(|l| !**l).count(), live.len());
    let name = &program.var(v).name;
    out.notes.push(match graph.kind {
        Some(kind) => {
            format!("{name} of {} is reset at {dead} of {of} locations", program.kind(kind).name)
        }
        None => {
            let control = &program.var(graph.pcs[0]).name;
            format!("{name} is reset at {dead} of {of} values of {control}")
        }
    });
    out.normalise.push(all);
}

/// Runs the reset if the agent, or the system, is at one of these locations and the variable is dead there. `None` if
/// that needs too long a condition.
fn when_dead(graph: &Graph, live: &[bool], among: &[usize], agent: &Expr, reset: Stmt) -> Option<Stmt> {
    let mut dead: Vec<usize> = among.iter().copied().filter(|l| !live[*l]).collect();
    dead.sort();
    dead.dedup();
    if among.iter().all(|l| !live[*l]) {
        return Some(reset);
    }
    let is = |(pc, value): (&VarId, &i64)| {
        let read = Expr::Read(graph.place(*pc, agent));
        Expr::binary(BinaryOp::Eq, read, Expr::Const(*value), Default::default())
    };
    let at = |l: &usize| Expr::and(graph.pcs.iter().zip(&graph.locations[*l]).map(is));
    let condition = Expr::or(dead.iter().map(at));
    (dead.len() <= MOST_LOCATIONS).then(|| Stmt::If(condition, vec![reset], vec![]))
}

fn clear(program: &Program, v: VarId, value: &Expr, agent: Expr) -> Stmt {
    let var = program.var(v);
    let place = if var.owners.is_some() { Place::of(v, agent) } else { Place::global(v) };
    if var.dimensions.is_empty() {
        Stmt::Assign(place, value.clone())
    } else {
        Stmt::Fill(place, Set::one(value.clone()))
    }
}

/// A value that the variable has anyhow: the first that the initial block gives it. If that could be the number of an
/// agent, rather one that cannot: otherwise a variable for agents would seem to single out one of them.
fn reset_value(program: &Program, v: VarId) -> Expr {
    let mut found = vec![];
    let bodies = program.functions.iter().map(|f| &f.body);
    for block in [&program.init].into_iter().chain(bodies) {
        constants_given(block, v, &mut found);
    }
    let fits = |value: i64| program.var(v).domain.is_none_or(|(lo, hi)| (lo..=hi).contains(&value));
    let domain = program.var(v).domain;
    found.retain(|c| if *c == swarmcheck_ir::UNDEF { program.var(v).may_be_undef } else { fits(*c) });
    let is_agent = |c: &&i64| (0..i64::from(program.agents())).contains(*c);
    let known = found.iter().find(|c| !is_agent(c)).or(found.first()).copied();
    Expr::Const(known.unwrap_or(if fits(0) { 0 } else { domain.map_or(0, |(lo, _)| lo) }))
}

/// The constants that a block assigns to a variable, in order.
fn constants_given(block: &[Stmt], v: VarId, found: &mut Vec<i64>) {
    let mut locals = std::collections::BTreeMap::new();
    swarmcheck_ir::stmt::walk(block, &mut |s| {
        let value = match s {
            Stmt::Let(local, Expr::Const(value)) => {
                locals.insert(*local, *value);
                None
            }
            Stmt::Assign(place, value) if place.var == v => Some(value),
            Stmt::Fill(place, Set::Values(values)) if place.var == v => values.first(),
            Stmt::Fill(place, Set::Range(lo, _)) if place.var == v => Some(lo),
            _ => None,
        };
        match value {
            Some(Expr::Const(value)) => found.push(*value),
            Some(Expr::Local(local)) => found.extend(locals.get(local)),
            _ => {}
        }
    });
}
