//! What a text means: its syntax tree and the codes of its errors, without places.

use swarmcheck_format::Language;
use swarmcheck_rcheck::Precedence;
use swarmcheck_source::Diagnostics;

/// The tree as text, and the codes.
pub fn tree(language: Language, text: &str) -> (String, Vec<&'static str>) {
    // Readers are given texts without the mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (tree, found) = match language {
        Language::Labs => shown(swarmcheck_labs::syntax::parse(text)),
        Language::Ccs => shown(swarmcheck_ccs::syntax::parse(text)),
        Language::Chor => shown(swarmcheck_chor::check(text, None)),
        Language::Rcheck => shown(swarmcheck_rcheck::syntax::parse(text, Some(Precedence::Conventional))),
    };
    let mut codes: Vec<&'static str> = found.iter().map(|one| one.code).collect();
    codes.sort_unstable();
    (without_places(&tree), codes)
}

fn shown<T: std::fmt::Debug>((tree, found): (T, Diagnostics)) -> (String, Diagnostics) {
    (format!("{tree:?}"), found)
}

/// Drops places, which are written as `12..15`.
fn without_places(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut parts = text.split("..").peekable();
    while let Some(part) = parts.next() {
        // The number that ends the place before was dropped with it.
        let part = if out.is_empty() { part } else { part.trim_start_matches(|c: char| c.is_ascii_digit()) };
        out += match parts.peek() {
            Some(_) => part.trim_end_matches(|c: char| c.is_ascii_digit()),
            None => part,
        };
        out.push('_');
    }
    out
}
