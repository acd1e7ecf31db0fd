//! One request, one worker, one result: what all commands but `verify` do.

use crate::exit::Exit;
use crate::progress::StatusLines;
use crate::shell::Shell;
use std::cell::RefCell;
use swarmcheck_session::estimate::Method;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::{Event, Refusal, Request, words};
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_source::{Severity, SourceFile};
use swarmcheck_worker::{Limits, Next, Stop, Worker, WorkerFailure};

/// What came of a request.
pub struct Finished {
    /// The result.
    pub result: Outcomes,
    /// It was cut short.
    pub stopped: Option<Stop>,
}

/// Somebody who hears events, and may say that the work is to stop.
pub type Hear<'h> = dyn FnMut(&Event) -> Option<Exit> + 'h;

/// Works on a request about these files; if there is no result, everything has been said.
pub fn ask(
    request: Request,
    files: &[&SourceFile],
    limits: Limits,
    shell: &Shell,
    what: &'static str,
    hear: &mut Hear<'_>,
) -> Result<Finished, Exit> {
    let whole = match &request {
        Request::Simulate { options, .. } => options.runs.checked_mul(options.steps),
        Request::Estimate { options, .. } => match options.method {
            Method::Runs { runs } => Some(runs),
            _ => None,
        },
        _ => None,
    };
    let mut worker = Worker::start(request, limits, None).map_err(|why| shell.failure(&why))?;
    let line = RefCell::new(StatusLines::new(shell.progress, what, whole));
    let interrupted = || {
        line.borrow_mut().tick();
        shell.interrupted()
    };
    let (mut result, mut refusal, mut failed) = (None, None, None);
    let failure = loop {
        match worker.next(&interrupted) {
            Next::Event(event) => {
                shell.event(&event);
                line.borrow_mut().hear(&event);
                match *event {
                    Event::Warnings { diagnostics } => {
                        line.borrow_mut().clear();
                        tell(&diagnostics, files, shell);
                    }
                    Event::Refused { refusal: why } => refusal = Some(why),
                    Event::Done { result: all } => result = Some(*all),
                    event => {
                        if matches!(event, Event::Output { .. }) && shell.told.streams.get() {
                            line.borrow_mut().give_way();
                        }
                        if let Some(exit) = hear(&event) {
                            failed = Some(exit);
                            worker.stop(Stop::Unneeded);
                        }
                    }
                }
            }
            Next::Done => break None,
            Next::Failed(failure) => break Some(failure),
        }
    };
    line.borrow_mut().clear();
    if let Some(exit) = failed {
        return Err(exit);
    }
    let stopped = worker.stopped();
    match (result, refusal, failure) {
        (Some(result), _, _) => Ok(Finished { result, stopped }),
        (_, Some(mut refusal), _) => {
            if stopped == Some(Stop::TimeLimit) {
                refusal.by_the_clock();
            }
            Err(refused(refusal, files, shell))
        }
        (_, _, failure) => {
            let failure = failure.unwrap_or(WorkerFailure::Stopped(Stop::Unneeded));
            Err(refused(Refusal::Unfinished { reason: failure.reason(vec![]) }, files, shell))
        }
    }
}

/// Diagnostics of several files.
pub fn tell(list: &[DiagnosticData], files: &[&SourceFile], shell: &Shell) {
    for diagnostic in list {
        let file = files.iter().find(|file| file.name() == diagnostic.file).or(files.first());
        if let Some(file) = file {
            shell.diagnostics(file, std::slice::from_ref(diagnostic));
        }
    }
}

/// Says why there is no result.
pub fn refused(refusal: Refusal, files: &[&SourceFile], shell: &Shell) -> Exit {
    if let Refusal::Model { diagnostics } = &refusal {
        tell(diagnostics, files, shell);
        let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
        shell.told.refuse(&refusal, &format!("the model has {}", words::count(errors, "error")));
        shell.perhaps_another_language();
        return Exit::of_refusal(&refusal);
    }
    shell.refused(&refusal)
}

/// A worker that answers another request than it was asked has a bug.
pub fn unexpected(shell: &Shell) -> Exit {
    shell.failure("internal error: a worker has answered something else; please report this")
}
