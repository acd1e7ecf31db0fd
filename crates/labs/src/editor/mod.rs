//! What editors ask about a LAbS file: what its names stand for, what may be written at a place, what a word means.
//!
//! Everything here works on the text and its syntax tree, without the checker, so that it is there while the file has errors.
//! [`index`] follows the scoping rules of [`crate::check`]; completion, meanings and signatures look at the tokens around a place,
//! because a file that is being written hardly ever parses.

mod candidates;
mod context;
mod forms;
mod index;
mod list;
mod meaning;
mod meanings;
mod naming;
mod resolve;
mod scope;
mod signature;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub use candidates::candidates;
pub use index::index;
pub use meaning::meaning;
pub use naming::{fixed_name, name_problem};
pub use signature::signature;
pub use words::WORDS;
