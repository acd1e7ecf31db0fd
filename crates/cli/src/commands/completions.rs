//! Completion scripts for shells. clap writes them; what follows `--property` is asked of the program, because it stands in the
//! model.

use crate::arguments::{CompletionArguments, command};
use crate::exit::Exit;
use crate::shell::Shell;
use crate::terminal::Said;
use clap_complete::Shell as ShellWord;
use std::io::Read;
use swarmcheck_session::languages::{LanguageWord, by_extension};
use swarmcheck_session::names::property_names;
use swarmcheck_session::specification::split_name;

/// Prints a completion script.
pub fn script(arguments: &CompletionArguments, shell: &Shell) -> Exit {
    let mut script = vec![];
    clap_complete::generate(arguments.shell, &mut command(), "swarmcheck", &mut script);
    shell.print_as(&with_properties(arguments.shell, &String::from_utf8_lossy(&script)), Said::Data)
}

/// Lets the script ask for the properties of the file on the command line.
fn with_properties(shell: ShellWord, script: &str) -> String {
    const ASK: &str = "swarmcheck __complete";
    match shell {
        ShellWord::Bash => {
            let asked = format!(
                "COMPREPLY=($(compgen -W \"$({ASK} \"${{COMP_WORDS[@]}}\" 2>/dev/null)\" -- \"${{cur}}\"))"
            );
            let mut after_property = false;
            let line = |line: &str| {
                let wanted = after_property && line.trim_start().starts_with("COMPREPLY=");
                after_property = ["--property)", "-p)"].contains(&line.trim());
                match wanted {
                    true => line.split("COMPREPLY").next().unwrap_or_default().to_string() + &asked,
                    false => line.to_string(),
                }
            };
            script.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
        }
        ShellWord::Zsh => {
            let function = format!(
                "_swarmcheck_properties() {{\n    local -a names\n    names=(${{(f)\"$({ASK} ${{words[@]}} 2>/dev/null)\"}})\n    \
                 compadd -a names\n}}\n\n"
            );
            let lines =
                script.lines().map(|line| match line.contains("--property=[") || line.contains("-p+[") {
                    true => line.replace(":NAME:_default'", ":NAME:_swarmcheck_properties'"),
                    false => line.to_string(),
                });
            // The first line says what the file is for, so it stays the first.
            let text = lines.collect::<Vec<_>>().join("\n") + "\n";
            text.replacen("autoload -U is-at-least\n", &format!("autoload -U is-at-least\n\n{function}"), 1)
        }
        ShellWord::Fish => {
            let lines = script.lines().map(|line| match line.contains(" -s p -l property ") {
                true => format!("{line} -f -a '({ASK} (commandline -opc) 2>/dev/null)'"),
                false => line.to_string(),
            });
            lines.collect::<Vec<_>>().join("\n") + "\n"
        }
        _ => script.to_string(),
    }
}

/// A larger file takes longer than somebody waits for a completion.
const MOST: u64 = 1 << 20;

/// Prints the names of the properties of the file on a command line; nothing if something is wrong.
pub fn complete(words: &[String], shell: &Shell) -> Exit {
    let named = words.iter().zip(words.iter().skip(1)).find(|(option, _)| *option == "--language");
    let named = named.and_then(|(_, word)| language(word));
    for word in words.iter().skip(1) {
        let path = split_name(word, named).0;
        let known = by_extension(path).is_some() || named.is_some();
        let Ok(file) = std::fs::File::open(path) else { continue };
        let mut text = String::new();
        let fits = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= MOST);
        if known && fits && file.take(MOST).read_to_string(&mut text).is_ok() {
            // Bash expands the words that it is offered, so one with a command in it would be obeyed.
            let plain = |name: &String| name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
            let names = property_names(word, &text, named).into_iter().filter(plain);
            let names: String = names.map(|name| format!("{name}\n")).collect();
            return shell.print(&names);
        }
    }
    Exit::Fine
}

fn language(word: &str) -> Option<LanguageWord> {
    use clap::ValueEnum;
    crate::arguments::LanguageOf::from_str(word, false).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// clap's scripts may change their form: each must still have the place where properties are asked for, twice or more, for
    /// `verify` and for `export`.
    #[test]
    fn every_script_asks_for_properties() {
        for shell in [ShellWord::Bash, ShellWord::Zsh, ShellWord::Fish] {
            let mut script = vec![];
            clap_complete::generate(shell, &mut command(), "swarmcheck", &mut script);
            let script = with_properties(shell, &String::from_utf8_lossy(&script));
            let asks = match shell {
                ShellWord::Zsh => script.matches(":NAME:_swarmcheck_properties'").count(),
                _ => script.matches("swarmcheck __complete").count(),
            };
            assert!(asks >= 2, "{shell}: {asks}");
            assert!(script.contains("swarmcheck __complete"), "{shell}");
        }
    }
}
