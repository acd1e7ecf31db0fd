//! `swarmcheck export`.

use crate::running::{Limits, ProgressLine};
use crate::terminal::Terminal;
use crate::{arguments, files, verify};
use clap::ArgMatches;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;
use swarmcheck_session::Exit;
use swarmcheck_session::export::{ExportOptions, File, export};
use swarmcheck_session::verify::{Budget, Control};

/// Writes a model in the language of another tool.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let (options, timeout, memory) = match read_options(matches) {
        Ok(read) => read,
        Err(message) => return terminal.usage(&message),
    };
    let limits = Limits::start(timeout);
    let prepared = match files::prepared(matches, terminal) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    let line = ProgressLine::new(!terminal.quiet && io::stderr().is_terminal(), "states");
    let budget = Budget { memory: memory.or_else(verify::free_memory) };
    let result = export(&prepared, &options, &Control { stop: &limits.stop, budget, progress: &line });
    line.clear();
    match result {
        Err((exit, why)) => limits.ended(exit, &why, terminal),
        Ok(files) => match matches.get_one::<String>("output@export") {
            None => print(&files, terminal),
            Some(path) => store(&files, Path::new(path), terminal),
        },
    }
}

fn read_options(matches: &ArgMatches) -> Result<(ExportOptions, Option<Duration>, Option<u64>), String> {
    let steps = match matches.get_one::<String>("steps@export") {
        None => None,
        Some(text) => Some(
            text.parse()
                .map_err(|_| format!("--steps takes a whole number that is not negative, not {text:?}"))?,
        ),
    };
    let options = ExportOptions {
        target: matches.get_one::<String>("to").map_or("emulation", String::as_str).to_string(),
        property: matches.get_one::<String>("property@export").cloned(),
        bound: steps,
    };
    Ok((options, arguments::timeout(matches)?, arguments::size(matches, "memory")?))
}

/// To the terminal: one file only, because nobody could take several apart again.
fn print(files: &[File], terminal: &Terminal) -> Exit {
    match files {
        [only] => match std::str::from_utf8(&only.bytes) {
            Ok(text) => terminal.print(text),
            Err(_) => terminal.usage(&format!("{} is no text: say where with -o FILE", only.name)),
        },
        several => {
            let names: Vec<&str> = several.iter().map(|file| file.name.as_str()).collect();
            terminal
                .usage(&format!("there are several files, {}: say where with -o DIRECTORY", names.join(", ")))
        }
    }
}

/// To a file, or into a directory.
fn store(files: &[File], path: &Path, terminal: &Terminal) -> Exit {
    let whole = path.to_string_lossy();
    let directory = files.len() != 1 || path.is_dir() || whole.ends_with(['/', '\\']);
    if directory && let Err(e) = std::fs::create_dir_all(path) {
        return terminal.failure(&format!("cannot create {whole}: {e}"));
    }
    for file in files {
        let place = if directory { path.join(&file.name) } else { path.to_path_buf() };
        if let Err(e) = std::fs::write(&place, &file.bytes) {
            return terminal.failure(&format!("cannot write {}: {e}", place.display()));
        }
        terminal.note(&format!("{} written", place.display()));
    }
    Exit::Fine
}
