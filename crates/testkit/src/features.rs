//! What a random system and the way it is read have of what independent testers aimed at. Tests count these features and
//! demand so many of each: a feature of a generator that vanishes is noticed.

use crate::verify::System;
use std::collections::BTreeSet;
use swarmcheck_labs::lower::{Choice, Options, Semantics};
use swarmcheck_labs::model::{
    Action, Class, Cond, CondNode, Expr, ExprNode, Init, Model, Owner, Process, ProcessNode, Target, Value,
    VarId,
};
use swarmcheck_labs::syntax::ast::BinaryOp;

/// The names of all features of systems in LAbS.
pub const FEATURES: [&str; 19] = [
    "several stigmergies shared by several kinds",
    "three kinds",
    "link over a stigmergic value",
    "link over another stigmergy",
    "link over the environment",
    "⊥ in a link",
    "index read from a stigmergic value",
    "agent reached by a stored id",
    "link to a stored id",
    "lock",
    "round robin",
    "--choice early",
    "--semantics paper",
    "--sync",
    "model error",
    "index of a link that may lie outside",
    "number too large",
    "number near 2⁶³",
    "deadlock",
];

/// What a system has.
pub fn features(text: &str, reading: Options, system: &System) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut note = |name: &'static str, here: bool| {
        debug_assert!(FEATURES.contains(&name), "{name}");
        if here {
            found.insert(name);
        }
    };
    note("round robin", reading.fair);
    note("--choice early", reading.choice == Choice::Early);
    note("--semantics paper", reading.semantics == Semantics::Paper);
    note("--sync", reading.sync);
    note("deadlock", !system.space.deadlocks.is_empty());
    note("model error", system.space.fault.is_some());
    note("number too large", system.overflows());
    note("number near 2⁶³", ["9223372036854775", "4611686018427387"].iter().any(|n| text.contains(n)));
    let Some(model) = system.prepared.model.labs() else { return found };
    let alive = |kind: &&swarmcheck_labs::model::AgentKind| kind.count > 0;
    note("three kinds", model.kinds.iter().filter(alive).count() > 2);
    let members = |at: usize| {
        model.kinds.iter().filter(alive).filter(|k| k.stigmergies.iter().any(|s| s.0 as usize == at)).count()
    };
    let shared = (0..model.stigmergies.len()).filter(|&at| members(at) > 1).count();
    note("several stigmergies shared by several kinds", shared > 1);
    for at in 0..model.stigmergies.len() {
        let link = &model.stigmergies[at].link;
        note("link to a stored id", compares_id(link));
        in_condition(link, &mut |e| {
            let ExprNode::Var(var, owner, index) = &e.node else { return };
            let class = model.variable(*var).class;
            if let Class::Stigmergic(tuple) = class {
                note("link over a stigmergic value", true);
                note("link over another stigmergy", model.tuple(tuple).stigmergy.0 as usize != at);
            }
            note("link over the environment", matches!(**owner, Owner::Environment));
            note("⊥ in a link", begins_undefined(model, *var));
            // Constants and remainders stay inside; anything else may lie outside.
            let inside =
                |e: &Expr| matches!(e.node, ExprNode::Number(_) | ExprNode::Binary(BinaryOp::Mod, ..));
            note("index of a link that may lie outside", index.iter().any(|e| !inside(e)));
        });
    }
    everywhere(model, &mut |e| {
        let ExprNode::Var(_, owner, index) = &e.node else { return };
        note("index read from a stigmergic value", index.iter().any(|e| reads_stigmergy(model, e)));
        note("agent reached by a stored id", matches!(&**owner, Owner::Agent(id) if reads_variable(id)));
    });
    let target = |target: &Target| match target {
        Target::Variable(_, index, _) => index.iter().any(|e| reads_stigmergy(model, e)),
        _ => false,
    };
    let targets = model.actions.iter().flat_map(|a| &a.assignments).flat_map(|a| &a.targets);
    note("index read from a stigmergic value", targets.into_iter().any(target));
    note("lock", text.contains("lock = 0") && text.contains("lock <--"));
    found
}

/// Whether a link compares an id with a variable.
fn compares_id(link: &Cond) -> bool {
    match &link.node {
        CondNode::Compare(_, a, b) => {
            let [a, b] = [&a.node, &b.node];
            matches!((a, b), (ExprNode::IdOf(_), ExprNode::Var(..)) | (ExprNode::Var(..), ExprNode::IdOf(_)))
        }
        CondNode::Not(inner) => compares_id(inner),
        CondNode::And(parts) | CondNode::Or(parts) => parts.iter().any(compares_id),
        _ => false,
    }
}

fn begins_undefined(model: &Model, var: VarId) -> bool {
    let attributes = model.kinds.iter().flat_map(|k| &k.attributes);
    let shared = model.tuples.iter().flat_map(|t| &t.variables);
    let mut all = model.environment.iter().chain(attributes).chain(shared);
    all.any(|(own, init)| *own == var && matches!(init, Init::Undef))
}

fn reads_stigmergy(model: &Model, e: &Expr) -> bool {
    let mut found = false;
    in_expression(e, &mut |e| {
        found |= matches!(&e.node, ExprNode::Var(var, ..) if matches!(model.variable(*var).class, Class::Stigmergic(_)));
    });
    found
}

fn reads_variable(e: &Expr) -> bool {
    let mut found = false;
    in_expression(e, &mut |e| found |= matches!(e.node, ExprNode::Var(..)));
    found
}

/// All expressions of a model: links, guards, actions.
fn everywhere(model: &Model, see: &mut dyn FnMut(&Expr)) {
    model.stigmergies.iter().for_each(|s| in_condition(&s.link, see));
    model.processes.iter().for_each(|p| in_process(&p.body, see));
    model.actions.iter().for_each(|a| in_action(a, see));
}

fn in_action(action: &Action, see: &mut dyn FnMut(&Expr)) {
    for assignment in &action.assignments {
        for value in &assignment.values {
            match value {
                Value::Expr(e) => in_expression(e, see),
                Value::Pick { condition, .. } => condition.iter().for_each(|c| in_condition(c, see)),
            }
        }
        for target in &assignment.targets {
            if let Target::Variable(_, index, _) = target {
                index.iter().for_each(|e| in_expression(e, see));
            }
        }
    }
}

fn in_process(process: &Process, see: &mut dyn FnMut(&Expr)) {
    match &process.node {
        ProcessNode::Seq(parts) | ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
            parts.iter().for_each(|part| in_process(part, see));
        }
        ProcessNode::Guard(c, body) | ProcessNode::Conditional(c, _, body) => {
            in_condition(c, see);
            in_process(body, see);
        }
        ProcessNode::Nil | ProcessNode::Action(_) | ProcessNode::Call(_) => {}
    }
}

fn in_condition(c: &Cond, see: &mut dyn FnMut(&Expr)) {
    match &c.node {
        CondNode::Bool(_) => {}
        CondNode::NonZero(e) => in_expression(e, see),
        CondNode::Compare(_, a, b) => {
            in_expression(a, see);
            in_expression(b, see);
        }
        CondNode::Not(c) | CondNode::Forall(_, _, c) | CondNode::Exists(_, _, c) => in_condition(c, see),
        CondNode::And(parts) | CondNode::Or(parts) => parts.iter().for_each(|c| in_condition(c, see)),
    }
}

fn in_expression(e: &Expr, see: &mut dyn FnMut(&Expr)) {
    see(e);
    if let ExprNode::If(c, ..) | ExprNode::Count(_, _, c) | ExprNode::Truth(c) = &e.node {
        in_condition(c, see);
    }
    crate::coverage::parts(e).into_iter().for_each(|part| in_expression(part, see));
}
