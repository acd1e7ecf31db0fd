//! Names of the model in SMT-LIB. `|x|` and `x` are the same symbol there (SMT-LIB 2.7, section 3.1), so bars keep spaces together but
//! do not keep a variable of the model apart from a function of a theory, from a command of a solver, or from a term that was
//! named here: a variable `t7` would be captured by `(let ((t7 …)) …)`.

use std::collections::BTreeSet;

/// What the standard reserves, what its theories define, and what Z3 and cvc5 add, as far as a variable could be called so; then
/// what is declared here. Words that end in a digit, or that begin like operations of bit vectors, need not be listed.
const WORDS: &str = "as exists forall lambda let match par assert echo exit pop push reset true false not and or xor ite distinct div \
    mod abs divisible to_int to_real is_int select store const concat extract repeat zero_extend sign_extend rotate_left rotate_right \
    sat unsat unknown success error unsupported if iff implies int real bool is update nil insert head tail cons first second \
    map union inter intersection minus setminus difference subset member complement singleton card set seq re str fp iand piand sqrt exp \
    sin cos tan csc sec cot arcsin arccos arctan arcsec arccsc arccot pi euler max min int_to_bv ubv_to_int sbv_to_int tuple choose \
    define declare eval simplify minimize maximize default array root-obj step start started apart bad before facts inside outside within Reached Int Bool Real Array Set Seq \
    BINARY DECIMAL HEXADECIMAL NUMERAL STRING List Pair RoundingMode Float String RegLan Bag Tuple";

/// The names given so far.
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    pub(crate) fn new() -> Names {
        Names { taken: WORDS.split_whitespace().map(str::to_string).collect() }
    }

    /// A new name like this one, without bars around it.
    pub(crate) fn fresh(&mut self, like: &str) -> String {
        // A quote marks the state after a step.
        let printable = |c: char| c.is_ascii_graphic() && !matches!(c, '|' | '\\' | '\'') || c == ' ';
        let mut base: String = like.chars().map(|c| if printable(c) { c } else { '_' }).collect();
        let ends_in_a_digit = base.ends_with(|c: char| c.is_ascii_digit());
        let is_simple = !base.contains([' ', '[']);
        if is_simple && (ends_in_a_digit || base.starts_with("bv") || self.taken.contains(&base)) {
            base = format!("the {base}");
        }
        let mut name = base.clone();
        let mut number = 2u64;
        while !self.taken.insert(name.clone()) {
            name = format!("{base} ({number})");
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_symbols_of_others_and_different() {
        let mut names = Names::new();
        let given = [
            "x",
            "t7",
            "choice0",
            "ite",
            "start",
            "x of Agent 0",
            "a|b[1]",
            "a\\b[1]",
            "bvadd",
            "x",
            "\u{202e}'",
        ];
        let expected = [
            "x",
            "the t7",
            "the choice0",
            "the ite",
            "the start",
            "x of Agent 0",
            "a_b[1]",
            "a_b[1] (2)",
            "the bvadd",
            "the x",
            "__",
        ];
        assert_eq!(given.map(|name| names.fresh(name)), expected.map(str::to_string));
    }
}
