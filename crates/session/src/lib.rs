//! The façade: plain data in, plain data out, events while work goes on.
//!
//! [`request::run`] serves a whole request; the modules below it are the same work as functions, for programs that hold a
//! model and ask several questions about it. `docs/library.md` shows both.
//!
//! Architecture invariant: no file, environment, clock or terminal is touched here, no process is started, and nothing
//! knows how a program ends or what its options are called. What is said is data first; [`words`] makes sentences of it.

#![warn(missing_docs)]

pub mod asked;
mod attempt;
pub mod because;
pub mod certificate;
pub mod compare;
mod composed;
pub mod composition;
pub mod coverage;
pub mod editor;
pub mod estimate;
pub mod event;
mod every;
pub mod explain;
pub mod export;
pub mod format;
pub mod interpreter;
pub mod languages;
pub mod listing;
pub mod lts;
mod minimise;
pub mod names;
pub mod network;
pub mod open;
pub mod outcome;
pub mod outline;
pub mod picture;
pub mod place;
pub mod process;
pub mod reach;
pub mod realize;
mod reasons;
pub mod refusal;
pub mod replay;
pub mod request;
pub mod show;
pub mod simulate;
mod sink;
pub mod specification;
pub mod start;
pub mod statespace;
mod stored;
pub mod trusted;
mod turned;
pub mod verify;
mod version;
pub mod walk;
mod watch;
pub mod words;

pub use event::Event;
pub use open::{Checked, ModelOptions, Prepared, Trouble, check, prepare, prepare_unless};
pub use outcome::{Answer, Answered, Outcome, Reason};
pub use refusal::Refusal;
pub use request::{Host, Request, run};
pub use simulate::{SimulateOptions, TraceFormat};
pub use specification::{LanguageFrontEnd, Specification};
pub use swarmcheck_backends as backends;
pub use swarmcheck_calculi::codes::CATALOGUE as CALCULI_CATALOGUE;
pub use swarmcheck_engine::solvers;
pub use swarmcheck_engine::trace::data::{StepData, TraceData, WriteData};
pub use swarmcheck_engine::{Budget, Control, Effort, Note, Vacuity};
pub use swarmcheck_labs::codes::CATALOGUE;
pub use swarmcheck_labs::lower::{Choice, Semantics};
pub use swarmcheck_picture::plot;
pub use swarmcheck_rcheck::codes::CATALOGUE as RCHECK_CATALOGUE;
pub use swarmcheck_source::shown;
pub use swarmcheck_statistics as statistics;
pub use swarmcheck_symbolic::STACK;
pub use version::is_json;
