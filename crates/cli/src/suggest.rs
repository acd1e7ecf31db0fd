//! Command lines that make no sense, but whose author is likely to mean something: a file without a command, the command of
//! another tool, `help --help`.

use clap::CommandFactory;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use swarmcheck_session::languages::by_extension;

/// What other tools call our commands.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("simulate", &["run", "sim", "exec", "execute", "walk", "play", "step"]),
    ("verify", &["prove", "decide", "solve", "mc", "modelcheck", "model-check", "ic3", "bmc"]),
    ("estimate", &["smc", "probability", "prob", "expect"]),
    ("check", &["lint", "parse", "typecheck", "validate"]),
    ("fmt", &["format", "indent", "pretty", "prettier", "beautify", "tidy"]),
    ("show", &["print", "view", "dump", "cat"]),
    ("export", &["translate", "convert", "compile", "encode"]),
    ("compare", &["diff", "bisim", "equivalence"]),
    ("lts", &["graph", "explore", "states"]),
    ("new", &["init", "create"]),
    ("examples", &["example", "demo", "demos", "samples"]),
    ("test", &["tests", "suite", "ci"]),
];

/// The arguments, with what `help` needs not be asked for left out: `help --help` is `help help`.
pub fn arguments(mut words: Vec<std::ffi::OsString>) -> Vec<std::ffi::OsString> {
    if words.get(1).is_some_and(|word| word == "help") {
        words.retain(|word| word != "--help" && word != "-h");
    }
    words
}

/// A better message than the one of the parser, if there is one.
pub fn instead(error: &clap::Error) -> Option<String> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let path = word.split(':').next().unwrap_or(word);
    if by_extension(path).is_some() || std::path::Path::new(path).is_file() {
        return Some(for_a_file(word));
    }
    let known = SYNONYMS.iter().find(|(_, words)| words.contains(&word.to_ascii_lowercase().as_str()));
    let (command, _) = known?;
    let about = about(command);
    Some(format!(
        "error: there is no command '{word}'\n\n  swarmcheck {command}: {about}\n\nTry 'swarmcheck {command} --help'.\n"
    ))
}

/// What one can do with a model.
fn for_a_file(file: &str) -> String {
    let lines = ["check", "simulate", "verify", "show"].map(|command| {
        let line = format!("swarmcheck {command} {file}");
        format!("  {line}\n      {}\n", about(command))
    });
    let lines = lines.concat();
    format!("error: a command comes before the file:\n\n{lines}\nTry 'swarmcheck --help'.\n")
}

/// What the help says about a command, as the end of a sentence.
fn about(command: &str) -> String {
    let line = crate::arguments::CommandLine::command();
    let about = line.find_subcommand(command).and_then(|c| c.get_about()).map(ToString::to_string);
    let about = about.unwrap_or_default();
    let mut letters = about.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::CommandLine;

    /// Every word leads to a command that exists, and is none itself.
    #[test]
    fn synonyms_stand_for_commands() {
        let line = CommandLine::command();
        for (command, words) in SYNONYMS {
            assert!(line.find_subcommand(command).is_some(), "{command}");
            for word in *words {
                assert!(line.find_subcommand(word).is_none(), "{word}");
            }
        }
    }
}
