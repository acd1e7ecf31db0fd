//! `swarmcheck lsp`: serves an editor, and opens the files that it needs.

use crate::exit::Exit;
use crate::reading::{read_as, verify_options};
use crate::shell::Shell;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use swarmcheck_lsp::{End, Files, ProjectModel};
use swarmcheck_project::{FILE, Model};
use swarmcheck_session::languages::by_extension;
use swarmcheck_session::request::Source;
use swarmcheck_worker::Workplace;

/// How many files of a folder are searched for names, and how large each may be.
const MOST_FILES: usize = 500;
const MOST_BYTES: u64 = 1 << 20;
/// Folders deeper than this are not looked at.
const DEEPEST: usize = 8;

/// Serves until the editor leaves.
pub fn run(shell: &Shell) -> Exit {
    if std::io::stdin().is_terminal() {
        return shell.usage(
            "the language server is started by an editor, and talks to it on standard input and output: docs/editors.md says how",
        );
    }
    let (connection, threads) = lsp_server::Connection::stdio();
    let files = Arc::new(Disk::default());
    let end = swarmcheck_lsp::serve(connection, env!("CARGO_PKG_VERSION"), files, &|| shell.interrupted());
    match end {
        End::Shutdown => {
            // What was said last is still to be written.
            let _ = threads.join();
            Exit::Fine
        }
        // The editor is gone: nobody reads the rest.
        End::Deserted => Exit::Failure,
        End::Interrupted => Exit::Interrupted,
    }
}

/// The files of this machine.
#[derive(Default)]
struct Disk {
    /// A folder for what is shown, once there is something.
    workplace: Mutex<Option<Workplace>>,
}

impl Files for Disk {
    fn project(&self, path: &str) -> Option<ProjectModel> {
        let path = Path::new(path);
        let name = path.file_name()?.to_str()?;
        // The project file beside the model, or one further up that names it.
        for folder in path.ancestors().skip(1).take(DEEPEST) {
            let Ok(text) = std::fs::read_to_string(folder.join(FILE)) else { continue };
            let (project, _) = swarmcheck_project::read(&text);
            let is_it = |file: &str| {
                Path::new(file).file_name().is_some_and(|last| last == name) && folder.join(file) == path
            };
            let mut models = project.models.iter().filter(|model| is_it(&model.file.value));
            let Some(first) = models.next() else { continue };
            // Those that are quick are better for trying, and only instances can be run.
            let fits = |model: &&Model| !model.slow && !model.is_open();
            let model = if fits(&first) { first } else { models.find(fits).unwrap_or(first) };
            let source = Source { name: String::new(), text: String::new(), language: None };
            return Some(ProjectModel { model: read_as(model, source), options: verify_options(model) });
        }
        None
    }

    fn keep(&self, name: &str, text: &str) -> Result<String, String> {
        let mut workplace = self.workplace.lock().unwrap_or_else(PoisonError::into_inner);
        let workplace = match &mut *workplace {
            Some(workplace) => workplace,
            none => none.insert(Workplace::new()?),
        };
        let path = workplace.path().join(name);
        std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        Ok(path.display().to_string())
    }

    fn models(&self, folder: &str) -> Vec<(String, String)> {
        let mut paths = vec![];
        collect(Path::new(folder), 0, &mut paths);
        let text = |path: PathBuf| Some((path.to_str()?.to_string(), std::fs::read_to_string(&path).ok()?));
        paths.into_iter().filter_map(text).collect()
    }
}

/// The models below a folder, in the order of their names. Hidden folders and those of builds are left out.
fn collect(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(".");
        if found.len() >= MOST_FILES || name.starts_with('.') || ["target", "node_modules"].contains(&name) {
            continue;
        }
        let Ok(metadata) = std::fs::symlink_metadata(&path) else { continue };
        if metadata.is_dir() && depth < DEEPEST {
            collect(&path, depth + 1, found);
        } else if metadata.is_file() && metadata.len() <= MOST_BYTES && by_extension(name).is_some() {
            found.push(path);
        }
    }
}
