//! What has to be checked at one size, as questions to ordinary engines.
//!
//! *Induction*: a program that begins in any state of the invariant, instead of the initial states, and of which the invariant must hold after
//! one step. *Initiation*: the program itself, without a step. Such programs are ordinary: every engine, with all of its
//! reductions, decides them, and a counterexample is an execution of one step.

use crate::deletion::owners;
use crate::observe::Values;
use crate::sorts::{Identities, names_nobody};
use std::collections::BTreeSet;
use std::sync::Arc;
use swarmcheck_engine::{Control, Engine, Reductions, Task, Verdict};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{
    BinaryOp, Expr, KindId, Modality, Place, Program, Property, Quantifier, Set, Stmt, UNDEF, Value, VarId,
};
use swarmcheck_source::Span;
use swarmcheck_symbolic::{Method, Symbolic};

/// Who decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decider {
    /// The SAT solver.
    Sat,
    /// Explicit search without reductions.
    Search,
}

/// What was found at one size.
pub enum Checked {
    /// The condition holds.
    Holds,
    /// It does not: a state, and the one after it if a step was made.
    Fails(Vec<Value>, Option<Vec<Value>>),
    /// The step from a state of the invariant may be an error of the model.
    Error,
    /// Nobody knows; in words.
    Unknown(String),
}

/// The program that begins in all states in which cells have these values and the condition holds, and of which the condition must
/// hold.
pub fn induction(member: &Program, values: &Values, condition: &Expr) -> Program {
    let identities = Identities::new(member);
    let mut init = vec![];
    let mut ranked = vec![];
    for (number, var) in (0..).zip(&member.vars) {
        let id = VarId(number);
        if var.role == Role::Order {
            ranked.push(Stmt::Rank(id));
        }
        match &var.owners {
            None => init.push(drawn(member, &identities, values, Place::global(id), None)),
            Some(kinds) => init.extend(kinds.iter().map(|kind| {
                let place = Place::of(id, Expr::Bound(0));
                let draw = drawn(member, &identities, values, place, Some(*kind));
                Stmt::ForEach(vec![*kind], 0, vec![draw])
            })),
        }
    }
    init.extend(ranked);
    init.push(Stmt::Assume(condition.clone()));
    Program {
        init,
        init_locals: vec![],
        properties: vec![claim(typed(member, values, condition))],
        ..member.clone()
    }
}

/// The member itself, of which the condition must hold.
pub fn initiation(member: &Program, values: &Values, condition: &Expr) -> Program {
    Program { properties: vec![claim(typed(member, values, condition))], ..member.clone() }
}

fn claim(predicate: Expr) -> Property {
    let name = "invariant".to_string();
    Property { name, modality: Modality::Always, predicate, span: Span::default(), vacuous: false }
}

fn drawn(
    member: &Program,
    identities: &Identities,
    values: &Values,
    place: Place,
    kind: Option<KindId>,
) -> Stmt {
    let var = place.var;
    if member.var(var).role == Role::Order {
        let all = i64::from(owners(member, var));
        return Stmt::Fill(place, Set::Range(Expr::Const(0), Expr::Const(all)));
    }
    let set = allowed(member, identities, values, var, kind);
    Stmt::Fill(place, Set::Values(set.into_iter().map(Expr::Const).collect()))
}

/// The values that a variable has in states of the invariant.
fn allowed(
    member: &Program,
    identities: &Identities,
    values: &Values,
    var: VarId,
    kind: Option<KindId>,
) -> BTreeSet<Value> {
    let seen = values.get(&(var, kind)).cloned().unwrap_or_else(|| BTreeSet::from([0]));
    if !identities.holds(var) {
        return seen;
    }
    let nobody = seen.into_iter().filter(|value| names_nobody(*value));
    nobody.chain((0..member.agents()).map(Value::from)).collect()
}

/// The condition, and that all cells have values of the invariant.
fn typed(member: &Program, values: &Values, condition: &Expr) -> Expr {
    let identities = Identities::new(member);
    let mut parts = vec![];
    for (number, var) in (0..).zip(&member.vars) {
        let id = VarId(number);
        if var.role == Role::Order {
            continue;
        }
        for index in 0..var.cells() as u32 {
            let kinds =
                var.owners.as_ref().map_or(vec![None], |kinds| kinds.iter().map(|k| Some(*k)).collect());
            for kind in kinds {
                let set = allowed(member, &identities, values, id, kind);
                let cell = crate::clause::Cell { var: id, index, agent: kind.map(|_| 0) };
                let within = one_of(&crate::clause::read(member, cell, |_| Expr::Bound(0)), &set);
                parts.push(match kind {
                    None => within,
                    Some(kind) => Expr::Quantified(Quantifier::Forall, vec![kind], 0, Box::new(within)),
                });
            }
        }
    }
    parts.push(condition.clone());
    Expr::and(parts)
}

/// That an expression has one of these values.
fn one_of(e: &Expr, set: &BTreeSet<Value>) -> Expr {
    let compare =
        |op, value| Expr::Binary(op, Box::new(e.clone()), Box::new(Expr::Const(value)), Span::default());
    let mut ways = vec![];
    if set.contains(&UNDEF) {
        ways.push(Expr::not(Expr::Defined(Box::new(e.clone()))));
    }
    let numbers: Vec<Value> = set.iter().copied().filter(|value| *value != UNDEF).collect();
    if let (Some(first), Some(last)) = (numbers.first(), numbers.last()) {
        match last.checked_sub(*first) == Some(numbers.len() as Value - 1) && numbers.len() > 2 {
            true => {
                ways.push(Expr::and([compare(BinaryOp::Ge, *first), compare(BinaryOp::Le, *last)]));
            }
            false => ways.extend(numbers.iter().map(|value| compare(BinaryOp::Eq, *value))),
        }
    }
    Expr::or(ways)
}

/// Decides the only property of a program within a number of steps.
pub fn check(program: Program, steps: u32, decider: Decider, control: &Control<'_>) -> Checked {
    if let Err(problems) = swarmcheck_ir::validate::validate(&program) {
        let first = problems.first().map(ToString::to_string).unwrap_or_default();
        return Checked::Unknown(format!("the program of an obligation is invalid: {first}"));
    }
    let mut task = Task::of(Arc::new(program));
    task.bound = Some(steps);
    let findings = match decider {
        Decider::Sat => Symbolic::new(Method::Bounded).run(&task, control),
        Decider::Search => {
            task.reductions = Reductions::NONE;
            Explicit.run(&task, control)
        }
    };
    match findings.into_iter().next().map(|finding| finding.verdict) {
        Some(Verdict::Holds(_)) => Checked::Holds,
        Some(Verdict::Violated(trace, _)) => {
            let after = trace.steps.last().map(|step| step.state.clone());
            Checked::Fails(trace.initial, after)
        }
        Some(Verdict::Invalid(_)) => Checked::Error,
        Some(Verdict::Unknown(reason)) => Checked::Unknown(reason.to_string()),
        None => Checked::Unknown("no answer".to_string()),
    }
}
