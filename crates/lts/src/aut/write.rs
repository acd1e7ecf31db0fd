//! Writing Aldebaran files. Nothing is held back: a line goes out at a time.

use crate::system::Lts;
use std::fmt::{Result, Write};

/// Writes a system. Where the initial state is not 0, it changes numbers with 0.
pub fn write(out: &mut impl Write, lts: &Lts) -> Result {
    let renumber = |state: u32| match state {
        0 => lts.initial(),
        state if state == lts.initial() => 0,
        state => state,
    };
    write_header(out, lts.transitions() as u64, lts.states())?;
    let texts: Vec<String> = lts.labels().iter().map(|label| escape(label)).collect();
    for source in 0..lts.states() {
        for &(label, target) in lts.steps(renumber(source)) {
            line(out, source, &texts[label as usize], renumber(target))?;
        }
    }
    Ok(())
}

/// Writes the first line of a system with initial state 0, for callers that write transitions as they find them.
pub fn write_header(out: &mut impl Write, transitions: u64, states: u32) -> Result {
    writeln!(out, "des (0, {transitions}, {states})")
}

/// Writes the line of a transition.
pub fn write_transition(out: &mut impl Write, source: u32, label: &str, target: u32) -> Result {
    line(out, source, &escape(label), target)
}

fn line(out: &mut impl Write, source: u32, escaped: &str, target: u32) -> Result {
    writeln!(out, "({source}, \"{escaped}\", {target})")
}

fn escape(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    for c in label.chars() {
        match c {
            '"' | '\\' => text.extend(c.escape_unicode()),
            ' '..='~' => text.push(c),
            _ => text.extend(c.escape_unicode()),
        }
    }
    text
}
