//! `swarmcheck explain`.

use crate::arguments::ExplainArguments;
use crate::exit::Exit;
use crate::inputs::{self, documents};
use crate::jobs::{self, ask};
use crate::shell::Shell;
use crate::terminal::Said;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::explain::{ExplainAnswer, words};
use swarmcheck_session::{Request, replay};
use swarmcheck_source::shown;

/// Tells which steps of stored traces matter.
pub fn run(arguments: &ExplainArguments, shell: &Shell) -> Exit {
    let text = match inputs::text(&arguments.trace, &arguments.limits, shell) {
        Ok(text) => text,
        Err(exit) => return exit,
    };
    let list = documents(&text, |text| replay::read(text).is_ok());
    if list.is_empty() {
        return shell.usage(&format!("{} contains no trace", arguments.trace));
    }
    let mut worst = Exit::Fine;
    for (at, document) in list.iter().enumerate() {
        if at > 0 && !arguments.json {
            worst = worst.and(shell.print("\n"));
        }
        let (Ok(exit) | Err(exit)) = one(arguments, document, at + 1, shell);
        worst = worst.and(exit);
        if matches!(exit, Exit::Usage | Exit::Interrupted | Exit::TimeLimit) {
            break;
        }
    }
    worst
}

fn one(arguments: &ExplainArguments, document: &str, number: usize, shell: &Shell) -> Result<Exit, Exit> {
    let trace =
        replay::read(document).map_err(|e| shell.usage(&format!("trace {number}: {}", shown::line(&e))))?;
    let model = arguments.model.as_deref().unwrap_or(&trace.model);
    let input = inputs::model(model, arguments.language.word(), &arguments.limits, shell)?;
    let property = arguments.property.clone();
    let request = Request::Explain { source: input.source(shell)?, trace: Box::new(trace), property };
    let limits = shell.limits(&arguments.limits);
    let finished = ask(request, &[&input.file], limits, shell, "states", &mut |_| None)?;
    let Outcomes::Explain { answer } = &finished.result else { return Err(jobs::unexpected(shell)) };
    let exit = match answer {
        ExplainAnswer::Explained { explanation } if arguments.json => {
            let text = serde_json::to_string(explanation).map_err(|e| shell.failure(&e.to_string()))?;
            shell.told.written.set(true);
            return Ok(shell.print_as(&(text + "\n"), Said::Json));
        }
        ExplainAnswer::Misfit { .. } if arguments.json => {
            shell.told.fail("trace", words::answer(answer).trim_end());
            return Ok(Exit::Violated);
        }
        ExplainAnswer::Explained { .. } => Exit::Fine,
        ExplainAnswer::Misfit { .. } => Exit::Violated,
        ExplainAnswer::NoSuchProperty { .. } => {
            return Err(shell.usage(words::answer(answer).trim_end()));
        }
    };
    Ok(exit.and(shell.print(&words::answer(answer))))
}
