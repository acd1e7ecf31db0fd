//! Constrained Horn clauses: an invariant that holds initially, is kept by every step and implies the property.

use super::text::{Scope, Variable, all, chosen, quoted};
use super::{Asked, Made, System};
use crate::{File, Refusal, refuse};
use swarmcheck_steps::execute::Step;

/// The name of the file.
const FILE: &str = "emulation.chc.smt2";

/// Writes the clauses.
pub(super) fn write(system: &System) -> Result<File, Refusal> {
    let Asked::Always(claim) = &system.asked else {
        return refuse(
            "Horn clauses say what holds in every state: a formula about what happens again and again is for --to smt2",
        );
    };
    let variables = system.text.variables();
    let sorts: Vec<&str> = variables.iter().map(|variable| variable.sort).collect();
    let mut out = system.comments();
    out += "; Satisfiable: the property holds, and the model is an inductive invariant. Unsatisfiable: it is violated.\n";
    out += &format!("(set-logic HORN)\n(declare-fun Reached ({}) Bool)\n", sorts.join(" "));
    let here = reached(variables.iter().map(|variable| quoted(&variable.name)).collect());
    out += &format!("; The initial block\n{}", clause(system, &variables, None, &system.initial)?);
    for (words, step) in &system.steps {
        out += &format!(
            "; {}\n{}",
            words.replace(['\n', '\r'], " "),
            clause(system, &variables, Some(&here), step)?
        );
    }
    let mut scope = system.text.scope();
    let holds = scope.term(*claim)?.truth();
    out += &format!(
        "; The property\n{}",
        closed(&variables, &[], &scope, &format!("(=> (and {here} (not {holds})) false)"))
    );
    out += "(check-sat)\n";
    Ok(File { name: FILE.to_string(), text: out })
}

fn reached(values: Vec<String>) -> String {
    if values.is_empty() { "Reached".to_string() } else { format!("(Reached {})", values.join(" ")) }
}

/// What a step leads to.
fn clause(
    system: &System,
    variables: &[Variable],
    from: Option<&str>,
    step: &Step,
) -> Result<String, Refusal> {
    let mut scope = system.text.scope();
    let Made { choices, requires, after } = system.made(step, variables, &mut scope)?;
    let premises = from.map(String::from).into_iter().chain(requires).collect();
    let rule = format!("(=> {} {})", all(premises), reached(after));
    Ok(closed(variables, &choices, &scope, &rule))
}

/// A clause for all values of variables and choices.
fn closed(variables: &[Variable], choices: &[u32], scope: &Scope<'_>, rule: &str) -> String {
    let state = variables.iter().map(|variable| format!("({} {})", quoted(&variable.name), variable.sort));
    let bound: Vec<String> =
        state.chain(choices.iter().map(|choice| format!("({} Int)", chosen(*choice)))).collect();
    let lets: String = scope.lines.iter().map(|(name, _, text)| format!("(let (({name} {text})) ")).collect();
    let body = format!("{lets}{rule}{}", ")".repeat(scope.lines.len()));
    match bound.is_empty() {
        true => format!("(assert {body})\n"),
        false => format!("(assert (forall ({}) {body}))\n", bound.join(" ")),
    }
}
