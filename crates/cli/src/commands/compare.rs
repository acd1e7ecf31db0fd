//! `swarmcheck compare`.

use crate::arguments::CompareArguments;
use crate::exit::Exit;
use crate::inputs;
use crate::jobs::{self, ask};
use crate::shell::Shell;
use crate::told;
use serde_json::{Value as Json, json};
use swarmcheck_session::compare::Compared;
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::{Request, words};

/// Says whether two models behave alike.
pub fn run(arguments: &CompareArguments, shell: &Shell) -> Exit {
    match compared(arguments, shell) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn compared(arguments: &CompareArguments, shell: &Shell) -> Result<Exit, Exit> {
    let names = [arguments.first.as_str(), arguments.second.as_str()];
    let language = arguments.language.word();
    let first = inputs::model(names[0], language, &arguments.limits, shell)?;
    let second = inputs::model(names[1], language, &arguments.limits, shell)?;
    let sides = [first.source(shell)?, second.source(shell)?];
    let request = Request::Compare { sides, relation: arguments.by.into() };
    let limits = shell.limits(&arguments.limits);
    let finished = ask(request, &[&first.file, &second.file], limits, shell, "states", &mut |_| None)?;
    let Outcomes::Compare { compared } = finished.result else { return Err(jobs::unexpected(shell)) };
    let exit = if compared.difference.is_none() { Exit::Fine } else { Exit::Violated };
    Ok(exit.and(match shell.told.is_data() {
        true => shell.document("swarmcheck-comparison", told::VERSION, document(&compared, names)),
        false => shell.print(&words::compared(&compared, names)),
    }))
}

/// For programs.
pub fn document(compared: &Compared, names: [&str; 2]) -> Json {
    let side = |at: usize| {
        let size = compared.sizes[at];
        json!({ "model": names[at], "states": size.states, "transitions": size.transitions })
    };
    let difference = compared.difference.as_ref().map(|d| {
        json!({
            "formula_of_first": d.formula_of_first,
            "given_up": d.given_up,
            "trace": d.trace,
            "trace_of": d.trace_of.map(|whose| names[whose.min(1)]),
        })
    });
    json!({
        "first": side(0),
        "second": side(1),
        "relation": compared.relation.word(),
        "alike": difference.is_none(),
        "difference": difference,
    })
}
