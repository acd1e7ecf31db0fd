//! Coverage of a model, for `verify` and `simulate`: a listing, and a file.

use crate::arguments::{CoverageArguments, LimitArguments};
use crate::exit::Exit;
use crate::inputs::Input;
use crate::jobs::{self, ask};
use crate::output::Target;
use crate::shell::Shell;
use swarmcheck_session::Request;
use swarmcheck_session::coverage::{Coverage, CoverageOptions, lcov, margin};
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::request::ModelRequest;
use swarmcheck_worker::Stop;

/// Counts over all reachable states, and how that ended.
pub fn searched(
    model: ModelRequest,
    steps: Option<u32>,
    limits: &LimitArguments,
    shell: &Shell,
) -> Result<(Box<Coverage>, Exit), Exit> {
    let request = Request::Coverage { model, options: CoverageOptions { steps } };
    // The warnings of the model have been told.
    let finished = ask(request, &[], shell.limits(limits), shell, "states", &mut |_| None)?;
    let Outcomes::Coverage { mut coverage } = finished.result else { return Err(jobs::unexpected(shell)) };
    let exit = match finished.stopped {
        Some(Stop::TimeLimit) => {
            coverage.by_the_clock();
            Exit::TimeLimit
        }
        Some(Stop::Interrupted) => Exit::Interrupted,
        _ => Exit::Fine,
    };
    Ok((coverage, exit))
}

/// The listing, if it is wanted.
pub fn listing(coverage: &Coverage, arguments: &CoverageArguments, input: &Input) -> String {
    match arguments.coverage {
        true => format!("\n{}", margin::listing(coverage, input.file.text())),
        false => String::new(),
    }
}

/// Writes the file, if there is to be one.
pub fn store(coverage: &Coverage, target: Option<&Target>, path: Option<&str>, shell: &Shell) -> Exit {
    let (Some(target), Some(path)) = (target, path) else { return Exit::Fine };
    let text = match path.ends_with(".json") {
        true => serde_json::to_string_pretty(coverage).unwrap_or_default() + "\n",
        false => lcov::record(coverage),
    };
    shell.store(target, text.as_bytes())
}
