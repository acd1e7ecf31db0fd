//! The façade: open, check, show, simulate, verify, replay. Plain data in and out.
//!
//! Architecture invariant: no file, environment, clock or terminal is touched here. Callers read files and hand over
//! bytes; output goes to a writer they pass; a flag they set stops what runs.

pub mod certificate;
pub mod compare;
pub mod exit;
pub mod export;
pub mod interactive;
pub mod lts;
pub mod open;
pub mod options;
pub mod realize;
pub mod replay;
pub mod show;
pub mod simulate;
mod sink;
pub mod specification;
pub mod verify;
pub mod walk;
mod watch;

pub use exit::Exit;
pub use open::{Checked, ModelOptions, Prepared, Trouble, check, prepare};
pub use simulate::{SimulateOptions, TraceFormat};
pub use specification::Specification;
pub use swarmcheck_calculi::codes::CATALOGUE as CALCULI_CATALOGUE;
pub use swarmcheck_external as external;
pub use swarmcheck_labs::codes::CATALOGUE;
pub use swarmcheck_labs::lower::{Choice, Semantics};
pub use swarmcheck_rcheck::codes::CATALOGUE as RCHECK_CATALOGUE;
