//! The initial block: first values, first timestamps, first locations, assumptions.

use super::expr::Names;
use super::{Guard, Lowerer};
use crate::model::{ActionId, Init, VarId};
use swarmcheck_ir as ir;
use swarmcheck_triples::Structure;

impl Lowerer<'_> {
    pub(super) fn initial_block(&self, structures: &[Structure<ActionId, Guard<'_>>]) -> Vec<ir::Stmt> {
        let mut out: Vec<ir::Stmt> =
            self.model.environment.iter().map(|(var, init)| self.fill(*var, None, init)).collect();
        for (i, kind) in self.model.kinds.iter().enumerate() {
            let body = self.initialise_agent(crate::model::KindId(i as u32), &structures[i]);
            if kind.count > 0 {
                out.push(ir::Stmt::ForEach(vec![ir::KindId(i as u32)], 0, body));
            }
        }
        // Initial values are written in agent order, so the agent's number is its first timestamp.
        out.extend(self.tuples.iter().map(|t| ir::Stmt::Rank(t.order)));
        let names = Names::closed();
        let assume =
            |a: &crate::model::Assumption| ir::Stmt::Assume(self.exprs(&names).satisfied(&a.predicate));
        out.extend(self.model.assumptions.iter().map(assume));
        out
    }

    fn initialise_agent(
        &self,
        kind: crate::model::KindId,
        structure: &Structure<ActionId, Guard<'_>>,
    ) -> Vec<ir::Stmt> {
        let me = || ir::Expr::Bound(0);
        let mut out = vec![];
        for (var, init) in &self.model.kind(kind).attributes {
            out.push(self.fill(*var, Some(me()), init));
        }
        for tuple in self.tuples_of(kind) {
            for (var, init) in &self.model.tuple(tuple).variables {
                out.push(self.fill(*var, Some(me()), init));
            }
            let order = self.tuples[tuple.0 as usize].order;
            out.push(ir::Stmt::Assign(ir::Place::of(order, me()), me()));
        }
        for (pc, location) in &structure.start.set {
            let place = ir::Place::of(self.pcs[pc.0 as usize], me());
            out.push(ir::Stmt::Assign(place, ir::Expr::Const(i64::from(location.0))));
        }
        out
    }

    fn fill(&self, var: VarId, agent: Option<ir::Expr>, init: &Init) -> ir::Stmt {
        let names = Names::initialising();
        let exprs = self.exprs(&names);
        let set = match init {
            Init::Undef => ir::Set::one(ir::Expr::Const(ir::UNDEF)),
            Init::OneOf(values) => ir::Set::Values(values.iter().map(|v| exprs.value(v)).collect()),
            Init::Range(lo, hi) => ir::Set::Range(exprs.value(lo), exprs.value(hi)),
        };
        let span = self.model.variable(var).span;
        let place = ir::Place { var: ir::VarId(var.0), agent: agent.map(Box::new), index: vec![], span };
        ir::Stmt::Fill(place, set)
    }
}
