//! Specifications as they are written, with the place of every part: what explanations of counterexamples are made of.
//!
//! The tree follows the syntax tree, and means the same as the formula that is decided; quantifiers over agents are written
//! out.

use super::expr::Scope;
use super::{Checker, checked};
use crate::model::{Atom, Expr, Specification};
use crate::syntax::ast::{self, Node, Op, Temporal};
use crate::syntax::{Precedence, parse};
use swarmcheck_ir::Linear;
use swarmcheck_ir::written::{Written, WrittenNode};

/// A specification of a script without errors, by its number among those that [`check_with`](super::check_with) finds, and
/// the script.
pub fn written(
    text: &str,
    precedence: Option<Precedence>,
    number: usize,
) -> Option<(Specification, Written<Atom>)> {
    let (script, found) = parse(text, precedence);
    let mut checker = checked(text, &script, found);
    if checker.found.has_errors() {
        return None;
    }
    let formula = chosen(&script, &checker.spec, number)?;
    checker.written = 0;
    let scope = Scope { system: true, ..Scope::default() };
    let written = checker.with_places(formula, &scope)?;
    // What is explained must be what was decided.
    (written.linear() == checker.spec.specs[number].formula).then_some((checker.spec, written))
}

/// The syntax tree of a specification, as it was read.
pub(super) fn chosen<'s>(
    script: &'s ast::Script,
    spec: &Specification,
    number: usize,
) -> Option<&'s ast::Expr> {
    let wanted = spec.specs.get(number)?;
    let read = script.specs.iter().find(|spec| spec.formula.span == wanted.span)?;
    match &wanted.reading {
        Some(reading) if reading.precedence != Precedence::Conventional => read.other.as_ref(),
        _ => Some(&read.formula),
    }
}

impl Checker<'_> {
    fn with_places(&mut self, e: &ast::Expr, scope: &Scope<'_>) -> Option<Written<Atom>> {
        if !self.temporal(e, scope) {
            let condition = Linear::Atom(Atom::State(self.condition(e, scope)?));
            return Some(Written { span: e.span, node: WrittenNode::Condition(condition) });
        }
        let node = match &e.node {
            Node::Of(..) => WrittenNode::Condition(Linear::not(Linear::next(self.seen(Expr::Changed)))),
            Node::Not(inner) => WrittenNode::Not(self.boxed(inner, scope)?),
            Node::Temporal(operator, inner) => {
                let inner = self.boxed(inner, scope)?;
                match operator {
                    Temporal::Next => WrittenNode::Next(inner),
                    Temporal::Finally => WrittenNode::Finally(inner),
                    Temporal::Globally => WrittenNode::Globally(inner),
                }
            }
            Node::Observe { necessary, seen, then } => {
                let observing =
                    Scope { message: true, channel: true, observation: true, system: false, ..scope.clone() };
                let observed = self.condition(seen, &observing)?;
                let node = WrittenNode::Seen(self.seen(observed));
                let seen = Box::new(Written { span: seen.span, node });
                WrittenNode::Observe { necessary: *necessary, seen, then: self.boxed(then, scope)? }
            }
            Node::Agents { all, name, types, body } => {
                let mut agents = vec![];
                for instance in self.ranged(types)? {
                    self.write_out(e.span)?;
                    let mut inner = scope.clone();
                    inner.bound.push((name.text.clone(), instance));
                    let part = self.with_places(body, &inner)?;
                    agents.push((self.spec.instances[instance].name.clone(), part));
                }
                WrittenNode::Agents { all: *all, name: name.text.clone(), agents }
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.boxed(a, scope)?, self.boxed(b, scope)?);
                match op {
                    Op::And => WrittenNode::And(a, b),
                    Op::Or => WrittenNode::Or(a, b),
                    Op::Implies => WrittenNode::Implies(a, b),
                    Op::Iff => WrittenNode::Iff(a, b),
                    Op::Until => WrittenNode::Until(a, b),
                    Op::Release => WrittenNode::Release(a, b),
                    Op::WeakUntil => WrittenNode::WeakUntil(a, b),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Written { span: e.span, node })
    }

    fn boxed(&mut self, e: &ast::Expr, scope: &Scope<'_>) -> Option<Box<Written<Atom>>> {
        self.with_places(e, scope).map(Box::new)
    }
}
