//! Which kinds of agents have which variables, and the processes that take it for granted.
//!
//! A global process can be run by several kinds, and all of them must have what it uses. A process of a kind is
//! checked against that kind even if it is never called.

use super::names::Names;
use super::scope::Context;
use super::words;
use crate::codes;
use crate::model::{KindId, Process, ProcessDef, ProcessId, ProcessNode, VarId};
use std::collections::BTreeMap;
use swarmcheck_source::{Diagnostic, Span};

/// The complaint that agents of some kinds have no copy of a variable.
pub(super) fn not_of_kind(names: &Names, var: VarId, span: Span, kinds: &[KindId]) -> Diagnostic {
    let variable = names.var(var);
    let who = words::list(kinds.iter().map(|k| names.kind_name(*k)));
    let name = &variable.name;
    let (message, help) = match names.stigmergy_of(var) {
        Some(stigmergy) => {
            let stigmergy = &names.stigmergies[stigmergy.0 as usize].source.name.text;
            let message =
                format!("agents {who} do not have `{name}`: they take no part in stigmergy `{stigmergy}`");
            (message, format!("add `{stigmergy}` to the `stigmergies` of {who}"))
        }
        None => (
            format!("agents {who} have no attribute `{name}`"),
            format!("declare `{name}` in the `interface` of {who}"),
        ),
    };
    let mut error = Diagnostic::error(codes::NOT_OF_KIND, span, message).also(variable.span, "declared here");
    for kind in kinds {
        error = error.also(names.kind_entry(*kind).agent.name.span, format!("has no `{name}`"));
    }
    error.help(help)
}

/// The definitions that each kind can reach from its `Behavior`, by kind and process.
pub(super) fn reached(names: &Names, processes: &[ProcessDef]) -> Vec<Vec<bool>> {
    let calls: Vec<Vec<ProcessId>> = processes.iter().map(|p| calls_of(&p.body)).collect();
    let from = |kind: KindId| {
        let mut seen = vec![false; processes.len()];
        let mut todo: Vec<ProcessId> = names.process(Some(kind), "Behavior").into_iter().collect();
        while let Some(process) = todo.pop() {
            let at = process.0 as usize;
            if !std::mem::replace(&mut seen[at], true) {
                todo.extend(&calls[at]);
            }
        }
        seen
    };
    names.kind_ids().map(from).collect()
}

/// Reports every variable that some kind needs and does not have, once per place.
pub(super) fn check(context: &mut Context, reached: &[Vec<bool>]) {
    let names = context.names;
    let mut lacking: BTreeMap<(Span, VarId), Vec<KindId>> = BTreeMap::new();
    for need in &context.facts.needs {
        let process = need.process.0 as usize;
        for kind in names.kind_ids() {
            let runs = reached[kind.0 as usize][process] || names.processes[process].kind == Some(kind);
            let known = lacking.get(&(need.span, need.variable)).is_some_and(|kinds| kinds.contains(&kind));
            if runs && !known && !names.has(kind, need.variable) {
                lacking.entry((need.span, need.variable)).or_default().push(kind);
            }
        }
    }
    for ((span, variable), kinds) in lacking {
        context.error(not_of_kind(names, variable, span, &kinds));
    }
}

fn calls_of(process: &Process) -> Vec<ProcessId> {
    let mut found = vec![];
    collect_calls(process, &mut found);
    found
}

fn collect_calls(process: &Process, found: &mut Vec<ProcessId>) {
    match &process.node {
        ProcessNode::Call(id) => found.push(*id),
        ProcessNode::Seq(parts) | ProcessNode::Choice(parts) | ProcessNode::Par(parts) => {
            parts.iter().for_each(|part| collect_calls(part, found));
        }
        ProcessNode::Guard(_, body) | ProcessNode::Conditional(_, _, body) => collect_calls(body, found),
        ProcessNode::Nil | ProcessNode::Action(_) => {}
    }
}
