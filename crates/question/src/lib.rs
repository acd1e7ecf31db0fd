//! What is asked of a program: the one place between the passes and the engines.
//!
//! * [`setting`]: the program, the bound on steps, fairness, and what may be reduced.
//! * [`mod@questions`]: from a property, its modality and the bound to what an engine has to look for; the conditions that it
//!   watches; which questions can be answered together ([`mod@plan`]).
//! * [`fairness`]: the same about fair executions only, and what that means for each reduction.
//! * [`reduce`]: which reductions apply, and the smaller program that is searched in place of the original.
//! * [`concrete`], [`execution`]: from a path of the smaller program to an execution of the original ([`trace`]).
//!
//! Engines, exporters and those who check them ask the same questions about the same programs, because they ask here.
//!
//! Architecture invariant: nothing here knows a source language or an engine.

#![warn(missing_docs)]

pub mod concrete;
pub mod execution;
pub mod fairness;
mod formula;
pub mod initial;
pub mod plan;
pub mod questions;
pub mod reduce;
mod refusal;
pub mod setting;
pub mod trace;

pub use fairness::FairConditions;
pub use plan::{Plan, plan};
pub use questions::{Question, QuestionKind, Questions, SearchShape, Watch, Watched, questions};
pub use reduce::{FoldedProgram, Smaller};
pub use refusal::Refusal;
pub use setting::{Fairness, Reductions, Setting, Subject};
pub use trace::{End, Trace, TraceStep};
