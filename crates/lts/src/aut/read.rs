//! Reading Aldebaran files.

use crate::builder::Builder;
use crate::system::{Lts, TAU};
use std::fmt;

/// Which labels of a file are the invisible one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Invisible {
    /// `i` only, as in CADP.
    #[default]
    I,
    /// `i` and `tau`, as in mCRL2; both are read as `i`.
    IAndTau,
}

/// Why a text is no system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The line, from 1. What is missing is reported on the line after the last.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What can be wrong with a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// This was expected and something else was found, or nothing.
    Expected(&'static str),
    /// A number that is too large.
    TooLarge,
    /// A state with a number that the first line excludes.
    NoSuchState(u32),
    /// The label has no end.
    OpenLabel,
    /// The numbers of transitions that the first line promises and that the file has.
    Transitions(u64, u64),
    /// More states than this many transitions can lead to, and by so much that it must be a mistake.
    Unconnected(u32, u64),
}

/// States that no transition mentions are allowed, but each takes memory for which the text has no counterpart.
const UNCONNECTED: u64 = 1 << 20;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Problem::Expected(what) => write!(f, "expected {what}"),
            Problem::TooLarge => write!(f, "the number is too large"),
            Problem::NoSuchState(state) => {
                write!(f, "there is no state {state} according to the first line of the file")
            }
            Problem::OpenLabel => write!(f, "the quotation mark at the end of the label is missing"),
            Problem::Transitions(promised, found) => {
                write!(f, "the first line of the file promises {promised} transitions, but there are {found}")
            }
            Problem::Unconnected(states, transitions) => {
                write!(f, "{states} states are too many for {transitions} transitions")
            }
        }
    }
}

impl std::error::Error for Error {}

/// Reads a system.
pub fn read(text: &str, invisible: Invisible) -> Result<Lts, Error> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let end = text.lines().count() + 1;
    let (first, header) = lines.next().ok_or(Error { line: end, problem: Problem::Expected("`des`") })?;
    let (initial, promised, states) =
        read_header(header).map_err(|problem| Error { line: first, problem })?;

    let mut builder = Builder::new();
    let mut found = 0;
    for (line, text) in lines {
        let (source, label, target) =
            read_transition(text, states).map_err(|problem| Error { line, problem })?;
        found += 1;
        let is_tau = invisible == Invisible::IAndTau && label == "tau";
        builder.step(source, if is_tau { TAU } else { &label }, target);
    }
    if found != promised {
        return Err(Error { line: end, problem: Problem::Transitions(promised, found) });
    }
    if u64::from(states) > 2 * found + UNCONNECTED {
        return Err(Error { line: first, problem: Problem::Unconnected(states, found) });
    }
    builder.at_least(states);
    Ok(builder.finish(initial))
}

/// The initial state, the number of transitions and that of states.
fn read_header(line: &str) -> Result<(u32, u64, u32), Problem> {
    let rest = expect(line, "des", "`des`")?;
    let rest = expect(rest, "(", "`(`")?;
    let (initial, rest) = state(rest)?;
    let rest = expect(rest, ",", "`,`")?;
    let (transitions, rest) = number(rest)?;
    let rest = expect(rest, ",", "`,`")?;
    let (states, rest) = state(rest)?;
    close(rest)?;
    if initial < states { Ok((initial, transitions, states)) } else { Err(Problem::NoSuchState(initial)) }
}

fn read_transition(line: &str, states: u32) -> Result<(u32, String, u32), Problem> {
    let rest = expect(line, "(", "`(`")?;
    let (source, rest) = state(rest)?;
    let rest = expect(rest, ",", "`,`")?.trim_start();
    let (label, rest) = match rest.strip_prefix('"') {
        Some(quoted) => {
            let (label, rest) = quoted.rsplit_once('"').ok_or(Problem::OpenLabel)?;
            (unescape(label), expect(rest, ",", "`,`")?)
        }
        None => {
            let (label, rest) = rest.rsplit_once(',').ok_or(Problem::Expected("a label and `,`"))?;
            let label = label.trim_end();
            if label.is_empty() {
                return Err(Problem::Expected("a label"));
            }
            (label.to_string(), rest)
        }
    };
    let (target, rest) = state(rest)?;
    close(rest)?;
    match [source, target].into_iter().find(|state| *state >= states) {
        Some(state) => Err(Problem::NoSuchState(state)),
        None => Ok((source, label, target)),
    }
}

fn expect<'a>(text: &'a str, token: &str, name: &'static str) -> Result<&'a str, Problem> {
    text.trim_start().strip_prefix(token).ok_or(Problem::Expected(name))
}

fn close(text: &str) -> Result<(), Problem> {
    match expect(text, ")", "`)`")?.trim().is_empty() {
        true => Ok(()),
        false => Err(Problem::Expected("the end of the line")),
    }
}

fn number(text: &str) -> Result<(u64, &str), Problem> {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return Err(Problem::Expected("a number"));
    }
    let (digits, rest) = text.split_at(digits);
    Ok((digits.parse().map_err(|_| Problem::TooLarge)?, rest))
}

fn state(text: &str) -> Result<(u32, &str), Problem> {
    let (number, rest) = number(text)?;
    Ok((number.try_into().map_err(|_| Problem::TooLarge)?, rest))
}

fn unescape(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    let mut rest = label;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let (c, next) = escaped(&rest[at + 1..]).unwrap_or(('\\', &rest[at + 1..]));
        text.push(c);
        rest = next;
    }
    text + rest
}

/// The character that stands behind a backslash, if it is one of those known here, and what follows it.
fn escaped(text: &str) -> Option<(char, &str)> {
    if let Some(rest) = text.strip_prefix('"') {
        return Some(('"', rest));
    }
    let text = text.strip_prefix("u{")?;
    let (digits, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_hexdigit).count());
    let (code, rest) = (u32::from_str_radix(digits, 16).ok()?, rest.strip_prefix('}')?);
    Some((char::from_u32(code)?, rest))
}
