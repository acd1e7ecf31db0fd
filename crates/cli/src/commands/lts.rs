//! `swarmcheck lts`.

use crate::arguments::LtsArguments;
use crate::exit::Exit;
use crate::inputs;
use crate::jobs::{self, ask};
use crate::output::distinct;
use crate::shell::Shell;
use crate::terminal::Said;
use crate::told;
use serde_json::json;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::lts::{LtsOptions, Minimise};
use swarmcheck_session::{Request, words};

/// Writes a model as a labelled transition system.
pub fn run(arguments: &LtsArguments, shell: &Shell) -> Exit {
    match written(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn written(arguments: &LtsArguments, shell: &Shell) -> Result<Exit, Exit> {
    let parameters = arguments.model.parameters().map_err(|e| shell.usage(&e))?;
    let outputs: Vec<(&str, &str)> =
        arguments.output.iter().map(|path| ("--output", path.as_str())).collect();
    distinct(&[&arguments.model.file], &outputs).map_err(|e| shell.usage(&e))?;
    let input = inputs::model(&arguments.model.file, arguments.model.language(), &arguments.limits, shell)?;
    let source = input.source(shell)?;
    let target = arguments.output.as_deref().map(|path| shell.target(path)).transpose()?;
    let model = arguments.reading.model(source, parameters);
    let options = LtsOptions {
        format: arguments.format.into(),
        minimise: arguments.minimise.map(Into::into).or(arguments.compose.then_some(Minimise::Divbranching)),
        compose: arguments.compose,
    };
    let request = Request::Lts { model, options };
    let limits = shell.limits(&arguments.limits);
    let finished = ask(request, &[&input.file], limits, shell, "states", &mut |_| None)?;
    let Outcomes::Lts { written } = finished.result else { return Err(jobs::unexpected(shell)) };
    shell.note(&words::written(&written));
    let stored = match &target {
        None if shell.told.is_data() => Exit::Fine,
        None => return Ok(shell.print_as(&written.text, Said::Data)),
        Some(target) => shell.store(target, written.text.as_bytes()),
    };
    if !shell.told.is_data() || stored != Exit::Fine {
        return Ok(stored);
    }
    let fields = json!({
        "model": input.file.name(),
        "notation": options.format,
        "whole": written.whole,
        "minimise": options.minimise,
        "minimised": written.minimised,
        "composition": written.composition,
        "path": arguments.output,
        "text": target.is_none().then_some(&written.text),
    });
    Ok(shell.document("swarmcheck-lts", told::VERSION, fields))
}
