//! `swarmcheck replay`.

use crate::files;
use crate::terminal::Terminal;
use clap::ArgMatches;
use swarmcheck_session::Exit;
use swarmcheck_session::replay::{Answer, read, replay};

/// Replays stored traces, one per line of the file.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let path = matches.get_one::<String>("TRACE").map_or("", String::as_str);
    let (name, bytes) = match files::read(path, terminal) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return terminal.usage(&format!("{name} is not UTF-8 text"));
    };
    // A file of several runs has one document per line; a document that somebody has laid out has many lines.
    let documents: Vec<&str> = match read(&text) {
        Ok(_) => vec![&text],
        Err(_) => text.lines().filter(|l| !l.trim().is_empty()).collect(),
    };
    if documents.is_empty() {
        return terminal.usage(&format!("{name} contains no trace"));
    }
    let mut worst = Exit::Fine;
    for (number, document) in documents.iter().enumerate() {
        let exit = one(document, number + 1, matches, terminal);
        if exit != Exit::Fine {
            worst = exit;
        }
        // A file that is no trace at all is reported once.
        if exit == Exit::Usage {
            break;
        }
    }
    worst
}

fn one(document: &str, number: usize, matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let trace = match read(document) {
        Ok(trace) => trace,
        Err(e) => return terminal.usage(&format!("trace {number}: {e}")),
    };
    let model = matches.get_one::<String>("model").unwrap_or(&trace.model);
    let (name, bytes) = match files::read(model, terminal) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    match replay(&trace, &name, &bytes) {
        Ok(Answer::Accepted(replayed)) => {
            let end = if replayed.deadlock { ", ending in a deadlock" } else { "" };
            let steps = if replayed.steps == 1 { "step" } else { "steps" };
            terminal.print(&format!("trace {number}: accepted, {} {steps}{end}\n", replayed.steps))
        }
        Ok(Answer::Refused(refused)) => {
            terminal.print(&format!("trace {number}: refused: {refused}\n"));
            Exit::Violated
        }
        Err(trouble) => files::complain(trouble, terminal),
    }
}
