//! And-inverter graphs, and finite systems made of them: what the bit-level engines share.
//!
//! Architecture invariant: nothing here knows programs, properties or solvers. A [`System`] says how a vector of bits
//! starts and how it goes on; what its bits mean is the business of whoever made it.

pub mod aiger;
pub mod btor2;
pub mod file;
pub mod graph;
pub mod simulate;
pub mod system;

pub use file::{Answer, Unusable};
pub use graph::{Graph, Lit, Node};
pub use simulate::{Simulation, Witness};
pub use system::{Latch, System};
