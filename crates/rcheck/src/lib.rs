//! The R-CHECK language of reconfigurable agents: text → syntax tree ([`syntax`]) → checked specification ([`mod@check`],
//! [`model`]) → structure automata ([`automaton`]) → emulation program ([`lower`]). [`mod@reference`] executes the definitions
//! of the article literally. [`editor`] answers what editors ask while a script is being written.

pub mod automaton;
pub mod check;
pub mod codes;
pub mod editor;
pub mod lower;
pub mod model;
pub mod reference;
pub mod syntax;

pub use check::{check, check_with};
pub use model::Specification;
pub use syntax::Precedence;
