//! The executable variant: a random simulator in one file of C11, without anything that is not in the standard library.
//!
//! A step is found as `crates/simulate` does: agents and functions in random order, and for each all its choices, also in
//! random order, until one attempt succeeds; so a deadlock is reported only if there is no step at all. An attempt that
//! turns out not to be possible jumps back, and the state is what it was.

use super::functions::Parts;
use super::names::string;
use super::writer::Writer;
use std::fmt::Write;
use swarmcheck_ir::{KindId, Rule, VarId};

/// Types, nondeterminism and errors: everything that the emulation functions need.
pub(super) fn before(writer: &Writer<'_>) -> String {
    let used = writer.used.borrow();
    let mut places = String::new();
    for span in &used.sites {
        let _ = writeln!(places, "  {{ {}, {} }},", span.start, span.end);
    }
    let places = if places.is_empty() { "  { 0, 0 },\n".to_string() } else { places };
    PRELUDE.replace("@PLACES@", &places)
}

/// What stands after the emulation functions: the scheduler and the program itself.
pub(super) fn after(writer: &Writer<'_>, parts: &Parts, property: Option<&str>) -> String {
    let program = writer.program;
    let (mut owners, mut calls, mut words) = (String::new(), String::new(), String::new());
    for (at, (owner, name)) in writer.schedule().into_iter().enumerate() {
        let _ = writeln!(owners, "  case {at}: return {};", owner.unwrap_or("1".to_string()));
        let _ = writeln!(calls, "  case {at}: {name}(me); break;");
    }
    for f in &program.functions {
        let text = match &f.rule {
            Rule::Action { words, .. } => words.clone(),
            Rule::System { verb, object, .. } => format!("<{verb} '{object}'>"),
        };
        let _ = writeln!(words, "  {},", string(&text));
    }
    if words.is_empty() {
        words += "  \"\",\n";
    }
    let mut kinds = String::new();
    for kind in program.kinds.iter().filter(|k| k.count > 0) {
        let end = kind.first + kind.count;
        let _ = writeln!(kinds, "  if (me < {end}) return {};", string(&kind.name));
    }
    let property = match property {
        Some(name) if !parts.holds.is_empty() => PROPERTY.replace("@NAME@", &string(name)),
        _ => "static void look(int first)\n{\n  (void)first;\n}\n".to_string(),
    };
    MAIN.replace("@OWNERS@", &owners)
        .replace("@CALLS@", &calls)
        .replace("@WORDS@", &words)
        .replace("@KINDS@", &kinds)
        .replace("@FUNCTIONS@", &program.functions.len().to_string())
        .replace("@AGENTS@", &program.agents().to_string())
        .replace("@PROPERTY@", &property)
        .replace("@STATE@", &each_cell(writer, &|cell, _, _| format!("print_value({cell});")))
        .replace("@CHANGES@", &each_cell(writer, &changed))
}

/// A line that shows a cell that has changed.
fn changed(cell: &str, name: &str, at: &[String]) -> String {
    let before = cell.replacen("now.", "saved.", 1);
    let pattern: String = at.iter().map(|_| "[%lld]").collect();
    let label = string(&format!("  {}", name.replace('%', "%%")));
    let arguments: String = at.iter().map(|i| format!(", {i}")).collect();
    format!(
        "if (all || {cell} != {before}) {{ printf({label} \"{pattern} =\"{arguments}); print_value({cell}); puts(\"\"); }}"
    )
}

/// What is written for a cell: from its text in C, the name of its variable, and its coordinates.
type Show<'a> = &'a dyn Fn(&str, &str, &[String]) -> String;

/// Something for every cell, in the order of the state vector: global variables, then agent after agent.
fn each_cell(writer: &Writer<'_>, show: Show<'_>) -> String {
    let program = writer.program;
    let vars = || program.vars.iter().enumerate();
    let global = vars().filter(|(_, v)| v.owners.is_none());
    let mut out: String = global.map(|(var, _)| cells_of(writer, var, None, show)).collect();
    for (k, kind) in program.kinds.iter().enumerate().filter(|(_, kind)| kind.count > 0) {
        let has = |owners: &Vec<KindId>| owners.iter().any(|o| o.0 as usize == k);
        let mine = vars().filter(|(_, v)| v.owners.as_ref().is_some_and(has));
        let inside: String = mine.map(|(var, _)| cells_of(writer, var, Some("agent"), show)).collect();
        if !inside.is_empty() {
            let (first, end) = (kind.first, kind.first + kind.count);
            let _ = write!(out, "  for (value agent = {first}; agent < {end}; agent++) {{\n{inside}  }}\n");
        }
    }
    out
}

/// The same for one copy of one variable, in one line.
fn cells_of(writer: &Writer<'_>, var: usize, agent: Option<&str>, show: Show<'_>) -> String {
    let found = &writer.program.vars[var];
    let sizes = &found.dimensions;
    let at = agent.map(str::to_string).into_iter().chain((0..sizes.len()).map(|d| format!("at{d}")));
    let at: Vec<String> = at.collect();
    let text = show(&writer.cell(VarId(var as u32), &at), &found.name, &at);
    let one = |(d, size)| format!("for (value at{d} = 0; at{d} < {size}; at{d}++) ");
    let loops: String = sizes.iter().enumerate().map(one).collect();
    let indent = if agent.is_some() { "    " } else { "  " };
    format!("{indent}{loops}{text}\n")
}

const PRELUDE: &str = include_str!("run_before.txt");
const MAIN: &str = include_str!("run_after.txt");
const PROPERTY: &str = r#"/* Says whether the property's condition holds, whenever that changes. */
static void look(int first)
{
  static int before;
  int is = holds();
  if (machine) printf("holds %d\n", is);
  else if (first || is != before) printf("<%s: %s>\n", @NAME@, is ? "true" : "false");
  before = is;
}
"#;
