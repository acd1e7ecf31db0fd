//! Resolved expressions and statements.
//!
//! The common cases — a global scalar, my scalar, a bound agent's scalar — have their own node, so that a guard
//! costs a few loads and no search.

use crate::arith::Value;
use crate::expr::{BinaryOp, Quantifier, UnaryOp};
use swarmcheck_source::Span;

/// An expression. `var` numbers variables of the program.
#[derive(Clone, Debug)]
pub enum Code {
    Const(Value),
    Me,
    Bound(u32),
    Local(u32),
    LocalCell {
        first: u32,
        length: u32,
        index: Box<Code>,
        span: Span,
    },
    Global(u32),
    Mine(u32),
    OfBound {
        var: u32,
        bound: u32,
    },
    Cell(Box<Target>),
    Unary(UnaryOp, Box<Code>),
    Binary(BinaryOp, Box<(Code, Code)>, Span),
    And(Box<[Code]>),
    Or(Box<[Code]>),
    If(Box<(Code, Code, Code)>),
    Defined(Box<Code>),
    Quantified(Quantifier, Box<[std::ops::Range<u32>]>, u32, Box<Code>),
    /// In quick runs: a timestamp newer than all others, and so much more (`clocks.rs`).
    Newest {
        clock: u32,
        above: Value,
    },
    /// In watched conditions: a quantifier whose value is kept (`watched.rs`).
    Kept(u32),
}

/// A place to read or write, in general form.
#[derive(Clone, Debug)]
pub struct Target {
    pub var: u32,
    pub agent: Option<Code>,
    pub index: Box<[Code]>,
    pub dimensions: Box<[u32]>,
    pub span: Span,
}

/// A statement; see [`crate::Stmt`] for meanings.
#[derive(Clone, Debug)]
pub enum Op {
    AssignGlobal(u32, Code),
    AssignMine(u32, Code),
    AssignBound {
        var: u32,
        bound: u32,
        value: Code,
    },
    Assign(Target, Code),
    Fill {
        target: Target,
        cells: u32,
        set: Set,
    },
    Let(u32, Code),
    Havoc(u32, Set),
    Pick(Pick),
    Assume(Code),
    Check(Target),
    If(Code, Box<[Op]>, Box<[Op]>),
    Choose(Box<[(Code, Box<[Op]>)]>),
    ForEach(Box<[std::ops::Range<u32>]>, u32, Box<[Op]>),
    Copy {
        var: u32,
        cells: u32,
        to: Code,
        from: Code,
    },
    Rank(u32),
    /// In quick runs: a loop that does nothing for agents that are far away (`near.rs`).
    Near(Box<Near>),
    /// In quick runs: what is left of a ranking (`clocks.rs`).
    Tick(u32),
}

/// A loop over the agents in a box around the one that runs it.
#[derive(Clone, Debug)]
pub struct Near {
    /// The number of the grid.
    pub grid: u32,
    /// By how much the coordinates of the grid may differ.
    pub radius: Box<[Value]>,
    /// Over whom the loop goes.
    pub agents: Box<[std::ops::Range<u32>]>,
    pub bound: u32,
    pub body: Box<[Op]>,
}

/// Draws distinct agents that satisfy a condition into a local array.
#[derive(Clone, Debug)]
pub struct Pick {
    /// The slot of the first cell among the locals.
    pub first: u32,
    /// The number of cells.
    pub length: u32,
    /// The candidates.
    pub agents: Box<[u32]>,
    /// The binder of the candidate in the condition.
    pub bound: u32,
    pub condition: Code,
}

/// A set to draw from.
#[derive(Clone, Debug)]
pub enum Set {
    Values(Box<[Code]>),
    Range(Code, Code),
}

/// A function, resolved.
#[derive(Clone, Debug)]
pub struct FlatFunction {
    /// The agents that may run it.
    pub agents: Vec<u32>,
    /// Location variables and the values they must have.
    pub entry: Vec<(u32, Value)>,
    /// The rest of the guard.
    pub guard: Code,
    pub body: Box<[Op]>,
    /// The number of cells that its locals take.
    pub locals: u32,
}
