//! R-CHECK. Some white space means something there: `k-x` is the variable of an agent and `k - x` a difference, `next(x)` is a
//! guard and `next (x)` a formula. Where that may be so, it stays as it is.

use super::{before, gap, is_word, text};
use crate::piece::{Head, Piece, Role, Tail};
use swarmcheck_source::token::TokenClass;

/// Words of one letter, and others that an operand follows.
const OPERATORS: [&str; 11] = ["F", "G", "X", "U", "W", "R", "rep", "SPEC", "LTL", "LTOL", "LTLSPEC"];

/// Words that are operators or names of guards.
const PERHAPS: [&str; 16] = [
    "always",
    "and",
    "eventually",
    "finally",
    "globally",
    "iff",
    "implies",
    "next",
    "not",
    "or",
    "release",
    "releases",
    "sometime",
    "unless",
    "until",
    "weakuntil",
];

/// A bracket that is open.
struct Open {
    at: usize,
    /// Whether it is a `<` that may be closed.
    angle: bool,
}

pub(super) fn classify(code: &mut [&mut Piece<'_>]) {
    let mut specification = false;
    let mut open: Vec<Open> = vec![];
    for at in 0..code.len() {
        let (head, role) = (head(code, at), role(code, at));
        let Some(piece) = code.get_mut(at) else { return };
        (piece.head, piece.role) = (head, role);
        let (word, role) = (piece.text, piece.role);
        if let Head::Section { level: 0, .. } = head {
            specification = is_specification(word);
            open.clear();
        }
        match role {
            Role::Open { .. } => open.push(Open { at, angle: false }),
            Role::Close { .. } => while open.pop().is_some_and(|last| last.angle) {},
            _ => {}
        }
        // `<` and `>` are brackets or comparisons. What stands before the one and behind the other tells.
        match word {
            "<" if !is_operand(code, at) => open.push(Open { at, angle: true }),
            ">" if specification || acts(code, at + 1) => {
                if let Some(first) = open.pop_if(|last| last.angle) {
                    bracket(code, first.at, Role::Open { attached: false, spaced: false });
                    bracket(code, at, Role::Close { spaced: false });
                }
            }
            _ => {}
        }
    }
    for at in 0..code.len() {
        commands(code, at);
    }
}

fn bracket(code: &mut [&mut Piece<'_>], at: usize, role: Role) {
    if let Some(piece) = code.get_mut(at) {
        (piece.role, piece.head, piece.tail) = (role, Head::Plain, Tail::Plain);
    }
}

fn is_specification(word: &str) -> bool {
    matches!(word, "SPEC" | "LTL" | "LTOL" | "LTLSPEC")
}

/// Whether what a command communicates stands here.
fn acts(code: &[&mut Piece<'_>], at: usize) -> bool {
    match text(code, at) {
        "GET" | "SUPPLY" => true,
        "*" | "⋆" => matches!(text(code, at + 1), "!" | "?"),
        _ => is_word(code, at) && matches!(text(code, at + 1), "!" | "?"),
    }
}

fn head(code: &[&mut Piece<'_>], at: usize) -> Head {
    let (word, next) = (text(code, at), text(code, at + 1));
    let part = match word {
        "channel" | "channels" => next == ":",
        "message" | "property" | "communication" => next == "-",
        "system" => next == "=",
        "enum" | "guard" | "agent" => is_word(code, at + 1) && before(code, at) != "-",
        _ => is_specification(word),
    };
    if part {
        // The operands of a system stand one below the other.
        let below = word == "system" && code.get(at + 2).is_some_and(|piece| !piece.broken);
        return Head::Section { level: 0, hanging: if below { 6 } else { 2 } };
    }
    match word {
        "local" | "init" | "relabel" | "repeat" if next == ":" => Head::Section { level: 1, hanging: 2 },
        "receive" if next == "-" => Head::Section { level: 1, hanging: 2 },
        "+" => Head::Choice,
        "=" | "==" | "!=" | "<=" | ">=" | ">" | "-" | "*" | "/" | "≠" | "≤" | "≥" => Head::Deeper,
        _ => Head::Plain,
    }
}

/// Commands begin with a label or a guard. A line that goes on with one is deeper.
fn commands(code: &mut [&mut Piece<'_>], at: usize) {
    let guard = |at: usize| {
        code.get(at).is_some_and(|piece| {
            matches!(piece.role, Role::Open { .. }) && matches!(piece.text, "{" | "<" | "⟨")
        })
    };
    let labelled = is_word(code, at) && text(code, at + 1) == ":" && guard(at + 2);
    let bare = guard(at) && matches!(before(code, at), "(" | "+" | ";");
    let colon = text(code, at) == ":" && (guard(at + 1) || names_part(code, at));
    let Some(piece) = code.get_mut(at) else { return };
    if (labelled || bare) && piece.head == Head::Plain {
        piece.head = Head::Statement;
    }
    if colon {
        piece.role = Role::Postfix;
    }
}

/// Whether a colon stands behind the name of a part, not between a name and its type.
fn names_part(code: &[&mut Piece<'_>], at: usize) -> bool {
    let head = |back: usize| at.checked_sub(back).and_then(|at| code.get(at)).map(|piece| piece.head);
    let section = |back: usize| matches!(head(back), Some(Head::Section { .. }));
    // `local:`, `SPEC Name:`, `message-structure:`.
    section(1)
        || section(2) && is_specification(text(code, at - 2))
        || section(3) && text(code, at - 2) == "-"
}

fn role(code: &[&mut Piece<'_>], at: usize) -> Role {
    let Some(piece) = code.get(at) else { return Role::Word };
    let last = before(code, at);
    let operator = OPERATORS.contains(&last);
    let perhaps = PERHAPS.contains(&last);
    match piece.text {
        "(" => {
            let call = is_word(code, at.wrapping_sub(1)) && !operator && (!perhaps || !gap(code, at));
            Role::Open { attached: call || matches!(last, ")" | "@"), spaced: false }
        }
        // The updates of a command follow what it sends.
        "[" => Role::Open { attached: last == ")", spaced: false },
        "!" if is_channel(code, at) => Role::Postfix,
        "!" | "¬" if perhaps && !gap(code, at) => Role::Keep,
        "!" | "¬" => Role::Prefix,
        "?" => Role::Postfix,
        "@" if matches!(last, "GET" | "SUPPLY") => Role::Tight,
        "@" => Role::Prefix,
        "*" | "⋆" if matches!(text(code, at + 1), "!" | "?") => Role::Word,
        "*" | "⋆" if !is_operand(code, at) => Role::Word,
        "-" if is_joined(code, at) => Role::Keep,
        "-" if !is_operand(code, at) => Role::Prefix,
        ".." => Role::Tight,
        // `k.x` is told to be wrong, and stays as it is; `exists k : K.x` is not.
        "." if !gap(code, at) && !gap(code, at + 1) && before(code, at.wrapping_sub(1)) != ":" => Role::Keep,
        "<>" => Role::Word,
        _ => piece.role,
    }
}

/// Whether what stands before a sign is the channel that is sent on.
fn is_channel(code: &[&mut Piece<'_>], at: usize) -> bool {
    let last = before(code, at);
    let name = is_word(code, at.wrapping_sub(1)) && !OPERATORS.contains(&last) && !PERHAPS.contains(&last);
    name || matches!(last, "*" | "⋆")
}

/// Whether a hyphen joins two words.
fn is_joined(code: &[&mut Piece<'_>], at: usize) -> bool {
    let word = at
        .checked_sub(1)
        .and_then(|last| code.get(last))
        .is_some_and(|last| matches!(last.class, TokenClass::Name | TokenClass::Keyword));
    let letter = text(code, at + 1).starts_with(|c: char| c.is_alphabetic() || c == '_');
    word && letter && !gap(code, at) && !gap(code, at + 1)
}

/// Whether an operand ends right before this place.
fn is_operand(code: &[&mut Piece<'_>], at: usize) -> bool {
    let Some(last) = at.checked_sub(1).and_then(|last| code.get(last)) else { return false };
    match last.role {
        Role::Word => !OPERATORS.contains(&last.text) && !PERHAPS.contains(&last.text),
        Role::Close { .. } => last.text == ")",
        _ => false,
    }
}
