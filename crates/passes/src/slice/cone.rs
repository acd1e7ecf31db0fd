//! The cone of influence: which variables, functions and locals matter.

use super::annotated::{self, Annotated};
use super::drain::{self, Drain};
use crate::Needs;
use crate::ranges::Ranges;
use crate::ranges::same::same;
use std::collections::BTreeSet;
use swarmcheck_ir::{BinaryOp, Expr, Function, LocalId, Place, Program, VarId};

/// A function with what is known about it.
struct Part<'a> {
    function: &'a Function,
    body: Vec<Annotated<'a>>,
    /// It can never run, nor be a model error.
    never: bool,
    /// It may be a model error.
    risky: bool,
    /// It sends messages whose delivery terminates.
    drain: Option<Drain>,
}

pub(super) struct Plan<'a> {
    parts: Vec<Part<'a>>,
    pub keep: BTreeSet<VarId>,
    /// Marks of messages that can always be sent and do not matter.
    pub drained: BTreeSet<VarId>,
    /// The locals of each function that matters; `None` for one that does not.
    locals: Vec<Option<BTreeSet<LocalId>>>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(program: &'a Program, ranges: &Ranges, properties: &[usize], needs: Needs) -> Plan<'a> {
        let parts: Vec<Part<'a>> = program.functions.iter().map(|f| part(program, ranges, f)).collect();
        let mut plan = Plan { parts, keep: BTreeSet::new(), drained: BTreeSet::new(), locals: vec![] };
        if !needs.steps {
            plan.drained = plan.can_be_drained(program, ranges);
        }
        loop {
            plan.grow(program, properties, needs);
            // Messages that turn out to matter are not drained; without them, more may matter.
            let lost: Vec<VarId> = plan.drained.iter().copied().filter(|v| plan.is_lost(*v)).collect();
            if lost.is_empty() {
                return plan;
            }
            plan.drained.retain(|v| !lost.contains(v));
        }
    }

    /// Whether a function matters.
    pub(super) fn matters(&self, function: usize) -> bool {
        self.locals[function].is_some()
    }

    /// Makes a function the smaller one.
    pub(super) fn cut_function(&self, at: usize, function: &mut Function) {
        match &self.locals[at] {
            None => {
                function.entry.clear();
                crate::fold::disable(function);
            }
            Some(locals) => {
                function.guard = Expr::and(self.guard(&self.parts[at]).cloned());
                function.body = super::cut::block(&self.parts[at].body, &self.keep, locals);
            }
        }
    }

    /// The marks whose messages can always be sent until there are none, by every agent that has one.
    fn can_be_drained(&self, program: &Program, ranges: &Ranges) -> BTreeSet<VarId> {
        let drains: Vec<&Drain> = self.parts.iter().filter_map(|p| p.drain.as_ref()).collect();
        let flags: BTreeSet<VarId> = drains.iter().map(|d| d.flag).collect();
        let two_valued = |v: &VarId| {
            let value = ranges.of(*v);
            !value.undef && value.few().is_some_and(|few| few.iter().all(|v| (0..=1).contains(v)))
        };
        let everybody = |v: &VarId| {
            let owners = program.var(*v).owners.as_deref().unwrap_or(&[]);
            let runs = |p: &Part<'_>| {
                p.drain.as_ref().is_some_and(|d| d.flag == *v)
                    && owners.iter().all(|k| p.function.owners.contains(k) || program.kind(*k).count == 0)
            };
            self.parts.iter().any(runs)
        };
        let fit = flags.into_iter().filter(|v| two_valued(v) && everybody(v)).collect();
        drain::ends(&drains, fit)
    }

    /// Whether the messages with this mark cannot be ignored.
    fn is_lost(&self, flag: VarId) -> bool {
        let sends = |p: &Part<'_>| p.drain.as_ref().is_some_and(|d| d.flag == flag);
        self.keep.contains(&flag)
            || self.parts.iter().zip(&self.locals).any(|(p, locals)| sends(p) && locals.is_some())
    }

    fn is_drained(&self, part: &Part<'_>) -> bool {
        part.drain.as_ref().is_some_and(|d| self.drained.contains(&d.flag))
    }

    /// The conditions of the guard that are kept.
    fn guard<'b>(&'b self, part: &'b Part<'a>) -> impl Iterator<Item = &'b Expr> {
        let parts = match &part.function.guard {
            Expr::And(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        parts.iter().filter(|e| !self.drained.iter().any(|v| is(e, *v, 0)))
    }

    /// Finds the smallest set that is closed.
    fn grow(&mut self, program: &Program, properties: &[usize], needs: Needs) {
        let mut keep = BTreeSet::new();
        for e in properties.iter().flat_map(|p| program.properties[*p].exprs()) {
            crate::ranges::note_reads(e, &mut keep);
        }
        let must =
            |p: &Part<'_>| !p.never && (needs.steps || p.risky || (needs.endings && !self.is_drained(p)));
        let mut locals: Vec<Option<BTreeSet<LocalId>>> =
            self.parts.iter().map(|p| must(p).then(BTreeSet::new)).collect();
        loop {
            let before = (keep.clone(), locals.clone());
            for (part, locals) in self.parts.iter().zip(&mut locals) {
                let writes = |n: &Annotated<'_>| !n.dead && n.writes().is_some_and(|v| keep.contains(&v));
                if locals.is_none() && !part.never && annotated::any(&part.body, &writes) {
                    *locals = Some(BTreeSet::new());
                }
                let Some(locals) = locals else { continue };
                keep.extend(part.function.entry.iter().map(|(var, _)| *var));
                self.guard(part).for_each(|e| annotated::depend(e, &mut keep, locals));
                annotated::close(&part.body, &mut keep, locals);
            }
            if before == (keep.clone(), locals.clone()) {
                break;
            }
        }
        (self.keep, self.locals) = (keep, locals);
    }
}

fn part<'a>(program: &'a Program, ranges: &Ranges, function: &'a Function) -> Part<'a> {
    let mut here = ranges.at_entry(program, function);
    let guard = here.found(&function.guard);
    let reached = !here.is_dead();
    here.assume(&function.guard, true);
    let guard_is_risky = reached && (guard.fault || (guard.overflow && here.is_dead()));
    let never = here.is_dead() && !guard_is_risky;
    let body = annotated::block(&mut here, &function.body);
    let risky = guard_is_risky || annotated::any(&body, &|n| n.risky);
    let stops = annotated::any(&body, &|n| n.stops);
    let drain = if risky || stops { None } else { drain::recognise(program, function) };
    Part { function, body, never, risky, drain }
}

/// Whether a condition says that the variable of the agent that runs the function is this.
pub(super) fn is(e: &Expr, var: VarId, value: i64) -> bool {
    let Expr::Binary(BinaryOp::Eq, a, b, _) = e else { return false };
    let (read, constant) = (Expr::Read(Place::of(var, Expr::Me)), Expr::Const(value));
    (same(a, &read) && same(b, &constant)) || (same(a, &constant) && same(b, &read))
}
