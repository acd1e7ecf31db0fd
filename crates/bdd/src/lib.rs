//! Sets of states of systems of bits as decision diagrams: what is reachable, what can be reached, and where cycles are.
//!
//! * [`space`]: decision diagrams within limits of time and memory. The library behind them is seen nowhere else.
//! * [`function`]: functions of a graph as diagrams.
//! * [`variable_order`]: the order in which variables are decided.
//! * [`relation`]: which states the steps of a list of actions relate.
//! * [`model`]: a system as sets and relations.
//! * [`reach`], [`cycle`]: the algorithms; each is a small function on a model.
//! * [`witness`]: executions that show what was found, replayed on the system.
//!
//! Architecture invariant: nothing here knows programs or properties; systems come from `swarmcheck_aig`.

pub mod cycle;
pub mod function;
pub mod model;
pub mod reach;
pub mod relation;
pub mod space;
pub mod variable_order;
pub mod witness;

pub use model::Model;
pub use space::{Failure, Limits, STACK, Set, Space};
