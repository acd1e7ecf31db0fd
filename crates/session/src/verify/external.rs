//! Other verifiers as back ends: they are asked like engines, one question after the other, and what they find is replayed
//! on the rules.

use super::readings::{Readings, joined};
use super::{Report, VerifyOptions, answer, asked, fairness, question_of};
use crate::open::Prepared;
use crate::outcome::{self, Answer};
use crate::refusal::Refusal;
use swarmcheck_backends::{Backend, Origin, OtherVerifier, Tools, kept};
use swarmcheck_engine::{Control, Engine, Subject, Task};

/// Lets another verifier decide, one property after the other.
pub fn verify_with(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    tools: &mut dyn Tools,
    control: &Control<'_>,
) -> Result<Report, Refusal> {
    verify_with_telling(prepared, options, backend, tools, control, &mut |_| {})
}

/// The same, and tells every answer as soon as it is known.
pub fn verify_with_telling(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    tools: &mut dyn Tools,
    control: &Control<'_>,
    tell: &mut dyn FnMut(&Answer),
) -> Result<Report, Refusal> {
    fairness::acceptable(prepared, options, Some(backend))?;
    let mut waiting = Readings::new(prepared, options);
    let mut hear = |answer: &Answer| waiting.take(answer.clone()).iter().for_each(&mut *tell);
    let report = readings_with(prepared, options, backend, tools, control, &mut hear)?;
    waiting.rest().iter().for_each(tell);
    Ok(Report { answers: joined(prepared, options, report.answers) })
}

/// The same, where each reading of a property is a question of its own.
fn readings_with(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    tools: &mut dyn Tools,
    control: &Control<'_>,
    tell: &mut dyn FnMut(&Answer),
) -> Result<Report, Refusal> {
    let mut task = task(prepared, options);
    task.properties = asked(prepared, &options.properties)?;
    task.deadlock = options.deadlock;
    let engine = OtherVerifier::new(backend, origin(prepared), tools);
    let mut answers: Vec<Answer> = vec![];
    for subject in task.subjects().filter(|subject| options.asks(question(prepared, *subject))) {
        let lost = |(about, engine): &(String, String)| {
            *about == question(prepared, subject) && engine == backend.name()
        };
        if options.without.iter().any(lost) {
            let open = Answer::open(name_of(prepared, subject), "", outcome::Reason::NoAnswer);
            tell(&open);
            answers.push(open);
            continue;
        }
        for mut finding in engine.run(&task.only(subject), control) {
            finding.effort.search = answers.len() as u32;
            let answer = answer(prepared, options, engine.name(), finding, control);
            tell(&answer);
            answers.push(answer);
        }
    }
    Ok(Report { answers })
}

/// The task of a back end, without its questions.
fn task(prepared: &Prepared, options: &VerifyOptions) -> Task {
    let mut task = Task::new(&prepared.flat);
    task.bound = options.steps;
    task.ignore_deadlock = options.ignore_deadlock;
    task.fairness = options.fairness;
    task
}

fn origin(prepared: &Prepared) -> Origin<'_> {
    Origin { file: &prepared.file }
}

fn question(prepared: &Prepared, subject: Subject) -> &str {
    subject.property().map_or(outcome::DEADLOCK, |number| question_of(prepared, number))
}

fn name_of(prepared: &Prepared, subject: Subject) -> String {
    match subject {
        Subject::Property(number) => prepared.flat.program.properties[number].name.clone(),
        Subject::DeadlockFreedom => outcome::DEADLOCK.to_string(),
    }
}

/// What a counterexample stands for that another verifier has found elsewhere; [`swarmcheck_backends::kept`] says what
/// each writes.
pub fn translate(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    found: &str,
    control: &Control<'_>,
) -> Result<Report, Refusal> {
    fairness::acceptable(prepared, options, Some(backend))?;
    let wanted = asked(prepared, &options.properties)?;
    let subject = match (wanted.as_slice(), options.deadlock) {
        ([only], false) => Subject::Property(*only),
        ([], true) => Subject::DeadlockFreedom,
        _ if options.deadlock && options.properties.is_empty() => Subject::DeadlockFreedom,
        _ => return Err(Refusal::CounterexampleOfOneProperty),
    };
    let finding = kept(backend, origin(prepared), &task(prepared, options), subject, found)
        .map_err(|unreadable| Refusal::UnreadableCounterexample { why: unreadable.why })?;
    Ok(Report { answers: vec![answer(prepared, options, backend.name(), finding, control)] })
}
