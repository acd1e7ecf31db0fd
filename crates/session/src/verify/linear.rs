//! Formulas of linear temporal logic over labels: decided on the transition system itself.
//!
//! An execution that satisfies the negation is looked for; or one that satisfies the formula itself, where one is enough. What
//! is found is replayed on the rules of the language, and its labels are read by the definition of the logic, before it
//! counts.

use super::VerifyOptions;
use super::evidence::{data, shown_trace};
use crate::open::Prepared;
use crate::outcome::{Answer, Claimed, Evidence, Length, Outcome, Reason, Violation};
use crate::place;
use swarmcheck_calculi::linear::{Executions, Linear};
use swarmcheck_engine::trace::{End, Trace, TraceStep};
use swarmcheck_engine::{Control, Why};
use swarmcheck_explicit::labelled::{Labelled, Unfinished, explore};
use swarmcheck_explicit::linear::{Lasso, NoAnswer, satisfying};
use swarmcheck_ir::flat::{Chooser, Flat, Machine, Outcome as Ran};

/// All formulas that are asked for.
pub(super) fn wanted<'p>(prepared: &'p Prepared, options: &VerifyOptions) -> Vec<&'p Linear> {
    let asked = |p: &&Linear| {
        (options.properties.is_empty() || options.properties.contains(&p.name)) && options.asks(&p.name)
    };
    prepared.model.linear().iter().filter(asked).collect()
}

/// Why there are no answers about the formulas that are asked for.
pub(super) fn unanswered(prepared: &Prepared, options: &VerifyOptions, why: &Reason) -> Vec<Answer> {
    wanted(prepared, options).into_iter().map(|property| blank(property, why.clone())).collect()
}

/// The answers about all formulas that are asked for.
pub(super) fn answers(
    prepared: &Prepared,
    options: &VerifyOptions,
    wanted: &[&Linear],
    control: &Control<'_>,
    tell: &mut dyn FnMut(&Answer),
) -> Vec<Answer> {
    if wanted.is_empty() {
        return vec![];
    }
    // Claims are followed by other variables, which would only make the system larger.
    let behaviour = prepared.behaviour();
    let began = control.progress.seconds();
    let explored = match &behaviour {
        Ok(program) => explore(program, control).map_err(|why| match why {
            Unfinished::Reason(reason) => reason.into(),
            Unfinished::Fault(fault) => Reason::Internal { why: fault.to_string() },
        }),
        Err(diagnostic) => Err(Reason::Internal { why: diagnostic.message.clone() }),
    };
    let mut out = vec![];
    for property in wanted {
        let mut answer = blank(property, Reason::NoAnswer);
        match &explored {
            _ if options.steps.is_some() => {
                let why = "formulas of linear temporal logic are about whole executions: no bound on steps";
                answer.outcome = Outcome::unknown(Reason::Unsupported { why: why.to_string() });
            }
            Err(reason) => answer.outcome = Outcome::unknown(reason.clone()),
            Ok(system) => {
                answer.effort.states = u64::from(system.states);
                answer.effort.transitions = system.steps.len() as u64;
                answer.effort.initial = u64::from(system.initial);
                decide(prepared, options, property, system, control, &mut answer);
                answer.effort.seconds = control.progress.seconds() - began;
            }
        }
        tell(&answer);
        out.push(answer);
    }
    out
}

fn blank(property: &Linear, why: Reason) -> Answer {
    let question = match property.of {
        Executions::All => "in every maximal execution the formula holds",
        Executions::Some => "in some execution this happens",
    };
    Answer { engine: Some("explicit".to_string()), ..Answer::open(property.name.clone(), question, why) }
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
    // The execution that decides: a counterexample, or what should be possible.
    let wanted = match property.of {
        Executions::All => property.formula.negated(),
        Executions::Some => property.formula.clone(),
    };
    let found = satisfying(system, &wanted, &|i, proposition| proposition.is(label(i)), control);
    let lasso = match found {
        Err(NoAnswer::Interrupted) => return answer.outcome = Outcome::unknown(Reason::Interrupted),
        Err(NoAnswer::TooComplex) => {
            let why = "the formula is too complex".to_string();
            return answer.outcome = Outcome::unknown(Reason::Unsupported { why });
        }
        Ok(None) => {
            return answer.outcome = match property.of {
                Executions::All => Outcome::Holds { evidence: Evidence::Explored, vacuous: None },
                Executions::Some => Outcome::Violated { evidence: Violation::NoExecution },
            };
        }
        Ok(Some(lasso)) => lasso,
    };
    let shown = trace(&prepared.flat, &lasso).and_then(|trace| {
        let mut data = data(prepared, &trace, None)?;
        data.property = Some(property.name.clone());
        data.claim = place::text(prepared, &property.name, property.span);
        prepared.model.violates(&data, &wanted.negated()).map_err(|refused| refused.to_string())?;
        Ok((shown_trace(prepared, &trace, None, options.format, data)?, Length::of(&trace)))
    });
    match shown {
        Ok((shown, length)) => {
            answer.outcome = match property.of {
                Executions::All => {
                    Outcome::Violated { evidence: Violation::Trace { why: Why::Formula, length } }
                }
                Executions::Some => Outcome::Holds { evidence: Evidence::Witness(length), vacuous: None },
            };
            answer.trace = Some(Box::new(shown));
        }
        Err(why) => answer.outcome = Outcome::unknown(Reason::NotConfirmed { what: Claimed::Execution, why }),
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
    if machine.initialise(flat, &mut state, &mut Nothing) != Ran::Done {
        return Err("there is no initial state".to_string());
    }
    let mut trace = Trace { initial: state.clone(), ..Trace::default() };
    for instance in lasso.prefix.iter().chain(&lasso.cycle) {
        if machine.step(flat, *instance, &mut state, &mut Nothing) != Ran::Done {
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
