//! Pieces of text that know how tightly they hold together, so that parentheses are written only where they are
//! needed, or as often as chance has it.

/// The last operator reaches as far right as it can: quantifiers, `if`, guards.
pub(super) const LOOSE: u8 = 0;
pub(super) const OR: u8 = 1;
pub(super) const AND: u8 = 2;
/// Comparisons and negations.
pub(super) const COMPARE: u8 = 3;
pub(super) const SUM: u8 = 4;
pub(super) const PRODUCT: u8 = 5;
pub(super) const UNARY: u8 = 6;
/// Levels of processes; a guard is `LOOSE`.
pub(super) const PARALLEL: u8 = 1;
pub(super) const CHOICE: u8 = 2;
pub(super) const SEQUENCE: u8 = 3;
/// Holds together whatever stands around it.
pub(super) const ATOM: u8 = 7;

/// Text and the level of its outermost operator.
#[derive(Clone)]
pub(super) struct Text {
    pub words: String,
    pub level: u8,
}

impl Text {
    pub fn new(words: impl Into<String>, level: u8) -> Text {
        Text { words: words.into(), level }
    }

    pub fn atom(words: impl Into<String>) -> Text {
        Text::new(words, ATOM)
    }

    /// Ready to stand where at least this level is needed.
    pub fn at(&self, level: u8) -> String {
        if self.level < level { format!("({})", self.words) } else { self.words.clone() }
    }
}
