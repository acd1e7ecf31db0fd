//! Numbers that queries ask about: they are read as properties that say that the number is zero.

use super::{Lowerer, Options, expr, structures};
use crate::model::{CondNode, Model};
use swarmcheck_ir as ir;

/// The left side of the comparison that a property is, over the variables of the program that [`lower`](super::lower) makes with
/// the same options. It may be ⊥.
pub fn compared(model: &Model, property: usize, options: Options) -> Option<ir::Expr> {
    let CondNode::Compare(_, value, _) = &model.properties.get(property)?.predicate.node else { return None };
    let structures = structures(model, options.choice).ok()?;
    let low = Lowerer::new(model, options, &structures);
    Some(low.exprs(&expr::Names::closed()).value(value))
}
