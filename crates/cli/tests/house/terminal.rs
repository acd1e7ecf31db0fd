//! Only one file writes to standard output and standard error, so that nothing is shown that was not neutralised
//! (`crates/source/src/shown.rs`); and only one function, or one per target, neutralises.

use crate::common::{files, root};

/// The file, and the one through which a worker tells its parent JSON lines.
const WRITERS: [&str; 2] = ["crates/cli/src/terminal.rs", "crates/worker/src/serve.rs"];

const WRITING: [&str; 8] =
    ["io::stdout", "io::stderr", "println!", "print!(", "eprintln!", "dbg!(", "/dev/tty", ".print()"];

/// The part of a source file that is no test.
fn program(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default()
}

#[test]
fn one_file_writes_to_the_terminal() {
    let (mut found, mut looked) = (vec![], 0);
    for krate in ["cli", "lsp", "project", "session", "source", "sweep", "web", "worker"] {
        for path in files(&root().join("crates").join(krate).join("src"), ".rs") {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            let text = std::fs::read_to_string(&path).unwrap();
            looked += 1;
            if name.ends_with("/tests.rs") || name.contains("/tests/") {
                continue;
            }
            for line in program(&text).lines().filter(|line| !line.trim_start().starts_with("//")) {
                if WRITING.iter().any(|word| line.contains(word)) && !WRITERS.contains(&name.as_str()) {
                    found.push(format!("{name}: {}", line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "write through crates/cli/src/terminal.rs:\n{}", found.join("\n"));
    assert!(looked > 200, "only {looked} files");
    // What is looked for does occur where it may.
    for name in WRITERS {
        let text = std::fs::read_to_string(root().join(name)).unwrap();
        assert!(WRITING.iter().any(|word| program(&text).contains(word)), "{name}");
    }
}

/// Comments of exported files are made by the functions of `naming.rs`: whoever replaces line ends by hand forgets some.
#[test]
fn one_place_makes_text_fit_for_comments() {
    let sources = files(&root().join("crates/export/src"), ".rs");
    assert!(sources.len() > 40, "only {} files", sources.len());
    let by_hand = sources.iter().filter(|path| !path.ends_with("naming.rs")).filter(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        ["replace('\\n', \" \")", "replace(['\\n', '\\r'], \" \")", "replace(\"*/\""]
            .iter()
            .any(|hand| program(&text).contains(hand))
    });
    assert_eq!(by_hand.collect::<Vec<_>>(), Vec::<&std::path::PathBuf>::new());
}
