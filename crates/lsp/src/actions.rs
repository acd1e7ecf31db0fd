//! Quick fixes: what diagnostics offer, as changes of the text.

use crate::answers::{ASSUMED, edits};
use crate::documents::Document;
use crate::lenses::parameters;
use crate::server::{Server, read};
use crate::text::{Encoding, Range};
use lsp_server::{ErrorCode, RequestId};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use swarmcheck_source::fix::EditData;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    text_document: Uri,
    range: Range,
    #[serde(default)]
    context: Context,
}

#[derive(Deserialize)]
struct Uri {
    uri: String,
}

#[derive(Deserialize, Default)]
struct Context {
    #[serde(default)]
    diagnostics: Vec<Json>,
    only: Option<Vec<String>>,
}

impl Server {
    pub(crate) fn code_actions(&self, id: RequestId, params: Json) {
        let Some(asked) = read::<Asked>(params) else {
            return self.fail(id, ErrorCode::InvalidParams, "the parameters cannot be read");
        };
        let wanted = |kinds: &Vec<String>| kinds.iter().any(|kind| kind.is_empty() || kind == "quickfix");
        let Some(document) = self.documents.get(&asked.text_document.uri) else {
            return self.answer(id, Json::Null);
        };
        if !asked.context.only.as_ref().is_none_or(wanted) {
            return self.answer(id, json!([]));
        }
        let mut list = fixes(document, &asked, self.encoding);
        if self.settings.ask_parameters && document.checked.as_ref().is_some_and(|c| !c.assumed.is_empty()) {
            let arguments = json!([document.uri, parameters(document, &self.settings)]);
            let command = json!({ "title": "set parameters", "command": "swarmcheck.askParameters", "arguments": arguments });
            list.push(
                json!({ "title": "set values of parameters…", "kind": "quickfix", "command": command }),
            );
        }
        self.answer(id, Json::Array(list));
    }
}

fn touches(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

fn fixes(document: &Document, asked: &Asked, encoding: Encoding) -> Vec<Json> {
    let Some(checked) = document.current() else { return vec![] };
    let mut list = vec![];
    for diagnostic in &checked.diagnostics {
        let range = document.text.range((diagnostic.place.start, diagnostic.place.end), encoding);
        if !touches(range, asked.range) {
            continue;
        }
        for (number, fix) in diagnostic.fixes.iter().enumerate() {
            list.push(action(
                document,
                asked,
                &fix.title,
                (&diagnostic.code, range),
                &fix.edits,
                number == 0,
                encoding,
            ));
        }
    }
    for parameter in checked.outline.iter().flat_map(|outline| &outline.parameters) {
        let range = document.text.range((parameter.place.start, parameter.place.end), encoding);
        let tried = checked.assumed.iter().find(|(name, _)| *name == parameter.name);
        if let Some((name, value)) = tried.filter(|_| touches(range, asked.range)) {
            let end = parameter.place.end;
            let edit = EditData { start: end, end, text: format!(": {value}") };
            let title = format!("give `_{name}` the default {value}");
            list.push(action(document, asked, &title, (ASSUMED, range), &[edit], true, encoding));
        }
    }
    list
}

/// An action that mends the diagnostic with a code at a place, which the client may have shown.
fn action(
    document: &Document,
    asked: &Asked,
    title: &str,
    (code, range): (&str, Range),
    changes: &[EditData],
    preferred: bool,
    encoding: Encoding,
) -> Json {
    let is_it = |shown: &&Json| shown["code"] == code && shown["range"] == json!(range);
    let mended: Vec<&Json> = asked.context.diagnostics.iter().filter(is_it).collect();
    json!({
        "title": title,
        "kind": "quickfix",
        "isPreferred": preferred,
        "diagnostics": mended,
        "edit": { "changes": { document.uri.as_str(): edits(&document.text, changes, encoding) } },
    })
}
