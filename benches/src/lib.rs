//! What the benchmark programs share: the tables as data, other programs measured, results as Markdown.

pub mod beside;
pub mod byhand;
pub mod checker;
pub mod command;
pub mod compare;
pub mod compose;
pub mod families;
pub mod figures;
pub mod flock;
pub mod limits;
pub mod measured;
pub mod portfolio;
pub mod report;
pub mod spin;
pub mod tables;
