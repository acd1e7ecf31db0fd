//! Target `lnt`: the sequential emulation program in LNT, the process language of CADP.
//!
//! One process per emulation function, a matrix of comparisons per stigmergic tuple instead of timestamps, and a label
//! for every change of a variable, as the ATLAS paper describes in section 3.1. What it adds is the label `STEP`, which
//! says that a step is complete: between two of them the labels tell of a state that the system is never in, and queries
//! must not look at it. [`parallel`] writes target `lnt-parallel` with the same means.

mod agent;
mod expr;
mod helpers;
mod module;
pub(crate) mod names;
mod network;
mod own;
pub mod parallel;
mod place;
mod process;
mod report;
mod shape;
mod step;
mod stmt;
mod text;

use crate::naming::line_comment;
use crate::{Export, File, Refusal};
use module::Module;
use names::Names;
use shape::Storage;
use std::collections::BTreeSet;
use swarmcheck_ir::Program;
use text::{Lines, nest};

/// The name of the module and of its file.
pub const MODULE: &str = "emulation";

/// Writes the sequential program.
pub fn write(export: &Export<'_>) -> Result<Vec<File>, Refusal> {
    if export.bound.is_some() {
        return expr::refuse("LNT programs run without a bound on their steps");
    }
    let text = sequential(export.program, export.file.name())?;
    Ok(vec![File { name: format!("{MODULE}.lnt"), text }])
}

fn sequential(program: &Program, origin: &str) -> Result<String, Refusal> {
    let mut names = Names::new();
    let shapes = shape::shapes(program, &mut names);
    let functions = program.functions.iter().map(|f| names.fresh(&f.name)).collect();
    let module = Module::new(program, shapes, names, functions);
    let processes = program
        .functions
        .iter()
        .enumerate()
        .map(|(i, f)| module.function(i, f))
        .collect::<Result<Vec<_>, _>>()?;
    let main = module.main()?;
    let mut parts = types(&module);
    parts.extend(channels(program));
    parts.extend(helpers::definitions(&module.helpers.borrow()));
    parts.extend(report::report_processes(&module.reports.borrow()));
    parts.extend(processes);
    parts.push(main);
    let title =
        format!("-- The sequential emulation program of {}, written by swarmcheck.", line_comment(origin));
    let pragmas = ["!nat_bits 32", "!int_bits 32", "!int_check 1"].map(str::to_string);
    Ok(module_text(remarks(title, program), MODULE, &pragmas, parts))
}

/// What stands above a module: where it comes from, and who the agents are.
fn remarks(title: String, program: &Program) -> Lines {
    let mut out = vec![title];
    for kind in &program.kinds {
        out.push(match kind.count {
            0 => format!("-- {}: no agents", kind.name),
            1 => format!("-- {}: agent {}", kind.name, kind.first),
            n => format!(
                "-- {}: agents {} to {}",
                kind.name,
                kind.first,
                u64::from(kind.first) + u64::from(n) - 1
            ),
        });
    }
    out
}

/// A module: definitions with empty lines between them.
fn module_text(remarks: Lines, name: &str, pragmas: &[String], parts: Vec<Lines>) -> String {
    let mut out = remarks;
    out.push(format!("module {name} is"));
    out.extend(pragmas.iter().map(|p| format!("   {p}")));
    for part in parts {
        out.push(String::new());
        out.extend(part);
    }
    out.push(String::new());
    out.push("end module".to_string());
    out.join("\n") + "\n"
}

/// Arrays of numbers, and matrices of comparisons.
fn types(module: &Module<'_>) -> Vec<Lines> {
    let mut sizes = module.sizes.borrow().clone();
    let mut matrices = BTreeSet::new();
    for shape in &module.shapes {
        match shape.kind {
            Storage::Table { cells } => {
                sizes.insert(cells);
            }
            Storage::Cells { agents, cells, .. } => {
                sizes.insert(agents.saturating_mul(cells));
            }
            Storage::Times { agents, .. } => {
                matrices.insert(agents);
            }
            Storage::Absent | Storage::Scalar => {}
        }
    }
    let array = |name: String, last: u64, of: &str| {
        nest(format!("type {name} is"), text::line(format!("array [0 .. {last}] of {of}")), "end type")
    };
    let mut out: Vec<Lines> =
        sizes.iter().map(|&n| array(format!("CELLS_{n}"), u64::from(n) - 1, "int")).collect();
    if !matrices.is_empty() {
        let mut relation = vec!["-- How the timestamp of one agent compares to that of another.".to_string()];
        let body = vec!["LESS, SAME, GREATER".to_string(), "with \"==\", \"<>\"".to_string()];
        relation.extend(nest("type RELATION is", body, "end type"));
        out.push(relation);
    }
    out.extend(
        matrices.iter().map(|&n| array(format!("TIMES_{n}"), u64::from(n) * u64::from(n) - 1, "RELATION")),
    );
    out
}

/// A channel with a remark.
fn channel(comment: &str, name: &str, profiles: &str) -> Lines {
    let mut out = vec![format!("-- {comment}")];
    out.extend(nest(format!("channel {name} is"), text::line(profiles), "end channel"));
    out
}

/// The labels: an agent's variable or a cell of it, a shared one, and the end of a step.
fn channels(program: &Program) -> Vec<Lines> {
    let mut out = vec![channel(
        "Agent, variable, for arrays the cell, and the new value.",
        "ASSIGNMENT",
        "(nat, string, int), (nat, string, nat, int)",
    )];
    if is_shared(program) {
        out.push(channel(
            "The same for what belongs to nobody.",
            "SHARING",
            "(string, int), (string, nat, int)",
        ));
    }
    out.push(channel("Who has done what.", "STEPS", "(nat, string)"));
    out
}

/// Whether some labels are about variables that belong to no agent.
fn is_shared(program: &Program) -> bool {
    shape::shapes(program, &mut Names::new())
        .iter()
        .any(|s| s.shown && matches!(s.kind, Storage::Scalar | Storage::Table { .. }))
}
