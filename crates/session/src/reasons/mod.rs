//! Explanations: what makes a condition true or false in a state, why no step is possible, what a loop repeats, what an
//! error of the model met. Everything comes from the emulation program and states, so it serves all languages; what only a
//! language knows (the messages of R-CHECK) comes from its front end.
//!
//! An explanation decides nothing. Verdicts and traces are as they are without it, and where something cannot be explained
//! (a local of an action, a value behind an error), it is left out.

mod cause;
mod circle;
mod evaluate;
mod fault;
mod formula;
mod phrase;
mod stop;
mod unlinked;
mod writers;

pub(crate) use cause::{Parts, because};
pub(crate) use circle::circle;
pub(crate) use evaluate::Scope;
pub(crate) use fault::{initial_fault, predicate_fault, step_fault};
pub(crate) use formula::formula;
pub(crate) use stop::{guards, stop};
pub(crate) use unlinked::unlinked;

#[cfg(test)]
mod tests;
