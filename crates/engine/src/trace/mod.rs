//! Traces: what happened, in the order it happened, in the words of the user's file.
//!
//! A trace stores states as the engine has them. [`view`] turns them into assignments with timestamps; [`data`] (JSON),
//! [`itf`] and [`text`] (the style of SLiVER) are renderings of that view. Text is written step by step, so a run of a million
//! steps need not be kept in memory to be printed; the other two are whole documents. Numbered steps are made of the data by
//! the session.

pub mod change;
pub mod data;
pub mod explain;
pub mod itf;
pub mod legend;
pub mod message;
pub mod text;
pub mod view;

pub use swarmcheck_question::trace::{End, Trace, TraceStep};
