//! What the interpreter refuses, in words.

use swarmcheck_session::explain::words::misfit as misfit_words;
use swarmcheck_session::interpreter::InterpreterRefusal;
use swarmcheck_session::words::{fault, no_initial_state, not_found};

/// A refusal in words.
pub fn words(refusal: &InterpreterRefusal) -> String {
    match refusal {
        InterpreterRefusal::NoInitialState { assumptions } => no_initial_state(assumptions),
        InterpreterRefusal::InitialStateNotFound { assumptions } => not_found(assumptions),
        InterpreterRefusal::ModelError { error } => format!("model error: {}", fault(error)),
        InterpreterRefusal::NoSuchChoice { choices: 1 } => "there is 1 step".to_string(),
        InterpreterRefusal::NoSuchChoice { choices } => format!("there are {choices} steps"),
        InterpreterRefusal::AtStart => "this is the initial state".to_string(),
        InterpreterRefusal::NoSuchStep { last } => {
            format!("the last step that can be gone to is step {last}")
        }
        InterpreterRefusal::NoTrace => "there is no trace to follow; --walk FILE loads one".to_string(),
        InterpreterRefusal::LeftTrace => "this is not a state of the trace; b goes back".to_string(),
        InterpreterRefusal::EndOfTrace => "the trace ends here".to_string(),
        InterpreterRefusal::NoSuchStart => "there is no such initial state".to_string(),
        InterpreterRefusal::Predicate { diagnostics } => match diagnostics.first() {
            Some(first) => format!("the predicate is not understood: {}", first.message),
            None => "the predicate is not understood".to_string(),
        },
        InterpreterRefusal::Gone => "the interpreter has ended".to_string(),
        InterpreterRefusal::TraceMisfit { misfit } => misfit_words(misfit),
    }
}
