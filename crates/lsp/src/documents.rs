//! Open documents, and what is known about them.

use crate::lenses::Verdict;
use crate::settings::{ProjectModel, Settings, bare, plain, unread};
use crate::text::{Encoding, Range, Text};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use swarmcheck_session::languages::{LanguageWord, by_extension};
use swarmcheck_session::outline::Outline;
use swarmcheck_session::request::ModelRequest;
use swarmcheck_session::verify::VerifyOptions;
use swarmcheck_source::Severity;
use swarmcheck_source::data::DiagnosticData;

/// An open document.
pub(crate) struct Document {
    pub uri: String,
    pub language: LanguageWord,
    pub version: i64,
    /// A number of the server for this text and how it is read. Versions of clients begin anew when a document is opened again.
    pub generation: u64,
    pub text: Text,
    /// The generation whose facts take too long.
    pub slow_facts: Option<u64>,
    /// The generation whose diagnostics were asked for and have not come.
    pub checking: Option<u64>,
    /// What was found, and of which version.
    pub checked: Option<CheckedText>,
    /// How the project reads it.
    pub project: Option<ProjectModel>,
    /// Values of parameters that somebody has set in this session.
    pub chosen: BTreeMap<String, String>,
    /// What was found out about properties.
    pub verdicts: BTreeMap<String, Verdict>,
}

/// What a verdict is about: a text, how it is read, and how it is verified.
#[derive(Clone, PartialEq)]
pub(crate) struct Question {
    pub model: ModelRequest,
    options: Json,
}

/// What checking has found.
pub(crate) struct CheckedText {
    pub generation: u64,
    pub diagnostics: Vec<DiagnosticData>,
    pub outline: Option<Outline>,
    pub assumed: Vec<(String, i64)>,
}

impl CheckedText {
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }
}

impl Document {
    pub fn new(uri: &str, language: LanguageWord, version: i64, text: String) -> Document {
        Document {
            uri: uri.to_string(),
            language,
            version,
            generation: 0,
            text: Text::new(text),
            slow_facts: None,
            checking: None,
            checked: None,
            project: None,
            chosen: BTreeMap::new(),
            verdicts: BTreeMap::new(),
        }
    }

    /// What was found, if it is about the present text.
    pub fn current(&self) -> Option<&CheckedText> {
        self.checked.as_ref().filter(|checked| checked.generation == self.generation)
    }

    /// The last part of its address.
    pub fn name(&self) -> String {
        file_name(&self.uri)
    }

    /// The model as it is to be read.
    pub fn model(&self, settings: &Settings) -> ModelRequest {
        let mut model = self.project.as_ref().map_or_else(|| unread(""), |project| project.model.clone());
        model.source.name = self.name();
        model.source.text = self.text.as_str().to_string();
        model.source.language = Some(self.language);
        // What is said later counts. Parameters that the model does not have are passed over in an editor.
        let mut values: BTreeMap<String, String> = settings.values().into_iter().collect();
        values.extend(model.parameters.drain(..).map(|(name, value)| (bare(&name), value)));
        values.extend(self.chosen.clone());
        model.parameters = values.into_iter().collect();
        model
    }

    /// The names of its parameters, as far as they are known.
    fn parameters(&self) -> Vec<String> {
        let outline = self.checked.as_ref().and_then(|checked| checked.outline.as_ref());
        outline.map_or(vec![], |outline| outline.parameters.iter().map(|p| p.name.clone()).collect())
    }

    /// The same with values for all parameters: those that were tried count where nobody has said one. Which parameters there are is
    /// known once the document was checked.
    pub fn model_to_run(&self, settings: &Settings) -> ModelRequest {
        let mut model = self.model(settings);
        if self.checked.is_some() {
            let known = self.parameters();
            model.parameters.retain(|(name, _)| known.contains(name));
        }
        let assumed = self.checked.iter().flat_map(|checked| &checked.assumed);
        for (name, value) in assumed {
            if !model.parameters.iter().any(|(known, _)| known == name) {
                model.parameters.push((name.clone(), value.to_string()));
            }
        }
        model
    }

    /// What is asked when it is verified now.
    pub fn question(&self, settings: &Settings) -> Question {
        Question { model: self.model_to_run(settings), options: json!(self.options()) }
    }

    /// How it is verified.
    pub fn options(&self) -> VerifyOptions {
        self.project.as_ref().map_or_else(VerifyOptions::default, |project| project.options.clone())
    }

    /// Sets values of parameters.
    pub fn choose(&mut self, values: &Map<String, Json>) {
        for (name, value) in values {
            // An empty answer takes a value back.
            match plain(value).trim() {
                "" | "null" => self.chosen.remove(&bare(name)),
                value => self.chosen.insert(bare(name), value.to_string()),
            };
        }
    }

    /// Where a property stands, as far as that is known.
    pub fn property(&self, name: &str, encoding: Encoding) -> Option<Range> {
        let outline = self.current()?.outline.as_ref()?;
        let property = outline.properties.iter().find(|property| property.name == name)?;
        Some(self.text.range((property.place.start, property.place.end), encoding))
    }
}

/// The last part of an address, decoded.
pub(crate) fn file_name(uri: &str) -> String {
    let last = uri.rsplit('/').next().unwrap_or(uri);
    decode(last)
}

/// The path of a `file:` address.
pub(crate) fn path(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("file://")?;
    // A host is not for us, unless it is this one.
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = rest.starts_with('/').then(|| decode(rest))?;
    // `/C:/models` is `C:/models` where drives have letters.
    let drive = path.as_bytes().get(1..3);
    let is_drive = drive.is_some_and(|drive| drive[0].is_ascii_alphabetic() && drive[1] == b':');
    Some(if is_drive { path.get(1..).unwrap_or("").to_string() } else { path })
}

/// The `file:` address of a path.
pub(crate) fn file_uri(path: &str) -> String {
    let mut out = if path.starts_with('/') { "file://" } else { "file:///" }.to_string();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte as char)
            }
            _ => out += &format!("%{byte:02X}"),
        }
    }
    out
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out: Vec<u8> = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let code = text.get(at + 1..at + 3).filter(|_| *byte == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The language of a document: what the editor calls it, or what its name ends in. Other documents are ignored.
pub(crate) fn language(id: &str, uri: &str) -> Option<LanguageWord> {
    match id {
        "labs" => Some(LanguageWord::Labs),
        "rcheck" => Some(LanguageWord::Rcheck),
        "ccs" => Some(LanguageWord::Ccs),
        "chor" => Some(LanguageWord::Chor),
        _ => by_extension(&file_name(uri)).map(|language| language.word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_become_paths_and_back() {
        for (path_, uri) in [
            ("/a/b c.labs", "file:///a/b%20c.labs"),
            ("/ä%#?.ccs", "file:///%C3%A4%25%23%3F.ccs"),
            ("C:/m.labs", "file:///C%3A/m.labs"),
        ] {
            assert_eq!(file_uri(path_), uri);
            assert_eq!(path(uri).as_deref(), Some(path_));
        }
        assert_eq!(path("untitled:x").as_deref(), None);
        assert_eq!(path("file://elsewhere/x").as_deref(), None);
        assert_eq!(path("file:///100%").as_deref(), Some("/100%"));
        assert_eq!(file_name("file:///a/b%20c.labs"), "b c.labs");
        assert_eq!(language("", "file:///x.rcp"), Some(LanguageWord::Rcheck));
        assert_eq!(language("ccs", "untitled:Untitled-1"), Some(LanguageWord::Ccs));
        assert_eq!(language("toml", "file:///swarmcheck.toml"), None);
    }
}
