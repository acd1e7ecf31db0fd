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
