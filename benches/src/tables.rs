//! The tables of the papers as data, read from the Markdown files in `benches/tables`.
//!
//! A file has a title, some text, and one table. The names of the columns say what they are; a table has those that it
//! needs. All are listed in `Row::set`.

use crate::figures;
use std::path::Path;

/// The files, in the order of the report.
pub const NAMES: &[&str] =
    &["invariants", "emergence", "atlas", "boids", "populations", "calculi", "limits", "beyond"];

/// One table.
#[derive(Debug, Default)]
pub struct Table {
    /// The name of its file.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What is said between the title and the table.
    pub text: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// One question, what the answer must be, and what it has cost others.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The model, below `examples`.
    pub file: String,
    /// Values of its parameters.
    pub parameters: String,
    /// Options of `swarmcheck verify`.
    pub options: String,
    /// The name of the property; or [`crate::checker::DEADLOCK`], with the option that asks about it.
    pub property: String,
    /// What must be answered; empty where nobody knows beforehand.
    pub verdict: String,
    /// What the paper has answered.
    pub published: String,
    /// What the answer has cost in the paper.
    pub paper_seconds: Option<f64>,
    /// Megabytes in the paper.
    pub paper_memory: Option<f64>,
    /// The tool of the paper.
    pub tool: String,
    /// Initial states.
    pub initial: Option<u64>,
    /// States without reductions.
    pub states: Option<u64>,
    /// Transitions without reductions.
    pub transitions: Option<u64>,
    /// Length of a shortest counterexample without reductions.
    pub steps: Option<u64>,
    /// What a program for this one model needs.
    pub hand_seconds: Option<f64>,
    /// Megabytes of such a program.
    pub hand_memory: Option<f64>,
    /// A remark, often a link to the reason why we differ.
    pub note: String,
}

impl Row {
    /// Everything that tells this row from others, as one line.
    pub fn task(&self) -> String {
        let words = [self.file.as_str(), &self.parameters, &self.options, &self.property];
        words.iter().filter(|w| !w.is_empty()).copied().collect::<Vec<_>>().join(" ")
    }

    fn set(&mut self, column: &str, cell: &str) -> Result<(), String> {
        let number = || match cell {
            "" => Ok(None),
            text => figures::read(text).map(Some).ok_or_else(|| format!("{text:?} is not a number")),
        };
        let count = || number().map(|n| n.map(|n| n as u64));
        match column {
            "file" => self.file = cell.to_string(),
            "parameters" => self.parameters = cell.to_string(),
            "options" => self.options = cell.to_string(),
            "property" => self.property = cell.to_string(),
            "verdict" => self.verdict = cell.to_string(),
            "published" => self.published = cell.to_string(),
            "paper (s)" => self.paper_seconds = number()?,
            "paper (MB)" => self.paper_memory = number()?,
            "tool" => self.tool = cell.to_string(),
            "initial" => self.initial = count()?,
            "states" => self.states = count()?,
            "transitions" => self.transitions = count()?,
            "steps" => self.steps = count()?,
            "by hand (s)" => self.hand_seconds = number()?,
            "by hand (MB)" => self.hand_memory = number()?,
            "note" => self.note = cell.to_string(),
            other => return Err(format!("no column is called {other:?}")),
        }
        Ok(())
    }
}

/// Reads all tables of a folder.
pub fn read_all(folder: &Path) -> Result<Vec<Table>, String> {
    NAMES
        .iter()
        .map(|name| {
            let path = folder.join(format!("{name}.md"));
            let text =
                std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
            read(name, &text).map_err(|why| format!("{}: {why}", path.display()))
        })
        .collect()
}

/// Reads one file.
pub fn read(name: &str, text: &str) -> Result<Table, String> {
    let mut table = Table { name: name.to_string(), ..Table::default() };
    let mut columns: Vec<&str> = vec![];
    for (number, line) in text.lines().enumerate() {
        let wrong = |why: String| format!("line {}: {why}", number + 1);
        if let Some(title) = line.strip_prefix("# ") {
            table.title = title.to_string();
        } else if let Some(inner) = line.trim().strip_prefix('|') {
            let inner = inner.strip_suffix('|').ok_or_else(|| wrong("the row has no end".into()))?;
            let cells: Vec<&str> = inner.split('|').map(str::trim).collect();
            if columns.is_empty() {
                columns = cells;
            } else if cells.iter().any(|cell| !cell.starts_with("---")) {
                if cells.len() != columns.len() {
                    return Err(wrong(format!("{} cells for {} columns", cells.len(), columns.len())));
                }
                let mut row = Row::default();
                for (column, cell) in columns.iter().zip(cells) {
                    row.set(column, cell).map_err(wrong)?;
                }
                table.rows.push(row);
            }
        } else {
            table.text += line;
            table.text.push('\n');
        }
    }
    table.text = table.text.trim().to_string();
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checker::DEADLOCK;
    use std::collections::HashMap;
    use std::path::PathBuf;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
    }

    fn rows() -> Vec<Row> {
        read_all(&root().join("benches/tables")).unwrap().into_iter().flat_map(|t| t.rows).collect()
    }

    #[test]
    fn every_row_asks_something_that_exists() {
        let rows = rows();
        assert!(rows.len() >= 80, "only {} rows", rows.len());
        for row in rows {
            let model = std::fs::read_to_string(root().join("examples").join(&row.file)).unwrap();
            let defined = model.lines().any(|l| {
                l.trim().strip_prefix(&row.property).is_some_and(|rest| rest.trim().starts_with('='))
            });
            let deadlock = row.property == DEADLOCK && row.options.contains("--deadlock");
            assert!(defined || deadlock, "{}", row.task());
            assert!(["", "holds", "violated"].contains(&row.verdict.as_str()), "{}", row.task());
            assert!(["", "holds", "violated"].contains(&row.published.as_str()), "{}", row.task());
        }
    }

    #[test]
    fn a_difference_to_the_paper_has_a_reason() {
        for row in rows().iter().filter(|r| !r.published.is_empty() && r.published != r.verdict) {
            assert!(row.note.contains("](../../examples/"), "{}", row.task());
        }
    }

    /// The examples have claims of their own: both must say the same.
    #[test]
    fn the_examples_agree() {
        let mut claims = HashMap::new();
        for row in rows() {
            let folder = row.file.split('/').next().unwrap().to_string();
            let path = root().join("examples").join(&folder).join(swarmcheck_project::FILE);
            for claim in swarmcheck_project::rows(&std::fs::read_to_string(path).unwrap()).unwrap() {
                claims.insert(format!("{folder}/{}", claim.name()), (claim.verdict, claim.states));
            }
        }
        let mut shared = 0;
        for row in rows() {
            let Some((verdict, states)) = claims.get(&row.task()) else { continue };
            shared += 1;
            assert_eq!(&row.verdict, verdict, "{}", row.task());
            if let (Some(ours), Some(theirs)) = (row.states, states) {
                assert_eq!(ours, *theirs, "{}", row.task());
            }
        }
        assert!(shared >= 70, "only {shared} rows are in both");
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let check = |text: &str, expected: &str| assert_eq!(read("t", text).unwrap_err(), expected);
        check("| file |\n|---|\n| a | b |", "line 3: 2 cells for 1 columns");
        check("| files |\n|---|\n| a |", "line 3: no column is called \"files\"");
        check("| states |\n|---|\n| many |", "line 3: \"many\" is not a number");
    }
}
