//! Statements of the parametric program.

use crate::expr::{Expr, Place};
use crate::program::{KindId, LocalId, VarId};

/// A statement. A function's body runs to its end in one step, or not at all: a statement that cannot go on
/// (`Assume`, `Havoc` from an empty set, `Choose` without an enabled branch) takes the whole step back.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// Evaluates the value, then the place, then writes. A ⊥ index disables the step.
    Assign(Place, Expr),
    /// Writes every cell of an array (or a scalar): evaluated once per cell when drawn from a set.
    Fill(Place, Set),
    /// Evaluates into a local.
    Let(LocalId, Expr),
    /// Any element of the set into a local.
    Havoc(LocalId, Set),
    /// Draws distinct agents, other than the one that runs the function, one after the other, into a local array.
    /// The condition sees the candidate as the bound agent.
    Pick {
        /// The local array.
        local: LocalId,
        /// From which kinds.
        kinds: Vec<KindId>,
        /// The bound agent.
        bound: u32,
        /// Which agents fit.
        condition: Expr,
    },
    /// Goes on only if the condition holds.
    Assume(Expr),
    /// A fault if the place does not exist; otherwise nothing.
    Check(Place),
    /// One of two branches.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// Any branch whose condition holds; none: the step is disabled.
    Choose(Vec<(Expr, Vec<Stmt>)>),
    /// Once for each agent of the kinds, in order of their numbers, bound to the given index.
    ForEach(Vec<KindId>, u32, Vec<Stmt>),
    /// Copies all cells of a variable from one agent (second) to another (first).
    Copy(VarId, Expr, Expr),
    /// Replaces the values of an order variable by their dense ranks: the smallest becomes 0, equal ones stay
    /// equal, and no rank is skipped.
    Rank(VarId),
}

/// A set to draw from.
#[derive(Clone, Debug, PartialEq)]
pub enum Set {
    Values(Vec<Expr>),
    /// `lo..hi`, the upper bound excluded. ⊥ as a bound makes it empty.
    Range(Expr, Expr),
}

impl Set {
    pub fn one(value: Expr) -> Set {
        Set::Values(vec![value])
    }
}

/// Calls `visit` on every statement of a block, at any depth.
pub fn walk<'a>(block: &'a [Stmt], visit: &mut dyn FnMut(&'a Stmt)) {
    for stmt in block {
        crate::cancel::check();
        visit(stmt);
        match stmt {
            Stmt::If(_, yes, no) => {
                walk(yes, visit);
                walk(no, visit);
            }
            Stmt::Choose(branches) => branches.iter().for_each(|(_, body)| walk(body, visit)),
            Stmt::ForEach(_, _, body) => walk(body, visit),
            _ => {}
        }
    }
}

impl Stmt {
    /// The expressions that stand directly in this statement, places included; not those of nested statements.
    pub fn exprs(&self) -> Vec<&Expr> {
        fn of_place(place: &Place) -> impl Iterator<Item = &Expr> {
            place.agent.iter().map(|a| &**a).chain(&place.index)
        }
        fn of_set(set: &Set) -> Vec<&Expr> {
            match set {
                Set::Values(values) => values.iter().collect(),
                Set::Range(lo, hi) => vec![lo, hi],
            }
        }
        match self {
            Stmt::Assign(place, e) => of_place(place).chain([e]).collect(),
            Stmt::Fill(place, set) => of_place(place).chain(of_set(set)).collect(),
            Stmt::Let(_, e) | Stmt::Assume(e) | Stmt::If(e, _, _) | Stmt::Pick { condition: e, .. } => {
                vec![e]
            }
            Stmt::Havoc(_, set) => of_set(set),
            Stmt::Check(place) => of_place(place).collect(),
            Stmt::Choose(branches) => branches.iter().map(|(c, _)| c).collect(),
            Stmt::Copy(_, to, from) => vec![to, from],
            Stmt::ForEach(..) | Stmt::Rank(_) => vec![],
        }
    }
}
