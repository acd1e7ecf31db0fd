//! The words that LAbS knows, for highlighting. Most of them are words of their place only, and names elsewhere.

/// All words that mean something at some place, in the order of the alphabet.
pub const WORDS: &[&str] = &[
    "F",
    "G",
    "Nil",
    "R",
    "Skip",
    "U",
    "V",
    "W",
    "X",
    "abs",
    "act",
    "acts",
    "after",
    "agent",
    "always",
    "and",
    "assume",
    "at",
    "between",
    "can",
    "check",
    "color",
    "colour",
    "count",
    "delivered",
    "else",
    "environment",
    "eventually",
    "exists",
    "extern",
    "fairly",
    "fairly_inf",
    "false",
    "finally",
    "floor",
    "forall",
    "from",
    "globally",
    "heading",
    "id",
    "if",
    "interface",
    "label",
    "link",
    "ltl",
    "max",
    "min",
    "next",
    "not",
    "of",
    "or",
    "pick",
    "precedes",
    "rate",
    "release",
    "releases",
    "send",
    "sends",
    "show",
    "size",
    "space",
    "spawn",
    "stigmergies",
    "stigmergy",
    "system",
    "then",
    "thereIs",
    "torus",
    "true",
    "undef",
    "unless",
    "until",
    "view",
    "where",
];

#[cfg(test)]
mod tests {
    use super::WORDS;
    use crate::syntax::MODALITIES;
    use crate::syntax::token::{KEYWORDS, PARTS, SECTIONS};
    use swarmcheck_ir::linear::words::{BINARY, UNARY};

    #[test]
    fn words_of_the_parser_are_known() {
        assert!(WORDS.is_sorted(), "the words are in order, so none is there twice unnoticed");
        let formulas = UNARY.iter().map(|(word, _)| *word).chain(BINARY.iter().map(|(word, _)| *word));
        let formulas = formulas.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()));
        let all = KEYWORDS.into_iter().chain(SECTIONS).chain(PARTS).chain(MODALITIES).chain(formulas);
        let all: Vec<&str> = all.collect();
        assert!(all.len() >= 45, "only {} words", all.len());
        for word in all {
            assert!(WORDS.binary_search(&word).is_ok(), "{word} is missing");
        }
    }
}
