//! `swarmcheck lts`.

use crate::running::{Limits, ProgressLine};
use crate::terminal::Terminal;
use crate::{arguments, files, verify};
use clap::ArgMatches;
use std::io::{self, IsTerminal};
use swarmcheck_session::Exit;
use swarmcheck_session::lts::{EQUIVALENCES, LtsFormat, LtsOptions, lts};
use swarmcheck_session::verify::{Budget, Control};

/// Writes a model as a labelled transition system.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let limits = arguments::timeout(matches).and_then(|t| Ok((t, arguments::size(matches, "memory")?)));
    let (timeout, memory) = match limits {
        Ok(limits) => limits,
        Err(message) => return terminal.usage(&message),
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
    let limits = Limits::start(timeout);
    let line = ProgressLine::new(!terminal.quiet && io::stderr().is_terminal(), "states");
    let budget = Budget { memory: memory.or_else(verify::free_memory) };
    let result = lts(&prepared, options, &Control { stop: &limits.stop, budget, progress: &line });
    line.clear();
    match result {
        Err((Exit::Interrupted, _)) if limits.expired() => {
            terminal.failure("the time limit was reached");
            Exit::TimeLimit
        }
        Err((Exit::Usage, why)) => terminal.usage(&why),
        Err((exit, why)) => {
            terminal.failure(&why);
            exit
        }
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
