//! Every request on every example: an answer of the right shape, with places inside the document.

use crate::client::{Client, Utf16, uri};
use crate::common;
use serde_json::{Value as Json, json};

/// The examples with their languages.
pub fn examples() -> Vec<(String, &'static str, String)> {
    let mut out = vec![];
    for (ending, language) in [(".labs", "labs"), (".rcp", "rcheck"), (".ccs", "ccs"), (".chor", "chor")] {
        for path in common::files(&common::root().join("examples"), ending) {
            let text = std::fs::read_to_string(&path).unwrap();
            let short = path.strip_prefix(common::root()).unwrap().display().to_string();
            out.push((uri(&short), language, text));
        }
    }
    assert!(out.len() >= 39, "only {} examples", out.len());
    out
}

/// All ranges of a result must lie in the text.
fn inside(result: &Json, text: &Utf16) {
    match result {
        Json::Array(list) => list.iter().for_each(|one| inside(one, text)),
        Json::Object(fields) => {
            for (name, value) in fields {
                if ["range", "selectionRange"].contains(&name.as_str()) {
                    let (from, to) = text.units(value);
                    assert!(from <= to && to <= text.0.len(), "{value}");
                    assert!(text.is_boundary(from) && text.is_boundary(to), "{value}");
                }
                inside(value, text);
            }
        }
        _ => {}
    }
}

/// Semantic tokens do not overlap and lie in their lines; how many there are.
fn tokens(result: &Json, text: &Utf16) -> usize {
    let numbers: Vec<u64> = result["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!(numbers.len() % 5, 0);
    let (mut line, mut column, mut end) = (0, 0, 0);
    for token in numbers.chunks(5) {
        if token[0] > 0 {
            (line, column, end) = (line + token[0], 0, 0);
        }
        column += token[1];
        assert!(column >= end, "tokens overlap in line {line}");
        end = column + token[2];
        let range = json!({ "start": { "line": line, "character": column }, "end": { "line": line, "character": end } });
        let (from, to) = text.units(&range);
        let shown = &text.0[from..to];
        assert!(!shown.is_empty() && !shown.contains(&10), "line {line}");
    }
    numbers.len() / 5
}

#[test]
fn every_request_on_every_example_has_an_answer() {
    let mut client = Client::new();
    let (mut asked, mut found, mut coloured) = (0, 0, 0);
    for (uri, language, source) in examples() {
        let text = Utf16::new(&source);
        client.open(&uri, language, 1, &source);
        let wrong: Vec<Json> =
            client.diagnostics(&uri, 1).into_iter().filter(|d| d["severity"] == 1).collect();
        assert!(wrong.is_empty(), "{uri}: {wrong:?}");
        let document = json!({ "uri": uri });
        let whole = json!({ "start": text.position(0), "end": text.position(text.0.len()) });
        for method in ["documentSymbol", "foldingRange", "codeLens", "documentLink"] {
            let result = client.ask(&format!("textDocument/{method}"), json!({ "textDocument": document }));
            inside(&result, &text);
            if ["documentSymbol", "codeLens"].contains(&method) {
                assert!(!result.as_array().unwrap().is_empty(), "{uri}: no {method}");
            }
            asked += 1;
        }
        let all = client.ask("textDocument/semanticTokens/full", json!({ "textDocument": document }));
        coloured += tokens(&all, &text);
        let part = client
            .ask("textDocument/semanticTokens/range", json!({ "textDocument": document, "range": whole }));
        assert_eq!(all, part, "{uri}");
        let hints = client.ask("textDocument/inlayHint", json!({ "textDocument": document, "range": whole }));
        inside(&hints, &text);
        let options = json!({ "tabSize": 2, "insertSpaces": true });
        let same =
            client.ask("textDocument/formatting", json!({ "textDocument": document, "options": options }));
        assert_eq!(same, json!([]), "{uri} is not formatted");
        asked += 4;
        // Each word begins somewhere among these.
        for at in (0..text.0.len()).step_by(7).filter(|at| text.is_boundary(*at)) {
            let position = text.position(at);
            let here = json!({ "textDocument": document, "position": position });
            for method in
                ["hover", "definition", "documentHighlight", "completion", "signatureHelp", "prepareRename"]
            {
                let result = client.ask(&format!("textDocument/{method}"), here.clone());
                inside(&result, &text);
                found += usize::from(!result.is_null());
                asked += 1;
            }
            let context = json!({ "includeDeclaration": false });
            let references = json!({ "textDocument": document, "position": position, "context": context });
            inside(&client.ask("textDocument/references", references), &text);
            let selection = client.ask(
                "textDocument/selectionRange",
                json!({ "textDocument": document, "positions": [position] }),
            );
            nested(&selection[0], &text, at);
            let items = client.ask("textDocument/prepareCallHierarchy", here);
            for item in items.as_array().into_iter().flatten() {
                for method in ["incomingCalls", "outgoingCalls"] {
                    inside(&client.ask(&format!("callHierarchy/{method}"), json!({ "item": item })), &text);
                }
            }
            let range = json!({ "start": position, "end": position });
            let action =
                json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } });
            inside(&client.ask("textDocument/codeAction", action), &text);
            asked += 4;
        }
        client.tell("textDocument/didClose", json!({ "textDocument": document }));
    }
    assert!(asked > 50_000 / 7, "only {asked} requests");
    assert!(found > asked / 10, "{found} of {asked} say something");
    assert!(coloured > 5_000, "only {coloured} tokens");
    println!("{asked} requests, {found} with something to say, {coloured} tokens");
    assert_eq!(client.goodbye(), Some(0));
}

/// Every range holds the one before it, and the first holds the place.
fn nested(selection: &Json, text: &Utf16, at: usize) {
    let (from, to) = text.units(&selection["range"]);
    assert!(from <= at && at <= to);
    let mut inner = (from, to);
    let mut outer = &selection["parent"];
    while !outer.is_null() {
        let (from, to) = text.units(&outer["range"]);
        assert!(from <= inner.0 && inner.1 <= to && (from, to) != inner, "{selection}");
        (inner, outer) = ((from, to), &outer["parent"]);
    }
    assert_eq!(inner, (0, text.0.len()), "the last one is everything");
}

#[test]
fn names_are_found_in_all_models_of_the_folder() {
    let mut client = Client::new();
    let all = client.ask("workspace/symbol", json!({ "query": "" }));
    assert!(all.as_array().unwrap().len() > 300, "{}", all.as_array().unwrap().len());
    let birds = client.ask("workspace/symbol", json!({ "query": "bird" }));
    let birds = birds.as_array().unwrap();
    let files: std::collections::BTreeSet<&str> =
        birds.iter().map(|symbol| symbol["location"]["uri"].as_str().unwrap()).collect();
    // Flock, boids in several variants, predator.
    assert!(files.len() >= 6, "{files:?}");
    assert!(birds.iter().all(|symbol| symbol["name"].as_str().unwrap().to_lowercase().contains("bird")));
}
