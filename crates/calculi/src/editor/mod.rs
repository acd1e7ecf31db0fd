//! What editors ask about a text while it is being written, as far as the languages share it.
//!
//! Everything here works on tokens, not on a syntax tree: a text in the middle of a change has no tree worth the name, but
//! its words and signs are there. A language goes through the tokens once, with as much of its grammar in mind as tells what
//! a word stands for. On a text without errors that must agree with the parser; the tests rename every symbol to find out.

pub mod builder;
pub mod choices;
pub mod claims;
pub mod forms;
pub mod tokens;

pub use builder::Builder;
pub use choices::Choices;
pub use tokens::Tokens;

/// Why something cannot be a name in any of the languages: names are made of letters, digits and underscores.
pub fn spelling_problem(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("A name needs at least one letter.".to_string());
    }
    let wrong = name.chars().find(|c| !c.is_alphanumeric() && *c != '_')?;
    Some(format!("A name is made of letters, digits and underscores, and {wrong:?} is none of them."))
}
