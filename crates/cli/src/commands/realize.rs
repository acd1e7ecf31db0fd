//! `swarmcheck realize`.

use crate::arguments::RealizeArguments;
use crate::commands::compare;
use crate::exit::Exit;
use crate::inputs;
use crate::jobs::{self, ask};
use crate::shell::Shell;
use crate::told;
use serde_json::json;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::realize::Realizable;
use swarmcheck_session::{Request, words};

/// Says whether the peers of a choreography do what it says.
pub fn run(arguments: &RealizeArguments, shell: &Shell) -> Exit {
    match realized(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn realized(arguments: &RealizeArguments, shell: &Shell) -> Result<Exit, Exit> {
    let input = inputs::model(&arguments.file, arguments.language.word(), &arguments.limits, shell)?;
    let request = Request::Realize { source: input.source(shell)? };
    let limits = shell.limits(&arguments.limits);
    let finished = ask(request, &[&input.file], limits, shell, "states", &mut |_| None)?;
    let Outcomes::Realize { realized } = finished.result else { return Err(jobs::unexpected(shell)) };
    let name = input.file.name();
    let told = match shell.told.is_data() {
        false => shell.print(&words::realized(&realized, name)),
        true => {
            let whole = format!("{name}:choreography");
            let fields = json!({
                "model": name,
                "verdict": words::realizable(realized.verdict()),
                "deadlock_freedom": realized.deadlock.verdict().word(),
                "deadlock": realized.deadlock.trace.as_ref().map(|shown| &shown.data),
                "traces": compare::document(&realized.traces, [&whole, name]),
            });
            shell.document("swarmcheck-realization", told::VERSION, fields)
        }
    };
    let exit = match realized.verdict() {
        Realizable::Yes => Exit::Fine,
        Realizable::No => Exit::Violated,
        Realizable::Unknown => Exit::of_answer(&realized.deadlock),
    };
    Ok(exit.and(told))
}
