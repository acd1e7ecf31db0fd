//! What the page is told first: files, examples, limits, and the words of options.

use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use swarmcheck_session::compare::Alike;
use swarmcheck_session::export::targets;
use swarmcheck_session::languages::LANGUAGES;
use swarmcheck_session::lts::{LtsFormat, Minimise};
use swarmcheck_session::request::{ChoiceWord, PrecedenceWord, SemanticsWord};
use swarmcheck_session::show::Shape;
use swarmcheck_session::verify::ENGINES;

/// A file that the page opens.
#[derive(Clone, Debug, Serialize)]
pub struct OpenFile {
    /// As it was given.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// An example that comes with the program.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// Its folder.
    pub name: String,
    /// What it is.
    pub sentence: String,
    /// The word of its language.
    pub language: String,
    /// The name of the model's file.
    pub file: String,
    /// What is in that file.
    pub text: String,
    /// Values of parameters with which it is decided soon.
    pub parameters: Map<String, Json>,
    /// Agents take turns.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fair: bool,
    /// A drawing in SVG.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
}

/// The words that requests take, from the tables of the library. `traces` are the formats of traces.
pub(crate) fn options(traces: &[String]) -> Json {
    let engines: Vec<&str> = std::iter::once("auto").chain(ENGINES.iter().map(|entry| entry.name)).collect();
    let targets: Vec<Json> =
        targets().into_iter().map(|(name, about)| json!({ "name": name, "about": about })).collect();
    let languages: Vec<Json> = LANGUAGES
        .iter()
        .map(|language| {
            json!({
                "language": language.word, "name": language.name, "extension": language.extension,
                "parameters": language.has_parameters, "variants": language.has_variants,
                "readings": language.has_readings,
            })
        })
        .collect();
    json!({
        "languages": languages,
        "engines": engines,
        "targets": targets,
        "shapes": Shape::TABLE.iter().map(|(shape, _)| json!(shape)).collect::<Vec<_>>(),
        "lts": { "formats": [LtsFormat::Aut, LtsFormat::Dot],
            "minimise": [Minimise::Strong, Minimise::Branching, Minimise::Divbranching] },
        "relations": [Alike::Strong, Alike::Branching, Alike::Weak, Alike::Trace],
        "traces": traces,
        "semantics": [SemanticsWord::Sliver, SemanticsWord::Paper],
        "choice": [ChoiceWord::Late, ChoiceWord::Early],
        "precedence": [PrecedenceWord::Conventional, PrecedenceWord::Rcheck],
    })
}
