//! The verification task: from the claim of a question to the shape of the main program.
//!
//! The shapes are those of `check` in figure 4.6 of the thesis: a condition that must never fail is asserted after every
//! step; one that must be met some time ends the program, which then has to terminate. With a bound, executions of
//! exactly this many steps are looked at, as `docs/verify.md` says.

use super::stuck;
use crate::question::{ExportClaim, ExportQuestion, NoQuestion};
use crate::{Export, Refusal, refuse};
use std::sync::Arc;
use swarmcheck_ir::{Modality, Program};
use swarmcheck_question::Refusal as Shared;

/// When the condition is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Check {
    /// In every state; of the first this many steps. Without a condition, only errors of the model count.
    Always(Option<u32>),
    /// After exactly this many steps, in executions that have not met it before.
    Met(u32),
    /// After exactly this many steps.
    Last(u32),
    /// The program ends when it holds, and has to end.
    Terminates,
}

/// The question, and the program it is about: with a monitor if the property has a scope.
pub(super) struct Task {
    pub program: Arc<Program>,
    pub check: Check,
    /// The properties whose conditions are looked at: the one that was asked for, or all that are invariants.
    pub properties: Vec<usize>,
}

/// What to ask about a property. `termination` tells whether the target can ask for termination.
pub(super) fn task(export: &Export<'_>, termination: bool) -> Result<Task, Refusal> {
    let program = &export.flat.program;
    let Some(number) = export.property else {
        let all = 0..program.properties.len();
        let properties = all.filter(|p| program.properties[*p].modality == Modality::Always).collect();
        return Ok(Task { program: Arc::clone(program), check: Check::Always(export.bound), properties });
    };
    let question = match ExportQuestion::new(export, true) {
        Ok(question) => question,
        // Without the bound it would be refused as well.
        Err(NoQuestion::Shared(Shared::BoundedReachability)) => return branching(),
        Err(NoQuestion::Shared(Shared::BoundedFormula)) => return formula(),
        Err(none) => return Err(none.into()),
    };
    let steps = question.last.unwrap_or(0);
    let check = match question.ask {
        ExportClaim::Always(_) => Check::Always(question.last),
        ExportClaim::ByLast(_) => Check::Met(steps),
        ExportClaim::AtLast(_) => Check::Last(steps),
        ExportClaim::Eventually(_) if !termination => {
            return refuse(
                "this target cannot express liveness: bound the number of steps, or export to c-svcomp",
            );
        }
        ExportClaim::Eventually(_) => match stuck::first(program) {
            None => Check::Terminates,
            Some(f) => {
                return refuse(&format!(
                    "choices in the middle of '{}' decide whether the step is possible, so a deadlock looks \
                     like a wrong guess: bound the number of steps",
                    f.name
                ));
            }
        },
        ExportClaim::Promised { .. } => {
            return refuse(
                "an assertion cannot say that an open scope must not wait forever: \
                 bound the number of steps",
            );
        }
        ExportClaim::Reachable { .. } => return branching(),
        ExportClaim::Formula(_) | ExportClaim::Never(_) => return formula(),
        ExportClaim::Alive => return refuse("an assertion cannot say that there is always a step"),
    };
    Ok(Task { program: question.program, check, properties: vec![number] })
}

fn branching<T>() -> Result<T, Refusal> {
    refuse(
        "verifiers of C programs cannot decide branching-time properties, such as reachability from \
         every state",
    )
}

fn formula<T>() -> Result<T, Refusal> {
    refuse("an assertion cannot express an LTL formula, which is about infinite executions")
}
