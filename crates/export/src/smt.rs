//! SMT-LIB: a program as formulas over mathematical integers.
//!
//! * `smt2`: a symbolic transition system in SMT-LIB 2 with the annotations of VMT (Cimatti, Griggio, Tonetta, *The VMT-LIB
//!   language and tools*, SMT workshop 2022): `:next`, `:init`, `:trans` and the property. For ic3ia, nuXmv, Kratos, AVR, Pono.
//! * `chc`: constrained Horn clauses, satisfiable exactly if the property holds. For Z3's Spacer, Eldarica, Golem.
//!
//! Steps are executed on terms (`swarmcheck_steps`), so what a step writes and requires is a formula over the state before it. No
//! number is too large here. An index outside an array, and an agent that does not exist, must be excluded by the ranges of
//! variables, or the target refuses.

mod horn;
mod obligation;
mod text;
mod vmt;

use crate::question::{ExportClaim, ExportQuestion};
use crate::smv::describe;
use crate::{Export, Refusal, Written, refuse};
use std::collections::HashMap;
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::{Expr, Value};
use swarmcheck_steps::execute::{self, Executed, Numbers, Step};
use swarmcheck_steps::terms::{Node, TermId};
use text::{Scope, Text, Variable, quoted};

/// Writes a system in VMT.
pub fn vmt(export: &Export<'_>) -> Written {
    Ok(vec![vmt::write(&System::new(export)?)?])
}

/// Writes Horn clauses.
pub fn chc(export: &Export<'_>) -> Written {
    Ok(vec![horn::write(&System::new(export)?)?])
}

/// Writes that a condition holds in the initial states or, with `step`, after one step from them. The condition is the property.
pub fn obligation(export: &Export<'_>, step: bool) -> Result<String, Refusal> {
    obligation::write(&System::new(export)?, step)
}

/// What is asked, as a condition on states.
pub(crate) enum Asked {
    /// It holds in every state.
    Always(TermId),
    /// From some point on it never holds.
    NotForever(TermId),
}

/// A program as formulas.
pub(crate) struct System {
    /// The head of the file, as comments.
    pub(crate) head: Vec<String>,
    pub(crate) text: Text,
    pub(crate) initial: Step,
    /// Steps with what they are, in words.
    pub(crate) steps: Vec<(String, Step)>,
    pub(crate) asked: Asked,
}

/// A step as formulas.
struct Made {
    choices: Vec<u32>,
    requires: Vec<String>,
    /// The value of each variable, in their order.
    after: Vec<String>,
}

impl System {
    fn new(export: &Export<'_>) -> Result<System, Refusal> {
        let question = ExportQuestion::new(export, false)?;
        if question.last.is_some() {
            return refuse("formulas over integers have no bound on steps: leave out --steps and 'after'");
        }
        // Without ranges nothing is known about indices.
        let program = swarmcheck_passes::ranges::narrow(&question.program).program;
        let ground = Ground::new(&program);
        let told = |refused: swarmcheck_steps::Refused| Refusal { why: refused.to_string() };
        let mut executed = execute::execute(&program, &ground, Numbers::Integers).map_err(told)?;
        let condition = |executed: &mut Executed, e: &Expr| {
            let condition = ground.condition(&program, e);
            Ok::<TermId, Refusal>(execute::conditions(executed, &[condition]).map_err(told)?.swap_remove(0))
        };
        let asked = match &question.ask {
            ExportClaim::Always(e) => Asked::Always(condition(&mut executed, e)?),
            ExportClaim::Never(e) => Asked::NotForever(condition(&mut executed, e)?),
            ExportClaim::Alive => Asked::Always(some_step(&mut executed)?),
            ExportClaim::Eventually(_) | ExportClaim::Promised { .. } => {
                return refuse(
                    "this property is about executions that stop or wait: write it as an ltl formula, or ask for 'always'",
                );
            }
            ExportClaim::Reachable { .. } => {
                return refuse(
                    "no formula over one execution says what can be reached from every state: 'fairly' is for other targets",
                );
            }
            ExportClaim::Formula(_) | ExportClaim::AtLast(_) | ExportClaim::ByLast(_) => {
                return refuse("the property cannot be expressed by a condition on states");
            }
        };
        let words = |at: usize| {
            let instance = ground.instances()[at].instance;
            let function = &program.functions[instance.function as usize];
            format!("{}: {}", program.agent_name(instance.agent), describe(&function.rule))
        };
        let Executed { terms, choices, initial, steps, bounds, .. } = executed;
        let steps: Vec<(String, Step)> =
            steps.into_iter().enumerate().filter_map(|(at, step)| Some((words(at), step?))).collect();
        let name = |cell: &swarmcheck_ir::flat::Cell| match cell.agent {
            Some(agent) => format!("{} of {}", cell.name(&program), program.agent_name(agent)),
            None => cell.name(&program),
        };
        let names = ground.layout.cells().map(|(_, cell)| name(&cell)).collect();
        let text = Text::new(terms, choices, &initial, &steps, names, &bounds);
        let asks = question.name.as_deref().unwrap_or("is some step possible in every state?");
        let head = vec![
            format!("{}: the emulation program over integers, written by swarmcheck.", export.file.name()),
            format!("Property: {asks}"),
        ];
        Ok(System { head, text, initial, steps, asked })
    }

    /// What a step requires of the state before it, and what the variables are after it.
    fn made(&self, step: &Step, variables: &[Variable], scope: &mut Scope<'_>) -> Result<Made, Refusal> {
        let choices: Vec<u32> = self.text.choices(step.terms()).into_iter().collect();
        let mut requires: Vec<String> = choices.iter().map(|choice| self.text.domain(*choice)).collect();
        for condition in &step.conditions {
            requires.push(scope.term(*condition)?.truth());
        }
        let mut after = vec![];
        for Variable { slot, name, sort } in variables {
            let written = step.updates.iter().find(|(written, _)| written == slot);
            after.push(match written {
                None => quoted(name),
                Some((_, term)) if *sort == "Bool" => scope.term(*term)?.is_defined(),
                Some((_, term)) => scope.term(*term)?.value(),
            });
        }
        Ok(Made { choices, requires, after })
    }

    /// Comments at the beginning of a file.
    fn comments(&self) -> String {
        self.head.iter().map(|line| format!("; {}\n", line.replace(['\n', '\r'], " "))).collect()
    }
}

/// More combinations of choices are not written out.
const MOST_CHOSEN: usize = 256;

/// Some step is possible: with some of the choices that it makes.
fn some_step(executed: &mut Executed) -> Result<TermId, Refusal> {
    let Executed { terms, choices, steps, .. } = executed;
    let mut possible = vec![];
    for step in steps.iter().flatten() {
        let all = terms.and(step.conditions.iter().copied());
        let made = terms.choices(all);
        let count: usize = made.iter().map(|choice| choices[*choice as usize].len()).product();
        if count > MOST_CHOSEN {
            return refuse("whether a step is possible depends on too many choices");
        }
        for number in 0..count {
            let mut rest = number;
            let mut chosen: HashMap<u32, Value> = HashMap::new();
            for choice in &made {
                let values = &choices[*choice as usize];
                chosen.insert(*choice, values[rest % values.len()]);
                rest /= values.len();
            }
            let known = |node: &Node| match node {
                Node::Choice(choice) => chosen.get(choice).copied(),
                _ => None,
            };
            possible.push(terms.replace(all, &known, &mut HashMap::new()));
        }
    }
    Ok(terms.or(possible))
}
