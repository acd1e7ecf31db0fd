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
    let mut here: Option<usize> = None;
    for one in &trace.formula {
        out.extend(line(trace, one, &mut here));
    }
    out
}

/// `after step 3`, `at first`.
fn place(after: usize) -> String {
    match after {
        0 => "at first".to_string(),
        steps => format!("after step {steps}"),
    }
}

fn line(trace: &TraceData, one: &FormulaData, here: &mut Option<usize>) -> Vec<Line> {
    let plain = |pieces: Vec<Piece>| vec![Line::new(1, pieces)];
    match one {
        FormulaData::Agent { name, agent } => {
            plain(vec![words("for "), code(name), words(" = "), code(agent), words(":")])
        }
        FormulaData::Opened { part, after, became } => {
            *here = Some(*after);
            match became {
                true => plain(vec![words(format!("step {after} makes ")), code(part), words(" true")]),
                false => plain(vec![code(part), words(format!(" is true {}", place(*after)))]),
            }
        }
        FormulaData::Condition { part, after, holds, because } => {
            *here = Some(*after);
            let head = vec![words(format!("{}, ", place(*after)))];
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
            *here = *step;
            let does = match (step, holds) {
                (Some(step), true) => format!("step {step} satisfies "),
                (Some(step), false) => format!("step {step} does not satisfy "),
                (None, _) => "no step follows that satisfies ".to_string(),
            };
            plain(vec![words(does), code(part)])
        }
        FormulaData::Forever { part, after, holds } => {
            let from = match (*after, *here == Some(*after)) {
                (_, true) => "from then on, ".to_string(),
                (0, false) => String::new(),
                (steps, false) => format!("after step {steps}, "),
            };
            let always = if *holds { " is always true" } else { " is never true" };
            plain(vec![
                words(from),
                code(part),
                Piece::Bad(always.to_string()),
                words(without(trace, *holds)),
            ])
        }
        FormulaData::Kept { part, from, to } => {
            let states = match (*from, *to) {
                (from, to) if from == to => place(to),
                (0, to) => format!("at first and up to step {to}"),
                (from, to) => format!("from step {from} to step {to}"),
            };
            plain(vec![code(part), words(format!(" is true {states}"))])
        }
        FormulaData::Before { part, after, until, inclusive } => plain(vec![
            words(format!("{}, ", place(*after))),
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
