//! Wrong models: the string literals of the tests of all languages, the models in the manual, and mutations of the examples.

#![allow(clippy::disallowed_methods, reason = "reads the examples, the tests and the manual")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A text and the extension that says its language.
pub struct Model {
    pub from: String,
    pub language: &'static str,
    pub text: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    fn walk(at: &Path, extension: &str, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(at).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                walk(&path, extension, out);
            } else if path.extension().is_some_and(|found| found == extension) {
                out.push(path);
            }
        }
    }
    let mut paths = vec![];
    walk(&root().join(folder), extension, &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a text file");
        (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text)
    };
    paths.into_iter().map(read).collect()
}

/// The string literals of a Rust file, without the marks of expected findings.
fn literals(source: &str) -> Vec<String> {
    let mut out = vec![];
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\'' {
            // A character, or a lifetime.
            let mut ahead = chars.clone();
            let escaped = ahead.next() == Some('\\');
            if escaped {
                ahead.next();
            }
            if ahead.next() == Some('\'') {
                chars = ahead;
            }
        } else if c == '"' {
            let mut text = String::new();
            while let Some(c) = chars.next() {
                match c {
                    '"' => break,
                    '\\' => match chars.next() {
                        Some('n') => text.push('\n'),
                        Some('\n') => while chars.next_if(|c| c.is_whitespace()).is_some() {},
                        Some(other) => text.push(other),
                        None => {}
                    },
                    '«' => while chars.next_if(|c| *c != '»').is_some() {},
                    '»' => {}
                    _ => text.push(c),
                }
            }
            out.push(text);
        } else if c == '/' && chars.peek() == Some(&'/') {
            while chars.next_if(|c| *c != '\n').is_some() {}
        }
    }
    out
}

/// Frames for a piece of LAbS that is no whole model: a process, a predicate, a formula, a link.
const LABS_FRAMES: [&str; 4] = [
    "system { extern = _n: 2\n environment = e: 0; f[2]: 0\n spawn = Ant: 2 }\nstigmergy S { link = true\n s: 0 }\n\
     agent Ant { interface = x: 0; y: 0; a[2]: 0\n stigmergies = S\n Behavior = §\n Move = Skip }\ncheck { P = always true }\n",
    "system { environment = e: 0\n spawn = Ant: 2 }\nagent Ant { interface = x: 0; y: 0\n Behavior = x, y <- 1, 1 }\n\
     check { P = always §\n Q = always e = 0 }\n",
    "system { environment = e: 0\n spawn = Ant: 2 }\nagent Ant { interface = x: 0; y: 0\n Behavior = x, y <- 1, 1 }\n\
     check { P = §\n Q = always e = 0 }\n",
    "system { spawn = Ant: 2 }\nstigmergy S { link = §\n s: 0 }\nagent Ant { interface = x: 0; y: 0\n stigmergies = S\n Behavior = s <~ x + y }\n\
     check { P = always forall Ant a, s of a = 0 }\n",
];

const RCHECK_FRAMES: [&str; 2] = [
    "agent A\n local: x : bool, n : 0..3\n repeat: go: {x} *! (true)()[x := !x] + hear: {true} *? []\n\
     system = A(p, true) || A(q, true) || A(r, true)\nSPEC §\n",
    "channels: c\nmessage-structure: m : 0..3\nagent A\n local: x : bool, n : 0..3\n init: n = 0\n repeat: §\nsystem = A(p, true) || A(q, true)\n",
];

/// The models of the tests and of the manual.
pub fn written() -> Vec<Model> {
    let mut out: Vec<Model> = vec![];
    let mut seen = BTreeSet::new();
    let mut add = |from: &str, language: &'static str, text: String| {
        if seen.insert((language, text.clone())) {
            out.push(Model { from: from.to_string(), language, text });
        }
    };
    for folder in ["crates/labs/src/syntax/tests", "crates/labs/src/check/tests"] {
        for (file, source) in files(folder, "rs") {
            for text in literals(&source).into_iter().filter(|text| text.len() < 4000) {
                if ["system", "agent", "stigmergy", "check {"].iter().any(|word| text.contains(word)) {
                    add(&file, "labs", text);
                } else if text.contains([' ', '<', '=', '(']) && !text.contains("`") {
                    for frame in LABS_FRAMES {
                        add(&file, "labs", frame.replace('§', &text));
                    }
                }
            }
        }
    }
    for (file, source) in files("crates/rcheck/tests", "rs") {
        for text in literals(&source).into_iter().filter(|text| text.len() < 4000) {
            if text.contains("agent ") || text.contains("system =") {
                add(&file, "rcp", text);
            } else if text.contains([' ', '<', '=', '(']) && !text.contains("`") {
                for frame in RCHECK_FRAMES {
                    add(&file, "rcp", frame.replace('§', &text));
                }
            }
        }
    }
    for (folder, language) in [("crates/ccs/tests", "ccs"), ("crates/chor/tests", "chor")] {
        for (file, source) in files(folder, "rs") {
            for text in literals(&source) {
                if ["proc ", "choreography"].iter().any(|word| text.contains(word)) {
                    add(&file, language, text);
                }
            }
        }
    }
    for (file, text) in files("docs", "md") {
        let mut block: Option<(&'static str, String)> = None;
        for line in text.lines() {
            match &mut block {
                Some((language, model)) if line.starts_with("```") => {
                    add(&file, language, std::mem::take(model));
                    block = None;
                }
                Some((_, model)) => *model += &format!("{line}\n"),
                None => {
                    let word = line.strip_prefix("```").map(|rest| rest.split(' ').next().unwrap_or(""));
                    let language = ["labs", "ccs", "chor", "rcheck"].into_iter().find(|l| word == Some(*l));
                    block = language.map(|l| (if l == "rcheck" { "rcp" } else { l }, String::new()));
                }
            }
        }
    }
    out
}

/// The examples, each with one mistake: names misspelt, arrows exchanged, brackets and separators left out, operators of other
/// languages. At most `most` of each sort and file, spread over it.
pub fn mutated(most: usize) -> Vec<Model> {
    let mut out = vec![];
    for (extension, language) in [("labs", "labs"), ("rcp", "rcp"), ("ccs", "ccs"), ("chor", "chor")] {
        for (file, text) in files("examples", extension).into_iter().filter(|(_, text)| text.len() < 6000) {
            let pieces = pieces(&text);
            for sort in SORTS {
                let changed: Vec<String> =
                    pieces.iter().filter_map(|piece| change(&text, piece, sort)).collect();
                let step = changed.len().div_ceil(most).max(1);
                for text in changed.into_iter().step_by(step) {
                    out.push(Model { from: format!("{file}, {sort}"), language, text });
                }
            }
        }
    }
    out
}

const SORTS: [&str; 7] = ["misspelt", "arrow", "bracket", "separator", "operator", "comment", "twice"];

/// Words and signs outside of comments, and where comments begin.
fn pieces(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut out = vec![];
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let rest = &text[at..];
        let end = if word(c) {
            at + rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if let Some(symbol) = ["<--", "<-", "<~", ":=", "->", "=>", "++", "||", "!=", "<=", ">="]
            .into_iter()
            .find(|symbol| rest.starts_with(symbol))
        {
            at + symbol.len()
        } else {
            at + c.len_utf8()
        };
        if !c.is_whitespace() {
            out.push(at..end);
        }
        at = if c == '#' { at + rest.find('\n').unwrap_or(rest.len()) } else { end };
    }
    out
}

fn change(text: &str, at: &std::ops::Range<usize>, sort: &str) -> Option<String> {
    let piece = &text[at.clone()];
    let new = match sort {
        // The third letter is written twice: that is one edit away, and seldom another word.
        "misspelt"
            if piece.len() >= 4 && piece.is_ascii() && piece.starts_with(|c: char| c.is_alphabetic()) =>
        {
            format!("{}{}", &piece[..3], &piece[2..])
        }
        "arrow" => match piece {
            "<-" => "<~".to_string(),
            "<~" => "<--".to_string(),
            "<--" => "<-".to_string(),
            ":=" => "=".to_string(),
            _ => return None,
        },
        "bracket" if "()[]{}".contains(piece) => String::new(),
        "separator" if ";,".contains(piece) => String::new(),
        "operator" => match piece {
            "and" => "&&".to_string(),
            "!=" => "≠".to_string(),
            "<=" => "≤".to_string(),
            "->" => "→".to_string(),
            "<-" => "=".to_string(),
            "&" => "and".to_string(),
            _ => return None,
        },
        "comment" if piece == "#" => "//".to_string(),
        "twice" if ")]};".contains(piece) => format!("{piece}{piece}"),
        _ => return None,
    };
    Some(format!("{}{new}{}", &text[..at.start], &text[at.end..]))
}
