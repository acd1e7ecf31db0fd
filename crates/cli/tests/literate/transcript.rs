//! Running the commands of a block and comparing what they print.

use crate::common;
use crate::document::{Command, Document, Kind};
use libtest_mimic::Trial;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// What is wrong with a block, and what it should be, if that is known.
pub struct Wrong {
    pub message: String,
    pub correction: Option<String>,
}

/// Checks one block of a document in a folder of its own.
pub fn check(document: &Document, number: usize) -> Result<(), Wrong> {
    let name: String = document.name_of(number).chars().filter(|c| c.is_alphanumeric()).take(60).collect();
    let scratch =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("literate").join(format!("{number}-{name}"));
    let _ = std::fs::remove_dir_all(&scratch);
    std::fs::create_dir_all(&scratch).unwrap();
    std::os::unix::fs::symlink(common::root().join("examples"), scratch.join("examples")).unwrap();
    let needed = document.needed(number);
    for (earlier, block) in document.blocks[..number].iter().enumerate() {
        if let Kind::Source(name) = &block.kind {
            std::fs::write(scratch.join(name), &block.body).unwrap();
        }
        for command in needed.get(&earlier).into_iter().flatten() {
            execute(&scratch, &command.words);
        }
    }
    let block = &document.blocks[number];
    let result = match &block.kind {
        Kind::Transcript(commands) => transcript(&scratch, commands),
        Kind::Model(language) => {
            let name = format!("model.{language}");
            std::fs::write(scratch.join(&name), &block.body).unwrap();
            match execute(&scratch, &format!("swarmcheck check {name}")) {
                (_, 0) => Ok(()),
                (said, _) => {
                    Err(Wrong { message: format!("this model is not accepted:\n{said}"), correction: None })
                }
            }
        }
        Kind::Source(_) | Kind::Prose => Ok(()),
    };
    if result.is_ok() {
        std::fs::remove_dir_all(&scratch).unwrap();
    }
    result
}

fn transcript(scratch: &Path, commands: &[Command]) -> Result<(), Wrong> {
    let (mut message, mut correction) = (String::new(), String::new());
    for Command { words, expected } in commands {
        let actual = lines_of(scratch, words);
        correction += &format!("$ {words}\n");
        let truth = if matches(expected, &actual) { expected } else { &actual };
        truth.iter().for_each(|line| correction += &format!("{line}\n"));
        if truth != expected {
            let (expected, actual) = (expected.join("\n"), actual.join("\n"));
            message += &format!("$ {words}\nshould print\n{expected}\nbut prints\n{actual}\n\n");
        }
    }
    match message.is_empty() {
        true => Ok(()),
        false => Err(Wrong { message, correction: Some(correction) }),
    }
}

fn lines_of(scratch: &Path, command: &str) -> Vec<String> {
    let (said, code) = execute(scratch, command);
    let mut lines: Vec<String> = said.lines().map(|l| l.trim_end().to_string()).collect();
    if code != 0 {
        lines.push(format!("[exit {code}]"));
    }
    lines
}

/// The words of a command. What stands in single quotes is one word, which is not `<`.
fn arguments(command: &str) -> Vec<String> {
    let quoted = |(at, part): (usize, &str)| match at % 2 {
        0 => part.split_whitespace().map(str::to_string).collect::<Vec<_>>(),
        _ => vec![part.to_string()],
    };
    command.split('\'').enumerate().flat_map(quoted).collect()
}

/// What a command prints on both channels, and how it ends.
fn execute(scratch: &Path, command: &str) -> (String, i32) {
    let mut arguments = arguments(command);
    let input = arguments.iter().position(|word| word == "<").map(|at| arguments.split_off(at));
    let (mut reader, writer) = std::io::pipe().unwrap();
    let stdin = match input.as_deref() {
        Some([_, name]) => std::fs::File::open(scratch.join(name)).unwrap().into(),
        _ => Stdio::null(),
    };
    let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_swarmcheck"));
    process.args(arguments.iter().skip(1)).current_dir(scratch).stdin(stdin);
    process.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = process.spawn().unwrap();
    // The command keeps its ends of the pipe open; without them the reader sees the end of the output.
    drop(process);
    let mut said = String::new();
    reader.read_to_string(&mut said).unwrap();
    (without_times(&said), child.wait().unwrap().code().unwrap_or(-1))
}

/// How long something took is different every time: in documents it is always `0.00 s`.
fn without_times(text: &str) -> String {
    // In a column, or at the end of a line.
    let end = |line: &str| line.find(" s  ").or(line.trim_end().strip_suffix(" s").map(str::len));
    let lines = text.split_inclusive('\n').map(|line| match end(line) {
        Some(end) if line[..end].ends_with(|c: char| c.is_ascii_digit()) => {
            let start = line[..end].rfind(' ').map_or(0, |at| at + 1);
            let number = &line[start..end];
            if number.contains('.') {
                line.replacen(&format!("{number} s"), "0.00 s", 1)
            } else {
                line.to_string()
            }
        }
        _ => line.to_string(),
    });
    lines.collect()
}

/// Whether the lines are the same, `...` standing for any.
fn matches(expected: &[String], actual: &[String]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=actual.len()).any(|skip| matches(rest, &actual[skip..]))
        }
        Some((first, rest)) => {
            actual.first().is_some_and(|line| line == first.trim_end()) && matches(rest, &actual[1..])
        }
    }
}

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![Trial::test("wildcards match any lines but nothing else does", || {
        let lines = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
        let matches = |expected: &[&str]| matches(&lines(expected), &lines(&["a", "b", "c"]));
        assert!(matches(&["a", "...", "c"]));
        assert!(matches(&["...", "c"]));
        assert!(matches(&["a", "b", "c", "..."]));
        assert!(!matches(&["a", "c"]));
        assert!(!matches(&["...", "b"]));
        assert!(!matches(&[]));
        Ok(())
    })]
}
