//! The engine `abstract`: it searches the predicate abstraction of a program, and so proves properties of the original.
//!
//! The technique is from Graf and Saïdi, "Construction of abstract state graphs with PVS" (CAV 1997). How the abstract
//! program is made, and why what holds in it holds in the original, is said in
//! [`swarmcheck_passes::predicate_abstraction`]. The abstraction over-approximates: the engine never refutes, and since more
//! steps may be possible in the abstract program, it may overlook that a property holds vacuously.

use crate::decide;
use std::sync::Arc;
use swarmcheck_engine::{Control, Engine, Finding, Note, Reason, Subject, Task, Verdict};
use swarmcheck_passes::{Reduced, fold, predicate_abstraction};
use swarmcheck_question::{plan, questions};

/// Explicit-state search of the abstract program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Abstract;

const FOR_ALL: &str =
    "only properties of values in every execution are proved this way: not fairly, fairly_inf and formulas";
const NOTHING: &str =
    "there is nothing to abstract: no choice of initial values influences only who receives a message";
const COARSE: &str = "the abstraction is too coarse to prove it; this engine never refutes";

const FAIR: &str = "a unit may be able to move in the abstraction where it is not in the original, so fair executions are not kept: the explicit engine decides it";

impl Engine for Abstract {
    fn name(&self) -> &'static str {
        "abstract"
    }

    fn can_handle(&self, task: &Task) -> Result<(), String> {
        let mut why = NOTHING.to_string();
        for subject in task.subjects() {
            match abstracted(task, subject) {
                Ok(_) => return Ok(()),
                Err(reason) => why = reason.to_string(),
            }
        }
        Err(why)
    }

    fn run(&self, task: &Task, control: &Control<'_>) -> Vec<Finding> {
        let found = |(number, subject)| match abstracted(task, subject) {
            Err(reason) => Finding::unknown(subject, reason),
            Ok(reduced) => prove(task, subject, reduced, control, number as u32),
        };
        task.subjects().enumerate().map(found).collect()
    }
}

/// The abstract program for a question, or why there is none.
fn abstracted(task: &Task, subject: Subject) -> Result<Reduced, Reason> {
    let program = &task.program;
    let properties: Vec<usize> = subject.property().into_iter().collect();
    if properties.iter().any(|&p| !predicate_abstraction::is_universal(&program.properties[p].modality)) {
        return Err(Reason::Unsupported(FOR_ALL.to_string()));
    }
    // What is constant must not look like something that guards depend on.
    let setting = task.setting();
    let known = setting.known().filter(|_| task.reductions.fold);
    let folded = known.map_or_else(|| fold::fold(program).program, |known| known.program.clone());
    let asked = questions(&setting, subject)?;
    if !asked.fair.is_empty() {
        return Err(Reason::Unsupported(FAIR.to_string()));
    }
    let needs = asked.needs;
    predicate_abstraction::abstract_program(&folded, &properties, needs)
        .ok_or_else(|| Reason::Unsupported(NOTHING.to_string()))
}

/// Searches the abstract program with all reductions. A counterexample of it may be spurious and proves nothing, so a
/// search whose counterexample cannot be reconstructed is not repeated without reductions.
fn prove(task: &Task, subject: Subject, reduced: Reduced, control: &Control<'_>, search: u32) -> Finding {
    let inner = Task { program: Arc::new(reduced.program), folded: None, ..task.only(subject) };
    let setting = inner.setting();
    let plans = plan(&setting, [subject]);
    let mut finding = match plans.first().map(|plan| plan.questions(&setting)) {
        Some(Ok(questions)) => decide::attempt(questions, &inner, control, search).swap_remove(0),
        Some(Err(refusal)) => Finding::unknown(subject, refusal.clone()),
        None => Finding::unknown(subject, Reason::Unsupported(COARSE.to_string())),
    };
    match &finding.verdict {
        Verdict::Holds(_) => {
            finding.notes.splice(0..0, reduced.notes.into_iter().map(Note::detail)).for_each(drop)
        }
        Verdict::Violated(..) | Verdict::Invalid(_) | Verdict::Unknown(Reason::Internal(_)) => {
            let coarse = Finding::unknown(subject, Reason::Unsupported(COARSE.to_string()));
            finding = Finding { effort: finding.effort, ..coarse };
        }
        Verdict::Unknown(_) => {}
    }
    finding
}
