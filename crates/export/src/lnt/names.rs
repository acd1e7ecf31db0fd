//! Identifiers of LNT: letters, digits and underscores, upper and lower case the same, no reserved word, no two alike.

use std::collections::BTreeSet;

/// Keywords of LNT, predefined types and functions, and what the text declares itself; none of them names a variable.
const RESERVED: &str = "access alt any array as assert break by case channel disrupt else elsif end ensure eval for \
    function hide if in is list loop module null of only out par process raise range require result return select set \
    sorted stop then trap type use var where while with none exit bool nat int real char string false true abs and \
    and_then append card cons delete diff div element empty eq first gcd ge get gt head i iff implies index insert inter \
    inttonat is_empty islower isupper isalpha isalnum isdigit isxdigit last le length lt max member min mod nattoint ne \
    neg nil not nth or ord or_else pos pred prefix rem remove reverse rindex scm sign substr succ suffix tail tolower \
    toupper union update val xor main emulation assign shared start step assignment sharing steps relation less same \
    greater undefined both_defined if_then_else truth plus minus times minimum maximum negated absolute quotient modulo \
    rounded checked me before after name cell number time act tell agents pairs comparisons scheduler from comparison turn parallel \
    alias class constant exception external gate inout infix pragma until unless via yield";

/// Words of MCL and names that queries declare.
const QUERIES: &str = "among between choice continue do end_among end_choice end_exists end_for end_forall end_if end_let \
    end_library end_macro exists first forall from closes inv let library macro memory mu natset nu opens r ev reach predicate tau to v while";

/// The names that are taken, in lower case.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Only reserved words are taken.
    pub(crate) fn new() -> Names {
        Names { taken: RESERVED.split_whitespace().map(str::to_string).collect() }
    }

    /// Only words of MCL, and what queries declare themselves, are taken.
    pub(crate) fn for_mcl() -> Names {
        let more = QUERIES.split_whitespace().map(str::to_string);
        let mut names = Names::new();
        names.taken.extend(more);
        names
    }

    /// A free name as close as possible to the one that is wanted.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let mut base: String =
            wanted.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        // Identifiers start with a letter, and neither end in an underscore nor have two in a row.
        while base.contains("__") {
            base = base.replace("__", "_");
        }
        let base = base.trim_matches('_');
        let base = match base.chars().next() {
            Some(c) if c.is_ascii_alphabetic() => base.to_string(),
            Some(_) => format!("v{base}"),
            None => "v".to_string(),
        };
        let base = if generated(&base) { format!("{base}_x") } else { base };
        let mut name = base.clone();
        let mut number = 2u64;
        while !self.taken.insert(name.to_lowercase()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// Whether a name looks like one that is made of a word and a number, such as the types of arrays.
fn generated(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words =
        ["adopt_", "by_number_", "cells_", "messages_", "newest_", "report_", "times_"].into_iter();
    let number = |rest: &str| rest.chars().all(|c| c.is_ascii_digit() || c == '_' || c == 'b' || c == 'y');
    words.any(|w| name.strip_prefix(w).is_some_and(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readable_and_different() {
        let mut names = Names::new();
        let mut check = |wanted: &str, expected: &str| assert_eq!(names.fresh(wanted), expected);
        check("leader", "leader");
        check("Leader", "Leader_2");
        check("order.leader", "order_leader");
        check("select", "select_2");
        check("3x", "v3x");
        check("_", "v");
        check("a__b_", "a_b");
        check("Checked", "Checked_2");
        check("REPORT_3", "REPORT_3_x");
    }
}
