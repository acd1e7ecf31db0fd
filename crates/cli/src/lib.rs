//! The command line: a thin shell over the supervised worker. Files, signals and the terminal are here and nowhere else;
//! processes and the clock are here and in `worker`.

pub mod arguments;
mod commands;
pub mod exit;
mod formats;
mod inputs;
mod interactive;
mod jobs;
pub mod manual;
mod output;
mod plotting;
mod progress;
mod reading;
mod shell;
mod suggest;
mod terminal;
mod told;

use arguments::{Command, CommandLine, GlobalArguments, MachineArguments};
use clap::Parser;
use exit::Exit;
use shell::Shell;
use std::process::ExitCode;
use std::time::Instant;
use terminal::Said;
use told::Form;

/// Runs the command line that this process was started with.
pub fn main() -> ExitCode {
    let began = Instant::now();
    terminal::tame_panics();
    let line = match CommandLine::try_parse_from(suggest::arguments(std::env::args_os().collect())) {
        Ok(line) => line,
        Err(error) => {
            let error = terminal::tame_error(error);
            // Help and version are not mistakes. clap writes where each belongs.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Fine };
            // Whoever asked for JSON gets it, whatever else is wrong with the line.
            if error.use_stderr() && std::env::args_os().any(|word| word == "--json" || word == "--events") {
                let words = error.render().to_string();
                let text = told::no_command(words.trim_start_matches("error: ").trim_end());
                let _ = terminal::out(&text, Said::Json);
            } else {
                match suggest::instead(&error) {
                    Some(text) => terminal::err(&text, Said::Words),
                    None => terminal::parser(&error),
                }
            }
            return exit.code().into();
        }
    };
    if matches!(line.command, Command::Worker) {
        return swarmcheck_worker::serve();
    }
    let shell = |global: &GlobalArguments| Shell::new(global, began);
    let speaking =
        |name, global: &GlobalArguments, machine: &MachineArguments, run: &dyn Fn(&Shell) -> Exit| {
            let form = Form::new(machine.json, machine.stream.events);
            shell(global).speaking(name, form, run)
        };
    let exit = match &line.command {
        Command::Check(a) => {
            speaking("check", &a.global, &a.machine.form, &|shell| commands::check::run(a, shell))
        }
        Command::Show(a) => speaking("show", &a.global, &a.machine, &|shell| commands::show::run(a, shell)),
        Command::Simulate(a) => {
            speaking("simulate", &a.global, &a.machine, &|shell| commands::simulate::run(a, shell))
        }
        Command::Estimate(a) => {
            speaking("estimate", &a.global, &a.machine, &|shell| commands::estimate::run(a, shell))
        }
        Command::Verify(a) => {
            let form = Form::new(a.output.json, a.machine.stream.events);
            shell(&a.global).speaking("verify", form, |shell| commands::verify::run(a, shell))
        }
        Command::Lts(a) => speaking("lts", &a.global, &a.machine, &|shell| commands::lts::run(a, shell)),
        Command::Export(a) => {
            speaking("export", &a.global, &a.machine, &|shell| commands::export::run(a, shell))
        }
        Command::Compare(a) => {
            speaking("compare", &a.global, &a.machine, &|shell| commands::compare::run(a, shell))
        }
        Command::Realize(a) => {
            speaking("realize", &a.global, &a.machine, &|shell| commands::realize::run(a, shell))
        }
        Command::Replay(a) => {
            speaking("replay", &a.global, &a.machine, &|shell| commands::stored::replay(a, shell))
        }
        Command::Certify(a) => {
            speaking("certify", &a.global, &a.machine, &|shell| commands::stored::certify(a, shell))
        }
        Command::Explain(a) => {
            let form = Form::new(a.json, false);
            shell(&a.global).speaking("explain", form, |shell| commands::explain::run(a, shell))
        }
        Command::Test(a) => {
            let form = Form::new(a.json, false);
            shell(&a.global).speaking("test", form, |shell| commands::test::run(a, shell))
        }
        Command::Sweep(a) => {
            let form = Form::new(a.json, false);
            shell(&a.global).speaking("sweep", form, |shell| commands::sweep::run(a, shell))
        }
        Command::Collect(a) => {
            let form = Form::new(a.json, false);
            shell(&a.global).speaking("collect", form, |shell| commands::collect::run(a, shell))
        }
        Command::Web(a) => {
            let form = Form::new(a.json, false);
            shell(&a.global).speaking("web", form, |shell| commands::web::run(a, shell))
        }
        Command::Lsp(a) => commands::lsp::run(&shell(&a.global)),
        Command::Fmt(a) => commands::fmt::run(a, &shell(&a.global)),
        Command::Plot(a) => commands::plot::run(a, &shell(&a.global)),
        Command::Examples(a) => commands::examples::run(a, &shell(&a.global)),
        Command::New(a) => commands::new::run(a, &shell(&a.global)),
        Command::Completions(a) => commands::completions::script(a, &shell(&a.global)),
        Command::Complete { words } => {
            commands::completions::complete(words, &shell(&GlobalArguments::quiet()))
        }
        Command::Worker => Exit::Fine,
    };
    exit.code().into()
}
