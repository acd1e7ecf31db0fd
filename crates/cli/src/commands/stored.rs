//! `swarmcheck replay` and `swarmcheck certify`: stored documents, one per line of a file, are checked on their models.

use crate::arguments::{CertifyArguments, LimitArguments, ReplayArguments};
use crate::commands::certificates;
use crate::exit::Exit;
use crate::inputs::{self, documents};
use crate::jobs::{self, ask};
use crate::output::{Target, distinct};
use crate::shell::Shell;
use crate::told;
use serde_json::{Value as Json, json};
use std::cell::Cell;
use std::path::Path;
use swarmcheck_session::certificate::{self, CertificateAnswer, CertificateData, Refuted};
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::languages::LanguageWord;
use swarmcheck_session::replay::{self, ReplayAnswer};
use swarmcheck_session::request::Source;
use swarmcheck_session::{Request, is_json, words};
use swarmcheck_source::shown;

/// The documents in a directory; none if there is no such directory.
type Listed = fn(&str) -> Option<Vec<String>>;

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
    request: fn(Source, D, bool) -> Request,
    /// More of the result is wanted than the answer.
    more: bool,
    /// Writes what is wanted to files.
    write: &'a dyn Fn(&mut Outcomes) -> Exit,
    /// These files, with the options that name them. They are none of the inputs.
    outputs: &'a [(&'a str, &'a str)],
    /// How the document says that the model was read, in words.
    reading: fn(&D) -> String,
    /// The documents in a directory, if the path is one.
    folder: Option<Listed>,
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
        folder: None,
        request: |source, trace, _| Request::Replay { source, trace: Box::new(trace) },
        more: false,
        write: &|_| Exit::Fine,
        outputs: &[],
        reading: |_| String::new(),
        answer: |result| match result {
            Outcomes::Replay { answer } => {
                let exit = match answer {
                    ReplayAnswer::Accepted { .. } => Exit::Fine,
                    ReplayAnswer::Refused { .. } => Exit::Violated,
                    ReplayAnswer::Undecided { .. } => Exit::Inconclusive,
                };
                Some((exit, words::replay(answer)))
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
    certified(arguments, shell).unwrap_or_else(|exit| exit)
}

fn certified(arguments: &CertifyArguments, shell: &Shell) -> Result<Exit, Exit> {
    let inputs = [Some(arguments.certificate.as_str()), arguments.model.as_deref()];
    let inputs: Vec<&str> = inputs.into_iter().flatten().collect();
    let paths = [("--dimacs", arguments.dimacs.as_deref()), ("--lrat", arguments.lrat.as_deref())];
    let outputs: Vec<(&str, &str)> =
        paths.iter().filter_map(|(option, path)| Some((*option, (*path)?))).collect();
    distinct(&inputs, &outputs).map_err(|e| shell.usage(&e))?;
    let target = |path: &Option<String>| path.as_deref().map(|path| shell.target(path)).transpose();
    let (dimacs, lrat) = (target(&arguments.dimacs)?, target(&arguments.lrat)?);
    let (written, wanted) = (Cell::new(0), dimacs.is_some() || lrat.is_some());
    let write = |result: &mut Outcomes| {
        let Outcomes::Certify { answer: CertificateAnswer::Accepted { formula, .. } } = result else {
            return Exit::Fine;
        };
        let Some(Refuted { dimacs: formula, lrat: proof }) = formula.take() else { return Exit::Fine };
        written.set(written.get() + 1);
        if written.get() > 1 {
            return Exit::Fine;
        }
        let store = |target: &Option<Target>, text: &str| match target {
            Some(target) => shell.store(target, text.as_bytes()),
            None => Exit::Fine,
        };
        store(&dimacs, &formula).and(store(&lrat, &proof))
    };
    let sort = Sort {
        word: "certificate",
        path: &arguments.certificate,
        model: arguments.model.as_deref(),
        language: arguments.language.word(),
        limits: &arguments.limits,
        read: certificate::read,
        names: |certificate| &certificate.model,
        folder: Some(certificates::listed),
        request: |source, certificate, formula| {
            let certificate = Box::new(certificate);
            Request::Certify { source, certificate, formula }
        },
        more: wanted,
        write: &write,
        outputs: &outputs,
        reading: |certificate| reading(certificate),
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
    let exit = all(&sort, shell);
    match written.get() {
        0 if wanted && exit == Exit::Fine => {
            Err(shell.usage("--dimacs and --lrat write proofs within a bound, and there is none in the file"))
        }
        2.. => {
            shell.note("only the first proof within a bound was written for other checkers");
            Ok(exit)
        }
        _ => Ok(exit),
    }
}

/// The parameters and options with which the model was read, as a command line has them. Without them, a proof would seem to be about
/// the model as it is read by default.
fn reading(certificate: &CertificateData) -> String {
    // Where a number is open, the sentence names the open and the closed ones.
    let closed = match certificate.parameters.values().any(Json::is_string) {
        true => None,
        false => Some(&certificate.parameters),
    };
    let mut words: Vec<String> =
        closed.into_iter().flatten().map(|(name, is)| format!("{name}={is}")).collect();
    words.extend(certificate.fair.then(|| "--fair".to_string()));
    words.extend((certificate.semantics == "paper").then(|| "--semantics paper".to_string()));
    words.extend((certificate.choice == "early").then(|| "--choice early".to_string()));
    words.extend(certificate.sync.then(|| "--sync".to_string()));
    words.extend(certificate.precedence.as_ref().map(|word| format!("--precedence {word}")));
    words.join(" ")
}

fn verdict(fine: bool) -> Exit {
    if fine { Exit::Fine } else { Exit::Violated }
}

fn all<D>(sort: &Sort<'_, D>, shell: &Shell) -> Exit {
    let folder = sort.folder.and_then(|listed| listed(sort.path));
    let paths = folder.clone().unwrap_or_else(|| vec![sort.path.to_string()]);
    if paths.is_empty() {
        return shell.usage(&format!("{} contains no {}", sort.path, sort.word));
    }
    let inputs: Vec<&str> = paths.iter().map(String::as_str).collect();
    if let Err(why) = distinct(&inputs, sort.outputs) {
        return shell.usage(&why);
    }
    let mut worst = Exit::Fine;
    let (mut answers, mut unread) = (vec![], vec![]);
    // The other files of a directory are checked all the same, and a document names those that have no answer.
    let mut skip = |path: &str| {
        if folder.is_some()
            && let Some(message) = shell.told.take_problem()
        {
            unread.push(json!({ "file": path, "message": message }));
        }
    };
    'files: for path in &paths {
        let text = match inputs::text(path, sort.limits, shell) {
            Ok(text) => text,
            Err(exit @ Exit::Usage) if folder.is_some() => {
                worst = worst.and(exit);
                skip(path);
                continue;
            }
            Err(exit) => return worst.and(exit),
        };
        // A document of another version is one document, too.
        let list = documents(&text, is_json);
        if list.is_empty() {
            worst = worst.and(shell.usage(&format!("{path} contains no {}", sort.word)));
            skip(path);
            continue;
        }
        for (number, document) in list.iter().enumerate() {
            let place = Place {
                file: path,
                number: if folder.is_some() { answers.len() + 1 } else { number + 1 },
                name: match &folder {
                    Some(_) => {
                        let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
                        format!("{}: ", shown::line(&name))
                    }
                    None => format!("{} {}: ", sort.word, number + 1),
                },
            };
            let (Ok(exit) | Err(exit)) = one(sort, document, &place, &mut answers, shell);
            worst = worst.and(exit);
            // A file of something else is reported once, and whoever interrupts does not want to see the rest.
            match exit {
                Exit::Usage => {
                    skip(path);
                    break;
                }
                Exit::Interrupted | Exit::TimeLimit => break 'files,
                _ => {}
            }
        }
    }
    // Where there is no answer at all, the document says why.
    if shell.told.is_data() && !(answers.is_empty() && unread.is_empty()) {
        let mut fields = json!({ "file": sort.path, "answers": answers });
        if !unread.is_empty() {
            fields["unread"] = json!(unread);
        }
        return worst.and(shell.document(sort.format, told::VERSION, fields));
    }
    worst
}

/// Where a document stands.
struct Place<'a> {
    file: &'a str,
    number: usize,
    /// As the beginning of a line.
    name: String,
}

fn one<D>(
    sort: &Sort<'_, D>,
    document: &str,
    place: &Place<'_>,
    answers: &mut Vec<Json>,
    shell: &Shell,
) -> Result<Exit, Exit> {
    let Place { file, number, name } = place;
    let data = (sort.read)(document).map_err(|e| shell.usage(&format!("{name}{}", shown::line(&e))))?;
    let model = sort.model.unwrap_or((sort.names)(&data)).to_string();
    let model = model.as_str();
    distinct(&[model], sort.outputs).map_err(|e| shell.usage(&e))?;
    let input = inputs::model(model, sort.language, sort.limits, shell)?;
    let reading = (sort.reading)(&data);
    let request = (sort.request)(input.source(shell)?, data, sort.more);
    let limits = shell.limits(sort.limits);
    let mut finished = ask(request, &[&input.file], limits, shell, "states", &mut |_| None)?;
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
        return Ok(exit.and(shell.print(&format!("{name}{words}\n"))));
    }
    let stored = (sort.write)(&mut finished.result);
    if stored != Exit::Fine {
        return Err(stored);
    }
    let Some((exit, mut words)) = (sort.answer)(&finished.result) else {
        return Err(jobs::unexpected(shell));
    };
    let is_restricted = exit == Exit::Fine && !reading.is_empty();
    if is_restricted {
        words += &format!("; for {reading}");
    }
    if shell.told.is_data() {
        let data = (sort.data)(finished.result);
        let mut answer =
            json!({ "file": file, "number": number, "model": model, "outcome": data, "sentence": words });
        if is_restricted {
            answer["reading"] = json!(reading);
        }
        answers.push(answer);
        return Ok(exit);
    }
    Ok(exit.and(shell.print(&format!("{name}{}\n", shown::line(&words)))))
}
