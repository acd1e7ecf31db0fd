//! What stands around the emulation functions for verifiers: types, nondeterminism, errors, the scheduler and `main`.
//!
//! The nondeterminism of a program is in three places, whose variables are called `chosen`, `chosen_function` and
//! `chosen_agent`. Their values, in order, determine an execution: that is how counterexamples are read back.

use super::Dialect;
use super::functions::{Parts, holds_name, place};
use super::names::{comment, string};
use super::task::Check;
use super::writer::Writer;
use std::collections::BTreeSet;
use std::fmt::Write;
use swarmcheck_ir::VarId;
use swarmcheck_source::SourceFile;

/// The number of bits that hold all numbers up to this size, their negations, and ⊥.
fn bits(most: i128) -> u32 {
    (2..64).find(|bits| most < 1 << (bits - 1)).unwrap_or(64)
}

/// The largest number that the type `value` of a dialect holds, if these are computed.
pub(super) fn top(dialect: Dialect, widest: i128) -> i128 {
    match dialect {
        Dialect::Cbmc => (1 << (bits(widest) - 1)) - 1,
        Dialect::Run => i64::MAX.into(),
        _ if widest <= i32::MAX.into() => i32::MAX.into(),
        _ => i64::MAX.into(),
    }
}

/// How a dialect says what C cannot.
struct Words {
    /// Declarations, and the definition of `assume`.
    declare: String,
    /// Any number of the type `number`.
    any: &'static str,
    /// The assertion of a condition under a name.
    assert: fn(&str, &str) -> String,
}

fn words(dialect: Dialect, wide: bool) -> Words {
    let stop =
        |condition: &str, _: &str| format!("if (!({condition})) {{\n    reach_error();\n    abort();\n  }}");
    match dialect {
        Dialect::Cbmc => Words {
            declare: format!(
                "{} nondet_number(void);\n#define assume(condition) __CPROVER_assume(condition)\n",
                number(wide)
            ),
            any: "nondet_number()",
            assert: |condition, name| format!("__CPROVER_assert({condition}, {});", string(name)),
        },
        Dialect::Esbmc => Words {
            declare: format!(
                "{} nondet_{}(void);\n#define assume(condition) __ESBMC_assume(condition)\n",
                number(wide),
                if wide { "ulonglong" } else { "uint" }
            ),
            any: if wide { "nondet_ulonglong()" } else { "nondet_uint()" },
            assert: |condition, name| format!("__ESBMC_assert({condition}, {});", string(name)),
        },
        _ => Words {
            declare: format!(
                "extern void abort(void) __attribute__((noreturn));\nextern {0} __VERIFIER_nondet_{1}(void);\n\
                 extern void __assert_fail(const char *, const char *, unsigned int, const char *);\n\
                 void reach_error(void) {{ __assert_fail(\"0\", \"model\", 1, \"reach_error\"); }}\n\n\
                 static void assume(int condition)\n{{\n  if (!condition) abort();\n}}\n\n\
                 static number any_number(void)\n{{\n  {0} it = __VERIFIER_nondet_{1}();\n  assume(it >= 0);\n  \
                 return (number)it;\n}}\n",
                if wide { "long long" } else { "int" },
                if wide { "longlong" } else { "int" }
            ),
            any: "any_number()",
            assert: stop,
        },
    }
}

fn number(wide: bool) -> &'static str {
    if wide { "unsigned long long" } else { "unsigned int" }
}

/// The type in which a variable is stored: the narrowest one that the dialect has, if it cannot be ⊥.
pub(super) fn storage(writer: &Writer<'_>, dialect: Dialect, var: VarId) -> String {
    let found = writer.during[var.0 as usize];
    let most = found.lo.abs().max(found.hi.abs());
    if found.undef || most > writer.style.top / 2 {
        return "value".to_string();
    }
    match dialect {
        Dialect::Cbmc => format!("bits_{}", bits(most)),
        Dialect::Esbmc if most <= i8::MAX.into() => "signed char".to_string(),
        Dialect::Esbmc if most <= i16::MAX.into() => "short".to_string(),
        _ => "value".to_string(),
    }
}

fn types(writer: &Writer<'_>, dialect: Dialect) -> String {
    let top = writer.style.top;
    let wide = top > i32::MAX.into();
    let plain = if wide { "long long" } else { "int" };
    let mut out = String::new();
    if dialect == Dialect::Cbmc {
        let stored = (0..writer.program.vars.len()).map(|var| storage(writer, dialect, VarId(var as u32)));
        let narrow: BTreeSet<String> = stored.filter(|name| name != "value").collect();
        out += "/* Bit-vectors as narrow as the numbers allow; other compilers take what they have. */\n#ifdef __CPROVER__\n";
        let _ = writeln!(out, "typedef signed __CPROVER_bitvector[{}] value;", bits(top));
        for name in &narrow {
            let _ = writeln!(
                out,
                "typedef signed __CPROVER_bitvector[{}] {name};",
                name.trim_start_matches("bits_")
            );
        }
        let _ = writeln!(out, "#else\ntypedef {plain} value;");
        narrow.iter().for_each(|name| {
            let _ = writeln!(out, "typedef {plain} {name};");
        });
        out += "#endif\n";
    } else {
        let _ = writeln!(out, "typedef {plain} value;");
    }
    let suffix = if wide { "LL" } else { "" };
    let _ = write!(
        out,
        "typedef {} number;\n\n#define TOP ((value){top}{suffix})\n/* The undefined value; no number. */\n\
         #define UNDEF ((value)(-TOP - 1))\n\n",
        number(wide)
    );
    out
}

/// Everything before the variables.
pub(super) fn before(
    writer: &Writer<'_>,
    dialect: Dialect,
    file: &SourceFile,
    uses: &dyn Fn(&str) -> bool,
) -> String {
    let wide = writer.style.top > i32::MAX.into();
    let words = words(dialect, wide);
    let mut out = types(writer, dialect) + &words.declare + "\n";
    if uses("fault") {
        out += "/* Errors of the model. The numbers of their places mean these:\n";
        for (at, span) in writer.used.borrow().sites.iter().enumerate() {
            let _ = writeln!(out, "   {at}: {}", comment(&place(*span, file)));
        }
        out += "*/\nenum { INDEX, NO_AGENT, NO_VARIABLE, OVERFLOW };\n\n";
        let (state, test) = match uses("quiet") {
            true => (
                "/* Inside a test for definedness errors are only noted. */\nstatic int quiet, heard;\n\n",
                "  if (quiet) {\n    heard = 1;\n    return UNDEF;\n  }\n",
            ),
            false => ("", ""),
        };
        let _ = write!(
            out,
            "{state}/* An error of the model: whatever the property, the specification is invalid. */\n\
             static value fault(int kind, int where)\n{{\n{test}  (void)where;\n  \
             {}\n  {}\n  {}\n  {}\n  assume(0);\n  return UNDEF;\n}}\n\n",
            (words.assert)("kind != INDEX", "model error: array index out of bounds"),
            (words.assert)("kind != NO_AGENT", "model error: there is no agent with this number"),
            (words.assert)("kind != NO_VARIABLE", "model error: this agent does not have the variable"),
            (words.assert)("kind != OVERFLOW", "model error: a number does not fit 64 bits"),
        );
    }
    if uses("choose") {
        let _ = write!(
            out,
            "/* Any number below n. */\nstatic number choose(number n)\n{{\n  if (n <= 1) return 0;\n  \
             number chosen = {};\n  assume(chosen < n);\n  return chosen;\n}}\n\n",
            words.any
        );
    }
    out
}

/// The scheduler and the main program.
pub(super) fn after(
    writer: &Writer<'_>,
    dialect: Dialect,
    parts: &Parts,
    check: Check,
    names: &[&str],
) -> String {
    let words = words(dialect, writer.style.top > i32::MAX.into());
    let mut cases = String::new();
    for (at, (owner, function)) in writer.schedule().into_iter().enumerate() {
        let allowed = owner.map_or(String::new(), |owner| format!("assume({owner}); "));
        let _ = writeln!(cases, "  case {at}: {allowed}{function}(me); break;");
    }
    let mut out = format!(
        "/* One step: any function that any agent can run now. */\nstatic void step(void)\n{{\n  \
         number chosen_function = {0};\n  number chosen_agent = {0};\n  value me;\n  \
         assume(chosen_function < {1});\n  assume(chosen_agent < {2});\n  me = (value)chosen_agent;\n  (void)me;\n  \
         switch (chosen_function) {{\n{cases}  default: assume(0);\n  }}\n}}\n\n",
        words.any,
        writer.program.functions.len(),
        writer.program.agents()
    );
    out += &parts.enabled;
    out += &parts.holds.concat();
    let one =
        |(at, name): (usize, &&str)| (words.assert)(&format!("{}()", holds_name(at, names.len())), name);
    let assert = names.iter().enumerate().map(one).collect::<Vec<_>>().join("\n  ");
    let (head, every, last) = match check {
        Check::Always(None) => ("while (1)".to_string(), assert, String::new()),
        Check::Always(Some(steps)) => (count(steps), assert, String::new()),
        Check::Met(steps) => (count(steps), "if (holds()) return 0;".to_string(), assert),
        Check::Last(steps) => (count(steps), String::new(), assert),
        Check::Terminates => {
            let stuck = "/* A deadlock: what has not happened will never happen. */\n    \
                         if (!can_step()) while (1) { }";
            ("while (!holds())".to_string(), String::new(), stuck.to_string())
        }
    };
    out += "int main(void)\n{\n  init();\n";
    let inner = |text: &str| text.replace('\n', "\n  ");
    if check == Check::Terminates {
        let _ = writeln!(out, "  {head} {{\n    {last}\n    step();\n  }}");
    } else {
        if !every.is_empty() {
            let _ = writeln!(out, "  {every}");
        }
        let _ = writeln!(out, "  {head} {{\n    step();");
        if !every.is_empty() {
            let _ = writeln!(out, "    {}", inner(&every));
        }
        out += "  }\n";
        if !last.is_empty() {
            let _ = writeln!(out, "  {last}");
        }
    }
    let endless = check == Check::Always(None);
    out += if endless { "}\n" } else { "  return 0;\n}\n" };
    out
}

fn count(steps: u32) -> String {
    format!("for (unsigned int steps = 0; steps < {steps}; steps++)")
}
