//! The trusted base of certificates: the check depends on no engine, and is as large as the documents say.

use crate::common::{files, root};
use crate::rooms::all_that_uses;
use std::path::Path;

/// What searches for proofs or for counterexamples. `crates/prove` is not here, because it has the check of proofs about bits as well, which asks
/// a solver; sets of states use nothing of it.
const ENGINES: [&str; 7] = [
    "crates/explicit",
    "crates/symbolic",
    "crates/bdd",
    "crates/smt",
    "crates/compose",
    "crates/portfolio",
    "crates/parametric",
];

#[test]
fn the_check_of_certificates_uses_no_engine() {
    let uses = all_that_uses("crates/proof");
    assert!(uses.len() >= 8, "{uses:?}");
    for engine in ENGINES {
        assert!(root().join(engine).is_dir(), "{engine} has another name now");
        assert!(!uses.contains(engine), "crates/proof uses {engine}");
    }
}

/// Sets of states ask no solver and know no bits: the check names what it uses at its top.
#[test]
fn the_check_of_sets_of_states_uses_neither_solvers_nor_bits() {
    let states = root().join("crates/proof/src/states");
    let mut seen = 0;
    for path in files(&states, ".rs").into_iter().chain([root().join("crates/proof/src/states.rs")]) {
        let text = std::fs::read_to_string(&path).unwrap();
        for word in
            ["swarmcheck_prove", "swarmcheck_bits", "swarmcheck_aig", "crate::ask", "crate::obligation"]
        {
            assert!(!text.contains(word), "{} uses {word}", path.display());
        }
        seen += 1;
    }
    assert!(seen >= 4, "{seen}");
    // The search for a set is not trusted, so the check must not use it.
    for name in ["check.rs", "diagram.rs", "index.rs"] {
        let text = std::fs::read_to_string(states.join(name)).unwrap();
        assert!(!text.contains("build::"), "{name} uses the search");
    }
}

/// Lines of a file, without its tests.
fn lines(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap();
    text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default().lines().count()
}

#[test]
fn the_trusted_base_is_as_large_as_the_documents_say() {
    let page = std::fs::read_to_string(root().join("docs/certificates.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `crates/")).collect();
    assert!(rows.len() >= 5, "{rows:?}");
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let said: usize = cells[2].replace(',', "").parse().unwrap_or_else(|_| panic!("no number: {row}"));
        let mut count = 0;
        for place in cells[0].split(", ").map(|place| root().join(place.trim_matches('`'))) {
            match place.is_dir() {
                true => {
                    let sources = files(&place, ".rs").into_iter().filter(|path| !path.ends_with("tests.rs"));
                    count += sources.map(|path| lines(&path)).sum::<usize>();
                }
                false => count += lines(&place),
            }
        }
        assert!(count > 0 && said.abs_diff(count) * 10 <= count, "{count} lines now, not {said}: {row}");
    }
}
