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
mod pieces;
mod process;
mod property;
mod rate;
mod sections;
pub(crate) mod token;
mod view;

#[cfg(test)]
mod tests;

pub use pieces::pieces;
pub use property::MODALITIES;

use crate::codes;
use ast::AssignOp;
use std::collections::HashMap;
use swarmcheck_source::{Diagnostics, Fix, Span};

/// Reads a whole file. The tree holds `Error` nodes where the text makes no sense; the diagnostics say why.
pub fn parse(text: &str) -> (ast::File, Diagnostics) {
    let mut parser = cursor::Parser::new(text);
    let file = parser.file();
    let mut found = parser.log.finish();
    add_arrows(&file, &parser.arrows, &mut found);
    (file, found)
}

/// Adds to complaints about `x = e` the fix that assigns `e`: which arrow is right is known once all declarations are read.
fn add_arrows(file: &ast::File, arrows: &[(Span, Span, String)], found: &mut Diagnostics) {
    if arrows.is_empty() {
        return;
    }
    let mut right: HashMap<&str, &'static str> = HashMap::new();
    let environment =
        file.systems.iter().flat_map(|s| &s.environment).map(|d| (&d.name, AssignOp::Environment));
    let attributes = file.agents.iter().flat_map(|a| &a.interface).map(|d| (&d.name, AssignOp::Attribute));
    let tuples = file.stigmergies.iter().flat_map(|s| &s.tuples).flat_map(|t| &t.variables);
    for (name, op) in environment.chain(attributes).chain(tuples.map(|(name, _)| (name, AssignOp::Stigmergy)))
    {
        right.entry(&name.text).or_insert(op.symbol());
    }
    for (place, equals, variable) in arrows {
        let complaint = found.iter_mut().find(|d| d.primary.span == *place && d.code == codes::SYNTAX);
        if let (Some(complaint), Some(arrow)) = (complaint, right.get(variable.as_str())) {
            complaint.fixes.push(Fix::replace(
                *equals,
                *arrow,
                format!("assign `{variable}`: write `{arrow}`"),
            ));
        }
    }
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
