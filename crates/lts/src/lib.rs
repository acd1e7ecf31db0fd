//! Labelled transition systems: building, reading, writing, drawing, minimising and comparing them.
//!
//! * [`system`]: the systems themselves, and [`builder`]: how to make one.
//! * [`aut`]: the Aldebaran format that CADP and mCRL2 read and write.
//! * [`dot`]: drawings of small systems.
//! * [`mod@minimise`]: the smallest system that is strongly or branching bisimilar to a given one, and the question
//!   whether two systems are; also for systems without texts, whose states may have classes that are kept apart.
//! * [`mod@compare`]: whether two systems behave alike, also weakly or up to traces, with evidence if they do not.
//! * [`stop`]: how long computations are given up.
//!
//! The invisible action is the label [`TAU`], spelt `i` as in Aldebaran files.
//!
//! Architecture invariant: nothing here knows where a system came from, and nothing does input or output: text comes
//! as `&str` and goes to a [`std::fmt::Write`].

pub mod aut;
pub mod builder;
pub mod compare;
pub mod dot;
pub mod minimise;
pub mod stop;
pub mod system;

pub use builder::Builder;
pub use compare::{Difference, Formula, Relation, compare};
pub use minimise::{
    Equivalence, Raw, equivalent, minimise, minimise_unless, partition, partition_by_bunches,
    partition_by_signatures,
};
pub use stop::{Stop, Stopped};
pub use system::{Lts, TAU};
