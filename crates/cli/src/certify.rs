//! `swarmcheck certify`.

use crate::running::{Limits, ProgressLine};
use crate::terminal::Terminal;
use crate::{arguments, files};
use clap::ArgMatches;
use swarmcheck_session::Exit;
use swarmcheck_session::certificate::{Answer, check, read};
use swarmcheck_session::verify::{Budget, Control};

/// Checks stored certificates, one per line of the file.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let timeout = match arguments::timeout(matches) {
        Ok(timeout) => timeout,
        Err(message) => return terminal.usage(&message),
    };
    let limits = Limits::start(timeout);
    files::each_document(
        matches,
        "CERTIFICATE",
        terminal,
        |text| read(text).is_ok(),
        |document, number| {
            let exit = one(document, number, matches, terminal, &limits);
            if exit == Exit::Interrupted && limits.expired() { Exit::TimeLimit } else { exit }
        },
    )
}

fn one(document: &str, number: usize, matches: &ArgMatches, terminal: &Terminal, limits: &Limits) -> Exit {
    let certificate = match read(document) {
        Ok(certificate) => certificate,
        Err(e) => return terminal.usage(&format!("certificate {number}: {e}")),
    };
    let model = matches.get_one::<String>("model").unwrap_or(&certificate.model);
    let (name, bytes) = match files::read(model, terminal) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    let line = ProgressLine::new(false, "states");
    let control = Control { stop: &limits.stop, budget: Budget::default(), progress: &line };
    match check(&certificate, &name, &bytes, &control) {
        Ok(Answer::Accepted(words)) => terminal.print(&format!("certificate {number}: accepted: {words}\n")),
        Ok(Answer::Refused(_)) if control.stopped() => {
            terminal.print(&format!("certificate {number}: interrupted\n"));
            Exit::Interrupted
        }
        Ok(Answer::Refused(why)) => {
            terminal.print(&format!("certificate {number}: refused: {why}\n"));
            Exit::Violated
        }
        Err(trouble) => files::complain(trouble, terminal),
    }
}
