//! Requests of the protocol as questions to the worker, and its answers as results of the protocol.

mod calls;
mod symbols;
mod tokens;

use crate::actions::{self, Wanted};
use crate::capabilities::Client;
use crate::documents::{CheckedText, Document};
use crate::lenses;
use crate::settings::Settings;
use crate::text::{Encoding, Position, Range, Text};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use swarmcheck_session::editor::protocol::{EditorAnswer, EditorQuestion, PlaceOf};
use swarmcheck_source::Severity;
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_source::fix::EditData;
use swarmcheck_source::index::{Candidate, Role};

pub(crate) use symbols::kind as symbol_kind;

/// The most places that are told around a position, beside the whole text.
const MOST_SELECTIONS: usize = 100;

/// What an editor wants to know about a document.
pub(crate) enum How {
    Hover(Position),
    Definition(Position),
    References(Position, bool),
    Highlights(Position),
    PrepareRename(Position),
    Rename(Position, String),
    Symbols,
    Completion(Position),
    Tokens(Option<Range>),
    Signature(Position),
    Folds,
    Selections(Vec<Position>),
    Hints(Range),
    Lenses,
    PrepareCalls(Position),
    IncomingCalls(Position),
    OutgoingCalls(Position),
    Format(Option<Range>),
    Actions(Wanted),
}

/// Parameters of all requests about a document; each has some of them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Parameters {
    text_document: Option<Uri>,
    position: Option<Position>,
    positions: Option<Vec<Position>>,
    range: Option<Range>,
    new_name: Option<String>,
    context: Option<Json>,
    /// Of a call hierarchy: what was answered to its preparation.
    item: Option<Item>,
}

#[derive(Deserialize)]
struct Uri {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    uri: String,
    selection_range: Range,
}

/// The document and what is asked about it; nothing if there is no such request.
pub(crate) fn question(method: &str, params: &Json) -> Option<Result<(String, How), String>> {
    const KNOWN: &[&str] = &[
        "hover",
        "definition",
        "declaration",
        "references",
        "documentHighlight",
        "prepareRename",
        "rename",
        "documentSymbol",
        "completion",
        "semanticTokens/full",
        "semanticTokens/range",
        "signatureHelp",
        "foldingRange",
        "selectionRange",
        "inlayHint",
        "codeLens",
        "prepareCallHierarchy",
        "formatting",
        "rangeFormatting",
        "codeAction",
    ];
    let calls = method.strip_prefix("callHierarchy/");
    let known = method.strip_prefix("textDocument/").filter(|name| KNOWN.contains(name));
    let name = known.or(calls.filter(|name| ["incomingCalls", "outgoingCalls"].contains(name)))?;
    Some(understood(name, params).map_err(|why| format!("{method}: {why}")))
}

fn understood(name: &str, params: &Json) -> Result<(String, How), String> {
    let given = Parameters::deserialize(params).map_err(|e| e.to_string())?;
    let position = || given.position.ok_or("there is no position");
    let range = || given.range.ok_or("there is no range");
    let how = match name {
        "hover" => How::Hover(position()?),
        "definition" | "declaration" => How::Definition(position()?),
        "references" => {
            let context = given.context.as_ref();
            let all = context.and_then(|context| context["includeDeclaration"].as_bool()).unwrap_or(true);
            How::References(position()?, all)
        }
        "documentHighlight" => How::Highlights(position()?),
        "prepareRename" => How::PrepareRename(position()?),
        "rename" => How::Rename(position()?, given.new_name.clone().ok_or("there is no new name")?),
        "documentSymbol" => How::Symbols,
        "completion" => How::Completion(position()?),
        "semanticTokens/full" => How::Tokens(None),
        "semanticTokens/range" => How::Tokens(Some(range()?)),
        "signatureHelp" => How::Signature(position()?),
        "foldingRange" => How::Folds,
        "selectionRange" => How::Selections(given.positions.clone().ok_or("there are no positions")?),
        "inlayHint" => How::Hints(range()?),
        "codeLens" => How::Lenses,
        "prepareCallHierarchy" => How::PrepareCalls(position()?),
        "formatting" => How::Format(None),
        "rangeFormatting" => How::Format(Some(range()?)),
        "codeAction" => How::Actions(Wanted::deserialize(params).map_err(|e| e.to_string())?),
        _ => {
            let item = given.item.ok_or("there is no item")?;
            let start = item.selection_range.start;
            let how =
                if name == "incomingCalls" { How::IncomingCalls(start) } else { How::OutgoingCalls(start) };
            return Ok((item.uri, how));
        }
    };
    Ok((given.text_document.ok_or("there is no document")?.uri, how))
}

impl How {
    /// What the worker is asked.
    pub fn question(&self, text: &Text, encoding: Encoding) -> EditorQuestion {
        let at = |position: &Position| text.offset(*position, encoding);
        match self {
            How::Hover(position) => EditorQuestion::Hover { offset: at(position) },
            How::Definition(position)
            | How::References(position, _)
            | How::Highlights(position)
            | How::PrepareRename(position) => EditorQuestion::Places { offset: at(position) },
            How::Rename(position, name) => {
                EditorQuestion::Rename { offset: at(position), name: name.clone() }
            }
            How::Symbols | How::Lenses => EditorQuestion::Symbols,
            How::Completion(position) => EditorQuestion::Candidates { offset: at(position) },
            How::Actions(_) => EditorQuestion::Diagnostics,
            How::Tokens(_) => EditorQuestion::Tokens,
            How::Signature(position) => EditorQuestion::Signature { offset: at(position) },
            How::Folds => EditorQuestion::Folds,
            How::Selections(positions) => {
                EditorQuestion::Selections { offsets: positions.iter().map(at).collect() }
            }
            How::Hints(_) => EditorQuestion::Facts,
            How::PrepareCalls(position) | How::IncomingCalls(position) | How::OutgoingCalls(position) => {
                EditorQuestion::Calls { offset: at(position) }
            }
            How::Format(range) => {
                EditorQuestion::Format { range: range.map(|range| (at(&range.start), at(&range.end))) }
            }
        }
    }
}

/// The result of a request. An answer that is of another kind, as `Nothing`, is none.
pub(crate) fn result(
    how: &How,
    answer: EditorAnswer,
    document: &Document,
    settings: &Settings,
    client: &Client,
    encoding: Encoding,
) -> Json {
    let text = &document.text;
    let range = |place: (u32, u32)| text.range(place, encoding);
    match (how, answer) {
        (How::Hover(_), EditorAnswer::Hover { text, place }) => {
            json!({ "contents": { "kind": "markdown", "value": text }, "range": range(place) })
        }
        (How::PrepareRename(_), EditorAnswer::Places { name, here, .. }) => {
            json!({ "range": range(here), "placeholder": name })
        }
        (how, EditorAnswer::Places { places, .. }) => self::places(how, &places, document, encoding),
        (How::Rename(..), EditorAnswer::Edits { edits }) => {
            json!({ "changes": { document.uri.as_str(): self::edits(text, &edits, encoding) } })
        }
        (How::Format(_), EditorAnswer::Edits { edits }) => {
            json!(self::edits(text, &without_final_newline(text.as_str(), edits), encoding))
        }
        (How::Symbols, EditorAnswer::Symbols { symbols }) => symbols::tree(&symbols, text, encoding),
        (How::Lenses, EditorAnswer::Symbols { symbols }) => {
            json!(lenses::lenses(document, &symbols, settings, encoding))
        }
        (How::Completion(_), EditorAnswer::Candidates { candidates }) => {
            let items: Vec<Json> =
                candidates.iter().enumerate().map(|(at, one)| candidate(at, one, client.snippets)).collect();
            json!({ "isIncomplete": false, "items": items })
        }
        (How::Tokens(within), EditorAnswer::Tokens { tokens }) => {
            json!({ "data": tokens::encoded(text, &tokens, *within, encoding) })
        }
        (How::Signature(_), EditorAnswer::Signature { signature }) => {
            // Whatever was agreed on, these places count in UTF-16.
            let label = Text::new(signature.label.clone());
            let unit = |byte: u32| label.position(byte, Encoding::Utf16).character;
            let parts: Vec<Json> =
                signature.parts.iter().map(|part| json!({ "label": [unit(part.0), unit(part.1)] })).collect();
            let form = json!({
                "label": signature.label,
                "documentation": { "kind": "markdown", "value": signature.says },
                "parameters": parts,
            });
            json!({ "signatures": [form], "activeSignature": 0, "activeParameter": signature.active })
        }
        (How::Folds, EditorAnswer::Folds { folds }) => {
            let fold = |&(start, end, is_comment): &(u32, u32, bool)| {
                let Range { start, end } = range((start, end));
                let mut fold = json!({ "startLine": start.line, "endLine": end.line });
                if is_comment {
                    fold["kind"] = json!("comment");
                }
                fold
            };
            json!(folds.iter().map(fold).collect::<Vec<Json>>())
        }
        (How::Selections(_), EditorAnswer::Selections { selections }) => {
            let nested = |places: &Vec<(u32, u32)>| {
                // Nobody widens a selection more often; what is deeper than a stack must not be made.
                let outermost = places.last().filter(|_| places.len() > MOST_SELECTIONS);
                let kept = places.iter().take(MOST_SELECTIONS).chain(outermost);
                let kept: Vec<&(u32, u32)> = kept.collect();
                kept.into_iter().rev().fold(Json::Null, |parent, place| {
                    let mut fields = serde_json::Map::new();
                    fields.insert("range".to_string(), json!(range(*place)));
                    if !parent.is_null() {
                        fields.insert("parent".to_string(), parent);
                    }
                    Json::Object(fields)
                })
            };
            json!(selections.iter().map(nested).collect::<Vec<Json>>())
        }
        (How::Actions(wanted), EditorAnswer::Diagnostics { diagnostics, outline, assumed }) => {
            let outline = outline.map(|outline| *outline);
            let checked = CheckedText { generation: document.generation, diagnostics, outline, assumed };
            json!(actions::actions(document, &checked, wanted, settings, encoding))
        }
        (How::Hints(within), EditorAnswer::Facts { facts }) => {
            json!(lenses::hints(document, &facts, settings, encoding, *within))
        }
        (
            How::PrepareCalls(_) | How::IncomingCalls(_) | How::OutgoingCalls(_),
            EditorAnswer::Calls { process, incoming, outgoing },
        ) => match how {
            How::PrepareCalls(_) => json!([calls::item(&process, document, encoding)]),
            How::IncomingCalls(_) => calls::list("from", &incoming, document, encoding),
            _ => calls::list("to", &outgoing, document, encoding),
        },
        _ => Json::Null,
    }
}

fn places(how: &How, places: &[PlaceOf], document: &Document, encoding: Encoding) -> Json {
    let range = |place: (u32, u32)| document.text.range(place, encoding);
    let location = |place: &PlaceOf| json!({ "uri": document.uri, "range": range(place.place) });
    let is_declaration = |place: &&PlaceOf| place.role == Role::Declaration;
    match how {
        How::Definition(_) => places.iter().filter(is_declaration).map(location).collect(),
        How::References(_, all) => {
            places.iter().filter(|place| *all || !is_declaration(place)).map(location).collect()
        }
        _ => {
            let highlight = |place: &PlaceOf| {
                let kind = if matches!(place.role, Role::Write | Role::Declaration) { 3 } else { 2 };
                json!({ "range": range(place.place), "kind": kind })
            };
            places.iter().map(highlight).collect()
        }
    }
}

/// Editors end the last line of a file themselves when they write it; one that got a line break from here, too, would write an empty
/// line.
fn without_final_newline(text: &str, mut edits: Vec<EditData>) -> Vec<EditData> {
    if text.ends_with('\n') {
        return edits;
    }
    if let Some(last) = edits.last_mut().filter(|edit| edit.end as usize == text.len()) {
        let kept = last.text.trim_end_matches(['\r', '\n']).len();
        last.text.truncate(kept);
    }
    edits.retain(|edit| edit.start != edit.end || !edit.text.is_empty());
    edits
}

/// Changes as the protocol writes them.
pub(crate) fn edits(text: &Text, edits: &[EditData], encoding: Encoding) -> Vec<Json> {
    let edit = |edit: &EditData| json!({ "range": text.range((edit.start, edit.end), encoding), "newText": edit.text });
    edits.iter().map(edit).collect()
}

fn candidate(at: usize, candidate: &Candidate, snippets: bool) -> Json {
    let kind = candidate.kind.map_or(14, symbols::completion_kind);
    let mut item = json!({ "label": candidate.label, "kind": kind, "sortText": format!("{at:05}") });
    if !candidate.detail.is_empty() {
        item["detail"] = json!(candidate.detail);
    }
    if let Some(insert) = candidate.insert.as_ref().filter(|_| snippets) {
        item["insertText"] = json!(insert);
        item["insertTextFormat"] = json!(2);
    }
    item
}

/// What is wrong, and what was tried for parameters without a value.
pub(crate) fn diagnostics(
    document: &Document,
    checked: &CheckedText,
    encoding: Encoding,
    asks_parameters: bool,
) -> Vec<Json> {
    let mut list: Vec<Json> = checked.diagnostics.iter().map(|d| diagnostic(document, d, encoding)).collect();
    let parameters = checked.outline.iter().flat_map(|outline| &outline.parameters);
    for parameter in parameters {
        let tried = checked.assumed.iter().find(|(name, _)| *name == parameter.name);
        let Some((name, value)) = tried else { continue };
        let range = document.text.range((parameter.place.start, parameter.place.end), encoding);
        let way = if asks_parameters { "set it, or write" } else { "write" };
        let message = format!(
            "`_{name}` has no value: {value} is tried here; {way} a default `_{name}: {value}`, or put values into swarmcheck.toml"
        );
        list.push(json!({ "range": range, "severity": 4, "code": ASSUMED, "source": "swarmcheck", "message": message }));
    }
    list
}

/// The code of the hint that a value was tried.
pub(crate) const ASSUMED: &str = "assumed-parameter";

fn diagnostic(document: &Document, d: &DiagnosticData, encoding: Encoding) -> Json {
    let range = |start: u32, end: u32| document.text.range((start, end), encoding);
    let severity = match d.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
    };
    let label = if d.place.message.is_empty() { String::new() } else { format!(": {}", d.place.message) };
    let help: String = d.help.iter().map(|help| format!("\nhelp: {help}")).collect();
    let related: Vec<Json> = d
        .related
        .iter()
        .map(|place| {
            let message = if place.message.is_empty() { "see here" } else { &place.message };
            json!({ "location": { "uri": document.uri, "range": range(place.start, place.end) }, "message": message })
        })
        .collect();
    json!({
        "range": range(d.place.start, d.place.end),
        "severity": severity,
        "code": d.code,
        "source": "swarmcheck",
        "message": format!("{}{label}{help}", d.message),
        "relatedInformation": related,
    })
}
