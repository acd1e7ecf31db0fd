//! Systems as AIGER files, for other model checkers, and their witnesses read back. How a system becomes a file is said
//! in [`crate::file`].

use std::fmt::Write;

pub use crate::file::{CheckerAnswer, Unusable};
use crate::file::{File, inputs, named, replayed};
use crate::system::System;

fn header(file: &File, format: &str) -> String {
    let first = file.first_gate();
    let gates = file.graph.nodes().len() - first;
    let (inputs, latches, bad) = (file.inputs, file.next.len(), file.bad.len());
    format!("{format} {} {inputs} {latches} 0 {gates} {bad}\n", first - 1 + gates)
}

/// The system in the ASCII format. Lemmas are not part of it.
pub fn ascii(system: &System) -> String {
    let file = File::new(system);
    let mut text = header(&file, "aag");
    // Writing to a string does not fail.
    for i in 1..=file.inputs {
        let _ = writeln!(text, "{}", 2 * i);
    }
    for (i, next) in file.next.iter().enumerate() {
        let _ = writeln!(text, "{} {}", 2 * (1 + file.inputs + i), next.code());
    }
    for bad in &file.bad {
        let _ = writeln!(text, "{}", bad.code());
    }
    for (gate, a, b) in file.gates() {
        let _ = writeln!(text, "{} {} {}", 2 * gate, b.code(), a.code());
    }
    text
}

/// The system in the binary format. Lemmas are not part of it.
pub fn binary(system: &System) -> Vec<u8> {
    let file = File::new(system);
    let mut text = header(&file, "aig");
    for next in &file.next {
        let _ = writeln!(text, "{}", next.code());
    }
    for bad in &file.bad {
        let _ = writeln!(text, "{}", bad.code());
    }
    let mut bytes = text.into_bytes();
    for (gate, a, b) in file.gates() {
        // Parts of a gate are ordered, the smaller first; the format wants the larger first.
        push_number(&mut bytes, 2 * gate as u32 - b.code());
        push_number(&mut bytes, b.code() - a.code());
    }
    bytes
}

/// Seven bits at a time, the lowest first; all but the last have the highest bit set.
fn push_number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads an answer in the AIGER witness format, or as ABC's `write_cex` has it, with or without `-a`. Executions are
/// replayed, and cut at their first bad state.
pub fn answer(system: &System, text: &str) -> Result<CheckerAnswer, Unusable> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.starts_with('c'));
    let mut line = || lines.next().ok_or(Unusable::Format("it ends too early"));
    let verdict = loop {
        match line()? {
            "" => {}
            other => break other,
        }
    };
    // ABC begins with the latches, of which there are two at least; verdicts have one digit.
    if verdict.len() > 1 && verdict.starts_with(['0', '1', 'x']) {
        return stream(system, text);
    }
    if verdict == "2" {
        return Ok(CheckerAnswer::Unknown);
    }
    let number = line()?.strip_prefix('b').and_then(|digits| digits.parse().ok());
    let number: usize = number.ok_or(Unusable::Format("the second line should be b and a number"))?;
    let bad = named(system, number)?;
    match verdict {
        "0" => return Ok(CheckerAnswer::Unreachable(number)),
        "1" => {}
        _ => return Err(Unusable::Format("the first line should be 0, 1 or 2")),
    }
    let first = line()?;
    if first.len() != system.latches.len() + 2 || first.contains('1') {
        return Err(Unusable::Format("the third line should be a zero for each latch of the file"));
    }
    let witness = replayed(system, bad, || {
        let text = line()?;
        if text == "." {
            return Ok(None);
        }
        if text.len() != inputs(system) || !text.bytes().all(|b| matches!(b, b'0' | b'1' | b'x')) {
            return Err(Unusable::Format("an input line should have a digit for each input"));
        }
        // Inputs that do not matter are written x.
        Ok(Some(text.bytes().map(|b| b == b'1').collect()))
    })?;
    Ok(CheckerAnswer::Reached(number, witness))
}

/// Executions without choices are followed no farther.
const LONGEST: usize = 100_000;

/// ABC's own way: digits for the latches, then for the inputs of each moment, perhaps on lines of their own, and a
/// remark.
fn stream(system: &System, text: &str) -> Result<CheckerAnswer, Unusable> {
    let text = text.split('#').next().unwrap_or_default();
    let mut digits = text.chars().filter(|c| !c.is_whitespace()).peekable();
    for _ in 0..system.latches.len() + 2 {
        if !matches!(digits.next(), Some('0' | 'x')) {
            return Err(Unusable::Format("it should begin with a zero for each latch of the file"));
        }
    }
    let width = inputs(system);
    // Without inputs there is one execution, and nothing says how long it is.
    let mut left = LONGEST;
    let witness = replayed(system, named(system, 0)?, || {
        if width == 0 && left > 0 {
            left -= 1;
            return Ok(Some(vec![]));
        }
        if digits.peek().is_none() {
            return Ok(None);
        }
        let digit = |c: char| match c {
            '0' | 'x' => Ok(false),
            '1' => Ok(true),
            _ => Err(Unusable::Format("there should be nothing but digits")),
        };
        let vector: Result<Vec<bool>, Unusable> = digits.by_ref().take(width).map(digit).collect();
        vector.map(Some)
    })?;
    Ok(CheckerAnswer::Reached(0, witness))
}
