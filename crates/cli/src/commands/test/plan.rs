//! What there is to do: project files are found and read, and their claims become cases.

use crate::arguments::TestArguments;
use crate::exit::Exit;
use crate::shell::Shell;
use std::path::{Path, PathBuf};
use swarmcheck_project::{FILE, Model, Project, Row, codes, read};
use swarmcheck_session::verify::{Decider, ENGINES};
use swarmcheck_source::data::{self, DiagnosticData};
use swarmcheck_source::suggest::nearest;
use swarmcheck_source::{Diagnostic, SourceFile, shown};

/// A project file.
pub struct Suite {
    pub file: SourceFile,
    /// Where its models are.
    pub folder: PathBuf,
    pub project: Project,
}

/// One claim of a project file.
pub struct Case {
    pub suite: usize,
    pub row: Row,
    /// File, parameters, options and property.
    pub name: String,
    /// It takes long, and nobody has asked for it.
    pub left_out: bool,
}

/// Everything that was found.
#[derive(Default)]
pub struct Plan {
    pub suites: Vec<Suite>,
    pub cases: Vec<Case>,
    /// What is wrong with project files.
    pub wrong: Vec<(SourceFile, DiagnosticData)>,
}

impl Plan {
    pub fn suite(&self, case: &Case) -> &Suite {
        &self.suites[case.suite]
    }

    pub fn model(&self, case: &Case) -> &Model {
        &self.suite(case).project.models[case.row.model]
    }

    /// Cases about the same model, read the same way: one worker decides them.
    pub fn jobs(&self) -> Vec<Vec<usize>> {
        let mut out: Vec<Vec<usize>> = vec![];
        let key = |number: usize| (self.cases[number].suite, self.cases[number].row.model);
        for (number, _) in self.cases.iter().enumerate().filter(|(_, case)| !case.left_out) {
            match out.last_mut().filter(|job| key(job[0]) == key(number)) {
                Some(job) => job.push(number),
                None => out.push(vec![number]),
            }
        }
        out
    }
}

/// Finds and reads the project files that an argument means.
pub fn plan(arguments: &TestArguments, shell: &Shell) -> Result<Plan, Exit> {
    let path = Path::new(&arguments.path);
    let mut paths = vec![];
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => search(path, &mut paths).map_err(|why| shell.usage(&why))?,
        Ok(_) => paths.push(path.to_path_buf()),
        Err(e) => return Err(shell.usage(&no_such_path(arguments, &e))),
    }
    if paths.is_empty() {
        let text =
            format!("there is no {FILE} in {} or below: 'swarmcheck new NAME' starts one", arguments.path);
        return Err(shell.usage(&text));
    }
    let mut plan = Plan::default();
    for path in paths {
        let bytes = std::fs::read(&path);
        let bytes = bytes.map_err(|e| {
            shell.usage(&format!("cannot read {}: {e}", shown::line(&path.to_string_lossy())))
        })?;
        let name = displayed(&path);
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| shell.usage(&format!("{name} is not UTF-8 text")))?;
        plan.take(SourceFile::new(name, text), path.parent().unwrap_or(Path::new("")));
    }
    if !arguments.slow {
        plan.cases.iter_mut().for_each(|case| case.left_out = case.row.slow);
    }
    plan.cases.retain(|case| arguments.filter.iter().all(|word| case.name.contains(word.as_str())));
    if plan.cases.is_empty() && plan.wrong.is_empty() {
        let words = arguments.filter.join(" ");
        let text = match words.is_empty() {
            true => format!("{} has no claims: add a [[model]] with properties", arguments.path),
            false => format!("no claim in {} has {words:?} in its name: --list lists them", arguments.path),
        };
        return Err(shell.usage(&text));
    }
    Ok(plan)
}

/// Who gives a word where the path should be wants to filter.
fn no_such_path(arguments: &TestArguments, e: &std::io::Error) -> String {
    let path = &arguments.path;
    let mut text = format!("cannot read {path}: {e}");
    if !path.contains(['/', '.']) && arguments.filter.is_empty() {
        text += &format!(": the path comes before words to look for, as in 'swarmcheck test . {path}'");
    }
    text
}

/// A path without what every path may begin with.
fn displayed(path: &Path) -> String {
    let text = path.display().to_string();
    text.strip_prefix("./").map_or(text.clone(), str::to_string)
}

/// Project files in a folder and below, in order. Folders that are hidden, and what tools have built, are left alone.
/// One that cannot be read is an error: claims must not vanish.
fn search(folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let cannot = |e: std::io::Error| format!("cannot read {}: {e}", shown::line(&folder.to_string_lossy()));
    let entries = std::fs::read_dir(folder).map_err(cannot)?;
    let paths: Result<Vec<PathBuf>, _> = entries.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = paths.map_err(cannot)?;
    paths.sort();
    let own = folder.join(FILE);
    if std::fs::symlink_metadata(&own).is_ok_and(|meta| !meta.is_dir()) {
        out.push(own);
    }
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        let skipped = name.starts_with('.') || ["target", "node_modules"].contains(&name.as_str());
        // A link may lead back to where it is.
        let is_folder = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir());
        if is_folder && !skipped {
            search(&path, out)?;
        }
    }
    Ok(())
}

impl Plan {
    fn take(&mut self, file: SourceFile, folder: &Path) {
        let (project, found) = read(file.text());
        let mut wrong = found.into_sorted();
        wrong.extend(project.models.iter().filter_map(no_such_engine));
        self.wrong.extend(wrong.iter().map(|d| (file.clone(), data::diagnostic(&file, d))));
        // Claims of a file with errors may not be what they seem to be.
        if !wrong.is_empty() {
            return;
        }
        let suite = self.suites.len();
        for row in project.rows() {
            let name = format!("{}{}", prefix(folder), row.name());
            self.cases.push(Case { suite, row, name, left_out: false });
        }
        self.suites.push(Suite { file, folder: folder.to_path_buf(), project });
    }
}

/// What stands before the files of a folder.
pub fn prefix(folder: &Path) -> String {
    match displayed(&folder.join("")).as_str() {
        "." | "./" | "" => String::new(),
        text => text.to_string(),
    }
}

fn no_such_engine(model: &Model) -> Option<Diagnostic> {
    let engine = model.engine.as_ref().filter(|engine| Decider::named(&engine.value).is_none())?;
    let message = format!("there is no engine `{}`", engine.value);
    let names: Vec<&str> = std::iter::once("auto").chain(ENGINES.iter().map(|entry| entry.name)).collect();
    let help = match nearest(&engine.value, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("engines are: {}", names.join(", ")),
    };
    Some(Diagnostic::error(codes::WORD, engine.span, message).help(help))
}
