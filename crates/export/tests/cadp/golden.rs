//! The whole text for two examples, to be read. That it is right is shown by the other tests, which parse, check, run and
//! evaluate it; this one shows what a change of the exporter changes. `SWARMCHECK_BLESS=1` writes the files.

use crate::models::example;
use std::path::Path;
use swarmcheck_export::{Export, TARGETS};
use swarmcheck_source::SourceFile;

fn check(path: &str, parameters: &str, targets: &[&str]) {
    let flat = example(path, parameters, false);
    let origin = path.rsplit('/').next().expect("a file name");
    let export = Export {
        program: &flat.program,
        flat: &flat,
        property: None,
        formulas: &[],
        bound: None,
        file: &SourceFile::new(origin, ""),
    };
    let stem = origin.trim_end_matches(".labs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cadp/golden");
    let written: Vec<_> = TARGETS.iter().filter(|t| targets.contains(&t.name)).collect();
    assert_eq!(written.len(), targets.len(), "there are no such targets");
    for target in written {
        for file in (target.write)(&export).expect("what the target can express") {
            let path = folder.join(format!("{stem}-{}-{}", target.name, file.name));
            if std::env::var_os("SWARMCHECK_BLESS").is_some() {
                std::fs::write(&path, &file.text).expect("a file that can be written");
            }
            let stored = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(stored == file.text, "{} differs:\n{}", path.display(), file.text);
        }
    }
}

#[test]
fn leader() {
    check("leader/leader.labs", "n=3", &["lnt", "lnt-parallel", "mcl"]);
}

#[test]
fn two_phase_commit() {
    check("twophase/twophase.labs", "workers=2", &["lnt", "lnt-parallel", "mcl"]);
}
