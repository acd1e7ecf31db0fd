//! One file per command.

mod certificates;
pub mod check;
pub mod collect;
pub mod compare;
pub mod completions;
mod coverage;
mod create;
pub mod estimate;
pub mod examples;
pub mod explain;
pub mod export;
pub mod fmt;
mod interpret;
pub mod lsp;
pub mod lts;
pub mod new;
mod pages;
pub mod plot;
pub mod realize;
mod report;
pub mod show;
pub mod simulate;
pub mod stored;
pub mod sweep;
pub mod test;
pub mod verify;
pub mod web;
