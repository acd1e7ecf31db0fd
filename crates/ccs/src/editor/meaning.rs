//! What the words and signs of CCS mean, and which rule says so.

use super::outline::{Part, Piece, Section, around, check_pieces, outline, pieces};
use super::{Tokens, tokens};
use swarmcheck_calculi::editor::claims;
use swarmcheck_source::Span;
use swarmcheck_source::index::Meaning;

/// What the word or sign at an offset means; names of the file have no entry here.
pub fn meaning(text: &str, offset: u32) -> Option<(Span, Meaning)> {
    let tokens = tokens(text);
    let at = tokens.at(offset).filter(|_| !tokens.is_comment(offset))?;
    let sections = outline(&tokens);
    let section = around(&sections, at + 1)?;
    let one = |meaning: Option<Meaning>| meaning.map(|meaning| (tokens.span(at), meaning));
    if at < section.body {
        return one(declaration(&tokens, section, at));
    }
    if section.part == Part::Check {
        return logic(&tokens, section, at);
    }
    let mut piece = None;
    pieces(&tokens, section, &mut |found, place| {
        if place == at {
            piece = Some(found);
        }
    });
    one(term(&tokens, at, piece?))
}

fn declaration(tokens: &Tokens<'_>, section: Section, at: usize) -> Option<Meaning> {
    if at != section.first || !tokens.is_word(at) {
        return None;
    }
    Some(match section.part {
        Part::Process => Meaning {
            says: "Defines a constant: wherever its name stands, it behaves as the process after `=`.",
            cites: "TOSEM, table 1, rule CON",
        },
        Part::Set => Meaning {
            says: "Gives a name to a set of actions, for restrictions that come after it.",
            cites: "docs/ccs.md, section A file",
        },
        Part::System => Meaning {
            says: "The process that is verified. Without this line it is the last one that is defined.",
            cites: "docs/ccs.md, section A file",
        },
        Part::Check => Meaning {
            says: "Properties of the actions that the system performs.",
            cites: "docs/ccs.md, section Properties",
        },
    })
}

fn logic(tokens: &Tokens<'_>, section: Section, at: usize) -> Option<(Span, Meaning)> {
    let mut found = None;
    let mut formula = false;
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
    let span = tokens.range(first, end);
    let meaning = match piece {
        claims::Piece::Logic => claims::meaning(tokens.text_of(span), formula),
        claims::Piece::Label if tokens.word(at) == "tau" => Some(TAU),
        claims::Piece::Label if tokens.is_sign(at, '\'') => Some(CO_NAME),
        _ => None,
    };
    let span = if piece == claims::Piece::Label { tokens.span(at) } else { span };
    meaning.map(|meaning| (span, meaning))
}

const TAU: Meaning = Meaning {
    says: "The invisible action τ. It has no co-name, and it is neither restricted nor relabelled.",
    cites: "TOSEM, definition 2.2",
};

const CO_NAME: Meaning = Meaning {
    says: "A co-name: `'a` is the complement of `a`, and two processes in parallel may perform the two together.",
    cites: "TOSEM, definition 2.2 and table 1, rule PAR₂",
};

fn term(tokens: &Tokens<'_>, at: usize, piece: Piece) -> Option<Meaning> {
    let hoare = Meaning {
        says: "Hoare's parallel composition: both sides perform the actions in the brackets together, and all others by themselves.",
        cites: "TOSEM, table 2, rules IDLE_L and SYNC_L",
    };
    let before = at.checked_sub(1).and_then(|before| tokens.sign(before));
    Some(match (piece, tokens.text(at)) {
        (_, "'") => CO_NAME,
        (Piece::Action, "tau") => TAU,
        (Piece::Constant, "0" | "nil") => {
            Meaning { says: "The idle process, which can do nothing.", cites: "TOSEM, definition 2.2" }
        }
        (Piece::Sign, ".") => Meaning {
            says: "Performs the action on the left, and continues as the process on the right.",
            cites: "TOSEM, table 1, rule ACT",
        },
        (Piece::Sign, "+") => Meaning {
            says: "One of the two sides; the first action that is performed decides which.",
            cites: "TOSEM, table 1, rule CHOICE",
        },
        (Piece::Sign, "|") if tokens.is_sign(at + 1, '[') || before == Some(']') => hoare,
        (Piece::Forced, "[" | "]") => hoare,
        (Piece::Sign, "|") => Meaning {
            says: "Parallel composition: each side acts by itself, or both perform a name and its co-name together, observed as τ.",
            cites: "TOSEM, table 1, rules PAR₁ and PAR₂",
        },
        (Piece::Sign, "\\") => Meaning {
            says: "Restriction: these names and their co-names cannot be performed towards the outside.",
            cites: "TOSEM, table 1, rule RES",
        },
        (Piece::New | Piece::Old, "[" | "]" | "/") => Meaning {
            says: "Relabelling `[new/old]`: the old name is observed as the new one, and its co-name as the new co-name.",
            cites: "TOSEM, table 1, rule REL",
        },
        _ => return None,
    })
}
