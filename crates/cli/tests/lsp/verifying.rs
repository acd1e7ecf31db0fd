//! Verification from the editor: verdicts with their progress, lenses, hints and diagnostics, executions, cancelling.

use crate::client::{Client, uri};
use crate::common;
use serde_json::{Value as Json, json};

/// Every bird keeps its place, so nobody is ever in one place with another; and a counter that ends.
const MODEL: &str = "system { spawn = A: 2 }
agent A {
  interface = n: 0
  Behavior = n < 3 -> n <- n + 1; Behavior
}
check {
  Small = always forall A a, n of a <= 3
  Tiny = always forall A a, n of a <= 1
}
";

const URI: &str = "untitled:Counter";

fn opened(options: Json) -> Client {
    let mut client = Client::with(&["utf-16"], options);
    client.open(URI, "labs", 1, MODEL);
    client.diagnostics(URI, 1);
    client
}

fn titles(client: &mut Client) -> Vec<String> {
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
    lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| lens["command"]["title"].as_str().unwrap().to_string())
        .collect()
}

#[test]
fn verdicts_are_told_where_properties_stand() {
    let mut client = opened(json!({}));
    let before = titles(&mut client);
    assert_eq!(before.iter().filter(|title| *title == "verify").count(), 2);
    assert_eq!(before.iter().filter(|title| *title == "show automaton").count(), 1);
    let id = client.command("swarmcheck.verify", json!([URI, null]));
    let answers = client.answer(id);
    let verdict = |name: &str| {
        let list = answers["result"].as_array().unwrap();
        list.iter().find(|answer| answer["property"] == name).unwrap()["verdict"].clone()
    };
    assert_eq!((verdict("Small"), verdict("Tiny")), (json!("holds"), json!("violated")));
    let told = client.diagnostics(URI, 1);
    let of = |code: &str| told.iter().find(|d| d["code"] == code).unwrap();
    assert_eq!((&of("violated")["severity"], &of("holds")["severity"]), (&json!(1), &json!(4)));
    assert_eq!(
        (&of("violated")["range"]["start"]["line"], &of("holds")["range"]["start"]["line"]),
        (&json!(7), &json!(6))
    );
    assert!(of("violated")["message"].as_str().unwrap().contains("trace of 2 steps"), "{told:?}");
    // Progress begins and ends, and the verdicts stand in its last word.
    let progress = |kind: &'static str| {
        move |said: &Json| {
            let is_it = said["method"] == "$/progress" && said["params"]["value"]["kind"] == kind;
            is_it.then(|| said["params"]["value"]["message"].clone())
        }
    };
    client.hear("begin", progress("begin"));
    assert_eq!(client.hear("end", progress("end")), "Small holds, Tiny violated");
    let after = titles(&mut client);
    assert!(after.iter().any(|title| title.starts_with("holds (") && !title.contains("stale")), "{after:?}");
    assert!(
        after.iter().any(|title| title.starts_with("violated (") && title.ends_with(": show")),
        "{after:?}"
    );
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints =
        client.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": URI }, "range": whole }));
    let shown = |line: u64, word: &str| {
        let hints = hints.as_array().unwrap().iter();
        let mut hints = hints.filter(|hint| hint["position"]["line"] == line);
        hints.any(|hint| hint["label"].as_str().unwrap().starts_with(word))
    };
    assert!(shown(6, "holds") && shown(7, "violated"), "{hints}");

    // Another text: verdicts are stale, and no diagnostics any more.
    let end = json!({ "line": 9, "character": 0 });
    client.change(URI, 2, json!([{ "range": { "start": end, "end": end }, "text": "# more\n" }]));
    assert!(client.diagnostics(URI, 2).is_empty());
    let stale = titles(&mut client);
    assert_eq!(stale.iter().filter(|title| title.contains("stale")).count(), 2, "{stale:?}");
}

#[test]
fn a_counterexample_leads_to_the_source() {
    let mut client = opened(json!({ "virtualDocuments": true, "player": "notification" }));
    let early = client.refused(
        "workspace/executeCommand",
        json!({ "command": "swarmcheck.showTrace", "arguments": [URI, "Tiny"] }),
    );
    assert!(early["message"].as_str().unwrap().contains("verify it first"), "{early}");
    let id = client.command("swarmcheck.verify", json!([URI, "Tiny"]));
    assert_eq!(client.answer(id)["result"][0]["verdict"], "violated");
    let id = client.command("swarmcheck.showTrace", json!([URI, "Tiny"]));
    assert!(client.answer(id)["error"].is_null());
    let shown = client.hear("a document", |said| {
        (said["method"] == "window/showDocument").then(|| said["params"]["uri"].as_str().unwrap().to_string())
    });
    let text = client.ask("workspace/textDocumentContent", json!({ "uri": shown }))["text"]
        .as_str()
        .unwrap()
        .to_string();
    // Two steps of one agent make n = 2, and no shorter execution does.
    assert!(
        text.starts_with("Tiny is violated\n") && text.contains("  2. A 0") && !text.contains("  3. "),
        "{text}"
    );
    let links = client.ask("textDocument/documentLink", json!({ "textDocument": { "uri": shown } }));
    let links = links.as_array().unwrap();
    assert_eq!(links.len(), 2);
    for link in links {
        let line = text.lines().nth(link["range"]["start"]["line"].as_u64().unwrap() as usize).unwrap();
        assert!(line.contains("n <- n + 1"), "{line}");
        assert!(link["target"].as_str().unwrap().starts_with(&format!("{URI}#L4,")), "{link}");
    }
    let id = client.command("swarmcheck.showPlayer", json!([URI, "Tiny"]));
    assert!(client.answer(id)["error"].is_null());
    let page = |client: &mut Client, title: &'static str| {
        client.hear("a page", |said| {
            let is_it = said["method"] == "swarmcheck/player"
                && said["params"]["title"].as_str().unwrap().contains(title);
            is_it.then(|| said["params"]["html"].as_str().unwrap().to_string())
        })
    };
    assert!(page(&mut client, "Tiny of").contains("</html>"));
    let id = client.command("swarmcheck.showAutomaton", json!([URI, "A"]));
    assert!(client.answer(id)["error"].is_null());
    assert!(page(&mut client, "automata of ").contains("<svg"));
}

#[test]
fn a_random_run_is_shown_until_the_violation() {
    let mut client = opened(json!({}));
    let id = client.command("swarmcheck.simulateToViolation", json!([URI, "Tiny"]));
    assert!(client.answer(id)["error"].is_null());
    let shown = client.hear("a page", |said| {
        (said["method"] == "window/showDocument").then(|| said["params"]["uri"].as_str().unwrap().to_string())
    });
    let path = shown.strip_prefix("file://").unwrap();
    assert!(std::fs::read_to_string(path).unwrap().contains("</html>"));
    // What holds is violated by no run, and that is said.
    let id = client.command("swarmcheck.simulateToViolation", json!([URI, "Small"]));
    assert!(client.answer(id)["error"].is_null());
    client.hear("a message", |said| {
        said["params"]["message"].as_str().filter(|m| m.starts_with("none of 2000 random runs")).map(|_| ())
    });
    // The files are gone with the server.
    assert_eq!(client.goodbye(), Some(0));
    assert!(!std::path::Path::new(path).exists());
}

/// A search that nobody waits for: the flock on a large grid.
fn endless(client: &mut Client) -> String {
    let address = uri("examples/flock/flock.labs");
    let text = std::fs::read_to_string(common::root().join("examples/flock/flock.labs")).unwrap();
    client.open(&address, "labs", 1, &text);
    client.diagnostics(&address, 1);
    let id =
        client.command("swarmcheck.setParameters", json!([address, { "birds": 4, "grid": 14, "delta": 5 }]));
    assert!(client.answer(id)["error"].is_null());
    address
}

#[test]
fn work_is_cancelled_by_its_progress_its_request_and_its_document() {
    let mut client = Client::new();
    let address = endless(&mut client);
    let arguments = json!([address, "ConsensusAgain"]);
    // By its progress.
    let id = client.command("swarmcheck.verify", arguments.clone());
    let token = client.hear("progress", |said| {
        (said["params"]["value"]["kind"] == "begin").then(|| said["params"]["token"].clone())
    });
    client.tell("window/workDoneProgress/cancel", json!({ "token": token }));
    assert_eq!(client.answer(id)["result"][0]["verdict"], "unknown");
    // By its request.
    let id = client.command("swarmcheck.verify", arguments.clone());
    client.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(client.answer(id)["result"][0]["verdict"], "unknown");
    // By its document; meanwhile other questions are answered.
    let id = client.command("swarmcheck.verify", arguments);
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": address } }));
    assert!(!symbols.as_array().unwrap().is_empty());
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": address } }));
    client.answer(id);
    assert_eq!(client.goodbye(), Some(0));
}

#[test]
fn limits_of_the_settings_hold() {
    let mut client = Client::with(&["utf-16"], json!({ "timeout": 1 }));
    let address = endless(&mut client);
    let id = client.command("swarmcheck.verify", json!([address, "ConsensusAgain"]));
    let answer = client.answer(id);
    assert_eq!(answer["result"][0]["verdict"], "unknown", "{answer}");
    client.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "swarmcheck": { "engine": "steam" } } }),
    );
    let id = client.command("swarmcheck.verify", json!([address, "ConsensusAgain"]));
    assert!(client.answer(id)["error"]["message"].as_str().unwrap().contains("steam"));
}

/// A verdict is about a text and the values of its parameters: with others it is stale.
#[test]
fn verdicts_for_other_parameters_are_stale() {
    let text = MODEL
        .replace("spawn = A: 2", "extern = _most: 3 spawn = A: 2")
        .replace("n of a <= 3", "n of a <= _most");
    let mut client = Client::new();
    client.open(URI, "labs", 1, &text);
    client.diagnostics(URI, 1);
    let verify = |client: &mut Client| {
        let id = client.command("swarmcheck.verify", json!([URI, "Small"]));
        client.answer(id)["result"][0]["verdict"].clone()
    };
    assert_eq!(verify(&mut client), "holds");
    let stale = |client: &mut Client| titles(client).iter().any(|title| title.contains("stale"));
    assert!(!stale(&mut client));
    client.tell("workspace/didChangeConfiguration", json!({ "settings": { "parameters": { "most": 2 } } }));
    assert!(stale(&mut client));
    assert!(client.diagnostics(URI, 1).iter().all(|d| d["code"] != "holds"));
    assert_eq!(verify(&mut client), "violated");
    assert!(!stale(&mut client));
    client.tell("workspace/didChangeConfiguration", json!({ "settings": { "parameters": {} } }));
    assert!(stale(&mut client));
}

/// A job that was cancelled does not replace what a later one has found.
#[test]
fn what_is_cancelled_says_nothing() {
    let mut client = Client::new();
    let address = endless(&mut client);
    let slow = client.command("swarmcheck.verify", json!([address, null]));
    client.hear("progress", |said| (said["params"]["value"]["kind"] == "begin").then_some(()));
    let id =
        client.command("swarmcheck.setParameters", json!([address, { "birds": 2, "grid": 2, "delta": 1 }]));
    client.answer(id);
    let id = client.command("swarmcheck.verify", json!([address, null]));
    let answers = client.answer(id);
    assert!(answers["result"].as_array().unwrap().iter().all(|a| a["verdict"] != "unknown"), "{answers}");
    client.answer(slow);
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": address } }));
    let shown: Vec<&str> =
        lenses.as_array().unwrap().iter().filter_map(|l| l["command"]["title"].as_str()).collect();
    assert!(shown.iter().all(|title| !title.contains("unknown") && !title.contains("stale")), "{shown:?}");
}

#[test]
fn a_saved_document_is_verified_if_that_is_wanted() {
    let mut client = opened(json!({ "verifyOnSave": true }));
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": URI } }));
    let end = client.hear("the end", |said| {
        let value = &said["params"]["value"];
        (value["kind"] == "end").then(|| value["message"].as_str().unwrap().to_string())
    });
    assert_eq!(end, "Small holds, Tiny violated");
}

/// Verdicts in the editor are those of the project files, in all four languages.
#[test]
fn examples_have_their_verdicts() {
    let mut client = Client::new();
    let mut compared = 0;
    for (path, language, expected) in [
        ("examples/leader/leader.labs", "labs", "LeaderIs0 holds"),
        ("examples/rcheck-buffer/buffer.rcp", "rcheck", ""),
        ("examples/alternating-bit/abp.ccs", "ccs", "InOrder holds, Progress holds, Delivered violated"),
        ("examples/stock/stock.chor", "chor", "BidFirst holds, Told violated"),
    ] {
        let address = uri(path);
        let folder = common::root().join(path);
        client.open(&address, language, 1, &std::fs::read_to_string(&folder).unwrap());
        client.diagnostics(&address, 1);
        let id = client.command("swarmcheck.verify", json!([address]));
        let answers = client.answer(id);
        let answers = answers["result"].as_array().unwrap();
        let found: Vec<String> = answers
            .iter()
            .map(|a| format!("{} {}", a["property"].as_str().unwrap(), a["verdict"].as_str().unwrap()))
            .collect();
        let project = std::fs::read_to_string(folder.with_file_name("swarmcheck.toml")).unwrap();
        let rows = swarmcheck_project::rows(&project).unwrap();
        let name = folder.file_name().unwrap().to_str().unwrap();
        let first = rows.iter().find(|row| row.file == name && !row.slow).unwrap().model;
        for row in
            rows.iter().filter(|row| row.model == first && row.property != swarmcheck_project::DEADLOCK)
        {
            let line = format!("{} {}", row.property, row.verdict);
            assert!(found.contains(&line), "{path}: {line} of {found:?}");
            compared += 1;
        }
        assert!(
            expected.split(", ").filter(|e| !e.is_empty()).all(|e| found.contains(&e.to_string())),
            "{path}: {found:?}"
        );
    }
    assert!(compared >= 8, "only {compared}");
}
