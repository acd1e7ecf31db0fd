//! Diagnostics as text, in the style of rustc, through `annotate-snippets`.

use crate::data::{self, DiagnosticData, PlaceData};
use crate::{Diagnostic, Severity, SourceFile, Span, shown};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::borrow::Cow;
use std::ops::Range;

/// Renders one diagnostic; with colours if `colour` is set. Ends with a new line.
pub fn diagnostic(file: &SourceFile, d: &Diagnostic, colour: bool) -> String {
    data(file, &data::diagnostic(file, d), colour)
}

/// Renders a diagnostic that was made elsewhere, about a file with this text.
///
/// The renderer reads all the text that it is given, so it gets the lines around the places only: the work does not
/// depend on the size of the file, which matters if there are many diagnostics.
pub fn data(file: &SourceFile, d: &DiagnosticData, colour: bool) -> String {
    let at = |place: &PlaceData| {
        clamp(file.text(), Span::new(place.start as usize, place.end.max(place.start) as usize))
    };
    let primary = at(&d.place);
    let window = window(file, &primary);
    let text = &file.text()[window.range.clone()];
    let safe = shown::text(text);
    let inside = |range: &Range<usize>| {
        let range = window.place(range)?;
        // A replaced character may have another number of bytes.
        Some(match &safe {
            Cow::Borrowed(_) => range,
            Cow::Owned(safe) => moved(text, safe, range.start)..moved(text, safe, range.end),
        })
    };
    let label = |place: &PlaceData| shown::line(&place.message).into_owned();
    let mut snippet = Snippet::source(&*safe).line_start(window.line);
    if let Some(range) = inside(&primary) {
        snippet = snippet.annotation(AnnotationKind::Primary.span(range).label(label(&d.place)));
    }
    let mut elsewhere = vec![];
    for place in &d.related {
        match inside(&at(place)) {
            Some(range) => {
                snippet = snippet.annotation(AnnotationKind::Context.span(range).label(label(place)))
            }
            None => elsewhere.push(format!("{}: {}:{}", label(place), place.line, place.column)),
        }
    }
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let name = shown::line(file.name());
    let mut group =
        level.primary_title(shown::text(&d.message)).id(&d.code).element(snippet.path(name.clone()));
    for place in &elsewhere {
        group = group.element(Level::NOTE.message(place));
    }
    for help in &d.help {
        group = group.element(Level::HELP.message(shown::text(help)));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = renderer.render(&[group]);
    if let Some(column) = window.column(file, primary.start) {
        // The renderer counts columns from the first character that it gets.
        let at = |column| format!("{name}:{}:{column}", window.line);
        out = out.replacen(&at(column), &at(file.line_column(primary.start as u32).1), 1);
    }
    out.push('\n');
    out
}

/// Bytes before and behind a place within which other places are shown beside it. Those farther away get a line in words.
const NEAR: usize = 4_000;
/// The part of a longer line that is shown.
const LINE: usize = 400;

/// The part of a text that is shown.
struct Window {
    /// Its place in the text.
    range: Range<usize>,
    /// The number of its first line, from one.
    line: usize,
    /// It is a part of one long line.
    cut: bool,
}

impl Window {
    /// The column of a byte in the window, where that is not the one in the text.
    fn column(&self, file: &SourceFile, at: usize) -> Option<usize> {
        let before = file.text().get(self.range.start..at).filter(|_| self.cut)?;
        Some(before.chars().count() + 1)
    }

    /// Where a place is in the window.
    fn place(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let inside = self.range.start <= range.start && range.start <= self.range.end;
        let fits = inside && (range.end <= self.range.end || range.start < self.range.end);
        fits.then(|| range.start - self.range.start..range.end.min(self.range.end) - self.range.start)
    }
}

/// Whole lines around a place, or a part of its line if that is long.
fn window(file: &SourceFile, place: &Range<usize>) -> Window {
    let text = file.text();
    let (first, end) = file.line_around(place.start);
    if end - first > 2 * NEAR {
        let from = floor(text, place.start.saturating_sub(LINE / 2).max(first));
        let to = floor(text, (place.start + LINE).min(end));
        return Window { range: from..to, line: file.line_column(place.start as u32).0, cut: true };
    }
    // Whole lines, as many as are near. Of a place that is longer, the rest is left out.
    let before = file.line_around(floor(text, first.saturating_sub(NEAR))).1;
    let from = if first <= NEAR { 0 } else { (before + 1).min(first) };
    let behind = floor(text, (end + NEAR).min(text.len()));
    let to =
        if behind == text.len() { behind } else { file.line_around(behind).0.saturating_sub(1).max(end) };
    Window { range: from..to, line: file.line_column(from as u32).0, cut: false }
}

/// A span as the renderer wants it: inside the text, at least one byte wide unless at the very end, and on
/// character boundaries.
fn clamp(text: &str, span: Span) -> Range<usize> {
    let start = floor(text, (span.start as usize).min(text.len()));
    let mut end = floor(text, (span.end as usize).clamp(start, text.len()));
    if end == start && start < text.len() && !text[start..].starts_with('\n') {
        end = start + text[start..].chars().next().map_or(0, char::len_utf8);
    }
    start..end
}

/// Where a place of one text is in another that has as many characters.
fn moved(text: &str, other: &str, at: usize) -> usize {
    let before = text[..at].chars().count();
    other.char_indices().nth(before).map_or(other.len(), |(at, _)| at)
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_place_code_and_help() {
        let file = SourceFile::new("a.labs", "one two\nthree\n");
        let d = Diagnostic::error("E0001", Span::new(8, 13), "wrong word").label("here").help("say four");
        let text = diagnostic(&file, &d, false);
        for part in ["error[E0001]: wrong word", "a.labs:2:1", "2 | three", "^^^^^ here", "help: say four"] {
            assert!(text.contains(part), "{part:?} missing in\n{text}");
        }
    }

    /// Places far from the main one are told in words, and what is shown is the same in a file of any length.
    #[test]
    fn shows_the_lines_around_a_place_only() {
        let d = |at: usize| {
            let error = Diagnostic::error("E0001", Span::new(at, at + 3), "twice").label("again");
            error.also(Span::new(0, 3), "first")
        };
        let near = "abc\nabc\n".to_string();
        let text = diagnostic(&SourceFile::new("n", near.clone()), &d(4), false);
        assert!(text.contains("--- first") && text.contains("n:2:1"), "{text}");
        let far = format!("abc\n{}abc\n{near}", "x = 1\n".repeat(10_000));
        let text = diagnostic(&SourceFile::new("f", far), &d(60_004), false);
        assert!(text.contains("f:10002:1") && text.contains("10002 | abc"), "{text}");
        assert!(text.contains("= note: first: 1:1") && text.lines().count() < 12, "{text}");
        // The same in one long line.
        let long = format!("abc{}abc", " x = 1".repeat(10_000));
        let text = diagnostic(&SourceFile::new("l", long), &d(60_003), false);
        assert!(text.contains("l:1:60004") && text.contains("abc") && text.len() < 1000, "{text}");
        assert!(text.contains("= note: first: 1:1"), "{text}");
    }

    /// "Trojan Source": what a reader sees is what is there, and carets stay below what they mean.
    #[test]
    fn nothing_in_a_file_or_its_name_is_obeyed() {
        let text = "a \u{9b}2J\u{202e}\u{200b}\u{1b}[2K b\r\n# \u{2028}\n";
        let file = SourceFile::new("x\u{1b}]0;t\u{7}\nerror: \u{2066}.labs", text);
        let at = text.find('b').unwrap();
        let message = "no \u{1b}[31m`\u{9d}`";
        let d = Diagnostic::error("E0001", Span::new(at, at + 1), message)
            .label("\u{1b}[1A\nhere")
            .help("\u{202e}");
        for colour in [false, true] {
            let out = diagnostic(&file, &d, colour);
            // What is left of escape sequences chooses colours, and only if there are to be some.
            assert_eq!(shown::coloured(&out), out);
            assert_eq!(out.contains('\u{1b}'), colour);
        }
        let out = diagnostic(&file, &d, false);
        assert!(out.contains("x␛]0;t␇␊error: \u{fffd}.labs:1:13"), "{out}");
        let lines: Vec<&str> = out.lines().collect();
        let line = lines.iter().position(|line| line.contains("1 | ")).unwrap();
        let column = lines[line].chars().position(|c| c == 'b').unwrap();
        assert_eq!(lines[line + 1].chars().position(|c| c == '^'), Some(column), "{out}");
    }

    #[test]
    fn survives_empty_files_and_wide_lines() {
        let empty = SourceFile::new("e", "");
        let d = Diagnostic::error("E0001", Span::new(0, 0), "empty");
        assert!(diagnostic(&empty, &d, false).contains("empty"));
        let wide = SourceFile::new("w", "é".repeat(50_000));
        let d = Diagnostic::error("E0001", Span::new(50_000, 50_001), "wide").help("shorter");
        let text = diagnostic(&wide, &d, false);
        // The renderer cuts wide lines around the place, and the column is still that of the file.
        assert!(text.len() < 3_000 && text.contains("w:1:25001"), "{text}");
    }
}
