//! What the benchmark programs' command lines share.

use clap::{Arg, ArgMatches, Command};
use std::process::ExitCode;

/// An option with a value.
pub fn option(name: &'static str, value: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).value_name(value).help(help)
}

/// Runs a program: 0 if everything was as it must be, 1 if something was not, 2 if it could not be found out.
pub fn main(command: Command, run: impl FnOnce(&ArgMatches) -> Result<bool, String>) -> ExitCode {
    match run(&command.get_matches()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}
