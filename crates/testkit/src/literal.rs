//! What formulas of linear time mean, taken literally: the graph of a system by its reference semantics, and whether an
//! execution in it violates a formula.
//!
//! Nothing here is shared with the code under test. Formulas are trees of their own ([`formula`]), with every operator as it
//! is written. Executions are sequences of *moments* ([`graph`]): a state together with the step that leaves it, so what is
//! said of a state and what is said of a step are both said of a moment. Whether a violation exists is decided by the method
//! of Lichtenstein and Pnueli ([`decide`]): every moment is paired with every guess of which temporal parts hold in it.
//! Fairness is read off its definition ([`fair`]).

pub mod decide;
pub mod fair;
pub mod formula;
pub mod graph;
pub mod random;
#[cfg(test)]
mod tests;

pub use fair::{Fairness, Unit};
pub use formula::Formula;
pub use graph::{Graph, Moment};
pub use random::{Dialect, Draw};
