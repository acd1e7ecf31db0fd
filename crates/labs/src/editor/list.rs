//! A list of candidates that grows: words of the language, and symbols of the index.

use super::context::Context;
use std::collections::HashSet;
use swarmcheck_source::index::{Candidate, Index, Role, Symbol, SymbolKind};

/// Candidates in the order in which they should be shown, each label once.
pub(super) struct List<'x> {
    pub index: &'x Index,
    found: Vec<Candidate>,
    seen: HashSet<String>,
}

impl<'x> List<'x> {
    pub fn new(index: &'x Index) -> List<'x> {
        List { index, found: vec![], seen: HashSet::new() }
    }

    pub fn finish(self) -> Vec<Candidate> {
        self.found
    }

    fn push(&mut self, candidate: Candidate) {
        if self.seen.insert(candidate.label.clone()) {
            self.found.push(candidate);
        }
    }

    /// A word of the language.
    pub fn word(&mut self, label: &str, detail: &str) {
        self.push(Candidate {
            label: label.to_string(),
            kind: None,
            detail: detail.to_string(),
            insert: None,
        });
    }

    /// A form of the language, with places to fill in.
    pub fn form(&mut self, label: &str, detail: &str, insert: &str) {
        let insert = Some(insert.to_string());
        self.push(Candidate { label: label.to_string(), kind: None, detail: detail.to_string(), insert });
    }

    /// Something that the file names.
    pub fn name(&mut self, label: &str, kind: SymbolKind, detail: String, insert: Option<String>) {
        self.push(Candidate { label: label.to_string(), kind: Some(kind), detail, insert });
    }

    /// All symbols of a kind.
    pub fn symbols(&mut self, kind: SymbolKind, detail: &str) {
        for symbol in self.index.symbols.iter().filter(|symbol| symbol.kind == kind) {
            self.name(&symbol.name, kind, detail.to_string(), None);
        }
    }

    /// Parameters, which are written with an underscore.
    pub fn parameters(&mut self) {
        let index = self.index;
        for symbol in index.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Parameter) {
            self.name(&format!("_{}", symbol.name), symbol.kind, "parameter".to_string(), None);
        }
    }

    pub fn kinds(&mut self) {
        self.symbols(SymbolKind::AgentKind, "kind of agents");
    }

    pub fn environment(&mut self) {
        self.symbols(SymbolKind::EnvironmentVariable, "environment variable");
    }

    /// The attributes and stigmergic variables of a kind; of all kinds if none is said. `owner` is written after them.
    pub fn variables(&mut self, kind: Option<&str>, owner: Option<&str>) {
        let index = self.index;
        let agents = index.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::AgentKind);
        for agent in agents.filter(|agent| kind.is_none_or(|kind| agent.name == kind)) {
            let stigmergies = self.attributes_of(agent, owner);
            for symbol in index.symbols.iter().filter(|_| kind.is_some()) {
                if symbol.container.is_some_and(|container| stigmergies.contains(&container)) {
                    self.stigmergic(symbol, owner);
                }
            }
        }
        if kind.is_none() {
            for symbol in &index.symbols {
                self.stigmergic(symbol, owner);
            }
        }
    }

    /// The attributes of a kind. Returns the stigmergies that it takes part in.
    fn attributes_of(&mut self, agent: &Symbol, owner: Option<&str>) -> HashSet<usize> {
        let index = self.index;
        let from = index.occurrences.partition_point(|place| place.span.start < agent.extent.start);
        let inside = index.occurrences.iter().skip(from);
        let inside = inside.take_while(|place| place.span.end <= agent.extent.end);
        let mut stigmergies = HashSet::new();
        for place in inside {
            let Some(symbol) = index.symbols.get(place.symbol) else { continue };
            match (symbol.kind, place.role) {
                (SymbolKind::Attribute, Role::Declaration) => {
                    let detail = format!("attribute of {}", agent.name);
                    self.name(&symbol.name, symbol.kind, detail, owned(&symbol.name, owner));
                }
                (SymbolKind::Stigmergy, Role::Read) => {
                    stigmergies.insert(place.symbol);
                }
                _ => {}
            }
        }
        stigmergies
    }

    fn stigmergic(&mut self, symbol: &Symbol, owner: Option<&str>) {
        if symbol.kind == SymbolKind::StigmergicVariable {
            let container = symbol.container.and_then(|at| self.index.symbols.get(at));
            let detail = match container {
                Some(stigmergy) => format!("variable of stigmergy {}", stigmergy.name),
                None => "stigmergic variable".to_string(),
            };
            self.name(&symbol.name, symbol.kind, detail, owned(&symbol.name, owner));
        }
    }

    /// The processes that an agent may call, its own ones first; the global ones if no agent is said.
    pub fn processes(&mut self, agent: Option<&str>) {
        let index = self.index;
        let processes = index.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Process);
        let container = |symbol: &Symbol| symbol.container.and_then(|at| index.symbols.get(at));
        let (own, global): (Vec<&Symbol>, Vec<&Symbol>) =
            processes.partition(|symbol| symbol.container.is_some());
        for symbol in own {
            if container(symbol).is_some_and(|holder| Some(holder.name.as_str()) == agent) {
                self.name(&symbol.name, symbol.kind, "process".to_string(), None);
            }
        }
        for symbol in global {
            self.name(&symbol.name, symbol.kind, "process of all kinds".to_string(), None);
        }
    }

    /// The kinds that take part in a stigmergy.
    pub fn participants(&self, stigmergy: &str) -> Vec<&'x str> {
        let index = self.index;
        let named = |symbol: &Symbol| symbol.kind == SymbolKind::Stigmergy && symbol.name == stigmergy;
        let Some(stigmergy) = index.symbols.iter().position(named) else { return vec![] };
        let places = index.of(stigmergy).filter(|place| place.role == Role::Read);
        let within = places.filter_map(|place| index.symbols.get(place.within?));
        within
            .filter(|symbol| symbol.kind == SymbolKind::AgentKind)
            .map(|symbol| symbol.name.as_str())
            .collect()
    }

    /// Whether a name is that of a variable of the file.
    pub fn is_variable(&self, name: &str) -> bool {
        let variable = |kind: SymbolKind| {
            matches!(
                kind,
                SymbolKind::Attribute
                    | SymbolKind::StigmergicVariable
                    | SymbolKind::EnvironmentVariable
                    | SymbolKind::LocalVariable
            )
        };
        self.index.symbols.iter().any(|symbol| variable(symbol.kind) && symbol.name == name)
    }

    /// The words of parts that a section does not have yet.
    pub fn missing_parts(&mut self, context: &Context, parts: &[(&str, &str, &str)]) {
        for (word, detail, insert) in parts {
            if !context.seen.contains(word) {
                self.form(word, detail, insert);
            }
        }
    }
}

fn owned(name: &str, owner: Option<&str>) -> Option<String> {
    owner.map(|owner| format!("{name} of {owner}"))
}
