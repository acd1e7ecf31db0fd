//! Systems on which the program and the reference once disagreed, as small as they could be made.
//!
//! Each file in `regressions/` says in its first lines what was wrong. It is compared under all readings.

use std::path::Path;
use swarmcheck_labs::lower::{Choice, Options, Semantics};
use swarmcheck_testkit::{Limits, compare, read};

#[test]
fn regressions_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").flatten().map(|e| e.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "labs"));
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let model = read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for choice in [Choice::Late, Choice::Early] {
            for fair in [false, true] {
                for semantics in [Semantics::Sliver, Semantics::Paper] {
                    let limits = Limits { states: 2000, depth: 200 };
                    let options = Options { fair, semantics, choice };
                    if let Err(mismatch) = compare(&text, &model, options, limits) {
                        panic!("{}: {mismatch}", path.display());
                    }
                }
            }
        }
    }
}
