//! `swarmcheck replay` and `swarmcheck certify`: stored documents, one per line of a file, are checked on their models.

use crate::arguments::{CertifyArguments, LimitArguments, ReplayArguments};
use crate::exit::Exit;
use crate::inputs::{self, documents};
use crate::jobs::{self, ask};
use crate::shell::Shell;
use crate::told;
use serde_json::{Value as Json, json};
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
    /// The same as data.
    data: fn(Outcomes) -> Json,
    /// The format of the document about all of them.
    format: &'static str,
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
        data: |result| match result {
            Outcomes::Replay { answer } => json!(answer),
            _ => Json::Null,
        },
        format: "swarmcheck-replay",
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
        data: |result| match result {
            Outcomes::Certify { answer } => json!(answer),
            _ => Json::Null,
        },
        format: "swarmcheck-certification",
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
    // A document of another version is one document, too.
    let list = documents(&text, |text| serde_json::from_str::<Json>(text).is_ok());
    if list.is_empty() {
        return shell.usage(&format!("{} contains no {}", sort.path, sort.word));
    }
    let mut worst = Exit::Fine;
    let mut answers = vec![];
    for (number, document) in list.iter().enumerate() {
        let (Ok(exit) | Err(exit)) = one(sort, document, number + 1, &mut answers, shell);
        worst = worst.and(exit);
        // A file of something else is reported once, and whoever interrupts does not want to see the rest.
        if matches!(exit, Exit::Usage | Exit::Interrupted | Exit::TimeLimit) {
            break;
        }
    }
    // Where there is no answer at all, the document says why.
    if shell.told.is_data() && !answers.is_empty() {
        let fields = json!({ "file": sort.path, "answers": answers });
        return worst.and(shell.document(sort.format, told::VERSION, fields));
    }
    worst
}

fn one<D>(
    sort: &Sort<'_, D>,
    document: &str,
    number: usize,
    answers: &mut Vec<Json>,
    shell: &Shell,
) -> Result<Exit, Exit> {
    let word = sort.word;
    let data = (sort.read)(document).map_err(|e| shell.usage(&format!("{word} {number}: {e}")))?;
    let model = sort.model.unwrap_or((sort.names)(&data)).to_string();
    let model = model.as_str();
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
        if shell.told.is_data() {
            shell.told.fail(if timed { "time_limit" } else { "interrupted" }, words);
            return Ok(exit);
        }
        return Ok(exit.and(shell.print(&format!("{word} {number}: {words}\n"))));
    }
    let Some((exit, words)) = (sort.answer)(&finished.result) else { return Err(jobs::unexpected(shell)) };
    if shell.told.is_data() {
        let data = (sort.data)(finished.result);
        answers.push(json!({ "number": number, "model": model, "outcome": data, "sentence": words }));
        return Ok(exit);
    }
    Ok(exit.and(shell.print(&format!("{word} {number}: {words}\n"))))
}
