//! Markdown files as blocks, and what a block needs of those before it.
//!
//! A test of one block starts in an empty folder. There it gets, in the order of the document, every file that a block
//! before it shows, and every earlier command is repeated that may have written a file which the block uses. A command
//! *names* a file if one of its words looks like the name of a file that no block shows and that is not an example;
//! commands that name the same file belong together, and so do those that these need in turn. This repeats too much
//! where a command reads what another one wrote, but never too little, as long as commands write only what they name.

use libtest_mimic::Trial;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a block is for.
#[derive(Debug, PartialEq)]
pub enum Kind {
    /// The content of this file.
    Source(String),
    /// A whole model in the language with this ending.
    Model(String),
    /// Commands and what they print.
    Transcript(Vec<Command>),
    /// Not looked at.
    Prose,
}

/// A command without its `$ `, and what it should print.
#[derive(Debug, PartialEq)]
pub struct Command {
    pub words: String,
    pub expected: Vec<String>,
}

#[derive(Debug)]
pub struct Block {
    pub kind: Kind,
    pub body: String,
    /// The line after the opening fence, counted from 0.
    start: usize,
    /// The line of the closing fence.
    end: usize,
}

#[derive(Debug)]
pub struct Document {
    pub path: PathBuf,
    pub blocks: Vec<Block>,
    lines: Vec<String>,
}

impl Document {
    pub fn read(path: &Path) -> Document {
        Document::parse(path, &std::fs::read_to_string(path).unwrap())
    }

    fn parse(path: &Path, text: &str) -> Document {
        let lines: Vec<String> = text.lines().map(str::to_string).collect();
        let mut blocks = vec![];
        let mut at = 0;
        while at < lines.len() {
            let line = &lines[at];
            at += 1;
            let place = format!("{}:{at}", path.display());
            assert!(
                !line.trim_start().starts_with("```") || line.starts_with("```"),
                "{place}: indented block"
            );
            let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
            let length = lines[at..].iter().position(|l| l == "```");
            let end = at + length.unwrap_or_else(|| panic!("{place}: a block without an end"));
            let body: String = lines[at..end].iter().map(|l| format!("{l}\n")).collect();
            let kind = kind(info, &lines[at..end]).unwrap_or_else(|wrong| panic!("{place}: {wrong}"));
            blocks.push(Block { kind, body, start: at, end });
            at = end + 1;
        }
        Document { path: path.to_path_buf(), blocks, lines }
    }

    /// The place of a block and how it begins.
    pub fn name_of(&self, number: usize) -> String {
        let block = &self.blocks[number];
        let root = crate::common::root();
        let path = self.path.strip_prefix(&root).unwrap_or(&self.path).display();
        let what = match &block.kind {
            Kind::Transcript(commands) => commands.first().map_or("", |c| &c.words),
            Kind::Model(_) => "model",
            Kind::Source(name) => name,
            Kind::Prose => "",
        };
        format!("{path}:{} {what}", block.start + 1)
    }

    /// The whole text, with some blocks replaced.
    pub fn with(&self, bodies: &BTreeMap<usize, &str>) -> String {
        let mut out = String::new();
        let mut at = 0;
        let copy = |from: usize, to: usize| {
            self.lines[from..to].iter().map(|l| format!("{l}\n")).collect::<String>()
        };
        for (number, body) in bodies {
            let block = &self.blocks[*number];
            out += &copy(at, block.start);
            out += body;
            at = block.end;
        }
        out + &copy(at, self.lines.len())
    }

    /// The earlier commands that a block needs, by the number of their blocks.
    pub fn needed(&self, number: usize) -> BTreeMap<usize, Vec<&Command>> {
        let mut wanted: BTreeSet<&str> = self.commands(number).flat_map(|c| self.named(c)).collect();
        let mut out: BTreeMap<usize, Vec<&Command>> = BTreeMap::new();
        for earlier in (0..number).rev() {
            let mut needed: Vec<&Command> = vec![];
            for command in self.commands(earlier).rev() {
                let named = self.named(command);
                if named.iter().any(|name| wanted.contains(name)) {
                    wanted.extend(named);
                    needed.insert(0, command);
                }
            }
            if !needed.is_empty() {
                out.insert(earlier, needed);
            }
        }
        out
    }

    fn commands(&self, number: usize) -> std::slice::Iter<'_, Command> {
        match &self.blocks[number].kind {
            Kind::Transcript(commands) => commands.iter(),
            _ => [].iter(),
        }
    }

    /// The files that a command names and no block shows. Of a path, its first part.
    fn named<'a>(&self, command: &'a Command) -> Vec<&'a str> {
        let shown = |name: &str| self.blocks.iter().any(|b| matches!(&b.kind, Kind::Source(n) if n == name));
        let words: Vec<&str> = command.words.split([' ', '=']).filter(|word| !word.is_empty()).collect();
        let mut out = vec![];
        for (at, word) in words.iter().enumerate() {
            let written = at > 0 && ["-o", "--output"].contains(&words[at - 1]);
            let looks_like_a_file = word.contains(['.', '/']) && word.parse::<f64>().is_err();
            let part = word.split('/').next().unwrap_or(word);
            if (written || looks_like_a_file) && !shown(word) && part != "examples" {
                out.push(part);
            }
        }
        out
    }
}

/// What the words after the fence say about a block.
fn kind(info: &str, body: &[String]) -> Result<Kind, String> {
    let mut words = info.split_whitespace();
    let language = words.next().unwrap_or("");
    let rest: Vec<&str> = words.collect();
    Ok(match (language, rest.iter().find_map(|word| word.strip_prefix("file="))) {
        (_, Some(name)) => Kind::Source(name.to_string()),
        ("labs" | "ccs" | "chor", None) if !rest.contains(&"fragment") => Kind::Model(language.to_string()),
        ("console", None) => Kind::Transcript(commands(body)?),
        _ => Kind::Prose,
    })
}

fn commands(body: &[String]) -> Result<Vec<Command>, String> {
    let mut out: Vec<Command> = vec![];
    for line in body {
        match (line.strip_prefix("$ "), out.last_mut()) {
            (Some(words), _) if words.split(' ').next() != Some("swarmcheck") => {
                return Err(format!("transcripts run swarmcheck only, not {words:?}"));
            }
            (Some(words), _) => out.push(Command { words: words.to_string(), expected: vec![] }),
            (None, Some(command)) => command.expected.push(line.clone()),
            (None, None) => return Err(format!("a transcript must begin with a command, not {line:?}")),
        }
    }
    match out.is_empty() {
        true => Err("a transcript without a command".to_string()),
        false => Ok(out),
    }
}

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![Trial::test("blocks need the commands that made their files", || {
        let text = "```labs file=a.labs\nx\n```\n```console\n$ swarmcheck verify a.labs -o a.json\n$ swarmcheck check a.labs\n```\n\
                    ```console\n$ swarmcheck replay a.json --trace-file=b.json\nfine\n```\n```console\n$ swarmcheck check a.labs\n```\n\
                    ```console\n$ swarmcheck replay b.json\n```\n";
        let document = Document::parse(Path::new("test.md"), text);
        let needed = |number: usize| {
            let needed = document.needed(number).into_values().flatten();
            needed.map(|c| c.words.split(' ').nth(1).unwrap().to_string()).collect::<Vec<String>>()
        };
        assert!(needed(1).is_empty());
        assert_eq!(needed(2), ["verify"]);
        assert!(needed(3).is_empty());
        assert_eq!(needed(4), ["verify", "replay"]);
        let replaced = document.with(&BTreeMap::from([(2, "new\n")]));
        assert_eq!(replaced, text.replace("$ swarmcheck replay a.json --trace-file=b.json\nfine\n", "new\n"));
        Ok(())
    })]
}
