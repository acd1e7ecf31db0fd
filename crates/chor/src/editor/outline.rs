//! The two kinds of declarations of a file, and what the words of a choreography are.

use super::{Tokens, label_end};
use swarmcheck_calculi::editor::claims;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// `choreography Name = C`.
    Choreography,
    /// `check { … }`.
    Check,
}

/// A declaration, by its tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub part: Part,
    /// The word that begins it.
    pub first: usize,
    /// The first token of what it says: after `=` or `{`, if they are there.
    pub body: usize,
    /// The token after it.
    pub end: usize,
    /// Of a `check` section, its closing brace; otherwise the end.
    pub closed: usize,
}

/// All declarations, in order. An action may be called `check`, so the brace behind the word counts.
pub(super) fn outline(tokens: &Tokens<'_>) -> Vec<Section> {
    let mut out: Vec<Section> = vec![];
    let (mut at, mut closed) = (0, 0);
    while at < tokens.count() {
        let named = tokens.is_word(at + 1);
        let part = match tokens.word(at) {
            "choreography" if named => Some(Part::Choreography),
            "check" if tokens.is_sign(at + 1, '{') => Some(Part::Check),
            _ => None,
        };
        let Some(part) = part.filter(|_| at >= closed) else {
            at += 1;
            continue;
        };
        if let Some(last) = out.last_mut() {
            last.end = at;
            last.closed = last.closed.min(at);
        }
        let body = match part {
            Part::Check => at + 2,
            Part::Choreography => at + 2 + usize::from(tokens.is_sign(at + 2, '=')),
        };
        let ends = |next: &usize| {
            let choreography = tokens.word(*next) == "choreography" && tokens.begins_line(*next);
            tokens.is_sign(*next, '}') || choreography && tokens.is_sign(*next + 2, '=')
        };
        let end = tokens.count();
        closed = match part {
            Part::Check => (body..end).find(ends).unwrap_or(end),
            Part::Choreography => at,
        };
        let inside = if part == Part::Check { closed } else { end };
        out.push(Section { part, first: at, body, end, closed: inside });
        at = body;
    }
    out
}

/// The declaration that a place is in: the last one whose first word is complete before it.
pub(super) fn around(sections: &[Section], at: usize) -> Option<Section> {
    let number = sections.partition_point(|section| section.first < at);
    number.checked_sub(1).and_then(|number| sections.get(number)).copied()
}

/// What a word of a choreography or of a label is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Action,
    Peer,
    /// `skip`, or τ.
    Invisible,
    /// A word alone: an action that has no peer yet, most likely.
    Alone,
}

pub(super) fn word(tokens: &Tokens<'_>, at: usize, label: bool) -> Word {
    let before = at.checked_sub(1).and_then(|before| tokens.sign(before));
    let named =
        matches!(tokens.sign(at + 1), Some('@')) || tokens.is_sign(at + 1, '[') && !tokens.sees(at + 1, "[]");
    match (before, tokens.word(at)) {
        (Some('@' | '['), _) => Word::Peer,
        // In a choreography, commas stand between peers only; in a check section also between properties.
        (Some(','), _) if !named => Word::Peer,
        (_, "skip") => Word::Invisible,
        (_, "tau") if label || !named => Word::Invisible,
        _ if named => Word::Action,
        _ => Word::Alone,
    }
}

/// Calls `found` with every piece of a `check` section up to a token.
pub(super) fn check_pieces(
    tokens: &Tokens<'_>,
    section: Section,
    end: usize,
    found: &mut dyn FnMut(claims::Piece, usize, usize),
) -> claims::State {
    claims::walk(tokens, section.body, end.min(section.closed), &label_end, found)
}
