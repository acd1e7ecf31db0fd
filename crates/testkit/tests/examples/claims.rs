//! The claims of the examples' project files about LAbS models.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::lower::{self, Choice, Options};
use swarmcheck_labs::model::Model;
use swarmcheck_project::{FILE, rows};
use swarmcheck_testkit::read::read_with;

/// One claim of a project file.
#[derive(Clone)]
pub struct Claim {
    pub instance: Instance,
    pub options: String,
    pub property: String,
    pub verdict: String,
}

/// A file with values for its parameters, and how it is read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    pub path: PathBuf,
    pub parameters: String,
    pub fair: bool,
    pub early: bool,
    /// How many states it is said to have.
    pub states: Option<usize>,
}

impl Claim {
    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut words = self.options.split_whitespace().skip_while(|word| *word != name);
        words.next().map(|_| words.next().unwrap_or_default())
    }

    /// Whether it is about all executions of its instance: bounds and excuses are left to the engines.
    fn is_plain(&self) -> bool {
        ["", "--fair", "--choice early", "--fair --choice early"].contains(&self.options.as_str())
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Instance { path, parameters, .. } = &self.instance;
        let words = [&short(path), parameters, &self.options, &self.property];
        let words: Vec<&str> =
            words.into_iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        f.write_str(&words.join(" "))
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fair = if self.fair { " --fair" } else { "" };
        let early = if self.early { " --choice early" } else { "" };
        write!(f, "{} {}{fair}{early}", short(&self.path), self.parameters)
    }
}

/// The file below the folder of the examples.
fn short(path: &Path) -> String {
    path.strip_prefix(examples()).unwrap_or(path).display().to_string()
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

impl Instance {
    pub fn read(&self) -> Result<(String, Model), String> {
        let text = std::fs::read_to_string(&self.path).map_err(|e| e.to_string())?;
        let model = read_with(&text, &self.parameters)?;
        Ok((text, model))
    }

    pub fn reading(&self) -> Options {
        let choice = if self.early { Choice::Early } else { Choice::Late };
        Options { fair: self.fair, choice, ..Options::default() }
    }

    pub fn flat(&self) -> Result<Flat, String> {
        let (text, model) = self.read()?;
        let lowered = lower::lower(&model, &text, self.reading()).map_err(|d| d.message.clone())?;
        Ok(Flat::new(lowered.program))
    }
}

/// All claims, in order.
pub fn claims() -> Vec<Claim> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(examples()).unwrap().map(|folder| folder.unwrap().path()).collect();
    folders.sort();
    let mut out = vec![];
    for folder in folders {
        let Ok(text) = std::fs::read_to_string(folder.join(FILE)) else { continue };
        let rows = rows(&text).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for row in rows.into_iter().filter(|row| row.file.ends_with(".labs")) {
            let instance = Instance {
                path: folder.join(row.file),
                parameters: row.parameters,
                fair: row.options.split_whitespace().any(|word| word == "--fair"),
                early: row.options.contains("--choice early"),
                states: row.states.map(|states| states as usize),
            };
            let (options, property, verdict) = (row.options, row.property, row.verdict);
            out.push(Claim { instance, options, property, verdict });
        }
    }
    out
}

/// The plain claims about each instance. An instance has a size if one of them gives it, and none may give another.
pub fn by_instance(claims: &[Claim]) -> BTreeMap<Instance, Vec<Claim>> {
    let mut sizeless = BTreeMap::<Instance, Vec<Claim>>::new();
    for claim in claims.iter().filter(|claim| claim.is_plain()) {
        let instance = Instance { states: None, ..claim.instance.clone() };
        sizeless.entry(instance).or_default().push(claim.clone());
    }
    let sized = sizeless.into_iter().map(|(instance, claims)| {
        let mut sizes: Vec<usize> = claims.iter().filter_map(|claim| claim.instance.states).collect();
        sizes.dedup();
        assert!(sizes.len() < 2, "{instance} has {sizes:?} states");
        (Instance { states: sizes.first().copied(), ..instance }, claims)
    });
    sized.collect()
}
