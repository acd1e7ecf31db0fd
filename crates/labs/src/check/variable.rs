//! Declarations of variables: the name, the array sizes, the initial values.

use super::constant::value;
use super::scope::{Context, Place};
use super::words::{self, bare_class};
use super::{CELLS_MAX, Checker};
use crate::codes;
use crate::model::{Class, Expr, Init, KindId, VarId, Variable};
use crate::syntax::ast::{self, Name};
use swarmcheck_source::{Diagnostic, Fix, Span};

impl<'a> Checker<'a> {
    /// Enters a variable into the tables. `None` if it adds nothing: the name was taken.
    ///
    /// Two kinds may declare the same attribute. They share one entry and must agree on its array sizes.
    pub(super) fn enter(
        &mut self,
        name: &'a Name,
        dimensions: &[ast::Expr],
        class: Class,
        kind: Option<KindId>,
    ) -> Option<VarId> {
        let dimensions = self.constants().dimensions(name, dimensions);
        let Some(known) = self.names.variable(&name.text) else {
            let id = VarId(self.names.variables.len() as u32);
            self.names.variable_index.insert(&name.text, id);
            self.names.variables.push(Variable {
                name: name.text.clone(),
                span: name.span,
                class,
                dimensions,
            });
            return Some(id);
        };
        let first = self.names.var(known);
        let repeated = kind.is_some_and(|k| self.names.kind_entry(k).owned.contains(&known));
        if bare_class(first.class) != bare_class(class) {
            let (there, here) = (words::class(first.class), words::class(class));
            let message = format!("`{}` is declared both as {there} and as {here}", name.text);
            let error = Diagnostic::error(codes::DUPLICATE, name.span, message)
                .also(first.span, "first declared here");
            self.out.push(error.help("environment, attributes and stigmergies must use different names"));
            self.names.ambiguous.insert(known);
            return None;
        }
        if class != Class::Attribute || repeated {
            self.out.push(words::duplicate(bare_class(class), name, first.span));
            return None;
        }
        if !agree(&first.dimensions, &dimensions) {
            let (here, there) = (shape(&dimensions), shape(&first.dimensions));
            let message = format!("attribute `{}` is {here} here, but {there} in another agent", name.text);
            let error =
                Diagnostic::error(codes::INDEX, name.span, message).also(first.span, "first declared here");
            self.out.push(error.help("attributes of the same name have the same array sizes"));
        }
        Some(known)
    }

    /// The initial values of a variable.
    pub(super) fn init(&mut self, init: &ast::Init, shared: bool) -> Init {
        let mut context = self.context(Place::Init { shared });
        match init {
            ast::Init::Undef(_) => Init::Undef,
            ast::Init::Value(e) => match &e.node {
                ast::ExprNode::Undef => Init::Undef,
                ast::ExprNode::Range(a, b) => context.init_range(a, b),
                _ => Init::OneOf(vec![context.number(e)]),
            },
            ast::Init::Set(values, span) => {
                if values.is_empty() {
                    let error = Diagnostic::error(codes::SIZE, *span, "this set of initial values is empty");
                    let fix = Fix::replace(*span, "undef", "write `undef`");
                    context.error(error.help("write `undef` for a variable without initial value").fix(fix));
                }
                Init::OneOf(values.iter().map(|e| context.number(e)).collect())
            }
            ast::Init::Range(a, b) => context.init_range(a, b),
        }
    }
}

impl Context<'_, '_> {
    fn init_range(&mut self, low: &ast::Expr, high: &ast::Expr) -> Init {
        let (low, high) = (self.number(low), self.number(high));
        self.check_range(&low, &high);
        Init::Range(low, high)
    }

    /// Array sizes; 0 for those that are not known.
    fn dimensions(&mut self, name: &Name, sizes: &[ast::Expr]) -> Vec<u32> {
        let sizes: Vec<u32> = sizes
            .iter()
            .map(|size| self.constant_within("the size of an array", size, 1, CELLS_MAX).unwrap_or(0))
            .collect();
        let cells = sizes.iter().map(|&s| i64::from(s)).try_fold(1i64, i64::checked_mul);
        if cells.is_none_or(|cells| cells > CELLS_MAX) {
            let message = format!("array `{}` has too many cells", name.text);
            let error = Diagnostic::error(codes::SIZE, name.span, message);
            self.error(error.help(format!("an array has at most {CELLS_MAX} cells")));
        }
        sizes
    }
}

/// Whether two lists of array sizes are the same, as far as they are known.
fn agree(a: &[u32], b: &[u32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b || *a == 0 || *b == 0)
}

fn shape(dimensions: &[u32]) -> String {
    match dimensions {
        [] => "a single value".to_string(),
        sizes => {
            let sizes: Vec<String> =
                sizes.iter().map(|s| if *s == 0 { "?".to_string() } else { s.to_string() }).collect();
            format!("an array [{}]", sizes.join(", "))
        }
    }
}

/// Reports ranges that depend on `id` and are empty for some agent. Those of constants were reported before.
pub(super) fn check_ranges(checker: &mut Checker) {
    let names = &checker.names;
    let mut found: Vec<(Span, i64)> = vec![];
    for kind in &names.kinds {
        let ids = i64::from(kind.first)..i64::from(kind.first) + i64::from(kind.count.unwrap_or(0));
        let tuples = names.tuples.iter().filter(|t| kind.stigmergies.contains(&t.stigmergy));
        let inits = tuples.flat_map(|t| &t.variables).chain(&kind.attributes);
        for (_, init) in inits {
            if let Init::Range(low, high) = init
                && (value(low, None).is_err() || value(high, None).is_err())
                && let Some(id) = ids.clone().find(|id| is_empty(low, high, *id))
            {
                found.push((low.span.to(high.span), id));
            }
        }
    }
    for (span, id) in found {
        let error =
            Diagnostic::error(codes::SIZE, span, format!("this range is empty for the agent with id {id}"));
        checker.out.push(error.help("the upper bound of a range is excluded"));
    }
}

fn is_empty(low: &Expr, high: &Expr, id: i64) -> bool {
    matches!((value(low, Some(id)), value(high, Some(id))), (Ok(a), Ok(b)) if a >= b)
}
