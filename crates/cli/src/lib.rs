//! The command line: a thin shell over the supervised worker. Files, signals and the terminal are here and nowhere else;
//! processes and the clock are here and in `worker`.

pub mod arguments;
mod commands;
pub mod exit;
mod inputs;
mod interactive;
mod jobs;
pub mod manual;
mod output;
mod progress;
mod shell;

use arguments::{Command, CommandLine, GlobalArguments};
use clap::Parser;
use exit::Exit;
use shell::Shell;
use std::process::ExitCode;
use std::time::Instant;

/// Runs the command line that this process was started with.
pub fn main() -> ExitCode {
    let began = Instant::now();
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => {
            // Help and version are not mistakes. clap writes where each belongs.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Fine };
            let _ = error.print();
            return exit.code().into();
        }
    };
    if matches!(line.command, Command::Worker) {
        return swarmcheck_worker::serve();
    }
    let shell = |global: &GlobalArguments| Shell::new(global, began);
    let exit = match &line.command {
        Command::Check(a) => commands::check::run(a, &shell(&a.global)),
        Command::Show(a) => commands::show::run(a, &shell(&a.global)),
        Command::Simulate(a) => commands::simulate::run(a, &shell(&a.global)),
        Command::Verify(a) => commands::verify::run(a, &shell(&a.global)),
        Command::Lts(a) => commands::lts::run(a, &shell(&a.global)),
        Command::Export(a) => commands::export::run(a, &shell(&a.global)),
        Command::Compare(a) => commands::compare::run(a, &shell(&a.global)),
        Command::Realize(a) => commands::realize::run(a, &shell(&a.global)),
        Command::Explain(a) => commands::explain::run(a, &shell(&a.global)),
        Command::Replay(a) => commands::stored::replay(a, &shell(&a.global)),
        Command::Certify(a) => commands::stored::certify(a, &shell(&a.global)),
        Command::Completions(a) => commands::completions(a, &shell(&a.global)),
        Command::Worker => Exit::Fine,
    };
    exit.code().into()
}
