//! The whole text for small models as the exporter writes it, to be read beside the NuSMV manual, whose grammar `grammar.rs`
//! follows. That it means the right thing is shown by the other tests; this one shows what a change of the exporter changes, that every line
//! is needed by the grammar, and that the stored specifications have the verdicts of the examples. `SWARMCHECK_BLESS=1` writes
//! the files.

use crate::check::decide;
use crate::example;
use crate::grammar;
use crate::meaning::Machine;
use crate::states::{read, text};
use std::path::Path;

/// A file of an example, values of its parameters, a property, and how its specification begins.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("leader/leader.labs", "n=3", "LeaderIs0", "LTLSPEC NAME LeaderIs0 := F "),
    ("scopes/crossing.labs", "trains=1", "FourthStep", "INVARSPEC NAME FourthStep := "),
    ("mutual-exclusion/peterson.ccs", "", "First", "CTLSPEC NAME First := AG "),
    ("rcheck-buffer/buffer.rcp", "", "TakenAgain", "LTLSPEC NAME TakenAgain := X "),
    ("rcheck-buffer/buffer.rcp", "", "NeverFull", "INVARSPEC NAME NeverFull := "),
];

/// The verdict that the file of the example gives.
fn verdict(file: &str, parameters: &str, property: &str) -> String {
    let (folder, name) = file.split_once('/').expect("a folder");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder);
    let mut claims = crate::claims(&path).into_iter();
    let found = claims.find(|row| {
        [&row.file, &row.parameters, &row.options, &row.property] == [name, parameters, "", property]
    });
    found.expect("a claim about it").verdict
}

#[test]
fn stored_modules() {
    for (file, parameters, property, begin) in CASES {
        let written = text(&example(file, parameters, false), Some(property)).expect("a module");
        let stem = file.rsplit('/').next().unwrap_or(file).replace('.', "-");
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/smv/golden")
            .join(format!("{stem}-{property}.smv"));
        if std::env::var_os("SWARMCHECK_BLESS").is_some() {
            std::fs::write(&path, &written).expect("a file that can be written");
        }
        let stored = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(stored == written, "{} differs:\n{written}", path.display());
        assert!(stored.lines().any(|line| line.starts_with(begin)), "{begin} is missing:\n{stored}");
        let module = read(&stored);
        let machine = Machine::new(&module).unwrap_or_else(|why| panic!("{why}\n{stored}"));
        let holds = decide(&machine).expect("a small module");
        let word = if holds { "holds" } else { "violated" };
        assert_eq!(word, verdict(file, parameters, property), "{file} {property}");
        cut(&stored);
    }
}

/// Without its last sign, no line that ends a declaration or a formula is one.
fn cut(stored: &str) {
    let lines: Vec<&str> = stored.lines().collect();
    let mut tried = 0;
    for at in (0..lines.len()).filter(|at| lines[*at].ends_with(';') && !lines[*at].starts_with("--")) {
        let mut damaged = lines.clone();
        damaged[at] = damaged[at].trim_end_matches(';');
        let damaged = damaged.join("\n");
        let accepted = grammar::module(&damaged).is_ok_and(|module| Machine::new(&module).is_ok());
        assert!(!accepted, "accepted without the sign at the end of: {}", lines[at]);
        tried += 1;
    }
    assert!(tried > 5, "only {tried} lines were damaged");
}
