//! Linear temporal logic over labels: `ltl [] (request -> <> answer)`, `possibly answer`.
//!
//! A formula refers to an execution as the sequence of its labels: `ok` says that the first of them is `ok`. An execution
//! that stops goes on forever without labels, so after its last step `ok` is false, and `not ok` is true.
//!
//! The words for operators are those of all languages ([`swarmcheck_ir::linear::words`]). Some of them may be labels of the
//! system as well. A word is an operator where an operand follows it, and a label elsewhere: in `F F`, the first one is an
//! operator and the second one a label, and in `U U a` the first one is a label. A word before `=` is neither: it is the
//! name of the next property. `not`, `and`, `or` and `any` are no labels.

use crate::codes;
use crate::cursor::{Cursor, Token, TokenKind};
use crate::property::ReadLabel;
use swarmcheck_ir::Linear;
use swarmcheck_ir::linear::words::{BinaryOperator, UnaryOperator};
use swarmcheck_ir::written::{Written, WrittenNode};
use swarmcheck_source::{Diagnostic, Span};

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

/// A formula over labels, and of which executions it is said.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What is said of executions.
    pub says: Linear<Proposition>,
    /// Of which of them.
    pub of: Executions,
    /// The formula as it is written, with its places; of what is possible, what should happen in a step.
    pub written: Written<Proposition>,
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

impl Formula {
    /// What all executions satisfy if this holds; or, where one execution is enough, if this does not hold.
    pub fn required(&self) -> Linear<Proposition> {
        match self.of {
            Executions::All => self.says.clone(),
            Executions::Some => Linear::not(self.says.clone()),
        }
    }
}

/// Formulas with more parts than this are refused.
const MOST_PARTS: usize = 10_000;

/// Reads a formula.
pub(crate) fn read(cursor: &mut Cursor<'_>, label: ReadLabel<'_>, of: Executions) -> Option<Formula> {
    let mut reader = Reader { label, labels: vec![] };
    let written = reader.formula(cursor)?;
    if size(&written) > MOST_PARTS {
        let message =
            format!("the formula has more than {MOST_PARTS} parts; `unless` has its right side twice");
        cursor.diagnostics.push(Diagnostic::error(codes::DEPTH, written.span, message));
        return None;
    }
    let mut says = written.linear();
    if of == Executions::Some {
        // Some time there is a step, and it is like this.
        says = Linear::finally(Linear::And(vec![Linear::Atom(Proposition::Any), says]));
    }
    Some(Formula { says, of, written, labels: reader.labels })
}

/// How many parts a formula has in the end.
fn size(written: &Part) -> usize {
    let of = |parts: [&Part; 2]| size(parts[0]).saturating_add(size(parts[1]));
    let below = match &written.node {
        WrittenNode::Not(a) | WrittenNode::Next(a) | WrittenNode::Finally(a) | WrittenNode::Globally(a) => {
            size(a)
        }
        WrittenNode::And(a, b) | WrittenNode::Or(a, b) | WrittenNode::Implies(a, b) => of([a, b]),
        WrittenNode::Until(a, b) | WrittenNode::Release(a, b) => of([a, b]),
        WrittenNode::WeakUntil(a, b) => of([a, b]).saturating_add(size(b)),
        // Nothing else is read here.
        _ => 0,
    };
    below.saturating_add(1)
}

/// So many binary operators in a row are looked at to tell operators from labels.
const MOST_IN_A_ROW: usize = 100;

/// Whether an operand begins with the token this many places further on.
fn operand(cursor: &Cursor<'_>, places: usize) -> bool {
    begins_operand(|places| cursor.ahead(places), |token| cursor.text(token), places)
}

/// The same for somebody who has tokens without a cursor: what stands at a place, and its text.
pub(crate) fn begins_operand<'t>(
    ahead: impl Fn(usize) -> Token,
    text: impl Fn(Token) -> &'t str,
    mut places: usize,
) -> bool {
    // A binary operator begins an operand only if it is a label, and it is if no operand follows it.
    for begins in [true, false].into_iter().cycle().take(MOST_IN_A_ROW) {
        let token = ahead(places);
        let next = ahead(places + 1);
        let pair = |second| next.kind == TokenKind::Sign(second) && next.span.start == token.span.end;
        let plainly = match token.kind {
            TokenKind::Sign('(' | '!' | '\'') => true,
            TokenKind::Sign('[') => pair(']'),
            TokenKind::Sign('<') => pair('>'),
            TokenKind::Word if next.kind == TokenKind::Sign('=') => false,
            TokenKind::Word => match text(token) {
                "and" | "or" => false,
                word if BinaryOperator::named(word).is_some() => {
                    places += 1;
                    continue;
                }
                _ => true,
            },
            _ => false,
        };
        return plainly == begins;
    }
    false
}

type Part = Written<Proposition>;

struct Reader<'r> {
    label: ReadLabel<'r>,
    labels: Vec<(String, Span)>,
}

/// Makes a formula of two.
type Make = fn(Box<Part>, Box<Part>) -> WrittenNode<Proposition>;

impl Reader<'_> {
    /// Reads a formula. `->` binds least, then `or`, `and`, `until` and its variants. `->` and `until` group to
    /// the right.
    fn formula(&mut self, cursor: &mut Cursor<'_>) -> Option<Part> {
        let left = self.either(cursor)?;
        if !(cursor.sees('-') && cursor.ahead(1).kind == TokenKind::Sign('>')) {
            return Some(left);
        }
        cursor.advance();
        cursor.advance();
        let right = cursor.nested(|c| self.formula(c))?;
        Some(joined(left, right, WrittenNode::Implies))
    }

    fn either(&mut self, cursor: &mut Cursor<'_>) -> Option<Part> {
        self.list(cursor, "or", Reader::both, WrittenNode::Or)
    }

    fn both(&mut self, cursor: &mut Cursor<'_>) -> Option<Part> {
        self.list(cursor, "and", Reader::until, WrittenNode::And)
    }

    fn list(
        &mut self,
        cursor: &mut Cursor<'_>,
        word: &str,
        read: fn(&mut Self, &mut Cursor<'_>) -> Option<Part>,
        make: Make,
    ) -> Option<Part> {
        let mut parts = vec![read(self, cursor)?];
        while cursor.take_word(word) {
            parts.push(read(self, cursor)?);
        }
        // By halves, because a long list must not nest deeply.
        while parts.len() > 1 {
            let mut halves = vec![];
            let mut all = parts.into_iter();
            while let Some(left) = all.next() {
                halves.push(match all.next() {
                    Some(right) => joined(left, right, make),
                    None => left,
                });
            }
            parts = halves;
        }
        parts.pop()
    }

    fn until(&mut self, cursor: &mut Cursor<'_>) -> Option<Part> {
        let left = self.one(cursor)?;
        let Some(operator) = binary(cursor) else { return Some(left) };
        cursor.advance();
        let right = cursor.nested(|c| self.until(c))?;
        Some(joined(
            left,
            right,
            match operator {
                BinaryOperator::Until => WrittenNode::Until,
                BinaryOperator::Release => WrittenNode::Release,
                BinaryOperator::Unless => WrittenNode::WeakUntil,
            },
        ))
    }

    fn one(&mut self, cursor: &mut Cursor<'_>) -> Option<Part> {
        let start = cursor.peek().span.start;
        let node = if cursor.take_word("not") || cursor.take('!') {
            WrittenNode::Not(self.below(cursor)?)
        } else if let Some(operator) = unary(cursor) {
            let inner = self.below(cursor)?;
            match operator {
                UnaryOperator::Globally => WrittenNode::Globally(inner),
                UnaryOperator::Finally => WrittenNode::Finally(inner),
                UnaryOperator::Next => WrittenNode::Next(inner),
            }
        } else if cursor.take_word("any") {
            WrittenNode::Seen(Linear::Atom(Proposition::Any))
        } else if cursor.take('(') {
            let inner = cursor.nested(|c| self.formula(c))?;
            cursor.expect(')')?;
            return Some(inner);
        } else {
            let span = cursor.peek().span;
            let text = (self.label)(cursor)?;
            self.labels.push((text.clone(), Span { start: span.start, end: cursor.before() }));
            WrittenNode::Seen(Linear::Atom(Proposition::Label(text)))
        };
        Some(Written { span: Span { start, end: cursor.before() }, node })
    }

    fn below(&mut self, cursor: &mut Cursor<'_>) -> Option<Box<Part>> {
        cursor.nested(|c| self.one(c)).map(Box::new)
    }
}

fn joined(left: Part, right: Part, make: Make) -> Part {
    let span = left.span.to(right.span);
    Written { span, node: make(Box::new(left), Box::new(right)) }
}

/// Takes the unary operator that stands here.
fn unary(cursor: &mut Cursor<'_>) -> Option<UnaryOperator> {
    let signs = ["[]", "<>"].into_iter().find(|signs| cursor.take_all(signs));
    if let Some(signs) = signs {
        return UnaryOperator::named(signs);
    }
    let token = cursor.peek();
    let operator = UnaryOperator::named(cursor.text(token)).filter(|_| token.kind == TokenKind::Word)?;
    operand(cursor, 1).then(|| {
        cursor.advance();
        operator
    })
}

/// The binary operator that stands here.
fn binary(cursor: &Cursor<'_>) -> Option<BinaryOperator> {
    let token = cursor.peek();
    // A word before an equals sign is the name of the next property.
    let operator = token.kind == TokenKind::Word && cursor.ahead(1).kind != TokenKind::Sign('=');
    BinaryOperator::named(cursor.text(token)).filter(|_| operator)
}

#[cfg(test)]
mod tests;
