//! Systems on which the program and the reference once disagreed, as small as they could be made.
//!
//! Each file in `regressions/` says in its first lines what was wrong. It is compared under all readings.

use swarmcheck_labs::lower::{Choice, Options, Semantics};
use swarmcheck_testkit::{Limits, compare, read, stored};

#[test]
fn regressions_stay_fixed() {
    for (path, text) in stored("tests/regressions", 3) {
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
