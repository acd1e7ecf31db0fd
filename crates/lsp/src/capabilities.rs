//! What client and server can do.

use crate::commands::COMMANDS;
use crate::documents::path;
use crate::text::Encoding;
use lsp_server::RequestId;
use serde_json::{Value as Json, json};
use swarmcheck_session::editor::{CLASSES, MODIFIERS};

/// What the client can do.
#[derive(Default)]
pub(crate) struct Client {
    /// It shows progress that a server begins.
    pub progress: bool,
    /// It opens documents when it is asked to.
    pub shows_documents: bool,
    /// It asks for hints again when it is told to.
    pub refreshes_hints: bool,
    /// It asks for lenses again when it is told to.
    pub refreshes_lenses: bool,
    /// It fills in places of candidates.
    pub snippets: bool,
    /// It tells of changes of files that it is asked to watch.
    pub watches_files: bool,
    requests: i32,
}

impl Client {
    pub fn new(params: &Json) -> Client {
        let capabilities = &params["capabilities"];
        let can = |pointer: &str| capabilities.pointer(pointer).and_then(Json::as_bool).unwrap_or(false);
        Client {
            progress: can("/window/workDoneProgress"),
            shows_documents: can("/window/showDocument/support"),
            refreshes_hints: can("/workspace/inlayHint/refreshSupport"),
            refreshes_lenses: can("/workspace/codeLens/refreshSupport"),
            snippets: can("/textDocument/completion/completionItem/snippetSupport"),
            watches_files: can("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            requests: 0,
        }
    }

    /// A number for a request to the client.
    pub fn next(&mut self) -> RequestId {
        self.requests += 1;
        RequestId::from(self.requests)
    }
}

/// The first encoding of the client that we know; UTF-16, which every client knows, if it says nothing.
pub(crate) fn encoding(params: &Json) -> Encoding {
    let offered = params.pointer("/capabilities/general/positionEncodings").and_then(Json::as_array);
    let offers = |word: &str| offered.is_some_and(|offered| offered.iter().any(|known| known == word));
    if offers("utf-8") { Encoding::Utf8 } else { Encoding::Utf16 }
}

/// The folders that are open.
pub(crate) fn folders(params: &Json) -> Vec<String> {
    let listed = params["workspaceFolders"].as_array();
    let listed = listed.into_iter().flatten().filter_map(|folder| folder["uri"].as_str());
    let mut all: Vec<String> = listed.filter_map(path).collect();
    if all.is_empty() {
        all.extend(params["rootUri"].as_str().and_then(path));
    }
    all
}

/// The folders after some were opened or closed.
pub(crate) fn changed(before: &[String], params: &Json) -> Vec<String> {
    let list = |field: &str| {
        let listed = params["event"][field].as_array().cloned().unwrap_or_default();
        listed.iter().filter_map(|folder| path(folder["uri"].as_str()?)).collect::<Vec<String>>()
    };
    let removed = list("removed");
    let kept = before.iter().filter(|folder| !removed.contains(folder)).cloned();
    kept.chain(list("added")).collect()
}

/// The answer to `initialize`.
pub(crate) fn result(encoding: Encoding, version: &str) -> Json {
    let word = match encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
    };
    json!({
        "serverInfo": { "name": "swarmcheck", "version": version },
        "capabilities": {
            "positionEncoding": word,
            "textDocumentSync": { "openClose": true, "change": 2, "save": {} },
            "hoverProvider": true,
            "definitionProvider": true,
            "declarationProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": true,
            "completionProvider": { "triggerCharacters": ["_", " ", "-", "'"] },
            "signatureHelpProvider": { "triggerCharacters": ["(", ",", "["] },
            "semanticTokensProvider": {
                "legend": { "tokenTypes": CLASSES, "tokenModifiers": MODIFIERS },
                "full": true,
                "range": true,
            },
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "inlayHintProvider": true,
            "callHierarchyProvider": true,
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "codeLensProvider": {},
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
            "documentLinkProvider": {},
            "executeCommandProvider": { "commands": COMMANDS, "workDoneProgress": true },
            "workspace": {
                "workspaceFolders": { "supported": true, "changeNotifications": true },
                "textDocumentContent": { "schemes": ["swarmcheck"] },
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_one_of_the_client() {
        let of =
            |list: Json| encoding(&json!({ "capabilities": { "general": { "positionEncodings": list } } }));
        assert_eq!(of(json!(["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(of(json!(["utf-32", "utf-16"])), Encoding::Utf16);
        assert_eq!(encoding(&json!({})), Encoding::Utf16);
    }

    #[test]
    fn folders_come_and_go() {
        let before =
            folders(&json!({ "workspaceFolders": [{ "uri": "file:///a" }, { "uri": "file:///b" }] }));
        let event = json!({ "event": { "removed": [{ "uri": "file:///a" }], "added": [{ "uri": "file:///c%20d" }] } });
        assert_eq!(changed(&before, &event), ["/b", "/c d"]);
        assert_eq!(folders(&json!({ "rootUri": "file:///r" })), ["/r"]);
    }
}
