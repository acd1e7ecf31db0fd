//! `swarmcheck lts`.

use crate::compare::bounds;
use crate::files;
use crate::running::ProgressLine;
use crate::terminal::Terminal;
use clap::ArgMatches;
use std::io::{self, IsTerminal};
use swarmcheck_session::Exit;
use swarmcheck_session::lts::{EQUIVALENCES, LtsFormat, LtsOptions, lts};
use swarmcheck_session::verify::Control;

/// Writes a model as a labelled transition system.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let (limits, budget) = match bounds(matches, terminal) {
        Ok(bounds) => bounds,
        Err(exit) => return exit,
    };
    let word = matches.get_one::<String>("minimise");
    let options = LtsOptions {
        format: match matches.get_one::<String>("as@lts").map(String::as_str) {
            Some("dot") => LtsFormat::Dot,
            _ => LtsFormat::Aut,
        },
        minimise: word.and_then(|w| EQUIVALENCES.iter().find(|(_, name)| name == w)).map(|(e, _)| *e),
    };
    let prepared = match files::prepared(matches, terminal) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    let line = ProgressLine::new(!terminal.quiet && io::stderr().is_terminal(), "states");
    let result = lts(&prepared, options, &Control { stop: &limits.stop, budget, progress: &line });
    line.clear();
    match result {
        Err((exit, why)) => limits.ended(exit, &why, terminal),
        Ok((text, words)) => {
            terminal.note(&words);
            match matches.get_one::<String>("output") {
                None => terminal.print(&text),
                Some(path) => match std::fs::write(path, text) {
                    Ok(()) => Exit::Fine,
                    Err(e) => terminal.failure(&format!("cannot write {path}: {e}")),
                },
            }
        }
    }
}
