//! A back end as an engine: it holds what runs programs, because nothing here does.

use crate::question::BackendQuestion;
use crate::{Backend, NoAnswer, Reading, Reply, Tools, Unreadable, printable};
use std::cell::RefCell;
use std::sync::Arc;
use swarmcheck_engine::control::AtWork;
use swarmcheck_engine::{Control, Effort, Engine, Finding, Reason, Subject, Task, Verdict};
use swarmcheck_ir::flat::Flat;
use swarmcheck_source::SourceFile;

/// Where a program comes from: what targets of `export` say about it in remarks.
#[derive(Clone, Copy)]
pub struct Origin<'a> {
    /// The name of the model's file, and lines and columns in it.
    pub file: &'a SourceFile,
}

/// Another verifier that answers questions, one after the other.
pub struct OtherVerifier<'a> {
    backend: Backend,
    origin: Origin<'a>,
    tools: RefCell<&'a mut dyn Tools>,
}

impl<'a> OtherVerifier<'a> {
    pub fn new(backend: Backend, origin: Origin<'a>, tools: &'a mut dyn Tools) -> OtherVerifier<'a> {
        OtherVerifier { backend, origin, tools: RefCell::new(tools) }
    }
}

fn question<'t>(
    backend: Backend,
    origin: Origin<'t>,
    task: &Task,
    flat: &'t Flat,
    subject: Subject,
    memory: Option<u64>,
) -> BackendQuestion<'t> {
    BackendQuestion {
        entry: backend.entry(),
        flat,
        property: subject.property(),
        bound: task.bound,
        ignore_deadlock: task.ignore_deadlock,
        fairness: task.fairness,
        memory,
        file: origin.file,
    }
}

impl Engine for OtherVerifier<'_> {
    fn name(&self) -> &'static str {
        self.backend.name()
    }

    fn can_handle(&self, task: &Task) -> Result<(), String> {
        let flat = Flat::new(Arc::clone(&task.program));
        for subject in task.subjects() {
            let question = question(self.backend, self.origin, task, &flat, subject, None);
            question.written()?;
            question.installed(&**self.tools.borrow())?;
        }
        Ok(())
    }

    fn run(&self, task: &Task, control: &Control<'_>) -> Vec<Finding> {
        let flat = Flat::new(Arc::clone(&task.program));
        let mut tools = self.tools.borrow_mut();
        let mut findings = vec![];
        for subject in task.subjects() {
            let began = control.progress.seconds();
            let at_work = AtWork::new(control.progress, self.name(), [subject]);
            let memory = control.budget.memory;
            let question = question(self.backend, self.origin, task, &flat, subject, memory);
            let reply = if control.stopped() { Err(NoAnswer::Stopped) } else { question.ask(&mut **tools) };
            let size = reply.as_ref().map(|reply| reply.size).unwrap_or_default();
            let verdict = reply.and_then(|reply| Ok(verdict(reply, &question)?));
            let verdict = verdict.unwrap_or_else(|none| Verdict::Unknown(Reason::from(none)));
            drop(at_work);
            let effort = Effort {
                search: findings.len() as u32,
                states: size.states,
                transitions: size.transitions,
                seconds: control.progress.seconds() - began,
                ..Effort::default()
            };
            findings.push(finding(subject, verdict, effort));
        }
        findings
    }
}

/// What a counterexample stands for that a verifier has found elsewhere: for Spin, the output of `spin -t -T -B` on
/// the exported model; for CADP, the diagnostic in Aldebaran format; for CPAchecker, what it prints or a test harness; for
/// the others, what they print.
pub fn kept(
    backend: Backend,
    origin: Origin<'_>,
    task: &Task,
    subject: Subject,
    found: &str,
) -> Result<Finding, Unreadable> {
    let flat = Flat::new(Arc::clone(&task.program));
    let question = question(backend, origin, task, &flat, subject, None);
    let reply = question.entry.dialogue.read(&question, &printable(found))?;
    Ok(finding(subject, verdict(reply, &question)?, Effort::default()))
}

fn verdict(reply: Reply, question: &BackendQuestion<'_>) -> Result<Verdict, Unreadable> {
    // Without a bound, a verifier is not believed that has one.
    if reply.reading == Reading::Holds && question.last().is_none() && !question.entry.unbounded {
        return Ok(Verdict::Unknown(Reason::Unsupported(question.too_long())));
    }
    reply.verdict(question.flat, question.property, question.bound, question.last())
}

fn finding(subject: Subject, verdict: Verdict, effort: Effort) -> Finding {
    Finding { subject, verdict, vacuous: None, notes: vec![], effort, certificate: None, composition: None }
}
