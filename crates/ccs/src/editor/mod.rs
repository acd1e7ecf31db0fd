//! What editors ask about a `.ccs` file, from its tokens, so that it is there while the file has errors.
//!
//! All equal names of actions are one symbol. A restricted name is another action than the same word outside, but no rule
//! makes it the same word by accident: renaming all of them keeps every name equal or different to every other.

mod candidates;
mod index;
mod meaning;
mod outline;
mod signature;

pub use candidates::candidates;
pub use index::index;
pub use meaning::meaning;
pub use signature::signature;

use swarmcheck_calculi::editor::{Tokens, claims, spelling_problem};
use swarmcheck_source::index::SymbolKind;

/// All words that the language knows somewhere.
pub const WORDS: &[&str] = &[
    "proc",
    "set",
    "system",
    "check",
    "nil",
    "tau",
    "always",
    "never",
    "eventually",
    "finally",
    "fairly",
    "fairly_inf",
    "possibly",
    "ltl",
    "precedes",
    "not",
    "and",
    "or",
    "any",
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
    Tokens::new(text, crate::syntax::SIGNS)
}

/// The token after a label in a property.
fn label_end(tokens: &Tokens<'_>, at: usize) -> usize {
    at + 1 + usize::from(tokens.is_sign(at, '\'') && tokens.is_word(at + 1))
}

/// Why this cannot be the name of such a symbol, as a sentence.
pub fn name_problem(kind: SymbolKind, name: &str) -> Option<String> {
    if let Some(problem) = spelling_problem(name) {
        return Some(problem);
    }
    if matches!(name, "0" | "nil") {
        return Some(format!("`{name}` is the process that can do nothing."));
    }
    if name == "tau" {
        return Some("`tau` is the action that nobody sees.".to_string());
    }
    if matches!(name, "proc" | "set" | "system" | "check") {
        return Some(format!("`{name}` begins a declaration."));
    }
    (kind == SymbolKind::Action && claims::WORDS.contains(&name)).then(|| {
        format!("`{name}` is a word of properties, and an action of this name could be taken for it.")
    })
}

#[cfg(test)]
mod tests;
