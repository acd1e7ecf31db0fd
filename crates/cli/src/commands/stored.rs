//! `swarmcheck replay` and `swarmcheck certify`: stored documents, one per line of a file, are checked on their models.

use crate::arguments::{CertifyArguments, LimitArguments, ReplayArguments};
use crate::exit::Exit;
use crate::inputs::{self, documents};
use crate::jobs::{self, ask};
use crate::shell::Shell;
use swarmcheck_session::certificate::{self, CertificateAnswer};
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::languages::LanguageWord;
use swarmcheck_session::replay::{self, ReplayAnswer};
use swarmcheck_session::request::Source;
use swarmcheck_session::{Request, words};

/// A sort of document.
struct Sort<'a, D> {
    /// What it is called.
    word: &'static str,
    path: &'a str,
    /// Another model than the one it names.
    model: Option<&'a str>,
    /// The language of the model, if its name does not tell it.
    language: Option<LanguageWord>,
    limits: &'a LimitArguments,
    read: fn(&str) -> Result<D, String>,
    /// The model it names.
    names: fn(&D) -> &str,
    request: fn(Source, D) -> Request,
    /// What the result means, in words.
    answer: fn(&Outcomes) -> Option<(Exit, String)>,
}

/// Replays stored traces.
pub fn replay(arguments: &ReplayArguments, shell: &Shell) -> Exit {
    let sort = Sort {
        word: "trace",
        path: &arguments.trace,
        model: arguments.model.as_deref(),
        language: arguments.language.word(),
        limits: &arguments.limits,
        read: replay::read,
        names: |trace| &trace.model,
        request: |source, trace| Request::Replay { source, trace: Box::new(trace) },
        answer: |result| match result {
            Outcomes::Replay { answer } => {
                let fine = matches!(answer, ReplayAnswer::Accepted { .. });
                Some((verdict(fine), words::replay(answer)))
            }
            _ => None,
        },
    };
    all(&sort, shell)
}

/// Checks stored certificates.
pub fn certify(arguments: &CertifyArguments, shell: &Shell) -> Exit {
    let sort = Sort {
        word: "certificate",
        path: &arguments.certificate,
        model: arguments.model.as_deref(),
        language: arguments.language.word(),
        limits: &arguments.limits,
        read: certificate::read,
        names: |certificate| &certificate.model,
        request: |source, certificate| Request::Certify { source, certificate: Box::new(certificate) },
        answer: |result| match result {
            Outcomes::Certify { answer } => {
                let fine = matches!(answer, CertificateAnswer::Accepted { .. });
                Some((verdict(fine), words::certificate(answer)))
            }
            _ => None,
        },
    };
    all(&sort, shell)
}

fn verdict(fine: bool) -> Exit {
    if fine { Exit::Fine } else { Exit::Violated }
}

fn all<D>(sort: &Sort<'_, D>, shell: &Shell) -> Exit {
    let text = match inputs::text(sort.path, sort.limits, shell) {
        Ok(text) => text,
        Err(exit) => return exit,
    };
    let list = documents(&text, |text| (sort.read)(text).is_ok());
    if list.is_empty() {
        return shell.usage(&format!("{} contains no {}", sort.path, sort.word));
    }
    let mut worst = Exit::Fine;
    for (number, document) in list.iter().enumerate() {
        let (Ok(exit) | Err(exit)) = one(sort, document, number + 1, shell);
        worst = worst.and(exit);
        // A file of something else is reported once, and whoever interrupts does not want to see the rest.
        if matches!(exit, Exit::Usage | Exit::Interrupted | Exit::TimeLimit) {
            break;
        }
    }
    worst
}

fn one<D>(sort: &Sort<'_, D>, document: &str, number: usize, shell: &Shell) -> Result<Exit, Exit> {
    let word = sort.word;
    let data = (sort.read)(document).map_err(|e| shell.usage(&format!("{word} {number}: {e}")))?;
    let model = sort.model.unwrap_or((sort.names)(&data));
    let input = inputs::model(model, sort.language, sort.limits, shell)?;
    let request = (sort.request)(input.source(shell)?, data);
    let limits = shell.limits(sort.limits);
    let finished = ask(request, &[&input.file], limits, shell, "states", &mut |_| None)?;
    // A check that was cut short has shown nothing.
    if let Some(stop) = finished.stopped {
        let timed = stop == swarmcheck_worker::Stop::TimeLimit;
        let (exit, words) = match timed {
            true => (Exit::TimeLimit, "the time limit was reached"),
            false => (Exit::Interrupted, "interrupted"),
        };
        return Ok(exit.and(shell.print(&format!("{word} {number}: {words}\n"))));
    }
    let Some((exit, words)) = (sort.answer)(&finished.result) else { return Err(jobs::unexpected(shell)) };
    Ok(exit.and(shell.print(&format!("{word} {number}: {words}\n"))))
}
