//! `swarmcheck fmt`. Formatting takes a moment, so it needs no worker. A file that has errors of syntax stays as it is: it is
//! likely to be in the middle of a change.

mod diff;
mod find;

use crate::arguments::{FmtArguments, LimitArguments};
use crate::exit::Exit;
use crate::inputs;
use crate::shell::Shell;
use crate::terminal::Said;
use find::find;
use swarmcheck_session::format::{Formatting, format};
use swarmcheck_session::languages::by_extension;
use swarmcheck_session::open::decode;
use swarmcheck_session::request::Source;
use swarmcheck_session::words;
use swarmcheck_source::{SourceFile, data, shown};

/// Standard input as a file.
const INPUT: &str = "-";

/// What was found in all files.
#[derive(Default)]
struct Count {
    changed: usize,
    unchanged: usize,
    wrong: usize,
    unwritten: usize,
}

/// Formats models.
pub fn run(arguments: &FmtArguments, shell: &Shell) -> Exit {
    let paths: Vec<&str> = match arguments.paths.as_slice() {
        [] => vec!["."],
        paths => paths.iter().map(String::as_str).collect(),
    };
    if paths.contains(&INPUT) && paths.len() > 1 {
        return shell.usage("'-' is standard input, and no other file can be formatted together with it");
    }
    let files = match find(&paths) {
        Ok(files) => files,
        Err(text) => return shell.usage(&text),
    };
    if files.is_empty() {
        shell.note("no model: names of models end in .labs, .rcp, .ccs or .chor");
    }
    let (mut exit, mut count) = (Exit::Fine, Count::default());
    for path in &files {
        if shell.interrupted() {
            shell.failure("interrupted");
            return exit.and(Exit::Interrupted);
        }
        let one = match formatted(path, arguments, shell) {
            Ok((source, formatting)) => used(path, &source, &formatting, arguments, shell, &mut count),
            Err(Exit::Model) => {
                count.wrong += 1;
                Exit::Model
            }
            Err(exit) => exit,
        };
        exit = exit.and(one);
    }
    if paths != [INPUT] && !files.is_empty() {
        shell.note(&summary(&count, arguments));
    }
    exit
}

/// What formatting makes of a file, if its syntax is right; otherwise everything has been said.
fn formatted(path: &str, arguments: &FmtArguments, shell: &Shell) -> Result<(Source, Formatting), Exit> {
    let language = arguments.language.word();
    let name = if path == INPUT { "standard input" } else { path };
    let bytes = inputs::bytes(path, &LimitArguments::default(), shell)?;
    if language.is_none() && by_extension(path).is_none() {
        shell.guess(name);
    }
    let (file, broken) = decode(name, &bytes);
    if let Some(broken) = broken {
        shell.diagnostics(&file, &[data::diagnostic(&file, &broken)]);
        return Err(Exit::Model);
    }
    // The byte order mark that `decode` takes away belongs to the file.
    let text = String::from_utf8(bytes).unwrap_or_default();
    let source = Source { name: name.to_string(), text, language };
    let formatting = format(&source, None).map_err(|refusal| shell.refused(&refusal))?;
    if !formatting.errors.is_empty() {
        let file = SourceFile::new(name, file.text());
        shell.diagnostics(&file, &formatting.errors);
        let errors = words::count(formatting.errors.len(), "error");
        shell.note(&format!("{} has {errors} of syntax and is left as it is", shown::line(name)));
        shell.perhaps_another_language();
        return Err(Exit::Model);
    }
    Ok((source, formatting))
}

/// Does with the result what the user wants.
fn used(
    path: &str,
    source: &Source,
    formatting: &Formatting,
    arguments: &FmtArguments,
    shell: &Shell,
    count: &mut Count,
) -> Exit {
    let changes = !formatting.edits.is_empty();
    count.changed += usize::from(changes);
    count.unchanged += usize::from(!changes);
    let found = if arguments.check && changes { Exit::Violated } else { Exit::Fine };
    if arguments.diff {
        return found.and(shell.print_as(&diff::unified(source, &formatting.edits), Said::Data));
    }
    match (changes, arguments.check, path == INPUT) {
        (true, true, _) => found.and(shell.print(&format!("{}\n", shown::line(&source.name)))),
        (_, true, _) => found,
        (_, false, true) => shell.print_as(&formatting.text, Said::Data),
        (false, false, false) => Exit::Fine,
        (true, false, false) => {
            let exit = match shell.target(path) {
                Ok(target) => shell.store(&target, formatting.text.as_bytes()),
                Err(exit) => exit,
            };
            if exit != Exit::Fine {
                (count.changed, count.unwritten) = (count.changed - 1, count.unwritten + 1);
            }
            exit
        }
    }
}

fn summary(count: &Count, arguments: &FmtArguments) -> String {
    let unchanged = count.unchanged;
    let found = match (arguments.check || arguments.diff, count.changed) {
        (true, 1) => format!("1 file is not formatted, {unchanged} formatted"),
        (true, number) => format!("{number} files are not formatted, {unchanged} formatted"),
        (false, number) => format!("{} changed, {unchanged} unchanged", words::count(number, "file")),
    };
    let others = [(count.wrong, "with errors"), (count.unwritten, "not written")];
    let others = others.iter().filter(|(number, _)| *number > 0);
    others.fold(found, |said, (number, what)| format!("{said}, {number} {what}"))
}
