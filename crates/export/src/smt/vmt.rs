//! A symbolic transition system with the annotations of VMT.
//!
//! The first transition is the initial block: before it, `started` is false, and nothing else matters. So draws of the initial
//! block are inputs like those of steps.

use super::{Asked, Asking};
use crate::naming::line_comment;
use crate::{File, Refusal};
use swarmcheck_smt::system::{Made, System};
use swarmcheck_smt::text::{Scope, Variable, all, any, chosen, quoted};
use swarmcheck_steps::execute::Step;

/// The name of the file.
const FILE: &str = "emulation.smt2";

/// Writes the system.
pub(super) fn write(asking: &Asking) -> Result<File, Refusal> {
    let system = &asking.system;
    let variables = system.text.variables();
    let mut out = asking.comments();
    let mut declared = |name: &str, sort: &str| {
        let (now, next) = (quoted(name), quoted(&format!("{name}'")));
        out += &format!("(declare-fun {now} () {sort})\n(declare-fun {next} () {sort})\n");
        out += &format!("(define-fun {} () {sort} (! {now} :next {next}))\n", quoted(&format!(".{name}")));
    };
    declared("started", "Bool");
    variables.iter().for_each(|variable| declared(&variable.name, variable.sort));
    out += "(declare-fun step () Int)\n";
    let mut scope = system.text.scope("");
    let mut ways = vec![];
    let begin = way(system, &system.initial, &variables, &mut scope)?;
    let all_steps = system.steps.iter().map(|(_, step)| step).chain([&system.initial]);
    for choice in system.text.choices(all_steps.flat_map(Step::terms)) {
        out += &format!("(declare-fun {} () Int)\n", chosen(choice));
    }
    for (number, (words, step)) in system.steps.iter().enumerate() {
        let made = way(system, step, &variables, &mut scope)?;
        ways.push(format!("\n  ; {}\n  (and (= step {number}) {made})", line_comment(words)));
    }
    let (claim, kind) = match &asking.asked {
        Asked::Always(term) => (scope.term(*term)?.truth(), ":invar-property"),
        Asked::NotForever(term) => (format!("(not {})", scope.term(*term)?.truth()), ":live-property"),
    };
    for (name, sort, text) in &scope.lines {
        out += &format!("(define-fun {name} () {sort} {text})\n");
    }
    let steps = any(ways);
    out += "(define-fun .init () Bool (! (not |started|) :init true))\n";
    out += &format!(
        "(define-fun .trans () Bool (! (and |started'| (ite |started| {steps}\n  {begin})) :trans true))\n"
    );
    out += &format!("(define-fun .property () Bool (! (=> |started| {claim}) {kind} 0))\n");
    Ok(File { name: FILE.to_string(), text: out })
}

/// A step as one formula.
fn way(
    system: &System,
    step: &Step,
    variables: &[Variable],
    scope: &mut Scope<'_>,
) -> Result<String, Refusal> {
    let Made { requires, after, .. } = system.made(step, variables, scope)?;
    let written = |(Variable { name, .. }, after): (&Variable, String)| {
        format!("(= {} {after})", quoted(&format!("{name}'")))
    };
    Ok(all(requires.into_iter().chain(variables.iter().zip(after).map(written)).collect()))
}
