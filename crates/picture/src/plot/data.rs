//! What a plot shows, as plain data. Whoever has a table makes it; nothing here knows where the numbers come from.

use serde::{Deserialize, Serialize};

/// A picture of numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "plot", rename_all = "snake_case")]
pub enum Plot {
    /// Values over a number, with a band around each line.
    Curve(CurvePlot),
    /// A value for each pair of two parameters, as a colour.
    Heat(HeatPlot),
    /// A verdict for each pair of two parameters, as a colour and a sign.
    Phase(PhasePlot),
    /// How often values fall into bins.
    Histogram(HistogramPlot),
}

impl Plot {
    /// The words around the picture.
    pub fn caption(&self) -> &Caption {
        match self {
            Plot::Curve(plot) => &plot.caption,
            Plot::Heat(plot) => &plot.caption,
            Plot::Phase(plot) => &plot.caption,
            Plot::Histogram(plot) => &plot.caption,
        }
    }
}

/// The words around a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Caption {
    /// The title, which is also read to people who do not see the picture.
    #[serde(default)]
    pub title: String,
    /// Sentences below the picture: what a band is, what was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// An axis of numbers.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Axis {
    /// What the numbers are.
    #[serde(default)]
    pub label: String,
    /// Equal distances are equal factors.
    #[serde(default)]
    pub log: bool,
    /// Where the axis begins; none: as far down as the values need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Where it ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

/// Lines over a number.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CurvePlot {
    /// The words around it.
    #[serde(default)]
    pub caption: Caption,
    /// To the right.
    #[serde(default)]
    pub x: Axis,
    /// Upwards.
    #[serde(default)]
    pub y: Axis,
    /// One line each.
    pub series: Vec<Series>,
}

/// A line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Series {
    /// For the legend; it may be empty if there is only one.
    #[serde(default)]
    pub name: String,
    /// They are joined in the order of `x`.
    pub points: Vec<Point>,
}

/// A point of a line.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards; none: there is no value, and the line has a gap.
    pub y: Option<f64>,
    /// The lower end of the band; none: there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end of the band; none while there is a lower end: nothing bounds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The value is infinite.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub infinite: bool,
}

/// Values over two parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeatPlot {
    /// The words around it.
    #[serde(default)]
    pub caption: Caption,
    /// What the two parameters are, and their values.
    #[serde(flatten)]
    pub grid: Grid,
    /// The scale of colours.
    #[serde(default)]
    pub value: Axis,
    /// At most one for each place.
    pub cells: Vec<HeatCell>,
}

/// The places of two parameters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Grid {
    /// What varies to the right.
    #[serde(default)]
    pub x: String,
    /// What varies upwards; it may be empty.
    #[serde(default)]
    pub y: String,
    /// From the left to the right.
    pub columns: Vec<String>,
    /// From the bottom to the top.
    pub rows: Vec<String>,
}

/// A value at a place.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct HeatCell {
    /// The number of the column, from 0.
    pub column: usize,
    /// The number of the row, from 0 at the bottom.
    pub row: usize,
    /// None: there is no value.
    pub value: Option<f64>,
    /// The lower end of its interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// The value is infinite.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub infinite: bool,
}

/// Verdicts over two parameters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PhasePlot {
    /// The words around it.
    #[serde(default)]
    pub caption: Caption,
    /// What the two parameters are, and their values.
    #[serde(flatten)]
    pub grid: Grid,
    /// At most one for each place.
    pub cells: Vec<PhaseCell>,
}

/// A verdict at a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PhaseCell {
    /// The number of the column, from 0.
    pub column: usize,
    /// The number of the row, from 0 at the bottom.
    pub row: usize,
    /// What was found there.
    pub verdict: PhaseVerdict,
    /// More about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// What was found at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseVerdict {
    /// The property holds.
    Holds,
    /// It is violated.
    Violated,
    /// It was not decided.
    Unknown,
    /// There is no answer: the model has an error there, or the work failed.
    Failed,
    /// Several rows of the table belong to this place, and they differ.
    Mixed,
}

impl PhaseVerdict {
    /// In the order of the legend.
    pub const ALL: [PhaseVerdict; 5] = [
        PhaseVerdict::Holds,
        PhaseVerdict::Violated,
        PhaseVerdict::Unknown,
        PhaseVerdict::Failed,
        PhaseVerdict::Mixed,
    ];

    /// The word of the legend.
    pub fn word(self) -> &'static str {
        match self {
            PhaseVerdict::Holds => "holds",
            PhaseVerdict::Violated => "violated",
            PhaseVerdict::Unknown => "unknown",
            PhaseVerdict::Failed => "failed",
            PhaseVerdict::Mixed => "differs",
        }
    }
}

/// How often values fall into bins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HistogramPlot {
    /// The words around it.
    #[serde(default)]
    pub caption: Caption,
    /// What the values are.
    #[serde(default)]
    pub x: Axis,
    /// From the left to the right.
    pub bins: Vec<Bin>,
    /// Values that are marked: a mean, quantiles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
}

/// A bin.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Bin {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// How many values are in it.
    pub count: u64,
}

/// A value that is marked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// What it is.
    pub label: String,
    /// Where it is.
    pub value: f64,
}
