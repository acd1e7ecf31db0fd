//! Random incremental changes against the whole text: the same diagnostics, no drift, no panic.

use crate::client::{Client, Utf16};
use crate::everything::examples;
use serde_json::{Value as Json, json};

/// What is inserted: pieces of the languages, line ends of all kinds, characters of one to four bytes.
const PIECES: &[&str] = &[
    "x",
    "_n",
    " ",
    "\n",
    "\r\n",
    "\r",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<-",
    "<~",
    "<--",
    "->",
    "++",
    "|",
    ";",
    ",",
    ":",
    "=",
    "agent A {\n",
    "forall Bird b, ",
    "# é\n",
    "// ß\n",
    "/*",
    "*/",
    "😀",
    "𝔸",
    "é",
    "∧",
    "'a.",
    "\"",
    "0",
    "9999999999999999999999",
    "always ",
    "proc P = ",
    "\u{feff}",
    "\t",
    "\0",
];

/// Diagnostics without what belongs to the document they are of.
fn told(list: Vec<Json>) -> Vec<Json> {
    let mut list = list;
    for one in &mut list {
        for related in one["relatedInformation"].as_array_mut().into_iter().flatten() {
            related["location"]["uri"] = Json::Null;
        }
    }
    list
}

/// Makes so many random changes, in batches, and compares after each batch.
fn edit(changes: usize, seed: u64) -> (usize, usize) {
    let mut random = fastrand::Rng::with_seed(seed);
    let examples = examples();
    let mut client = Client::new();
    let (mut made, mut compared, mut wrong) = (0, 0, 0);
    while made < changes {
        let (_, language, source) = &examples[random.usize(..examples.len())];
        let mut text = Utf16::new(source);
        let (uri, whole) = (format!("untitled:a{compared}"), format!("untitled:b{compared}"));
        client.open(&uri, language, 1, source);
        client.open(&whole, language, 1, "");
        let mut version = 1;
        for _ in 0..6 {
            // Several notifications, each with several changes.
            for _ in 0..random.usize(1..4) {
                let mut batch = vec![];
                for _ in 0..random.usize(1..8) {
                    batch.push(change(&mut text, &mut random));
                    made += 1;
                }
                version += 1;
                client.change(&uri, version, Json::Array(batch));
            }
            client.change(&whole, version, json!([{ "text": text.text() }]));
            let (one, other) = (client.diagnostics(&uri, version), client.diagnostics(&whole, version));
            wrong += usize::from(!one.is_empty());
            assert_eq!(told(one), told(other), "{:?}", text.text());
            compared += 1;
        }
        for uri in [uri, whole] {
            client.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        }
    }
    assert_eq!(client.goodbye(), Some(0));
    (compared, wrong)
}

/// A random change; small ones are frequent, and boundaries of characters are kept.
fn change(text: &mut Utf16, random: &mut fastrand::Rng) -> Json {
    let boundary = |mut at: usize| {
        while !text.is_boundary(at) {
            at -= 1;
        }
        at
    };
    let from = boundary(random.usize(..=text.0.len()));
    let longest = if random.u8(..10) == 0 { 200 } else { 3 };
    let to = boundary((from + random.usize(..=longest)).min(text.0.len())).max(from);
    let new: String = (0..random.usize(..3)).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
    text.replace(from, to, &new)
}

#[test]
fn random_changes_leave_what_the_whole_text_would() {
    let (compared, wrong) = edit(1_500, 21);
    assert!(compared > 100 && wrong > compared / 4, "{compared} compared, {wrong} with diagnostics");
}

/// `SWARMCHECK_EDITS=100000 cargo test --release -p swarmcheck-cli --test lsp -- --ignored long_run --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn long_run() {
    let number = |name: &str, default: u64| std::env::var(name).ok().map_or(default, |n| n.parse().unwrap());
    let (edits, seed) = (number("SWARMCHECK_EDITS", 100_000), number("SWARMCHECK_SEED", 1));
    let (compared, wrong) = edit(edits as usize, seed);
    println!("{edits} changes, {compared} texts compared, {wrong} of them with diagnostics, no difference");
}
