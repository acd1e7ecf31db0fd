//! The verification task: from the modality of a property and a bound on steps to the shape of the main program.
//!
//! The shapes are those of `check` in figure 4.6 of the thesis: a condition that must never fail is asserted after every
//! step; one that must be met some time ends the program, which then has to terminate. With a bound, executions of
//! exactly this many steps are looked at, as `docs/verify.md` says.

use super::stuck;
use crate::Refusal;
use swarmcheck_ir::{Inside, Modality, Program};
use swarmcheck_passes::monitor;

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
    pub program: Program,
    pub check: Check,
    /// The properties whose conditions are looked at: the one that was asked for, or all that are invariants.
    pub properties: Vec<usize>,
}

/// What to ask about a property. `termination` tells whether the target can ask for termination.
pub(super) fn task(
    program: &Program,
    property: Option<usize>,
    bound: Option<u32>,
    termination: bool,
) -> Result<Task, Refusal> {
    let refuse = |why: &str| Err(Refusal { why: why.to_string() });
    let Some(number) = property else {
        let all = 0..program.properties.len();
        let properties = all.filter(|p| program.properties[*p].modality == Modality::Always).collect();
        return Ok(Task { program: program.clone(), check: Check::Always(bound), properties });
    };
    let properties = vec![number];
    let simple = |check| Ok(Task { program: program.clone(), check, properties: vec![number] });
    match (&program.properties[number].modality, bound) {
        (Modality::Always, bound) => simple(Check::Always(bound)),
        (Modality::Eventually, Some(steps)) => simple(Check::Met(steps)),
        (Modality::Finally, Some(steps)) => simple(Check::Last(steps)),
        (Modality::Eventually | Modality::Finally, None) if !termination => {
            refuse("this target cannot express liveness: bound the number of steps, or export to c-svcomp")
        }
        (Modality::Eventually | Modality::Finally, None) => match stuck::first(program) {
            None => simple(Check::Terminates),
            Some(f) => Err(Refusal {
                why: format!(
                    "choices in the middle of '{}' decide whether the step is possible, so a deadlock looks \
                     like a wrong guess: bound the number of steps",
                    f.name
                ),
            }),
        },
        (Modality::After(steps), bound) if bound.is_none_or(|b| b >= *steps) => simple(Check::Last(*steps)),
        (Modality::After(steps), _) => {
            Err(Refusal { why: format!("the property needs {steps} steps, more than the bound") })
        }
        (Modality::Scoped { open: true, inside: Inside::ThereIs, .. }, None) => refuse(
            "an assertion cannot say that an open scope must not wait forever: \
             bound the number of steps",
        ),
        (Modality::Scoped { .. }, bound) => {
            let program = monitor::monitor(program, number).program;
            Ok(Task { program, check: Check::Always(bound), properties })
        }
        (Modality::Fairly | Modality::FairlyInf, _) => refuse(
            "verifiers of C programs cannot decide branching-time properties, such as reachability from \
             every state",
        ),
        (Modality::Linear(_), _) => {
            refuse("an assertion cannot express an LTL formula, which is about infinite executions")
        }
    }
}
