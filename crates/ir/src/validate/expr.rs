//! Expressions: ids, places, binders, and a type system of two sorts.

use super::Part;
use crate::expr::{BinaryOp, Expr, Place, Quantifier, UnaryOp};
use crate::program::{KindId, LocalId};

/// What an expression is. The constants 0 and 1 are numbers and conditions, and so is a choice between them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Number,
    Condition,
    Either,
}

/// How many indices a place needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// One per dimension.
    Cell,
    /// None: all cells are meant.
    Whole,
}

impl<'a> Part<'a> {
    pub(super) fn condition(&mut self, e: &'a Expr) {
        if self.sort(e) == Sort::Number {
            self.report("a number stands where a condition is needed");
        }
    }

    pub(super) fn number(&mut self, e: &'a Expr) {
        if self.sort(e) == Sort::Condition {
            self.report("a condition stands where a number is needed");
        }
    }

    /// Checks an expression and everything below it.
    fn sort(&mut self, e: &'a Expr) -> Sort {
        match e {
            Expr::Const(0 | 1) => return Sort::Either,
            Expr::Const(_) => {}
            Expr::Me => {
                if self.owners.is_none() {
                    self.report("uses `me`, but nobody runs it");
                }
            }
            Expr::Bound(b) => {
                if !self.bound.iter().any(|(bound, _)| bound == b) {
                    self.report(format!("uses the bound agent {b} outside its binder"));
                }
            }
            Expr::Read(place) => self.place(place, Extent::Cell),
            Expr::Local(l) => self.read_local(*l, false),
            Expr::LocalCell(l, index, _) => {
                self.number(index);
                self.read_local(*l, true);
            }
            Expr::Unary(UnaryOp::Not, e) => {
                self.condition(e);
                return Sort::Condition;
            }
            Expr::Unary(UnaryOp::Neg | UnaryOp::Abs, e) => self.number(e),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, a, b, _) => {
                self.report("uses a binary `and` or `or`: these are lists, evaluated from the left");
                self.condition(a);
                self.condition(b);
                return Sort::Condition;
            }
            Expr::Binary(op, a, b, _) => {
                self.number(a);
                self.number(b);
                if op.is_comparison() {
                    return Sort::Condition;
                }
            }
            Expr::And(parts) | Expr::Or(parts) => {
                parts.iter().for_each(|p| self.condition(p));
                return Sort::Condition;
            }
            Expr::If(c, a, b) => {
                self.condition(c);
                return match (self.sort(a), self.sort(b)) {
                    (Sort::Either, other) | (other, Sort::Either) => other,
                    (a, b) => {
                        if a != b {
                            self.report("a conditional is a number in one case, a condition in the other");
                        }
                        a
                    }
                };
            }
            Expr::Defined(e) => {
                self.number(e);
                return Sort::Condition;
            }
            Expr::Quantified(quantifier, kinds, bound, body) => {
                self.binding(*bound, kinds, |part| part.condition(body));
                if *quantifier != Quantifier::Count {
                    return Sort::Condition;
                }
            }
        }
        Sort::Number
    }

    pub(super) fn place(&mut self, place: &'a Place, extent: Extent) {
        place.agent.iter().for_each(|a| self.number(a));
        place.index.iter().for_each(|i| self.number(i));
        let Some(var) = self.var(place.var) else {
            return;
        };
        match (&place.agent, &var.owners) {
            (None, Some(_)) => self.report(format!("does not say whose copy of {}", var.name)),
            (Some(_), None) => self.report(format!("names an agent for the global variable {}", var.name)),
            _ => {}
        }
        let needed = if extent == Extent::Whole { 0 } else { var.dimensions.len() };
        if place.index.len() != needed {
            let (found, name) = (place.index.len(), &var.name);
            self.report(format!("gives {name} {found} of {needed} indices"));
        }
    }

    /// Checks what stands under a binder. The executor keeps one agent per index, so an inner binder of the same
    /// index would overwrite the outer one.
    pub(super) fn binding(&mut self, bound: u32, kinds: &'a [KindId], inside: impl FnOnce(&mut Part<'a>)) {
        self.kinds(kinds);
        if self.bound.iter().any(|(b, _)| *b == bound) {
            self.report(format!("binds the agent {bound} again inside its binder"));
        }
        self.bound.push((bound, kinds));
        inside(self);
        self.bound.pop();
    }

    fn read_local(&mut self, id: LocalId, as_array: bool) {
        if self.local(id, as_array) && !self.assigned[id.0 as usize] {
            let name = &self.locals[id.0 as usize].name;
            self.report(format!("reads the local {name} before it has a value on every path"));
        }
    }

    /// Whether the local exists and is a scalar or an array, as wanted.
    pub(super) fn local(&mut self, id: LocalId, as_array: bool) -> bool {
        let Some(local) = self.locals.get(id.0 as usize) else {
            self.report(format!("no local has the id {}", id.0));
            return false;
        };
        match (as_array, local.length) {
            (false, Some(_)) => self.report(format!("uses the local array {} as a scalar", local.name)),
            (true, None) => self.report(format!("uses the scalar local {} as an array", local.name)),
            _ => return true,
        }
        false
    }
}
