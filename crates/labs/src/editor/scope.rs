//! What a definition binds before a place: agents of quantifiers, variables of the block, the agents of a `pick`.
//!
//! Quantifiers reach as far right as they can, so what they bind is known up to the bracket that closes around them, a comma, or the
//! end of the action.

use super::context::{Context, Part, Section};
use crate::syntax::ast::AssignOp;
use crate::syntax::token::{Bracket, TokenKind};

/// An agent bound by a quantifier.
#[derive(Clone, Copy)]
pub(super) struct Binder<'t> {
    pub name: &'t str,
    pub kind: &'t str,
    /// How many brackets were open.
    depth: usize,
}

/// The condition of a `pick`.
#[derive(Clone, Copy)]
pub(super) struct PickCondition<'t> {
    /// The kind of the candidates, if it is said.
    pub kind: Option<&'t str>,
    depth: usize,
}

/// What is bound at a place.
#[derive(Default)]
pub(super) struct Scope<'t> {
    /// Outermost first.
    pub binders: Vec<Binder<'t>>,
    /// Variables of the block that have been assigned.
    pub locals: Vec<&'t str>,
    pub condition: Option<PickCondition<'t>>,
    pub block: bool,
    /// The arrow of the assignment that the place is in.
    pub arrow: Option<AssignOp>,
    /// A formula of linear time.
    pub formula: bool,
    /// How many `if` wait for their `then`, and how many for their `else`.
    pub ifs: usize,
    pub thens: usize,
    pending: Vec<&'t str>,
    depth: usize,
}

impl<'t> Scope<'t> {
    /// What is bound at the place of a context.
    pub fn of(context: &Context<'t>) -> Scope<'t> {
        let check = context.section == Some(Section::Check) && context.part == Part::Definition;
        let formula = check && context.start < context.before && context.slice(context.start) == "ltl";
        let mut scope = Scope { formula, ..Scope::default() };
        (context.start..context.before).for_each(|at| scope.step(context, at));
        scope
    }

    fn step(&mut self, context: &Context<'t>, at: usize) {
        match context.kind(at) {
            TokenKind::Open(bracket) => {
                self.depth += 1;
                if bracket == Bracket::Curly {
                    self.enter_block(true);
                }
            }
            TokenKind::Close(bracket) => {
                self.end_expression();
                self.depth = self.depth.saturating_sub(1);
                if bracket == Bracket::Curly {
                    self.enter_block(false);
                }
            }
            TokenKind::Comma => match quantifier(context, at) {
                Some((kind, name)) => self.binders.push(Binder { name, kind, depth: self.depth }),
                None => self.binders.retain(|binder| binder.depth < self.depth),
            },
            TokenKind::Guard if self.formula => {}
            TokenKind::Semicolon
            | TokenKind::Choice
            | TokenKind::Parallel
            | TokenKind::Conditional
            | TokenKind::Guard => {
                self.end_expression();
                (self.arrow, self.ifs, self.thens) = (None, 0, 0);
                let pending = std::mem::take(&mut self.pending);
                self.locals.extend(pending);
            }
            TokenKind::Assign(op) => {
                self.arrow = Some(op);
                if op == AssignOp::Local {
                    self.pending.extend(targets(context, at));
                }
            }
            TokenKind::Name if context.slice(at) == "where" && self.arrow.is_some() => {
                let before = at.checked_sub(1).filter(|before| context.kind(*before) == TokenKind::Ident);
                let kind = before.map(|before| context.slice(before));
                self.condition = Some(PickCondition { kind, depth: self.depth });
            }
            TokenKind::Keyword => match context.slice(at) {
                "if" => self.ifs += 1,
                "then" => {
                    self.ifs = self.ifs.saturating_sub(1);
                    self.thens += 1;
                }
                "else" => self.thens = self.thens.saturating_sub(1),
                _ => {}
            },
            _ => {}
        }
    }

    fn enter_block(&mut self, block: bool) {
        self.block = block;
        self.arrow = None;
        self.locals.clear();
        self.pending.clear();
    }

    /// Forgets what only the expressions at this depth know.
    fn end_expression(&mut self) {
        self.binders.retain(|binder| binder.depth < self.depth);
        self.condition = self.condition.filter(|condition| condition.depth < self.depth);
    }

    /// The innermost agent of a name.
    pub fn binder(&self, name: &str) -> Option<&Binder<'t>> {
        self.binders.iter().rev().find(|binder| binder.name == name)
    }
}

/// The kind and the name of a quantifier that ends before the comma at this token.
fn quantifier<'t>(context: &Context<'t>, comma: usize) -> Option<(&'t str, &'t str)> {
    let first = comma.checked_sub(3).filter(|first| *first >= context.start)?;
    let word = matches!(context.slice(first), "forall" | "exists" | "count");
    let named = context.kind(first + 1) == TokenKind::Ident && context.kind(first + 2) == TokenKind::Name;
    (word && named).then(|| (context.slice(first + 1), context.slice(first + 2)))
}

/// The names before the arrow at this token.
fn targets<'t>(context: &Context<'t>, arrow: usize) -> Vec<&'t str> {
    let mut names = vec![];
    for at in (context.start..arrow).rev() {
        match context.kind(at) {
            TokenKind::Name => names.push(context.slice(at)),
            TokenKind::Comma | TokenKind::Open(Bracket::Square) | TokenKind::Close(Bracket::Square) => {}
            _ => break,
        }
    }
    names.reverse();
    names
}
