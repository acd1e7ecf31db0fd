//! Every declaration of a script, and every place that means it.
//!
//! In specifications, `k-x` may mean variables of several agent types, if `k` ranges over agents of these types. Then the
//! variables are one symbol with several declarations: they can only be renamed together. [`Builder`] joins them.

use super::outline::{Part, Section, instances, outline, variables};
use super::pieces::{Piece, pieces};
use super::{Tokens, is_reserved, tokens};
use std::collections::HashMap;
use swarmcheck_calculi::editor::Builder;
use swarmcheck_source::index::{Index, Role, SymbolKind};

/// Channels, enumerations with their values, message fields, property variables, guards with their parameters, agent types with
/// their variables and labels, agents, specifications, and the agents that quantifiers bind.
pub fn index(text: &str) -> Index {
    let tokens = tokens(text);
    let sections = outline(&tokens);
    let mut names = Names {
        tokens: &tokens,
        builder: Builder::default(),
        globals: HashMap::new(),
        agents: vec![],
        kinds: HashMap::new(),
        instances: HashMap::new(),
        everybody: HashMap::new(),
    };
    sections.iter().for_each(|section| names.declare(*section));
    // Agents may be declared before or after the system, so types are known before names of instances are.
    let systems = sections.iter().filter(|section| section.part == Part::System);
    systems.for_each(|section| names.declare_instances(*section));
    sections.iter().for_each(|section| names.refer(*section));
    names.builder.finish()
}

#[derive(Default)]
pub(super) struct AgentNames<'t> {
    symbol: Option<usize>,
    pub locals: HashMap<&'t str, usize>,
    pub labels: HashMap<&'t str, usize>,
}

/// What names are known so far. Of two that are the same, the first one counts, and the other one is a symbol of its own.
pub(super) struct Names<'t, 'a> {
    pub tokens: &'a Tokens<'t>,
    pub builder: Builder,
    pub globals: HashMap<&'t str, usize>,
    pub agents: Vec<AgentNames<'t>>,
    /// The numbers of agent types.
    pub kinds: HashMap<&'t str, usize>,
    /// The agent types of instances.
    pub instances: HashMap<&'t str, Option<usize>>,
    /// Variables and labels that specifications ask all agents for.
    pub everybody: HashMap<&'t str, Option<usize>>,
}

/// What can be named at a place, besides what the whole script declares.
#[derive(Clone, Copy)]
struct Scope<'s, 't> {
    agent: Option<usize>,
    parameters: Option<&'s HashMap<&'t str, usize>>,
}

impl<'t> Names<'t, '_> {
    fn global(&mut self, kind: SymbolKind, at: usize, end: usize, container: Option<usize>) -> usize {
        let (name, span) = (self.tokens.word(at), self.tokens.span(at));
        let extent = self.tokens.range(at, end.max(at + 1));
        let number = self.builder.declare(kind, name, span, extent, container);
        self.globals.entry(name).or_insert(number);
        number
    }

    /// A declaration that begins with the word of its part.
    fn headed(&mut self, kind: SymbolKind, section: Section, at: usize, end: usize) -> usize {
        let (name, span) = (self.tokens.word(at), self.tokens.span(at));
        let extent = self.tokens.range(section.first, end);
        let number = self.builder.declare(kind, name, span, extent, None);
        self.globals.entry(name).or_insert(number);
        number
    }

    fn agent(&mut self, number: Option<usize>) -> Option<&mut AgentNames<'t>> {
        number.and_then(|number| self.agents.get_mut(number))
    }

    fn declare(&mut self, section: Section) {
        let (tokens, body, end) = (self.tokens, section.body, section.end);
        match section.part {
            Part::Channels => {
                for at in (body..end).filter(|at| tokens.is_word(*at)) {
                    self.global(SymbolKind::Channel, at, at + 1, None);
                }
            }
            Part::Enumeration => {
                let channels = matches!(tokens.word(body), "channel" | "channels");
                let container = (!channels).then(|| self.headed(SymbolKind::Enumeration, section, body, end));
                let kind = if channels { SymbolKind::Channel } else { SymbolKind::EnumerationValue };
                for at in (body + 1..end).filter(|at| tokens.is_word(*at)) {
                    self.global(kind, at, at + 1, container);
                }
            }
            Part::Messages | Part::Properties => {
                let message = section.part == Part::Messages;
                let kind = if message { SymbolKind::MessageField } else { SymbolKind::PropertyVariable };
                for variable in variables(tokens, body, end) {
                    self.global(kind, variable.name, variable.end, None);
                }
            }
            Part::Guard => {
                self.headed(SymbolKind::Guard, section, body, end);
            }
            Part::Agent => {
                // `agent local:` has no name yet.
                let named = tokens.is_word(body) && !tokens.is_sign(body + 1, ':');
                let symbol = named.then(|| self.headed(SymbolKind::AgentKind, section, body, end));
                if named {
                    self.kinds.entry(tokens.word(body)).or_insert(self.agents.len());
                }
                self.agents.push(AgentNames { symbol, ..AgentNames::default() });
            }
            Part::Local => self.declare_locals(section),
            Part::Repeat => self.declare_labels(section),
            Part::Init | Part::Relabel | Part::ReceiveGuard | Part::System | Part::Specification => {}
        }
        let symbol = self.agent(section.agent).and_then(|agent| agent.symbol);
        if let Some(symbol) = symbol {
            self.builder.extend(symbol, tokens.range(section.first, end).end);
        }
    }

    fn declare_locals(&mut self, section: Section) {
        let tokens = self.tokens;
        let container = self.agent(section.agent).and_then(|agent| agent.symbol);
        for variable in variables(tokens, section.body, section.end) {
            let (name, span) = (tokens.word(variable.name), tokens.span(variable.name));
            let extent = tokens.range(variable.name, variable.end);
            let number = self.builder.declare(SymbolKind::Attribute, name, span, extent, container);
            if let Some(agent) = self.agent(section.agent) {
                agent.locals.entry(name).or_insert(number);
            }
        }
    }

    /// A label reaches to the end of its command.
    fn declare_labels(&mut self, section: Section) {
        let tokens = self.tokens;
        let container = self.agent(section.agent).and_then(|agent| agent.symbol);
        let found = pieces(tokens, section, section.end);
        let mut open = None;
        for (place, piece) in found.iter().enumerate() {
            let at = section.body + place;
            match piece {
                Piece::Label if tokens.is_word(at) => {
                    let (name, span) = (tokens.word(at), tokens.span(at));
                    let number = self.builder.declare(SymbolKind::Label, name, span, span, container);
                    if let Some(agent) = self.agent(section.agent) {
                        agent.labels.entry(name).or_insert(number);
                    }
                    open = Some(number);
                }
                Piece::Between => open = None,
                _ => {
                    if let Some(number) = open {
                        self.builder.extend(number, tokens.span(at).end);
                    }
                }
            }
        }
    }

    fn declare_instances(&mut self, section: Section) {
        let tokens = self.tokens;
        for instance in instances(tokens, section) {
            let Some(at) = instance.name else { continue };
            let (name, span) = (tokens.word(at), tokens.span(at));
            let extent = tokens.range(instance.kind, instance.end.max(at + 1));
            let number = self.builder.declare(SymbolKind::Instance, name, span, extent, None);
            self.globals.entry(name).or_insert(number);
            let kind = self.kinds.get(tokens.word(instance.kind)).copied();
            self.instances.entry(name).or_insert(kind);
        }
    }

    fn refer(&mut self, section: Section) {
        let (tokens, body, end) = (self.tokens, section.body, section.end);
        let own = Scope { agent: section.agent, parameters: None };
        match section.part {
            Part::Channels | Part::Enumeration | Part::Agent => {}
            Part::Messages | Part::Properties | Part::Local => self.types(body, end),
            Part::Guard => self.guard(section),
            Part::Init | Part::ReceiveGuard => (body..end).for_each(|at| self.word(at, own)),
            Part::Relabel => {
                for at in body..end {
                    let target = tokens.is_sign(at + 1, '←') || tokens.sees(at + 1, "<-");
                    match self.globals.get(tokens.word(at)) {
                        Some(number) if target => self.builder.refer(*number, tokens.span(at), Role::Write),
                        _ => self.word(at, own),
                    }
                }
            }
            Part::Repeat => self.process(section, own),
            Part::System => self.system(section),
            Part::Specification => self.specification(section),
        }
    }

    /// Enumerations in the types of variables.
    fn types(&mut self, first: usize, end: usize) {
        for variable in variables(self.tokens, first, end) {
            let (name, span) = (self.tokens.word(variable.ty), self.tokens.span(variable.ty));
            let known = self.globals.get(name).filter(|number| {
                variable.ty < variable.end
                    && self.builder.kind(**number) == Some(SymbolKind::Enumeration)
                    && !matches!(name, "boolean" | "Bool" | "integer" | "Int")
            });
            if let Some(number) = known {
                self.builder.refer(*number, span, Role::Read);
            }
        }
    }

    fn guard(&mut self, section: Section) {
        let tokens = self.tokens;
        let close = (section.body..section.end).find(|at| tokens.is_sign(*at, ')')).unwrap_or(section.end);
        let container = self.globals.get(tokens.word(section.body)).copied();
        let mut parameters: HashMap<&'t str, usize> = HashMap::new();
        for variable in variables(tokens, section.body + 1, close) {
            let (name, span) = (tokens.word(variable.name), tokens.span(variable.name));
            let extent = tokens.range(variable.name, variable.end);
            let number = self.builder.declare(SymbolKind::LocalVariable, name, span, extent, container);
            parameters.entry(name).or_insert(number);
        }
        self.types(section.body + 1, close);
        // Guards see their parameters, and no variables of agents.
        let inside = Scope { agent: None, parameters: Some(&parameters) };
        (close..section.end).for_each(|at| self.word(at, inside));
    }

    fn process(&mut self, section: Section, own: Scope<'_, 't>) {
        let tokens = self.tokens;
        for (place, piece) in pieces(tokens, section, section.end).into_iter().enumerate() {
            let at = section.body + place;
            let name = tokens.word(at);
            let assigned = tokens.is_word(at) && tokens.sees(at + 1, ":=");
            let target = match piece {
                Piece::Data if assigned => self.globals.get(name).copied(),
                Piece::Update if assigned => self.local(name, own),
                Piece::Label => continue,
                // `[keep-all]` has no names.
                Piece::Update if is_keep_all(tokens, at) || is_keep_all(tokens, at.saturating_sub(2)) => {
                    continue;
                }
                _ => None,
            };
            match target {
                Some(number) => self.builder.refer(number, tokens.span(at), Role::Write),
                None => self.word(at, own),
            }
        }
    }

    fn system(&mut self, section: Section) {
        let tokens = self.tokens;
        for instance in instances(tokens, section) {
            let kind = tokens.word(instance.kind);
            let agent = self.kinds.get(kind).copied();
            if let Some(number) = self.agent(agent).and_then(|agent| agent.symbol) {
                self.builder.refer(number, tokens.span(instance.kind), Role::Read);
            }
            let own = Scope { agent, parameters: None };
            let init = instance.name.unwrap_or(instance.kind) + 1;
            (init..instance.end).for_each(|at| self.word(at, own));
        }
    }

    fn local(&self, name: &str, scope: Scope<'_, 't>) -> Option<usize> {
        let agent = scope.agent.and_then(|agent| self.agents.get(agent))?;
        agent.locals.get(name).copied()
    }

    /// A word of an expression: a parameter, a variable of the agent, or something of the whole script.
    fn word(&mut self, at: usize, scope: Scope<'_, 't>) {
        let tokens = self.tokens;
        if !tokens.is_word(at) || tokens.is_number(at) || is_reserved(tokens.word(at)) {
            return;
        }
        if self.member(at) {
            return;
        }
        let name = tokens.word(at);
        let parameter = scope.parameters.and_then(|parameters| parameters.get(name)).copied();
        let known = parameter.or(self.local(name, scope)).or(self.globals.get(name).copied());
        if let Some(number) = known {
            let guard = self.builder.kind(number) == Some(SymbolKind::Guard);
            let role = if guard && tokens.is_sign(at + 1, '(') { Role::Call } else { Role::Read };
            self.builder.refer(number, tokens.span(at), role);
        }
    }

    /// Outside specifications, `a-b` is a difference, unless `a` is an agent of the system. That is an error, but what is meant
    /// is clear.
    fn member(&mut self, at: usize) -> bool {
        let tokens = self.tokens;
        let Some(agent) = at.checked_sub(2).filter(|agent| is_member(tokens, *agent)) else { return false };
        let Some(Some(kind)) = self.instances.get(tokens.word(agent)) else { return false };
        let name = tokens.word(at);
        let found = self.agents.get(*kind).and_then(|kind| kind.locals.get(name).or(kind.labels.get(name)));
        if let Some(number) = found {
            self.builder.refer(*number, tokens.span(at), Role::Read);
        }
        found.is_some()
    }
}

/// Whether `k-x` without spaces stands there.
pub(super) fn is_member(tokens: &Tokens<'_>, at: usize) -> bool {
    let letter = tokens.word(at + 2).starts_with(|c: char| c.is_alphabetic() || c == '_');
    tokens.is_word(at)
        && !tokens.is_number(at)
        && tokens.is_sign(at + 1, '-')
        && tokens.is_joined(at)
        && tokens.is_joined(at + 1)
        && letter
}

pub(super) fn is_keep_all(tokens: &Tokens<'_>, at: usize) -> bool {
    is_member(tokens, at) && tokens.word(at) == "keep" && tokens.word(at + 2) == "all"
}
