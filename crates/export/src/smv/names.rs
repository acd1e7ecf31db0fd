//! Names that SMV accepts, as close to the model's as possible.

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
        let letter = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
        let mut base: String = like.chars().map(letter).collect();
        if !base.chars().next().is_some_and(|c| c.is_ascii_alphabetic()) {
            base = format!("v_{base}");
        }
        // Two underscores mark what is named here: terms, draws and repeated names.
        while base.contains("__") {
            base = base.replace("__", "_");
        }
        let numbered = (2..).map(|n: u64| format!("{base}__{n}"));
        let mut candidates = std::iter::once(base.clone()).chain(numbered);
        let name = candidates.find(|name| !self.taken.contains(name)).unwrap_or(base);
        self.taken.insert(name.clone());
        name
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
