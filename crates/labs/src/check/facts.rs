//! What the walk over the file notes down for the questions asked at its end.

use crate::model::{ActionId, ProcessId, Rate, VarId};
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_source::Span;

/// Notes taken on the way.
#[derive(Default)]
pub(super) struct Facts {
    /// Parameters that occur, by position.
    pub parameters: BTreeSet<usize>,
    /// Variables that are read somewhere.
    pub read: BTreeSet<VarId>,
    /// Variables that are assigned somewhere.
    pub written: BTreeSet<VarId>,
    /// Variables that the agent running a process must have.
    pub needs: Vec<Need>,
    /// Block-local variables of the blocks seen so far.
    pub locals: BTreeMap<String, Span>,
    /// Actions with a rate of their own.
    pub rates: BTreeMap<ActionId, Rate>,
    /// The file has parts that could not be read. The parser has said so.
    pub incomplete: bool,
}

/// Agents that run this process need this variable.
#[derive(Clone, Copy)]
pub(super) struct Need {
    pub process: ProcessId,
    pub variable: VarId,
    pub span: Span,
}
