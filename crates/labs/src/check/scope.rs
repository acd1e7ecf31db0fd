//! What surrounds an expression: which names it can see, and what it may contain.
//!
//! Nothing here fails. A part that makes no sense is reported once and becomes [`unknown`], which every later check
//! accepts in silence, so one mistake gives one message. A model that contains an unknown part is never handed out.

use super::facts::Facts;
use super::names::Names;
use crate::model::{BinderId, Cond, CondNode, Expr, ExprNode, KindId, LocalId, ProcessId};
use swarmcheck_source::{Diagnostic, Diagnostics, Span};

/// Where an expression stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A constant. The words say of what: "the number of agents".
    Constant(&'static str),
    /// The initial value of a variable. `shared` for the environment, where `id` means nothing.
    Init { shared: bool },
    /// The link predicate of a stigmergy.
    Link,
    /// The condition of a `pick`: a link predicate that also sees the locals of its block.
    Pick,
    /// A guard or an action.
    Process,
    /// A property or an assumption.
    Property,
}

/// An agent bound by a quantifier. Its position among the binders is its id.
pub(super) struct Binder {
    pub name: String,
    pub span: Span,
    /// `None` when the kind is unknown.
    pub kind: Option<KindId>,
}

/// A block-local variable that has been assigned. Its position among the locals is its id.
pub(super) struct LocalEntry {
    pub name: String,
    pub span: Span,
    pub shape: LocalShape,
}

/// What a local holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LocalShape {
    /// One number.
    Scalar,
    /// The agents of a `pick`; `None` when their number is not known.
    Array(Option<u32>),
    /// Its declaration makes no sense and was reported.
    Broken,
}

/// One expression's surroundings.
pub(super) struct Context<'x, 'a> {
    pub names: &'x Names<'a>,
    pub facts: &'x mut Facts,
    pub out: &'x mut Diagnostics,
    pub place: Place,
    /// Whether `[a..b]` may stand here.
    pub random: bool,
    /// The agents bound around the expression, outermost first.
    pub binders: Vec<Binder>,
    /// The locals of the block assigned so far.
    pub locals: Vec<LocalEntry>,
    /// All that the block assigns with `:=`, and where first.
    pub block: Vec<(String, Span)>,
    /// The process definition around the expression.
    pub process: Option<ProcessId>,
    /// The kinds at both ends of a stigmergy's links, or those that a `pick` picks from.
    pub partners: Vec<KindId>,
}

impl<'x, 'a> Context<'x, 'a> {
    pub fn new(names: &'x Names<'a>, facts: &'x mut Facts, out: &'x mut Diagnostics, place: Place) -> Self {
        Context {
            names,
            facts,
            out,
            place,
            random: false,
            binders: vec![],
            locals: vec![],
            block: vec![],
            process: None,
            partners: vec![],
        }
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.out.push(diagnostic);
    }

    /// The innermost bound agent of that name.
    pub fn binder(&self, name: &str) -> Option<BinderId> {
        let at = self.binders.iter().rposition(|b| b.name == name)?;
        Some(BinderId(at as u32))
    }

    /// The assigned local of that name.
    pub fn local(&self, name: &str) -> Option<LocalId> {
        let at = self.locals.iter().position(|l| l.name == name)?;
        Some(LocalId(at as u32))
    }

    /// Does something at another place, where nothing is random, and comes back.
    pub fn at<T>(&mut self, place: Place, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = (self.place, self.random);
        (self.place, self.random) = (place, false);
        let result = work(self);
        (self.place, self.random) = before;
        result
    }

    /// Does something where nothing is random.
    pub fn determined<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        self.at(self.place, work)
    }
}

/// An expression of which nothing is known: a mistake already reported, or a parameter without a value.
pub(super) fn unknown(span: Span) -> Expr {
    Expr { node: ExprNode::Local(LocalId(u32::MAX)), span }
}

/// A condition of which nothing is known.
pub(super) fn unknown_cond(span: Span) -> Cond {
    Cond { node: CondNode::NonZero(unknown(span)), span }
}
