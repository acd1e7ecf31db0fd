//! The nearest known name, for "did you mean".

use std::cell::Cell;
use std::fmt;

/// The candidate closest to `name`, if it is close enough to be a likely slip: at most a third of the letters
/// differ (one for short names), or only the case does.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    let limit = (letters / 3).max(1);
    candidates
        .into_iter()
        // The distance is at least the difference of the lengths.
        .filter(|c| *c != name && c.chars().count().abs_diff(letters) <= limit)
        .map(|c| (if c.eq_ignore_ascii_case(name) { 0 } else { distance(name, c) }, c))
        .filter(|(d, _)| *d <= limit)
        .min_by(|(one, a), (other, b)| (one, a).cmp(&(other, b)))
        .map(|(_, c)| c)
}

/// Suggestions for a whole file, with a bound on the work: a file with very many wrong names needs no more of them.
#[derive(Clone, Default)]
pub struct Suggestions {
    looked_at: Cell<usize>,
    compared: Cell<usize>,
}

/// Two runs that tell the same are shown the same, however much they have looked at.
impl fmt::Debug for Suggestions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}

impl Suggestions {
    /// Longer names are no slips of the fingers.
    const LONGEST: usize = 64;
    const LOOKS_MAX: usize = 2_000_000;
    const COMPARISONS_MAX: usize = 50_000;

    /// [`nearest`], until the work is used up. All candidates of one question are looked at or none, so the answer does not
    /// depend on their order.
    pub fn nearest<'a>(&self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        let spent = self.looked_at.get() > Self::LOOKS_MAX || self.compared.get() > Self::COMPARISONS_MAX;
        if name.len() > Self::LONGEST || spent {
            return None;
        }
        let counted = candidates.into_iter().inspect(|_| self.looked_at.set(self.looked_at.get() + 1));
        let near = counted.filter(|c| c.len().abs_diff(name.len()) <= name.len() / 3 + 1);
        nearest(name, near.inspect(|_| self.compared.set(self.compared.get() + 1)))
    }
}

/// Edit distance in which swapping two neighbouring letters counts once (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{Suggestions, nearest};

    /// A thousand unknown names among as many known ones: work in proportion to neither product.
    #[test]
    fn suggestions_stop_when_there_are_very_many() {
        let known: Vec<String> = (0..1000).map(|n| format!("name{n}")).collect();
        let suggestions = Suggestions::default();
        let ask = |n: usize| suggestions.nearest(&format!("nme{n}"), known.iter().map(String::as_str));
        assert_eq!(ask(17), Some("name17"));
        let answered = (0..1000).filter(|n| ask(*n).is_some()).count();
        assert!((10..200).contains(&answered), "{answered}");
        assert!(suggestions.compared.get() <= Suggestions::COMPARISONS_MAX + known.len());
    }

    #[test]
    fn finds_slips_and_nothing_else() {
        assert_eq!(nearest("laeder", ["leader", "count"]), Some("leader"));
        assert_eq!(nearest("bird", ["Bird", "Predator"]), Some("Bird"));
        assert_eq!(nearest("x", ["y", "posX"]), Some("y"));
        assert_eq!(nearest("zebra", ["leader", "count"]), None);
        assert_eq!(nearest("a", ["a"]), None);
    }
}
