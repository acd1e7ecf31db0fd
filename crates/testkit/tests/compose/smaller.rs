//! Makes a system on which composition fails smaller, as long as it and the explicit engine disagree in the same way.

use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Reductions};
use swarmcheck_session::Prepared;
use swarmcheck_session::verify::{Answered, Decider, Reason, VerifyOptions, verify};
use swarmcheck_testkit::long::within;
use swarmcheck_testkit::shrink::shrink;

/// Seconds that one question may take while a text is made smaller.
const PATIENCE: u64 = 3;

/// How two engines disagree about a system: what is wrong, in one word.
fn disagreement(prepared: &Prepared, options: &VerifyOptions) -> Option<String> {
    let asked = |engine, reductions| {
        let options = VerifyOptions { engine, reductions, properties: vec![], ..options.clone() };
        let report = within(PATIENCE, |stop| {
            let control = Control { stop, budget: Budget::default(), progress: &Silent };
            verify(prepared, &options, &control)
        });
        report.map(|report| report.answers).unwrap_or_default()
    };
    let right = asked(Decider::Explicit, Reductions::NONE);
    for answer in asked(Decider::Compose, options.reductions) {
        if answer.reason().is_some_and(Reason::is_bug) {
            return Some("a bug".to_string());
        }
        let expected = right.iter().find(|other| other.name == answer.name)?.verdict();
        let found = answer.verdict();
        if ![expected, found].contains(&Answered::Unknown) && expected != found {
            return Some(format!("{found:?} instead of {expected:?}"));
        }
    }
    None
}

/// A smaller text, and how engines disagree about it; none if they do not disagree about this one.
pub fn smaller(
    text: &str,
    options: &VerifyOptions,
    prepare: impl Fn(&str) -> Option<Prepared>,
) -> Option<String> {
    let wrong = |text: &str| disagreement(&prepare(text)?, options);
    let first = wrong(text)?;
    let small = shrink(text, |text| wrong(text).as_ref() == Some(&first));
    Some(format!("{first}, made smaller:\n{small}"))
}
