//! Chor, a language of choreographies (TOSEM, section 5): text → choreography ([`syntax`]) → one process per peer
//! ([`project`]) → triples and emulation program ([`lower`]). [`rules`] executes the peers literally. [`editor`]
//! answers what editors ask while a file is being written.
//!
//! The choice of Chor is internal (its authors write ⊓): a peer at a choice decides by itself and silently, and has
//! then decided. So does a loop, whenever an iteration may begin. That is why two peers may take different branches.

pub mod editor;
pub mod lower;
pub mod project;
pub mod rules;
pub mod syntax;

pub use syntax::{Specification, check};
