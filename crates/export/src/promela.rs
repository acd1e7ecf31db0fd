//! Promela, for Spin: the whole emulation program as one process, one indivisible step for each step of ours.
//!
//! A function that leaves nothing open is a `d_step`; the others are `atomic`, with Spin's own choices. A step that turns
//! out to be impossible half-way ends at the label `impossible`, where nothing is decided: the state there is no state of
//! the program. `always` is an assertion after each step, `eventually` an `ltl` formula. Formulas of linear time are
//! `ltl` formulas as well, unless they speak of the next step of the program, which is not the next step of Spin; then
//! they become a product with an automaton and acceptance labels.
//!
//! Every step prints who makes it and the state it leads to, so that a trail can be read back.

mod body;
mod early;
mod formula;
mod locals;
mod names;
mod parts;
mod text;
mod variables;

use crate::naming::block_comment;
use crate::question::{ExportClaim, ExportQuestion};
use crate::total::spans;
use crate::{Export, File, Refusal, Written, refuse};
use names::Names;
use parts::{Parts, Step};
use swarmcheck_ir::{Expr, Rule};
use text::{MACROS, text};

/// The name of the file.
const FILE: &str = "emulation.pml";

/// Writes the program and what is asked about it.
pub fn write(export: &Export<'_>) -> Written {
    let mut question = ExportQuestion::new(export, formula::sayable(export))?;
    let mut written = attempt(export, &question)?;
    if let (Err(_), ExportClaim::Formula(_)) = (&written, &question.ask) {
        // The product knows itself where the program stops.
        question = ExportQuestion::new(export, false)?;
        written = attempt(export, &question)?;
    }
    match written {
        Ok(text) => Ok(vec![File { name: FILE.to_string(), text }]),
        Err(late) => refuse(&format!(
            "Spin cannot detect the deadlocks that this property depends on: choices in the middle \
             of '{late}' decide whether the step is possible"
        )),
    }
}

/// The text about a question, or a function after whose guard a step may turn out to be impossible, where it matters.
fn attempt(export: &Export<'_>, question: &ExportQuestion) -> Result<Result<String, String>, Refusal> {
    let mut names = Names::new();
    let mut parts = Parts::new(question, export.flat, &mut names);
    let sensitive = matches!(
        question.ask,
        ExportClaim::Alive
            | ExportClaim::Eventually(_)
            | ExportClaim::Promised { .. }
            | ExportClaim::Formula(_)
    );
    if matches!(question.ask, ExportClaim::Reachable { .. }) {
        return refuse(
            "Spin cannot decide branching-time properties, such as reachability: export to smv, or verify \
             with swarmcheck's own engines",
        );
    }
    let initial = parts.initial()?;
    let mut steps = vec![];
    for number in 0..question.program.functions.len() {
        if let Some(step) = parts.step(number, &mut names)? {
            if sensitive && step.late {
                return Ok(Err(describe(&question.program.functions[number].rule)));
            }
            steps.push(step);
        }
    }
    assemble(export, question, &mut parts, &initial, &steps, &mut names).map(Ok)
}

/// What a function emulates, in one line, fit for a comment.
fn describe(rule: &Rule) -> String {
    let words = match rule {
        Rule::Action { words, .. } => words.clone(),
        Rule::System { verb, object, .. } if object.is_empty() => verb.to_string(),
        Rule::System { verb, object, .. } => format!("{verb} {object}"),
    };
    block_comment(&words).replace('\\', " ")
}

fn assemble(
    export: &Export<'_>,
    question: &ExportQuestion,
    parts: &mut Parts<'_>,
    initial: &Step,
    steps: &[Step],
    names: &mut Names,
) -> Result<String, Refusal> {
    let dead_ends = initial.dead_ends || steps.iter().any(|s| s.dead_ends);
    let check = parts.check(dead_ends, names)?;
    let mut out = String::new();
    let asked = question.name.as_deref().unwrap_or("is some step possible in every state?");
    out += &format!(
        "/* {}: the emulation program, written by swarmcheck for Spin.\n",
        comment(export.file.name())
    );
    out += &format!("   Property: {}\n\n", comment(asked));
    out += &format!("   spin -a {FILE} && cc -O2 -DNOREDUCE -o pan pan.c && {} */\n\n", run(&question.ask));
    out += "/* Stands for a value that is not defined. */\n#define UNDEF (-2147483647)\n";
    out += MACROS;
    out += "\n/* The state. */\n";
    out += &parts.declarations();
    out += "\n/* Nothing below is a part of the state: it is 0 after each step. */\n";
    out += &parts.helpers(initial, steps);
    out += "\n/* What executions are followed by. */\n";
    out += "bit started;\n";
    if dead_ends {
        out += "bit impossible_step;\n";
    }
    if question.last.is_some() {
        out += "int steps;\n";
    }
    if matches!(question.ask, ExportClaim::ByLast(_)) {
        out += "bit seen;\n";
    }
    out.push('\n');
    out += &parts.ranking(initial, steps);
    out += &check.text;
    out += &format!("/* The initial block. */\ninline initial() {{\n{}  done()\n}}\n\n", initial.body);
    for step in steps {
        let function = &question.program.functions[step.number];
        out += &format!("/* {} */\n", describe(&function.rule));
        out += &format!("#define can_{}(me) ({})\n", step.name, text(&step.guard));
        if let Some(wrong) = &step.wrong {
            out += &format!("#define wrong_{}(me) ({})\n", step.name, text(wrong));
        }
        out += &format!("inline {}(me) {{\n", step.name);
        out += &format!("  printf(\"@step {} %d\\n\", me);\n", step.number);
        out += &step.body;
        out += "  done()\n}\n\n";
    }
    out += &process(question, steps, dead_ends, names);
    if let Some(formula) = &check.formula {
        let name = names.fresh(question.name.as_deref().unwrap_or("property"));
        out += &format!("\nltl {name} {{ {formula} }}\n");
    }
    Ok(out)
}

/// The command that runs the verifier.
fn run(ask: &ExportClaim) -> &'static str {
    match ask {
        ExportClaim::Eventually(_)
        | ExportClaim::Promised { .. }
        | ExportClaim::Never(_)
        | ExportClaim::Formula(_) => "./pan -a",
        _ => "./pan",
    }
}

/// The process: the initial block, then a loop over all steps.
fn process(question: &ExportQuestion, steps: &[Step], dead_ends: bool, names: &mut Names) -> String {
    let name = names.fresh("emulation");
    let mut options = String::new();
    let more = question.last.map_or(String::new(), |last| format!("steps < {last} && "));
    for step in steps {
        let function = &question.program.functions[step.number];
        let word = if step.indivisible { "d_step" } else { "atomic" };
        for agent in spans(&question.program, &function.owners).into_iter().flat_map(|(a, b)| a..=b) {
            let call = &step.name;
            let sure = match step.wrong {
                None => String::new(),
                Some(_) => {
                    options += &format!(
                        "  :: d_step {{ {more}wrong_{call}({agent}) -> printf(\"@step {} {agent}\\n\"); assert(false) }}\n",
                        step.number
                    );
                    format!("!wrong_{call}({agent}) && ")
                }
            };
            options += &format!("  :: {word} {{ {more}{sure}can_{call}({agent}) -> {call}({agent}) }}\n");
        }
    }
    if options.is_empty() {
        options = "  :: false -> skip\n".to_string();
    }
    // Where deadlocks are not asked for, to stop is no error.
    let label = if matches!(question.ask, ExportClaim::Alive) { "" } else { "end_here: " };
    let tail = match dead_ends {
        true => "impossible:\n  impossible_step = 1;\nend_impossible:\n  false\n}\n",
        false => "}\n",
    };
    match &question.ask {
        ExportClaim::Never(_) => format!(
            "active proctype {name}() {{\n  atomic {{ initial() }}\nagain:\n  if\n  :: accepting -> \
             accept_here: skip\n  :: else -> skip\n  fi;\n  {label}if\n{options}  fi;\n  goto again;\n{tail}"
        ),
        _ => format!(
            "active proctype {name}() {{\n  atomic {{ initial() }}\n  {label}do\n{options}  od;\n{tail}"
        ),
    }
}

/// Text that cannot end a comment.
fn comment(words: &str) -> String {
    block_comment(words)
}

/// The conditions of a question, for checks after each step.
fn conditions(ask: &ExportClaim) -> Vec<(&'static str, &Expr)> {
    match ask {
        // The atoms of formulas have names of their own.
        ExportClaim::Alive | ExportClaim::Formula(_) => vec![],
        ExportClaim::Always(p)
        | ExportClaim::AtLast(p)
        | ExportClaim::ByLast(p)
        | ExportClaim::Eventually(p) => vec![("holds", p)],
        ExportClaim::Promised { kept, waiting } => vec![("kept", kept), ("waiting", waiting)],
        ExportClaim::Never(p) => vec![("accepting", p)],
        ExportClaim::Reachable { goal, .. } => vec![("holds", goal)],
    }
}
