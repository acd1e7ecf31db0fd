//! The same infinite execution as a shorter lasso. What remembers the step just made has another value when the loop is entered
//! than after a round, so that engines find a loop one round, or a part of one, later than there is one. If the last step before
//! the loop is also the last step of the loop, the loop can begin before it; and so on.

use std::borrow::Cow;
use swarmcheck_engine::trace::Trace;
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::Role;

/// The shorter lasso; the trace itself if there is none.
pub(super) fn rolled<'t>(flat: &Flat, trace: &'t Trace) -> Cow<'t, Trace> {
    let Some(mut start) = trace.loop_start else { return Cow::Borrowed(trace) };
    let state = |at: usize| if at == 0 { &trace.initial } else { &trace.steps[at - 1].state };
    let mut end = trace.steps.len();
    while start > 0
        && start < end
        && (trace.steps[start - 1].instance, &trace.steps[start - 1].choices)
            == (trace.steps[end - 1].instance, &trace.steps[end - 1].choices)
        && alike(flat, state(start - 1), state(end - 1))
    {
        (start, end) = (start - 1, end - 1);
    }
    if end == trace.steps.len() {
        return Cow::Borrowed(trace);
    }
    let mut shorter = trace.clone();
    shorter.steps.truncate(end);
    shorter.loop_start = Some(start);
    Cow::Owned(shorter)
}

/// Whether states differ at most in what remembers the step just made.
fn alike(flat: &Flat, one: &[Value], other: &[Value]) -> bool {
    let same = |(slot, (a, b)): (u32, (&Value, &Value))| {
        a == b || flat.program.var(flat.layout.cell(slot).var).role == Role::Step
    };
    (0..).zip(one.iter().zip(other)).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::open::{ModelOptions, prepare};
    use swarmcheck_engine::trace::TraceStep;
    use swarmcheck_ir::flat::{Instance, Machine, Outcome};

    /// Performs these functions, the last of them in a loop, and tells how the shorter lasso goes.
    fn told(text: &str, functions: &[u32], back: usize) -> (usize, Option<usize>) {
        let Ok(prepared) = prepare("m.ccs", text.as_bytes(), ModelOptions::default()) else {
            panic!("{text}")
        };
        let flat = &prepared.flat;
        let mut machine = Machine::new(flat);
        let mut state = vec![0; flat.width()];
        let mut nothing = crate::attempt::Again::new(&[]);
        assert_eq!(machine.initialise(flat, &mut state, &mut nothing), Outcome::Done);
        let mut trace = Trace { initial: state.clone(), loop_start: Some(back), ..Trace::default() };
        for function in functions {
            let instance = Instance { function: *function, agent: 0 };
            assert_eq!(machine.step(flat, instance, &mut state, &mut nothing), Outcome::Done);
            trace.steps.push(TraceStep { instance, choices: vec![], state: state.clone() });
        }
        let shorter = rolled(flat, &trace);
        (shorter.steps.len(), shorter.loop_start)
    }

    #[test]
    fn a_loop_begins_as_early_as_it_can() {
        let two = "proc P = a.b.P check { L = ltl [] a }";
        // a (b a)^ω is (a b)^ω, and so is a b a (b a)^ω.
        assert_eq!(told(two, &[0, 1, 0], 1), (2, Some(0)));
        assert_eq!(told(two, &[0, 1, 0, 1, 0], 3), (2, Some(0)));
        assert_eq!(told(two, &[0, 1], 0), (2, Some(0)));
        // The a before the loop leads elsewhere than the one in it.
        let other = "proc P = a.Q proc Q = a.Q check { L = ltl [] a } system = P";
        assert_eq!(told(other, &[0, 1, 1], 2), (2, Some(1)));
    }
}
