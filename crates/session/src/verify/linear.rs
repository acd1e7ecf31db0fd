//! Formulas of linear temporal logic over labels: decided on the transition system itself.
//!
//! An execution that satisfies the negation is looked for; or one that satisfies the formula itself, where one is enough. What
//! is found is replayed on the rules of the language, and its labels are read by the definition of the logic, before it
//! counts.

use super::evidence::write;
use super::{Answer, Answered, VerifyOptions, length};
use crate::exit::Exit;
use crate::open::Prepared;
use crate::simulate::TraceFormat;
use swarmcheck_calculi::linear::{Executions, Linear};
use swarmcheck_engine::trace::{End, Trace, TraceStep};
use swarmcheck_engine::{Control, Effort, Reason};
use swarmcheck_explicit::labelled::{Labelled, Unfinished, explore};
use swarmcheck_explicit::linear::{Lasso, NoAnswer, satisfying};
use swarmcheck_ir::flat::{Chooser, Flat, Machine, Outcome};

/// All formulas that are asked for.
fn wanted<'p>(prepared: &'p Prepared, options: &VerifyOptions) -> Vec<&'p Linear> {
    let asked = |p: &&Linear| options.properties.is_empty() || options.properties.contains(&p.name);
    prepared.model.linear().iter().filter(asked).collect()
}

/// Why there are no answers about the formulas that are asked for.
pub(super) fn unanswered(prepared: &Prepared, options: &VerifyOptions, why: &Reason) -> Vec<Answer> {
    let mut answers: Vec<Answer> = wanted(prepared, options).into_iter().map(blank).collect();
    answers.iter_mut().for_each(|answer| unknown(answer, why));
    answers
}

/// The answers about all formulas that are asked for.
pub(super) fn answers(prepared: &Prepared, options: &VerifyOptions, control: &Control<'_>) -> Vec<Answer> {
    let wanted = wanted(prepared, options);
    if wanted.is_empty() {
        return vec![];
    }
    // Claims are followed by other variables, which would only make the system larger.
    let lowered = prepared.model.lower(prepared.file.text(), &prepared.options, false);
    let behaviour = lowered.map(|lowered| lowered.program);
    let began = control.progress.seconds();
    let explored = match &behaviour {
        Ok(program) => explore(program, control).map_err(|why| match why {
            Unfinished::Reason(reason) => reason,
            Unfinished::Fault(fault) => Reason::Internal(fault.to_string()),
        }),
        Err(diagnostic) => Err(Reason::Internal(diagnostic.message.clone())),
    };
    let mut out = vec![];
    for property in wanted {
        let mut answer = blank(property);
        match &explored {
            _ if options.steps.is_some() => {
                answer.evidence =
                    "formulas of linear temporal logic are about whole executions: no --steps".to_string();
            }
            Err(reason) => unknown(&mut answer, reason),
            Ok(system) => {
                answer.effort.states = u64::from(system.states);
                answer.effort.transitions = system.steps.len() as u64;
                answer.effort.initial = u64::from(system.initial);
                decide(prepared, options, property, system, control, &mut answer);
                answer.effort.seconds = control.progress.seconds() - began;
            }
        }
        out.push(answer);
    }
    out
}

fn blank(property: &Linear) -> Answer {
    Answer {
        name: property.name.clone(),
        question: match property.of {
            Executions::All => "in every maximal execution the formula holds",
            Executions::Some => "in some execution this happens",
        }
        .to_string(),
        engine: "explicit",
        verdict: Answered::Unknown,
        evidence: String::new(),
        vacuous: None,
        notes: vec![],
        effort: Effort::default(),
        trace: None,
        certificate: None,
        exit: Exit::Inconclusive,
    }
}

fn unknown(answer: &mut Answer, reason: &Reason) {
    answer.evidence = reason.to_string();
    answer.exit = match reason {
        Reason::Interrupted => Exit::Interrupted,
        Reason::Internal(_) => Exit::Failure,
        Reason::Memory | Reason::Unsupported(_) => Exit::Inconclusive,
    };
}

fn decide(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: &Linear,
    system: &Labelled,
    control: &Control<'_>,
    answer: &mut Answer,
) {
    let labels = prepared.labels.as_deref().unwrap_or(&[]);
    let label = |instance: Option<swarmcheck_ir::flat::Instance>| {
        let seen = instance.and_then(|i| labels.get(i.function as usize));
        seen.filter(|label| !prepared.model.rests(label)).map_or("", String::as_str)
    };
    // What the execution satisfies that decides, what its absence means, and what it means itself.
    let (wanted, absent, present) = match property.of {
        Executions::All => (property.formula.negated(), Answered::Holds, Answered::Violated),
        Executions::Some => (property.formula.clone(), Answered::Violated, Answered::Holds),
    };
    let exit = |verdict| if verdict == Answered::Holds { Exit::Fine } else { Exit::Violated };
    let found = satisfying(system, &wanted, &|i, proposition| proposition.is(label(i)), control);
    let lasso = match found {
        Err(NoAnswer::Interrupted) => return unknown(answer, &Reason::Interrupted),
        Err(NoAnswer::TooComplex) => {
            return unknown(answer, &Reason::Unsupported("the formula is too complex".to_string()));
        }
        Ok(None) => {
            answer.verdict = absent;
            answer.evidence = match property.of {
                Executions::All => "every execution",
                Executions::Some => "it happens in no execution",
            }
            .to_string();
            answer.exit = exit(absent);
            return;
        }
        Ok(Some(lasso)) => lasso,
    };
    let shown = trace(&prepared.flat, &lasso).and_then(|trace| {
        let (_, data) = write(prepared, &trace, None, TraceFormat::Json)?;
        prepared.model.violates(&data, &wanted.negated()).map_err(|refused| refused.to_string())?;
        Ok((write(prepared, &trace, None, options.format)?.0, data, length(&trace)))
    });
    match shown {
        Ok((text, data, length)) => {
            answer.verdict = present;
            answer.exit = exit(present);
            answer.evidence = match property.of {
                Executions::All => format!("trace of {length}: the execution violates the formula"),
                Executions::Some => format!("trace of {length}: it happens in this execution"),
            };
            answer.trace = Some((text, Box::new(data)));
        }
        Err(refused) => unknown(
            answer,
            &Reason::Internal(format!("an execution was found but not confirmed ({refused})")),
        ),
    }
}

/// Functions of calculi leave nothing open.
struct Nothing;

impl Chooser for Nothing {
    fn choose(&mut self, _: u64) -> u64 {
        0
    }
}

/// The execution of the program that makes these steps. Claims do not influence steps, so it can make them, and the loop
/// is followed once: that what claims remember may differ afterwards is of no concern to the formula.
fn trace(flat: &Flat, lasso: &Lasso) -> Result<Trace, String> {
    let mut machine = Machine::new(flat);
    let mut state = vec![0; flat.width()];
    if machine.initialise(flat, &mut state, &mut Nothing) != Outcome::Done {
        return Err("there is no initial state".to_string());
    }
    let mut trace = Trace { initial: state.clone(), ..Trace::default() };
    for instance in lasso.prefix.iter().chain(&lasso.cycle) {
        if machine.step(flat, *instance, &mut state, &mut Nothing) != Outcome::Done {
            return Err(format!("step {} cannot be made", trace.steps.len() + 1));
        }
        trace.steps.push(TraceStep { instance: *instance, choices: vec![], state: state.clone() });
    }
    if lasso.cycle.is_empty() {
        trace.end = End::Deadlock;
    } else {
        trace.loop_start = Some(lasso.prefix.len());
    }
    Ok(trace)
}
