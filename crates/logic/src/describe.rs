//! When a property must hold, in plain words.
//!
//! The phrases complete "the predicate holds …". With a step bound they say what is then claimed
//! (`docs/labs.md` 18), so that a bounded verdict never reads like an unbounded one.

use swarmcheck_ir::{Inside, Modality};

/// Says when the predicate must hold; `bound` is the step bound, if there is one. `fairly` and `fairly_inf` refer to
/// what can be reached at all, so a bound on the steps means nothing to them; neither does it to `after`.
pub fn describe(modality: &Modality, bound: Option<u32>) -> String {
    match (modality, bound) {
        (Modality::Always, None) => "in every reachable state".to_string(),
        (Modality::Always, Some(bound)) => format!("in every state reached within {}", steps(bound)),
        (Modality::Eventually | Modality::Finally, None) => {
            "at some point of every maximal execution".to_string()
        }
        (Modality::Eventually, Some(bound)) => {
            format!("at some point within {}, in every execution that long", steps(bound))
        }
        (Modality::Finally, Some(bound)) => {
            format!("after exactly {}, in every execution that long", steps(bound))
        }
        (Modality::Fairly, _) => "from every state reached without it, it can be reached".to_string(),
        (Modality::FairlyInf, _) => "from every reachable state it can be reached again".to_string(),
        (Modality::After(n), _) => format!("after exactly {}", steps(*n)),
        (Modality::Linear(_), _) => "the formula, of every execution".to_string(),
        (Modality::Scoped { open, inside, .. }, bound) => {
            let bound = bound.map_or(String::new(), |b| format!(", looking at the first {}", steps(b)));
            format!("{}{}{bound}", within(inside), scope(*open, inside))
        }
    }
}

fn within(inside: &Inside) -> &'static str {
    match inside {
        Inside::Always => "in every state of each scope",
        Inside::ThereIs => "at some point of each scope",
        Inside::Precedes(_) => "in no state of a scope before the other condition has held in it",
    }
}

/// What happens to a scope that never closes.
fn scope(open: bool, inside: &Inside) -> &'static str {
    match (open, inside) {
        (false, _) => ", if the scope closes",
        (true, Inside::ThereIs) => ", and no scope may stay open forever without it",
        (true, _) => ", whether or not the scope closes",
    }
}

fn steps(n: u32) -> String {
    if n == 1 { "1 step".to_string() } else { format!("{n} steps") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_ir::Expr;

    #[track_caller]
    fn says(modality: &Modality, bound: Option<u32>, expected: &str) {
        assert_eq!(describe(modality, bound), expected);
    }

    #[test]
    fn without_a_bound() {
        says(&Modality::Always, None, "in every reachable state");
        says(&Modality::Eventually, None, "at some point of every maximal execution");
        says(&Modality::Finally, None, "at some point of every maximal execution");
        says(&Modality::Fairly, None, "from every state reached without it, it can be reached");
        says(&Modality::FairlyInf, None, "from every reachable state it can be reached again");
        says(&Modality::After(12), None, "after exactly 12 steps");
        says(&Modality::After(1), None, "after exactly 1 step");
    }

    #[test]
    fn with_a_bound() {
        says(&Modality::Always, Some(12), "in every state reached within 12 steps");
        says(&Modality::Eventually, Some(1), "at some point within 1 step, in every execution that long");
        says(&Modality::Finally, Some(12), "after exactly 12 steps, in every execution that long");
        says(&Modality::After(3), Some(12), "after exactly 3 steps");
        assert_eq!(describe(&Modality::Fairly, Some(12)), describe(&Modality::Fairly, None));
    }

    #[test]
    fn scopes() {
        let scoped = |open, inside| Modality::Scoped { open, start: Expr::TRUE, end: Expr::FALSE, inside };
        says(&scoped(false, Inside::Always), None, "in every state of each scope, if the scope closes");
        says(
            &scoped(true, Inside::ThereIs),
            None,
            "at some point of each scope, and no scope may stay open forever without it",
        );
        says(
            &scoped(true, Inside::Precedes(Expr::TRUE)),
            Some(9),
            "in no state of a scope before the other condition has held in it, whether or not the scope closes, \
             looking at the first 9 steps",
        );
    }
}
