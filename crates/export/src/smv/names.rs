//! Names that SMV accepts, as close to the model's as possible.

use crate::naming::{begins_with_a_letter, first_free, plain};
use std::collections::BTreeSet;

/// The words of the scanner of NuSMV 2.6, more than the manual lists in section 2.1, with those that its other versions and nuXmv
/// reserve.
const WORDS: &str = "MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR FUN INIT TRANS INVAR SPEC CTLSPEC LTLSPEC PSLSPEC \
    COMPUTE NAME INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ITYPE ASSIGN CONSTRAINT SIMPWFF NEXTWFF CTLWFF LTLWFF PSLWFF \
    COMPWFF COMPID IN MIN MAX MIRROR PRED PREDICATES PARSYNTH URGENT READ WRITE CONSTARRAY \
    process array of boolean integer Integer real Real word Word word1 bool signed unsigned clock itype wordarray \
    extend resize sizeof typeof toint uwconst swconst count abs max min floor pi sin cos tan exp ln pow log \
    EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF ABF EBG ABG \
    case esac mod next init union in xor xnor self TRUE FALSE noncontinuous time time_since time_until at last";

/// What our files declare.
const OURS: &str =
    "main step rest started model_error steps seen holds kept waiting can_step wrong_property no_model_error";

/// The names given so far.
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Only the reserved words.
    pub(super) fn new() -> Names {
        let words = WORDS.split_whitespace().chain(OURS.split_whitespace());
        Names { taken: words.map(str::to_string).collect() }
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
        let given = ["pc.0_1", "pc_0_1", "A", "case", "typeof", "a__t3", "0", "step"];
        let expected = ["pc_0_1", "pc_0_1__2", "A__2", "case__2", "typeof__2", "a_t3", "v_0", "step__2"];
        assert_eq!(given.map(|g| names.fresh(g)), expected.map(str::to_string));
    }
}
