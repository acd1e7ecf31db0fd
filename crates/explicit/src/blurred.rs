//! The engine that forgets: it proves properties of a program in which conditions on some values are left open.
//!
//! Why what holds there holds is said in [`swarmcheck_passes::blur`]. It never refutes anything. Since more steps may be
//! possible there, it may overlook that a property holds because nothing can happen.

use crate::decide::{self, job, unknown};
use swarmcheck_engine::{Control, Engine, Finding, Reason, Subject, Task, Verdict};
use swarmcheck_ir::flat::Flat;
use swarmcheck_passes::{Reduced, blur, fold};

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Abstract;

/// Why it cannot do something.
const FOR_ALL: &str =
    "only properties of values in every execution are proved this way: not fairly, fairly_inf and formulas";
const NOTHING: &str =
    "there is nothing to forget: no choice at the beginning influences only who receives a message";
const COARSE: &str = "too much was left open to prove it; this engine never refutes";

impl Engine for Abstract {
    fn name(&self) -> &'static str {
        "abstract"
    }

    fn can_handle(&self, task: &Task<'_>) -> Result<(), String> {
        let mut why = NOTHING.to_string();
        for subject in task.subjects() {
            match blurred(task, subject) {
                Ok(_) => return Ok(()),
                Err(reason) => why = reason.to_string(),
            }
        }
        Err(why)
    }

    fn run(&self, task: &Task<'_>, control: &Control<'_>) -> Vec<Finding> {
        let found = |(number, subject)| match blurred(task, subject) {
            Err(reason) => unknown(subject, reason),
            Ok(blurred) => prove(task, subject, blurred, control, number as u32),
        };
        task.subjects().enumerate().map(found).collect()
    }
}

/// The program in which something was left open.
fn blurred(task: &Task<'_>, subject: Subject) -> Result<Reduced, Reason> {
    let program = &task.flat.program;
    let properties: Vec<usize> = subject.property().into_iter().collect();
    if properties.iter().any(|&p| !blur::is_for_all(&program.properties[p].modality)) {
        return Err(Reason::Unsupported(FOR_ALL.to_string()));
    }
    // What is constant must not look like something that guards depend on.
    let folded = fold::fold(program).program;
    let needs = job(task, subject)?.needs;
    blur::blur(&folded, &properties, needs).ok_or_else(|| Reason::Unsupported(NOTHING.to_string()))
}

/// Searches it with everything that makes a search smaller. A way to a violation that is no execution when nothing is left
/// out, say because a value that nobody bounds any more grows for ever, proves no less and no more than one that is.
fn prove(task: &Task<'_>, subject: Subject, blurred: Reduced, control: &Control<'_>, search: u32) -> Finding {
    let flat = Flat::new(blurred.program);
    let inner = Task { flat: &flat, ..task.only(subject) };
    let mut finding = match decide::jobs(&inner).into_iter().next() {
        Some(Ok(job)) => job.attempt(&inner, control, search).swap_remove(0),
        Some(Err(finding)) => *finding,
        None => unknown(subject, Reason::Unsupported(COARSE.to_string())),
    };
    match &finding.verdict {
        Verdict::Holds(_) => finding.notes.splice(0..0, blurred.notes).for_each(drop),
        Verdict::Violated(..) | Verdict::Invalid(_) | Verdict::Unknown(Reason::Internal(_)) => {
            let coarse = unknown(subject, Reason::Unsupported(COARSE.to_string()));
            finding = Finding { effort: finding.effort, ..coarse };
        }
        Verdict::Unknown(_) => {}
    }
    finding
}
