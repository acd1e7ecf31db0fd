//! What is written for CADP: parsed strictly, checked, run, and compared with the emulation programs.

#![allow(clippy::disallowed_methods, reason = "reads the examples and stored programs")]

mod check;
mod golden;
mod lexer;
mod models;
mod parallel;
mod query;
mod run;
mod script;
mod sequential;
mod syntax;
mod verdicts;
