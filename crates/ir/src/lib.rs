//! The emulation program: the intermediate representation that front ends produce and engines read.
//!
//! A program is a sequential, nondeterministic guarded-command program with one emulation function per triple and
//! per system rule, a schedule, and properties (thesis, chapter 4). Every front end produces one, every engine and
//! exporter reads nothing else.
//!
//! * [`program`], [`expr`], [`stmt`], [`property`]: the parametric program. `move(me)` is one function whatever the
//!   number of agents, so its size is linear in the specification.
//! * [`validate`] checks what the types cannot; [`mod@print`] shows it to people.
//! * [`flat`]: the same with every variable at a fixed place in one vector, and its execution.
//! * [`cells`]: the cells that variables are made of, and their names.
//! * [`initial`]: the initial block as a constraint problem.
//! * [`interval`]: intervals of integers, for whoever analyses expressions.
//! * [`units`], [`possible`]: who made a step, and who can make one, as conditions on states.
//!
//! Architecture invariant: nothing here knows LAbS, R-CHECK or any other language, and nothing does I/O.

pub mod arith;
pub mod cancel;
pub mod cells;
pub mod coverage;
pub mod expr;
pub mod flat;
pub mod ground;
pub mod initial;
pub mod interval;
pub mod linear;
pub mod parts;
pub mod possible;
pub mod print;
pub mod program;
pub mod property;
pub mod stmt;
pub mod units;
pub mod validate;
pub mod written;

pub use arith::{Fault, FaultDetail, FaultKind, UNDEF, Value};
pub use expr::{BinaryOp, Expr, Place, Quantifier, UnaryOp};
pub use interval::Interval;
pub use linear::Linear;
pub use program::{AgentKind, Function, KindId, Local, LocalId, Program, Rule, Var, VarId};
pub use property::{Inside, LinearTime, Modality, Property};
pub use stmt::{Set, Stmt};
