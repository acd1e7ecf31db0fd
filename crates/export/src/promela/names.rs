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

/// Words that embed C, further words of C, and what the C text of the verifier and the headers it includes define in lower case.
const MORE: &str = "c_code c_decl c_expr c_state c_track proctype D_proctype ltl nr_pr pc_value \
    alignas alignof bool complex constexpr imaginary inline nullptr static_assert thread_local typeof_unqual i386 ia64 sparc \
    Addproc Air0 Air1 C_States G_int G_long IfNotBlocked Index Max Offsetof PanSource Pclaim Pemulation SpinVersion StackSize \
    TargetQ_Full TargetQ_NotFull UnBlock alloca final getframe iam_alive mix onstack_now onstack_put onstack_zap pptr q_sz qptr \
    rand rot max min maxseq0 minseq0 wasnew sigmask sa_handler sa_sigaction st_atime st_ctime st_mtime va_arg va_copy va_end va_start \
    si_addr si_band si_fd si_int si_pid si_ptr si_status si_uid si_value isalnum isalpha isascii isblank iscntrl isdigit isgraph \
    islower isprint ispunct isspace isupper isxdigit toascii memcmp memcpy memset strlen strcmp strcpy fopen fclose read write open close";

/// The names given so far.
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Only the reserved words.
    pub(super) fn new() -> Names {
        let words = WORDS.iter().chain(super::text::MACRO_NAMES).copied().chain(MORE.split_whitespace());
        Names { taken: words.map(str::to_string).collect() }
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
        let given = ["order.leader", "order_leader", "void", "c_code", "MAX", "_x", "größe", "x", "x", "0"];
        let expected = [
            "order_leader",
            "order_leader_2",
            "void_2",
            "c_code_2",
            "v_MAX",
            "v__x",
            "gr__e",
            "x",
            "x_2",
            "v_0",
        ];
        assert_eq!(given.map(|g| names.fresh(g)), expected.map(str::to_string));
    }
}
