//! Constrained Horn clauses: an invariant that holds initially, is kept by every step and excludes bad states.
//!
//! Bjørner, Gurfinkel, McMillan, Rybalchenko, *Horn clause solvers for program verification*, 2015. The clauses are satisfiable
//! exactly if no bad state is reachable, and a model of them is an inductive invariant.

use crate::system::{Made, Refusal, System};
use crate::text::{Scope, Variable, all, chosen, quoted};
use swarmcheck_steps::execute::Step;

/// The name of the set of states that is looked for.
pub const REACHED: &str = "Reached";

/// Writes the clauses; `bad` writes the condition on bad states.
pub fn clauses(
    system: &System,
    bad: &dyn Fn(&mut Scope<'_>) -> Result<String, Refusal>,
) -> Result<String, Refusal> {
    let variables = system.text.variables();
    let sorts: Vec<&str> = variables.iter().map(|variable| variable.sort).collect();
    let mut out = format!("(set-logic HORN)\n(declare-fun {REACHED} ({}) Bool)\n", sorts.join(" "));
    let here = reached(variables.iter().map(|variable| quoted(&variable.name)).collect());
    out += &format!("; The initial block\n{}", clause(system, &variables, None, &system.initial)?);
    for (words, step) in &system.steps {
        out += &format!(
            "; {}\n{}",
            words.replace(['\n', '\r'], " "),
            clause(system, &variables, Some(&here), step)?
        );
    }
    let mut scope = system.text.scope("");
    let bad = bad(&mut scope)?;
    out += &format!(
        "; The property\n{}",
        closed(&variables, &[], &scope, &format!("(=> (and {here} {bad}) false)"))
    );
    Ok(out + "(check-sat)\n")
}

fn reached(values: Vec<String>) -> String {
    if values.is_empty() { REACHED.to_string() } else { format!("({REACHED} {})", values.join(" ")) }
}

/// What a step leads to.
fn clause(
    system: &System,
    variables: &[Variable],
    from: Option<&str>,
    step: &Step,
) -> Result<String, Refusal> {
    let mut scope = system.text.scope("");
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
