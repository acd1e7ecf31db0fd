//! Fills the tables: kinds in the order of `spawn`, variables of the three stores, stigmergies, processes.
//!
//! Everything declared is looked at, also in sections that should not be there, so that no mistake hides another.

use super::names::{KindEntry, ProcessEntry, StigmergyEntry};
use super::words;
use super::{AGENTS_MAX, CELLS_MAX, Checker};
use crate::codes;
use crate::model::{Class, KindId, ProcessId, StigmergyId, Tuple, TupleId};
use crate::syntax::ast;
use std::collections::HashSet;
use swarmcheck_source::{Diagnostic, Span};

impl<'a> Checker<'a> {
    /// All declarations. Parameters are known already.
    pub(super) fn declare(&mut self, file: &'a ast::File, end: Span) {
        self.sections(file, end);
        self.kinds(file);
        self.stigmergies(file);
        self.variables(file);
        self.participation();
        self.check_cells();
        self.processes(file);
    }

    fn sections(&mut self, file: &'a ast::File, end: Span) {
        let missing = |place, what: &str| Diagnostic::error(codes::MISSING_SECTION, place, what);
        match file.systems.as_slice() {
            [] => {
                let error = missing(end, "the file has no `system` section");
                self.out.push(error.help("`system { spawn = Kind: 1 }` says which agents there are"));
            }
            [first, others @ ..] => {
                for other in others {
                    let error =
                        Diagnostic::error(codes::DUPLICATE, other.span, "there are two `system` sections");
                    self.out.push(error.also(first.span, "the first one"));
                }
                if file.systems.iter().all(|s| s.spawn.is_none()) {
                    let error = missing(first.span, "the `system` section has no `spawn`");
                    self.out.push(error.help("say how many agents there are: `spawn = Kind: 1`"));
                }
            }
        }
        if file.agents.is_empty() {
            let error = missing(end, "the file declares no agents");
            self.out.push(error.help("`agent Kind { Behavior = Skip }` declares a kind of agents"));
        }
    }

    /// Kinds in the order of `spawn`, then those never spawned.
    fn kinds(&mut self, file: &'a ast::File) {
        let spawns = file.systems.iter().flat_map(|s| s.spawn.iter().flatten());
        let mut order: Vec<(&'a ast::Agent, Option<u32>)> = vec![];
        let mut seen: Vec<&ast::Spawn> = vec![];
        let mut healthy = true;
        for spawn in spawns {
            let count = self.constants().constant_within("the number of agents", &spawn.count, 0, AGENTS_MAX);
            healthy &= count.is_some();
            let name = &spawn.kind;
            let Some(agent) = file.agents.iter().find(|a| a.name.text == name.text) else {
                healthy = false;
                if !file.agents.is_empty() {
                    let message = format!("there is no kind of agents named `{}`", name.text);
                    let near =
                        self.names.nearest(&name.text, file.agents.iter().map(|a| a.name.text.as_str()));
                    let mut error =
                        Diagnostic::error(codes::UNKNOWN_KIND, name.span, message).did_you_mean(near);
                    let spawned = |s: &ast::Spawn| near == Some(s.kind.text.as_str());
                    if file.systems.iter().flat_map(|s| s.spawn.iter().flatten()).any(spawned) {
                        error.fixes.clear();
                    }
                    self.out.push(error);
                }
                continue;
            };
            if let Some(first) = seen.iter().find(|s| s.kind.text == name.text) {
                let message = format!("kind `{}` is spawned twice", name.text);
                let error = Diagnostic::error(codes::DUPLICATE, name.span, message)
                    .also(first.kind.span, "first here");
                self.out.push(error.help("give the number of all its agents in one place"));
                healthy = false;
                continue;
            }
            seen.push(spawn);
            order.push((agent, count));
        }
        for agent in &file.agents {
            if let Some(first) = file.agents.iter().find(|a| a.name.text == agent.name.text)
                && !std::ptr::eq(first, agent)
            {
                self.out.push(words::duplicate("kind", &agent.name, first.name.span));
                order.push((agent, Some(0)));
            } else if !order.iter().any(|(known, _)| std::ptr::eq(*known, agent)) {
                order.push((agent, Some(0)));
            }
        }
        self.enter_kinds(order);
        if healthy {
            self.check_total(file);
        }
    }

    fn enter_kinds(&mut self, order: Vec<(&'a ast::Agent, Option<u32>)>) {
        let mut first = 0u32;
        for (agent, count) in order {
            let id = KindId(self.names.kinds.len() as u32);
            self.names.kind_index.entry(&agent.name.text).or_insert(id);
            self.names.kinds.push(KindEntry {
                agent,
                first,
                count,
                attributes: vec![],
                owned: HashSet::new(),
                stigmergies: vec![],
                doubtful: false,
            });
            first = first.saturating_add(count.unwrap_or(0));
        }
    }

    fn check_total(&mut self, file: &ast::File) {
        let Some(system) = file.systems.iter().find(|s| s.spawn.is_some()) else { return };
        let spawns = system.spawn.iter().flatten();
        let place = spawns.map(|s| s.kind.span.to(s.count.span)).reduce(Span::to).unwrap_or(system.span);
        let total: i64 = self.names.kinds.iter().map(|k| i64::from(k.count.unwrap_or(0))).sum();
        if total == 0 && !file.agents.is_empty() {
            let error = Diagnostic::error(codes::NO_AGENTS, place, "the system has no agents");
            self.out.push(error.help("spawn at least one agent"));
        }
        if total > AGENTS_MAX {
            let message = format!("the number of all agents must be at most {AGENTS_MAX}");
            self.out.push(Diagnostic::error(codes::SIZE, place, message).label(format!("these are {total}")));
        }
    }

    /// Every agent has its own cells. The declaration with which they become too many is blamed.
    fn check_cells(&mut self) {
        let names = &self.names;
        let agents = |kind: &KindEntry| i64::from(kind.count.unwrap_or(0));
        let mut owners = vec![0; names.stigmergies.len()];
        for kind in &names.kinds {
            kind.stigmergies.iter().for_each(|s| owners[s.0 as usize] += agents(kind));
        }
        let own = names.kinds.iter().flat_map(|k| k.attributes.iter().map(move |(id, _)| (*id, agents(k))));
        let shared = names.environment.iter().map(|(id, _)| (*id, 1));
        let stigmergic = names
            .tuples
            .iter()
            .flat_map(|t| t.variables.iter().map(|(id, _)| (*id, owners[t.stigmergy.0 as usize])));
        let mut total: i64 = 0;
        for (id, copies) in shared.chain(own).chain(stigmergic) {
            let variable = names.var(id);
            let cells = variable.dimensions.iter().map(|size| i64::from(*size)).fold(1, i64::saturating_mul);
            total = total.saturating_add(cells.saturating_mul(copies));
            if total > CELLS_MAX {
                let message =
                    format!("the system has too many cells: `{}` is one variable too many", variable.name);
                let error = Diagnostic::error(codes::SIZE, variable.span, message)
                    .label(format!("{copies} × {cells} cells"))
                    .help(format!("all variables of all agents have at most {CELLS_MAX} cells in sum"))
                    .help("make arrays smaller, or spawn fewer agents");
                self.out.push(error);
                return;
            }
        }
    }

    fn stigmergies(&mut self, file: &'a ast::File) {
        for source in &file.stigmergies {
            let id = StigmergyId(self.names.stigmergies.len() as u32);
            let name = &source.name;
            match self.names.stigmergy(&name.text) {
                Some(first) => {
                    let first = self.names.stigmergies[first.0 as usize].source.name.span;
                    self.out.push(words::duplicate("stigmergy", name, first));
                }
                None => {
                    self.names.stigmergy_index.insert(&name.text, id);
                }
            }
            self.names.stigmergies.push(StigmergyEntry { source });
        }
    }

    fn variables(&mut self, file: &'a ast::File) {
        for declaration in file.systems.iter().flat_map(|s| &s.environment) {
            let init = self.init(&declaration.init, true);
            let name = &declaration.name;
            if let Some(var) = self.enter(name, &declaration.dimensions, Class::Environment, None) {
                self.names.environment.push((var, init));
            }
        }
        for (at, kind) in self.names.kind_ids().enumerate().collect::<Vec<_>>() {
            let agent = self.names.kinds[at].agent;
            for declaration in &agent.interface {
                let init = self.init(&declaration.init, false);
                let name = &declaration.name;
                if let Some(var) = self.enter(name, &declaration.dimensions, Class::Attribute, Some(kind)) {
                    self.names.kinds[at].attributes.push((var, init));
                    self.names.kinds[at].owned.insert(var);
                }
            }
        }
        for (at, source) in file.stigmergies.iter().enumerate() {
            for tuple in &source.tuples {
                self.tuple(StigmergyId(at as u32), tuple);
            }
        }
    }

    fn tuple(&mut self, stigmergy: StigmergyId, source: &'a ast::TupleDecl) {
        if source.variables.len() != source.inits.len() {
            let variables = words::count(source.variables.len(), "variable", "variables");
            let inits = words::count(source.inits.len(), "initial value", "initial values");
            let message = format!("this tuple has {variables} but {inits}");
            let error = Diagnostic::error(codes::TUPLE_ARITY, source.span, message);
            self.out
                .push(error.help("give one initial value per variable, separated by commas: `x, y: 0, 0`"));
        }
        let inits: Vec<_> = source.inits.iter().map(|init| self.init(init, false)).collect();
        let id = TupleId(self.names.tuples.len() as u32);
        self.names.tuples.push(Tuple { stigmergy, variables: vec![] });
        let mut inits = inits.into_iter();
        for (name, dimensions) in &source.variables {
            let init = inits.next().unwrap_or(crate::model::Init::Undef);
            if let Some(var) = self.enter(name, dimensions, Class::Stigmergic(id), None) {
                self.names.tuples[id.0 as usize].variables.push((var, init));
            }
        }
    }

    fn participation(&mut self) {
        for at in 0..self.names.kinds.len() {
            let agent = self.names.kinds[at].agent;
            let mut listed: Vec<StigmergyId> = vec![];
            for (position, name) in agent.stigmergies.iter().enumerate() {
                match self.names.stigmergy(&name.text) {
                    Some(id) if listed.contains(&id) => {
                        let first = agent.stigmergies[..position].iter().find(|n| n.text == name.text);
                        let message = format!("stigmergy `{}` is listed twice", name.text);
                        let error = Diagnostic::error(codes::DUPLICATE, name.span, message);
                        self.out.push(error.also(first.map_or(name.span, |n| n.span), "first here"));
                    }
                    Some(id) => listed.push(id),
                    None => {
                        self.names.kinds[at].doubtful = true;
                        let known = self.names.stigmergies.iter().map(|s| s.source.name.text.as_str());
                        let message = format!("there is no stigmergy named `{}`", name.text);
                        let near = self.names.nearest(&name.text, known);
                        let mut error = Diagnostic::error(codes::UNKNOWN_STIGMERGY, name.span, message)
                            .did_you_mean(near);
                        if agent.stigmergies.iter().any(|listed| near == Some(listed.text.as_str())) {
                            error.fixes.clear();
                        }
                        self.out.push(error);
                    }
                }
            }
            listed.sort();
            self.names.kinds[at].stigmergies = listed;
        }
    }

    /// Process definitions in the order of the text.
    fn processes(&mut self, file: &'a ast::File) {
        let global =
            file.systems.iter().flat_map(|s| &s.processes).map(|source| ProcessEntry { source, kind: None });
        let mut all: Vec<ProcessEntry<'a>> = global.collect();
        for kind in self.names.kind_ids() {
            let own = self.names.kind_entry(kind).agent.processes.iter();
            all.extend(own.map(|source| ProcessEntry { source, kind: Some(kind) }));
        }
        all.sort_by_key(|p| p.source.name.span.start);
        for (at, entry) in all.iter().enumerate() {
            let name = &entry.source.name;
            let id = ProcessId(at as u32);
            match self.names.process_index.get(&(entry.kind, name.text.as_str())) {
                Some(first) => {
                    let first = all[first.0 as usize].source.name.span;
                    self.out.push(words::duplicate("process", name, first));
                }
                None => {
                    self.names.process_index.insert((entry.kind, &name.text), id);
                }
            }
        }
        self.names.processes = all;
    }
}
