//! The languages: a file for each family says how its pieces stand beside one another.

mod calculi;
mod labs;
mod rcheck;

use crate::Language;
use crate::piece::{self, Piece, Role};

/// The pieces of a text with what the language says about them.
pub(crate) fn pieces(language: Language, text: &str) -> Vec<Piece<'_>> {
    let tokens = match language {
        Language::Labs => swarmcheck_labs::syntax::pieces(text),
        Language::Ccs => swarmcheck_ccs::syntax::pieces(text),
        Language::Chor => swarmcheck_chor::syntax::pieces(text),
        Language::Rcheck => swarmcheck_rcheck::syntax::pieces(text),
    };
    let mut pieces = piece::pieces(text, &tokens);
    let mut code: Vec<&mut Piece<'_>> = pieces.iter_mut().filter(|piece| !piece.is_comment()).collect();
    match language {
        Language::Labs => labs::classify(&mut code),
        Language::Ccs => calculi::ccs(&mut code),
        Language::Chor => calculi::chor(&mut code),
        Language::Rcheck => rcheck::classify(&mut code),
    }
    pieces
}

/// The text of the piece that is so far behind a place, or nothing.
fn text<'t>(code: &[&mut Piece<'t>], at: usize) -> &'t str {
    code.get(at).map_or("", |piece| piece.text)
}

/// The text of the piece right before a place, or nothing.
fn before<'t>(code: &[&mut Piece<'t>], at: usize) -> &'t str {
    at.checked_sub(1).map_or("", |at| text(code, at))
}

fn is_word(code: &[&mut Piece<'_>], at: usize) -> bool {
    code.get(at).is_some_and(|piece| piece.role == Role::Word)
}

/// Whether white space stands between a piece and the one before it.
fn gap(code: &[&mut Piece<'_>], at: usize) -> bool {
    code.get(at).is_none_or(|piece| piece.gap)
}
