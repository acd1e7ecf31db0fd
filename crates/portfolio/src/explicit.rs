//! The explicit engine's part in the race: one search, which may answer several questions.

use swarmcheck_engine::trace::End;
use swarmcheck_engine::{Control, Engine, Finding, Subject, Task, Verdict};
use swarmcheck_explicit::Explicit;
use swarmcheck_explicit::decide::decide;
use swarmcheck_question::{Plan, Questions};

/// Runs one search of the plan.
pub(crate) fn run(task: &Task, plan: &Plan, number: usize, control: &Control<'_>) -> Vec<Finding> {
    match plan.questions(&task.setting()) {
        Err(refusal) => {
            let unknown = |subject: &Subject| Finding::unknown(*subject, refusal.clone());
            plan.subjects.iter().map(unknown).collect()
        }
        Ok(questions) => {
            let findings = decide(questions, task, control, number as u32).into_iter();
            findings.map(|finding| own_error(task, questions, finding, control)).collect()
        }
    }
}

/// Properties that share a search share the error that it meets when it evaluates one of them. Other engines ask about one
/// property at a time, so that the answer would depend on who is first: here each is asked again, alone.
fn own_error(task: &Task, questions: &Questions, finding: Finding, control: &Control<'_>) -> Finding {
    match &finding.verdict {
        Verdict::Invalid(trace)
            if questions.questions.len() > 1 && matches!(trace.end, End::Fault(None, _)) =>
        {
            let alone = Explicit.run(&task.only(finding.subject), control).into_iter().next();
            alone.unwrap_or(finding)
        }
        _ => finding,
    }
}
