//! Emulation functions as processes, and the main process, which lets one of them happen after the other.
//!
//! Every process ends with its labels: `ASSIGN !agent !"variable" !value` for each cell that changed (ATLAS paper,
//! section 3.1), `SHARED` for cells of the environment, and `STEP !agent !"function"` when the state is complete again.

use super::expr::refuse;
use super::helpers::Helper;
use super::module::{Actor, Gate, Module, Parameter, gate, gates_text, guard, process, remark};
use super::place::Arrays;
use super::shape::{Storage, VarLayout};
use super::text::{Lines, branches, declare, guarded, line, nest, sequence};
use crate::Refusal;
use std::collections::BTreeSet;
use swarmcheck_ir::{Expr, Function, Stmt, VarId, stmt};
use swarmcheck_logic::expand::agents;

impl Module<'_> {
    /// The gates a function needs: for its agents' variables, for shared ones, and for its end.
    fn gates(&self, parameters: &[Parameter]) -> Vec<Gate> {
        let shown = |test: &dyn Fn(&Storage) -> bool| {
            parameters.iter().any(|p| p.changed && self.shape(p.var).shown && test(&self.shape(p.var).kind))
        };
        let mut out = vec![];
        if shown(&|kind| matches!(kind, Storage::Cells { .. })) {
            out.push(gate("ASSIGN", "ASSIGNMENT"));
        }
        if shown(&|kind| matches!(kind, Storage::Scalar | Storage::Table { .. })) {
            out.push(gate("SHARED", "SHARING"));
        }
        out.push(gate("STEP", "STEPS"));
        out
    }

    /// The process of one emulation function.
    pub(crate) fn function(&self, number: usize, f: &Function) -> Result<Lines, Refusal> {
        let parameters = self.parameters(f);
        let changed = parameters.iter().filter(|p| p.changed && self.shape(p.var).shown);
        let changed: Vec<VarId> = changed.map(|p| p.var).collect();
        let cells = Arrays { shapes: &self.shapes };
        let body = self.body(&cells, Actor::acting(), &f.locals, &f.body, |body, statements| {
            let (before, mut after) = self.remember(body, &changed, |var, old| self.report(var, old));
            after.push(line(format!("STEP (me, \"{}\")", f.name)));
            let all = before.into_iter().chain(statements).chain(after).collect();
            Ok(guarded("only if", &guard(body, f)?, sequence(all)))
        })?;
        let head = format!("process {} [{}]", self.functions[number], gates_text(&self.gates(&parameters)));
        Ok(process(remark(f), head, &self.formals(&parameters), body))
    }

    /// The main process: the initial block, labels for all initial values, then the steps.
    pub(crate) fn main(&self) -> Result<Lines, Refusal> {
        let present =
            || (0..self.shapes.len() as u32).map(VarId).filter(|v| self.shape(*v).kind != Storage::Absent);
        let declared: Vec<(String, String)> =
            present().map(|v| (self.shape(v).name.clone(), self.shape(v).kind.type_name())).collect();
        let mut start = vec![];
        for var in present() {
            let VarLayout { name, kind, .. } = self.shape(var);
            start.push(line(match kind {
                Storage::Times { agents, .. } => {
                    format!("{name} := {}", self.first_times(var, *agents)?)
                }
                Storage::Scalar => format!("{name} := 0"),
                other => format!("{name} := {} (0)", other.type_name()),
            }));
        }
        let initial = self.body(
            &Arrays { shapes: &self.shapes },
            Actor::default(),
            &self.program.init_locals,
            &self.program.init,
            |_, s| Ok(sequence(s)),
        )?;
        if initial != line("null") {
            start.push(initial);
        }
        for var in present().filter(|v| self.shape(*v).shown) {
            start.extend(self.announce(var));
        }
        start.push(line("START"));
        let mut ways = vec![];
        for (name, f) in self.functions.iter().zip(&self.program.functions) {
            let parameters = self.parameters(f);
            for agent in agents(self.program, &f.owners) {
                ways.push(self.call(name, &self.gates(&parameters), &agent.to_string(), &parameters));
            }
        }
        let steps = match ways.len() {
            0 => line("stop"),
            1 => nest("loop", ways.remove(0), "end loop"),
            _ => nest("loop", branches("select", ways, "[]", "end select"), "end loop"),
        };
        start.push(steps);
        let shared = if super::is_shared(self.program) { "SHARED: SHARING, " } else { "" };
        let gates = format!("process MAIN [ASSIGN: ASSIGNMENT, {shared}START: none, STEP: STEPS] is");
        Ok(nest(gates, declare(&declared, sequence(start)), "end process"))
    }

    /// Timestamps before the first step: in the order of the agents' numbers if the initial block says so for all agents,
    /// all the same if it does not mention them.
    pub(crate) fn first_times(&self, var: VarId, n: u32) -> Result<String, Refusal> {
        let mut numbered: BTreeSet<u32> = BTreeSet::new();
        stmt::walk(&self.program.init, &mut |s| {
            if let Stmt::ForEach(kinds, bound, body) = s {
                let own = |s: &Stmt| matches!(s, Stmt::Assign(place, Expr::Bound(b)) if place.var == var && b == bound);
                if body.iter().any(own) {
                    numbered.extend(agents(self.program, kinds));
                }
            }
        });
        let owners = self.program.var(var).owners.as_ref().map(|kinds| agents(self.program, kinds));
        if numbered.is_empty() {
            return Ok(format!("TIMES_{n} (SAME)"));
        }
        if owners.is_some_and(|o| o.iter().any(|a| !numbered.contains(a))) {
            return refuse("only some agents have an initial timestamp");
        }
        self.helpers.borrow_mut().insert(Helper::ByNumber(n));
        Ok(Helper::ByNumber(n).name())
    }
}
