//! What editors ask about an R-CHECK script, from its tokens, so that it is there while the script has errors.
//!
//! `outline` finds the parts of a script, `pieces` those of its commands. With these two, the index, completion, meanings
//! and signatures know the place of a word. What a name means there follows [`mod@crate::check`].

mod candidates;
mod formula;
mod index;
mod meaning;
mod offers;
mod outline;
mod pieces;
mod signature;

pub use candidates::candidates;
pub use index::index;
pub use meaning::meaning;
pub use signature::signature;

use crate::syntax::expr::{INFIX_WORDS, PREFIX_WORDS};
use crate::syntax::{AGENT_PARTS, PARTS, RESERVED, SIGNS};
use swarmcheck_calculi::editor::{Tokens, spelling_problem};
use swarmcheck_ir::linear::words::{BINARY, UNARY};
use swarmcheck_source::index::SymbolKind;

/// All words that the language knows somewhere. Many of them are names where they cannot be anything else.
pub const WORDS: &[&str] = &[
    "channel",
    "channels",
    "enum",
    "message",
    "structure",
    "property",
    "communication",
    "variables",
    "guard",
    "agent",
    "local",
    "init",
    "relabel",
    "receive",
    "repeat",
    "rep",
    "system",
    "SPEC",
    "LTL",
    "LTOL",
    "LTLSPEC",
    "bool",
    "boolean",
    "Bool",
    "int",
    "integer",
    "Int",
    "location",
    "TRUE",
    "true",
    "True",
    "FALSE",
    "false",
    "False",
    "chan",
    "ch",
    "myself",
    "SELF",
    "any",
    "GET",
    "SUPPLY",
    "keep",
    "all",
    "forall",
    "exists",
    "Agent",
    "sender",
    "getter",
    "supplier",
    "initiator",
    "producer",
    "p2p",
    "progress",
    "PROGRESS",
    "enabled",
    "name",
    "state",
    "automaton",
    "G",
    "globally",
    "F",
    "X",
    "next",
    "U",
    "until",
    "R",
    "V",
    "release",
    "releases",
    "W",
    "unless",
];

fn tokens(text: &str) -> Tokens<'_> {
    Tokens::new(text, SIGNS)
}

/// Whether a word cannot be a name in an expression.
fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || matches!(word, "True" | "False")
}

/// Why this cannot be the name of such a symbol, as a sentence.
pub fn name_problem(kind: SymbolKind, name: &str) -> Option<String> {
    if let Some(problem) = spelling_problem(name) {
        return Some(problem);
    }
    if !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return Some("A name begins with a letter or an underscore.".to_string());
    }
    if is_reserved(name) {
        return Some(format!("`{name}` is a word of the language."));
    }
    if PARTS.contains(&name) || AGENT_PARTS.contains(&name) {
        return Some(format!("`{name}` begins a part of a script or of an agent."));
    }
    let operator = |words: &[(&str, &str)]| words.iter().any(|(word, _)| *word == name);
    let temporal =
        UNARY.iter().any(|(word, _)| *word == name) || BINARY.iter().any(|(word, _)| *word == name);
    if temporal || operator(PREFIX_WORDS) || operator(INFIX_WORDS) {
        return Some(format!("`{name}` could be taken for an operator."));
    }
    let typed = matches!(name, "boolean" | "Bool" | "integer" | "Int");
    (kind == SymbolKind::Enumeration && typed).then(|| format!("`{name}` is another word for a type."))
}

#[cfg(test)]
mod tests;
