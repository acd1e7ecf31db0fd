//! `verify --certificate FILE` and `--certificates DIR`: proofs are written to files. `certify DIR` finds them again.

use crate::exit::Exit;
use crate::output::Target;
use crate::shell::Shell;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use swarmcheck_session::certificate::FORMAT;
use swarmcheck_session::verify::Answered;
use swarmcheck_session::{Answer, words};

/// How the names of files in a directory of proofs end.
const ENDING: &str = ".certificate.json";
/// Names of properties are cut after so many characters: file systems allow 255 bytes, and ours are one byte each.
const LONGEST: usize = 100;

/// A directory for proofs.
pub struct ProofFolder {
    path: PathBuf,
}

impl ProofFolder {
    /// Makes the directory if it is not there, and looks whether files can be written there: that is better noticed before a long search.
    pub fn new(path: &str, shell: &Shell) -> Result<ProofFolder, Exit> {
        let folder = ProofFolder { path: PathBuf::from(path) };
        match std::fs::create_dir(&folder.path) {
            Err(_) if folder.path.is_dir() => {}
            Err(e) => return Err(shell.usage(&format!("cannot make the directory {path}: {e}"))),
            Ok(()) => {}
        }
        shell.target(&folder.path.join(ENDING).to_string_lossy())?;
        Ok(folder)
    }
}

/// Writes the proofs, where they are wanted: to one file, one per line, or to a file each. Says which properties have none.
pub fn write(
    answers: &[Answer],
    file: Option<&Target>,
    folder: Option<&ProofFolder>,
    complete: bool,
    shell: &Shell,
) -> Exit {
    if file.is_none() && folder.is_none() {
        return Exit::Fine;
    }
    let (mut text, mut exit, mut used) = (String::new(), Exit::Fine, BTreeSet::new());
    for answer in answers.iter().filter(|a| a.verdict() == Answered::Holds) {
        let Some(Ok(line)) = answer.certificate.as_ref().map(serde_json::to_string) else {
            shell.note(&format!("{}: no proof that can be checked again: {}", answer.name, why_not(answer)));
            continue;
        };
        let line = line + "\n";
        if let Some(folder) = folder {
            let path = folder.path.join(file_name(&answer.name, &mut used));
            exit = exit.and(replace(&path, line.as_bytes(), shell));
        }
        text += &line;
    }
    match file {
        Some(target) if complete || !text.is_empty() => exit.and(shell.store(target, text.as_bytes())),
        _ => exit,
    }
}

fn why_not(answer: &Answer) -> String {
    match &answer.uncertified {
        Some(why) => words::uncertified(why),
        None if answer.trace.is_some() => "the execution that was found shows it".to_string(),
        None => format!("{} gives none", answer.engine.as_deref().unwrap_or("the engine")),
    }
}

/// A name for the proof of a property that no other has in this run, whatever file systems make of capitals. Only letters, digits, `-` and `_` are
/// kept, so it leads to no other directory and is hidden nowhere.
fn file_name(property: &str, used: &mut BTreeSet<String>) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' };
    let plain: String = property.chars().take(LONGEST).map(safe).collect();
    let plain = match plain.trim_matches('_') {
        "" => "property",
        trimmed => trimmed,
    };
    let names = (1..).map(|n| if n == 1 { plain.to_string() } else { format!("{plain}-{n}") });
    let free = names.into_iter().find(|name| used.insert(name.to_ascii_lowercase()));
    free.unwrap_or_default() + ENDING
}

/// Writes a proof; in the place of another file only if that is one, too.
fn replace(path: &Path, bytes: &[u8], shell: &Shell) -> Exit {
    let shown = path.to_string_lossy();
    let is_free = match std::fs::symlink_metadata(path) {
        Err(e) => e.kind() == std::io::ErrorKind::NotFound,
        Ok(meta) => meta.is_file() && is_certificate(path),
    };
    if !is_free {
        return shell.failure(&format!("{shown} is not overwritten, because it is no certificate"));
    }
    match shell.target(&shown) {
        Ok(target) => shell.store(&target, bytes),
        Err(exit) => exit,
    }
}

/// Whether a file begins as certificates do, which are long. Fields have an order, and the format is the first.
fn is_certificate(path: &Path) -> bool {
    let mut start = vec![];
    let read = std::fs::File::open(path).and_then(|file| file.take(200).read_to_end(&mut start));
    let start: String = String::from_utf8_lossy(&start).split_whitespace().collect();
    read.is_ok() && start.starts_with(&format!("{{\"format\":\"{FORMAT}\""))
}

/// The proofs in a directory, in the order of their names; none if it is no directory.
pub fn listed(path: &str) -> Option<Vec<String>> {
    let entries = std::fs::read_dir(path).ok()?;
    let paths = entries.filter_map(|entry| entry.ok()).map(|entry| entry.path());
    let mut names: Vec<String> = paths.map(|path| path.to_string_lossy().to_string()).collect();
    names.retain(|name| name.ends_with(ENDING) && Path::new(name).is_file() && !is_hidden(name));
    names.sort();
    Some(names)
}

/// Files that are being written begin with a dot.
fn is_hidden(path: &str) -> bool {
    Path::new(path).file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe_and_different() {
        let mut used = BTreeSet::new();
        let mut name = |property: &str| file_name(property, &mut used);
        assert_eq!(name("Exclusion"), "Exclusion.certificate.json");
        assert_eq!(name("exclusion"), "exclusion-2.certificate.json");
        assert_eq!(name("(deadlock)"), "deadlock.certificate.json");
        assert_eq!(name("../../etc/passwd"), "etc_passwd.certificate.json");
        assert_eq!(name("\u{1b}[31m\0"), "31m.certificate.json");
        assert_eq!(name("…"), "property.certificate.json");
        assert_eq!(name(""), "property-2.certificate.json");
        assert!(name(&"é".repeat(5000)).len() < 120);
        assert!(name(&"x".repeat(5000)).len() < 120);
    }
}
