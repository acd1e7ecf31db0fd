//! The command line, built from the table in `session::options`.

use crate::terminal::Terminal;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use swarmcheck_session::Exit;
use swarmcheck_session::options::{self, Opt};

/// The whole command line.
pub fn command() -> Command {
    let exits: String =
        Exit::TABLE.iter().map(|(exit, what)| format!("  {:3}  {what}\n", exit.code())).collect();
    let mut top = Command::new("swarmcheck")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Model multi-agent systems, watch them run, and prove what emerges")
        .after_help(format!(
            "Examples:\n  swarmcheck verify examples/leader/leader.labs n=5\n  \
             swarmcheck simulate examples/flock/flock.labs birds=3 grid=5 delta=5\n  \
             swarmcheck check examples/leader/leader.labs n=3\n\nExit codes:\n{exits}"
        ))
        .subcommand_required(true)
        .arg_required_else_help(true);
    for spec in options::COMMANDS {
        let mut command = Command::new(spec.name).about(spec.about);
        for a in spec.arguments {
            let mut arg = Arg::new(a.name).help(a.help).required(a.required);
            if a.many {
                arg = arg.action(ArgAction::Append).num_args(0..);
            }
            command = command.arg(arg);
        }
        for name in spec.options.iter().chain(options::GLOBAL) {
            if let Some(option) = options::option(name) {
                command = command.arg(argument(option));
            }
        }
        let examples: String =
            spec.examples.iter().map(|(line, what)| format!("  {line}\n      {what}\n")).collect();
        top = top.subcommand(command.after_help(format!("Examples:\n{examples}")));
    }
    top
}

fn argument(option: &'static Opt) -> Arg {
    let mut arg = Arg::new(option.name).long(option.long()).help(option.help);
    if let Some(short) = option.short {
        arg = arg.short(short);
    }
    match option.value {
        None => arg.action(ArgAction::SetTrue),
        Some(value) if option.name == "property" => arg.value_name(value).action(ArgAction::Append),
        Some(value) if option.choices.is_empty() => arg.value_name(value),
        Some(value) => arg.value_name(value).value_parser(PossibleValuesParser::new(option.choices)),
    }
}

/// A number given to an option, or a default. `Err` says what is wrong.
pub fn number(matches: &ArgMatches, name: &str, default: u64) -> Result<u64, String> {
    match matches.get_one::<String>(name) {
        None => Ok(default),
        Some(text) => text
            .parse()
            .map_err(|_| format!("--{name} takes a whole number that is not negative, not {text:?}")),
    }
}

/// A number of bytes, as in `800M` or `8G`.
pub fn size(matches: &ArgMatches, name: &str) -> Result<Option<u64>, String> {
    let Some(text) = matches.get_one::<String>(name) else { return Ok(None) };
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(1.0),
        "K" | "KB" | "KIB" => Some(1024.0),
        "M" | "MB" | "MIB" => Some(1024.0 * 1024.0),
        "G" | "GB" | "GIB" => Some(1024.0 * 1024.0 * 1024.0),
        "T" | "TB" | "TIB" => Some(1024.0 * 1024.0 * 1024.0 * 1024.0),
        _ => None,
    };
    match (digits.parse::<f64>(), unit) {
        (Ok(number), Some(unit)) if number > 0.0 && number * unit < 1e18 => Ok(Some((number * unit) as u64)),
        _ => Err(format!("--{name} takes a size such as 800M or 8G, not {text:?}")),
    }
}

/// A time limit in seconds.
pub fn timeout(matches: &ArgMatches) -> Result<Option<std::time::Duration>, String> {
    match matches.get_one::<String>("timeout").map(|t| t.parse::<f64>()) {
        None => Ok(None),
        Some(Ok(seconds)) if seconds > 0.0 && seconds < 1e9 => {
            Ok(Some(std::time::Duration::from_secs_f64(seconds)))
        }
        Some(_) => Err("--timeout takes a number of seconds".to_string()),
    }
}

/// `n=5`, `_n=5` or `n=5,size=10` as names and texts.
pub fn parameters(matches: &ArgMatches) -> Result<Vec<(String, String)>, String> {
    let words = matches.get_many::<String>("PARAMETERS").into_iter().flatten();
    let parts = words.flat_map(|w| w.split(',')).map(str::trim).filter(|w| !w.is_empty());
    parts
        .map(|part| match part.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_string(), value.trim().to_string())),
            None => Err(format!("a parameter is given as name=value, for instance n=5, not {part:?}")),
        })
        .collect()
}

/// Prints a completion script.
pub fn completions(matches: &ArgMatches, terminal: &Terminal) -> Exit {
    let name = matches.get_one::<String>("SHELL").map_or("", String::as_str);
    match name.parse::<clap_complete::Shell>() {
        Ok(shell) => {
            let mut script = vec![];
            clap_complete::generate(shell, &mut command(), "swarmcheck", &mut script);
            terminal.print(&String::from_utf8_lossy(&script))
        }
        Err(_) => terminal.usage(&format!(
            "there are completions for bash, zsh, fish, elvish and powershell, not {name:?}"
        )),
    }
}
