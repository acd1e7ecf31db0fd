//! Who moves: the units that a scheduler chooses among, and the variable that says whose step was made last.
//!
//! Each agent is two units: its actions, and its pending messages. Formulas that speak of steps and fairness
//! conditions need to know which unit made a step. A step is not part of a state, so the program keeps it in one: what
//! is said of the step that *leaves* a state becomes X m, where m reads the variable (as in R-CHECK, Abd Alrahman,
//! Azzopardi, Piterman, *R-CHECK: A Model Checker for Verifying Reconfigurable MAS*, 2022, section 6.1).

use crate::expr::{BinaryOp, Expr, Place};
use crate::possible::possible;
use crate::program::{Function, Program, Role, Rule, Var, VarId};
use crate::stmt::Stmt;
use swarmcheck_source::Span;

/// What a unit does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum UnitKind {
    /// Actions of the agent.
    Acts,
    /// Deliveries of the agent's pending messages.
    Sends,
}

/// One agent's actions, or one agent's messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Unit {
    pub agent: u32,
    pub kind: UnitKind,
}

/// The name of the tracking variable.
pub const VARIABLE: &str = "step.unit";

/// The unit that a function belongs to, whoever runs it.
pub fn kind(function: &Function) -> UnitKind {
    match function.rule {
        Rule::Action { .. } => UnitKind::Acts,
        Rule::System { .. } => UnitKind::Sends,
    }
}

/// The units that own a function, by agent.
pub fn units(program: &Program) -> Vec<Unit> {
    let all = (0..program.agents())
        .flat_map(|agent| [UnitKind::Acts, UnitKind::Sends].map(|kind| Unit { agent, kind }));
    all.filter(|unit| functions(program, *unit).next().is_some()).collect()
}

/// The functions of a unit.
pub fn functions(program: &Program, unit: Unit) -> impl Iterator<Item = &Function> {
    let owner = (unit.agent < program.agents()).then(|| program.kind_of(unit.agent));
    let its = move |f: &&Function| kind(f) == unit.kind && owner.is_some_and(|o| f.owners.contains(&o));
    program.functions.iter().filter(its)
}

/// The tracking variable, if the program has it.
pub fn tracked(program: &Program) -> Option<VarId> {
    let at = program.vars.iter().position(|v| v.role == Role::Step && v.name == VARIABLE)?;
    Some(VarId(at as u32))
}

/// The tracking variable. If the program has none, it becomes the last variable, and every function assigns it at its end.
/// It is 0 before the first step and after a step that nobody made.
pub fn track(program: &mut Program) -> VarId {
    if let Some(var) = tracked(program) {
        return var;
    }
    let var = VarId(program.vars.len() as u32);
    program.vars.push(Var {
        name: VARIABLE.to_string(),
        owners: None,
        dimensions: vec![],
        domain: Some((0, 2 * i64::from(program.agents()))),
        may_be_undef: false,
        role: Role::Step,
    });
    for function in &mut program.functions {
        let value = number(&Expr::Me, kind(function));
        function.body.push(Stmt::Assign(Place::global(var), value));
    }
    var
}

/// What a step that nobody makes does to the tracking variable.
pub fn nobody(var: VarId) -> Stmt {
    Stmt::Assign(Place::global(var), Expr::Const(0))
}

/// The step just made was this unit's.
pub fn moved(var: VarId, unit: Unit) -> Expr {
    moved_by(var, &Expr::Const(unit.agent.into()), unit.kind)
}

/// The same for an agent that is bound outside.
pub fn moved_by(var: VarId, agent: &Expr, kind: UnitKind) -> Expr {
    let read = Expr::Read(Place::global(var));
    Expr::binary(BinaryOp::Eq, read, number(agent, kind), Span::default())
}

/// The step just made was of this kind, whoever made it.
pub fn moved_somebody(program: &Program, var: VarId, wanted: UnitKind) -> Expr {
    let its = units(program).into_iter().filter(|unit| unit.kind == wanted);
    Expr::or(its.map(|unit| moved(var, unit)))
}

/// Some function of the unit is possible, with all of its body; `None` if that cannot be said by a condition.
pub fn can_move(program: &Program, unit: Unit) -> Option<Expr> {
    let agent = Expr::Const(unit.agent.into());
    let ways = functions(program, unit).map(|f| possible(program, f, &agent));
    Some(Expr::or(ways.collect::<Option<Vec<_>>>()?))
}

/// 1 + 2·agent + kind.
fn number(agent: &Expr, kind: UnitKind) -> Expr {
    let span = Span::default();
    let twice = Expr::binary(BinaryOp::Mul, Expr::Const(2), agent.clone(), span);
    let offset = match kind {
        UnitKind::Acts => 1,
        UnitKind::Sends => 2,
    };
    Expr::binary(BinaryOp::Add, twice, Expr::Const(offset), span)
}

#[cfg(test)]
mod tests;
