//! What programs read: JSON of every command against the schemas of `docs/schema`, SARIF and JUnit against the schemas of their
//! standards, annotations, and status lines on a terminal of any width.

#[path = "../common/mod.rs"]
mod common;
mod documents;
#[cfg(unix)]
mod hostile;
mod keywords;
mod other_tools;
mod pages;
mod schema;
mod terminal;
