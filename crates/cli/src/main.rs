//! The `swarmcheck` program: a thin shell over `session`. Files, the clock, signals and the terminal are here and
//! nowhere else.

mod arguments;
mod certify;
mod check;
mod compare;
mod export;
mod files;
mod lts;
mod realize;
mod replay;
mod running;
mod show;
mod simulate;
mod terminal;
mod tools;
mod verify;

use swarmcheck_session::Exit;
use terminal::Terminal;

fn main() -> std::process::ExitCode {
    let matches = match arguments::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            // Help and version are not mistakes. clap writes where each belongs.
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Fine };
            let _ = error.print();
            return exit.code().into();
        }
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Exit::Usage.code().into();
    };
    let terminal = Terminal::new(matches);
    let exit = match name {
        "check" => check::run(matches, &terminal),
        "show" => show::run(matches, &terminal),
        "simulate" => simulate::run(matches, &terminal),
        "verify" => verify::run(matches, &terminal),
        "lts" => lts::run(matches, &terminal),
        "export" => export::run(matches, &terminal),
        "compare" => compare::run(matches, &terminal),
        "realize" => realize::run(matches, &terminal),
        "replay" => replay::run(matches, &terminal),
        "certify" => certify::run(matches, &terminal),
        "completions" => arguments::completions(matches, &terminal),
        _ => Exit::Usage,
    };
    exit.code().into()
}
