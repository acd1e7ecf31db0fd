//! Functions that the text needs besides those that LNT predefines: arithmetic with ⊥, matrices of timestamps.
//!
//! What LNT's own division does with negative numbers does not matter: it is only applied to absolute values.

use super::text::{Lines, indent};
use std::collections::BTreeSet;

/// A function that the text may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Helper {
    /// ⊥.
    Undefined,
    /// Neither of two numbers is ⊥.
    BothDefined,
    /// One of two numbers.
    IfThenElse,
    /// 1 or 0.
    Truth,
    /// A sum.
    Plus,
    /// A difference.
    Minus,
    /// A product.
    Times,
    Minimum,
    Maximum,
    /// The number with the other sign.
    Negated,
    /// The absolute value.
    Absolute,
    /// Division towards zero.
    Quotient,
    /// What is left of a division, never negative.
    Modulo,
    /// Division to the nearest integer, halves away from zero.
    Rounded,
    /// An index that must be in bounds.
    Checked,
    /// Timestamps of this many agents, in the order of their numbers.
    ByNumber(u32),
    /// An agent has written: it is newer than all others.
    Newest(u32),
    /// An agent takes over another one's timestamp.
    Adopt(u32),
}

impl Helper {
    pub(crate) fn name(self) -> String {
        match self {
            Helper::Undefined => "Undefined".to_string(),
            Helper::BothDefined => "Both_Defined".to_string(),
            Helper::IfThenElse => "If_Then_Else".to_string(),
            Helper::Truth => "Truth".to_string(),
            Helper::Plus => "Plus".to_string(),
            Helper::Minus => "Minus".to_string(),
            Helper::Times => "Times".to_string(),
            Helper::Minimum => "Minimum".to_string(),
            Helper::Maximum => "Maximum".to_string(),
            Helper::Negated => "Negated".to_string(),
            Helper::Absolute => "Absolute".to_string(),
            Helper::Quotient => "Quotient".to_string(),
            Helper::Modulo => "Modulo".to_string(),
            Helper::Rounded => "Rounded".to_string(),
            Helper::Checked => "Checked".to_string(),
            Helper::ByNumber(n) => format!("By_Number_{n}"),
            Helper::Newest(n) => format!("Newest_{n}"),
            Helper::Adopt(n) => format!("Adopt_{n}"),
        }
    }

    fn needs(self) -> &'static [Helper] {
        match self {
            Helper::BothDefined | Helper::Negated | Helper::Absolute => &[Helper::Undefined],
            Helper::Plus
            | Helper::Minus
            | Helper::Times
            | Helper::Minimum
            | Helper::Maximum
            | Helper::Quotient
            | Helper::Modulo
            | Helper::Rounded => &[Helper::BothDefined, Helper::Undefined],
            _ => &[],
        }
    }

    fn definition(self) -> Lines {
        let name = self.name();
        match self {
            Helper::Undefined => lines(
                "-- The undefined value. Numbers of the model are greater.",
                &format!("function {name}: int is"),
                "return -2147483647",
            ),
            Helper::BothDefined => lines(
                "-- Neither is the undefined value.",
                &format!("function {name} (a: int, b: int): bool is"),
                "return (a <> Undefined) and (b <> Undefined)",
            ),
            Helper::IfThenElse => lines(
                "-- A conditional expression.",
                &format!("function {name} (c: bool, a: int, b: int): int is"),
                "if c then\n   return a\nelse\n   return b\nend if",
            ),
            Helper::Truth => lines(
                "-- A condition as a number.",
                &format!("function {name} (c: bool): int is"),
                "if c then\n   return 1\nelse\n   return 0\nend if",
            ),
            Helper::Plus => strict(&name, "return a + b", "Both_Defined (a, b)"),
            Helper::Minus => strict(&name, "return a - b", "Both_Defined (a, b)"),
            Helper::Times => strict(&name, "return a * b", "Both_Defined (a, b)"),
            Helper::Minimum => strict(&name, "return min (a, b)", "Both_Defined (a, b)"),
            Helper::Maximum => strict(&name, "return max (a, b)", "Both_Defined (a, b)"),
            Helper::Negated => unary(&name, "return -a"),
            Helper::Absolute => unary(&name, "return abs (a)"),
            Helper::Quotient => strict(&name, QUOTIENT, DIVIDES),
            Helper::Modulo => strict(&name, MODULO, DIVIDES),
            Helper::Rounded => strict(&name, ROUNDED, DIVIDES),
            Helper::Checked => lines(
                "-- An index; one that is out of bounds is an error of the model.",
                &format!("function {name} (a: int, size: int): nat is"),
                "assert (a >= 0) and (a < size);\nreturn IntToNat (a)",
            ),
            Helper::ByNumber(n) => lines(
                "-- First timestamps: initial values are written in the order of the agents' numbers.",
                &format!("function {name}: TIMES_{n} is"),
                &by_number(n),
            ),
            Helper::Newest(n) => lines(
                "-- Agent p has written: its value is newer than everybody else's.",
                &format!("function {name} (in out time: TIMES_{n}, p: nat) is"),
                &pairs(n, "q <> p", &[("p", "q", "GREATER".to_string()), ("q", "p", "LESS".to_string())]),
            ),
            Helper::Adopt(n) => lines(
                "-- Agent p takes the value of agent k, and with it k's place in the order of timestamps.",
                &format!("function {name} (in out time: TIMES_{n}, p: nat, k: nat) is"),
                &pairs(
                    n,
                    "q <> p",
                    &[("p", "q", format!("time[(k * {n}) + q]")), ("q", "p", format!("time[(q * {n}) + k]"))],
                ),
            ),
        }
    }
}

const DIVIDES: &str = "Both_Defined (a, b) and (b <> 0)";
const QUOTIENT: &str = "if (a < 0) == (b < 0) then\n   return abs (a) div abs (b)\nelse\n   \
    return -(abs (a) div abs (b))\nend if";
const MODULO: &str = "var r: int in\n   r := abs (a) - (abs (b) * (abs (a) div abs (b)));\n   \
    if (a < 0) and (r > 0) then\n      return abs (b) - r\n   else\n      return r\n   end if\nend var";
const ROUNDED: &str = "var q: int in\n   q := abs (a) div abs (b);\n   \
    if (2 * (abs (a) - (abs (b) * q))) >= abs (b) then\n      q := q + 1\n   end if;\n   \
    if (a < 0) == (b < 0) then\n      return q\n   else\n      return -q\n   end if\nend var";

fn lines(comment: &str, head: &str, body: &str) -> Lines {
    let mut out = vec![comment.to_string(), head.to_string()];
    out.extend(indent(body.lines().map(str::to_string).collect()));
    out.push("end function".to_string());
    out
}

/// A function of two numbers that is ⊥ unless a condition holds.
fn strict(name: &str, body: &str, condition: &str) -> Lines {
    let body: Vec<String> = body.lines().map(|l| format!("   {l}")).collect();
    let body = format!("if {condition} then\n{}\nelse\n   return Undefined\nend if", body.join("\n"));
    lines(
        "-- Undefined where an operand is, or the result does not exist.",
        &format!("function {name} (a: int, b: int): int is"),
        &body,
    )
}

fn unary(name: &str, body: &str) -> Lines {
    let body = format!("if a <> Undefined then\n   {body}\nelse\n   return Undefined\nend if");
    lines("-- Undefined where its operand is.", &format!("function {name} (a: int): int is"), &body)
}

fn by_number(n: u32) -> String {
    format!(
        "var time: TIMES_{n}, p: nat, q: nat in\n   time := TIMES_{n} (SAME);\n   \
        for p := 0 while p < {n} by p := p + 1 loop\n      for q := 0 while q < {n} by q := q + 1 loop\n         \
        if p < q then\n            time[(p * {n}) + q] := LESS\n         elsif p > q then\n            \
        time[(p * {n}) + q] := GREATER\n         end if\n      end loop\n   end loop;\n   return time\nend var"
    )
}

/// Sets entries of a matrix for every agent `q` that fits.
fn pairs(n: u32, condition: &str, entries: &[(&str, &str, String)]) -> String {
    let set = |(a, b, value): &(&str, &str, String)| format!("         time[({a} * {n}) + {b}] := {value}");
    let sets = entries.iter().map(set).collect::<Vec<_>>().join(";\n");
    format!(
        "var q: nat in\n   for q := 0 while q < {n} by q := q + 1 loop\n      if {condition} then\n{sets}\n      \
        end if\n   end loop\nend var"
    )
}

/// The definitions of some functions and of what they call.
pub(crate) fn definitions(used: &BTreeSet<Helper>) -> Vec<Lines> {
    let mut all = used.clone();
    all.extend(used.iter().flat_map(|h| h.needs()));
    all.into_iter().map(Helper::definition).collect()
}
