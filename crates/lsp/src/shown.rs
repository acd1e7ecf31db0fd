//! What is shown to a person beside the text: pages, drawings, and executions whose lines lead to the source.

use crate::documents::{file_name, file_uri};
use crate::server::Server;
use crate::text::{Position, Text};
use lsp_server::RequestId;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The most documents that are kept; the oldest is forgotten first.
const MOST: usize = 50;

/// Documents that were shown.
#[derive(Default)]
pub(crate) struct Shown {
    documents: BTreeMap<String, ShownText>,
    order: Vec<String>,
}

struct ShownText {
    text: String,
    /// The document that it is about.
    source: String,
    /// Lines from 0, and where they lead: line and column from 1.
    places: Vec<(usize, u32, u32)>,
}

impl Shown {
    fn add(&mut self, uri: &str, shown: ShownText) {
        self.order.retain(|known| known != uri);
        self.order.push(uri.to_string());
        self.documents.insert(uri.to_string(), shown);
        if self.order.len() > MOST {
            let oldest = self.order.remove(0);
            self.documents.remove(&oldest);
        }
    }
}

impl Server {
    /// Shows a page that is complete in itself.
    pub(crate) fn show_page(&mut self, title: &str, html: String) -> Result<(), String> {
        if self.settings.player == "notification" {
            self.notify("swarmcheck/player", json!({ "title": title, "html": html }));
            return Ok(());
        }
        let path = self.files.keep(&format!("{}.html", plain(title)), &html)?;
        self.open(&file_uri(&path), true);
        Ok(())
    }

    /// Shows a drawing on a page of its own.
    pub(crate) fn show_drawing(&mut self, title: &str, svg: &str) -> Result<(), String> {
        let escaped = title.replace('&', "&amp;").replace('<', "&lt;");
        // Drawings are made for light paper.
        let page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{escaped}</title>\
             <style>body {{ margin: 1em; background: white; }}</style></head>\n<body>\n{svg}\n</body></html>\n"
        );
        self.show_page(title, page)
    }

    /// Shows a text whose lines lead to places of a document.
    pub(crate) fn show_text(
        &mut self,
        source: &str,
        name: &str,
        text: String,
        places: Vec<(usize, u32, u32)>,
    ) {
        // Two files of the same name are told apart by where they are.
        let place = source.bytes().fold(5381_u32, |sum, byte| sum.wrapping_mul(33) ^ u32::from(byte));
        let of = format!("{}-{place:08x}", plain(&file_name(source)));
        let uri = if self.settings.virtual_documents {
            format!("swarmcheck://trace/{of}/{}", plain(name))
        } else {
            match self.files.keep(&format!("{of}-{}", plain(name)), &text) {
                Ok(path) => file_uri(&path),
                Err(why) => return self.message(1, &why),
            }
        };
        self.shown.add(&uri, ShownText { text, source: source.to_string(), places });
        self.open(&uri, false);
    }

    fn open(&mut self, uri: &str, external: bool) {
        if self.client.shows_documents {
            let params = json!({ "uri": uri, "external": external, "takeFocus": true });
            self.ask_client("window/showDocument", params);
        } else {
            self.message(3, &format!("open {uri}"));
        }
    }

    /// The text of a document that is no file.
    pub(crate) fn content(&self, id: RequestId, params: &Json) {
        let shown = params["uri"].as_str().and_then(|uri| self.shown.documents.get(uri));
        match shown {
            Some(shown) => self.answer(id, json!({ "text": shown.text })),
            None => self.refuse(id, "this document is not known any more: show it again"),
        }
    }

    /// Where the lines of a document lead.
    pub(crate) fn links(&self, id: RequestId, params: Json) {
        let shown = params["textDocument"]["uri"].as_str().and_then(|uri| self.shown.documents.get(uri));
        let Some(shown) = shown else { return self.answer(id, json!([])) };
        let (lines, text) = (shown.text.lines().collect::<Vec<&str>>(), Text::new(shown.text.clone()));
        let link = |(line, to, column): &(usize, u32, u32)| {
            let written = lines.get(*line)?;
            let blank = written.len() - written.trim_start().len();
            let start = Position { line: *line as u32, character: blank as u32 };
            let end = text.offset(Position { character: u32::MAX, ..start }, self.encoding);
            Some(json!({
                "range": { "start": start, "end": text.position(end, self.encoding) },
                "target": format!("{}#L{to},{column}", shown.source),
                "tooltip": format!("line {to}"),
            }))
        };
        let links: Vec<Json> = shown.places.iter().filter_map(link).collect();
        self.answer(id, Json::Array(links));
    }
}

/// A name that is one in any file system and any address.
fn plain(name: &str) -> String {
    let fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = name.chars().map(|c| if fine(c) { c } else { '-' }).take(100).collect();
    name.trim_start_matches('.').to_string()
}
