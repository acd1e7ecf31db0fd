//! C, for verifiers of C programs and for compilers (thesis, section 4.2 and chapter 5).
//!
//! One function per triple and per rule of the system, one for the initial state, a scheduler, and the property as the
//! papers check it. The functions are the same for every target; what stands around them differs.
//!
//! * `names`, `bounds`, `writer`: what things are called, which numbers they can be, what the text makes use of.
//! * `expr`, `hoist`, `stmt`, `functions`, `access`, `helpers`: the emulation functions.
//! * `task`, `stuck`, `verifier`: what a verifier is asked. `run`: the random simulator.

mod access;
mod bounds;
mod expr;
mod functions;
mod helpers;
mod hoist;
mod names;
mod run;
mod stmt;
mod stuck;
mod task;
mod verifier;
mod writer;

use crate::{Export, File, Written};
use functions::Parts;
use helpers::Helper;
use names::{comment, identifier};
use std::cell::Cell;
use swarmcheck_ir::{Modality, Program, VarId};
use swarmcheck_source::SourceFile;
use task::{Check, Task};
use writer::{Style, Writer};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    Run,
    Cbmc,
    Esbmc,
    Svcomp,
    Flat,
}

/// A random simulator that compilers accept without warnings.
pub fn run(export: &Export<'_>) -> Written {
    // Scopes and formulas of linear time refer to executions; a simulator looks at one state at a time.
    let at_one_state = |p: &usize| {
        !matches!(export.program.properties[*p].modality, Modality::Scoped { .. } | Modality::Linear(_))
    };
    let property = export.property.filter(at_one_state);
    let name = property.map(|p| export.program.properties[p].name.as_str());
    let properties: Vec<usize> = property.into_iter().collect();
    let text = with_text(export.program, Dialect::Run, export.file, &properties, false, &|writer, parts| {
        let before = run::before(writer);
        let state = writer.declarations(&|_| "value".to_string(), "  ");
        let state = format!(
            "/* The state, and what it was before the step. */\nstatic struct state {{\n{state}  \
                             char end;\n}} now, saved;\n\n"
        );
        (before + &state, run::after(writer, parts, name))
    });
    Ok(vec![File { name: file_name(export, "c"), text }])
}

pub fn cbmc(export: &Export<'_>) -> Written {
    verifier(export, Dialect::Cbmc)
}

pub fn esbmc(export: &Export<'_>) -> Written {
    verifier(export, Dialect::Esbmc)
}

/// In the style of the competition on software verification, with a task definition.
pub fn svcomp(export: &Export<'_>) -> Written {
    verifier(export, Dialect::Svcomp)
}

/// The same without arrays.
pub fn flat(export: &Export<'_>) -> Written {
    verifier(export, Dialect::Flat)
}

fn verifier(export: &Export<'_>, dialect: Dialect) -> Written {
    let competition = matches!(dialect, Dialect::Svcomp | Dialect::Flat);
    let Task { program, check, properties } = task::task(export, competition)?;
    let names: Vec<&str> = properties.iter().map(|p| program.properties[*p].name.as_str()).collect();
    let enabled = check == Check::Terminates;
    let remark = if export.property.is_none() {
        left_out(&program, &properties, export.formulas)
    } else {
        String::new()
    };
    let text = with_text(&program, dialect, export.file, &properties, enabled, &|writer, parts| {
        let kind = |var: VarId| verifier::storage(writer, dialect, var);
        let state = format!("/* The state. */\n{}\n", writer.declarations(&kind, ""));
        let after = verifier::after(writer, dialect, parts, check, &names);
        let used = |word: &str| {
            let used = writer.used.borrow();
            let checked = [&used.readers, &used.writers, &used.finders].iter().any(|set| !set.is_empty());
            match word {
                "fault" => checked || used.helpers.iter().any(|h| h.may_fail()),
                "quiet" => used.helpers.contains(&Helper::Quiet),
                _ => {
                    let call = format!("{word}(");
                    let drawn = used.helpers.contains(&Helper::Between);
                    drawn || [&parts.init, &parts.steps].iter().any(|text| text.contains(&call))
                }
            }
        };
        (remark.clone() + &verifier::before(writer, dialect, export.file, &used) + &state, after)
    });
    let mut files = vec![File { name: file_name(export, "c"), text }];
    if competition {
        files.extend(definition(export, check));
    }
    Ok(files)
}

/// The text of a program; twice, because the type of numbers depends on which are computed.
fn with_text(
    program: &Program,
    dialect: Dialect,
    file: &SourceFile,
    properties: &[usize],
    enabled: bool,
    around: &dyn Fn(&Writer<'_>, &Parts) -> (String, String),
) -> String {
    let mut style = Style {
        array_free: dialect == Dialect::Flat,
        structure: dialect == Dialect::Run,
        top: i64::MAX.into(),
    };
    let mut text = String::new();
    for _ in 0..2 {
        let writer = Writer::new(program, style);
        let all = program.functions.iter().map(|f| &f.locals).chain([&program.init_locals]);
        let locals: Vec<_> = all.map(|l| writer.names.locals(l)).collect();
        let counters = vec![Cell::new(0); locals.len()];
        let parts = writer.parts(file, properties, &locals, &counters, enabled);
        let accessors = writer.accessors();
        let (before, after) = around(&writer, &parts);
        let helpers: String = writer.used.borrow().helpers.iter().map(|h| h.text()).collect();
        let holds = if dialect == Dialect::Run { parts.holds.concat() } else { String::new() };
        text = format!(
            "/* {}: the emulation program, written by swarmcheck. */\n\n{before}{helpers}{accessors}{}{}{holds}{after}",
            comment(file.name()),
            parts.init,
            parts.steps
        );
        let stored = writer.during.iter().map(|b| b.lo.abs().max(b.hi.abs())).max().unwrap_or(0);
        let widest = writer.used.borrow().widest.max(stored);
        style.top = verifier::top(dialect, widest);
    }
    text
}

/// What is asserted where no property was asked for, and what no assertion says.
fn left_out(program: &Program, asserted: &[usize], formulas: &[&str]) -> String {
    let names = |wanted: bool| {
        let all = program.properties.iter().enumerate().filter(|(p, _)| asserted.contains(p) == wanted);
        let more = formulas.iter().copied().filter(|_| !wanted);
        let names: Vec<String> = all.map(|(_, p)| p.name.as_str()).chain(more).map(comment).collect();
        if names.is_empty() { "none".to_string() } else { names.join(", ") }
    };
    format!(
        "/* No property was named. Asserted are all that say what always holds: {}.\n   Not in here are scopes, formulas, \
         and what happens some time: {}. Name one of them to check it.\n   Errors of the model are looked for in any case. */\n\n",
        names(true),
        names(false)
    )
}

/// What to verify, as the competition wants to be told, and the property itself.
fn definition(export: &Export<'_>, check: Check) -> Vec<File> {
    let (property, formula) = match check {
        Check::Terminates => ("termination.prp", "CHECK( init(main()), LTL(F end) )\n"),
        _ => ("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
    };
    let text = format!(
        "format_version: '2.0'\n\ninput_files: '{}'\n\nproperties:\n  - property_file: {property}\n\noptions:\n  \
         language: C\n  data_model: LP64\n",
        file_name(export, "c")
    );
    let task = File { name: file_name(export, "yml"), text };
    vec![task, File { name: property.to_string(), text: formula.to_string() }]
}

/// The name of the model's file, without its directory, with another ending.
fn file_name(export: &Export<'_>, ending: &str) -> String {
    let last = export.file.name().rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = last.split('.').next().unwrap_or_default();
    let stem = if stem.is_empty() { "model" } else { stem };
    format!("{}.{ending}", identifier(stem))
}
