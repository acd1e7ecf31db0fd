//! A program as formulas: what its initial block and each of its steps require and write.

use crate::text::{Scope, Text, Variable, quoted};
use std::collections::HashMap;
use std::fmt;
use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::{Program, Rule, UNDEF, Value};
use swarmcheck_steps::Refused;
use swarmcheck_steps::execute::{Executed, Step};
use swarmcheck_steps::terms::{Node, TermId};

/// Why a program cannot be written as formulas, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// A sentence.
    pub why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Refusal {
        Refusal { why: refused.to_string() }
    }
}

/// Refuses for this reason.
pub(crate) fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { why: why.into() })
}

/// A program as formulas.
pub struct System {
    /// Its terms and variables.
    pub text: Text,
    /// The initial block.
    pub initial: Step,
    /// Steps with what they are, in words.
    pub steps: Vec<(String, Step)>,
}

/// A step as formulas.
pub struct Made {
    /// The choices that it makes.
    pub choices: Vec<u32>,
    /// Conditions that all hold before it.
    pub requires: Vec<String>,
    /// The value of each variable after it, in their order.
    pub after: Vec<String>,
}

impl System {
    /// The formulas of a program that was executed. Cells beyond those of the program have the names given here.
    pub fn new(program: &Program, ground: &Ground, executed: Executed, more: &[String]) -> System {
        let words = |at: usize| {
            let instance = ground.instances()[at].instance;
            let function = &program.functions[instance.function as usize];
            format!("{}: {}", program.agent_name(instance.agent), described(&function.rule))
        };
        let Executed { terms, choices, initial, steps, bounds, .. } = executed;
        let steps: Vec<(String, Step)> =
            steps.into_iter().enumerate().filter_map(|(at, step)| Some((words(at), step?))).collect();
        let name = |cell: &swarmcheck_ir::flat::Cell| match cell.agent {
            Some(agent) => format!("{} of {}", cell.name(program), program.agent_name(agent)),
            None => cell.name(program),
        };
        let names = ground.layout.cells().map(|(_, cell)| name(&cell)).chain(more.iter().cloned()).collect();
        let text = Text::new(terms, choices, &initial, &steps, names, &bounds);
        System { text, initial, steps }
    }

    /// The number that a cell begins with, if it is always the same.
    pub fn begins(&self, slot: u32) -> Option<i128> {
        let (_, term) = self.initial.updates.iter().find(|(written, _)| *written == slot)?;
        self.text.value(*term).filter(|value| *value != UNDEF).map(i128::from)
    }

    /// What a step requires of the state before it, and what the variables are after it.
    pub fn made(&self, step: &Step, variables: &[Variable], scope: &mut Scope<'_>) -> Result<Made, Refusal> {
        let choices: Vec<u32> = self.text.choices(step.terms()).into_iter().collect();
        let ending = scope.ending().to_string();
        let mut requires: Vec<String> =
            choices.iter().map(|choice| self.text.domain(*choice, &ending)).collect();
        for condition in &step.conditions {
            requires.push(scope.term(*condition)?.truth());
        }
        let mut after = vec![];
        for Variable { slot, name, sort } in variables {
            let written = step.updates.iter().find(|(written, _)| written == slot);
            after.push(match written {
                None => quoted(&format!("{name}{ending}")),
                Some((_, term)) if *sort == "Bool" => scope.term(*term)?.is_defined(),
                Some((_, term)) => scope.term(*term)?.value(),
            });
        }
        Ok(Made { choices, requires, after })
    }
}

/// What a function stands for, in words.
fn described(rule: &Rule) -> String {
    match rule {
        Rule::Action { words, .. } => words.clone(),
        Rule::System { verb, object, .. } => format!("{verb} {object}"),
    }
}

/// More combinations of choices are not written out.
const MOST_CHOSEN: usize = 256;

/// Some step is possible: with some of the choices that it makes.
pub fn some_step(executed: &mut Executed) -> Result<TermId, Refusal> {
    let Executed { terms, choices, steps, .. } = executed;
    let mut possible = vec![];
    for step in steps.iter().flatten() {
        let all = terms.and(step.conditions.iter().copied());
        let made = terms.choices(all);
        let lengths = made.iter().map(|choice| choices[*choice as usize].len());
        let count = lengths.fold(1usize, |count, length| count.saturating_mul(length));
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
