//! The options of `plot`.

use super::{GlobalArguments, LimitArguments, MORE, examples};
use crate::plotting::{PlotKind, PlotOptions};
use clap::{Args, ValueEnum};

/// Draws a table.
#[derive(Args)]
#[command(after_help = MORE, after_long_help = examples(&[
    ("swarmcheck plot results.csv -o plot.svg", "what the table seems to be about"),
    (
        "swarmcheck plot results.csv --x delta --y 'P(Consensus)' --by n -o plot.html",
        "a curve with its band for each n, in a page that shows the values",
    ),
    ("swarmcheck plot results.csv --x delta --by n --kind heat -o plot.svg", "a heat map over two parameters"),
    ("swarmcheck plot verdicts.csv --x delta --by n --y Consensus -o plot.svg", "where the property holds"),
]))]
pub struct PlotArguments {
    /// A table that 'sweep' has written, as CSV or JSON lines; - reads it from standard input
    #[arg(value_name = "TABLE")]
    pub table: String,
    #[command(flatten)]
    pub what: PlotWhatArguments,
    /// Write to a .svg or .html file instead of SVG to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<String>,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub global: GlobalArguments,
}

/// What of a table is drawn.
#[derive(Args, Default)]
pub struct PlotWhatArguments {
    /// The column to the right [default: the first parameter that varies]
    #[arg(long, value_name = "COLUMN")]
    pub x: Option<String>,
    /// The column with the values [default: the first result]
    ///
    /// The beginning of its name is enough. The intervals of an estimate are found beside it.
    #[arg(long, value_name = "COLUMN")]
    pub y: Option<String>,
    /// A curve for each value of this column, or the rows of a heat map or phase diagram [default: the other parameter that varies]
    #[arg(long, value_name = "COLUMN")]
    pub by: Option<String>,
    /// What to draw [default: phase for verdicts, curve for numbers]
    #[arg(long, value_name = "KIND")]
    pub kind: Option<PlotKindWord>,
    /// A logarithmic axis to the right
    #[arg(long)]
    pub log_x: bool,
    /// A logarithmic axis upwards, or scale of colours
    #[arg(long)]
    pub log_y: bool,
    /// The title [default: the names of the columns]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// The number of bins of a histogram [default: as the number of values suggests]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub bins: Option<u32>,
}

/// Kinds of plots.
#[derive(Clone, Copy, ValueEnum)]
pub enum PlotKindWord {
    /// Lines with the bands of their intervals
    Curve,
    /// Values over two parameters as colours
    Heat,
    /// Verdicts over two parameters as colours and signs
    Phase,
    /// How the values of a column are distributed
    Histogram,
}

impl PlotWhatArguments {
    pub fn options(&self) -> PlotOptions {
        PlotOptions {
            x: self.x.clone(),
            y: self.y.clone(),
            by: self.by.clone(),
            kind: self.kind.map(|kind| match kind {
                PlotKindWord::Curve => PlotKind::Curve,
                PlotKindWord::Heat => PlotKind::Heat,
                PlotKindWord::Phase => PlotKind::Phase,
                PlotKindWord::Histogram => PlotKind::Histogram,
            }),
            log_x: self.log_x,
            log_y: self.log_y,
            title: self.title.clone(),
            bins: self.bins,
        }
    }
}
