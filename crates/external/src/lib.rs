//! Interfaces to other verifiers: their input, and the meaning of their output.
//!
//! Architecture invariant: nothing is run here. Callers hand over [`Tools`], which starts programs; so everything
//! but that can be tested on stored answers. An answer that is not understood in full is [`Unreadable`], never a verdict.

pub mod c;
pub mod cadp;
pub mod nuxmv;
pub mod spin;

use swarmcheck_ir::Value;

/// The meaning of a verifier's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// It says that the property holds, up to what its bounds allow.
    Holds,
    /// It has found an execution that violates the property.
    Violated(Way),
    /// It has found an execution after whose last state a step is an error of the model; without a state, the initial block is one.
    Broken(Way),
    /// It claims that the property is violated, but its counterexample cannot be read, for this reason.
    Claimed(String),
    /// It gave up, and says why.
    Unknown(String),
}

/// An execution: the states in the program's layout, an initial one first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Way {
    pub states: Vec<Vec<Value>>,
    /// The position of the state that follows the last one, if the execution is infinite.
    pub back_to: Option<usize>,
}

/// An answer in an unknown format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// What was expected, and what there is instead.
    pub why: String,
}

/// A program to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its name, to be looked up.
    pub program: String,
    pub arguments: Vec<String>,
    /// It was told how much memory it may use, and its address space is not limited.
    pub own_memory: bool,
}

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself, with this code.
    Code(i32),
    /// By a signal that did not come from here.
    Killed,
    /// The time limit was reached.
    TimeLimit,
    /// The user interrupted it.
    Interrupted,
}

/// The result of running a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    pub ended: Ended,
    /// What it wrote to standard output.
    pub output: String,
    /// What it wrote to standard error.
    pub errors: String,
}

/// A place where programs can be run on files: a directory of its own, with limits of time and memory.
pub trait Tools {
    /// Whether there is such a program.
    fn find(&self, program: &str) -> bool;
    /// Puts a file into the directory.
    fn put(&mut self, name: &str, text: &str) -> Result<(), String>;
    /// Reads a file of the directory.
    fn get(&self, name: &str) -> Result<String, String>;
    /// Runs a program in the directory until it ends; everything it has started ends with it.
    fn run(&mut self, job: &Job) -> Result<Ran, String>;
}

/// What a program says, without what would steer a terminal: escape sequences, and control characters but tabs and new lines.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\n' | '\t' => out.push(c),
            '\u{1b}' => match rest.next() {
                // Parameters, then one letter.
                Some('[') => while rest.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
                // A text for the terminal, up to a bell or another escape sequence.
                Some(']' | 'P' | 'X' | '^' | '_') => {
                    while let Some(c) = rest.next() {
                        if c == '\u{7}' || c == '\u{9c}' {
                            break;
                        }
                        if c == '\u{1b}' {
                            rest.next_if_eq(&'\\');
                            break;
                        }
                    }
                }
                // Intermediate characters, then a last one.
                Some(' '..='/') => while rest.next().is_some_and(|c| (' '..='/').contains(&c)) {},
                _ => {}
            },
            '\u{9b}' => while rest.next().is_some_and(|c| !('@'..='~').contains(&c)) {},
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// The first lines of what a program says when it fails.
fn first_lines(ran: &Ran) -> String {
    let said = ran.errors.lines().chain(ran.output.lines()).filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = said.take(3).collect();
    if lines.is_empty() { "it says nothing".to_string() } else { lines.join(" / ") }
}

/// What programs say when the limit of memory stops them.
const OUT_OF_MEMORY: &[&str] = &[
    "std::bad_alloc",
    "Out of memory",
    "out of memory",
    "OutOfMemoryError",
    "Cannot allocate memory",
    "MemoryError",
    "insufficient memory for the Java Runtime Environment",
    "Could not reserve enough space",
];

/// Whether a program that has failed says that it had too little memory.
fn out_of_memory(ran: &Ran) -> bool {
    OUT_OF_MEMORY.iter().any(|words| ran.output.contains(words) || ran.errors.contains(words))
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn nothing_steers_the_terminal() {
        let all = "a\u{1b}[31mred\u{1b}[0m\tb\r\n\u{1b}]0;title\u{7}c\u{1b}]8;;link\u{1b}\\d\u{8}\u{0}\u{9b}2Je\u{1b}cf\u{1b}";
        assert_eq!(printable(all), "ared\tb\ncdef");
        assert_eq!(printable("x\u{1b}(By"), "xy");
        assert_eq!(printable("⊥ is fine: ä"), "⊥ is fine: ä");
    }
}
