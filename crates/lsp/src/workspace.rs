//! Declarations of all models below the open folders.

use crate::answers::symbol_kind;
use crate::documents::{Document, file_uri, language};
use crate::jobs::CANCELLED;
use crate::server::{Pending, Server};
use crate::text::Text;
use lsp_server::{ErrorCode, RequestId};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use swarmcheck_session::editor::protocol::{EditorAnswer, EditorQuestion, EditorRequest, SymbolData};
use swarmcheck_source::index::SymbolKind;

/// More declarations are not listed.
const MOST: usize = 1_000;

/// A list that is being collected.
pub(crate) struct Search {
    /// None if the client does not want the list any more.
    id: Option<RequestId>,
    query: String,
    /// Documents that have not answered.
    waiting: usize,
    /// The texts of documents that nobody has open.
    texts: BTreeMap<String, Text>,
    found: Vec<Json>,
}

impl Server {
    pub(crate) fn search(&mut self, id: RequestId, params: &Json) {
        let query = params["query"].as_str().unwrap_or("").to_lowercase();
        let search = self.searches.keys().max().map_or(0, |last| last + 1);
        let mut asked: Vec<String> = self.documents.keys().cloned().collect();
        asked.sort();
        let mut texts = BTreeMap::new();
        for (path, text) in self.folders.iter().flat_map(|folder| self.files.models(folder)) {
            let uri = file_uri(&path);
            if let Some(word) = language("", &uri).filter(|_| !asked.contains(&uri)) {
                let document = Document::new(&uri, word, 0, text);
                let model = Box::new(document.model(&self.settings));
                self.tell_worker(EditorRequest::Open { document: uri.clone(), model });
                texts.insert(uri.clone(), document.text);
                asked.push(uri);
            }
        }
        if asked.is_empty() {
            return self.answer(id, json!([]));
        }
        self.searches
            .insert(search, Search { id: Some(id), query, waiting: asked.len(), texts, found: vec![] });
        for uri in asked {
            self.ask(&uri, EditorQuestion::Symbols, Pending::Search { search, uri: uri.clone() });
        }
    }

    pub(crate) fn searched(&mut self, search: u64, uri: &str, answer: Option<EditorAnswer>) {
        let Some(state) = self.searches.get_mut(&search) else { return };
        state.waiting -= 1;
        let closed = state.texts.remove(uri);
        let text = closed.as_ref().or_else(|| self.documents.get(uri).map(|document| &document.text));
        if let (Some(text), Some(EditorAnswer::Symbols { symbols })) = (text, answer) {
            let encoding = self.encoding;
            let room = MOST.saturating_sub(state.found.len());
            let fits = |symbol: &&SymbolData| {
                is_found(symbol.kind) && symbol.name.to_lowercase().contains(&state.query)
            };
            let listed = symbols.iter().filter(fits).take(room).map(|symbol| {
                let container =
                    symbol.container.and_then(|at| symbols.get(at)).map(|container| &container.name);
                json!({
                    "name": symbol.name,
                    "kind": symbol_kind(symbol.kind),
                    "containerName": container,
                    "location": { "uri": uri, "range": text.range(symbol.place, encoding) },
                })
            });
            let listed: Vec<Json> = listed.collect();
            state.found.extend(listed);
        }
        let is_done = state.waiting == 0;
        // Somebody may have opened it meanwhile.
        if closed.is_some() && !self.documents.contains_key(uri) {
            self.tell_worker(EditorRequest::Close { document: uri.to_string() });
        }
        if is_done && let Some(Search { id: Some(id), found, .. }) = self.searches.remove(&search) {
            self.answer(id, Json::Array(found));
        }
    }
}

impl Server {
    /// The client does not want a list any more.
    pub(crate) fn forget_searches(&mut self, is_it: &dyn Fn(&RequestId) -> bool) {
        let all = self.searches.values_mut();
        let gone: Vec<RequestId> = all.filter_map(|search| search.id.take_if(|id| is_it(id))).collect();
        for id in gone {
            self.fail(id, ErrorCode::RequestCanceled, CANCELLED);
        }
    }
}

/// Names that live inside a formula or a block are not looked for elsewhere.
fn is_found(kind: SymbolKind) -> bool {
    !matches!(kind, SymbolKind::BoundAgent | SymbolKind::LocalVariable)
}
