//! Whom a link predicate keeps from a message. A rule of the system that delivers a message goes through the agents that could
//! receive it, and tests each: it is another agent, its value is older, and the two are linked. The first two tests are
//! known by what they compare; what is left of the condition is the link predicate.

use super::evaluate::{Scope, conjuncts};
use crate::attempt::agents_of;
use swarmcheck_ir::flat::{Flat, Instance};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Rule, Stmt, Value};

/// The agents that would take over a message if they were linked to its sender. None for a step that is no such message.
pub(crate) fn unlinked(flat: &Flat, before: &[Value], instance: Instance) -> Vec<u32> {
    let function = &flat.program.functions[instance.function as usize];
    if !matches!(function.rule, Rule::System { .. }) {
        return vec![];
    }
    let Some((kinds, bound, condition)) = function.body.iter().find_map(receivers) else { return vec![] };
    let (times, others): (Vec<&Expr>, Vec<&Expr>) =
        conjuncts(condition).iter().partition(|part| compares_times(flat, part));
    let links: Vec<&Expr> = others.into_iter().filter(|part| !is_another(part)).collect();
    if times.is_empty() || links.is_empty() {
        return vec![];
    }
    let scope = Scope::new(flat, before, Some(instance.agent));
    let left_out = |agent: &u32| {
        let scope = scope.with(bound, *agent);
        times.iter().all(|part| scope.holds(part) == Some(true))
            && links.iter().any(|part| scope.holds(part) == Some(false))
    };
    let agents = agents_of(flat, kinds).into_iter().filter(|agent| *agent != instance.agent);
    agents.filter(left_out).collect()
}

/// Who may receive, and when it does.
fn receivers(stmt: &Stmt) -> Option<(&[swarmcheck_ir::KindId], u32, &Expr)> {
    match stmt {
        Stmt::ForEach(kinds, bound, body) => match body.first()? {
            Stmt::If(condition, ..) => Some((kinds, *bound, condition)),
            _ => None,
        },
        _ => None,
    }
}

fn compares_times(flat: &Flat, e: &Expr) -> bool {
    let is_time = |e: &Expr| match e {
        Expr::Read(place) => flat.program.var(place.var).role == Role::Order,
        _ => false,
    };
    matches!(e, Expr::Binary(_, a, b, _) if is_time(a) && is_time(b))
}

fn is_another(e: &Expr) -> bool {
    let is_agent = |e: &Expr| matches!(e, Expr::Me | Expr::Bound(_));
    matches!(e, Expr::Binary(BinaryOp::Ne, a, b, _) if is_agent(a) && is_agent(b))
}
