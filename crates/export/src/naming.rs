//! Names that other languages accept, each given once.

use std::collections::BTreeSet;

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
