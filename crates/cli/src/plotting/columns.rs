//! What the columns of a table are: parameters, values with the ends of their intervals, verdicts. A table has no types, so this
//! is told by names and contents; the user may name what is meant instead.

use std::fmt;
use swarmcheck_session::plot::PhaseVerdict;
use swarmcheck_source::suggest;
use swarmcheck_sweep::table::{Cell, Table};

/// Why a table cannot be drawn as asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlotFault {
    /// There is no such column.
    NoColumn { wanted: String, columns: Vec<String> },
    /// Several columns have a name that begins like this.
    Ambiguous { wanted: String, columns: Vec<String> },
    /// Nothing says what is to be drawn in this place.
    Undecided { option: &'static str, columns: Vec<String> },
    /// The column has no numbers.
    NoNumbers { column: String, kind: &'static str },
    /// The column has no verdicts.
    NoVerdicts { column: String },
    /// There are too many lines.
    ManyLines { column: String, count: usize },
    /// The table has no rows.
    Empty,
}

impl fmt::Display for PlotFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlotFault::NoColumn { wanted, columns } => {
                let near = suggest::nearest(wanted, columns.iter().map(String::as_str));
                let perhaps = near.map_or(String::new(), |name| format!("; did you mean '{name}'?"));
                let end = if perhaps.is_empty() { ":" } else { "" };
                write!(f, "there is no column '{wanted}'{perhaps}{end} the table has {}", listed(columns))
            }
            PlotFault::Ambiguous { wanted, columns } => {
                write!(f, "several columns begin with '{wanted}': {}", listed(columns))
            }
            PlotFault::Undecided { option, columns } => {
                write!(f, "say what to draw with {option}: the table has {}", listed(columns))
            }
            PlotFault::NoNumbers { column, kind } => {
                write!(f, "column '{column}' has no numbers, which {kind} needs")
            }
            PlotFault::NoVerdicts { column } => write!(
                f,
                "column '{column}' has no verdicts (holds, violated, unknown, failed), which a phase diagram needs"
            ),
            PlotFault::ManyLines { column, count } => write!(
                f,
                "column '{column}' has {count} values, which are too many lines: draw a heat map with --kind heat, or name \
                 another column with --by"
            ),
            PlotFault::Empty => write!(f, "the table has no rows"),
        }
    }
}

fn listed(columns: &[String]) -> String {
    let names: Vec<String> = columns.iter().map(|name| format!("'{name}'")).collect();
    names.join(", ")
}

/// Names of results that are neither values nor parameters.
const OTHER: &[&str] = &[
    "seed",
    "seeds",
    "point",
    "shard",
    "status",
    "error",
    "why",
    "reason",
    "runs",
    "steps",
    "seconds",
    "time",
    "satisfied",
    "undecided",
    "decision",
    "end",
    "engine",
    "states",
    "transitions",
    "confidence",
    "interval",
    "result",
    "verdict",
];

/// Ends of names of columns that belong to another one.
const LOW: &[&str] = &["low", "lower"];
const HIGH: &[&str] = &["high", "upper"];
const BESIDE: &[&str] = &[
    "low",
    "lower",
    "high",
    "upper",
    "confidence",
    "runs",
    "satisfied",
    "violated",
    "undecided",
    "decision",
    "infinite",
    "interval",
];

/// What is known of the columns of a table.
pub struct Columns<'t> {
    pub table: &'t Table,
}

impl<'t> Columns<'t> {
    pub fn new(table: &'t Table) -> Result<Columns<'t>, PlotFault> {
        if table.rows.is_empty() { Err(PlotFault::Empty) } else { Ok(Columns { table }) }
    }

    pub fn name(&self, column: usize) -> &'t str {
        &self.table.columns[column]
    }

    /// The column that somebody names: exactly, without an underscore, or by the only beginning that fits.
    pub fn named(&self, wanted: &str) -> Result<usize, PlotFault> {
        let names = &self.table.columns;
        let bare = |name: &str| name.trim_start_matches('_').to_lowercase();
        let exact = names.iter().position(|name| name == wanted);
        if let Some(column) = exact.or_else(|| names.iter().position(|name| bare(name) == bare(wanted))) {
            return Ok(column);
        }
        let begins = |column: &usize| !wanted.is_empty() && names[*column].starts_with(wanted);
        let fitting: Vec<usize> =
            (0..names.len()).filter(begins).filter(|column| !self.is_beside(*column)).collect();
        match fitting[..] {
            [column] => Ok(column),
            [] => Err(PlotFault::NoColumn { wanted: wanted.to_string(), columns: names.clone() }),
            _ => {
                let columns = fitting.iter().map(|column| names[*column].clone()).collect();
                Err(PlotFault::Ambiguous { wanted: wanted.to_string(), columns })
            }
        }
    }

    pub fn cells(&self, column: usize) -> impl Iterator<Item = &'t Cell> {
        self.table.rows.iter().filter_map(move |row| row.get(column))
    }

    /// The column beside this one whose name ends like this: `P low`, `P.low`, `P_low`, `P (low)`.
    fn beside(&self, column: usize, ends: &[&str]) -> Option<usize> {
        let name = self.name(column);
        (0..self.table.columns.len()).find(|other| {
            let rest = self.name(*other).strip_prefix(name).unwrap_or_default();
            let rest = rest.trim_start_matches([' ', '.', '_', ':', '-', '(']).trim_end_matches(')');
            *other != column && ends.contains(&rest)
        })
    }

    /// The lower and the upper ends of the intervals of this column.
    pub fn ends(&self, column: usize) -> (Option<usize>, Option<usize>) {
        (self.beside(column, LOW), self.beside(column, HIGH))
    }

    /// Whether a column belongs to another one: `P.runs` to `P`.
    fn is_beside(&self, column: usize) -> bool {
        (0..self.table.columns.len()).any(|other| {
            let rest = self.name(column).strip_prefix(self.name(other)).unwrap_or_default();
            let part = rest.trim_start_matches([' ', '.', '_', ':', '-', '(']).trim_end_matches(')');
            other != column && part != rest && (rest.starts_with('.') || BESIDE.contains(&part))
        })
    }

    /// Whether all cells that are not empty are verdicts, and at least one is.
    pub fn is_verdicts(&self, column: usize) -> bool {
        let mut some = false;
        self.cells(column).all(|cell| match cell {
            Cell::Empty => true,
            Cell::Text(text) => {
                some = true;
                verdict(text).is_some()
            }
            Cell::Number(..) => false,
        }) && some
    }

    pub fn has_numbers(&self, column: usize) -> bool {
        self.cells(column).any(|cell| number(cell).is_some())
    }

    /// Where the seeds are.
    pub fn seed(&self) -> Option<usize> {
        self.table.columns.iter().position(|name| name == "seed")
    }

    /// Columns of parameters: those before the seed, or before the first result.
    pub fn parameters(&self) -> Vec<usize> {
        let count = self.table.columns.len();
        let is_result = |column: &usize| {
            let name = self.name(*column);
            let (low, high) = self.ends(*column);
            OTHER.contains(&name)
                || name.contains(['(', ' '])
                || low.is_some()
                || high.is_some()
                || self.is_verdicts(*column)
        };
        if let Some(seed) = self.seed() {
            return (0..seed).collect();
        }
        let end = (0..count).find(is_result).unwrap_or(count);
        (0..end).collect()
    }

    /// Parameters with more than one value.
    pub fn varying(&self) -> Vec<usize> {
        let varies = |column: &usize| {
            let first = self.cells(*column).next();
            self.cells(*column).any(|cell| Some(cell) != first)
        };
        self.parameters().into_iter().filter(varies).collect()
    }

    /// The columns that results are in, best guess first: values with intervals, verdicts, other numbers.
    pub fn results(&self) -> Vec<usize> {
        let parameters = self.parameters();
        let others: Vec<usize> = (0..self.table.columns.len())
            .filter(|column| !parameters.contains(column) && !self.is_beside(*column))
            .collect();
        let has_interval = |column: &usize| self.ends(*column) != (None, None);
        let is_number = |column: &usize| self.has_numbers(*column) && !OTHER.contains(&self.name(*column));
        let mut found: Vec<usize> = others.iter().copied().filter(has_interval).collect();
        found.extend(others.iter().copied().filter(|column| self.is_verdicts(*column)));
        found.extend(others.iter().copied().filter(is_number));
        let mut seen = std::collections::HashSet::new();
        found.retain(|column| seen.insert(*column));
        found
    }

    /// The different values of a column: in the order of numbers, or as they come.
    pub fn values(&self, column: usize) -> Vec<&'t Cell> {
        let mut values: Vec<&Cell> = vec![];
        let mut seen = std::collections::HashSet::new();
        for cell in self.cells(column) {
            if seen.insert(cell.shown()) {
                values.push(cell);
            }
        }
        if values.iter().all(|cell| cell.value().is_some()) {
            values.sort_by(|a, b| a.value().unwrap_or(0.0).total_cmp(&b.value().unwrap_or(0.0)));
        }
        values
    }
}

/// The verdict that a word is.
pub fn verdict(word: &str) -> Option<PhaseVerdict> {
    match word.trim().to_lowercase().replace('_', " ").as_str() {
        "holds" | "true" | "accepted" | "reachable" => Some(PhaseVerdict::Holds),
        "violated" | "false" | "rejected" | "unreachable" => Some(PhaseVerdict::Violated),
        "unknown" | "undecided" => Some(PhaseVerdict::Unknown),
        "failed" | "error" | "model error" | "refused" | "time limit" | "timeout" => {
            Some(PhaseVerdict::Failed)
        }
        _ => None,
    }
}

/// A number, also an infinite one.
pub fn number(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Text(text) if matches!(text.as_str(), "inf" | "infinite" | "infinity" | "∞") => {
            Some(f64::INFINITY)
        }
        cell => cell.value(),
    }
}
