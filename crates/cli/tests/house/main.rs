//! The rules of the house, checked: links lead somewhere, paths in ARCHITECTURE.md exist, every file says what it is
//! for, generated pages are up to date, crates use what they may use.

#[path = "../common/mod.rs"]
mod common;
mod dependencies;
mod licences;
mod rooms;
mod terminal;
mod trusted;

use common::{files, markdown_files, root};
use std::path::PathBuf;

/// What cargo says about this project. What it needs was downloaded when this test was built.
fn metadata(options: &[&str]) -> serde_json::Value {
    let mut cargo = std::process::Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--offline"]).args(options);
    let output = cargo.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn links_lead_somewhere() {
    let (mut broken, mut links) = (vec![], 0);
    for path in markdown_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        for part in text.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or("");
            let file = target.split('#').next().unwrap_or("");
            if file.is_empty() || file.contains("://") {
                continue;
            }
            links += 1;
            if !path.parent().unwrap().join(file).exists() {
                broken.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(links >= 150, "only {links} links found");
}

#[test]
fn paths_in_the_architecture_exist() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let paths: Vec<&str> = quoted
        .filter(|q| q.contains('/') && !q.contains(' ') && !q.contains('<') && !q.contains("::"))
        .collect();
    assert!(paths.len() >= 12, "only {} paths found", paths.len());
    let missing: Vec<&&str> = paths.iter().filter(|p| !root().join(p).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The walk names files, each followed by the functions in it that are meant.
#[test]
fn the_walk_through_verify_names_functions_that_exist() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let walk = text.split("\n## ").find(|section| section.starts_with("`verify`, from text")).unwrap();
    let (mut file, mut found, mut missing) = (None, 0, vec![]);
    // The first quoted text is the heading's.
    for quoted in walk.split('`').skip(1).step_by(2).skip(1) {
        if quoted.ends_with(".rs") {
            file = Some((quoted, std::fs::read_to_string(root().join(quoted)).unwrap()));
        } else if let Some((name, source)) = file.take() {
            found += 1;
            if !source.contains(&format!("fn {quoted}(")) && !source.contains(&format!("fn {quoted}<")) {
                missing.push(format!("{name}: {quoted}"));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
    assert!(found >= 18, "only {found} functions are named");
}

#[test]
fn every_source_file_says_what_it_is_for() {
    let sources = files(&root(), ".rs");
    assert!(sources.len() > 80, "only {} files found", sources.len());
    let silent: Vec<_> =
        sources.iter().filter(|p| !std::fs::read_to_string(p).unwrap().starts_with("//! ")).collect();
    assert!(silent.is_empty(), "{silent:?}");
}

/// What makes up a language should fit into an afternoon: `docs/adding-a-language.md` promises that CCS does. The literal
/// rules are not counted: they are the oracle of the front end, and no part of it.
#[test]
fn the_front_end_of_ccs_is_small() {
    let sources = files(&root().join("crates/ccs/src"), ".rs");
    // What editors ask is no part of reading and lowering a file, and neither are the literal rules.
    let is_counted = |path: &&PathBuf| {
        !path.ends_with("rules.rs") && !path.components().any(|part| part.as_os_str() == "editor")
    };
    let counted = sources.iter().filter(is_counted);
    let lines: usize = counted.map(|path| std::fs::read_to_string(path).unwrap().lines().count()).sum();
    assert!((300..800).contains(&lines), "{lines} lines");
}

#[test]
fn generated_pages_are_up_to_date() {
    let manual = swarmcheck_cli::manual::manual();
    let stored = std::fs::read_to_string(root().join("docs/command-line.md")).unwrap_or_default();
    if std::env::var_os("SWARMCHECK_BLESS").is_some() {
        std::fs::write(root().join("docs/command-line.md"), &manual).unwrap();
    } else {
        assert!(stored == manual, "docs/command-line.md is out of date; run with SWARMCHECK_BLESS=1");
    }
    let exits = std::fs::read_to_string(root().join("docs/exit-codes.md")).unwrap();
    for (exit, meaning) in swarmcheck_cli::exit::Exit::TABLE {
        let row = format!("| {} | {meaning} |", exit.code());
        assert!(exits.contains(&row), "docs/exit-codes.md lacks {row:?}");
    }
    let codes = std::fs::read_to_string(root().join("docs/diagnostics.md")).unwrap();
    for (code, title) in swarmcheck_session::CALCULI_CATALOGUE {
        let row = format!("| {code} | {title} |");
        assert!(codes.contains(&row), "docs/diagnostics.md lacks {row:?}");
    }
    for (code, title) in swarmcheck_session::RCHECK_CATALOGUE {
        let row = format!("| {code} | {title} |");
        assert!(codes.contains(&row), "docs/diagnostics.md lacks {row:?}");
    }
    for entry in swarmcheck_session::CATALOGUE {
        let row = format!("| {} | {} |", entry.code, entry.title);
        assert!(codes.contains(&row), "docs/diagnostics.md lacks {row:?}");
    }
}
