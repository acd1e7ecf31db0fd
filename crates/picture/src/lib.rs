//! Pictures of systems and of their executions.
//!
//! [`data`] is what a player needs to know beside the trace; whoever knows the model makes it. The other modules draw it: as
//! SVG for papers, and as a page that contains its own player. The player itself is written in TypeScript (`workbench/`); what
//! it is bundled to is in `assets/`.
//!
//! Architecture invariant: nothing here knows a language or an engine. Every text that comes from a model is escaped by
//! [`svg`], in one place.

#![warn(missing_docs)]

pub mod chart;
pub mod data;
pub mod graph;
pub mod html;
pub mod network;
pub mod plot;
pub mod svg;
pub mod tree;
