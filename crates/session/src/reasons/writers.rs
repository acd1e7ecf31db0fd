//! Who could change a cell: the actions and messages that write it with another value. What a process still comes to is not
//! computed, so an action that is named may be out of reach.

use super::evaluate::Scope;
use super::phrase::cell as cell_words;
use swarmcheck_engine::trace::data::ACTION;
use swarmcheck_engine::trace::explain::WriterData;
use swarmcheck_ir::flat::{Cell, Flat};
use swarmcheck_ir::{Expr, Function, Place, Rule, Stmt, Value, stmt};
use swarmcheck_source::{SourceFile, Span};

/// The actions that could change some cells.
pub(super) fn writers(flat: &Flat, file: &SourceFile, state: &[Value], cells: &[Cell]) -> Vec<WriterData> {
    let scope = Scope::new(flat, state, None);
    let mut out: Vec<WriterData> = vec![];
    for cell in cells {
        for function in &flat.program.functions {
            let mut agents: Vec<u32> = scope
                .agents(&function.owners)
                .into_iter()
                .filter(|a| writes(flat, state, function, *a, *cell))
                .collect();
            if agents.is_empty() {
                continue;
            }
            let (rule, what, at) = match &function.rule {
                Rule::Action { words, .. } => (ACTION, words.clone(), Some(file.position(function.span))),
                // Messages of stigmergies have no place in the file.
                Rule::System { verb, object, .. } => {
                    let placed = function.span != Span::default();
                    (*verb, object.clone(), placed.then(|| file.position(function.span)))
                }
            };
            let name = cell_words(&scope, *cell);
            // An action that stands in several places of a process is one action of the source.
            let same = |w: &&mut WriterData| w.cell == name && w.what == what && w.at == at && w.rule == rule;
            match out.iter_mut().find(same) {
                Some(known) => {
                    agents.retain(|agent| !known.agents.contains(agent));
                    known.agents.extend(agents);
                    known.agents.sort_unstable();
                }
                None => out.push(WriterData { cell: name, agents, rule: rule.to_string(), what, at }),
            }
        }
    }
    out
}

fn writes(flat: &Flat, state: &[Value], function: &Function, agent: u32, cell: Cell) -> bool {
    // What does not depend on the state is known; everything else may be anything.
    let scope = Scope { flat, state: None, me: Some(agent), bound: vec![], locals: vec![] };
    let now = Scope::new(flat, state, None).read(cell);
    let mut found = false;
    stmt::walk(&function.body, &mut |stmt| {
        found |= match stmt {
            Stmt::Assign(place, value) => {
                may_be(&scope, place, cell) && scope.value(value).is_none_or(|value| Some(value) != now)
            }
            Stmt::Fill(place, _) => may_be(&scope, place, cell),
            // Who receives is not known, but nobody takes over from itself.
            Stmt::Copy(var, to, _) => {
                let receives = match scope.value(to) {
                    Some(to) => cell.agent.map(i64::from) == Some(to),
                    None => cell.agent != Some(agent),
                };
                *var == cell.var && receives
            }
            _ => false,
        };
    });
    found
}

fn may_be(scope: &Scope<'_>, place: &Place, cell: Cell) -> bool {
    if place.var != cell.var {
        return false;
    }
    let fits = |e: Option<&Expr>, wanted: Option<u32>| match (e.map(|e| scope.value(e)), wanted) {
        (Some(Some(value)), Some(wanted)) => value == i64::from(wanted),
        _ => true,
    };
    if !fits(place.agent.as_deref(), cell.agent) {
        return false;
    }
    let sizes = &scope.flat.program.var(place.var).dimensions;
    let mut rest = cell.index;
    for (at, e) in place.index.iter().enumerate().rev() {
        let Some(size) = sizes.get(at).filter(|size| **size > 0) else { return true };
        if !fits(Some(e), Some(rest % size)) {
            return false;
        }
        rest /= size;
    }
    true
}
