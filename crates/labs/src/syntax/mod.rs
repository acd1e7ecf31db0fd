//! From text to a syntax tree.
//!
//! Three passes: `lexer` cuts the text into tokens, `brackets` makes every bracket meet its partner (reporting
//! those that do not), and a recursive-descent parser, one file per family of constructs, builds the tree.
//!
//! Architecture invariants: parsing never fails and never panics, whatever the text; it takes time linear in the
//! text; no tree is deeper than a small multiple of `cursor::DEPTH` and `expr::HEIGHT`, so later phases may
//! recurse over it without fear for the stack.

mod action;
pub mod ast;
mod brackets;
mod cursor;
mod declaration;
mod expr;
mod formula;
mod lexer;
mod log;
mod operand;
mod part;
mod process;
mod property;
mod rate;
mod sections;
pub(crate) mod token;
mod view;

#[cfg(test)]
mod tests;

pub use property::MODALITIES;

use swarmcheck_source::Diagnostics;

/// Reads a whole file. The tree holds `Error` nodes where the text makes no sense; the diagnostics say why.
pub fn parse(text: &str) -> (ast::File, Diagnostics) {
    let mut parser = cursor::Parser::new(text);
    let file = parser.file();
    (file, parser.log.finish())
}

/// Reads a whole file, and says which tokens it consists of. Closing brackets that were missing are among them, without width.
pub(crate) fn parse_with_tokens(text: &str) -> (ast::File, Vec<token::Token>) {
    let mut parser = cursor::Parser::new(text);
    let file = parser.file();
    (file, parser.into_tokens())
}

/// The tokens of a text, the last of which is `End`. Comments are left out.
pub(crate) fn tokens(text: &str) -> Vec<token::Token> {
    lexer::tokens(text, &mut log::Log::default())
}

/// Reads one expression and nothing after it.
pub fn parse_expression(text: &str) -> (ast::Expr, Diagnostics) {
    let mut parser = cursor::Parser::new(text);
    let expr = parser.whole_expression();
    (expr, parser.log.finish())
}

/// Reads one formula of linear time and nothing after it.
pub fn parse_formula(text: &str) -> (ast::Formula, Diagnostics) {
    let mut parser = cursor::Parser::new(text);
    let formula = parser.whole_formula();
    (formula, parser.log.finish())
}
