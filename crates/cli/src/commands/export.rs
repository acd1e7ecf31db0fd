//! `swarmcheck export`.

use crate::arguments::ExportArguments;
use crate::exit::Exit;
use crate::inputs;
use crate::jobs::{self, ask};
use crate::output::distinct;
use crate::shell::Shell;
use crate::terminal::Said;
use crate::told;
use serde_json::{Value as Json, json};
use std::path::Path;
use swarmcheck_session::Request;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::export::{ExportOptions, File};

/// Writes a model in the language of another tool.
pub fn run(arguments: &ExportArguments, shell: &Shell) -> Exit {
    match exported(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn exported(arguments: &ExportArguments, shell: &Shell) -> Result<Exit, Exit> {
    let parameters = arguments.model.parameters().map_err(|e| shell.usage(&e))?;
    let outputs: Vec<(&str, &str)> =
        arguments.output.iter().map(|path| ("--output", path.as_str())).collect();
    distinct(&[&arguments.model.file], &outputs).map_err(|e| shell.usage(&e))?;
    let input = inputs::model(&arguments.model.file, arguments.model.language(), &arguments.limits, shell)?;
    let model = arguments.reading.model(input.source(shell)?, parameters);
    let options = ExportOptions {
        target: arguments.to.0.clone(),
        property: arguments.property.clone(),
        bound: arguments.steps,
        scheduler: arguments.scheduler.map(Into::into).unwrap_or_default(),
    };
    let request = Request::Export { model, options };
    let limits = shell.limits(&arguments.limits);
    let finished = ask(request, &[&input.file], limits, shell, "states", &mut |_| None)?;
    let Outcomes::Export { files } = finished.result else { return Err(jobs::unexpected(shell)) };
    let places = match &arguments.output {
        None if shell.told.is_data() => None,
        None => return Ok(print(&files, shell)),
        Some(path) => Some(store(&files, Path::new(path), &arguments.model.file, shell)?),
    };
    Ok(match shell.told.is_data() {
        true => {
            shell.document("swarmcheck-export", told::VERSION, document(arguments, &files, places.as_deref()))
        }
        false => Exit::Fine,
    })
}

/// For programs: the files, or where they are. Bytes that are no text have to be written to a file.
fn document(arguments: &ExportArguments, files: &[File], places: Option<&[String]>) -> Json {
    let one = |(number, file): (usize, &File)| {
        let text = std::str::from_utf8(&file.bytes).ok().filter(|_| places.is_none());
        let path = places.and_then(|places| places.get(number));
        json!({ "name": file.name, "bytes": file.bytes.len(), "path": path, "text": text })
    };
    json!({
        "model": arguments.model.file,
        "target": arguments.to.0,
        "property": arguments.property,
        "steps": arguments.steps,
        "files": files.iter().enumerate().map(one).collect::<Vec<_>>(),
    })
}

/// To the terminal: one file only, because nobody could take several apart again.
fn print(files: &[File], shell: &Shell) -> Exit {
    match files {
        [only] => match std::str::from_utf8(&only.bytes) {
            Ok(text) => shell.print_as(text, Said::Data),
            Err(_) => shell.usage(&format!("{} is no text: say where with -o FILE", only.name)),
        },
        several => {
            let names: Vec<&str> = several.iter().map(|file| file.name.as_str()).collect();
            shell
                .usage(&format!("there are several files, {}: say where with -o DIRECTORY", names.join(", ")))
        }
    }
}

/// To a file, or into a directory.
fn store(files: &[File], path: &Path, model: &str, shell: &Shell) -> Result<Vec<String>, Exit> {
    let whole = path.to_string_lossy();
    let directory = files.len() != 1 || path.is_dir() || whole.ends_with(['/', '\\']);
    if directory {
        std::fs::create_dir_all(path).map_err(|e| shell.failure(&format!("cannot create {whole}: {e}")))?;
    }
    let place = |file: &File| match directory {
        true => path.join(&file.name).to_string_lossy().to_string(),
        false => whole.to_string(),
    };
    let places: Vec<String> = files.iter().map(place).collect();
    let outputs: Vec<(&str, &str)> = places.iter().map(|place| ("--output", place.as_str())).collect();
    distinct(&[model], &outputs).map_err(|e| shell.usage(&e))?;
    for (file, place) in files.iter().zip(&places) {
        let stored = shell.store(&shell.target(place)?, &file.bytes);
        if stored != Exit::Fine {
            return Err(stored);
        }
        shell.note(&format!("{place} written"));
    }
    Ok(places)
}
