//! Lists of names that may be written: variables of an agent, values of a type, channels, agents.

use super::Tokens;
use super::outline::{Part, Section, instances};
use std::ops::Range;
use swarmcheck_calculi::editor::Choices;
use swarmcheck_source::Span;
use swarmcheck_source::index::{Index, Role, Symbol, SymbolKind};

/// A script, and what was found in it.
pub(super) struct Offers<'a, 't> {
    pub text: &'t str,
    pub tokens: &'a Tokens<'t>,
    pub sections: &'a [Section],
    pub index: &'a Index,
    pub choices: Choices,
    /// The word that is being written: it is not offered to itself.
    pub typed: Option<Span>,
}

impl<'a> Offers<'a, '_> {
    pub fn of(&mut self, kind: SymbolKind, detail: &str) {
        let wanted = self.index.symbols.iter().filter(|symbol| symbol.kind == kind);
        for symbol in wanted.filter(|symbol| Some(symbol.span) != self.typed) {
            self.choices.name(&symbol.name, kind, detail);
        }
    }

    pub fn channels(&mut self) {
        self.of(SymbolKind::Channel, "a channel");
    }

    pub fn truth(&mut self) {
        self.choices.words(&[("true", ""), ("false", "")]);
    }

    pub fn guards(&mut self) {
        for symbol in self.index.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Guard) {
            let insert = format!("{}($0)", symbol.name);
            self.choices.form(&symbol.name, SymbolKind::Guard, "a guard", insert);
        }
    }

    /// Names that stand before `:=` or `<-`.
    pub fn targets(&mut self, kind: SymbolKind, detail: &str, sign: &str) {
        for symbol in self.index.symbols.iter().filter(|symbol| symbol.kind == kind) {
            self.choices.form(&symbol.name, kind, detail, format!("{} {sign} $0", symbol.name));
        }
    }

    /// What a symbol is declared as, behind its colon.
    fn type_of(&self, symbol: &Symbol) -> &str {
        let written = self.text.get(symbol.extent.range()).unwrap_or("");
        written.split_once(':').map_or("", |(_, ty)| ty.trim())
    }

    /// The bytes of an agent type, from its name to its last part.
    fn extent(&self, agent: usize) -> Range<u32> {
        let mut own = self.sections.iter().filter(|section| section.agent == Some(agent));
        let Some(first) = own.next() else { return 0..0 };
        let last = own.next_back().unwrap_or(first);
        self.tokens.span(first.first).start..self.tokens.range(last.first, last.end).end
    }

    /// What is declared inside an agent type. Variables that several types share are one symbol, so declarations count.
    fn declared_in(&self, agent: usize, kind: SymbolKind) -> Vec<&'a Symbol> {
        let range = self.extent(agent);
        let places = &self.index.occurrences;
        let first = places.partition_point(|place| place.span.start < range.start);
        let inside = places.iter().skip(first).take_while(|place| place.span.start < range.end);
        inside
            .filter(|place| place.role == Role::Declaration && Some(place.span) != self.typed)
            .filter_map(|place| self.index.symbols.get(place.symbol))
            .filter(|symbol| symbol.kind == kind)
            .collect()
    }

    pub fn locals(&mut self, agent: Option<usize>) {
        let Some(agent) = agent else { return };
        for symbol in self.declared_in(agent, SymbolKind::Attribute) {
            let detail = self.type_of(symbol).to_string();
            self.choices.name(&symbol.name, symbol.kind, &detail);
        }
    }

    /// Variables of an agent that have a type.
    pub fn locals_of_type(&mut self, agent: Option<usize>, types: &[&str]) {
        let Some(agent) = agent else { return };
        for symbol in self.declared_in(agent, SymbolKind::Attribute) {
            let detail = self.type_of(symbol).to_string();
            if types.contains(&detail.as_str()) {
                self.choices.name(&symbol.name, symbol.kind, &detail);
            }
        }
    }

    /// Variables of an agent that are assigned.
    pub fn assigned(&mut self, agent: Option<usize>) {
        let Some(agent) = agent else { return };
        for symbol in self.declared_in(agent, SymbolKind::Attribute) {
            let detail = self.type_of(symbol).to_string();
            self.choices.form(&symbol.name, symbol.kind, &detail, format!("{} := $0", symbol.name));
        }
    }

    /// The number of the agent type with a name.
    pub fn kind(&self, name: &str) -> Option<usize> {
        let agents = self.sections.iter().filter(|section| section.part == Part::Agent);
        agents
            .enumerate()
            .find(|(_, section)| self.tokens.word(section.body) == name)
            .map(|(number, _)| number)
    }

    /// The agent types that a name of a specification ranges over: it is bound before a token, or an agent of the system.
    fn kinds_of(&self, name: &str, section: Section, at: usize) -> Vec<usize> {
        let tokens = self.tokens;
        let bound =
            (section.body..at).rev().find(|at| tokens.word(*at) == name && tokens.is_sign(*at + 1, ':'));
        if let Some(bound) = bound {
            let types = (bound + 2..at).take_while(|at| tokens.is_word(*at) || tokens.is_sign(*at, '|'));
            let types: Vec<&str> = types.map(|at| tokens.word(at)).collect();
            if types == ["Agent"] && self.kind("Agent").is_none() {
                return (0..self.sections.iter().filter(|section| section.part == Part::Agent).count())
                    .collect();
            }
            return types.into_iter().filter_map(|name| self.kind(name)).collect();
        }
        let systems = self.sections.iter().filter(|section| section.part == Part::System);
        let mut written = systems.flat_map(|section| instances(tokens, *section));
        let instance = written.find(|one| one.name.is_some_and(|at| tokens.word(at) == name));
        instance.and_then(|one| self.kind(tokens.word(one.kind))).into_iter().collect()
    }

    /// What may follow `k-`.
    pub fn members(&mut self, agent: &str, section: Section, at: usize) {
        let kinds = self.kinds_of(agent, section, at);
        for kind in &kinds {
            self.locals(Some(*kind));
        }
        for kind in &kinds {
            for symbol in self.declared_in(*kind, SymbolKind::Label) {
                self.choices.name(&symbol.name, symbol.kind, "a command");
            }
        }
        self.choices
            .words(&[("automaton-state", "the state of its automaton"), ("name", "the agent itself")]);
    }

    /// Agents that the quantifiers of a specification bind.
    pub fn bound(&mut self, section: Section, at: usize) {
        let tokens = self.tokens;
        let declared = |at: &usize| tokens.is_word(*at) && tokens.is_sign(*at + 1, ':');
        let first = section.body + if declared(&section.body) { 2 } else { 0 };
        for at in (first..at).filter(declared) {
            self.choices.name(tokens.word(at), SymbolKind::BoundAgent, "a bound agent");
        }
    }

    /// The values that fit what stands before `=`, `!=`, `:=` or `<-`; whether there are such signs.
    pub fn values_before(&mut self, at: usize) -> bool {
        let tokens = self.tokens;
        let relabels = at.checked_sub(2).filter(|before| tokens.sees(*before, "<-"));
        let mut before = relabels.unwrap_or(at);
        let is_part = |at: &usize| matches!(tokens.sign(*at), Some('=' | '!' | ':' | '≠' | '←'));
        while let Some(sign) = before.checked_sub(1).filter(|sign| relabels.is_none() && is_part(sign)) {
            before = sign;
        }
        // A colon alone is none of them.
        let compares = |at: usize| matches!(tokens.sign(at), Some('=' | '≠' | '←' | '<'));
        if !(before..at).any(compares) {
            return false;
        }
        let Some(left) = before.checked_sub(1).filter(|left| tokens.is_word(*left)) else { return true };
        let span = tokens.span(left);
        let place = self.index.at(span.start).filter(|place| place.span == span);
        match place.and_then(|place| self.index.symbols.get(place.symbol)) {
            Some(symbol) => {
                let ty = self.type_of(symbol).to_string();
                self.values_of_type(&ty);
            }
            None if matches!(tokens.word(left), "chan" | "ch") => self.values_of_type("channel"),
            None if matches!(tokens.word(left), "sender" | "getter" | "supplier") => {
                self.values_of_type("location");
            }
            None => {}
        }
        true
    }

    fn values_of_type(&mut self, ty: &str) {
        match ty {
            "bool" | "boolean" | "Bool" => self.truth(),
            "channel" | "channels" => {
                self.channels();
                self.choices.words(&[("*", "broadcast")]);
            }
            "location" => {
                self.of(SymbolKind::Instance, "an agent");
                self.choices.words(&[("myself", "this agent")]);
            }
            _ => {
                let owner = self
                    .index
                    .symbols
                    .iter()
                    .position(|symbol| symbol.kind == SymbolKind::Enumeration && symbol.name == ty);
                let values =
                    self.index.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::EnumerationValue);
                for symbol in values.filter(|symbol| owner.is_some() && symbol.container == owner) {
                    self.choices.name(&symbol.name, symbol.kind, ty);
                }
            }
        }
    }
}
