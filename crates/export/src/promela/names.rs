//! Names that Promela, the preprocessor and the C of Spin's verifier accept, as close to the model's as possible.

use crate::naming::{begins_with_a_letter, first_free, plain};
use std::collections::BTreeSet;

/// Words of Promela and C, what the verifier's C defines, and what our files define.
const WORDS: &[&str] = &[
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "chan",
    "cond_expr",
    "d_proctype",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "in",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "np_",
    "notrace",
    "od",
    "of",
    "pc_value",
    "pid",
    "print",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "until",
    "weakuntil",
    "release",
    "next",
    "always",
    "eventually",
    "stronguntil",
    "implies",
    "equivalent",
    "xr",
    "xs",
    "auto",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "double",
    "enum",
    "extern",
    "float",
    "long",
    "register",
    "restrict",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "union",
    "void",
    "volatile",
    "while",
    "asm",
    "typeof",
    "unix",
    "linux",
    "errno",
    "stdin",
    "stdout",
    "stderr",
    "signal",
    "now",
    "trpt",
    "uchar",
    "ushort",
    "uint",
    "ulong",
    "main",
    "exit",
    "abort",
    "me",
    "state",
    "started",
    "impossible",
    "steps",
    "seen",
    "holds",
    "kept",
    "waiting",
    "holds_now",
    "kept_now",
    "waiting_now",
    "accepting",
    "checked",
    "done",
    "initial",
    "system",
    "drawn",
    "drawn_end",
    "impossible_step",
    "rank_old",
    "rank_next",
    "rank_seen",
    "rank_agent",
];

/// The names given so far.
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Only the reserved words.
    pub(super) fn new() -> Names {
        let words = WORDS.iter().chain(super::text::MACRO_NAMES);
        Names { taken: words.map(|w| w.to_string()).collect() }
    }

    /// A new name like this one.
    pub(super) fn fresh(&mut self, like: &str) -> String {
        let mut base = plain(like);
        // Names in capitals may be macros of the verifier's C, names that begin with an underscore belong to it.
        if !begins_with_a_letter(&base) || !base.chars().any(|c| c.is_ascii_lowercase()) {
            base = format!("v_{base}");
        }
        first_free(&mut self.taken, base, "_")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_different() {
        let mut names = Names::new();
        let given = ["order.leader", "order_leader", "void", "MAX", "_x", "größe", "x", "x", "0"];
        let expected =
            ["order_leader", "order_leader_2", "void_2", "v_MAX", "v__x", "gr__e", "x", "x_2", "v_0"];
        assert_eq!(given.map(|g| names.fresh(g)), expected.map(str::to_string));
    }
}
