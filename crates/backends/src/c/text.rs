//! Counterexamples as text, the way that CBMC and its relatives print them: state after state, each with one assignment.
//!
//! ```text
//!     State 5 file emulation.c line 7 column 3 function step thread 0
//!     ----------------------------------------------------
//!       chosen_agent = 1 (00000000 00000000 00000000 00000001)
//!
//!     Violated property:
//!       file emulation.c line 9 column 3 function main
//!       Low
//!       …
//! ```
//!
//! CBMC puts no blanks around the sign; CSeq draws the line with blanks in it; ESBMC may say how the function was called
//! before it says what is violated, and heads a last state with the violation itself.

use super::{Assignment, Failure, Shown};
use crate::Unreadable;
use crate::reading::unreadable;

/// The violation that a text is about, with the way there. There must be exactly one, after all states.
pub fn failure(text: &str) -> Result<Failure, Unreadable> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let mut ends = (0..lines.len()).filter(|at| lines[*at] == "Violated property:");
    let (Some(end), None) = (ends.next(), ends.next()) else {
        return unreadable("it does not say what is violated, or says it twice");
    };
    if lines[end..].iter().any(|line| is_state(line)) {
        return unreadable("the counterexample goes on after the violation");
    }
    let Some(description) = description(&lines[end + 1..]) else {
        return unreadable("it does not say which assertion is violated");
    };
    let mut assignments = vec![];
    for at in (0..end).filter(|at| is_state(lines[*at])) {
        if !lines.get(at + 1).is_some_and(|line| is_rule(line)) {
            return unreadable(format!("a state without a line under it: {}", lines[at]));
        }
        let body = lines[at + 2..end].iter().take_while(|line| !line.trim().is_empty() && !is_state(line));
        for line in body {
            assignments.extend(assignment(line.trim())?);
        }
    }
    Ok(Failure { description: Some(description.to_string()), shown: Shown::Assignments(assignments) })
}

fn is_state(line: &str) -> bool {
    let number = line.strip_prefix("State ").and_then(|rest| rest.split(' ').next());
    number.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

fn is_rule(line: &str) -> bool {
    line.starts_with('-') && line.chars().all(|c| c == '-' || c == ' ')
}

/// The first line of a paragraph that says neither where it is nor who called.
fn description<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let paragraph = lines.iter().take_while(|line| !line.trim().is_empty()).map(|line| line.trim());
    let place = |line: &&str| line.starts_with("file ") || *line == "Stack trace:" || line.starts_with("c:@");
    paragraph.into_iter().find(|line| !place(line))
}

/// An assignment, unless it is to something that has no bits: arrays as a whole, pointers.
fn assignment(line: &str) -> Result<Option<Assignment>, Unreadable> {
    let Some((to, value)) = line.split_once('=') else {
        return unreadable(format!("an assignment was expected, not: {line}"));
    };
    let Some((text, bits)) = value.trim().strip_suffix(')').and_then(|v| v.rsplit_once(" (")) else {
        return Ok(None);
    };
    let bits: String = bits.chars().filter(|c| *c != ' ').collect();
    if bits.is_empty() || !bits.chars().all(|c| c == '0' || c == '1') {
        return Ok(None);
    }
    Ok(Some(Assignment { to: to.trim().to_string(), bits, text: text.trim().to_string() }))
}
