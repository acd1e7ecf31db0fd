//! Pictures of a model and a trace.

#[allow(dead_code)]
mod automata;
