//! Vacuity of properties with a scope: a scope that never opens, or never closes where only closed scopes count.
//!
//! Such a property holds whatever is claimed inside the scope, so also if `false` is. Conversely, `from p until q, always
//! false` is violated by the first scope that opens, and `between p and q, always false` by the first that closes (Beer
//! et al. 1997: a formula is vacuous if a part of it can be replaced by anything). So this is what is asked, of the explicit
//! engine, as long as it visits few states. If that is not enough, nothing is said: a scope that does open mostly
//! opens soon, and conditions that are constant leave nothing to visit.

use super::VerifyOptions;
use super::instead::instead;
use crate::open::Prepared;
use swarmcheck_engine::{Control, Vacuity, Verdict};
use swarmcheck_ir::{Expr, Inside, Modality, Property};

/// So many states are visited to find a scope that opens, or closes.
const FEW: u64 = 20_000;

/// Why a property that holds says nothing because of its scope.
pub(super) fn vacuity(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: usize,
    control: &Control<'_>,
) -> Option<Vacuity> {
    let property = &prepared.flat.program.properties[property];
    let Modality::Scoped { open, .. } = property.modality else { return None };
    let never = |open: bool| holds_of_nothing(prepared, options, property, open, control);
    if never(true) {
        return Some(Vacuity::NeverOpens);
    }
    (!open && never(false)).then_some(Vacuity::NeverCloses)
}

/// Whether `false` holds throughout all scopes, or all that close.
fn holds_of_nothing(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: &Property,
    open: bool,
    control: &Control<'_>,
) -> bool {
    let Modality::Scoped { start, end, .. } = property.modality.clone() else { return false };
    let modality = Modality::Scoped { open, start, end, inside: Inside::Always };
    let nothing = Property { modality, predicate: Expr::FALSE, ..property.clone() };
    matches!(instead(&prepared.flat.program, options, nothing, FEW, control), Some(Verdict::Holds(_)))
}
