//! The index of a file: every declaration, and every place that means it.
//!
//! Declarations come first, then the places, because sections may use what a later one declares. Where text could not be
//! read the tree has a hole, and the index lacks what stands there.

use super::resolve::{Place, Walk};
use super::table::Table;
use crate::syntax::ast::{Agent, Declaration, Expr, File, Init, Stigmergy, View};
use crate::syntax::parse_with_tokens;
use crate::syntax::token::{Bracket, COLON, MINUS, TokenKind};
use std::collections::HashSet;
use swarmcheck_source::Span;
use swarmcheck_source::index::{Index, Role, SymbolKind};

/// What the names of a text stand for.
///
/// A state variable is found as the checker finds it. Attributes of the same name in several kinds are one symbol with several
/// declarations if some place means more than one of them, see `table.rs`: all of them have to be renamed together.
/// The declarations of a symbol are its places of [`Role::Declaration`].
pub fn index(text: &str) -> Index {
    let (file, tokens) = parse_with_tokens(text);
    let mut table = Table::new(tokens);
    declare(&file, &mut table);
    places(&file, &mut table);
    table.finish()
}

fn declare<'a>(file: &'a File, table: &mut Table<'a>) {
    for system in &file.systems {
        for parameter in &system.externs {
            let extent = with_default(table, parameter.name.span);
            let symbol = table.declare(SymbolKind::Parameter, &parameter.name, extent, None);
            table.parameters.entry(&parameter.name.text).or_insert(symbol);
        }
        for declaration in &system.environment {
            let (name, extent) = (&declaration.name, extent(table, declaration));
            let symbol = table.declare(SymbolKind::EnvironmentVariable, name, extent, None);
            table.variables.entry(&name.text).or_default().environment.get_or_insert(symbol);
        }
        for process in &system.processes {
            let extent = process.name.span.to(process.body.span);
            let symbol = table.declare(SymbolKind::Process, &process.name, extent, None);
            table.processes.entry((None, &process.name.text)).or_insert(symbol);
        }
    }
    file.stigmergies.iter().for_each(|stigmergy| declare_stigmergy(stigmergy, table));
    file.agents.iter().for_each(|agent| declare_agent(agent, table));
}

fn declare_stigmergy<'a>(stigmergy: &'a Stigmergy, table: &mut Table<'a>) {
    let symbol = table.declare(SymbolKind::Stigmergy, &stigmergy.name, stigmergy.extent, None);
    table.stigmergies.entry(&stigmergy.name.text).or_insert(symbol);
    for tuple in &stigmergy.tuples {
        for (name, _) in &tuple.variables {
            let variable = table.declare(SymbolKind::StigmergicVariable, name, tuple.span, Some(symbol));
            table.variables.entry(&name.text).or_default().stigmergic.get_or_insert(variable);
        }
    }
}

fn declare_agent<'a>(agent: &'a Agent, table: &mut Table<'a>) {
    let number = table.agents.len();
    let symbol = table.declare(SymbolKind::AgentKind, &agent.name, agent.extent, None);
    table.agents.push(symbol);
    table.kinds.entry(&agent.name.text).or_insert(number);
    for declaration in &agent.interface {
        let extent = extent(table, declaration);
        table.declare_attribute(number, &declaration.name, extent);
    }
    for process in &agent.processes {
        let extent = process.name.span.to(process.body.span);
        let process_symbol = table.declare(SymbolKind::Process, &process.name, extent, Some(symbol));
        table.processes.entry((Some(number), &process.name.text)).or_insert(process_symbol);
    }
}

/// `_n: -3`: the tree has no place for the default.
fn with_default(table: &Table, name: Span) -> Span {
    let at = table.token_from(name.end);
    let kind = |at: usize| table.tokens.get(at).map(|token| token.kind);
    if kind(at) != Some(COLON) {
        return name;
    }
    let number = if kind(at + 1) == Some(MINUS) { at + 2 } else { at + 1 };
    match table.tokens.get(number) {
        Some(token) if token.kind == TokenKind::Number => name.to(token.span),
        _ => name,
    }
}

/// The whole declaration of a variable.
fn extent(table: &Table, declaration: &Declaration) -> Span {
    let name = declaration.name.span;
    let init = match &declaration.init {
        Init::Undef(span) | Init::Set(_, span) => *span,
        Init::Value(value) => value.span,
        Init::Range(low, high) => {
            // The tree drops the brackets of `[a..b]`.
            let next = table.tokens.get(table.token_from(high.span.end));
            let close = next.filter(|token| token.kind == TokenKind::Close(Bracket::Square));
            low.span.to(close.map_or(high.span, |token| token.span))
        }
    };
    name.to(init)
}

fn places<'a>(file: &'a File, table: &mut Table<'a>) {
    for system in &file.systems {
        let mut walk = Walk::new(table, Place::Constant);
        system.environment.iter().for_each(|declaration| walk.declaration(declaration));
        for spawn in system.spawn.iter().flatten() {
            walk.kind(&spawn.kind);
            walk.expr(&spawn.count);
        }
        for process in &system.processes {
            let holder = walk.table.processes.get(&(None, process.name.text.as_str())).copied();
            Walk::process_of(walk.table, None, holder).process(&process.body);
        }
    }
    let participants = participants(file, table);
    for stigmergy in &file.stigmergies {
        let holder = table.stigmergies.get(stigmergy.name.text.as_str()).copied();
        let mut walk = Walk::new(table, Place::Constant);
        walk.holder = holder;
        walk.rate(stigmergy.rate.as_ref());
        for tuple in &stigmergy.tuples {
            tuple.variables.iter().for_each(|(_, sizes)| walk.exprs(sizes));
            tuple.inits.iter().for_each(|init| walk.init(init));
        }
        if let Some(link) = &stigmergy.link {
            let none = HashSet::new();
            let partners = holder.and_then(|symbol| participants.get(&symbol)).unwrap_or(&none);
            walk.place = Place::Link(partners);
            walk.expr(link);
        }
    }
    for (number, agent) in file.agents.iter().enumerate() {
        let mut walk = Walk::new(table, Place::Constant);
        walk.rate(agent.rate.as_ref());
        agent.interface.iter().for_each(|declaration| walk.declaration(declaration));
        for name in &agent.stigmergies {
            if let Some(symbol) = table.stigmergies.get(name.text.as_str()).copied() {
                table.place(name.span, symbol, Role::Read);
            }
        }
        for process in &agent.processes {
            let holder = table.processes.get(&(Some(number), process.name.text.as_str())).copied();
            Walk::process_of(table, Some(number), holder).process(&process.body);
        }
    }
    predicates(file, table);
    file.views.iter().for_each(|view| view_places(view, table));
}

/// The agent sections that take part in each stigmergy.
fn participants(file: &File, table: &Table) -> std::collections::HashMap<usize, HashSet<usize>> {
    let mut found = std::collections::HashMap::new();
    for (number, agent) in file.agents.iter().enumerate() {
        for name in &agent.stigmergies {
            if let Some(symbol) = table.stigmergies.get(name.text.as_str()) {
                found.entry(*symbol).or_insert_with(HashSet::new).insert(number);
            }
        }
    }
    found
}

fn predicates<'a>(file: &'a File, table: &mut Table<'a>) {
    for assumption in &file.assumptions {
        let extent = assumption.name.span.to(assumption.predicate.span);
        let holder = table.declare(SymbolKind::Assumption, &assumption.name, extent, None);
        let mut walk = Walk::new(table, Place::Property);
        walk.holder = Some(holder);
        walk.expr(&assumption.predicate);
    }
    for property in &file.properties {
        let extent = property.name.span.to(property.span);
        let holder = table.declare(SymbolKind::Property, &property.name, extent, None);
        let mut walk = Walk::new(table, Place::Property);
        walk.holder = Some(holder);
        walk.modality(&property.modality);
        walk.expr(&property.predicate);
    }
}

fn view_places<'a>(view: &'a View, table: &mut Table<'a>) {
    let mut walk = Walk::new(table, Place::Constant);
    let sizes: Vec<&'a Expr> = view.spaces.iter().flat_map(|space| &space.sizes).collect();
    sizes.into_iter().for_each(|size| walk.expr(size));
    for show in &view.shows {
        let agent = walk.kind(&show.kind);
        let names = [&show.at, &show.heading, &show.colour, &show.label, &show.size];
        for name in names.into_iter().flatten() {
            walk.shown(name, agent);
        }
    }
    view.floors.iter().for_each(|name| walk.shown(name, None));
}
