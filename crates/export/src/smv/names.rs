//! Names that SMV accepts, as close to the model's as possible.

use crate::naming::{begins_with_a_letter, first_free, plain};
use std::collections::BTreeSet;

/// The reserved words of the NuSMV 2.6 manual, section 2.1, with those of nuXmv, and what our files declare.
const WORDS: &[&str] = &[
    "MODULE",
    "DEFINE",
    "MDEFINE",
    "CONSTANTS",
    "VAR",
    "IVAR",
    "FROZENVAR",
    "INIT",
    "TRANS",
    "INVAR",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "PSLSPEC",
    "COMPUTE",
    "NAME",
    "INVARSPEC",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "ISA",
    "ASSIGN",
    "CONSTRAINT",
    "SIMPWFF",
    "CTLWFF",
    "LTLWFF",
    "PSLWFF",
    "COMPWFF",
    "IN",
    "MIN",
    "MAX",
    "MIRROR",
    "PRED",
    "PREDICATES",
    "process",
    "array",
    "of",
    "boolean",
    "integer",
    "real",
    "word",
    "word1",
    "bool",
    "signed",
    "unsigned",
    "extend",
    "resize",
    "sizeof",
    "uwconst",
    "swconst",
    "EX",
    "AX",
    "EF",
    "AF",
    "EG",
    "AG",
    "E",
    "F",
    "O",
    "G",
    "H",
    "X",
    "Y",
    "Z",
    "A",
    "U",
    "S",
    "V",
    "T",
    "BU",
    "EBF",
    "ABF",
    "EBG",
    "ABG",
    "case",
    "esac",
    "mod",
    "next",
    "init",
    "union",
    "in",
    "xor",
    "xnor",
    "self",
    "TRUE",
    "FALSE",
    "count",
    "abs",
    "max",
    "min",
    "toint",
    "floor",
    "FUN",
    "READ",
    "WRITE",
    "clock",
    "noncontinuous",
    "time",
    "time_since",
    "time_until",
    "at",
    "main",
    "step",
    "rest",
    "started",
    "model_error",
    "steps",
    "seen",
    "holds",
    "kept",
    "waiting",
    "can_step",
    "wrong_property",
];

/// The names given so far.
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Only the reserved words.
    pub(super) fn new() -> Names {
        Names { taken: WORDS.iter().map(|w| w.to_string()).collect() }
    }

    /// A new name like this one.
    pub(super) fn fresh(&mut self, like: &str) -> String {
        let mut base = plain(like);
        if !begins_with_a_letter(&base) {
            base = format!("v_{base}");
        }
        // Two underscores mark what is named here: terms, draws and repeated names.
        while base.contains("__") {
            base = base.replace("__", "_");
        }
        first_free(&mut self.taken, base, "__")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_different() {
        let mut names = Names::new();
        let given = ["pc.0_1", "pc_0_1", "A", "case", "a__t3", "0", "step"];
        let expected = ["pc_0_1", "pc_0_1__2", "A__2", "case__2", "a_t3", "v_0", "step__2"];
        assert_eq!(given.map(|g| names.fresh(g)), expected.map(str::to_string));
    }
}
