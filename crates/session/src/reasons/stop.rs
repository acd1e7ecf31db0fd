//! Why no step is possible in a state: for every agent, the actions that its process has come to, and what is in the way of
//! each. An action of several agents is what each of them waits for.

use super::cause::causes;
use super::evaluate::{Scope, conjuncts, test_of_cell};
use super::phrase::{is_users, phrase, place};
use super::writers::writers;
use crate::open::Prepared;
use swarmcheck_engine::trace::explain::{CauseData, ObstacleData, StopData, StoppedData, WaitData};
use swarmcheck_ir::flat::{Cell, Flat};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, Function, Rule, Set, Stmt, UNDEF, Value};
use swarmcheck_source::SourceFile;

/// A system of more agents would need more lines than anybody reads.
const MOST_AGENTS: u32 = 200;

/// Why nobody makes a step in a state.
pub(crate) fn stop(prepared: &Prepared, state: &[Value]) -> Option<StopData> {
    let agents = prepared.flat.program.agents();
    (agents <= MOST_AGENTS).then(|| {
        let agents = (0..agents).map(|agent| StoppedData { agent, waits: waits(prepared, state, agent) });
        StopData { agents: agents.collect() }
    })
}

/// What an agent waits for. Nothing: it has come to its end.
pub(super) fn waits(prepared: &Prepared, state: &[Value], agent: u32) -> Vec<WaitData> {
    if let Some(waits) = prepared.model.waits(&prepared.file, &prepared.flat, state, agent) {
        return waits;
    }
    let flat = &prepared.flat;
    let mut out: Vec<WaitData> = vec![];
    for (number, function) in flat.program.functions.iter().enumerate() {
        let label = prepared.labels.as_ref().and_then(|labels| labels.get(number));
        let Rule::Action { words, .. } = &function.rule else { continue };
        if label.is_some_and(|label| prepared.model.rests(label)) {
            continue;
        }
        for runs in Scope::new(flat, state, None).agents(&function.owners) {
            let scope = Scope::new(flat, state, Some(runs));
            let there = entered(&scope, function, runs);
            if runs != agent && !(takes_part(&scope, function, agent)) || runs == agent && !there {
                continue;
            }
            let mut obstacles = in_the_way(prepared, &scope, function);
            obstacles.iter_mut().for_each(|one| without(one, agent, &prepared.file.position(function.span)));
            if !there {
                obstacles.insert(0, ObstacleData::Partner { agent: runs });
            }
            let at = Some(prepared.file.position(function.span));
            // An action of several is called after the others, who then are not the others.
            let what = match runs == agent {
                true => words.as_str(),
                false => words.strip_suffix(&with(&scope, function)).unwrap_or(words),
            };
            let wait = WaitData { what: what.to_string(), at, obstacles };
            if !out.contains(&wait) {
                out.push(wait);
            }
        }
    }
    out
}

/// How an action of several agents is called after those whose location its guard tests: ` with B 1, C 2`.
fn with(scope: &Scope<'_>, function: &Function) -> String {
    let mut others: Vec<u32> =
        conjuncts(&function.guard).iter().filter_map(|part| partner(scope, part)).collect();
    others.dedup();
    let names: Vec<String> = others.iter().map(|agent| scope.flat.program.agent_name(*agent)).collect();
    format!(" with {}", names.join(", "))
}

/// An action that waits does not help itself.
fn without(obstacle: &mut ObstacleData, agent: u32, place: &str) {
    if let ObstacleData::Guard { writers, .. } = obstacle {
        for writer in writers.iter_mut().filter(|w| w.at.as_deref() == Some(place)) {
            writer.agents.retain(|other| *other != agent);
        }
        writers.retain(|writer| !writer.agents.is_empty());
    }
}

/// The agent is where the action begins.
fn entered(scope: &Scope<'_>, function: &Function, runs: u32) -> bool {
    let at = |(var, value): &(swarmcheck_ir::VarId, i64)| {
        let cell = Cell { var: *var, agent: Some(runs), index: 0 };
        scope.read(cell) == Some(*value)
    };
    function.entry.iter().all(at)
}

/// The guard tests where another agent is, and that agent is there.
fn takes_part(scope: &Scope<'_>, function: &Function, agent: u32) -> bool {
    let located = |e: &&Expr| partner(scope, e) == Some(agent);
    let mut own = conjuncts(&function.guard).iter().filter(located).peekable();
    own.peek().is_some() && own.all(|e| scope.holds(e) == Some(true))
}

/// The agent whose location a part of a guard tests.
fn partner(scope: &Scope<'_>, e: &Expr) -> Option<u32> {
    let (place, _) = test_of_cell(e)?;
    matches!(scope.flat.program.var(place.var).role, Role::Location).then(|| scope.cell(place)?.agent)?
}

/// The parts of a function's guard that are false and speak of one agent's own variables only.
pub(crate) fn guards(
    file: &SourceFile,
    flat: &Flat,
    state: &[Value],
    function: &Function,
    agent: u32,
) -> Vec<ObstacleData> {
    let scope = Scope::new(flat, state, Some(agent));
    let own = |cells: &[Cell]| cells.iter().all(|cell| cell.agent.is_none_or(|owner| owner == agent));
    let mut out = vec![];
    for part in conjuncts(&function.guard).iter().filter(|part| scope.holds(part) == Some(false)) {
        let own = causes(&scope, part, false).into_iter().filter(|cause| own(&cause.cells));
        for cause in own.filter(|_| is_users(&scope, part)) {
            let writers = writers(flat, file, state, &cause.cells);
            let mut obstacle = ObstacleData::Guard { cause: cause.data, writers };
            without(&mut obstacle, agent, &file.position(function.span));
            out.push(obstacle);
        }
    }
    out
}

fn in_the_way(prepared: &Prepared, scope: &Scope<'_>, function: &Function) -> Vec<ObstacleData> {
    let mut out: Vec<ObstacleData> = vec![];
    let mut pending: Vec<String> = vec![];
    for part in conjuncts(&function.guard) {
        if scope.holds(part) != Some(false) {
            continue;
        }
        let tested = test_of_cell(part).map(|(place, _)| place);
        let role = tested.map(|place| scope.flat.program.var(place.var));
        match role.map(|var| (&var.role, var)) {
            Some((Role::Pending, var)) => pending.push(var.name.clone()),
            Some((Role::Turn, _)) => {
                let whose = tested.and_then(|place| scope.read(scope.cell(place)?));
                out.extend(
                    whose.and_then(|a| u32::try_from(a).ok()).map(|agent| ObstacleData::Turn { agent }),
                );
            }
            Some((Role::Location, _)) => {
                out.extend(partner(scope, part).map(|agent| ObstacleData::Partner { agent }));
            }
            _ if is_users(scope, part) => {
                let found = causes(scope, part, false);
                // What is about the number of the agent only stays false for ever.
                if found.is_empty() {
                    let cause = CauseData { condition: phrase(scope, part), holds: false, values: vec![] };
                    out.push(ObstacleData::Guard { cause, writers: vec![] });
                }
                for cause in found {
                    let state = scope.state.unwrap_or_default();
                    let writers = writers(scope.flat, &prepared.file, state, &cause.cells);
                    out.push(ObstacleData::Guard { cause: cause.data, writers });
                }
            }
            _ => {}
        }
        // What is undefined makes the rest false, too.
        if matches!(part, Expr::Defined(_)) {
            break;
        }
    }
    if !pending.is_empty() {
        out.insert(0, ObstacleData::Pending { messages: pending });
    }
    if out.is_empty() {
        out.extend(in_the_body(scope, function));
    }
    out
}

/// A body that cannot be run to its end, as far as its beginning tells: values are followed until something is written.
fn in_the_body(scope: &Scope<'_>, function: &Function) -> Option<ObstacleData> {
    let mut scope = scope.clone();
    let mut made: Vec<(u32, &Expr)> = vec![];
    for stmt in &function.body {
        match stmt {
            Stmt::Let(local, e) => {
                made.push((local.0, e));
                if let Some(value) = scope.value(e) {
                    scope.locals.push((local.0, value));
                }
            }
            Stmt::Assume(e) if scope.holds(e) == Some(false) => {
                let what = match e {
                    Expr::Defined(inner) => match &**inner {
                        Expr::Local(local) => made.iter().rev().find(|(l, _)| *l == local.0).map(|(_, e)| *e),
                        other => Some(other),
                    },
                    _ => None,
                };
                return Some(match what {
                    Some(e) => ObstacleData::Undefined { what: phrase(&scope, e) },
                    None => ObstacleData::NoChoice,
                });
            }
            Stmt::Havoc(_, Set::Range(low, high)) => {
                let bounds = (scope.value(low), scope.value(high));
                if let (Some(low), Some(high)) = bounds
                    && (low == UNDEF || high == UNDEF || low >= high)
                {
                    return Some(ObstacleData::NoChoice);
                }
            }
            Stmt::Pick { .. } => return Some(ObstacleData::NoChoice),
            Stmt::Assign(target, _) => {
                let undefined = target.index.iter().any(|e| scope.value(e) == Some(UNDEF));
                return undefined.then(|| ObstacleData::Undefined { what: place(&scope, target) });
            }
            _ => {}
        }
    }
    None
}
