//! Sweeps over parameters: which points there are, what is known of each, and the tables that are made of it.
//!
//! Architecture invariant: no files and no processes here. The shell runs the points and keeps the journal.

pub mod boundary;
pub mod condition;
pub mod journal;
pub mod points;
pub mod space;
pub mod table;

pub use points::{Point, Points, Sample, Space};
pub use space::Axis;
pub use table::{Cell, Table, TableFault};
