//! `swarmcheck examples`: the examples that the program carries along.

use crate::arguments::ExamplesArguments;
use crate::commands::create::create;
use crate::exit::Exit;
use crate::shell::Shell;
use std::path::Path;
use swarmcheck_source::suggest::nearest;

/// Every file of every example, by its path below `examples`.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// The page that has a line about each.
const INDEX: &str = include_str!("../../../../examples/README.md");

/// An example: its folder, and what it is in a few words.
pub struct Example {
    pub name: &'static str,
    pub about: String,
}

/// All of them, in the order of the page.
pub fn all() -> Vec<Example> {
    let rows = INDEX.lines().filter_map(|line| line.strip_prefix("| ["));
    let one = |row: &'static str| {
        let name = row.split(']').next()?;
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let about = format!("{}; shows {}", cells.get(1)?, cells.get(3)?.replace('`', ""));
        Some(Example { name, about })
    };
    rows.filter_map(one).collect()
}

/// The files of an example, with their names in its folder.
pub fn files(example: &str) -> Vec<(&'static str, &'static str)> {
    let inside = |path: &'static str| path.strip_prefix(example)?.strip_prefix('/');
    FILES.iter().filter_map(|(path, text)| Some((inside(path)?, *text))).collect()
}

/// Lists examples, or copies one.
pub fn run(arguments: &ExamplesArguments, shell: &Shell) -> Exit {
    let Some(name) = &arguments.name else { return list(shell) };
    let mut files = files(name);
    // The picture is for the gallery of the workbench.
    files.retain(|(file, _)| !file.ends_with(".svg"));
    if files.is_empty() {
        let examples = all();
        let near = nearest(name, examples.iter().map(|example| example.name));
        let help = near
            .map_or("'swarmcheck examples' lists them".to_string(), |near| format!("did you mean {near}?"));
        return shell.usage(&format!("there is no example {name}: {help}"));
    }
    let folder = arguments.directory.as_deref().unwrap_or(name);
    match create(Path::new(folder), &files) {
        Ok(()) => {
            let test = format!("swarmcheck test {folder}");
            shell.print(&format!("{folder}: {}\nnext: {test}\n", names(&files)))
        }
        Err(why) => shell.usage(&why),
    }
}

/// What was written.
pub fn names(files: &[(&str, &str)]) -> String {
    files.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn list(shell: &Shell) -> Exit {
    let examples = all();
    let width = examples.iter().map(|example| example.name.len()).max().unwrap_or(0);
    let lines: String =
        examples.iter().map(|example| format!("{:width$}  {}\n", example.name, example.about)).collect();
    let printed = shell.print(&lines);
    shell.note("'swarmcheck examples NAME' copies one");
    printed
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The page and the folders are the same examples, and each has a project file and a model.
    #[test]
    fn every_example_has_a_line() {
        let folders: BTreeSet<&str> = FILES.iter().filter_map(|(path, _)| path.split('/').next()).collect();
        let listed: BTreeSet<&str> = all().iter().map(|example| example.name).collect();
        assert_eq!(folders, listed);
        assert!(folders.len() >= 25, "{folders:?}");
        for folder in folders {
            let has = |wanted: &dyn Fn(&str) -> bool| {
                FILES.iter().any(|(path, _)| path.strip_prefix(folder).is_some_and(wanted))
            };
            assert!(has(&|name| name == "/swarmcheck.toml"), "{folder}");
            assert!(has(&|name| !name.ends_with(".toml") && !name.ends_with(".md")), "{folder}");
        }
    }
}
