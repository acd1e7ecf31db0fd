//! From a table to a picture: `swarmcheck plot`, and `sweep --plot`. Which columns are meant is inferred where nobody says it.

mod columns;
mod groups;

use crate::exit::Exit;
use crate::shell::Shell;
use columns::Columns;
pub use columns::PlotFault;
use groups::Groups;
use std::collections::HashMap;
use swarmcheck_session::plot::{
    Axis, Bin, Caption, CurvePlot, Grid, HeatCell, HeatPlot, HistogramPlot, Mark, PhaseCell, PhasePlot, Plot,
    Point, Series, page, svg,
};
use swarmcheck_session::statistics::sample::Sample;
use swarmcheck_sweep::table::{Cell, Table};

/// More lines than this cannot be told apart.
const LINES: usize = 28;
/// As many lines are drawn without being asked for.
const FEW: usize = 8;

/// What kind of picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlotKind {
    Curve,
    Heat,
    Phase,
    Histogram,
}

/// What is drawn of a table; whatever is not said is inferred.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlotOptions {
    pub x: Option<String>,
    pub y: Option<String>,
    pub by: Option<String>,
    pub kind: Option<PlotKind>,
    pub log_x: bool,
    pub log_y: bool,
    pub title: Option<String>,
    pub bins: Option<u32>,
}

/// Draws a table into a file, whose name says how: `.svg`, `.html`.
pub fn store(table: &Table, options: &PlotOptions, path: &str, shell: &Shell) -> Exit {
    let written = || {
        let format = format(path).map_err(|why| shell.usage(&why))?;
        let plot = plot(table, options).map_err(|fault| shell.usage(&fault.to_string()))?;
        let text = if format == PlotFormat::Svg { svg(&plot) } else { page(&plot) };
        Ok(shell.store(&shell.target(path)?, text.as_bytes()))
    };
    match written() {
        Ok(exit) | Err(exit) => exit,
    }
}

/// How a picture is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlotFormat {
    Svg,
    Html,
}

/// The format that the name of a file says.
pub fn format(path: &str) -> Result<PlotFormat, String> {
    match path.to_lowercase().rsplit_once('.').map(|(_, ending)| ending) {
        Some("svg") => Ok(PlotFormat::Svg),
        Some("html" | "htm") => Ok(PlotFormat::Html),
        _ => Err(format!("a plot is written to a .svg or .html file, not to {path}")),
    }
}

/// The picture of a table.
pub fn plot(table: &Table, options: &PlotOptions) -> Result<Plot, PlotFault> {
    let columns = Columns::new(table)?;
    if options.kind == Some(PlotKind::Histogram) {
        return histogram(&columns, options);
    }
    let varying = columns.varying();
    let named = |name: &Option<String>| name.as_deref().map(|name| columns.named(name)).transpose();
    let (x, y, by) = (named(&options.x)?, named(&options.y)?, named(&options.by)?);
    let undecided = |option| PlotFault::Undecided { option, columns: table.columns.clone() };
    let free = |taken: &[Option<usize>]| {
        let is_free = |column: &&usize| !taken.contains(&Some(**column));
        varying.iter().find(is_free).copied()
    };
    let only = || columns.parameters().first().copied();
    let x = x.or_else(|| free(&[y, by])).or_else(only).ok_or_else(|| undecided("--x"))?;
    let is_phase = |y: usize| columns.is_verdicts(y);
    let wants_verdicts = options.kind == Some(PlotKind::Phase);
    let fits = |column: &usize| !wants_verdicts || is_phase(*column);
    let found = columns.results().into_iter().filter(|column| *column != x && Some(*column) != by).find(fits);
    let asked = y;
    let y = y.or(found).ok_or_else(|| undecided("--y"))?;
    let kind = options.kind.unwrap_or(if is_phase(y) { PlotKind::Phase } else { PlotKind::Curve });
    let others: Vec<usize> = varying.iter().copied().filter(|column| ![x, y].contains(column)).collect();
    let by = match (by, kind) {
        (Some(by), _) => Some(by),
        (None, PlotKind::Curve) => match others[..] {
            [one] if columns.values(one).len() <= FEW => Some(one),
            _ => None,
        },
        (None, _) => others.first().copied(),
    };
    let mut index: Index<'_> = HashMap::new();
    for (at, row) in table.rows.iter().enumerate() {
        let key = (cell_text(row, x), by.map_or("", |by| cell_text(row, by)));
        index.entry(key).or_default().push(at);
    }
    let drawn = Drawn { columns: &columns, options, x, y, by, index };
    match kind {
        PlotKind::Heat => drawn.heat(),
        PlotKind::Phase if by.is_none() && asked.is_none() => {
            // Without a second parameter, all properties fit into one picture.
            let results = columns.results();
            Ok(drawn.properties(results.into_iter().filter(|column| is_phase(*column)).collect()))
        }
        PlotKind::Phase => drawn.phase(),
        _ => drawn.curve(),
    }
}

/// The rows of each place.
type Index<'t> = HashMap<(&'t str, &'t str), Vec<usize>>;

fn cell_text(row: &[Cell], column: usize) -> &str {
    row.get(column).map_or("", Cell::shown)
}

/// Columns whose meaning is known.
struct Drawn<'d> {
    columns: &'d Columns<'d>,
    options: &'d PlotOptions,
    x: usize,
    y: usize,
    by: Option<usize>,
    index: Index<'d>,
}

impl<'d> Drawn<'d> {
    fn title(&self) -> String {
        let (x, y) = (self.columns.name(self.x), self.columns.name(self.y));
        let by = self.by.map_or(String::new(), |by| format!(" and {}", self.columns.name(by)));
        self.options.title.clone().unwrap_or_else(|| format!("{y} by {x}{by}"))
    }

    /// The rows with these values.
    fn rows(&self, x: &'d Cell, by: Option<&'d Cell>) -> &[usize] {
        self.index.get(&(x.shown(), by.map_or("", Cell::shown))).map_or(&[], Vec::as_slice)
    }

    /// An axis for values; shares begin at 0, and go up to 1 unless all are small.
    fn value_axis(&self, values: &[f64]) -> Axis {
        let label = self.columns.name(self.y).to_string();
        let log = self.options.log_y;
        let is_share = !values.is_empty() && values.iter().all(|value| (0.0..=1.0).contains(value));
        let greatest = values.iter().copied().fold(0.0, f64::max);
        let (low, high) = match is_share && !log {
            true => (Some(0.0), (greatest > 0.4).then_some(1.0)),
            false => (None, None),
        };
        Axis { label, log, low, high }
    }

    fn curve(&self) -> Result<Plot, PlotFault> {
        let no_numbers = |column: usize| PlotFault::NoNumbers {
            column: self.columns.name(column).to_string(),
            kind: "a curve",
        };
        let xs: Vec<&Cell> =
            self.columns.values(self.x).into_iter().filter(|cell| cell.value().is_some()).collect();
        if xs.is_empty() {
            return Err(no_numbers(self.x));
        }
        if !self.columns.has_numbers(self.y) && !self.columns.is_verdicts(self.y) {
            return Err(no_numbers(self.y));
        }
        let names: Vec<Option<&Cell>> = match self.by {
            Some(by) => self.columns.values(by).into_iter().map(Some).collect(),
            None => vec![None],
        };
        if names.len() > LINES {
            let column = self.by.map_or("", |by| self.columns.name(by)).to_string();
            return Err(PlotFault::ManyLines { column, count: names.len() });
        }
        let mut groups = Groups::new(self.columns, self.y);
        let mut series = vec![];
        for name in names {
            let mut points = vec![];
            for x in &xs {
                let rows = self.rows(x, name);
                if !rows.is_empty() {
                    let value = groups.value(rows);
                    let (x, y) = (x.value().unwrap_or_default(), value.value);
                    points.push(Point { x, y, low: value.low, high: value.high, infinite: value.infinite });
                }
            }
            let by = self.by.map_or("", |by| self.columns.name(by));
            series.push(Series {
                name: name.map_or(String::new(), |cell| format!("{by} = {}", cell.shown())),
                points,
            });
        }
        let ends = |point: &Point| [point.y, point.low, point.high].into_iter().flatten();
        let values: Vec<f64> = series.iter().flat_map(|one| &one.points).flat_map(ends).collect();
        let x = Axis {
            label: self.columns.name(self.x).to_string(),
            log: self.options.log_x,
            low: None,
            high: None,
        };
        let mut caption = Caption { title: self.title(), notes: groups.notes() };
        if self.options.title.is_none() {
            caption.title = format!("{} by {}", self.columns.name(self.y), self.columns.name(self.x));
        }
        Ok(Plot::Curve(CurvePlot { caption, x, y: self.value_axis(&values), series }))
    }

    fn grid(&self) -> Grid {
        let texts =
            |column: usize| self.columns.values(column).iter().map(|cell| cell.shown().to_string()).collect();
        Grid {
            x: self.columns.name(self.x).to_string(),
            y: self.by.map_or(String::new(), |by| self.columns.name(by).to_string()),
            columns: texts(self.x),
            rows: self.by.map_or(vec![String::new()], texts),
        }
    }

    /// Places of the grid that have rows.
    fn places(&self) -> Vec<(usize, usize, &[usize])> {
        let ys: Vec<Option<&Cell>> = match self.by {
            Some(by) => self.columns.values(by).into_iter().map(Some).collect(),
            None => vec![None],
        };
        let mut places = vec![];
        for (column, x) in self.columns.values(self.x).into_iter().enumerate() {
            for (row, y) in ys.iter().enumerate() {
                let rows = self.rows(x, *y);
                if !rows.is_empty() {
                    places.push((column, row, rows));
                }
            }
        }
        places
    }

    fn heat(&self) -> Result<Plot, PlotFault> {
        if !self.columns.has_numbers(self.y) && !self.columns.is_verdicts(self.y) {
            return Err(PlotFault::NoNumbers {
                column: self.columns.name(self.y).to_string(),
                kind: "a heat map",
            });
        }
        let mut groups = Groups::new(self.columns, self.y);
        let mut cells = vec![];
        for (column, row, rows) in self.places() {
            let value = groups.value(rows);
            cells.push(HeatCell {
                column,
                row,
                value: value.value,
                low: value.low,
                high: value.high,
                infinite: value.infinite,
            });
        }
        let values: Vec<f64> = cells.iter().filter_map(|cell| cell.value).collect();
        // A heat map has no bands; the intervals are told where a cell is pointed at.
        let notes = groups.notes().into_iter().filter(|note| !note.starts_with("Bands are")).collect();
        let caption = Caption { title: self.title(), notes };
        Ok(Plot::Heat(HeatPlot { caption, grid: self.grid(), value: self.value_axis(&values), cells }))
    }

    fn phase(&self) -> Result<Plot, PlotFault> {
        if !self.columns.is_verdicts(self.y) {
            return Err(PlotFault::NoVerdicts { column: self.columns.name(self.y).to_string() });
        }
        let mut groups = Groups::new(self.columns, self.y);
        let mut cells = vec![];
        for (column, row, rows) in self.places() {
            let (verdict, note) = groups.verdict(rows);
            cells.push(PhaseCell { column, row, verdict, note });
        }
        let caption = Caption { title: self.title(), notes: vec![] };
        Ok(Plot::Phase(PhasePlot { caption, grid: self.grid(), cells }))
    }

    /// A row of verdicts for each property.
    fn properties(&self, properties: Vec<usize>) -> Plot {
        let mut cells = vec![];
        for (column, row, rows) in self.places() {
            debug_assert_eq!(row, 0);
            for (row, property) in properties.iter().rev().enumerate() {
                let (verdict, note) = Groups::new(self.columns, *property).verdict(rows);
                cells.push(PhaseCell { column, row, verdict, note });
            }
        }
        let names: Vec<String> =
            properties.iter().rev().map(|column| self.columns.name(*column).to_string()).collect();
        let title = match (&self.options.title, &names[..]) {
            (Some(title), _) => title.clone(),
            (None, [one]) => format!("{one} by {}", self.columns.name(self.x)),
            (None, _) => format!("Verdicts by {}", self.columns.name(self.x)),
        };
        let rows = if names.len() == 1 { vec![String::new()] } else { names };
        let grid = Grid { y: String::new(), rows, ..self.grid() };
        Plot::Phase(PhasePlot { caption: Caption { title, notes: vec![] }, grid, cells })
    }
}

/// How the values of a column are distributed over all rows.
fn histogram(columns: &Columns<'_>, options: &PlotOptions) -> Result<Plot, PlotFault> {
    let asked = options.y.as_deref().or(options.x.as_deref());
    let column = match asked {
        Some(name) => columns.named(name)?,
        None => {
            let undecided = || PlotFault::Undecided { option: "--x", columns: columns.table.columns.clone() };
            columns.results().into_iter().find(|column| columns.has_numbers(*column)).ok_or_else(undecided)?
        }
    };
    let name = columns.name(column).to_string();
    let values: Vec<f64> = columns.cells(column).filter_map(Cell::value).collect();
    if values.is_empty() {
        return Err(PlotFault::NoNumbers { column: name, kind: "a histogram" });
    }
    let mut sample = Sample::new();
    values.iter().for_each(|value| sample.push(*value));
    let (least, greatest) = (sample.least().unwrap_or(0.0), sample.greatest().unwrap_or(0.0));
    let is_whole = values.iter().all(|value| value.fract() == 0.0);
    let bins: Vec<Bin> = match options.bins {
        // One bar for each whole number, around it.
        None if is_whole && greatest - least < 40.0 => {
            let count = |at: f64| values.iter().filter(|value| **value == at).count() as u64;
            let places = (0..=(greatest - least) as u32).map(|by| least + f64::from(by));
            places.map(|at| Bin { from: at - 0.5, to: at + 0.5, count: count(at) }).collect()
        }
        bins => {
            // Sturges' rule, and never fewer than five.
            let usual = ((values.len() as f64).log2().ceil() as u32 + 1).clamp(5, 40);
            let bins = sample.histogram(bins.unwrap_or(usual).clamp(1, 1000));
            bins.iter().map(|bin| Bin { from: bin.from, to: bin.to, count: bin.count }).collect()
        }
    };
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let mark = |label: &str, value: f64| Mark { label: label.to_string(), value };
    let mut marks = vec![mark("mean", mean)];
    marks.extend(sample.quantile(0.5, 0.95).value.map(|median| mark("median", median)));
    let lost = columns.table.rows.len() - values.len();
    let mut notes = vec![format!("{} values, one for each row of the table.", values.len())];
    if lost > 0 {
        notes.push(format!("{lost} rows have no value."));
    }
    let title = options.title.clone().unwrap_or_else(|| format!("Distribution of {name}"));
    let x = Axis { label: name, log: options.log_x, low: None, high: None };
    Ok(Plot::Histogram(HistogramPlot { caption: Caption { title, notes }, x, bins, marks }))
}

#[cfg(test)]
mod tests;
