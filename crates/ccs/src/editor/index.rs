//! Every declaration of a file, and every place that means it.

use super::outline::{Part, Piece, Section, check_pieces, outline, pieces};
use super::{Tokens, tokens};
use std::collections::HashMap;
use swarmcheck_calculi::editor::{Builder, claims};
use swarmcheck_source::Span;
use swarmcheck_source::index::{Index, Role, SymbolKind};

/// Constants, sets of actions, actions and properties. An action is declared at its first place. A set counts as an
/// enumeration, because it is a name for several others.
pub fn index(text: &str) -> Index {
    let tokens = tokens(text);
    let sections = outline(&tokens);
    let mut names = Names::new(&tokens);
    sections
        .iter()
        .filter(|section| section.part == Part::Process)
        .for_each(|section| names.define(*section));
    for section in &sections {
        match section.part {
            Part::Check => names.check(*section),
            _ => names.process(*section),
        }
    }
    names.finish()
}

struct Names<'t, 'a> {
    tokens: &'a Tokens<'t>,
    builder: Builder,
    constants: HashMap<&'t str, usize>,
    sets: HashMap<&'t str, usize>,
    actions: HashMap<&'t str, usize>,
    /// Words in the place of a constant that no definition has.
    unknown: Vec<(&'t str, Span)>,
}

impl<'t, 'a> Names<'t, 'a> {
    fn new(tokens: &'a Tokens<'t>) -> Names<'t, 'a> {
        Names {
            tokens,
            builder: Builder::default(),
            constants: HashMap::new(),
            sets: HashMap::new(),
            actions: HashMap::new(),
            unknown: vec![],
        }
    }

    fn define(&mut self, section: Section) {
        let Some(at) = section.name() else { return };
        let (name, span) = (self.tokens.word(at), self.tokens.span(at));
        let extent = self.tokens.range(section.first, section.end);
        let number = self.builder.declare(SymbolKind::Process, name, span, extent, None);
        // The first definition counts; a second one is an error, and a symbol of its own.
        self.constants.entry(name).or_insert(number);
    }

    fn process(&mut self, section: Section) {
        if let (Part::Set, Some(at)) = (section.part, section.name()) {
            let extent = self.tokens.range(section.first, section.end);
            let (name, span) = (self.tokens.word(at), self.tokens.span(at));
            let number = self.builder.declare(SymbolKind::Enumeration, name, span, extent, None);
            self.sets.entry(name).or_insert(number);
        }
        let tokens = self.tokens;
        pieces(tokens, section, &mut |piece, at| {
            if !tokens.is_word(at) {
                return;
            }
            let (word, span) = (tokens.word(at), tokens.span(at));
            match piece {
                Piece::Constant if matches!(word, "0" | "nil") => {}
                Piece::Constant => match self.constants.get(word) {
                    Some(number) => self.builder.refer(*number, span, Role::Call),
                    None => self.unknown.push((word, span)),
                },
                // A set must be defined before it is used; until then its name is that of an action.
                Piece::RestrictedAlone if self.sets.contains_key(word) => {
                    if let Some(number) = self.sets.get(word) {
                        self.builder.refer(*number, span, Role::Read);
                    }
                }
                Piece::New => self.action(word, span, Role::Write),
                _ => self.action(word, span, Role::Read),
            }
        });
    }

    fn check(&mut self, section: Section) {
        let tokens = self.tokens;
        let mut properties: Vec<(usize, usize)> = vec![];
        check_pieces(tokens, section, section.end, &mut |piece, first, end| match piece {
            claims::Piece::Name => {
                let (name, span) = (tokens.word(first), tokens.span(first));
                let number = self.builder.declare(SymbolKind::Property, name, span, span, None);
                properties.push((number, first));
            }
            claims::Piece::Label => {
                let last = end.saturating_sub(1);
                if tokens.is_word(last) {
                    self.action(tokens.word(last), tokens.span(last), Role::Read);
                }
            }
            claims::Piece::Logic => {}
        });
        // A property reaches to the next one, or to the brace.
        let brace = (section.body..section.end).find(|at| tokens.is_sign(*at, '}')).unwrap_or(section.end);
        let ends = properties.iter().skip(1).map(|(_, first)| *first).chain([brace]);
        for ((number, first), end) in properties.iter().zip(ends) {
            self.builder.extend(*number, tokens.range(*first, end).end);
        }
    }

    /// The first place of an action declares it.
    fn action(&mut self, name: &'t str, span: Span, role: Role) {
        if matches!(name, "tau" | "0" | "nil") {
            return;
        }
        match self.actions.get(name) {
            Some(number) => self.builder.refer(*number, span, role),
            None => {
                let number = self.builder.declare(SymbolKind::Action, name, span, span, None);
                self.actions.insert(name, number);
            }
        }
    }

    fn finish(mut self) -> Index {
        // An action without the process that must follow it is more likely than a constant without a definition.
        for (word, span) in std::mem::take(&mut self.unknown) {
            if let Some(number) = self.actions.get(word) {
                self.builder.refer(*number, span, Role::Read);
            }
        }
        self.builder.finish()
    }
}
