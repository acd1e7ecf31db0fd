//! `swarmcheck check`.

use crate::terminal::Terminal;
use crate::{arguments, files};
use clap::ArgMatches;
use serde_json::json;
use swarmcheck_session::Exit;
use swarmcheck_source::{Severity, data};

/// Reports everything that is wrong with a file.
pub fn run(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let path = matches.get_one::<String>("FILE").map_or("", String::as_str);
    let parameters = match arguments::parameters(matches) {
        Ok(parameters) => parameters,
        Err(e) => return terminal.usage(&e),
    };
    let (name, bytes) = match files::read(path, terminal) {
        Ok(read) => read,
        Err(exit) => return exit,
    };
    let checked = swarmcheck_session::check(&name, &bytes, &parameters);
    let count = |severity| checked.diagnostics.iter().filter(|d| d.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let exit = if checked.model.is_some() { Exit::Fine } else { Exit::Model };
    if matches.get_flag("json") {
        let list: Vec<_> = checked.diagnostics.iter().map(|d| data::diagnostic(&checked.file, d)).collect();
        let document = json!({ "file": name, "errors": errors, "warnings": warnings, "diagnostics": list });
        let printed = terminal.print(&format!("{document:#}\n"));
        return if printed == Exit::Fine { exit } else { printed };
    }
    terminal.diagnostics(&checked.file, &checked.diagnostics);
    let summary = match (errors, warnings) {
        (0, 0) => format!("{name}: no errors, no warnings"),
        (0, w) => format!("{name}: no errors, {}", plural(w, "warning")),
        (e, 0) => format!("{name}: {}", plural(e, "error")),
        (e, w) => format!("{name}: {}, {}", plural(e, "error"), plural(w, "warning")),
    };
    let printed = terminal.print(&format!("{summary}\n"));
    if let (Some(model), true) = (&checked.model, terminal.verbose) {
        terminal.note(&model.summary());
    }
    if printed == Exit::Fine { exit } else { printed }
}

fn plural(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
