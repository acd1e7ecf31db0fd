//! The explicit engine's part in the race: one search, which may answer several questions.

use swarmcheck_engine::trace::End;
use swarmcheck_engine::{Control, Engine, Finding, Task, Verdict};
use swarmcheck_explicit::Explicit;
use swarmcheck_explicit::decide::{Plan, SearchJob};

/// Runs one search of the plan.
pub(crate) fn run(task: &Task<'_>, plan: &Plan, number: usize, control: &Control<'_>) -> Vec<Finding> {
    match plan.job(task) {
        Err(finding) => vec![Finding::clone(finding)],
        Ok(job) => {
            let findings = job.run(task, control, number as u32).into_iter();
            findings.map(|finding| own_error(task, job, finding, control)).collect()
        }
    }
}

/// Properties that share a search share the error that it meets when it evaluates one of them. Other engines ask about one
/// property at a time, so that the answer would depend on who is first: here each is asked again, alone.
fn own_error(task: &Task<'_>, job: &SearchJob, finding: Finding, control: &Control<'_>) -> Finding {
    match &finding.verdict {
        Verdict::Invalid(trace) if job.questions.len() > 1 && matches!(trace.end, End::Fault(None, _)) => {
            let alone = Explicit.run(&task.only(finding.subject), control).into_iter().next();
            alone.unwrap_or(finding)
        }
        _ => finding,
    }
}
