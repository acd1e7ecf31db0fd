//! Vacuity in parts of a predicate, decided by asking again.
//!
//! The front end lists the parts of a predicate, and for each the property with the part replaced by the constant that asks
//! for more (Kupferman and Vardi, STTT 2003). If that holds as well, the part might as well not be there. The explicit
//! engine is asked, for so many states; where that is not enough, the part counts as undecided and nothing is said about
//! the parts below it. Of parts that lie within each other, the largest is told.

use super::VerifyOptions;
use super::instead::instead;
use crate::because::{Because, IdlePart};
use crate::open::Prepared;
use crate::specification::PredicatePart;
use swarmcheck_engine::{Control, Verdict};

/// So many states are visited to decide about a part.
const STATES: u64 = 200_000;

/// More parts than this are not looked at.
const MOST: u32 = 64;

/// Looks for parts of the predicate of a property that holds, on which the verdict does not depend.
pub(super) fn idle_parts(
    prepared: &Prepared,
    options: &VerifyOptions,
    property: usize,
    control: &Control<'_>,
    because: &mut Because,
) {
    let parts = prepared.model.parts(property, &prepared.options);
    look(prepared, options, &parts, control, because);
}

fn look(
    prepared: &Prepared,
    options: &VerifyOptions,
    parts: &[PredicatePart],
    control: &Control<'_>,
    because: &mut Because,
) {
    for part in parts {
        if control.stopped() || because.parts == MOST {
            because.undecided += 1;
            continue;
        }
        because.parts += 1;
        match still_holds(prepared, options, part, control) {
            Some(true) => {
                let file = &prepared.file;
                let words: Vec<&str> = file.slice(part.span).split_whitespace().collect();
                let (line, column) = file.line_column(part.span.start);
                because.idle.push(IdlePart { text: words.join(" "), line, column, constant: part.by });
            }
            Some(false) => look(prepared, options, &part.parts, control, because),
            None => because.undecided += 1,
        }
    }
}

/// Whether the property with the part replaced holds, if that can be found out.
fn still_holds(
    prepared: &Prepared,
    options: &VerifyOptions,
    part: &PredicatePart,
    control: &Control<'_>,
) -> Option<bool> {
    match instead(prepared, options, part.property.clone(), STATES, control)? {
        Verdict::Holds(_) => Some(true),
        // An error of the model that only the other predicate meets makes them different, too.
        Verdict::Violated(..) | Verdict::Invalid(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}
