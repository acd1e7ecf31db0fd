//! Running other programs: what callers provide, and what all dialogues with verifiers begin with.
//!
//! A program is looked for, gets its files, runs, and may be stopped, run out of memory or fail before it says anything that
//! could be read. All of that is decided here, in the same way for every verifier.

use crate::{NoAnswer, Unreadable};

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

/// Puts files into the directory.
pub(crate) fn put<'f>(
    tools: &mut dyn Tools,
    files: impl IntoIterator<Item = (&'f str, &'f str)>,
) -> Result<(), NoAnswer> {
    files.into_iter().try_for_each(|(name, text)| tools.put(name, text).map_err(NoAnswer::Unreadable))
}

/// Runs a program until it ends by itself, in whatever way.
pub(crate) fn start(tools: &mut dyn Tools, job: &Job) -> Result<Ran, NoAnswer> {
    let ran = tools.run(job).map_err(NoAnswer::Unreadable)?;
    match ran.ended {
        Ended::TimeLimit | Ended::Interrupted => Err(NoAnswer::Stopped),
        Ended::Code(_) | Ended::Killed => Ok(ran),
    }
}

/// The exit code of a program that has not run out of memory; `who` names it if it was killed.
pub(crate) fn code(ran: &Ran, who: &str) -> Result<i32, NoAnswer> {
    match ran.ended {
        Ended::TimeLimit | Ended::Interrupted => Err(NoAnswer::Stopped),
        Ended::Code(0) => Ok(0),
        Ended::Code(_) | Ended::Killed if out_of_memory(ran) => Err(NoAnswer::Memory),
        Ended::Code(code) => Ok(code),
        Ended::Killed => Err(Unreadable::because(format!("{who} was killed")).into()),
    }
}

/// Runs a program that must succeed.
pub(crate) fn run(tools: &mut dyn Tools, program: &str, arguments: &[&str]) -> Result<Ran, NoAnswer> {
    let ran = start(tools, &Job::new(program, arguments))?;
    let failed = || NoAnswer::Unreadable(format!("{program} failed: {}", first_lines(&ran)));
    match ran.ended {
        Ended::Killed if !out_of_memory(&ran) => Err(failed()),
        _ => match code(&ran, program)? {
            0 => Ok(ran),
            _ => Err(failed()),
        },
    }
}

impl Job {
    /// A program whose address space is limited like that of every other.
    pub(crate) fn new(program: &str, arguments: &[&str]) -> Job {
        let arguments = arguments.iter().map(|argument| argument.to_string()).collect();
        Job { program: program.to_string(), arguments, own_memory: false }
    }
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
