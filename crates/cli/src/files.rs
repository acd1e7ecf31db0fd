//! Reading models.

use crate::arguments;
use crate::terminal::Terminal;
use clap::ArgMatches;
use std::io::Read;
use swarmcheck_session::{Choice, Exit, ModelOptions, Prepared, Semantics, Trouble, prepare};

/// A file's name for messages and its bytes.
pub fn read(path: &str, terminal: &Terminal) -> Result<(String, Vec<u8>), Exit> {
    if path == "-" {
        let mut bytes = vec![];
        return match std::io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => Ok(("standard input".to_string(), bytes)),
            Err(e) => Err(terminal.failure(&format!("cannot read standard input: {e}"))),
        };
    }
    match std::fs::read(swarmcheck_session::specification::split_name(path).0) {
        Ok(bytes) => Ok((path.to_string(), bytes)),
        Err(e) => Err(terminal.usage(&format!("cannot read {path}: {e}"))),
    }
}

/// Goes through the documents of the file that an argument names and says how the program ends. A file of several has one
/// per line; a document that somebody has laid out has many lines.
pub fn each_document(
    matches: &ArgMatches,
    argument: &str,
    terminal: &Terminal,
    whole: impl Fn(&str) -> bool,
    one: impl Fn(&str, usize) -> Exit,
) -> Exit {
    let path = matches.get_one::<String>(argument).map_or("", String::as_str);
    let (name, bytes) = match read(path, terminal) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return terminal.usage(&format!("{name} is not UTF-8 text"));
    };
    let documents: Vec<&str> = match whole(&text) {
        true => vec![&text],
        false => text.lines().filter(|l| !l.trim().is_empty()).collect(),
    };
    if documents.is_empty() {
        return terminal.usage(&format!("{name} contains no {}", argument.to_lowercase()));
    }
    let mut worst = Exit::Fine;
    for (number, document) in documents.iter().enumerate() {
        let exit = one(document, number + 1);
        if exit != Exit::Fine {
            worst = exit;
        }
        // A file of something else is reported once, and whoever interrupts does not want to see the rest.
        if matches!(exit, Exit::Usage | Exit::Interrupted | Exit::TimeLimit) {
            break;
        }
    }
    worst
}

/// The model that the command line names, ready to run; otherwise everything has been said.
pub fn prepared(matches: &ArgMatches, terminal: &Terminal) -> Result<Prepared, Exit> {
    let path = matches.get_one::<String>("FILE").map_or("", String::as_str);
    let parameters = arguments::parameters(matches).map_err(|e| terminal.usage(&e))?;
    let semantics = match matches.get_one::<String>("semantics").map(String::as_str) {
        Some("paper") => Semantics::Paper,
        _ => Semantics::Sliver,
    };
    let choice = match matches.get_one::<String>("choice").map(String::as_str) {
        Some("early") => Choice::Early,
        _ => Choice::Late,
    };
    let options = ModelOptions { parameters, fair: matches.get_flag("fair"), semantics, choice };
    let (name, bytes) = read(path, terminal)?;
    let prepared = prepare(&name, &bytes, options).map_err(|trouble| complain(trouble, terminal))?;
    terminal.diagnostics(&prepared.file, &prepared.warnings);
    Ok(prepared)
}

/// Says why a system cannot run.
pub fn complain(trouble: Trouble, terminal: &Terminal) -> Exit {
    match trouble {
        Trouble::File(file, list) => {
            terminal.diagnostics(&file, &list);
            Exit::Model
        }
        Trouble::Unreadable(message) => {
            terminal.failure(&message);
            Exit::Model
        }
        Trouble::Internal(message) => terminal
            .failure(&format!("{message}\nThis is a bug in swarmcheck; please report it with the model.")),
    }
}
