//! Traces of a report as numbered steps: initial values once for all of them.

mod circle;
mod end;
mod formula;
mod pieces;
mod steps;
mod values;

use crate::outcome::ShownTrace;
pub use pieces::Flavour;
pub use steps::{Listing, Style};

/// The traces of a report, each with its heading and an empty line between them. Of initial values that the first trace
/// has shown, only those that differ are shown again.
pub fn report(traces: &[(String, &ShownTrace)], style: Style) -> String {
    let known = traces.first().map(|(_, first)| first.data.initial.as_slice());
    let mut out = String::new();
    for (number, (heading, shown)) in traces.iter().enumerate() {
        let known = known.filter(|_| number > 0);
        out += &match (style.flavour, number) {
            (Flavour::Markdown, 0) => format!("### {heading}\n"),
            (Flavour::Markdown, _) => format!("\n### {heading}\n"),
            (Flavour::Plain | Flavour::Ansi, 0) => format!("{heading}\n"),
            (Flavour::Plain | Flavour::Ansi, _) => format!("\n{heading}\n"),
        };
        out += &Listing::whole(&shown.legend, style, &shown.data, known);
    }
    out
}

/// A trace with its heading, and the lines that begin a step: their numbers from 0, and the line and the column of the model, from 1.
pub fn with_places(heading: &str, shown: &ShownTrace) -> (String, Vec<(usize, u32, u32)>) {
    let mut listing = Listing::new(shown.legend.clone(), Style::default());
    let (mut out, mut places) = (format!("{heading}\n"), vec![]);
    out += &listing.beginning(&shown.data, None);
    let mut lines = out.lines().count();
    for (number, step) in shown.data.steps.iter().enumerate() {
        // A mark stands before the step where a loop begins.
        let mark = usize::from(shown.data.loop_start == Some(number));
        let at = step.at.as_deref().and_then(|at| at.split_once(':'));
        let at = at.and_then(|(line, column)| Some((line.parse().ok()?, column.parse().ok()?)));
        places.extend(at.map(|(line, column)| (lines + mark, line, column)));
        let written = listing.step(step);
        lines += written.lines().count();
        out += &written;
    }
    (out + &listing.end(&shown.data), places)
}
