//! Numbers that queries ask about: they are read as specifications `G (number = 0)`.

use super::expr::Context;
use super::lowerer;
use crate::model::{Atom, Expr, Specification};
use crate::syntax::ast::Op;
use swarmcheck_ir as ir;
use swarmcheck_ir::Linear;

/// The left side of the comparison that a specification says holds always.
pub fn compared(spec: &Specification, number: usize) -> Option<ir::Expr> {
    let Linear::Release(_, always) = &spec.specs.get(number)?.formula else { return None };
    let Linear::Atom(Atom::State(Expr::Binary(Op::Eq, value, _, _))) = &**always else { return None };
    lowerer(spec, true).value(value, &Context::of(0))
}
