//! `swarmcheck check`.

use crate::arguments::CheckArguments;
use crate::exit::Exit;
use crate::formats::Reports;
use crate::inputs;
use crate::jobs::{self, ask};
use crate::output::distinct;
use crate::shell::Shell;
use crate::told;
use serde_json::json;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::request::ModelRequest;
use swarmcheck_session::{Request, words};
use swarmcheck_source::{Severity, shown};

/// Reports everything that is wrong with a file.
pub fn run(arguments: &CheckArguments, shell: &Shell) -> Exit {
    match checked(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn checked(arguments: &CheckArguments, shell: &Shell) -> Result<Exit, Exit> {
    let parameters = arguments.model.parameters().map_err(|e| shell.usage(&e))?;
    let findings = &arguments.machine.findings;
    distinct(&[&arguments.model.file], &findings.outputs()).map_err(|e| shell.usage(&e))?;
    let reports = Reports::new(findings, None, shell)?;
    let input = inputs::model(&arguments.model.file, arguments.model.language(), &arguments.limits, shell)?;
    let (diagnostics, summary, outline) = match input.broken() {
        Some(broken) => (vec![broken.clone()], None, None),
        None => {
            let source = input.source(shell)?;
            let precedence = arguments.precedence.map(Into::into);
            let model = ModelRequest { precedence, ..ModelRequest::new(source, parameters) };
            let limits = shell.limits(&arguments.limits);
            match ask(Request::Check { model }, &[&input.file], limits, shell, "states", &mut |_| None)?
                .result
            {
                Outcomes::Check { diagnostics, summary, outline } => (diagnostics, summary, outline),
                _ => return Err(jobs::unexpected(shell)),
            }
        }
    };
    let count = |severity| diagnostics.iter().filter(|d| d.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let exit = if errors == 0 { Exit::Fine } else { Exit::Model };
    let name = input.file.name();
    shell.diagnostics(&input.file, &diagnostics);
    shell.told.complete.set(true);
    let exit = exit.and(reports.write(shell));
    if shell.told.is_data() {
        let fields = json!({
            "file": name, "errors": errors, "warnings": warnings, "summary": summary, "outline": outline,
        });
        return Ok(exit.and(shell.document("swarmcheck-check", told::VERSION, fields)));
    }
    if errors > 0 {
        shell.perhaps_another_language();
    }
    let name = shown::line(name);
    let text = match (errors, warnings) {
        (0, 0) => format!("{name}: no errors, no warnings"),
        (0, w) => format!("{name}: no errors, {}", words::count(w, "warning")),
        (e, 0) => format!("{name}: {}", words::count(e, "error")),
        (e, w) => format!("{name}: {}, {}", words::count(e, "error"), words::count(w, "warning")),
    };
    let printed = shell.print(&format!("{text}\n"));
    if let (Some(summary), true) = (&summary, shell.verbose) {
        shell.note(summary);
    }
    Ok(exit.and(printed))
}
