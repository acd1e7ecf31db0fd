//! That a condition holds in all initial states, or after one step from all of them: unsatisfiable exactly if it does.

use super::{Asked, Asking};
use crate::naming::line_comment;
use crate::{Refusal, refuse};
use swarmcheck_smt::system::{Made, System};
use swarmcheck_smt::text::{Scope, Variable, all, any, chosen, quoted};
use swarmcheck_steps::execute::Step;

/// Writes the question; with `step` about the states after one step, otherwise about the initial ones.
pub(super) fn write(asking: &Asking, step: bool) -> Result<String, Refusal> {
    let system = &asking.system;
    let Asked::Always(claim) = &asking.asked else {
        return refuse("only a condition on states is a part of an invariant");
    };
    let variables = system.text.variables();
    let mut out = asking.comments();
    out += "; Unsatisfiable: it holds.\n(set-logic QF_LIA)\n";
    let steps = system.steps.iter().map(|(_, step)| step).filter(|_| step);
    let choices = system.text.choices(steps.chain([&system.initial]).flat_map(Step::terms));
    choices.iter().for_each(|choice| out += &format!("(declare-fun {} () Int)\n", chosen(*choice)));
    for Variable { name, sort, .. } in &variables {
        out += &format!("(declare-fun {} () {sort})\n", quoted(name));
        if step {
            out += &format!("(declare-fun {} () {sort})\n", quoted(&next(name)));
        }
    }
    let mut scope = system.text.scope("");
    let begins = way(system, &system.initial, &variables, &mut scope, str::to_string)?;
    let mut ways = vec![];
    for (words, step) in system.steps.iter().filter(|_| step) {
        let made = way(system, step, &variables, &mut scope, next)?;
        ways.push(format!("\n  ; {}\n  {made}", line_comment(words)));
    }
    for (name, sort, text) in &scope.lines {
        out += &format!("(define-fun {name} () {sort} {text})\n");
    }
    out += &format!("(assert {begins})\n");
    if step {
        out += &format!("(assert {})\n", any(ways));
    }
    let mut scope = system.text.scope("");
    let holds = scope.term(*claim)?.truth();
    let lets: String = scope.lines.iter().map(|(name, _, text)| format!("(let (({name} {text})) ")).collect();
    let parameters: Vec<String> =
        variables.iter().map(|Variable { name, sort, .. }| format!("({} {sort})", quoted(name))).collect();
    let body = format!("{lets}{holds}{}", ")".repeat(scope.lines.len()));
    out += &format!("(define-fun Claim ({}) Bool {body})\n", parameters.join(" "));
    let name = |variable: &Variable| quoted(&if step { next(&variable.name) } else { variable.name.clone() });
    let values: Vec<String> = variables.iter().map(name).collect();
    let claimed =
        if values.is_empty() { "Claim".to_string() } else { format!("(Claim {})", values.join(" ")) };
    out += &format!("(assert (not {claimed}))\n(check-sat)\n");
    Ok(out)
}

fn next(name: &str) -> String {
    format!("{name}'")
}

/// A step as one formula; `after` names variables after it.
fn way(
    system: &System,
    step: &Step,
    variables: &[Variable],
    scope: &mut Scope<'_>,
    after: impl Fn(&str) -> String,
) -> Result<String, Refusal> {
    let Made { requires, after: values, .. } = system.made(step, variables, scope)?;
    let written = variables.iter().zip(values).filter_map(|(variable, value)| {
        let name = quoted(&after(&variable.name));
        // The initial block leaves nothing as it was.
        (name != value).then(|| format!("(= {name} {value})"))
    });
    Ok(all(requires.into_iter().chain(written).collect()))
}
