//! The table of rooms in ARCHITECTURE.md against the manifests, and what follows from it.
//!
//! Only normal dependencies count: tests may use whatever they compare with.

use crate::common::{files, root};
use std::collections::{BTreeMap, BTreeSet};

/// Crates at the edge: they deal with files, clocks, processes or terminals, and have a `clippy.toml` of their own that
/// forbids nothing. All others leave that to their callers.
const EDGE: [&str; 7] =
    ["crates/testkit", "crates/worker", "crates/web", "crates/lsp", "crates/fuzz", "crates/cli", "benches"];

/// The lints behind the `clippy.toml` of the project, which only tests may allow.
const LINTS: [&str; 3] =
    ["clippy::disallowed_methods", "clippy::disallowed_types", "clippy::disallowed_macros"];

/// What describes languages, and nothing else does.
const LANGUAGES: [&str; 5] = ["crates/labs", "crates/calculi", "crates/ccs", "crates/chor", "crates/rcheck"];

/// What searches, and what makes searches shorter.
const ENGINES: [&str; 7] = [
    "crates/passes",
    "crates/explicit",
    "crates/prove",
    "crates/bdd",
    "crates/symbolic",
    "crates/smt",
    "crates/portfolio",
];

/// What the project's crates use of each other, by folder.
fn manifests() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = crate::metadata(&["--no-deps"]);
    let packages = metadata["packages"].as_array().unwrap();
    let folder_of = |manifest: &str| {
        let folder = std::path::Path::new(manifest).parent().unwrap().canonicalize().unwrap();
        folder.strip_prefix(root()).unwrap().display().to_string()
    };
    let uses = |package: &serde_json::Value| {
        let ours = package["dependencies"].as_array().unwrap().iter();
        let ours = ours.filter(|d| d["kind"].is_null() && d["path"].is_string());
        ours.map(|d| folder_of(&format!("{}/Cargo.toml", d["path"].as_str().unwrap()))).collect()
    };
    packages.iter().map(|p| (folder_of(p["manifest_path"].as_str().unwrap()), uses(p))).collect()
}

/// The rows of the table in order: folder and what it says that is used. Remarks in parentheses are left out.
fn table() -> Vec<(String, BTreeSet<String>)> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with("Rooms\n")).unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| {
        let folder = row.split('`').next().unwrap().to_string();
        let cell = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap().trim();
        let plain: String = cell.split('(').map(|part| part.rsplit(')').next().unwrap()).collect();
        let names = plain.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "–");
        (folder, names.map(|name| format!("crates/{name}")).collect())
    })
    .collect()
}

/// Everything that a crate uses, directly or not.
fn all_uses<'a>(rooms: &'a BTreeMap<String, BTreeSet<String>>, start: &'a str) -> BTreeSet<&'a str> {
    let (mut found, mut todo) = (BTreeSet::new(), vec![start]);
    while let Some(room) = todo.pop() {
        todo.extend(rooms[room].iter().map(String::as_str).filter(|used| found.insert(*used)));
    }
    found
}

/// The same for a folder, by name.
pub fn all_that_uses(start: &str) -> BTreeSet<String> {
    all_uses(&manifests(), start).into_iter().map(str::to_string).collect()
}

#[test]
fn the_table_of_rooms_is_what_the_manifests_say() {
    let (table, manifests) = (table(), manifests());
    assert!(table.len() >= 25, "only {} rooms found", table.len());
    let rows: BTreeMap<String, BTreeSet<String>> = table.iter().cloned().collect();
    assert_eq!(rows.len(), table.len(), "a room has two rows");
    let mut wrong = vec![];
    for folder in rows.keys().chain(manifests.keys()).collect::<BTreeSet<_>>() {
        if rows.get(folder) != manifests.get(folder) {
            let (row, manifest) = (rows.get(folder), manifests.get(folder));
            wrong.push(format!("{folder}: the table says {row:?}, the manifest {manifest:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let mut above = BTreeSet::new();
    for (folder, uses) in &table {
        let below: Vec<&String> = uses.difference(&above).collect();
        assert!(below.is_empty(), "{folder} uses {below:?}, which are not above it");
        above.insert(folder.clone());
    }
}

/// Adding a language touches no engine, and adding an engine touches no language.
#[test]
fn engines_and_exporters_know_no_language() {
    let rooms = manifests();
    for room in ["crates/portfolio", "crates/simulate", "crates/export", "crates/backends", "crates/triples"]
    {
        let uses = all_uses(&rooms, room);
        let languages: Vec<_> = LANGUAGES.iter().filter(|language| uses.contains(*language)).collect();
        assert!(languages.is_empty(), "{room} uses {languages:?}");
    }
}

/// What checks the evidence of engines shares no search and no reduction with them.
#[test]
fn oracles_know_no_engine() {
    let rooms = manifests();
    // Traces are written by a crate that knows questions; of that crate, certify uses the format and the claims only.
    let mut uses = all_uses(&rooms, "crates/reference");
    uses.extend(rooms["crates/certify"].iter().map(String::as_str));
    let known = |room: &&&str| uses.contains(*room);
    let engines: Vec<_> = ENGINES.iter().chain(&["crates/question", "crates/proof"]).filter(known).collect();
    assert!(engines.is_empty(), "oracles use {engines:?}");
    let mut found = 0;
    for path in files(&root().join("crates/certify/src"), ".rs") {
        let text = std::fs::read_to_string(&path).unwrap();
        for used in text.split("swarmcheck_engine::").skip(1) {
            found += 1;
            let allowed = ["trace::", "Why;", "Fairness;", "{Fairness, Why};"];
            let path = path.display();
            assert!(allowed.iter().any(|a| used.starts_with(a)), "{path}: {}", used.lines().next().unwrap());
        }
    }
    assert!(found > 5, "only {found} uses found");
}

/// Engines can be exchanged: what asks, encodes, checks and exports does not use one. The portfolio lists them, the façade
/// offers what only they can do, the test kit compares them, and proofs for every number of agents put their obligations to two.
#[test]
fn few_know_an_engine() {
    let rooms = manifests();
    let engines = ["crates/explicit", "crates/symbolic"];
    let knows = |uses: &BTreeSet<String>| engines.iter().any(|engine| uses.contains(*engine));
    let known: Vec<&String> = rooms.iter().filter(|(_, uses)| knows(uses)).map(|(room, _)| room).collect();
    assert_eq!(known, ["crates/parametric", "crates/portfolio", "crates/session", "crates/testkit"]);
    // Proofs are checked without those who find them.
    let uses = all_uses(&rooms, "crates/proof");
    let searching: Vec<_> = ["crates/explicit", "crates/bdd", "crates/symbolic", "crates/portfolio"]
        .into_iter()
        .filter(|engine| uses.contains(engine))
        .collect();
    assert!(searching.is_empty(), "crates/proof uses {searching:?}");
}

/// The lints that keep files, clocks and terminals out of the core are relaxed at the edge and in tests only, and every
/// crate obeys the workspace's lints.
#[test]
fn only_the_edge_touches_the_world() {
    for folder in manifests().keys() {
        let manifest = std::fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true\n"), "{folder} has lints of its own");
        if EDGE.contains(&folder.as_str()) {
            continue;
        }
        assert!(!root().join(folder).join("clippy.toml").exists(), "{folder} is not at the edge");
        for path in files(&root().join(folder).join("src"), ".rs") {
            let is_test =
                path.components().any(|part| ["tests", "tests.rs"].iter().any(|t| part.as_os_str() == *t));
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            let allowed = LINTS.iter().find(|lint| !is_test && code.contains(*lint));
            assert!(allowed.is_none(), "{} allows {allowed:?}", path.display());
        }
    }
}

/// A dependency that no source file names is compiled for nothing, and makes an arrow that is none.
#[test]
fn dependencies_are_used() {
    let metadata = crate::metadata(&["--no-deps"]);
    let (mut unused, mut looked_at) = (vec![], 0);
    for package in metadata["packages"].as_array().unwrap() {
        let manifest = std::path::Path::new(package["manifest_path"].as_str().unwrap());
        let sources = files(&manifest.parent().unwrap().join("src"), ".rs");
        let code: String = sources.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        for name in dependencies.filter(|d| d["kind"].is_null()).map(|d| d["name"].as_str().unwrap()) {
            looked_at += 1;
            if !code.contains(&name.replace('-', "_")) {
                unused.push(format!("{} does not use {name}", package["name"]));
            }
        }
    }
    assert!(looked_at > 80, "only {looked_at} dependencies found");
    assert!(unused.is_empty(), "{}", unused.join("\n"));
}
