//! Statements, and which locals have a value where.
//!
//! Definite assignment is the usual forward analysis: after a branching, what every branch assigned; after a loop,
//! only what was assigned before it, since a kind may have no agents. A step that stops (`Assume`, an empty set) is
//! taken back, so it needs no path of its own.

use super::expr::Extent;
use super::{Part, owned_by};
use crate::expr::Expr;
use crate::program::{LocalId, Role, VarId};
use crate::stmt::{Set, Stmt};

impl<'a> Part<'a> {
    pub(super) fn block(&mut self, body: &'a [Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &'a Stmt) {
        match s {
            Stmt::Assign(place, value) => {
                self.number(value);
                self.place(place, Extent::Cell);
            }
            Stmt::Fill(place, set) => {
                self.place(place, Extent::Whole);
                self.set(set);
            }
            Stmt::Let(local, value) => {
                self.number(value);
                self.assign(*local, false);
            }
            Stmt::Havoc(local, set) => {
                self.set(set);
                self.assign(*local, false);
            }
            Stmt::Pick { local, kinds, bound, condition } => {
                if self.owners.is_none() {
                    self.report("picks agents other than `me`, but nobody runs it");
                }
                self.binding(*bound, kinds, |part| part.condition(condition));
                self.assign(*local, true);
            }
            Stmt::Assume(condition) => self.condition(condition),
            Stmt::Check(place) => self.place(place, Extent::Cell),
            Stmt::If(condition, yes, no) => {
                self.condition(condition);
                self.branches([yes, no].map(Vec::as_slice));
            }
            Stmt::Choose(branches) => {
                branches.iter().for_each(|(condition, _)| self.condition(condition));
                self.branches(branches.iter().map(|(_, body)| body.as_slice()));
            }
            Stmt::ForEach(kinds, bound, body) => {
                let before = self.assigned.clone();
                self.binding(*bound, kinds, |part| part.block(body));
                self.assigned = before;
            }
            Stmt::Copy(var, to, from) => self.copy(*var, to, from),
            Stmt::Rank(var) => self.rank(*var),
        }
    }

    fn set(&mut self, set: &'a Set) {
        match set {
            Set::Values(values) => {
                if values.is_empty() {
                    self.report("draws from an empty set");
                }
                values.iter().for_each(|v| self.number(v));
            }
            Set::Range(lo, hi) => {
                self.number(lo);
                self.number(hi);
            }
        }
    }

    fn assign(&mut self, local: LocalId, as_array: bool) {
        if self.local(local, as_array) {
            self.assigned[local.0 as usize] = true;
        }
    }

    fn branches(&mut self, bodies: impl IntoIterator<Item = &'a [Stmt]>) {
        let before = self.assigned.clone();
        let mut after = vec![true; before.len()];
        for body in bodies {
            self.assigned.clone_from(&before);
            self.block(body);
            after.iter_mut().zip(&self.assigned).for_each(|(all, here)| *all &= here);
        }
        self.assigned = after;
    }

    fn copy(&mut self, var: VarId, to: &'a Expr, from: &'a Expr) {
        for agent in [to, from] {
            self.number(agent);
        }
        let Some(var) = self.var(var) else {
            return;
        };
        if var.owners.is_none() {
            self.report(format!("copies the global variable {}", var.name));
            return;
        }
        for agent in [to, from] {
            if !self.agent_kinds(agent).is_some_and(|kinds| owned_by(var, kinds)) {
                self.report(format!("copies {} between agents that may not have it", var.name));
            }
        }
    }

    /// Ranking counts how often each value occurs, which needs numbers that are not negative.
    fn rank(&mut self, var: VarId) {
        let Some(var) = self.var(var) else {
            return;
        };
        let name = &var.name;
        if var.owners.is_none() {
            self.report(format!("ranks the global variable {name}"));
        }
        if var.role != Role::Order {
            self.report(format!("ranks {name}, which is no order variable"));
        }
        if !var.dimensions.is_empty() {
            self.report(format!("ranks the array {name}"));
        }
        if var.may_be_undef || var.domain.is_none_or(|(lo, _)| lo < 0) {
            self.report(format!("ranks {name}, which is not known to be 0 or more"));
        }
    }
}
