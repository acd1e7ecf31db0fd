//! Linear temporal logic over labels: `ltl [] (request -> <> answer)`, `possibly answer`.
//!
//! A formula refers to an execution as the sequence of its labels: `ok` says that the first of them is `ok`. An execution
//! that stops goes on forever without labels, so after its last step `ok` is false, and `not ok` is true.

use crate::cursor::{Cursor, TokenKind};
use crate::property::ReadLabel;
use std::cell::RefCell;
use swarmcheck_logic::ltl;
use swarmcheck_source::Span;

/// A formula over labels.
pub type Formula = ltl::Formula<Proposition>;

/// What can be said of a step.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Proposition {
    Any,
    Label(String),
}

impl Proposition {
    /// Whether it is true of a step with this label; of no step, if the label is empty.
    pub fn is(&self, label: &str) -> bool {
        match self {
            Proposition::Any => !label.is_empty(),
            Proposition::Label(own) => own == label,
        }
    }
}

/// A named formula.
#[derive(Clone, Debug)]
pub struct Linear {
    pub name: String,
    pub span: Span,
    /// What it says of executions.
    pub formula: Formula,
    /// Whether it says so of all of them, or of at least one.
    pub of: Executions,
    /// The labels in it, and where they stand.
    pub labels: Vec<(String, Span)>,
}

/// Of which executions something is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executions {
    /// Of all that go on as long as they can.
    All,
    /// Of one of them: an execution that shows it is evidence that it holds.
    Some,
}

/// Formulas with more parts than this are refused.
const MOST_PARTS: usize = 1000;

/// Reads a formula, and notes where its labels stand.
pub(crate) fn read(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<(Formula, Vec<(String, Span)>)> {
    let labels = RefCell::new(vec![]);
    let noting = |cursor: &mut Cursor<'_>| {
        let span = cursor.peek().span;
        let text = label(cursor)?;
        labels.borrow_mut().push((text.clone(), span));
        Some(text)
    };
    let formula = formula(cursor, &noting)?;
    Some((formula, labels.into_inner()))
}

/// That some time there is a step, and that it is like this.
pub(crate) fn happens(step: Formula) -> Formula {
    Formula::And(vec![Formula::Letter(Proposition::Any, true), step]).eventually()
}

/// Reads a formula. `->` binds least, then `or`, `and`, `until` and its kin; all group to the left, but for `->`.
fn formula(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Formula> {
    let left = either(cursor, label)?;
    if cursor.sees('-') && cursor.ahead(1).kind == TokenKind::Sign('>') {
        cursor.advance();
        cursor.advance();
        let right = cursor.nested(|c| formula(c, label))?;
        return Some(Formula::Or(vec![left.negated(), right]));
    }
    Some(left)
}

fn either(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Formula> {
    let mut parts = vec![both(cursor, label)?];
    while cursor.take_word("or") {
        parts.push(both(cursor, label)?);
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { Formula::Or(parts) })
}

fn both(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Formula> {
    let mut parts = vec![until(cursor, label)?];
    while cursor.take_word("and") {
        parts.push(until(cursor, label)?);
    }
    Some(if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) })
}

fn until(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Formula> {
    let mut left = one(cursor, label)?;
    let mut levels = 0;
    loop {
        let word = ["until", "unless", "release"].into_iter().find(|word| cursor.take_word(word));
        let Some(word) = word else { break };
        // Every one of them nests what is to the left one level deeper.
        cursor.enter()?;
        levels += 1;
        let right = one(cursor, label)?;
        // `unless` writes its right side down twice.
        if right.size() > MOST_PARTS || left.size() > MOST_PARTS {
            return cursor.wrong("a smaller formula");
        }
        left = match word {
            "until" => Formula::Until(Box::new(left), Box::new(right)),
            "release" => Formula::Release(Box::new(left), Box::new(right)),
            // P unless Q: P forever, or until Q.
            _ => Formula::Release(Box::new(right.clone()), Box::new(Formula::Or(vec![left, right]))),
        };
    }
    cursor.leave(levels);
    Some(left)
}

fn one(cursor: &mut Cursor<'_>, label: ReadLabel<'_>) -> Option<Formula> {
    let pair = |cursor: &Cursor<'_>, first: char, second: char| {
        cursor.sees(first) && cursor.ahead(1).kind == TokenKind::Sign(second)
    };
    let inner = |cursor: &mut Cursor<'_>| cursor.nested(|c| one(c, label));
    if cursor.take_word("not") || cursor.take('!') {
        return Some(inner(cursor)?.negated());
    }
    if pair(cursor, '[', ']') || pair(cursor, '<', '>') {
        let always = cursor.sees('[');
        cursor.advance();
        cursor.advance();
        let formula = inner(cursor)?;
        return Some(if always { formula.always() } else { formula.eventually() });
    }
    if cursor.take_word("next") {
        return Some(Formula::Next(Box::new(inner(cursor)?)));
    }
    if cursor.take_word("any") {
        return Some(Formula::Letter(Proposition::Any, true));
    }
    if cursor.take('(') {
        let formula = cursor.nested(|c| formula(c, label))?;
        cursor.expect(')')?;
        return Some(formula);
    }
    Some(Formula::Letter(Proposition::Label(label(cursor)?), true))
}
