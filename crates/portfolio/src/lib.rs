//! Which engines there are, and how they race for an answer.
//!
//! * [`table`]: the one list of engines.
//! * [`race`]: every question goes to the explicit engine first; those that it does not answer soon go to the others too,
//!   and the first answer that is accepted wins.
//! * [`turns`]: engines that share a core run one after the other, each for a while.
//! * [`memory`]: what all of them together may use.
//!
//! Which engine answers may depend on time; what it answers does not, because answers are right. The one exception are
//! models with an error that also violate a property: both are right answers, and which one is found first may differ.
//!
//! Architecture invariant: nothing here knows a source language, and there is no clock: time is measured in waits.

mod entrant;
mod explicit;
pub mod memory;
pub mod race;
mod steward;
pub mod table;
pub mod turns;
mod watch;

pub use race::{Fate, HEAD_START, Race};
pub use table::{Decider, ENGINES, Entry, QuestionClass};
