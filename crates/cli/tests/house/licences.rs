//! Licences and sources of what is linked, as `deny.toml` wants them.
//!
//! `cargo deny` says more, but takes minutes to install; this reads what cargo knows already. Packages for other
//! platforms, which need not be there, are left to it; their sources are in the lock file.

use crate::common::root;
use std::collections::BTreeSet;

/// The strings of a list in `deny.toml`, which is written on one line.
fn list(key: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(root().join("deny.toml")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key} = ["))).unwrap();
    line.split('"').skip(1).step_by(2).map(str::to_string).collect()
}

/// Whether an SPDX expression can be satisfied with these licences. `AND` binds tighter than `OR`; some older packages
/// write `/` for `OR`.
fn satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let whole = alternatives(&mut words, allowed);
    whole && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn alternatives(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut one = conjunction(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        one |= conjunction(words, allowed);
    }
    one
}

fn conjunction(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut all = licence(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        all &= licence(words, allowed);
    }
    all
}

fn licence(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let inner = alternatives(words, allowed);
        return words.next() == Some(")") && inner;
    }
    let Some(name) = words.next() else { return false };
    // An exception grants more than its licence, but is only known under both names.
    match words.next_if_eq(&"WITH") {
        None => allowed.contains(name),
        Some(_) => words.next().is_some_and(|e| allowed.contains(&format!("{name} WITH {e}"))),
    }
}

#[test]
fn expressions() {
    let allowed = ["MIT", "Zlib"].map(str::to_string).into();
    assert!(satisfied("MIT", &allowed) && satisfied("GPL-3.0 OR MIT", &allowed));
    assert!(satisfied("Apache-2.0/MIT", &allowed) && satisfied("(MIT OR Apache-2.0) AND Zlib", &allowed));
    assert!(!satisfied("GPL-3.0", &allowed) && !satisfied("MIT AND GPL-3.0", &allowed));
    assert!(!satisfied("(MIT OR Zlib) AND GPL-3.0", &allowed) && !satisfied("", &allowed));
    assert!(!satisfied("MIT WITH something", &allowed) && !satisfied("(MIT", &allowed));
    assert!(satisfied("Apache-2.0 WITH LLVM-exception OR MIT", &allowed) && !satisfied("MIT WITH", &allowed));
}

#[test]
fn licences_are_permissive() {
    let rustc = std::process::Command::new("rustc").arg("-vV").output().unwrap();
    let said = String::from_utf8(rustc.stdout).unwrap();
    let host = said.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = crate::metadata(&["--filter-platform", host]);
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "only {} packages found", packages.len());
    let allowed = list("allow");
    let text = |package: &serde_json::Value, key: &str| package[key].as_str().unwrap_or("").to_string();
    let refused = packages.iter().filter(|p| !satisfied(&text(p, "license"), &allowed));
    let refused: Vec<String> = refused.map(|p| format!("{} {:?}", p["name"], p["license"])).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn packages_come_from_the_registry() {
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let allowed: BTreeSet<String> =
        list("allow-registry").into_iter().map(|r| format!("source = \"registry+{r}\"")).collect();
    let sources: Vec<&str> = lock.lines().filter(|line| line.starts_with("source = ")).collect();
    assert!(sources.len() > 50, "only {} packages found", sources.len());
    let other: Vec<_> = sources.iter().filter(|source| !allowed.contains(**source)).collect();
    assert!(other.is_empty(), "{other:?}");
}
