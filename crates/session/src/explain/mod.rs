//! Which steps of a trace matter, and why.
//!
//! A trace that violates a property has steps that led to the violation and steps that happened to be made in between. The
//! former are the *causal cone* of the violation: the steps that happened before it (Lamport 1978), where a step happens
//! before another one if it has changed a cell that the other one reads. Cells are variables, messages that wait to be sent,
//! places of agents in their processes, the order of timestamps, and the turn of a round-robin schedule. The cone is
//! computed backwards from the cells that the violated predicate reads in the last state.
//!
//! What a step reads is an upper bound (`reads.rs` says which), so the cone is one, too: a step that is left out does
//! not matter, and one that is marked may not. The steps of the cone alone, made in the same order from the same initial
//! state, read and write the same values; so they violate the property as well. Exceptions are what is told of a
//! whole execution: a loop may need steps that change nothing that the property reads, and a deadlock all steps that
//! bring agents to where they wait.

mod cone;
mod data;
mod reads;
pub mod words;

pub use data::{
    CellChange, CellData, CellReading, CellRole, ExplainAnswer, ExplainedFact, ExplainedStep, Explanation,
    FORMAT, VERSION,
};

pub(crate) use cone::{Cone, Followed, Targets, cone};

use crate::languages::LanguageWord;
use crate::open::{Prepared, Trouble, prepare};
use crate::stored::StoredReading;
use crate::turned::Turned;
use crate::verify::question_of;
use crate::walk::{Plan, plan};
use reads::Cells;
use swarmcheck_engine::trace::Trace;
use swarmcheck_engine::trace::data::{StepData, TraceData};
use swarmcheck_engine::trace::view::value_name;
use swarmcheck_ir::Modality;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::Role;

/// The causal cone of the violation of an invariant in the last state of an execution, or of a deadlock there.
pub(crate) fn cone_of(flat: &Flat, property: Option<usize>, trace: &Trace) -> Cone {
    let followed = Followed::of_trace(flat, trace);
    let last = trace.steps.len();
    let cells = match property {
        Some(number) => {
            reads::condition(flat, &flat.program.properties[number].predicate, &followed.states[last]).1
        }
        None => cone::guards(flat, &followed.states[last]),
    };
    cone(&followed, &Targets::from([(last, cells)]), None)
}

/// Explains a stored trace on the model it names, whose bytes the caller has read.
pub fn explain_as(
    trace: &TraceData,
    property: Option<&str>,
    name: &str,
    bytes: &[u8],
    language: Option<LanguageWord>,
) -> Result<ExplainAnswer, Trouble> {
    let unreadable = |why: String| Trouble::Unreadable(format!("the trace cannot be explained: {why}"));
    let options = StoredReading::from(trace).options(language).map_err(unreadable)?;
    Ok(explain(&prepare(name, bytes, options)?, trace, property))
}

/// Explains a trace of a model; of several properties that it is about, this one or the last that it violates.
pub fn explain(prepared: &Prepared, trace: &TraceData, property: Option<&str>) -> ExplainAnswer {
    let plan = match plan(prepared, trace) {
        Ok(plan) => plan,
        Err(misfit) => return ExplainAnswer::Misfit { misfit },
    };
    let number = match property.map(|name| named(prepared, name)) {
        Some(Err(suggestion)) => {
            return ExplainAnswer::NoSuchProperty { name: property.unwrap_or_default().into(), suggestion };
        }
        Some(Ok(number)) => Some(number),
        None => claimed(prepared, trace),
    };
    let followed = Followed::new(&prepared.flat, &plan);
    let goal = goal(prepared, &plan, trace, number);
    let explanation = told(prepared, trace, &followed, goal);
    ExplainAnswer::Explained { explanation: Box::new(explanation) }
}

fn named(prepared: &Prepared, name: &str) -> Result<usize, Option<String>> {
    let all = &prepared.flat.program.properties;
    let is = |number: &usize| question_of(prepared, *number) == name || all[*number].name == name;
    (0..all.len()).find(is).ok_or_else(|| {
        let known = (0..all.len()).map(|number| question_of(prepared, number));
        swarmcheck_source::suggest::nearest(name, known).map(str::to_string)
    })
}

/// The property that a trace is about: the last one whose predicate it says is false, or else that it mentions at all.
fn claimed(prepared: &Prepared, trace: &TraceData) -> Option<usize> {
    if trace.reach.is_some() {
        return prepared.reach().first().copied();
    }
    let all = &prepared.flat.program.properties;
    if let Some(name) = &trace.property {
        return all.iter().position(|p| p.name == *name);
    }
    let claims = || trace.properties.iter().chain(trace.steps.iter().flat_map(|step| &step.properties)).rev();
    // A run says nothing of what could be reached after it, and a predicate that is false now and then violates an invariant only.
    let ran = trace.seed.is_some();
    let number = |name: &str| all.iter().position(|p| p.name == name);
    let decides = |name: &str| number(name).is_some_and(|n| !ran || all[n].modality == Modality::Always);
    let claim = claims().find(|claim| !claim.holds && decides(&claim.name));
    number(&claim.or_else(|| claims().next().filter(|_| !ran))?.name)
}

/// Whether a trace was found for a property. Older traces do not say; those of runs were found for none.
fn about(prepared: &Prepared, trace: &TraceData, number: usize) -> bool {
    match &trace.property {
        Some(name) => *name == prepared.flat.program.properties[number].name,
        None => trace.seed.is_none(),
    }
}

/// What is to be explained, and the cells that it depends on.
struct Goal {
    subject: ExplainedFact,
    targets: Targets,
    /// The number of steps after which `because` is told.
    at: usize,
}

fn goal(prepared: &Prepared, plan: &Plan, trace: &TraceData, number: Option<usize>) -> Goal {
    let flat = &prepared.flat;
    let states = plan.states();
    let last = states.len() - 1;
    let goal = |subject, targets, at| Goal { subject, targets, at };
    let only = |cells: Cells| Targets::from([(last, cells)]);
    if trace.meets_error() {
        return goal(ExplainedFact::ModelError, only(cone::faults(flat, states[last])), last);
    }
    // An execution that was asked for violates nothing.
    let Some(number) = number.filter(|number| prepared.turned(*number) != Some(Turned::Possibly)) else {
        return match trace.end.as_str() {
            "deadlock" => {
                let cells = cone::guards(flat, states[last]);
                goal(ExplainedFact::Deadlock { property: None }, only(cells), last)
            }
            _ => goal(ExplainedFact::Nothing, Targets::new(), last),
        };
    };
    let property = question_of(prepared, number).to_string();
    let predicate = &flat.program.properties[number].predicate;
    let read = |at: usize| reads::condition(flat, predicate, states[at]);
    let modality = &flat.program.properties[number].modality;
    if let (Some(predicate), Modality::Always) = (&trace.reach, modality) {
        return goal(ExplainedFact::Reached { predicate: predicate.clone() }, only(read(last).1), last);
    }
    match modality {
        Modality::Always | Modality::After(_) => {
            let is_wrong = |at: &usize| read(*at).0 == Some(false);
            let wrong = match modality {
                Modality::Always => (0..=last).find(is_wrong),
                _ => Some(last).filter(is_wrong),
            };
            match wrong {
                Some(at) => {
                    let targets = Targets::from([(at, read(at).1)]);
                    goal(ExplainedFact::False { property, after: at }, targets, at)
                }
                None => goal(ExplainedFact::Nothing, Targets::new(), last),
            }
        }
        Modality::Eventually | Modality::Finally => match (plan.back_to, trace.end.as_str()) {
            (Some(start), _) => {
                let targets = (start..=last).map(|at| (at, read(at).1)).collect();
                goal(ExplainedFact::Loop { property }, targets, last)
            }
            (None, "deadlock") => {
                let cells = read(last).1.into_iter().chain(cone::guards(flat, states[last])).collect();
                goal(ExplainedFact::Deadlock { property: Some(property) }, only(cells), last)
            }
            _ if read(last).0 == Some(false) => {
                goal(ExplainedFact::False { property, after: last }, only(read(last).1), last)
            }
            _ => goal(ExplainedFact::Nothing, Targets::new(), last),
        },
        // What a run does not reach may be reached after it.
        Modality::Fairly | Modality::FairlyInf if !about(prepared, trace, number) => {
            goal(ExplainedFact::Nothing, Targets::new(), last)
        }
        Modality::Fairly | Modality::FairlyInf => {
            let cells = read(last).1.into_iter().chain(cone::guards(flat, states[last])).collect();
            goal(ExplainedFact::OutOfReach { property }, only(cells), last)
        }
        Modality::Scoped { .. } | Modality::Linear(_) => {
            let all = flat.program.properties[number].exprs();
            let cells =
                |at: usize| all.iter().flat_map(|e| reads::condition(flat, e, states[at]).1).collect();
            let targets = (0..=last).map(|at| (at, cells(at))).collect();
            goal(ExplainedFact::Run { property }, targets, last)
        }
    }
}

fn told(prepared: &Prepared, trace: &TraceData, followed: &Followed, goal: Goal) -> Explanation {
    let flat = &prepared.flat;
    let matters = match goal.subject {
        ExplainedFact::Nothing => vec![true; followed.steps.len()],
        _ => cone(followed, &goal.targets, trace.loop_start).matters,
    };
    let reading = |slot: u32, before: usize| CellReading {
        cell: cell(flat, slot),
        value: value_name(flat, flat.layout.cell(slot), followed.states[before][slot as usize]),
        written_by: followed.writer(slot, before),
    };
    let step = |(at, told): (usize, &StepData)| {
        let made = &followed.steps[at];
        ExplainedStep {
            number: at + 1,
            agent: told.agent,
            who: flat.program.agent_name(told.agent),
            rule: told.rule.clone(),
            what: told.what.clone(),
            at: told.at.clone(),
            matters: matters[at],
            reads: made.reads.iter().map(|slot| reading(*slot, at)).collect(),
            changes: made.changes.iter().map(|slot| change(flat, followed, *slot, at)).collect(),
        }
    };
    let because = goal.targets.get(&goal.at).into_iter().flatten();
    Explanation {
        format: FORMAT.to_string(),
        version: VERSION,
        model: trace.model.clone(),
        because: because.map(|slot| reading(*slot, goal.at)).collect(),
        subject: goal.subject,
        steps: trace.steps.iter().enumerate().map(step).collect(),
        loop_start: trace.loop_start,
    }
}

fn change(flat: &Flat, followed: &Followed, slot: u32, at: usize) -> CellChange {
    let value =
        |state: usize| value_name(flat, flat.layout.cell(slot), followed.states[state][slot as usize]);
    CellChange { cell: cell(flat, slot), old: value(at), new: value(at + 1) }
}

fn cell(flat: &Flat, slot: u32) -> CellData {
    let cell = flat.layout.cell(slot);
    let role = match flat.program.var(cell.var).role {
        Role::Data { .. } => CellRole::Data,
        Role::Location | Role::Step => CellRole::Location,
        Role::Order => CellRole::Order,
        Role::Pending => CellRole::Pending,
        Role::Turn => CellRole::Turn,
    };
    CellData {
        owner: cell.agent.map(|agent| flat.program.agent_name(agent)),
        name: cell.name(&flat.program),
        role,
    }
}

#[cfg(test)]
pub(crate) mod tests;
