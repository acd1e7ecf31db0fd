//! `docs/command-line.md`, generated from the description of the command line.

use crate::arguments;
use clap::{Arg, Command};

/// The whole page.
pub fn manual() -> String {
    let mut out = String::from(
        "# The command line\n\n<!-- Generated from crates/cli/src/arguments; a test compares. -->\n\n\
         `swarmcheck COMMAND -h` prints one screen, `swarmcheck COMMAND --help` everything below.\n",
    );
    for command in arguments::command().get_subcommands().filter(|c| !c.is_hide_set()) {
        out += &section(command);
    }
    out
}

fn section(command: &Command) -> String {
    let name = command.get_name();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let places: Vec<String> = command.get_positionals().map(place).collect();
    let mut out = format!(
        "\n## swarmcheck {name}\n\n{about}.\n\n    swarmcheck {name} {} [OPTIONS]\n\n",
        places.join(" ")
    );
    for argument in command.get_positionals() {
        out += &format!("- `{}`: {}.{}\n", value(argument), help(argument), choices(argument));
    }
    let mut heading: Option<&str> = None;
    for option in command.get_opts().filter(|o| !o.is_hide_set() && o.get_id() != "help") {
        if option.get_help_heading() != heading {
            heading = option.get_help_heading();
            out += &format!("\n{}:\n\n", heading.unwrap_or("Options"));
        }
        out += &described(option);
    }
    if let Some(after) = command.get_after_long_help() {
        out += &format!("\n{}", examples(&after.to_string()));
    }
    out
}

fn place(argument: &Arg) -> String {
    let many = argument.get_num_args().is_some_and(|n| n.max_values() > 1);
    match (argument.is_required_set(), many) {
        (true, _) => value(argument),
        (_, true) => format!("[{}...]", value(argument)),
        _ => format!("[{}]", value(argument)),
    }
}

fn value(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// One paragraph, without the last full stop.
fn help(argument: &Arg) -> String {
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let paragraphs: Vec<&str> = help.split("\n\n").map(|p| p.trim().trim_end_matches('.')).collect();
    paragraphs.join(". ").replace('\n', " ")
}

fn choices(argument: &Arg) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let words: Vec<String> =
        argument.get_possible_values().iter().map(|v| v.get_name().to_string()).collect();
    let default: Vec<String> =
        argument.get_default_values().iter().map(|v| v.to_string_lossy().to_string()).collect();
    let mut out = String::new();
    if !words.is_empty() {
        out += &format!(" One of: {}.", words.join(", "));
    }
    if !default.is_empty() {
        out += &format!(" Default: {}.", default.join(", "));
    }
    out
}

fn described(option: &Arg) -> String {
    let short = option.get_short().map_or(String::new(), |c| format!("-{c}, "));
    let takes = option.get_action().takes_values();
    let value = if takes { format!(" {}", value(option)) } else { String::new() };
    let long = option.get_long().unwrap_or_default();
    format!("- `{short}--{long}{value}`: {}.{}\n", help(option), choices(option))
}

/// Pairs of lines become rows.
fn examples(text: &str) -> String {
    let mut out = String::from("| example | what it does |\n|---|---|\n");
    let lines: Vec<&str> = text.lines().skip(1).map(str::trim).filter(|line| !line.is_empty()).collect();
    for pair in lines.chunks(2) {
        if let [line, what] = pair {
            out += &format!("| `{line}` | {what} |\n");
        }
    }
    out
}
