//! Why an execution violates a formula of linear time, as lines.

use super::pieces::{Piece, code, words};
use super::steps::{Line, causes};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::trace::explain::{CauseData, FormulaData};

/// The lines; none if there is nothing to say.
pub(super) fn lines(trace: &TraceData) -> Vec<Line> {
    if trace.formula.is_empty() {
        return vec![];
    }
    let mut out = vec![Line::new(0, vec![words("why the formula fails:")])];
    // What is said about the same state as before needs no place of its own.
    let mut here: Option<Place> = None;
    for one in &trace.formula {
        out.extend(line(trace, one, &mut here));
    }
    out
}

/// So many steps were made, and whether the system rests.
type Place = (usize, bool);

/// `after step 3`, `at first`.
fn place(at: Place) -> String {
    match at {
        (_, true) => "when no step follows any more".to_string(),
        (0, _) => "at first".to_string(),
        (steps, _) => format!("after step {steps}"),
    }
}

fn line(trace: &TraceData, one: &FormulaData, here: &mut Option<Place>) -> Vec<Line> {
    let plain = |pieces: Vec<Piece>| vec![Line::new(1, pieces)];
    match one {
        FormulaData::Agent { name, agent } => {
            plain(vec![words("for "), code(name), words(" = "), code(agent), words(":")])
        }
        FormulaData::Outside => plain(vec![words("outside the quantifiers:")]),
        FormulaData::Opened { part, after, became, resting } => {
            let at = (*after, *resting);
            *here = Some(at);
            match became {
                true => plain(vec![words(format!("step {after} makes ")), code(part), words(" true")]),
                false => plain(vec![code(part), words(format!(" is true {}", place(at)))]),
            }
        }
        FormulaData::Condition { part, after, holds, because, resting } => {
            let at = (*after, *resting);
            *here = Some(at);
            let head = vec![words(format!("{}, ", place(at)))];
            // A condition that is its own cause has its values beside it.
            let (values, rest) = match &because[..] {
                [one] => (one.values.clone(), &[][..]),
                all => (vec![], all),
            };
            let mut out = causes(1, head, &CauseData { condition: part.clone(), holds: *holds, values });
            out.extend(rest.iter().flat_map(|cause| causes(2, vec![], cause)));
            out
        }
        FormulaData::Observed { part, step, holds } => {
            *here = Some(step.map_or((trace.steps.len(), true), |step| (step, false)));
            let does = match (step, holds) {
                (Some(step), true) => format!("step {step} satisfies "),
                (Some(step), false) => format!("step {step} does not satisfy "),
                (None, true) => "when no step follows any more, this is true: ".to_string(),
                (None, false) => "no step follows that satisfies ".to_string(),
            };
            plain(vec![words(does), code(part)])
        }
        FormulaData::Forever { part, after, holds, resting } => {
            let at = (*after, *resting);
            let from = match at {
                _ if *here == Some(at) => "from then on, ".to_string(),
                (0, false) => String::new(),
                _ => format!("{}, ", place(at)),
            };
            let always = if *holds { " is always true" } else { " is never true" };
            // That no step is possible is said already.
            let forever = if *resting { String::new() } else { without(trace, *holds) };
            plain(vec![words(from), code(part), Piece::Bad(always.to_string()), words(forever)])
        }
        FormulaData::Kept { part, from, to, resting } => {
            let states = match (*from, *to) {
                (from, to) if from == to => place((to, false)),
                (0, to) => format!("at first and up to step {to}"),
                (from, to) => format!("from step {from} to step {to}"),
            };
            let rest = if *resting { ", and when no step follows any more" } else { "" };
            plain(vec![code(part), words(format!(" is true {states}{rest}"))])
        }
        FormulaData::Before { part, after, until, inclusive, resting } => plain(vec![
            words(format!("{}, ", place((*after, *resting)))),
            code(part),
            words(" is false, and "),
            code(until),
            words(if *inclusive { " has not been true by then" } else { " has not been true before" }),
        ]),
    }
}

/// What the execution does for ever.
fn without(trace: &TraceData, holds: bool) -> String {
    let with = if holds { "with" } else { "without" };
    let last = trace.steps.len();
    match trace.loop_start {
        Some(start) if start + 1 == last => format!(": the loop (step {last}) repeats {with} it"),
        Some(start) => format!(": the loop (steps {} to {last}) repeats {with} it", start + 1),
        None => ": no step is possible any more".to_string(),
    }
}
