//! What editors ask about a `.chor` file, from its tokens, so that it is there while the file has errors.
//!
//! Peers and actions are declared nowhere: all equal names of peers are one symbol, and all equal names of actions are.

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
    "choreography",
    "check",
    "skip",
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

/// The token after a label: `a@p`, `m[p,q]`, or as much of it as is there.
fn label_end(tokens: &Tokens<'_>, at: usize) -> usize {
    if matches!(tokens.word(at), "tau" | "skip") {
        return at + 1;
    }
    if tokens.is_sign(at + 1, '@') {
        return at + 2 + usize::from(tokens.is_word(at + 2));
    }
    if !tokens.is_sign(at + 1, '[') || tokens.sees(at + 1, "[]") {
        return at + 1;
    }
    // A word before an equals sign is the name of the next property.
    let peer = |at: usize| usize::from(tokens.is_word(at) && !tokens.is_sign(at + 1, '='));
    let comma = at + 2 + peer(at + 2);
    let second = comma + usize::from(tokens.is_sign(comma, ','));
    let end = second + peer(second);
    end + usize::from(tokens.is_sign(end, ']'))
}

/// Why this cannot be the name of such a symbol, as a sentence.
pub fn name_problem(kind: SymbolKind, name: &str) -> Option<String> {
    if let Some(problem) = spelling_problem(name) {
        return Some(problem);
    }
    if kind != SymbolKind::Action {
        return None;
    }
    if matches!(name, "skip" | "tau") {
        return Some(format!("`{name}` is the action that nobody sees."));
    }
    claims::WORDS.contains(&name).then(|| {
        format!("`{name}` is a word of properties, and an action of this name could be taken for it.")
    })
}

#[cfg(test)]
mod tests;
