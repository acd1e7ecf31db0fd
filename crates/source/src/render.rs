//! Diagnostics as text, in the style of rustc, through `annotate-snippets`.

use crate::data::{self, DiagnosticData, PlaceData};
use crate::{Diagnostic, Severity, SourceFile, Span};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// Renders one diagnostic; with colours if `colour` is set. Ends with a new line.
pub fn diagnostic(file: &SourceFile, d: &Diagnostic, colour: bool) -> String {
    data(file, &data::diagnostic(file, d), colour)
}

/// Renders a diagnostic that was made elsewhere, about a file with this text.
pub fn data(file: &SourceFile, d: &DiagnosticData, colour: bool) -> String {
    let text = file.text();
    let at = |place: &PlaceData| clamp(text, Span::new(place.start as usize, place.end as usize));
    let mut snippet = Snippet::source(text)
        .path(file.name())
        .annotation(AnnotationKind::Primary.span(at(&d.place)).label(&d.place.message));
    for place in &d.related {
        snippet = snippet.annotation(AnnotationKind::Context.span(at(place)).label(&place.message));
    }
    let level = match d.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level.primary_title(&d.message).id(&d.code).element(snippet);
    for help in &d.help {
        group = group.element(Level::HELP.message(help));
    }
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = renderer.render(&[group]);
    out.push('\n');
    out
}

/// A span as the renderer wants it: inside the text, at least one byte wide unless at the very end, and on
/// character boundaries.
fn clamp(text: &str, span: Span) -> std::ops::Range<usize> {
    let start = floor(text, (span.start as usize).min(text.len()));
    let mut end = floor(text, (span.end as usize).clamp(start, text.len()));
    if end == start && start < text.len() && !text[start..].starts_with('\n') {
        end = start + text[start..].chars().next().map_or(0, char::len_utf8);
    }
    start..end
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
