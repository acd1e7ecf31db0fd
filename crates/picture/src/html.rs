//! A trace as a page that plays it: one file that needs nothing else, not even a server.
//!
//! The player is a script (`assets/player.js`, bundled from `workbench/`). The page allows that script and its style sheet by their
//! checksums and nothing else (Content Security Policy, level 3), so even if a text of a model were taken for markup, it could not
//! run or load anything. Texts cannot become markup: data is JSON without a `<`, and everything else is escaped.

use crate::data::Picture;
use crate::svg::escape;
use serde_json::{Value as Json, json};

/// The bundle of `workbench/src/player`.
pub const SCRIPT: &str = include_str!("../assets/player.js");
/// Its style sheet.
pub const STYLE: &str = include_str!("../assets/player.css");
/// A line for each file of `assets`: its SHA-256 in base64, and its name.
const CHECKSUMS: &str = include_str!("../assets/checksums.txt");

/// Pages that would be larger than this leave out what a player does not need.
const LARGE: usize = 1_500_000;

/// What is in a page.
#[derive(Debug)]
pub struct Page<'p> {
    /// The title of the page.
    pub title: &'p str,
    /// The trace (`docs/traces.md`).
    pub trace: &'p Json,
    /// The picture of the trace.
    pub picture: &'p Picture,
    /// The text of the model.
    pub source: &'p str,
    /// The trace as text, for those who run no scripts.
    pub listing: &'p str,
}

/// A whole document that needs no other file.
pub fn page(page: &Page<'_>) -> String {
    let data = data(page);
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        checksum("player.js"),
        checksum("player.css"),
    );
    let (title, policy, listing) = (escape(page.title), escape(&policy), escape(page.listing));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"swarmcheck\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <noscript>\n<h1>{title}</h1>\n<pre>{listing}</pre>\n</noscript>\n\
         <script type=\"application/json\" id=\"swarmcheck-data\">{data}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// The data of the page as JSON that can stand in a page.
fn data(page: &Page<'_>) -> String {
    let Page { trace, picture, source, .. } = *page;
    let whole = embedded(&json!({ "trace": trace, "picture": picture, "source": source }));
    if whole.len() + SCRIPT.len() + STYLE.len() + page.listing.len() <= LARGE {
        return whole;
    }
    let trace = without_pending(trace);
    embedded(&json!({ "trace": trace, "picture": picture, "source": source }))
}

/// A trace without the messages that wait after each step. They are by far the most of a long trace, and nothing shows them; but
/// such a trace cannot be replayed.
fn without_pending(trace: &Json) -> Json {
    let mut trace = trace.clone();
    for step in trace["steps"].as_array_mut().into_iter().flatten() {
        if let Some(step) = step.as_object_mut() {
            step.remove("pending");
        }
    }
    trace
}

/// JSON without `<`, so nothing in it ends the script or begins a comment, and without the two characters that end lines in
/// older scripts. The escapes stand for the same text.
fn embedded(value: &Json) -> String {
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn checksum(name: &str) -> &'static str {
    let line = CHECKSUMS.lines().find_map(|line| line.split_once(' ').filter(|(_, file)| *file == name));
    line.map_or("", |(sum, _)| sum)
}

#[cfg(test)]
pub(crate) mod tests;
