//! Documentation that runs: every Markdown file of the project is a test.
//!
//! * A block ` ```labs file=NAME ` is written to NAME in a scratch folder, and so is any ` ```text file=NAME `.
//! * A block ` ```console ` is a transcript: lines that begin with `$ swarmcheck` are run there, and what the program
//!   prints on both channels must be what follows. A line `...` stands for any lines. `[exit 6]` at the end says
//!   that the program ends with 6; without it, it must end with 0. `< NAME` feeds a file to standard input.
//!   Times, as in `0.02 s`, are written as `0.00 s`.
//! * A block ` ```labs `, ` ```ccs ` or ` ```chor ` without a name must be a whole model that is accepted as it stands;
//!   ` ```labs fragment ` is not looked at.
//!
//! `SWARMCHECK_BLESS=1 cargo test -p swarmcheck-cli --test literate` rewrites transcripts with what was printed. Read
//! the difference before you commit it.

mod common;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn documents_tell_the_truth() {
    let mut wrong = vec![];
    let mut transcripts = 0;
    for path in common::markdown_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut document = Document::new(&path);
        let blessed = document.run(&text);
        transcripts += document.transcripts;
        if blessed != text && std::env::var_os("SWARMCHECK_BLESS").is_some() {
            std::fs::write(&path, blessed).unwrap();
        }
        wrong.extend(document.wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(transcripts >= 20, "only {transcripts} transcripts were found");
}

struct Document {
    path: PathBuf,
    scratch: PathBuf,
    transcripts: usize,
    wrong: Vec<String>,
}

impl Document {
    fn new(path: &Path) -> Document {
        let name: String = path.to_string_lossy().chars().filter(|c| c.is_alphanumeric()).collect();
        let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&scratch);
        std::fs::create_dir_all(&scratch).unwrap();
        std::os::unix::fs::symlink(common::root().join("examples"), scratch.join("examples")).unwrap();
        Document { path: path.to_path_buf(), scratch, transcripts: 0, wrong: vec![] }
    }

    /// Goes through the blocks and returns the text with transcripts as they really are.
    fn run(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut lines = text.lines();
        let mut unnamed = 0;
        while let Some(line) = lines.next() {
            out += line;
            out.push('\n');
            let Some(info) = line.strip_prefix("```").filter(|i| !i.is_empty()) else { continue };
            let block: Vec<&str> = lines.by_ref().take_while(|l| *l != "```").collect();
            let mut words = info.split_whitespace();
            let kind = words.next().unwrap_or("");
            let rest: Vec<&str> = words.collect();
            let file = rest.iter().find_map(|w| w.strip_prefix("file="));
            let mut body = block.iter().map(|l| format!("{l}\n")).collect::<String>();
            match (kind, file) {
                (_, Some(name)) => std::fs::write(self.scratch.join(name), &body).unwrap(),
                ("labs" | "ccs" | "chor", None) if !rest.contains(&"fragment") => {
                    unnamed += 1;
                    let name = format!("unnamed{unnamed}.{kind}");
                    std::fs::write(self.scratch.join(&name), &body).unwrap();
                    let (said, code) = self.execute(&format!("swarmcheck check {name}"));
                    if code != 0 {
                        self.complain(&format!("this model is not accepted:\n{body}\n{said}"));
                    }
                }
                ("console", None) => body = self.transcript(&block),
                _ => {}
            }
            out += &body;
            out += "```\n";
        }
        out
    }

    fn complain(&mut self, what: &str) {
        self.wrong.push(format!("{}: {what}", self.path.display()));
    }

    fn transcript(&mut self, block: &[&str]) -> String {
        let mut out = String::new();
        let mut at = 0;
        while at < block.len() {
            let Some(command) = block[at].strip_prefix("$ ") else {
                self.complain(&format!("a transcript must begin with a command, not {:?}", block[at]));
                return block.join("\n") + "\n";
            };
            let end = (at + 1..block.len()).find(|&i| block[i].starts_with("$ ")).unwrap_or(block.len());
            let expected = &block[at + 1..end];
            let actual = self.lines_of(command);
            out += &format!("$ {command}\n");
            if matches(expected, &actual) {
                expected.iter().for_each(|l| out += &format!("{l}\n"));
            } else {
                self.complain(&format!(
                    "\n$ {command}\nshould print\n{}\nbut prints\n{}",
                    expected.join("\n"),
                    actual.join("\n")
                ));
                actual.iter().for_each(|l| out += &format!("{l}\n"));
            }
            self.transcripts += 1;
            at = end;
        }
        out
    }

    fn lines_of(&self, command: &str) -> Vec<String> {
        let (said, code) = self.execute(command);
        let mut lines: Vec<String> = said.lines().map(|l| l.trim_end().to_string()).collect();
        if code != 0 {
            lines.push(format!("[exit {code}]"));
        }
        lines
    }

    fn execute(&self, command: &str) -> (String, i32) {
        let (command, input) = command.split_once(" < ").unwrap_or((command, ""));
        let mut words = command.split_whitespace();
        assert_eq!(words.next(), Some("swarmcheck"), "transcripts run swarmcheck only: {command:?}");
        let (mut reader, writer) = std::io::pipe().unwrap();
        let stdin = match input.trim() {
            "" => Stdio::null(),
            name => std::fs::File::open(self.scratch.join(name)).unwrap().into(),
        };
        let mut process = Command::new(env!("CARGO_BIN_EXE_swarmcheck"));
        process.args(words).current_dir(&self.scratch).stdin(stdin);
        process.stdout(writer.try_clone().unwrap()).stderr(writer);
        let mut child = process.spawn().unwrap();
        // The command keeps its ends of the pipe open; without them the reader sees the end of the output.
        drop(process);
        let mut said = String::new();
        reader.read_to_string(&mut said).unwrap();
        (without_times(&said), child.wait().unwrap().code().unwrap_or(-1))
    }
}

/// How long something took is different every time: in documents it is always `0.00 s`.
fn without_times(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| match line.find(" s  ") {
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
fn matches(expected: &[&str], actual: &[String]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((&"...", rest)) => (0..=actual.len()).any(|skip| matches(rest, &actual[skip..])),
        Some((first, rest)) => {
            actual.first().is_some_and(|line| line == first.trim_end()) && matches(rest, &actual[1..])
        }
    }
}

#[test]
fn wildcards_match_any_lines_but_nothing_else_does() {
    let actual: Vec<String> = ["a", "b", "c"].iter().map(ToString::to_string).collect();
    assert!(matches(&["a", "...", "c"], &actual));
    assert!(matches(&["...", "c"], &actual));
    assert!(matches(&["a", "b", "c", "..."], &actual));
    assert!(!matches(&["a", "c"], &actual));
    assert!(!matches(&["...", "b"], &actual));
    assert!(!matches(&[], &actual));
}
