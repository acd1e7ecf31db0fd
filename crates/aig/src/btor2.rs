//! Systems as BTOR2 files, for other model checkers, and their witnesses read back. How a system becomes a file is
//! said in [`crate::file`].
//!
//! After A. Niemetz, M. Preiner, C. Wolf and A. Biere, "BTOR2, BtorMC and Boolector 3.0" (CAV 2018). A file has one sort,
//! vectors of one bit: words were taken apart when the system was made.

use std::fmt::Write;

use crate::file::{CheckerAnswer, File, Unusable, inputs, named, replayed};
use crate::graph::Lit;
use crate::system::System;

/// A file that is being written.
struct Writer {
    text: String,
    /// The number of the last line.
    last: usize,
    /// For each node of the graph the line that defines it, and the one that defines its negation; 0 if there is none.
    lines: Vec<[usize; 2]>,
}

impl Writer {
    fn line(&mut self, words: std::fmt::Arguments<'_>) -> usize {
        self.last += 1;
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "{} {words}", self.last);
        self.last
    }

    /// The line that defines a function.
    fn of(&mut self, lit: Lit) -> usize {
        let [positive, negative] = self.lines[lit.node() as usize];
        match lit.negated() {
            false => positive,
            true if negative != 0 => negative,
            true => {
                let line = self.line(format_args!("not 1 {positive}"));
                self.lines[lit.node() as usize][1] = line;
                line
            }
        }
    }
}

/// The system. Lemmas are not part of it.
pub fn text(system: &System) -> String {
    let file = File::new(system);
    let lines = vec![[0; 2]; file.graph.nodes().len()];
    let mut writer = Writer { text: String::new(), last: 0, lines };
    writer.line(format_args!("sort bitvec 1"));
    let zero = writer.line(format_args!("zero 1"));
    writer.lines[0][0] = zero;
    for i in 0..file.inputs {
        writer.lines[1 + i][0] = writer.line(format_args!("input 1 i{i}"));
    }
    for i in 0..file.next.len() {
        let line = writer.line(format_args!("state 1 l{i}"));
        writer.lines[1 + file.inputs + i][0] = line;
        writer.line(format_args!("init 1 {line} {zero}"));
    }
    for (gate, a, b) in file.gates() {
        let (a, b) = (writer.of(a), writer.of(b));
        writer.lines[gate][0] = writer.line(format_args!("and 1 {a} {b}"));
    }
    for (i, &next) in file.next.iter().enumerate() {
        let (latch, next) = (writer.lines[1 + file.inputs + i][0], writer.of(next));
        writer.line(format_args!("next 1 {latch} {next}"));
    }
    for &bad in &file.bad {
        let bad = writer.of(bad);
        writer.line(format_args!("bad {bad}"));
    }
    writer.text
}

/// Reads an answer in the BTOR2 witness format. Executions are replayed, and cut at their first bad state.
pub fn answer(system: &System, text: &str) -> Result<CheckerAnswer, Unusable> {
    let lines = text.lines().map(|line| line.split(';').next().unwrap_or_default().trim());
    let mut lines = lines.filter(|line| !line.is_empty());
    match lines.next() {
        Some("sat") => {}
        Some("unsat") => return Ok(CheckerAnswer::Unreachable(0)),
        Some("unknown") => return Ok(CheckerAnswer::Unknown),
        _ => return Err(Unusable::Format("the first line should be sat, unsat or unknown")),
    }
    let number = lines.next().and_then(|line| line.strip_prefix('b')).and_then(|digits| digits.parse().ok());
    let number: usize = number.ok_or(Unusable::Format("the second line should be b and a number"))?;
    let bad = named(system, number)?;
    let width = inputs(system);
    let mut moments: Vec<Vec<bool>> = vec![];
    let mut of_inputs = false;
    for line in lines {
        if line == "." {
            break;
        }
        if let Some(digits) = line.strip_prefix('@') {
            let moment: usize =
                digits.parse().map_err(|_| Unusable::Format("after @ there should be a number"))?;
            if moment != moments.len() {
                return Err(Unusable::Format("moments should be in order, none left out"));
            }
            moments.push(vec![false; width]);
            of_inputs = true;
        } else if line.starts_with('#') {
            of_inputs = false;
        } else if of_inputs {
            let mut words = line.split_whitespace();
            let input = words.next().and_then(|digits| digits.parse::<usize>().ok());
            let place = moments.last_mut().zip(input).and_then(|(moment, input)| moment.get_mut(input));
            *place.ok_or(Unusable::Format("there is no input of that number"))? = match words.next() {
                Some("0" | "x") => false,
                Some("1") => true,
                _ => return Err(Unusable::Format("a value should be one digit")),
            };
        }
    }
    let mut moments = moments.into_iter();
    let witness = replayed(system, bad, || Ok(moments.next()))?;
    Ok(CheckerAnswer::Reached(number, witness))
}
