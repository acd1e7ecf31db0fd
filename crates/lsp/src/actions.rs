//! Quick fixes: what diagnostics offer, as changes of the text.

use crate::answers::{ASSUMED, edits};
use crate::documents::{CheckedText, Document};
use crate::lenses::parameters;
use crate::settings::Settings;
use crate::text::{Encoding, Range};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use swarmcheck_source::fix::EditData;

/// For which place actions are wanted, and what the client shows there.
#[derive(Deserialize)]
pub(crate) struct Wanted {
    range: Range,
    #[serde(default)]
    context: Context,
}

#[derive(Deserialize, Default)]
struct Context {
    #[serde(default)]
    diagnostics: Vec<Json>,
    only: Option<Vec<String>>,
}

/// A diagnostic by what a client shows of it.
struct Mended<'a> {
    code: &'a str,
    range: Range,
}

/// What can be done about the diagnostics at a place.
pub(crate) fn actions(
    document: &Document,
    checked: &CheckedText,
    wanted: &Wanted,
    settings: &Settings,
    encoding: Encoding,
) -> Vec<Json> {
    let is_wanted = |kinds: &Vec<String>| kinds.iter().any(|kind| kind.is_empty() || kind == "quickfix");
    if !wanted.context.only.as_ref().is_none_or(is_wanted) {
        return vec![];
    }
    let place = |start: u32, end: u32| {
        let range = document.text.range((start, end), encoding);
        (range.start <= wanted.range.end && wanted.range.start <= range.end).then_some(range)
    };
    let action = |title: &str, mended: &Mended<'_>, changes: &[EditData], preferred: bool| {
        let is_it = |shown: &&Json| shown["code"] == mended.code && shown["range"] == json!(mended.range);
        let shown: Vec<&Json> = wanted.context.diagnostics.iter().filter(is_it).collect();
        json!({
            "title": title,
            "kind": "quickfix",
            "isPreferred": preferred,
            "diagnostics": shown,
            "edit": { "changes": { document.uri.as_str(): edits(&document.text, changes, encoding) } },
        })
    };
    let mut list = vec![];
    for diagnostic in &checked.diagnostics {
        let Some(range) = place(diagnostic.place.start, diagnostic.place.end) else { continue };
        let mended = Mended { code: &diagnostic.code, range };
        let fixes = diagnostic.fixes.iter().enumerate();
        list.extend(fixes.map(|(number, fix)| action(&fix.title, &mended, &fix.edits, number == 0)));
    }
    for parameter in checked.outline.iter().flat_map(|outline| &outline.parameters) {
        let tried = checked.assumed.iter().find(|(name, _)| *name == parameter.name);
        let range = place(parameter.place.start, parameter.place.end);
        if let (Some((name, value)), Some(range)) = (tried, range) {
            let end = parameter.place.end;
            let edit = EditData { start: end, end, text: format!(": {value}") };
            let title = format!("give `_{name}` the default {value}");
            list.push(action(&title, &Mended { code: ASSUMED, range }, &[edit], true));
        }
    }
    if settings.ask_parameters && !checked.assumed.is_empty() {
        let arguments = json!([document.uri, parameters(document, settings)]);
        let command = json!({ "title": "set parameters", "command": "swarmcheck.askParameters", "arguments": arguments });
        list.push(json!({ "title": "set values of parameters…", "kind": "quickfix", "command": command }));
    }
    list
}
