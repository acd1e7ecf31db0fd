//! Expressions: numbers and conditions, and the line between them.
//!
//! The syntax tree does not tell them apart. A number serves as a condition (`e` means `e != 0`), but a condition is
//! no number, except a quantified formula, which may be assigned (`docs/labs.md` 4).

use super::constant::value;
use super::scope::{Binder, Context, Place, unknown, unknown_cond};
use crate::codes;
use crate::model::{BinderId, Cond, CondNode, Expr, ExprNode, KindId};
use crate::syntax::ast::{self, BinaryOp, Name, Quantifier, UnaryOp};
use swarmcheck_source::{Diagnostic, Fix, Span};

/// What an expression turned out to be.
pub(super) enum Typed {
    Number(Expr),
    Cond(Cond),
    /// Neither is known: something in it was reported.
    Unknown,
}

impl Typed {
    pub fn number(node: ExprNode, span: Span) -> Typed {
        Typed::Number(Expr { node, span })
    }

    pub fn cond(node: CondNode, span: Span) -> Typed {
        Typed::Cond(Cond { node, span })
    }
}

impl Context<'_, '_> {
    /// Reads an expression where a number is needed.
    pub fn number(&mut self, expr: &ast::Expr) -> Expr {
        match self.typed(expr) {
            Typed::Number(e) => e,
            Typed::Unknown => unknown(expr.span),
            Typed::Cond(c) if matches!(expr.node, ast::ExprNode::Quantified(..)) => {
                Expr { node: ExprNode::Truth(Box::new(c)), span: expr.span }
            }
            Typed::Cond(_) => {
                let help = match expr.node {
                    ast::ExprNode::Bool(b) => format!("write `{}`", i32::from(b)),
                    _ => "to turn a condition into a number, write `if c then 1 else 0`".to_string(),
                };
                let fix = match expr.node {
                    ast::ExprNode::Bool(b) => Fix::replace(expr.span, i32::from(b).to_string(), help.clone()),
                    _ => Fix::insert(expr.span.start, "(if ", "turn the condition into a number")
                        .and(Span { start: expr.span.end, end: expr.span.end }, " then 1 else 0)"),
                };
                let message = "a condition is used where a number is needed";
                let error = Diagnostic::error(codes::TYPE, expr.span, message);
                self.error(error.label("this is true or false, not a number").help(help).fix(fix));
                unknown(expr.span)
            }
        }
    }

    /// Reads an expression where a condition is needed.
    pub fn cond(&mut self, expr: &ast::Expr) -> Cond {
        self.determined(|c| match c.typed(expr) {
            Typed::Cond(cond) => cond,
            Typed::Number(e) => Cond { node: CondNode::NonZero(e), span: expr.span },
            Typed::Unknown => unknown_cond(expr.span),
        })
    }

    fn boxed(&mut self, expr: &ast::Expr) -> Box<Expr> {
        Box::new(self.number(expr))
    }

    fn typed(&mut self, expr: &ast::Expr) -> Typed {
        let span = expr.span;
        match &expr.node {
            ast::ExprNode::Number(n) => Typed::number(ExprNode::Number(*n), span),
            ast::ExprNode::Bool(b) => Typed::cond(CondNode::Bool(*b), span),
            ast::ExprNode::Undef => self.undef(span),
            ast::ExprNode::Parameter(name) => self.parameter(name, span),
            ast::ExprNode::Id(of) => self.id(of.as_deref(), span),
            ast::ExprNode::Var { name, index, of } => self.variable(name, index, of.as_deref(), span),
            ast::ExprNode::Unary(UnaryOp::Neg, e) => Typed::number(ExprNode::Neg(self.boxed(e)), span),
            ast::ExprNode::Unary(UnaryOp::Abs, e) => Typed::number(ExprNode::Abs(self.boxed(e)), span),
            ast::ExprNode::Unary(UnaryOp::Not, e) => Typed::cond(CondNode::Not(Box::new(self.cond(e))), span),
            ast::ExprNode::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => self.chain(*op, expr),
            ast::ExprNode::Binary(op, a, b) if is_comparison(*op) => {
                // What is compared belongs to a condition, so nothing in it may be random.
                let (a, b) = self.determined(|c| (c.number(a), c.number(b)));
                Typed::cond(CondNode::Compare(*op, a, b), span)
            }
            ast::ExprNode::Binary(op, a, b) => {
                Typed::number(ExprNode::Binary(*op, self.boxed(a), self.boxed(b)), span)
            }
            ast::ExprNode::If(c, a, b) => {
                let test = Box::new(self.cond(c));
                Typed::number(ExprNode::If(test, self.boxed(a), self.boxed(b)), span)
            }
            ast::ExprNode::Quantified(quantifier, kind, name, body) => {
                self.quantified(*quantifier, kind, name, body, span)
            }
            ast::ExprNode::Range(a, b) => self.range(a, b, span),
            ast::ExprNode::Pick { .. } => self.misplaced_pick(span),
            ast::ExprNode::Error => {
                self.facts.incomplete = true;
                Typed::Unknown
            }
        }
    }

    /// `p and q and …`, however nested, as one list.
    fn chain(&mut self, op: BinaryOp, expr: &ast::Expr) -> Typed {
        let mut parts = vec![];
        self.links_of_chain(op, expr, &mut parts);
        let node = if op == BinaryOp::And { CondNode::And(parts) } else { CondNode::Or(parts) };
        Typed::cond(node, expr.span)
    }

    fn links_of_chain(&mut self, op: BinaryOp, expr: &ast::Expr, parts: &mut Vec<Cond>) {
        match &expr.node {
            ast::ExprNode::Binary(inner, a, b) if *inner == op => {
                self.links_of_chain(op, a, parts);
                self.links_of_chain(op, b, parts);
            }
            _ => {
                let part = self.cond(expr);
                parts.push(part);
            }
        }
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        kind: &Name,
        name: &Name,
        body: &ast::Expr,
        span: Span,
    ) -> Typed {
        if let Some(error) = self.misplaced_quantifier(quantifier, span) {
            self.error(error);
            return Typed::Unknown;
        }
        let found = self.kind_named(kind);
        self.check_binder_name(name);
        let binder = BinderId(self.binders.len() as u32);
        self.binders.push(Binder { name: name.text.clone(), span: name.span, kind: found });
        let body = Box::new(self.cond(body));
        self.binders.pop();
        let kind = found.unwrap_or(KindId(u32::MAX));
        match quantifier {
            Quantifier::Forall => Typed::cond(CondNode::Forall(kind, binder, body), span),
            Quantifier::Exists => Typed::cond(CondNode::Exists(kind, binder, body), span),
            Quantifier::Count => Typed::number(ExprNode::Count(kind, binder, body), span),
        }
    }

    fn misplaced_quantifier(&self, quantifier: Quantifier, span: Span) -> Option<Diagnostic> {
        let word = match quantifier {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
            Quantifier::Count => "count",
        };
        match self.place {
            Place::Process | Place::Property => None,
            Place::Link | Place::Pick => {
                let message = format!("`{word}` cannot be used in a link predicate");
                let error = Diagnostic::error(codes::QUANTIFIER, span, message);
                Some(error.label("a link refers only to the agents 1 and 2, and to the environment"))
            }
            Place::Constant(what) => {
                let message = format!("{what} must be constant, so it cannot use `{word}`");
                Some(Diagnostic::error(codes::NOT_CONSTANT, span, message))
            }
            Place::Init { .. } => {
                let message = format!("an initial value cannot use `{word}`");
                let error = Diagnostic::error(codes::NOT_CONSTANT, span, message);
                Some(error.help("conditions on initial states go into `assume { }`"))
            }
        }
    }

    /// The kind of that name; reported if there is none.
    pub fn kind_named(&mut self, kind: &Name) -> Option<KindId> {
        let found = self.names.kind(&kind.text);
        if found.is_none() && !self.names.kinds.is_empty() {
            let message = format!("there is no kind of agents named `{}`", kind.text);
            let near = self.names.nearest(&kind.text, self.names.kind_names());
            self.error(Diagnostic::error(codes::UNKNOWN_KIND, kind.span, message).did_you_mean(near));
        }
        found
    }

    /// The name of a bound agent must be new.
    pub(super) fn check_binder_name(&mut self, name: &Name) {
        let bound = self.binders.iter().find(|b| b.name == name.text).map(|b| ("a bound agent", b.span));
        let local =
            self.locals.iter().find(|l| l.name == name.text).map(|l| ("a block-local variable", l.span));
        let variable = self.names.variable(&name.text).map(|v| {
            let variable = self.names.var(v);
            (super::words::class(variable.class), variable.span)
        });
        if let Some((what, span)) = bound.or(local).or(variable) {
            let message = format!("`{}` already is {what}", name.text);
            let error = Diagnostic::error(codes::DUPLICATE, name.span, message);
            self.error(error.also(span, "declared here").help("choose another name for the bound agent"));
        }
    }

    fn range(&mut self, low: &ast::Expr, high: &ast::Expr, span: Span) -> Typed {
        let (a, b) = (self.boxed(low), self.boxed(high));
        if self.random {
            self.check_range(&a, &b);
            return Typed::number(ExprNode::Range(a, b), span);
        }
        let (place, help) = match self.place {
            Place::Process => (
                "a condition or on the left of an assignment",
                Some("in a block, store it first: `{ v := [a..b]; … }`"),
            ),
            Place::Link | Place::Pick => ("a link predicate", None),
            Place::Property => ("a property", Some("quantify over agents, or compare with both bounds")),
            Place::Constant(_) => ("a constant", None),
            Place::Init { .. } => ("an expression", Some("as a whole initial value write `a..b`")),
        };
        let message = format!("a random value cannot be used inside {place}");
        self.error(Diagnostic::error(codes::NONDETERMINISM, span, message).help_if(help.map(str::to_string)));
        Typed::number(unknown(span).node, span)
    }

    /// A range of constants must not be empty.
    pub fn check_range(&mut self, low: &Expr, high: &Expr) {
        if let (Ok(a), Ok(b)) = (value(low, None), value(high, None))
            && a >= b
        {
            let error = Diagnostic::error(codes::SIZE, low.span.to(high.span), "this range is empty");
            let label = format!("no number is at least {a} and less than {b}");
            let next = b.checked_add(1).filter(|_| a == b && matches!(high.node, ExprNode::Number(_)));
            let fix = next.map(|n| Fix::replace(high.span, n.to_string(), format!("write `{n}`")));
            self.error(error.label(label).help("the upper bound of a range is excluded").fix_if(fix));
        }
    }

    fn misplaced_pick(&mut self, span: Span) -> Typed {
        let message = "`pick` can only fill a block-local array";
        let error = Diagnostic::error(codes::NONDETERMINISM, span, message);
        self.error(
            error.help("pick into an array first, and then use its cells: `{ e[] := pick 1; … e[0] … }`"),
        );
        Typed::Unknown
    }

    fn undef(&mut self, span: Span) -> Typed {
        let message = "`undef` is not a value that can be compared, assigned or computed with";
        let error = Diagnostic::error(codes::TYPE, span, message);
        self.error(error.help("`undef` can only be the whole initial value of a variable"));
        Typed::Unknown
    }

    fn parameter(&mut self, name: &str, span: Span) -> Typed {
        let Some(at) = self.names.parameter(name) else {
            let message = format!("parameter `_{name}` is not declared");
            let known = self.names.parameters.iter().map(|p| p.name);
            let error = Diagnostic::error(codes::UNDECLARED_PARAMETER, span, message);
            let near = self.names.nearest(name, known).map(|near| format!("_{near}"));
            self.error(match near {
                Some(near) => error.did_you_mean(Some(&near)),
                None => error.help(format!("declare it in the system section: `extern = _{name}`")),
            });
            return Typed::number(unknown(span).node, span);
        };
        self.facts.parameters.insert(at);
        match self.names.parameters[at].value {
            Some(value) => Typed::number(ExprNode::Number(value), span),
            None => Typed::number(unknown(span).node, span),
        }
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}
