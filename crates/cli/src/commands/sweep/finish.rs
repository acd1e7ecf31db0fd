//! The end of a sweep: the table, what failed, and the exit code.

use super::lines::{self, Found};
use crate::exit::Exit;
use crate::output::Target;
use crate::plotting::{self, PlotOptions};
use crate::shell::Shell;
use crate::terminal::Said;
use crate::told;
use serde_json::{Value as Json, json};
use swarmcheck_session::words;
use swarmcheck_sweep::journal::{Collected, Entry, FailureKind};
use swarmcheck_sweep::points::shown;

/// What is written in the end.
pub struct Finish<'f> {
    /// What is known.
    pub known: &'f Collected,
    /// Where the table goes; without it, to standard output.
    pub target: Option<&'f Target>,
    /// The name of that file.
    pub out: &'f str,
    /// Where verdicts change, if that was asked for.
    pub boundaries: Option<Vec<Found>>,
    /// Where the table is drawn, if it is.
    pub plot: Option<&'f str>,
}

/// JSON lines are asked for by the name of the file; everything else is CSV.
fn is_jsonl(path: &str) -> bool {
    [".jsonl", ".ndjson", ".json"].iter().any(|ending| path.ends_with(ending))
}

fn failures(known: &Collected) -> Vec<&Entry> {
    known.entries.values().filter(|e| e.failure.is_some() && !known.is_superfluous(e.point)).collect()
}

/// A sweep is fine if every point has a result, whatever the result is.
pub fn exit(known: &Collected) -> Exit {
    let kinds = failures(known).into_iter().flat_map(|entry| &entry.failure).map(|failure| failure.kind);
    let exits = kinds.map(|kind| match kind {
        FailureKind::Model => Exit::Model,
        FailureKind::TimeLimit => Exit::TimeLimit,
        FailureKind::Inconclusive => Exit::Inconclusive,
        FailureKind::Failure => Exit::Failure,
    });
    exits.fold(Exit::Fine, Exit::and)
}

impl<'f> Finish<'f> {
    /// Without boundaries.
    pub fn new(known: &'f Collected, target: Option<&'f Target>, out: &'f str) -> Finish<'f> {
        Finish { known, target, out, boundaries: None, plot: None }
    }

    /// Writes the table and says how it went.
    pub fn write(&self, shell: &Shell) -> Exit {
        let table = self.known.table();
        let text = if is_jsonl(self.out) { table.to_jsonl() } else { table.to_csv() };
        let mut written = Exit::Fine;
        if let Some(target) = self.target {
            written = shell.store(target, text.as_bytes());
            if written != Exit::Fine {
                return written;
            }
        }
        let drawn = self
            .plot
            .map_or(Exit::Fine, |path| plotting::store(&table, &PlotOptions::default(), path, shell));
        let printed = match (shell.told.is_data(), &self.boundaries, self.target) {
            (true, ..) => shell.document("swarmcheck-sweep", told::VERSION, self.fields()),
            (_, Some(found), _) => {
                let mark = self.known.header.boundary.as_ref();
                shell.print(&lines::listing(mark.map_or("", |mark| &mark.parameter), found))
            }
            (_, None, None) => shell.print_as(&text, Said::Data),
            _ => Exit::Fine,
        };
        let failed = failures(self.known);
        let rows = words::count(table.rows.len(), "point");
        if self.target.is_some() {
            shell.note(&format!("{rows} in {}", self.out));
        }
        if let Some(first) = failed.first() {
            let why = first.failure.as_ref().map_or("", |failure| &failure.why);
            let at = shown(&self.known.header.points.parameters, &first.values);
            shell.note(&format!("{} of {rows} failed; the first is {at}: {why}", failed.len()));
        }
        exit(self.known).and(written).and(drawn).and(printed)
    }

    fn fields(&self) -> Json {
        let (header, table) = (&self.known.header, self.known.table());
        let rows: Vec<Json> =
            table.rows.iter().filter_map(|row| serde_json::from_str(&table.json_row(row)).ok()).collect();
        let mut fields = json!({
            "model": header.model.name,
            "do": header.work["do"],
            "points": header.points.count,
            "done": rows.len(),
            "failed": failures(self.known).len(),
            "out": self.target.map(|_| self.out),
            "columns": table.columns,
            "rows": rows,
        });
        if let Some(boundaries) = &self.boundaries {
            fields["boundaries"] = boundaries.iter().map(Found::json).collect();
        }
        fields
    }
}
