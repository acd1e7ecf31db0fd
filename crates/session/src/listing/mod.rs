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
