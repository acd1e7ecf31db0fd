//! What each request says, on small models whose answers can be seen by looking.

use crate::client::{Client, Utf16};
use serde_json::{Value as Json, json};

/// A client with one document, in which `¦` marks the place that is asked about.
struct Asked {
    client: Client,
    text: Utf16,
    position: Json,
}

const URI: &str = "untitled:Document";

fn asked(language: &str, marked: &str) -> Asked {
    let at = marked.find('¦').expect("a mark");
    let text = marked.replacen('¦', "", 1);
    let units = marked[..at].encode_utf16().count();
    let mut client = Client::new();
    client.open(URI, language, 1, &text);
    client.diagnostics(URI, 1);
    let text = Utf16::new(&text);
    let position = text.position(units);
    Asked { client, text, position }
}

impl Asked {
    fn here(&mut self, method: &str, more: Json) -> Json {
        let mut params = json!({ "textDocument": { "uri": URI }, "position": self.position });
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        self.client.ask(&format!("textDocument/{method}"), params)
    }

    fn written(&self, range: &Json) -> String {
        let (from, to) = self.text.units(range);
        String::from_utf16(&self.text.0[from..to]).unwrap()
    }

    fn hover(&mut self) -> String {
        let hover = self.here("hover", json!({}));
        hover["contents"]["value"].as_str().unwrap_or("").to_string()
    }

    fn labels(&mut self) -> Vec<String> {
        let list = self.here("completion", json!({}));
        list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["label"].as_str().unwrap().to_string())
            .collect()
    }

    fn renamed(&mut self, name: &str) -> String {
        let edit = self.here("rename", json!({ "newName": name }));
        self.text.with_edits(edit["changes"][URI].as_array().unwrap())
    }
}

const FLOCK: &str = "system {
  extern = _n: 4
  environment = wind: 0
  spawn = Bird: _n, Cat: 1
}
stigmergy Heading {
  link = x of 1 = x of 2
  dir: 0..3
}
agent Bird {
  interface = x: 0..5
  stigmergies = Heading
  Behavior = Fly; Behavior
  Fly = dir > 0 -> x <- (x + dir) % 5
}
agent Cat {
  interface = hungry: 1
  Behavior = hungry = 1 -> hungry <- 0; wind <-- 1
}
check {
  Home = always forall Bird b, x of b < 5
}
";

/// The model with the mark before the nth place of a word.
fn at(word: &str, nth: usize) -> String {
    let (place, _) = FLOCK.match_indices(word).nth(nth).unwrap();
    format!("{}¦{}", &FLOCK[..place], &FLOCK[place..])
}

#[test]
fn hover_tells_declaration_values_users_and_rule() {
    // `x` is declared with 0..5, that is 0 to 4, and assigned modulo 5.
    let said = asked("labs", &at("x <- (x", 0)).hover();
    for part in [
        "x: 0..5",
        "Attribute of `Bird`",
        "values are 0 to 4",
        "Written by `Fly` (line 14)",
        "`Home` (line 21)",
    ] {
        assert!(said.contains(part), "{part:?} is missing in\n{said}");
    }
    assert!(asked("labs", &at("Bird: _n", 0)).hover().contains("there are 4 agents"));
    assert!(asked("labs", &at("_n, Cat", 0)).hover().contains("its value is 4"));
    // Rules ATTR and ENV of the thesis, table 3.6 and following; the citation is what matters here.
    for (place, nth) in [("<- (x", 0), ("<-- 1", 0), ("-> x", 0), ("always", 0), ("link", 0)] {
        let said = asked("labs", &at(place, nth)).hover();
        assert!(said.contains("thesis") || said.contains("docs/"), "{place}: {said}");
    }
}

#[test]
fn a_name_leads_to_its_declaration_and_back() {
    let mut asked = asked("labs", &at("dir > 0", 0));
    let found = asked.here("definition", json!({}));
    assert_eq!(asked.written(&found[0]["range"]), "dir");
    assert_eq!(found[0]["range"]["start"]["line"], 7);
    let context = json!({ "context": { "includeDeclaration": true } });
    let all = asked.here("references", context);
    let lines: Vec<u64> =
        all.as_array().unwrap().iter().map(|l| l["range"]["start"]["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [7, 13, 13]);
    let highlights = asked.here("documentHighlight", json!({}));
    assert_eq!(highlights.as_array().unwrap().len(), 3);
}

#[test]
fn another_name_everywhere_or_nowhere() {
    let mut bird = asked("labs", &at("x of b", 0));
    let renamed = bird.renamed("column");
    let expected = FLOCK
        .replace("x of 1 = x of 2", "column of 1 = column of 2")
        .replace("interface = x: 0..5", "interface = column: 0..5")
        .replace("x <- (x + dir)", "column <- (column + dir)")
        .replace("x of b < 5", "column of b < 5");
    assert_eq!(renamed, expected);
    assert_eq!(asked("labs", &at("_n: 4", 0)).renamed("flock"), FLOCK.replace("_n", "_flock"));
    assert_eq!(asked("labs", &at("Fly; ", 0)).renamed("Soar"), FLOCK.replace("Fly", "Soar"));
    // Names that are taken, words of the language, the process that agents start with.
    for (place, name) in [
        ("x of b", "dir"),
        ("x of b", "X"),
        ("x of b", "forall"),
        ("Behavior = Fly", "Start"),
        ("b, x of", "1"),
    ] {
        let mut asked = asked("labs", &at(place, 0));
        let params = json!({ "textDocument": { "uri": URI }, "position": asked.position, "newName": name });
        let refused = asked.client.refused("textDocument/rename", params);
        assert!(refused["message"].as_str().unwrap().len() > 20, "{place} {name}: {refused}");
    }
    let buffer = "proc Cell = put.'get.Cell\nsystem = (Cell | 'put.¦get.0) \\ {get}\ncheck {\n  Gets = eventually tau\n}\n";
    let renamed = asked("ccs", buffer).renamed("take");
    assert_eq!(
        renamed,
        "proc Cell = put.'take.Cell\nsystem = (Cell | 'put.take.0) \\ {take}\ncheck {\n  Gets = eventually tau\n}\n"
    );
}

#[test]
fn completion_knows_the_place() {
    let has = |marked: &str, wanted: &[&str], unwanted: &[&str]| {
        let labels = asked("labs", marked).labels();
        for word in wanted {
            assert!(labels.iter().any(|label| label == word), "{word} is missing at\n{marked}\n{labels:?}");
        }
        for word in unwanted {
            assert!(!labels.iter().any(|label| label == word), "{word} is offered at\n{marked}");
        }
    };
    has(&FLOCK.replace("dir > 0 ->", "¦ dir > 0 ->"), &["x", "dir", "wind", "Fly"], &["hungry"]);
    has(&FLOCK.replace("hungry = 1 ->", "¦ hungry = 1 ->"), &["hungry", "wind"], &["x", "dir"]);
    has(&FLOCK.replace("stigmergies = Heading", "stigmergies = ¦"), &["Heading"], &["Bird"]);
    has(&FLOCK.replace("Home = always", "Home = ¦"), &["always", "eventually", "fairly_inf"], &["x"]);
    has(&FLOCK.replace("forall Bird b", "forall ¦ b"), &["Bird", "Cat"], &["x"]);
    has(&(FLOCK.to_string() + "¦"), &["agent", "stigmergy"], &["x"]);
}

#[test]
fn processes_know_who_calls_them() {
    let mut asked = asked("labs", &at("Fly; ", 0));
    let items = asked.here("prepareCallHierarchy", json!({}));
    assert_eq!(items[0]["name"], "Fly");
    let incoming = asked.client.ask("callHierarchy/incomingCalls", json!({ "item": items[0] }));
    assert_eq!(incoming[0]["from"]["name"], "Behavior");
    let outgoing = asked.client.ask("callHierarchy/outgoingCalls", json!({ "item": incoming[0]["from"] }));
    let names: Vec<&str> =
        outgoing.as_array().unwrap().iter().map(|call| call["to"]["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"Fly") && names.contains(&"Behavior"));
}

#[test]
fn the_outline_has_the_parts_of_agents() {
    let mut asked = asked("labs", &at("system", 0));
    let symbols = asked.here("documentSymbol", json!({}));
    let names = |list: &Json| -> Vec<String> {
        list.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap().to_string()).collect()
    };
    let bird = symbols.as_array().unwrap().iter().find(|symbol| symbol["name"] == "Bird").unwrap();
    assert_eq!(names(&bird["children"]), ["x", "Behavior", "Fly"]);
    assert_eq!(bird["range"]["end"]["line"], 14);
    let folds = asked.here("foldingRange", json!({}));
    let folds: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap()))
        .collect();
    for section in [(0, 4), (5, 8), (9, 14), (15, 18), (19, 21)] {
        assert!(folds.contains(&section), "{section:?} of {folds:?}");
    }
}

#[test]
fn hints_tell_values_and_numbers() {
    let mut asked = asked("labs", &at("system", 0));
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints =
        asked.client.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": URI }, "range": whole }));
    let said: Vec<(u64, &str)> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|hint| (hint["position"]["line"].as_u64().unwrap(), hint["label"].as_str().unwrap()))
        .collect();
    // `0..3` and `0..5` leave out their upper bound; the wind is 0 or 1.
    for hint in
        [(9, "4 agents"), (15, "1 agent"), (7, "dir ∈ 0 to 2"), (10, "x ∈ 0 to 4"), (2, "wind ∈ 0, 1")]
    {
        assert!(said.contains(&hint), "{hint:?} of {said:?}");
    }
    // The parameter has the default that stands there.
    assert!(said.iter().all(|(line, _)| *line != 1), "{said:?}");
}

#[test]
fn fixes_mend_what_they_are_offered_for() {
    // A name with two letters exchanged, and the arrow of another store.
    for wrong in ["hungyr <- 0", "hungry <~ 0"] {
        let broken = FLOCK.replace("hungry <- 0", wrong);
        let mut client = Client::new();
        client.open(URI, "labs", 1, &broken);
        let told = client.diagnostics(URI, 1);
        let error = told.iter().find(|d| d["severity"] == 1).unwrap();
        let params = json!({ "textDocument": { "uri": URI }, "range": error["range"], "context": { "diagnostics": told } });
        let actions = client.ask("textDocument/codeAction", params);
        let fix = actions.as_array().unwrap().iter().find(|action| action["isPreferred"] == true).unwrap();
        assert_eq!(fix["diagnostics"][0]["code"], error["code"]);
        let edits = fix["edit"]["changes"][URI].as_array().unwrap();
        assert_eq!(Utf16::new(&broken).with_edits(edits), FLOCK, "{wrong}");
        let related = error["relatedInformation"].as_array().unwrap();
        // The wrong arrow also shows where the variable is declared.
        assert_eq!(!related.is_empty(), wrong.contains('~'), "{error}");
    }
}

#[test]
fn formatting_changes_white_space_only() {
    let ugly = FLOCK.replace("  interface", "interface").replace("x <- (x + dir) % 5", "x<-(x+dir)%5");
    let mut client = Client::new();
    client.open(URI, "labs", 1, &ugly);
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let edits =
        client.ask("textDocument/formatting", json!({ "textDocument": { "uri": URI }, "options": options }));
    assert_eq!(Utf16::new(&ugly).with_edits(edits.as_array().unwrap()), FLOCK);
    // Editors write the end of the last line themselves.
    client.open("untitled:End", "labs", 1, ugly.trim_end());
    let params = json!({ "textDocument": { "uri": "untitled:End" }, "options": options });
    let edits = client.ask("textDocument/formatting", params);
    assert_eq!(Utf16::new(ugly.trim_end()).with_edits(edits.as_array().unwrap()), FLOCK.trim_end());
    // One line only.
    let line = json!({ "start": { "line": 10, "character": 0 }, "end": { "line": 10, "character": 3 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": line, "options": options });
    let edits = client.ask("textDocument/rangeFormatting", params);
    assert_eq!(
        Utf16::new(&ugly).with_edits(edits.as_array().unwrap()),
        ugly.replacen("interface = x", "  interface = x", 1)
    );
}
