//! A specification as it is written, over conditions of the program.

use super::lowerer;
use crate::Precedence;
use crate::check::written as checked;
use swarmcheck_ir as ir;
use swarmcheck_ir::written::Written;

/// A specification of a script without errors, by its number. Its conditions are those of the program that
/// [`lower`](super::lower) makes of the script with its claims.
pub fn written(text: &str, precedence: Option<Precedence>, number: usize) -> Option<Written<ir::Expr>> {
    let (spec, written) = checked::written(text, precedence, number)?;
    let low = lowerer(&spec, true);
    Some(written.map(&|condition| low.formula(condition)))
}
