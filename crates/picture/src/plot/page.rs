//! A plot as a page: one file that needs nothing else. It follows the reader's choice of light or dark, shows the values of what is
//! pointed at or walked to with the keyboard, and has the numbers as a table.
//!
//! As for traces (`html.rs`), the page allows its own script and style sheet by their checksums and nothing else.

use super::data::Plot;
use super::{svg, table};
use crate::svg::escape;

/// The bundle of `workbench/src/plot`.
const SCRIPT: &str = include_str!("../../assets/plot/plot.js");
const STYLE: &str = include_str!("../../assets/plot/plot.css");
/// A line for each file: its SHA-256 in base64, and its name.
const CHECKSUMS: &str = include_str!("../../assets/plot/checksums.txt");

/// A whole document with this plot.
pub fn page(plot: &Plot) -> String {
    let caption = plot.caption();
    let title = escape(if caption.title.is_empty() { "Plot" } else { &caption.title });
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        checksum("plot.js"),
        checksum("plot.css"),
    );
    let policy = escape(&policy);
    let drawing = svg(plot);
    // A page has no place for the declaration of a document.
    let drawing = drawing.split_once("?>\n").map_or(drawing.as_str(), |(_, rest)| rest);
    let (columns, rows) = table::table(plot);
    let cells = |tag: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let body: String = rows.iter().map(|row| cells("td", row)).collect();
    let head = cells("th scope=\"col\"", &columns).replace("</th scope=\"col\">", "</th>");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"swarmcheck\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<figure>\n{drawing}</figure>\n\
         <details>\n<summary>The numbers as a table</summary>\n<div class=\"sc-numbers\">\n<table>\n<thead>\n{head}</thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n</details>\n\
         </main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn checksum(name: &str) -> &'static str {
    let line = CHECKSUMS.lines().find_map(|line| line.split_once(' ').filter(|(_, file)| *file == name));
    line.map_or("", |(sum, _)| sum)
}
