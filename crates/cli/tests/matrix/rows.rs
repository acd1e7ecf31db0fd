//! The rows of the matrix: the claims of `examples/*/swarmcheck.toml`.

use crate::common::{files, root};
use swarmcheck_project::{FILE, Row as Claim, rows as claims};

/// A claim: a question about an example, and its verdict.
#[derive(Clone, Debug)]
pub struct Row {
    /// The model's file, with its folder.
    pub file: String,
    pub parameters: String,
    /// How the model is read, and what else was asked: `--fair`, `--steps 6`, `--deadlock`.
    pub options: String,
    pub property: String,
    pub verdict: String,
    /// How many claims about the same file come before.
    pub rank: usize,
    /// 0 for small instances, 1 for larger ones, 2 for those of unknown size.
    pub class: u8,
}

impl Row {
    /// File, parameters and options, as `verify` takes them.
    pub fn arguments(&self) -> String {
        format!("{} {} {}", self.file, self.parameters, self.options)
    }

    /// The same as `export` takes them.
    pub fn model(&self) -> String {
        let options: Vec<&str> =
            self.options.split_whitespace().filter(|o| !o.ends_with("deadlock")).collect();
        format!("{} {} {} {}", self.file, self.parameters, options.join(" "), self.named())
    }

    /// The option that names the property.
    pub fn named(&self) -> String {
        if self.is_deadlock() { String::new() } else { format!("-p {}", self.property) }
    }

    pub fn is_deadlock(&self) -> bool {
        self.property == "(deadlock)"
    }
}

/// All claims, small instances before larger ones. Among those of a class, the first about every file, then the second about every file, and
/// so on: wherever a budget ends, every file has had its share.
pub fn rows() -> Vec<Row> {
    let mut out: Vec<Row> = vec![];
    for path in files(&root().join("examples"), FILE) {
        let folder = path.parent().unwrap().file_name().unwrap().to_string_lossy().to_string();
        for claim in claims(&std::fs::read_to_string(&path).unwrap()).unwrap() {
            let Claim { file, parameters, options, property, verdict, states, .. } = claim;
            // Other verifiers are not asked about fairness.
            if options.contains("--fairness") {
                continue;
            }
            let class = match states {
                Some(0..=300) => 0,
                Some(301..=3000) => 1,
                None if !file.ends_with(".labs") => 0,
                _ => 2,
            };
            let file = format!("examples/{folder}/{file}");
            let rank = out.iter().filter(|row| row.file == file).count();
            out.push(Row { file, parameters, options, property, verdict, rank, class });
        }
    }
    out.sort_by_key(|row| (row.class, row.rank));
    out
}
