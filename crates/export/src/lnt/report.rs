//! Labels for what changes, and for what variables are at the start.

use super::module::Module;
use super::shape::Storage;
use super::text::{Lines, declare, indent, line, nest};
use std::collections::BTreeSet;
use swarmcheck_ir::VarId;
use swarmcheck_logic::expand::agents;

impl Module<'_> {
    /// Labels for what has changed in a variable.
    pub(super) fn report(&self, var: VarId, old: &str) -> Lines {
        let shape = self.shape(var);
        let (name, label) = (&shape.name, self.program.var(var).name.as_str());
        match shape.kind {
            Storage::Scalar => nest(
                format!("if {name} <> {old} then"),
                line(format!("SHARED (\"{label}\", {name})")),
                "end if",
            ),
            Storage::Table { cells } => {
                self.reports.borrow_mut().insert((0, cells));
                line(format!("REPORT_SHARED_{cells} [SHARED] (\"{label}\", {old}, {name})"))
            }
            Storage::Cells { first, agents, cells } => {
                let scalar = self.program.var(var).dimensions.is_empty();
                let cells = if scalar { 0 } else { cells };
                self.reports.borrow_mut().insert((agents, cells));
                line(format!("{} [ASSIGN] (\"{label}\", {first}, {old}, {name})", report_name(agents, cells)))
            }
            Storage::Absent | Storage::Times { .. } => vec![],
        }
    }

    /// Labels for all cells of a variable.
    pub(super) fn announce(&self, var: VarId) -> Vec<Lines> {
        let shape = self.shape(var);
        let (name, label) = (&shape.name, self.program.var(var).name.as_str());
        match shape.kind {
            Storage::Scalar => vec![line(format!("SHARED (\"{label}\", {name})"))],
            Storage::Table { cells } => {
                (0..cells).map(|c| line(format!("SHARED (\"{label}\", {c}, {name}[{c}])"))).collect()
            }
            Storage::Cells { first, cells, .. } => {
                let owners = self.program.var(var).owners.as_deref().unwrap_or_default();
                let scalar = self.program.var(var).dimensions.is_empty();
                let at = |agent: u32, cell: u32| {
                    let index = u64::from(agent - first) * u64::from(cells) + u64::from(cell);
                    let which = if scalar { String::new() } else { format!("{cell}, ") };
                    line(format!("ASSIGN ({agent}, \"{label}\", {which}{name}[{index}])"))
                };
                let agents = agents(self.program, owners);
                agents.iter().flat_map(|&a| (0..cells).map(move |c| (a, c))).map(|(a, c)| at(a, c)).collect()
            }
            Storage::Absent | Storage::Times { .. } => vec![],
        }
    }
}

/// The process that reports changes of a variable of this many agents; `cells` is 0 for variables that are no arrays.
fn report_name(agents: u32, cells: u32) -> String {
    if cells == 0 { format!("REPORT_{agents}") } else { format!("REPORT_{agents}_BY_{cells}") }
}

/// The processes that report changes.
pub(crate) fn report_processes(needed: &BTreeSet<(u32, u32)>) -> Vec<Lines> {
    needed.iter().map(|&(agents, cells)| report_process(agents, cells)).collect()
}

fn report_process(agents: u32, cells: u32) -> Lines {
    let size = u64::from(agents.max(1)) * u64::from(cells.max(1));
    let over = |name: &str, n: u32, body: Lines| {
        nest(format!("for {name} := 0 while {name} < {n} by {name} := {name} + 1 loop"), body, "end loop")
    };
    let (index, label) = match (agents, cells) {
        (0, _) => ("cell".to_string(), "SHARED (name, cell, after[cell])".to_string()),
        (_, 0) => ("number".to_string(), "ASSIGN (first + number, name, after[number])".to_string()),
        _ => {
            let index = format!("(number * {cells}) + cell");
            (index.clone(), format!("ASSIGN (first + number, name, cell, after[{index}])"))
        }
    };
    let report = nest(format!("if before[{index}] <> after[{index}] then"), line(label), "end if");
    let (name, gate, parameters, body) = match (agents, cells) {
        (0, _) => (format!("REPORT_SHARED_{cells}"), "SHARED: SHARING", "", over("cell", cells, report)),
        (_, 0) => {
            (report_name(agents, cells), "ASSIGN: ASSIGNMENT", "first: nat, ", over("number", agents, report))
        }
        _ => {
            let body = over("number", agents, over("cell", cells, report));
            (report_name(agents, cells), "ASSIGN: ASSIGNMENT", "first: nat, ", body)
        }
    };
    let variables: Vec<(String, String)> = ["number", "cell"]
        .iter()
        .filter(|v| body.iter().any(|l| l.trim_start().starts_with(&format!("for {v} "))))
        .map(|v| (v.to_string(), "nat".to_string()))
        .collect();
    let head = format!("process {name} [{gate}]");
    let list = format!("(name: string, {parameters}before: CELLS_{size}, after: CELLS_{size})");
    let mut out = line("-- Labels for the cells that have changed.");
    out.extend(nest(head, line(list), "is"));
    out.extend(indent(declare(&variables, body)));
    out.push("end process".to_string());
    out
}
