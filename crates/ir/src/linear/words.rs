//! The words and signs for temporal operators. All languages read the same ones.
//!
//! `W`, or `unless`, is weak until: φ W ψ holds where φ does until ψ does, and ψ need not come. It is ψ R (φ ∨ ψ).

use super::Linear;

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// `G`, `[]`.
    Globally,
    /// `F`, `<>`.
    Finally,
    /// `X`, `next`.
    Next,
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOperator {
    /// `U`, `until`.
    Until,
    /// `R`, `release`.
    Release,
    /// `W`, `unless`.
    Unless,
}

/// The words and signs for operators with one operand.
pub const UNARY: &[(&str, UnaryOperator)] = &[
    ("G", UnaryOperator::Globally),
    ("[]", UnaryOperator::Globally),
    ("globally", UnaryOperator::Globally),
    ("F", UnaryOperator::Finally),
    ("<>", UnaryOperator::Finally),
    ("X", UnaryOperator::Next),
    ("next", UnaryOperator::Next),
];

/// The words for operators with two operands.
pub const BINARY: &[(&str, BinaryOperator)] = &[
    ("U", BinaryOperator::Until),
    ("until", BinaryOperator::Until),
    ("R", BinaryOperator::Release),
    ("V", BinaryOperator::Release),
    ("release", BinaryOperator::Release),
    ("releases", BinaryOperator::Release),
    ("W", BinaryOperator::Unless),
    ("unless", BinaryOperator::Unless),
];

impl UnaryOperator {
    /// What a word or sign stands for.
    pub fn named(word: &str) -> Option<UnaryOperator> {
        UNARY.iter().find(|(known, _)| *known == word).map(|(_, operator)| *operator)
    }

    /// The formula.
    pub fn of<A>(self, formula: Linear<A>) -> Linear<A> {
        match self {
            UnaryOperator::Globally => Linear::globally(formula),
            UnaryOperator::Finally => Linear::finally(formula),
            UnaryOperator::Next => Linear::next(formula),
        }
    }
}

impl BinaryOperator {
    /// What a word stands for.
    pub fn named(word: &str) -> Option<BinaryOperator> {
        BINARY.iter().find(|(known, _)| *known == word).map(|(_, operator)| *operator)
    }

    /// The formula. `unless` writes its right side twice.
    pub fn of<A: Clone>(self, left: Linear<A>, right: Linear<A>) -> Linear<A> {
        match self {
            BinaryOperator::Until => Linear::until(left, right),
            BinaryOperator::Release => Linear::release(left, right),
            BinaryOperator::Unless => Linear::release(right.clone(), Linear::Or(vec![left, right])),
        }
    }
}
