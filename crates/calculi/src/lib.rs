//! What the front ends of process calculi share. A calculus has actions, which an observer can tell apart by their
//! labels, and no data: so reading, properties, lowering and replaying are the same for all of them.
//!
//! * [`cursor`]: words, signs and diagnostics of a text.
//! * [`pieces`]: the same with comments, for editors and the formatter.
//! * [`property`]: claims about the labels that occur, and what they mean on a sequence of labels.
//! * [`linear`]: formulas of linear temporal logic over labels.
//! * [`lower`]: a triple structure as an emulation program, with a small variable for each claim.
//! * [`editor`]: what editors ask about a text, also while it has errors.
//! * [`rules`]: a calculus as its rules have it, to replay traces on.

pub mod codes;
pub mod cursor;
pub mod editor;
pub mod linear;
pub mod lower;
pub mod pieces;
pub mod property;
pub mod rules;
