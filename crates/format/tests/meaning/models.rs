//! Models to format: those of the project, and random ones.

use std::path::{Path, PathBuf};
use swarmcheck_format::Language;
use swarmcheck_source::token::Token;

pub struct Model {
    pub language: Language,
    pub text: String,
}

pub fn pieces(language: Language, text: &str) -> Vec<Token> {
    match language {
        Language::Labs => swarmcheck_labs::syntax::pieces(text),
        Language::Ccs => swarmcheck_ccs::syntax::pieces(text),
        Language::Chor => swarmcheck_chor::syntax::pieces(text),
        Language::Rcheck => swarmcheck_rcheck::syntax::pieces(text),
    }
}

fn language(extension: &str) -> Option<Language> {
    match extension {
        "labs" => Some(Language::Labs),
        "ccs" => Some(Language::Ccs),
        "chor" => Some(Language::Chor),
        "rcp" | "rcheck" => Some(Language::Rcheck),
        _ => None,
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files of a folder and those below; what tools have built is left out.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules" {
            files(&path, out);
        } else if path.is_file() {
            out.push(path);
        }
    }
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_string()
}

/// The files of `examples/`.
pub fn examples() -> Vec<(String, Model)> {
    let mut paths = vec![];
    files(&root().join("examples"), &mut paths);
    let model = |path: PathBuf| {
        let language = language(&extension(&path))?;
        let text = std::fs::read_to_string(&path).unwrap();
        Some((path.display().to_string(), Model { language, text }))
    };
    paths.into_iter().filter_map(model).collect()
}

/// All model files, and blocks of all documents.
pub fn written() -> Vec<Model> {
    let mut paths = vec![];
    files(&root(), &mut paths);
    let mut out = vec![];
    for path in paths {
        let extension = extension(&path);
        if let Some(language) = language(&extension) {
            out.extend(std::fs::read_to_string(&path).ok().map(|text| Model { language, text }));
        } else if extension == "md" {
            blocks(&std::fs::read_to_string(&path).unwrap(), &mut out);
        }
    }
    out
}

/// The blocks of a document that are models or parts of models.
fn blocks(document: &str, out: &mut Vec<Model>) {
    let mut block: Option<Model> = None;
    for line in document.lines() {
        match (line.trim_start().strip_prefix("```"), &mut block) {
            (Some(_), Some(_)) => out.extend(block.take()),
            (Some(info), None) => {
                let mut words = info.split_whitespace();
                let first = words.next().unwrap_or("");
                let file = words.find_map(|word| word.strip_prefix("file="));
                let named =
                    file.and_then(|name| name.rsplit_once('.')).and_then(|(_, ending)| language(ending));
                let language = named.or_else(|| language(first));
                block = language.map(|language| Model { language, text: String::new() });
            }
            (None, Some(model)) => model.text += &format!("{line}\n"),
            (None, None) => {}
        }
    }
}

/// A random model.
pub fn random(seed: u64) -> Model {
    let (language, text) = match seed % 8 {
        0 | 1 => (Language::Ccs, crate::terms::Random::new(seed).specification()),
        2 => {
            let body = crate::choreographies::Random::new(seed).chor(12);
            (Language::Chor, format!("choreography C = {body}; a@p\ncheck {{ P = a@p precedes m[p,q] }}\n"))
        }
        3 | 4 => {
            let mut random = crate::common::Random::new(seed);
            let script = random.script();
            (
                Language::Rcheck,
                format!("{script}SPEC F0: {}\nSPEC {}\n", random.formula(4), random.formula(3)),
            )
        }
        5 => (Language::Labs, crate::testkit::generate::messages(seed)),
        6 => (Language::Labs, crate::testkit::generate::arena(seed)),
        _ => (Language::Labs, crate::testkit::generate::system(seed)),
    };
    Model { language, text }
}
