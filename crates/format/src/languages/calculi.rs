//! CCS and choreographies. Their claims are alike.

use super::{before, is_word, text};
use crate::piece::{Frame, Head, Piece, Role};

/// A part of the file that goes on in lines one level deeper.
const PART: Head = Head::Section { level: 0, hanging: 2 };

pub(super) fn ccs(code: &mut [&mut Piece<'_>]) {
    // Within `[ ]`, a stroke stands between a new name and an old one.
    let (mut square, mut braces) = (0_usize, vec![]);
    for at in 0..code.len() {
        let (last, next) = (before(code, at), text(code, at + 1));
        let section = claims(code, at);
        let begins = match text(code, at) {
            "proc" | "set" => is_word(code, at + 1) && text(code, at + 2) == "=",
            "system" => next == "=",
            _ => false,
        };
        let attached = match text(code, at) {
            "[" => is_word(code, at.wrapping_sub(1)) && !is_operator(last) || matches!(last, ")" | "]" | "}"),
            _ => false,
        };
        let Some(piece) = code.get_mut(at) else { return };
        match piece.text {
            "'" => piece.role = Role::Prefix,
            "." => piece.role = Role::Tight,
            "[" | "|[" => square += 1,
            "]" | "]|" => square = square.saturating_sub(1),
            "/" if square > 0 => piece.role = Role::Tight,
            "!" => piece.role = Role::Prefix,
            "<>" => piece.role = Role::Word,
            "+" | "|" => piece.head = Head::Choice,
            _ => {}
        }
        if let Role::Open { .. } = piece.role {
            piece.role = Role::Open { attached, spaced: false };
        }
        if begins {
            piece.head = PART;
        }
        mark(piece, section, &mut braces);
    }
}

pub(super) fn chor(code: &mut [&mut Piece<'_>]) {
    // Within `[ ]`, a comma stands between two peers.
    let (mut square, mut braces) = (0_usize, vec![]);
    for at in 0..code.len() {
        let (last, section) = (before(code, at), claims(code, at));
        let begins = text(code, at) == "choreography" && is_word(code, at + 1) && text(code, at + 2) == "=";
        let word = is_word(code, at.wrapping_sub(1)) && !is_operator(last);
        let Some(piece) = code.get_mut(at) else { return };
        match piece.text {
            "@" => piece.role = Role::Tight,
            "*" | "!" => piece.role = Role::Prefix,
            "<>" => piece.role = Role::Word,
            "+" | "|" | "||" => piece.head = Head::Choice,
            "[" => {
                square += 1;
                piece.role = Role::Open { attached: word, spaced: false };
            }
            "]" => square = square.saturating_sub(1),
            "," if square > 0 => piece.role = Role::Tight,
            _ => {}
        }
        if begins {
            piece.head = PART;
        }
        mark(piece, section, &mut braces);
    }
}

/// What a piece means for the claims of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Claims {
    Section,
    Opens,
    Claim,
    Operator,
    Other,
}

fn claims(code: &[&mut Piece<'_>], at: usize) -> Claims {
    match text(code, at) {
        "check" if text(code, at + 1) == "{" => Claims::Section,
        "{" if before(code, at) == "check" => Claims::Opens,
        "precedes" | "until" | "unless" | "release" | "->" => Claims::Operator,
        _ if is_word(code, at) && text(code, at + 1) == "=" => Claims::Claim,
        _ => Claims::Other,
    }
}

/// Marks a piece. The braces that are open are those of claims, or others.
fn mark(piece: &mut Piece<'_>, claims: Claims, braces: &mut Vec<bool>) {
    match piece.text {
        "{" => braces.push(claims == Claims::Opens),
        "}" => piece.role = Role::Close { spaced: braces.pop() == Some(true) },
        _ => {}
    }
    match claims {
        Claims::Section => piece.head = Head::Section { level: 0, hanging: 0 },
        Claims::Opens => {
            piece.frame = Frame::Section;
            piece.role = Role::Open { attached: false, spaced: true };
        }
        // The name of a process that is defined follows another word in its line, so it is no head there.
        Claims::Claim if piece.head == Head::Plain => piece.head = Head::Definition,
        Claims::Operator => piece.head = Head::Deeper,
        _ => {}
    }
}

/// Whether an operand follows a word.
fn is_operator(word: &str) -> bool {
    const WORDS: [&str; 14] = [
        "and",
        "any",
        "always",
        "eventually",
        "finally",
        "globally",
        "implies",
        "ltl",
        "next",
        "not",
        "or",
        "possibly",
        "precedes",
        "until",
    ];
    WORDS.contains(&word) || matches!(word, "unless" | "release" | "never" | "fairly" | "fairly_inf")
}
