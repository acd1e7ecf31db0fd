//! What goes wrong: unknown requests, wrong parameters, killed workers, cancelled questions, strange files, clients that leave.

use crate::client::{Client, Utf16, uri};
use crate::process;
use serde_json::{Value as Json, json};
use std::time::Duration;

const LEADER: &str = "system {\n  spawn = Node: 3\n}\nstigmergy S {\n  link = true\n  leader: 3\n}\nagent Node {\n  \
                      stigmergies = S\n  Behavior = leader > id -> leader <~ id; Behavior\n}\ncheck {\n  \
                      Agreed = eventually forall Node a, leader of a = 0\n}\n";

fn hover(uri: &str, line: u32, character: u32) -> Json {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

#[test]
fn what_is_not_known_is_refused_and_nothing_else_happens() {
    let mut client = Client::silent();
    let early = client.refused("textDocument/hover", json!({}));
    assert_eq!(early["code"], -32002, "{early}");
    client.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(client.refused("textDocument/unknown", json!({}))["code"], -32601);
    assert_eq!(client.refused("initialize", json!({}))["code"], -32600);
    assert_eq!(client.refused("textDocument/hover", json!({ "textDocument": 3 }))["code"], -32602);
    assert_eq!(client.refused("textDocument/rename", hover("untitled:x", 0, 0))["code"], -32602);
    assert_eq!(client.refused("workspace/executeCommand", json!({ "command": "rm" }))["code"], -32602);
    for wrong in [json!(null), json!([1]), json!({ "textDocument": {} }), json!({ "contentChanges": 1 })] {
        for method in ["didOpen", "didChange", "didClose", "didSave", "unknown"] {
            client.tell(&format!("textDocument/{method}"), wrong.clone());
        }
        client.tell("workspace/didChangeConfiguration", wrong.clone());
        client.tell("$/cancelRequest", wrong);
    }
    // A document that was never opened.
    assert_eq!(client.ask("textDocument/hover", hover("untitled:x", 0, 0)), Json::Null);
    client.change("untitled:x", 2, json!([{ "text": "x" }]));
    client.open("untitled:x", "labs", 1, LEADER);
    assert!(client.diagnostics("untitled:x", 1).is_empty());
    client.ask("shutdown", Json::Null);
    assert_eq!(client.refused("textDocument/hover", hover("untitled:x", 9, 14))["code"], -32600);
    client.tell("exit", Json::Null);
    assert_eq!(client.ended(), Some(0));
}

#[test]
fn strange_texts_have_diagnostics_and_answers() {
    let mut client = Client::new();
    let long: String = (0..10_000).map(|n| format!("# line {n} 😀\r\n")).collect();
    let nested = "(".repeat(20_000);
    let wide = "x".repeat(1 << 20);
    let texts =
        ["", "\u{feff}", "\0", "😀", "\r", "\r\n\r\n", "agent", "{", "}", "_", "'", &long, &nested, &wide];
    let mut number = 0;
    for language in ["labs", "rcheck", "ccs", "chor"] {
        for text in texts {
            number += 1;
            let uri = format!("untitled:strange{number}");
            client.open(&uri, language, 7, text);
            client.diagnostics(&uri, 7);
            let document = json!({ "uri": uri });
            let end = Utf16::new(text).position(text.encode_utf16().count());
            for method in ["documentSymbol", "foldingRange", "codeLens", "semanticTokens/full"] {
                client.ask(&format!("textDocument/{method}"), json!({ "textDocument": document }));
            }
            for method in ["hover", "completion", "definition", "signatureHelp"] {
                let params = json!({ "textDocument": document, "position": end });
                client.ask(&format!("textDocument/{method}"), params);
            }
            client.tell("textDocument/didClose", json!({ "textDocument": document }));
        }
    }
    assert_eq!(client.goodbye(), Some(0));
}

#[test]
fn places_count_in_the_encoding_that_was_agreed() {
    // Before the name that is not declared stand characters of two and four bytes, of one and two units.
    let before = "SPEC G (/* äö 😀😀 */ ";
    let text = format!(
        "enum channel {{c}}\r\nmessage-structure: M : bool\r\nagent A\r\n  local: x : bool\r\n  init: x\r\n  relabel:\r\n  receive-guard: chan == c\r\n  repeat: (l: <x> *! (TRUE)(M := TRUE)[])\r\nsystem = A(one, TRUE)\r\n{before}one-z)\r\n"
    );
    for (encoding, name) in [("utf-8", "utf-8"), ("utf-16", "utf-16"), ("utf-32", "utf-16")] {
        let mut client = Client::with(&[encoding], json!({}));
        assert_eq!(client.hello["capabilities"]["positionEncoding"], name);
        client.open("untitled:u", "rcheck", 1, &text);
        let units = |text: &str| if name == "utf-8" { text.len() } else { text.encode_utf16().count() };
        let place = |told: Vec<Json>| -> Vec<(u64, u64)> {
            let wrong = told.iter().filter(|d| d["severity"] == 1).map(|d| &d["range"]["start"]);
            wrong.map(|p| (p["line"].as_u64().unwrap(), p["character"].as_u64().unwrap())).collect()
        };
        let found = place(client.diagnostics("untitled:u", 1));
        let column = units(before) as u64;
        assert!(found.iter().any(|p| *p == (9, column) || *p == (9, column + 4)), "{found:?}, not {column}");
        // A space between the two emoji, in units of the encoding: everything behind it moves by one.
        let at = json!({ "line": 9, "character": units("SPEC G (/* äö 😀") });
        client.change("untitled:u", 2, json!([{ "range": { "start": at, "end": at }, "text": " " }]));
        let moved: Vec<(u64, u64)> = found.iter().map(|(line, column)| (*line, column + 1)).collect();
        assert_eq!(place(client.diagnostics("untitled:u", 2)), moved);
    }
}

#[test]
fn what_waits_is_answered_when_its_document_is_closed() {
    let mut client = Client::new();
    let text: String = (0..2_000).map(|n| format!("proc P{n} = a{n}.P{n}\n")).collect::<String>()
        + "system = P0\ncheck { D = eventually a0 }\n";
    client.open("untitled:q", "ccs", 1, &text);
    let verify = client.command("swarmcheck.verify", json!(["untitled:q", null]));
    let definition = client.begin("textDocument/definition", hover("untitled:q", 1_999, 6));
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": "untitled:q" } }));
    // The same version of another text: nothing of the old one is told about it.
    client.open("untitled:q", "ccs", 1, "proc A = a.A\nsystem = A\n");
    let answer = client.answer(verify);
    assert!(answer["error"]["code"] == -32800 || answer["result"].is_array(), "{answer}");
    let answer = client.answer(definition);
    assert!(answer["result"].is_null(), "{answer}");
    assert_eq!(
        client.ask("textDocument/definition", hover("untitled:q", 1, 9))[0]["range"]["start"]["line"],
        0
    );
}

#[test]
fn a_document_that_is_opened_during_a_search_stays_open() {
    let mut client = Client::new();
    let search = client.begin("workspace/symbol", json!({ "query": "" }));
    let address = uri("examples/leader/leader.labs");
    let text = std::fs::read_to_string(crate::common::root().join("examples/leader/leader.labs")).unwrap();
    client.open(&address, "labs", 1, &text);
    client.answer(search);
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": address } }));
    assert!(!symbols.as_array().unwrap().is_empty());
}

#[test]
fn deep_and_wide_texts_are_answered_in_time() {
    let mut client = Client::new();
    let deep = "(".repeat(20_000) + &")".repeat(20_000);
    client.open("untitled:deep", "labs", 1, &deep);
    let middle = json!({ "textDocument": { "uri": "untitled:deep" }, "positions": [{ "line": 0, "character": 20_000 }] });
    let mut selection = &client.ask("textDocument/selectionRange", middle)[0];
    let mut levels = 1;
    while !selection["parent"].is_null() {
        (selection, levels) = (&selection["parent"], levels + 1);
    }
    assert!((50..500).contains(&levels), "{levels}");
    assert_eq!(selection["range"]["end"]["character"], 40_000);
    let wide: String = (0..12_000).map(|n| format!("P{n} = always x = {n} ")).collect();
    client.open("untitled:wide", "labs", 1, &format!("check {{ {wide} }}"));
    let tokens =
        client.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": "untitled:wide" } }));
    assert!(tokens["data"].as_array().unwrap().len() > 12_000 * 5);
}

#[test]
fn a_worker_that_is_killed_is_followed_by_another() {
    let mut client = Client::new();
    client.open("untitled:w", "labs", 1, LEADER);
    client.diagnostics("untitled:w", 1);
    let first = client.ask("textDocument/hover", hover("untitled:w", 9, 14));
    assert!(first["contents"]["value"].as_str().unwrap().contains("leader"), "{first}");
    for _ in 0..3 {
        let workers = process::descendants(client.process());
        assert_eq!(workers.len(), 1, "one worker knows all documents");
        process::signal("KILL", workers[0]);
        assert!(process::gone(&workers, Duration::from_secs(20)));
        assert_eq!(client.ask("textDocument/hover", hover("untitled:w", 9, 14)), first);
    }
    let workers = process::descendants(client.process());
    assert_eq!(client.goodbye(), Some(0));
    assert!(process::gone(&workers, Duration::from_secs(20)), "a worker outlives the server");
}

#[test]
fn a_cancelled_question_is_answered_once() {
    let mut client = Client::new();
    let text: String =
        (0..3_000).map(|n| format!("proc P{n} = a{n}.P{n}\n")).collect::<String>() + "system = P0\n";
    client.open("untitled:c", "ccs", 1, &text);
    let ids: Vec<i64> =
        (0..50).map(|_| client.begin("textDocument/hover", hover("untitled:c", 0, 6))).collect();
    for id in &ids {
        client.tell("$/cancelRequest", json!({ "id": id }));
    }
    let mut cancelled = 0;
    for id in ids {
        let answer = client.answer(id);
        let is_cancelled = answer["error"]["code"] == -32800;
        assert!(is_cancelled || answer["error"].is_null(), "{answer}");
        cancelled += usize::from(is_cancelled);
    }
    assert!(cancelled > 0, "nothing was cancelled in time");
    assert!(client.ask("textDocument/hover", hover("untitled:c", 0, 6)).is_object());
}

#[test]
fn a_question_about_an_old_text_is_not_answered_for_the_new_one() {
    let mut client = Client::new();
    let text: String =
        (0..3_000).map(|n| format!("proc P{n} = a{n}.P{n}\n")).collect::<String>() + "system = P0\n";
    client.open("untitled:o", "ccs", 1, &text);
    let id = client.begin("textDocument/definition", hover("untitled:o", 2_999, 6));
    let start = json!({ "line": 0, "character": 0 });
    client.change("untitled:o", 2, json!([{ "range": { "start": start, "end": start }, "text": "# new\n" }]));
    let answer = client.answer(id);
    // Either it was answered before the change, or it is refused; a wrong line is neither.
    let line = &answer["result"][0]["range"]["start"]["line"];
    assert!(answer["error"]["code"] == -32801 || *line == 2_999, "{answer}");
    assert_eq!(
        client.ask("textDocument/definition", hover("untitled:o", 3_000, 6))[0]["range"]["start"]["line"],
        3_000
    );
}

#[test]
fn a_client_that_leaves_takes_everything_with_it() {
    let mut client = Client::new();
    client.open("untitled:l", "labs", 1, LEADER);
    client.diagnostics("untitled:l", 1);
    let workers = process::descendants(client.process());
    assert!(!workers.is_empty());
    // The input ends without a word.
    assert_ne!(client.ended(), Some(0));
    assert!(process::gone(&workers, Duration::from_secs(20)));

    let mut client = Client::new();
    client.open("untitled:l", "labs", 1, LEADER);
    client.diagnostics("untitled:l", 1);
    client.send_raw(b"Content-Length: 5\r\n\r\n{]]]]");
    assert_ne!(client.ended(), Some(0));
}

#[test]
fn values_of_parameters_are_no_errors() {
    let text = "system { extern = _n spawn = A: _n } agent A { interface = x: 0.._n Behavior = x <- 0 } check { P = always forall A a, x of a < _n }\n";
    let mut client = Client::with(&["utf-16"], json!({ "askParameters": true }));
    let address = uri("nowhere/m.labs");
    client.open(&address, "labs", 1, text);
    let told = client.diagnostics(&address, 1);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((&told[0]["severity"], &told[0]["code"]), (&json!(4), &json!("assumed-parameter")));
    let place = &told[0]["range"];
    let actions = client.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": address }, "range": place, "context": { "diagnostics": told } }),
    );
    let actions = actions.as_array().unwrap();
    let default = actions.iter().find(|a| a["edit"].is_object()).unwrap();
    let edits = default["edit"]["changes"][&address].as_array().unwrap();
    assert!(Utf16::new(text).with_edits(edits).contains("extern = _n: 3 spawn"), "{edits:?}");
    let asks = actions.iter().find(|a| a["command"]["command"] == "swarmcheck.askParameters").unwrap();
    assert_eq!(asks["command"]["arguments"][1], json!([{ "name": "n", "value": "3" }]));
    let wrong = client.refused(
        "workspace/executeCommand",
        json!({ "command": "swarmcheck.setParameters", "arguments": [address, { "n": "many" }] }),
    );
    assert!(wrong["message"].as_str().unwrap().contains("`many`"), "{wrong}");
    let id = client.command("swarmcheck.setParameters", json!([address, { "n": 5 }]));
    assert!(client.answer(id)["error"].is_null());
    // The same version is told again, without the hint.
    let id = client.command("swarmcheck.verify", json!([address, "P"]));
    assert_eq!(client.answer(id)["result"][0]["verdict"], "holds");
    let told = client.diagnostics(&address, 1);
    assert!(told.iter().all(|d| d["code"] != "assumed-parameter"), "{told:?}");
    // Project files give values, too.
    let flock = uri("examples/flock/flock.labs");
    client.open(
        &flock,
        "labs",
        1,
        &std::fs::read_to_string(crate::common::root().join("examples/flock/flock.labs")).unwrap(),
    );
    assert!(client.diagnostics(&flock, 1).is_empty());
}
