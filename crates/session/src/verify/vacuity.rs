//! Vacuity in parts of a predicate or a formula, decided by asking again.
//!
//! The front end lists the parts, and for each the property with the part replaced by the constant that asks
//! for more (Kupferman and Vardi, STTT 2003). If that holds as well, the part might as well not be there. The explicit
//! engine is asked, for so many states; where that is not enough, the part counts as undecided and nothing is said about
//! the parts below it. Of parts that lie within each other, the largest is told.

use super::VerifyOptions;
use super::instead::instead;
use crate::because::{Because, IdlePart};
use crate::open::Prepared;
use crate::specification::PredicatePart;
use swarmcheck_engine::{Control, Verdict};
use swarmcheck_ir::{Modality, Program};

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
    let found = prepared.model.parts(property, &prepared.options);
    let mut program = found.program.unwrap_or_else(|| Program::clone(&prepared.flat.program));
    because.of_formula = matches!(prepared.flat.program.properties[property].modality, Modality::Linear(_));
    because.undecided += found.left_off;
    program.properties.clear();
    look(&Asked { prepared, options, program }, &found.parts, control, because);
}

/// What is asked about every part.
struct Asked<'a> {
    prepared: &'a Prepared,
    options: &'a VerifyOptions,
    /// Without properties.
    program: Program,
}

fn look(asked: &Asked<'_>, parts: &[PredicatePart], control: &Control<'_>, because: &mut Because) {
    for part in parts {
        if control.stopped() || because.parts == MOST {
            because.undecided += 1;
            continue;
        }
        because.parts += 1;
        match still_holds(asked, part, control) {
            Some(true) => {
                let file = &asked.prepared.file;
                let words: Vec<&str> = file.slice(part.span).split_whitespace().collect();
                let (line, column) = file.line_column(part.span.start);
                because.idle.push(IdlePart { text: words.join(" "), line, column, constant: part.by });
            }
            Some(false) => look(asked, &part.parts, control, because),
            None => because.undecided += 1,
        }
    }
}

/// Whether the property with the part replaced holds, if that can be found out.
fn still_holds(asked: &Asked<'_>, part: &PredicatePart, control: &Control<'_>) -> Option<bool> {
    match instead(&asked.program, asked.options, part.property.clone(), STATES, control)? {
        Verdict::Holds(_) => Some(true),
        // An error of the model that only the other predicate meets makes them different, too.
        Verdict::Violated(..) | Verdict::Invalid(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}
