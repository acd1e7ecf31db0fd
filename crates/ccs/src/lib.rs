//! Milner's calculus of communicating systems, with Hoare's parallel operator: text → specification ([`syntax`],
//! [`mod@check`]) → triples ([`triples`]) → emulation program ([`lower`]). [`rules`] executes table 1 literally.
//! [`editor`] answers what editors ask while a file is being written.

pub mod check;
pub mod editor;
pub mod lower;
pub mod rules;
pub mod syntax;
pub mod triples;

pub use check::check;
pub use syntax::Specification;
