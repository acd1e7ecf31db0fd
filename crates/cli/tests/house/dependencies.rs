//! The supply chain in docs/assurance.md: every package that this project is built of has a row with its licence, the direct
//! ones with the reason why they are here, and no row is left over.

use crate::common::root;
use std::collections::{BTreeMap, BTreeSet};

/// What a row says.
struct Row {
    licence: String,
    /// Empty for packages that others bring along.
    reason: String,
}

/// The rows of the tables under this heading, by the name of the package.
fn rows(text: &str, heading: &str) -> BTreeMap<String, Row> {
    let section = text.split("\n## ").find(|s| s.starts_with(heading)).unwrap();
    let row = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.trim_end_matches('`').to_string();
        let clean = |cell: Option<&str>| cell.unwrap_or("").trim_end_matches('|').trim().to_string();
        let licence = clean(cells.next());
        Some((name, Row { licence, reason: clean(cells.next()) }))
    };
    section.lines().filter_map(row).collect()
}

#[test]
fn every_dependency_has_a_row() {
    let rustc = std::process::Command::new("rustc").arg("-vV").output().unwrap();
    let said = String::from_utf8(rustc.stdout).unwrap();
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = crate::metadata(&["--filter-platform", host]);
    let packages = metadata["packages"].as_array().unwrap();
    let members: BTreeSet<&str> =
        metadata["workspace_members"].as_array().unwrap().iter().filter_map(|m| m.as_str()).collect();
    let is_ours = |package: &serde_json::Value| members.contains(package["id"].as_str().unwrap());
    // Dependencies with a source come from the registry. Optional ones may not be resolved here.
    let mut direct = BTreeSet::new();
    for package in packages.iter().filter(|p| is_ours(p)) {
        for dependency in package["dependencies"].as_array().unwrap() {
            if dependency["source"].is_string() {
                direct.insert(dependency["name"].as_str().unwrap().to_string());
            }
        }
    }
    let mut licences: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages.iter().filter(|p| !is_ours(p)) {
        let name = package["name"].as_str().unwrap().to_string();
        licences.entry(name).or_default().insert(package["license"].as_str().unwrap_or("").to_string());
    }
    let text = std::fs::read_to_string(root().join("docs/assurance.md")).unwrap();
    let rows = rows(&text, "Supply chain");
    let mut wrong = vec![];
    for (name, known) in &licences {
        let said = known.iter().cloned().collect::<Vec<_>>().join("; ");
        match rows.get(name) {
            None => wrong.push(format!("{name} has no row: {said}")),
            Some(row) if row.licence != said => {
                wrong.push(format!("{name}: the row says {}, the package {said}", row.licence));
            }
            Some(row) if direct.contains(name) && row.reason.len() < 20 => {
                wrong.push(format!("{name} is a direct dependency without a reason"));
            }
            Some(_) => {}
        }
    }
    wrong.extend(
        direct.iter().filter(|name| !rows.contains_key(*name)).map(|name| format!("{name} has no row")),
    );
    let left = rows.keys().filter(|name| !licences.contains_key(*name) && !direct.contains(*name));
    wrong.extend(left.map(|name| format!("{name} has a row, and is not used")));
    assert!(
        licences.len() > 100 && direct.len() > 20,
        "{} packages, {} direct",
        licences.len(),
        direct.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
