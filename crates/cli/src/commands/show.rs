//! `swarmcheck show`.

use crate::arguments::ShowArguments;
use crate::exit::Exit;
use crate::inputs;
use crate::jobs::{self, ask};
use crate::shell::Shell;
use crate::terminal::Said;
use crate::told;
use clap::ValueEnum;
use serde_json::json;
use swarmcheck_session::Request;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::show::Shape;

/// Prints a model in another shape.
pub fn run(arguments: &ShowArguments, shell: &Shell) -> Exit {
    match shown(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn shown(arguments: &ShowArguments, shell: &Shell) -> Result<Exit, Exit> {
    let parameters = arguments.model.parameters().map_err(|e| shell.usage(&e))?;
    let input = inputs::model(&arguments.model.file, arguments.model.language(), &arguments.limits, shell)?;
    let model = arguments.reading.model(input.source(shell)?, parameters);
    let request = Request::Show { model, shape: arguments.shape.into() };
    let limits = shell.limits(&arguments.limits);
    match ask(request, &[&input.file], limits, shell, "states", &mut |_| None)?.result {
        Outcomes::Show { text: Some(text) } if shell.told.is_data() => {
            let fields =
                json!({ "model": input.file.name(), "shape": Shape::from(arguments.shape), "text": text });
            Ok(shell.document("swarmcheck-shape", told::VERSION, fields))
        }
        Outcomes::Show { text: Some(text) } => Ok(shell.print_as(&text, Said::Data)),
        Outcomes::Show { text: None } => {
            let word =
                arguments.shape.to_possible_value().map_or(String::new(), |v| v.get_name().to_string());
            Err(shell.usage(&format!("--as {word} is for choreographies")))
        }
        _ => Err(jobs::unexpected(shell)),
    }
}
