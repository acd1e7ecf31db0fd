//! A project file as a list of claims, each as the command line would be asked about it.

use crate::{DEADLOCK, Project, read};
use swarmcheck_source::{Severity, SourceFile, Span};

/// A claim: a question about a model, and its verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The model's file, relative to the folder of the project file.
    pub file: String,
    /// `n=3 size=2`.
    pub parameters: String,
    /// `--fair --steps 6`; with `--deadlock` where that is the question.
    pub options: String,
    /// The property's name, or [`DEADLOCK`].
    pub property: String,
    /// The expected verdict.
    pub verdict: String,
    /// How many reachable states the model has without reductions.
    pub states: Option<u64>,
    /// Where the claim comes from.
    pub source: Option<String>,
    /// It takes long.
    pub slow: bool,
    /// It is about every number of agents.
    pub is_open: bool,
    /// Where it stands.
    pub span: Span,
    /// The number of the model in the file.
    pub model: usize,
}

impl Row {
    /// File, parameters, options and property in one line.
    pub fn name(&self) -> String {
        let words = [&self.file, &self.parameters, &self.options, &self.property];
        let words: Vec<&str> =
            words.into_iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        words.join(" ")
    }
}

impl Project {
    /// All claims, in order.
    pub fn rows(&self) -> Vec<Row> {
        let mut out = vec![];
        for (number, model) in self.models.iter().enumerate() {
            for expected in &model.properties {
                let mut options = model.options_text();
                if expected.name.value == DEADLOCK {
                    options = format!("{options} --deadlock").trim_start().to_string();
                }
                out.push(Row {
                    file: model.file.value.clone(),
                    parameters: model.parameters_text(),
                    options,
                    property: expected.name.value.clone(),
                    verdict: expected.verdict.value.clone(),
                    states: model.states,
                    source: expected.source.clone(),
                    slow: model.slow,
                    is_open: model.is_open(),
                    span: expected.name.span,
                    model: number,
                });
            }
        }
        out
    }
}

/// The claims about instances of a file that is correct, without those about every number of agents; otherwise the first error with its line.
pub fn rows(text: &str) -> Result<Vec<Row>, String> {
    let (project, diagnostics) = read(text);
    match diagnostics.iter().find(|d| d.severity == Severity::Error) {
        Some(error) => {
            let (line, _) = SourceFile::new("", text).line_column(error.primary.span.start);
            Err(format!("line {line}: {}", error.message))
        }
        None => Ok(project.rows().into_iter().filter(|row| !row.is_open).collect()),
    }
}
