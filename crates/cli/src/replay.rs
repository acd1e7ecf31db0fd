//! `swarmcheck replay`.

use crate::files;
use crate::terminal::Terminal;
use clap::ArgMatches;
use swarmcheck_session::Exit;
use swarmcheck_session::replay::{Answer, read, replay};

/// Replays stored traces, one per line of the file.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let whole = |text: &str| read(text).is_ok();
    files::each_document(matches, "TRACE", terminal, whole, |document, number| {
        one(document, number, matches, terminal)
    })
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
