//! What the words and signs of Chor mean, and where the papers say so.

use super::outline::{Part, Section, Word, around, check_pieces, outline, word};
use super::{Tokens, tokens};
use swarmcheck_calculi::editor::claims;
use swarmcheck_source::Span;
use swarmcheck_source::index::Meaning;

/// What the word or sign at an offset means; names of the file have no entry here.
pub fn meaning(text: &str, offset: u32) -> Option<(Span, Meaning)> {
    let tokens = tokens(text);
    let at = tokens.at(offset).filter(|_| !tokens.is_comment(offset))?;
    let section = around(&outline(&tokens), at + 1)?;
    if at < section.body {
        return declaration(section, at).map(|meaning| (tokens.span(at), meaning));
    }
    match section.part {
        Part::Choreography => term(&tokens, at),
        Part::Check => logic(&tokens, section, at),
    }
}

fn declaration(section: Section, at: usize) -> Option<Meaning> {
    let meaning = match section.part {
        Part::Choreography => Meaning {
            says: "One description of what several peers do together. Natural projection gives each peer its part.",
            cites: "TOSEM, section 5",
        },
        Part::Check => Meaning {
            says: "Properties of the actions that the peers perform.",
            cites: "docs/chor.md, section Choreographies",
        },
    };
    (at == section.first).then_some(meaning)
}

const INVISIBLE: Meaning = Meaning {
    says: "The invisible action: nothing that can be seen. The papers also write τ.",
    cites: "TOSEM, section 5.1 and footnote 5",
};

fn term(tokens: &Tokens<'_>, at: usize) -> Option<(Span, Meaning)> {
    if tokens.is_word(at) {
        return (word(tokens, at, false) == Word::Invisible).then(|| (tokens.span(at), INVISIBLE));
    }
    let (says, cites) = match tokens.sign(at)? {
        '@' => ("A local action: the peer performs it by itself.", "TOSEM, section 5.1"),
        '[' | ']' => (
            "A communication: both peers perform it together, and neither can without the other.",
            "TOSEM, section 5.1",
        ),
        ';' => ("First the left side, then the right side.", "TOSEM, section 5.1"),
        '+' => (
            "One of the two. Each peer that meets the choice decides it by itself, silently and for good.",
            "docs/chor.md, section Choreographies; TOSEM, section 5.1 and footnote 5",
        ),
        '|' => ("Both sides, with their actions in any order.", "TOSEM, section 5.1"),
        '*' => (
            "What follows, zero or more times: `*C` is the choice between τ, C, C; C, and so on.",
            "TOSEM, section 5.1",
        ),
        _ => return None,
    };
    let bar = |at: usize| tokens.is_sign(at, '|');
    let span = match at.checked_sub(1) {
        Some(before) if bar(at) && bar(before) && tokens.is_joined(before) => tokens.range(before, at + 1),
        _ if bar(at) && bar(at + 1) && tokens.is_joined(at) => tokens.range(at, at + 2),
        _ => tokens.span(at),
    };
    Some((span, Meaning { says, cites }))
}

fn logic(tokens: &Tokens<'_>, section: Section, at: usize) -> Option<(Span, Meaning)> {
    let (mut found, mut formula) = (None, false);
    check_pieces(tokens, section, section.end, &mut |piece, first, end| {
        if piece == claims::Piece::Name && first <= at {
            formula = false;
        }
        if piece == claims::Piece::Logic && first <= at {
            formula |= matches!(tokens.word(first), "ltl" | "possibly");
        }
        if (first..end).contains(&at) {
            found = Some((piece, first, end, formula));
        }
    });
    let (piece, first, end, formula) = found?;
    match piece {
        claims::Piece::Logic => {
            let span = tokens.range(first, end);
            claims::meaning(tokens.text_of(span), formula).map(|meaning| (span, meaning))
        }
        claims::Piece::Label if matches!(tokens.word(at), "tau" | "skip") => {
            Some((tokens.span(at), INVISIBLE))
        }
        claims::Piece::Label if !tokens.is_word(at) => term(tokens, at),
        _ => None,
    }
}
