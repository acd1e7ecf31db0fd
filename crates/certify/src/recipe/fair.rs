//! Whether the loop of a run is fair. Units are agents as senders: who sends or asks moves, who receives does not.

use super::Run;
use crate::Refused;
use crate::fair::{Does, excused, unfair};
use swarmcheck_engine::Fairness;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_rcheck::reference::Interpreter;

/// Keeps the runs whose loop is fair; an error if there is none.
pub(super) fn retain(
    oracle: &Interpreter<'_>,
    trace: &TraceData,
    fairness: Fairness,
    runs: &mut Vec<Run>,
) -> Result<(), Refused> {
    let (Some(start), false) = (trace.loop_start, fairness.is_none()) else { return Ok(()) };
    let mut why = "no run looks like this trace".to_string();
    runs.retain(|run| match starved(oracle, run, start, fairness) {
        None => true,
        Some(agent) => {
            why = unfair(fairness, agent, Does::Acts);
            false
        }
    });
    if runs.is_empty() { Err(Refused::new(Some(trace.steps.len()), why)) } else { Ok(()) }
}

/// The first agent that the loop treats unfairly.
fn starved(oracle: &Interpreter<'_>, run: &Run, start: usize, fairness: Fairness) -> Option<u32> {
    let made = run.get(start + 1..).unwrap_or_default();
    // The last state is the first of the loop again.
    let able: Vec<Vec<usize>> = run
        .get(start..run.len().saturating_sub(1))
        .unwrap_or_default()
        .iter()
        .map(|point| oracle.steps(&point.state).into_iter().map(|step| step.agent).collect())
        .collect();
    let unfair = |agent: &usize| {
        let moves = made.iter().any(|point| point.by.is_some_and(|(who, _)| who == *agent));
        let can_move: Vec<bool> = able.iter().map(|who| who.contains(agent)).collect();
        !moves && !excused(fairness, &can_move)
    };
    (0..oracle.spec().instances.len()).find(unfair).and_then(|agent| u32::try_from(agent).ok())
}
