//! A counterexample of CBMC as an execution of the model: what the program chose, repeated on the emulation program.

use super::{Answer, Assignment, Failure, read, unreadable};
use crate::{Reading, Unreadable, Way};
use swarmcheck_ir::flat::{Chooser, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{Modality, Value};

/// An execution: its choices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// Those of the initial block.
    pub initial: Vec<u64>,
    /// Those of each step.
    pub steps: Vec<Step>,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The number of the emulation function.
    pub function: u32,
    /// The agent that runs it.
    pub agent: u32,
    /// What it chooses.
    pub choices: Vec<u64>,
}

impl Assignment {
    /// The value as a number that is not negative, which its two texts must agree about.
    fn number(&self) -> Result<u64, Unreadable> {
        let digits = self.text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        match (u64::from_str_radix(&self.bits, 2), digits.parse::<u64>()) {
            (Ok(a), Ok(b)) if a == b => Ok(a),
            _ => unreadable(format!("the value of {} is no natural number: {}", self.to, self.text)),
        }
    }
}

impl Failure {
    /// The choices of the execution.
    pub fn choices(&self) -> Result<Choices, Unreadable> {
        let mut out = Choices::default();
        let mut function = None;
        let small = |n: u64| u32::try_from(n).or_else(|_| unreadable("a number is too large"));
        for assignment in &self.assignments {
            match assignment.to.as_str() {
                "chosen_function" => {
                    let before = function.replace(small(assignment.number()?)?);
                    if before.is_some() {
                        return unreadable("two functions in a row");
                    }
                }
                "chosen_agent" => {
                    let Some(function) = function.take() else {
                        return unreadable("an agent without a function");
                    };
                    out.steps.push(Step { function, agent: small(assignment.number()?)?, choices: vec![] });
                }
                "chosen" => {
                    let n = assignment.number()?;
                    match (function, out.steps.last_mut()) {
                        (Some(_), _) => return unreadable("a choice between function and agent"),
                        (None, Some(step)) => step.choices.push(n),
                        (None, None) => out.initial.push(n),
                    }
                }
                _ => {}
            }
        }
        match function {
            None => Ok(out),
            Some(_) => unreadable("a function without an agent"),
        }
    }
}

/// Repeats choices.
struct Given<'a> {
    choices: std::slice::Iter<'a, u64>,
    fits: bool,
}

impl Chooser for Given<'_> {
    fn choose(&mut self, n: u64) -> u64 {
        let chosen = self.choices.next().copied().filter(|c| *c < n);
        self.fits &= chosen.is_some();
        chosen.unwrap_or(0)
    }
}

/// Runs something with given choices, all of which it must use.
fn given(choices: &[u64], run: impl FnOnce(&mut Given<'_>) -> Outcome) -> Result<(), Unreadable> {
    let mut chooser = Given { choices: choices.iter(), fits: true };
    let outcome = run(&mut chooser);
    if !chooser.fits || chooser.choices.next().is_some() {
        return unreadable("the choices of a step are not those that the model makes");
    }
    match outcome {
        Outcome::Done => Ok(()),
        Outcome::Disabled => unreadable("a step is not possible in the model"),
        Outcome::Fault(fault) => unreadable(format!("a step runs into an error of the model: {fault}")),
    }
}

impl Choices {
    /// The states of the execution.
    pub fn states(&self, flat: &Flat) -> Result<Vec<Vec<Value>>, Unreadable> {
        let mut machine = Machine::new(flat);
        let mut state = vec![0; flat.width()];
        given(&self.initial, |chooser| machine.initialise(flat, &mut state, chooser))?;
        let mut out = vec![state.clone()];
        for step in &self.steps {
            let at = Instance { function: step.function, agent: step.agent };
            if !(0..flat.instances()).any(|number| flat.instance(number) == at) {
                return unreadable("a step of an agent that has no such function");
            }
            given(&step.choices, |chooser| machine.step(flat, at, &mut state, chooser))?;
            out.push(state.clone());
        }
        Ok(out)
    }
}

/// Whether the last state is one in which the property's condition fails. Whether a scope is broken is not seen there.
fn is_evidence(flat: &Flat, property: &str, states: &[Vec<Value>]) -> bool {
    let properties = &flat.program.properties;
    let Some(at) = properties.iter().position(|p| p.name == property) else { return false };
    if let Modality::Scoped { .. } = properties[at].modality {
        return true;
    }
    let last = states.last().map(|state| flat.holds(&mut Machine::new(flat), at, state));
    matches!(last, Some(Ok(false)))
}

/// Reads the answer about a program of `export --to c-cbmc`, written for this property of this model.
pub fn translate(text: &str, flat: &Flat, property: &str) -> Result<Reading, Unreadable> {
    let failures = match read(text)? {
        Answer::Successful { bounded: false } => return Ok(Reading::Holds),
        // Loops over agents are loops too: cut off too early, they leave no execution to consider at all.
        Answer::Successful { bounded: true } => {
            let why =
                "loops were cut off without looking whether they go on: run CBMC with --unwinding-assertions";
            return Ok(Reading::Unknown(why.to_string()));
        }
        Answer::Unknown(why) => return Ok(Reading::Unknown(why)),
        Answer::Error(why) => return unreadable(format!("CBMC could not do its work: {why}")),
        Answer::Failed(failures) => failures,
    };
    if let Some(found) = failures.iter().find(|f| f.description == property) {
        let states = found.choices()?.states(flat)?;
        if !is_evidence(flat, property, &states) {
            return unreadable("the condition that is said to fail holds in the last state of the execution");
        }
        return Ok(Reading::Violated(Way { states, back_to: None }));
    }
    let words: Vec<&str> = failures.iter().map(|f| f.description.as_str()).collect();
    if words.iter().any(|w| w.starts_with("model error: ")) {
        return Ok(Reading::Unknown(format!(
            "the model is invalid, whatever the property: {}",
            words.join("; ")
        )));
    }
    if words.iter().all(|w| w.starts_with("unwinding assertion")) {
        return Ok(Reading::Unknown("loops go on beyond the bound given with --unwind".to_string()));
    }
    unreadable(format!("what fails is not the property {property}: {}", words.join("; ")))
}
