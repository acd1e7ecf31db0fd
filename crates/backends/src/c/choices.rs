//! A counterexample of a C program as an execution of the model: what the program chose, repeated on the emulation
//! program.

use super::{Assignment, CAnswer, Failure, Shown, Success};
use crate::reading::unreadable;
use crate::{Reading, Unreadable, Way};
use swarmcheck_ir::flat::{Chooser, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{Fault, Modality, Value};

/// An execution: its choices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// Those of the initial block.
    pub initial: Vec<u64>,
    pub steps: Vec<Step>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The number of the emulation function.
    pub function: u32,
    /// The agent that runs it.
    pub agent: u32,
    pub choices: Vec<u64>,
}

impl Assignment {
    /// The value as a number that is not negative, which its two texts must agree about.
    fn number(&self) -> Result<u64, Unreadable> {
        let written = match self.text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => self.text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<u64>(),
        };
        match (u64::from_str_radix(&self.bits, 2), written) {
            (Ok(a), Ok(b)) if a == b => Ok(a),
            _ => unreadable(format!("the value of {} is not a natural number: {}", self.to, self.text)),
        }
    }
}

fn small(n: u64) -> Result<u32, Unreadable> {
    u32::try_from(n).or_else(|_| unreadable("a number is too large"))
}

impl Shown {
    /// The choices of the execution.
    pub fn choices(&self, flat: &Flat) -> Result<Choices, Unreadable> {
        match self {
            Shown::Assignments(assignments) => assigned(assignments),
            Shown::Values(values) => drawn(values, flat),
            Shown::Nothing(why) => unreadable(why),
        }
    }
}

/// From what is assigned to the three variables that stand for choices.
fn assigned(assignments: &[Assignment]) -> Result<Choices, Unreadable> {
    let mut out = Choices::default();
    let mut function = None;
    for assignment in assignments {
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

/// From the values of the function that all choices are made with. How many belong to a step is known by making it.
fn drawn(values: &[u64], flat: &Flat) -> Result<Choices, Unreadable> {
    let mut machine = Machine::new(flat);
    let mut state = vec![0; flat.width()];
    let mut rest = values;
    let mut next = |run: &mut dyn FnMut(&mut Given<'_>) -> Outcome| {
        let mut chooser = Given { choices: rest.iter(), fits: true };
        let outcome = run(&mut chooser);
        let (used, left) = rest.split_at(rest.len() - chooser.choices.len());
        rest = left;
        (outcome, used.to_vec(), left)
    };
    let (mut outcome, initial, mut left) = next(&mut |chooser| machine.initialise(flat, &mut state, chooser));
    let mut out = Choices { initial, steps: vec![] };
    while let (Outcome::Done, [function, more @ ..]) = (&outcome, left) {
        let [agent, ..] = more else { return unreadable("a function without an agent") };
        let at = instance(flat, small(*function)?, small(*agent)?)?;
        let mut skip = 2;
        let choices;
        (outcome, choices, left) = next(&mut |chooser| {
            // The first two values say who does what.
            while skip > 0 {
                chooser.choices.next();
                skip -= 1;
            }
            machine.step(flat, at, &mut state, chooser)
        });
        let choices = choices.into_iter().skip(2).collect();
        out.steps.push(Step { function: at.function, agent: at.agent, choices });
    }
    match left {
        [] => Ok(out),
        _ => unreadable("the execution goes on where the model stops"),
    }
}

/// The instance of a function that an agent has.
fn instance(flat: &Flat, function: u32, agent: u32) -> Result<Instance, Unreadable> {
    let at = Instance { function, agent };
    match (0..flat.instances()).any(|number| flat.instance(number) == at) {
        true => Ok(at),
        false => unreadable("a step of an agent that has no such function"),
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

/// Runs something with given choices, all of which it must use, and says which error of the model it meets.
fn given(choices: &[u64], run: impl FnOnce(&mut Given<'_>) -> Outcome) -> Result<Option<Fault>, Unreadable> {
    let mut chooser = Given { choices: choices.iter(), fits: true };
    let outcome = run(&mut chooser);
    if !chooser.fits || chooser.choices.next().is_some() {
        return unreadable("the choices of a step are not those that the model makes");
    }
    match outcome {
        Outcome::Done => Ok(None),
        Outcome::Disabled => unreadable("a step is not possible in the model"),
        Outcome::Fault(fault) => Ok(Some(fault)),
    }
}

/// The states of an execution, and the error of the model that its last step meets.
#[derive(Clone, PartialEq, Debug, Default)]
struct Played {
    states: Vec<Vec<Value>>,
    fault: Option<Fault>,
}

impl Choices {
    /// Makes the choices on the model.
    fn play(&self, flat: &Flat) -> Result<Played, Unreadable> {
        let mut machine = Machine::new(flat);
        let mut state = vec![0; flat.width()];
        let fault = given(&self.initial, |chooser| machine.initialise(flat, &mut state, chooser))?;
        if fault.is_some() {
            return Ok(Played { states: vec![], fault });
        }
        let mut out = Played { states: vec![state.clone()], fault: None };
        for step in &self.steps {
            if out.fault.is_some() {
                return unreadable("a step after an error of the model");
            }
            let at = instance(flat, step.function, step.agent)?;
            out.fault = given(&step.choices, |chooser| machine.step(flat, at, &mut state, chooser))?;
            if out.fault.is_none() {
                out.states.push(state.clone());
            }
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

/// What an answer means that is about a program written for this property of this model.
pub fn translate(answer: CAnswer, flat: &Flat, property: &str) -> Result<Reading, Unreadable> {
    let failures = match answer {
        CAnswer::Successful(Success::Complete { checked: Some(checked) })
            if !checked.iter().any(|words| words == property) =>
        {
            return Ok(Reading::Unknown(format!(
                "the assertion of {property} is not among those that it checked"
            )));
        }
        CAnswer::Successful(Success::Complete { .. }) => return Ok(Reading::Holds),
        CAnswer::Successful(Success::Bare(why)) => return Ok(Reading::Unknown(why)),
        // Loops over agents are loops too: cut off too early, they leave no execution to consider at all.
        CAnswer::Successful(Success::Bounded) => {
            let why =
                "loops were cut off without a check for more iterations: run it with --unwinding-assertions";
            return Ok(Reading::Unknown(why.to_string()));
        }
        CAnswer::Unknown(why) => return Ok(Reading::Unknown(why)),
        CAnswer::Error(why) => return unreadable(format!("it failed: {why}")),
        CAnswer::Failed(failures) => failures,
    };
    // An error of the model makes it invalid, whatever the property: it comes first.
    let wrong = |f: &&Failure| f.description.as_ref().is_some_and(|words| words.starts_with("model error: "));
    if let Some(found) = failures.iter().find(wrong) {
        let played = found.shown.choices(flat).and_then(|choices| choices.play(flat));
        return Ok(match played {
            Ok(played) if played.fault.is_some() => broken(played),
            _ => invalid(found.description.as_deref().unwrap_or_default()),
        });
    }
    let about = |f: &&Failure| f.description.as_ref().is_none_or(|words| words == property);
    if let Some(found) = failures.iter().find(about) {
        return shown(found, flat, property);
    }
    let words: Vec<&str> = failures.iter().filter_map(|f| f.description.as_deref()).collect();
    if words.iter().all(|w| w.starts_with("unwinding assertion")) {
        return Ok(Reading::Unknown("loops go on beyond the bound given with --unwind".to_string()));
    }
    unreadable(format!("the violated assertion is not the property {property}: {}", words.join("; ")))
}

fn invalid(why: &str) -> Reading {
    Reading::Unknown(format!("the model is invalid, whatever the property: {why}"))
}

/// An execution that was played up to an error of the model.
fn broken(played: Played) -> Reading {
    Reading::Broken(Way { states: played.states, back_to: None })
}

/// What shows that the property fails, or, where the verifier does not say what fails, that the model is invalid.
fn shown(found: &Failure, flat: &Flat, property: &str) -> Result<Reading, Unreadable> {
    if let Shown::Nothing(why) = &found.shown {
        return Ok(Reading::Claimed(why.clone()));
    }
    let played = found.shown.choices(flat)?.play(flat)?;
    match played.fault {
        Some(_) if found.description.is_none() => Ok(broken(played)),
        Some(fault) => unreadable(format!("a step runs into an error of the model: {fault}")),
        None if is_evidence(flat, property, &played.states) => {
            Ok(Reading::Violated(Way { states: played.states, back_to: None }))
        }
        None => unreadable(
            "the condition holds in the last state of the execution, although it is reported \
             to fail",
        ),
    }
}
