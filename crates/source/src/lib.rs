//! Where text lives: spans, source files, and the one diagnostic type of the project.
//!
//! Architecture invariant: this crate knows no language and does no I/O. A diagnostic is plain data; rendering
//! to text ([`render`]) and to JSON ([`data`]) are two views of it.

pub mod data;
pub mod diagnostic;
pub mod file;
pub mod fix;
pub mod index;
pub mod render;
pub mod shown;
pub mod span;
pub mod suggest;
pub mod token;

pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use file::SourceFile;
pub use fix::Fix;
pub use span::Span;
