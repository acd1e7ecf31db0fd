//! Other verifiers as back ends: the model is exported, they decide, and what they find is replayed on the rules.

mod c;
mod cadp;
mod smv;

use super::readings::{Readings, joined};
use super::trail::execution;
use super::{Report, VerifyOptions, answer, asked, question_of};
use crate::export::written;
use crate::open::Prepared;
use crate::outcome::{self, Answer};
use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use swarmcheck_engine::{Control, Effort, Evidence, Finding, Reason, Subject, Verdict};
use swarmcheck_export::{File, TARGETS};
use swarmcheck_external::spin::{self, NoAnswer};
use swarmcheck_external::{Tools, printable};
use swarmcheck_ir::Modality;

/// A verifier of other people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Backend {
    Spin,
    Nuxmv,
    Cbmc,
    Esbmc,
    Cseq,
    Cadp,
    Cpachecker,
}

impl Backend {
    /// The back ends with the words that `--backend` takes.
    pub const TABLE: &[(Backend, &str)] = &[
        (Backend::Spin, "spin"),
        (Backend::Nuxmv, "nuxmv"),
        (Backend::Cbmc, "cbmc"),
        (Backend::Esbmc, "esbmc"),
        (Backend::Cseq, "cseq"),
        (Backend::Cadp, "cadp"),
        (Backend::Cpachecker, "cpachecker"),
    ];

    /// Its word.
    pub fn name(self) -> &'static str {
        Backend::TABLE.iter().find(|(backend, _)| *backend == self).map_or("-", |(_, name)| name)
    }
}

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
    let properties = asked(prepared, &options.properties)?.into_iter().map(Subject::Property);
    let subjects = properties.chain(options.deadlock.then_some(Subject::DeadlockFreedom));
    let subjects = subjects.filter(|subject| options.asks(question(prepared, *subject)));
    let mut answers: Vec<Answer> = vec![];
    for subject in subjects {
        let began = control.progress.seconds();
        let mut effort = Effort { search: answers.len() as u32, ..Effort::default() };
        let name = name_of(prepared, subject);
        let lost = |(about, engine): &(String, String)| {
            *about == question(prepared, subject) && engine == backend.name()
        };
        if options.without.iter().any(lost) {
            let open = Answer::open(name, "", outcome::Reason::NoAnswer);
            tell(&open);
            answers.push(open);
            continue;
        }
        control.progress.started(subject, backend.name());
        let verdict = match backend {
            _ if control.stopped() => Verdict::Unknown(Reason::Interrupted),
            Backend::Spin => by_spin(prepared, options, subject, tools, control, &mut effort),
            Backend::Nuxmv => smv::by_nuxmv(prepared, options, subject, tools),
            Backend::Cadp => cadp::by_cadp(prepared, options, subject, tools),
            Backend::Cbmc | Backend::Esbmc | Backend::Cseq | Backend::Cpachecker => {
                c::by_program(prepared, options, backend, subject, tools, control)
            }
        };
        control.progress.ended(subject, backend.name());
        effort.seconds = control.progress.seconds() - began;
        let finding = Finding { subject, verdict, vacuous: None, notes: vec![], effort, certificate: None };
        answers.push(answer(prepared, options, backend.name(), finding, control));
        answers.last().into_iter().for_each(&mut *tell);
    }
    Ok(Report { answers })
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

/// What a counterexample stands for that another verifier has found elsewhere: for Spin, the output of `spin -t -T -B` on
/// the exported model; for CADP, the diagnostic in Aldebaran format; for CPAchecker, what it prints or a test harness; for
/// the others, what they print.
pub fn translate(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Backend,
    found: &str,
    control: &Control<'_>,
) -> Result<Report, Refusal> {
    let unreadable = |why: String| Refusal::UnreadableCounterexample { why };
    let found = &printable(found);
    let wanted = asked(prepared, &options.properties)?;
    let property = match (wanted.as_slice(), options.deadlock) {
        ([only], false) => Some(*only),
        ([], true) => None,
        _ if options.deadlock && options.properties.is_empty() => None,
        _ => return Err(Refusal::CounterexampleOfOneProperty),
    };
    let verdict = match backend {
        Backend::Spin => match spin::trail(found, prepared.flat.width()) {
            Ok(trail) => execution(&prepared.flat, property, options.steps, &trail),
            Err(NoAnswer::Missing(why) | NoAnswer::Unreadable(why)) => return Err(unreadable(why)),
        },
        Backend::Nuxmv => smv::kept(prepared, options, property, found).map_err(unreadable)?,
        Backend::Cadp => cadp::kept(prepared, options, property, found).map_err(unreadable)?,
        Backend::Cbmc | Backend::Esbmc | Backend::Cseq | Backend::Cpachecker => {
            c::kept(prepared, options, backend, property, found).map_err(unreadable)?
        }
    };
    let subject = property.map_or(Subject::DeadlockFreedom, Subject::Property);
    let effort = Effort::default();
    let finding = Finding { subject, verdict, vacuous: None, notes: vec![], effort, certificate: None };
    Ok(Report { answers: vec![answer(prepared, options, backend.name(), finding, control)] })
}

fn by_spin(
    prepared: &Prepared,
    options: &VerifyOptions,
    subject: Subject,
    tools: &mut dyn Tools,
    control: &Control<'_>,
    effort: &mut Effort,
) -> Verdict {
    let unsupported = |why: String| Verdict::Unknown(Reason::Unsupported(why));
    if options.ignore_deadlock {
        return unsupported("Spin does not excuse executions that stop".to_string());
    }
    let property = subject.property();
    let model = match exported(prepared, options, "promela", property) {
        Ok(model) => model,
        Err(why) => return unsupported(why),
    };
    let modality = property.and_then(|p| prepared.flat.program.properties.get(p)).map(|p| &p.modality);
    let question = spin::SpinQuestion {
        model: &model,
        forever: goes_on(modality, options.steps),
        width: prepared.flat.width(),
        memory: control.budget.memory.map(|bytes| bytes >> 20),
    };
    let (size, verdict) = match spin::ask(tools, &question) {
        Err(NoAnswer::Missing(how)) => return unsupported(how),
        Err(NoAnswer::Unreadable(why)) => return Verdict::Unknown(Reason::Internal(why)),
        Ok(spin::SpinAnswer::Stopped) => return Verdict::Unknown(Reason::Interrupted),
        Ok(spin::SpinAnswer::Memory) => return Verdict::Unknown(Reason::Memory),
        Ok(spin::SpinAnswer::GaveUp(why)) => return unsupported(format!("Spin gave up: {why}")),
        Ok(spin::SpinAnswer::Holds(size)) => (size, said(prepared, options, property, "Spin")),
        Ok(spin::SpinAnswer::Violated(trail, size)) => {
            (size, execution(&prepared.flat, property, options.steps, &trail))
        }
    };
    effort.states = size.states;
    effort.transitions = size.transitions;
    verdict
}

/// How many steps executions have, if only those of so many count.
fn bound(prepared: &Prepared, options: &VerifyOptions, property: Option<usize>) -> Option<u32> {
    match property.and_then(|p| prepared.flat.program.properties.get(p)).map(|p| &p.modality) {
        Some(Modality::After(steps)) => Some(*steps),
        _ => options.steps,
    }
}

/// A property holds, says a verifier, for executions of any length or of so many steps.
fn said(prepared: &Prepared, options: &VerifyOptions, property: Option<usize>, who: &'static str) -> Verdict {
    Verdict::Holds(Evidence::Said(who, bound(prepared, options, property)))
}

/// A verifier says that a property is violated, but shows nothing that can be replayed: that is no verdict.
fn unconfirmed(who: &str, why: &str) -> Verdict {
    Verdict::Unknown(Reason::Unsupported(format!(
        "{who} says violated, no counterexample could be read: unconfirmed ({why})"
    )))
}

/// Whether executions that go on for ever count.
fn goes_on(modality: Option<&Modality>, bound: Option<u32>) -> bool {
    bound.is_none()
        && match modality {
            Some(Modality::Eventually | Modality::Finally | Modality::Linear(_)) => true,
            Some(Modality::Scoped { open, inside, .. }) => {
                *open && matches!(inside, swarmcheck_ir::Inside::ThereIs)
            }
            _ => false,
        }
}

/// The text of the model in the language of a target.
fn exported(
    prepared: &Prepared,
    options: &VerifyOptions,
    target: &str,
    property: Option<usize>,
) -> Result<String, String> {
    let files = all_exported(prepared, options, target, property)?;
    files.into_iter().next().map(|file| file.text).ok_or_else(|| "the target wrote nothing".to_string())
}

/// All files of the model in the language of a target, the main one first.
fn all_exported(
    prepared: &Prepared,
    options: &VerifyOptions,
    target: &str,
    property: Option<usize>,
) -> Result<Vec<File>, String> {
    let Some(target) = TARGETS.iter().find(|t| t.name == target) else {
        return Err(format!("there is no target '{target}'"));
    };
    written(prepared, target, property, options.steps)
}
