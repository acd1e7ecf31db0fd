//! Systems on which the program and the reference once disagreed, as small as they could be made.
//!
//! Each file in `regressions/` says in its first lines what was wrong. It is compared under all readings.

use swarmcheck_labs::lower::{Choice, Options, Semantics};
use swarmcheck_testkit::{Limits, compare, read, stored};

#[test]
fn regressions_stay_fixed() {
    for (path, text) in stored("tests/regressions", 3) {
        let model = read(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        for number in 0..16 {
            let bit = |at: u32| number >> at & 1 == 1;
            let options = Options {
                fair: bit(0),
                semantics: if bit(1) { Semantics::Paper } else { Semantics::Sliver },
                choice: if bit(2) { Choice::Early } else { Choice::Late },
                sync: bit(3),
            };
            let limits = Limits { states: 2000, depth: 200 };
            if let Err(mismatch) = compare(&text, &model, options, limits) {
                panic!("{}: {mismatch}", path.display());
            }
        }
    }
}
