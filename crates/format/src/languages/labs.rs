//! LAbS.

use super::{before, gap, is_word, text};
use crate::piece::{Frame, Head, Piece, Role, Tail};
use swarmcheck_source::token::TokenClass;

/// A tuple has so many names at most as far as the formatter is concerned. Looking further would take time for nothing.
const MOST_NAMES: usize = 40;

/// Words that an operand follows, or that may be variables. Nothing but the space behind it tells which.
const OPERATORS: [&str; 20] = [
    "after",
    "always",
    "between",
    "count",
    "eventually",
    "fairly",
    "fairly_inf",
    "finally",
    "from",
    "globally",
    "implies",
    "ltl",
    "next",
    "pick",
    "precedes",
    "release",
    "thereIs",
    "unless",
    "until",
    "where",
];

/// The part of a section that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Names and what they stand for, with `:` between them. It has come for the current name, or has not.
    Declarations {
        colon: bool,
    },
    Other,
}

struct Sections<'t> {
    /// The word of the section.
    word: &'t str,
    /// How many brackets are open in it, its own brace included.
    depth: usize,
    part: Part,
    /// For each brace that is open, whether it holds values to choose from.
    braces: Vec<bool>,
}

/// Words that open a part of a section.
const PARTS: [&str; 9] =
    ["extern", "environment", "spawn", "interface", "stigmergies", "rate", "link", "space", "floor"];

pub(super) fn classify(code: &mut [&mut Piece<'_>]) {
    let mut sections = Sections { word: "", depth: 0, part: Part::Other, braces: vec![] };
    for at in 0..code.len() {
        let head = sections.head(code, at);
        let role = role(code, at, &mut sections);
        let tail = tail(code, at, head, sections.word);
        let opens_section = sections.depth == 0 && !sections.word.is_empty();
        let Some(piece) = code.get_mut(at) else { return };
        if piece.text == "{" {
            piece.frame = match (opens_section, role) {
                (true, _) => Frame::Section,
                (false, Role::Open { spaced: true, .. }) => Frame::Block,
                _ => Frame::Other,
            };
        }
        match piece.role {
            Role::Open { .. } => sections.depth += 1,
            Role::Close { .. } => sections.depth = sections.depth.saturating_sub(1),
            _ => {}
        }
        (piece.head, piece.role, piece.tail) = (head, role, tail);
    }
}

impl<'t> Sections<'t> {
    /// What a line means that begins here. Goes on to the next section or part.
    fn head(&mut self, code: &[&mut Piece<'t>], at: usize) -> Head {
        let (word, next) = (text(code, at), text(code, at + 1));
        let section = match word {
            "system" | "check" | "assume" | "view" => next == "{",
            "agent" | "stigmergy" => is_word(code, at + 1) && text(code, at + 2) == "{",
            _ => false,
        };
        if section {
            (self.word, self.depth, self.part) = (word, 0, Part::Other);
            return Head::Section { level: 0, hanging: 0 };
        }
        let upper = word.starts_with(char::is_uppercase);
        if upper && next == "=" && is_word(code, at) {
            self.part = Part::Other;
            return Head::Definition;
        }
        if self.depth == 1 {
            let part = match self.word {
                "system" => matches!(word, "extern" | "environment" | "spawn"),
                "agent" => matches!(word, "interface" | "stigmergies" | "rate"),
                "stigmergy" => matches!(word, "link" | "rate"),
                "view" => matches!(word, "space" | "floor"),
                _ => false,
            };
            if part && matches!(next, "=" | ":")
                || self.word == "view" && word == "show" && is_word(code, at + 1)
            {
                let declares = matches!(word, "extern" | "environment" | "spawn" | "interface");
                self.part = if declares { Part::Declarations { colon: false } } else { Part::Other };
                return Head::Definition;
            }
            if self.word == "stigmergy" && is_tuple(code, at) {
                self.part = Part::Declarations { colon: false };
                return Head::Definition;
            }
        }
        match word {
            "++" | "||" | "|" => Head::Choice,
            "then" => Head::Then,
            "else" => Head::Else,
            "precedes" | "where" if is_word(code, at.wrapping_sub(1)) || is_close(before(code, at)) => {
                Head::Deeper
            }
            "of" | "@" | ":" => Head::Deeper,
            _ if is_operator(word) || is_arrow(word) || is_assignment(word) => Head::Deeper,
            _ => Head::Plain,
        }
    }
}

/// Whether the names of a tuple stand here, with a colon behind them.
fn is_tuple(code: &[&mut Piece<'_>], at: usize) -> bool {
    // Names in the middle of a tuple are no beginning.
    if !is_word(code, at) || before(code, at) == "," {
        return false;
    }
    let mut end = at + 1;
    while end < at + 2 * MOST_NAMES && text(code, end) == "," && is_word(code, end + 1) {
        end += 2;
    }
    while end < at + 2 * MOST_NAMES && matches!(text(code, end), "[" | "]") || is_size(code, end) {
        end += 1;
    }
    text(code, end) == ":"
}

/// Whether this is the size of an array, a single word.
fn is_size(code: &[&mut Piece<'_>], at: usize) -> bool {
    is_word(code, at) && before(code, at) == "[" && text(code, at + 1) == "]"
}

fn role(code: &[&mut Piece<'_>], at: usize, sections: &mut Sections<'_>) -> Role {
    let Some(piece) = code.get(at) else { return Role::Word };
    let last = before(code, at);
    match piece.text {
        "{" => {
            let values = sections.depth > 0 && matches!(sections.part, Part::Declarations { .. });
            sections.braces.push(values);
            Role::Open { attached: false, spaced: !values }
        }
        "}" => Role::Close { spaced: sections.braces.pop() != Some(true) },
        "(" => {
            // Nothing else can be called, but it may be tried.
            let name =
                at.checked_sub(1).and_then(|at| code.get(at)).is_some_and(|p| p.class == TokenClass::Name);
            let tried = name && !OPERATORS.contains(&last) && !gap(code, at);
            Role::Open { attached: tried || matches!(last, "abs" | "min" | "max"), spaced: false }
        }
        "[" => Role::Open { attached: is_indexed(code, at), spaced: false },
        ".." | "…" => Role::Tight,
        "!" | "¬" => Role::Prefix,
        "<>" if !is_operand(code, at) => Role::Word,
        "-" | "−" | "–" if !is_operand(code, at) => Role::Prefix,
        "-" | "−" | "–" if OPERATORS.contains(&last) && gap(code, at) && !gap(code, at + 1) => {
            Role::Prefix
        }
        ";" | "," => {
            if let Part::Declarations { colon } = &mut sections.part {
                *colon &= sections.depth != 1 || piece.text == "," && sections.word == "stigmergy";
            }
            Role::Postfix
        }
        // `environment: x: 0` is another way to write `environment = x: 0`.
        ":" if PARTS.contains(&last) && sections.depth == 1 && is_part(code, at) => Role::Postfix,
        ":" => match &mut sections.part {
            Part::Declarations { colon } if sections.depth == 1 => {
                let again = std::mem::replace(colon, true);
                let names = !again || !gap(code, at);
                if names && is_operand(code, at) { Role::Postfix } else { Role::Binary }
            }
            _ => Role::Binary,
        },
        _ => piece.role,
    }
}

/// Whether the word right before this place begins a part.
fn is_part(code: &[&mut Piece<'_>], at: usize) -> bool {
    at.checked_sub(1).and_then(|at| code.get(at)).is_some_and(|piece| piece.head == Head::Definition)
}

/// Whether a bracket here holds the index of what stands before it.
fn is_indexed(code: &[&mut Piece<'_>], at: usize) -> bool {
    let Some(last) = at.checked_sub(1).and_then(|last| code.get(last)) else { return false };
    match last.class {
        TokenClass::Name => !OPERATORS.contains(&last.text) || !gap(code, at),
        TokenClass::Close => last.text == "]" && !gap(code, at),
        _ => false,
    }
}

/// Whether an operand ends right before this place.
fn is_operand(code: &[&mut Piece<'_>], at: usize) -> bool {
    let Some(last) = at.checked_sub(1).and_then(|last| code.get(last)) else { return false };
    match last.class {
        TokenClass::Name | TokenClass::Number | TokenClass::Close => true,
        TokenClass::Keyword => matches!(last.text, "id" | "true" | "false" | "undef"),
        _ => false,
    }
}

fn tail(code: &[&mut Piece<'_>], at: usize, head: Head, section: &str) -> Tail {
    let word = text(code, at);
    match word {
        "," => {
            let quantifier = at.checked_sub(3).map_or("", |at| text(code, at));
            if matches!(quantifier, "forall" | "exists" | "count") { Tail::Value } else { Tail::Plain }
        }
        // The sign of a definition: what belongs to it is known to be deeper.
        "=" if is_part(code, at) => Tail::Plain,
        // What is claimed, not a variable of that name.
        "always" | "finally" | "eventually" | "fairly" | "fairly_inf" | "thereIs" | "ltl"
            if section == "check" && is_word(code, at) && !is_sign(code, at + 1) =>
        {
            Tail::Value
        }
        _ if is_arrow(word) => Tail::Guard,
        _ if is_assignment(word) => Tail::Value,
        _ if is_operator(word) && head == Head::Deeper => Tail::Deeper,
        _ => Tail::Plain,
    }
}

fn is_sign(code: &[&mut Piece<'_>], at: usize) -> bool {
    code.get(at).is_some_and(|piece| matches!(piece.class, TokenClass::Operator | TokenClass::Separator))
}

fn is_close(text: &str) -> bool {
    matches!(text, ")" | "]" | "}")
}

fn is_arrow(text: &str) -> bool {
    matches!(text, "->" | "=>" | "→")
}

fn is_assignment(text: &str) -> bool {
    matches!(text, "<-" | "<--" | "<~" | ":=" | "←")
}

/// Comparisons and arithmetic.
fn is_operator(text: &str) -> bool {
    matches!(
        text,
        "=" | "=="
            | "!="
            | "<>"
            | "≠"
            | "<"
            | "<="
            | "≤"
            | ">"
            | ">="
            | "≥"
            | "+"
            | "-"
            | "−"
            | "–"
            | "*"
            | "/"
            | "%"
    )
}
