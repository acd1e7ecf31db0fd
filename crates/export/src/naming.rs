//! Names that other languages accept, each given once, and text of the model in their comments.

use std::collections::BTreeSet;
use swarmcheck_source::shown;

/// A name with every character that is no letter, digit or underscore replaced.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect()
}

/// Whether a name begins with a letter.
pub(crate) fn begins_with_a_letter(name: &str) -> bool {
    name.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
}

/// The first of `base`, `base` with 2, with 3 and so on that is not taken; it is from now on.
pub(crate) fn first_free(taken: &mut BTreeSet<String>, base: String, separator: &str) -> String {
    let numbered = (2..).map(|n: u64| format!("{base}{separator}{n}"));
    let mut candidates = std::iter::once(base.clone()).chain(numbered);
    let name = candidates.find(|name| !taken.contains(name)).unwrap_or(base);
    taken.insert(name.clone());
    name
}

/// Text in a comment that ends where the line does: SMV, LNT, MCL, SVL, SMT-LIB, DRN. It has no line ends of any kind, and
/// nothing that would hide a part of it from a reader.
pub(crate) fn line_comment(text: &str) -> String {
    shown::line(&text.replace(['\n', '\r', '\t'], " ")).into_owned()
}

/// Text between `/*` and `*/`: C and Promela, which a preprocessor of C reads first. A backslash could join lines, and the
/// trigraph `??/` is one.
pub(crate) fn block_comment(text: &str) -> String {
    let line = line_comment(text).replace("*/", "* /").replace("/*", "/ *").replace("??/", "? ?/");
    match line.strip_suffix('\\') {
        Some(rest) => format!("{rest}\\."),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_model_cannot_end_a_comment() {
        assert_eq!(block_comment("a */ b /* c\n d*\n/"), "a * / b / * c  d* /");
        assert_eq!(block_comment("*/*/ /*/ ??/"), "* / * / / * / ? ?/");
        assert_eq!(block_comment("\\\\"), "\\\\.");
        for text in ["a\nb", "a\rb", "a\u{2028}b", "a\u{85}b", "a\u{b}b", "a\u{c}b", "a\u{0}b", "a\u{202e}b"]
        {
            let comment = line_comment(text);
            assert_eq!(comment.chars().count(), 3, "{comment}");
            assert!(!comment.chars().any(|c| shown::sign(c).is_some()), "{comment}");
        }
    }
}
