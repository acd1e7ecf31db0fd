//! And-inverter graphs, and finite transition systems made of them, for the bit-level engines.
//!
//! Architecture invariant: nothing here knows programs, properties or solvers. A [`System`] says how a vector of bits
//! starts and how it goes on; what its bits mean is defined by the code that built it.

pub mod aiger;
pub mod btor2;
pub mod file;
pub mod graph;
pub mod simulate;
pub mod steps;
pub mod system;

pub use file::{CheckerAnswer, Unusable};
pub use graph::{Graph, Lit, Node};
pub use simulate::{Simulation, Witness};
pub use steps::{Action, Steps};
pub use system::{Latch, System};
