//! Every declaration of a file, and every place that means it.

use super::outline::{Part, Section, Word, check_pieces, outline, word};
use super::{Tokens, tokens};
use std::collections::HashMap;
use swarmcheck_calculi::editor::{Builder, claims};
use swarmcheck_source::Span;
use swarmcheck_source::index::{Index, Role, SymbolKind};

/// Choreographies, peers, actions and properties. Peers and actions are declared at their first places.
pub fn index(text: &str) -> Index {
    let tokens = tokens(text);
    let mut names = Names {
        tokens: &tokens,
        builder: Builder::default(),
        actions: HashMap::new(),
        peers: HashMap::new(),
        alone: vec![],
    };
    for section in outline(&tokens) {
        match section.part {
            Part::Choreography => names.choreography(section),
            Part::Check => names.check(section),
        }
    }
    names.finish()
}

struct Names<'t, 'a> {
    tokens: &'a Tokens<'t>,
    builder: Builder,
    actions: HashMap<&'t str, usize>,
    peers: HashMap<&'t str, usize>,
    /// Words without a peer.
    alone: Vec<(&'t str, Span)>,
}

impl Names<'_, '_> {
    fn choreography(&mut self, section: Section) {
        let tokens = self.tokens;
        let name = section.first + 1;
        let extent = tokens.range(section.first, section.end);
        self.builder.declare(SymbolKind::Process, tokens.word(name), tokens.span(name), extent, None);
        (section.body..section.end).filter(|at| tokens.is_word(*at)).for_each(|at| self.word(at, false));
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
                (first..end).filter(|at| tokens.is_word(*at)).for_each(|at| self.word(at, true));
            }
            claims::Piece::Logic => {}
        });
        // A property reaches to the next one, or to the brace.
        let ends = properties.iter().skip(1).map(|(_, first)| *first).chain([section.closed]);
        for ((number, first), end) in properties.iter().zip(ends) {
            self.builder.extend(*number, tokens.range(*first, end).end);
        }
    }

    fn word(&mut self, at: usize, label: bool) {
        let (name, span) = (self.tokens.word(at), self.tokens.span(at));
        let (known, kind) = match word(self.tokens, at, label) {
            Word::Action => (&mut self.actions, SymbolKind::Action),
            Word::Peer => (&mut self.peers, SymbolKind::Peer),
            Word::Invisible => return,
            Word::Alone => return self.alone.push((name, span)),
        };
        match known.get(name) {
            Some(number) => self.builder.refer(*number, span, Role::Read),
            None => {
                let number = self.builder.declare(kind, name, span, span, None);
                known.insert(name, number);
            }
        }
    }

    fn finish(mut self) -> Index {
        for (name, span) in std::mem::take(&mut self.alone) {
            if let Some(number) = self.actions.get(name) {
                self.builder.refer(*number, span, Role::Read);
            }
        }
        self.builder.finish()
    }
}
