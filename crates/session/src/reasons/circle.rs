//! What a lasso repeats, and who takes no part in it: agents that could act in some state of the loop and are never chosen,
//! and agents that are never able to.

use super::stop::waits;
use crate::attempt::{Attempt, attempt};
use crate::open::Prepared;
use swarmcheck_engine::trace::Trace;
use swarmcheck_engine::trace::data::StepData;
use swarmcheck_engine::trace::explain::{LoopData, ObstacleData, RepeatData, StillData};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Instance, Machine};

/// What the loop of a trace repeats. `steps` are the steps of the trace as data.
pub(crate) fn circle(prepared: &Prepared, trace: &Trace, steps: &[StepData]) -> Option<LoopData> {
    let start = trace.loop_start?;
    let mut repeats: Vec<RepeatData> = vec![];
    for step in steps.get(start..)? {
        let same = |r: &&mut RepeatData| {
            (r.agent, &r.rule, &r.what, &r.at) == (step.agent, &step.rule, &step.what, &step.at)
        };
        match repeats.iter_mut().find(same) {
            Some(known) => known.times += 1,
            None => repeats.push(RepeatData {
                agent: step.agent,
                rule: step.rule.clone(),
                what: step.what.clone(),
                at: step.at.clone(),
                times: 1,
            }),
        }
    }
    let first = match start {
        0 => &trace.initial,
        start => &trace.steps.get(start - 1)?.state,
    };
    let loops = trace.steps.get(start..)?.iter().map(|step| &step.state);
    let states: Vec<&Vec<Value>> = std::iter::once(first).chain(loops).collect();
    let mut machine = Machine::new(&prepared.flat);
    let mut still = vec![];
    for agent in 0..prepared.flat.program.agents() {
        let received = |step: &StepData| {
            step.message.as_ref().is_some_and(|m| m.received.iter().any(|p| p.agent == agent))
        };
        if steps.get(start..)?.iter().any(|step| step.agent == agent || received(step)) {
            continue;
        }
        // An agent that takes part in what another one does has moved.
        if takes_part(prepared, &states, agent) {
            continue;
        }
        let able = states.iter().any(|state| can_act(prepared, &mut machine, state, agent));
        let mut waits = waits(prepared, first, agent);
        if able {
            // It could send its messages.
            let pending = |o: &ObstacleData| matches!(o, ObstacleData::Pending { .. });
            waits.retain(|wait| wait.obstacles.iter().any(pending));
        }
        still.push(StillData { agent, able, waits });
    }
    Some(LoopData { repeats, still })
}

/// Something that belongs to the agent is different in some state of the loop.
fn takes_part(prepared: &Prepared, states: &[&Vec<Value>], agent: u32) -> bool {
    let layout = &prepared.flat.layout;
    let location = |slot: u32| {
        let cell = layout.cell(slot);
        let role = &prepared.flat.program.var(cell.var).role;
        cell.agent == Some(agent) && matches!(role, swarmcheck_ir::program::Role::Location)
    };
    let own: Vec<usize> = (0..layout.width() as u32).filter(|s| location(*s)).map(|s| s as usize).collect();
    states.windows(2).any(|pair| own.iter().any(|&slot| pair[0][slot] != pair[1][slot]))
}

fn can_act(prepared: &Prepared, machine: &mut Machine, state: &[Value], agent: u32) -> bool {
    let flat = &prepared.flat;
    let own = (0..flat.instances()).map(|number| flat.instance(number)).filter(|at| at.agent == agent);
    // An agent at its end does not act: it rests.
    let rests = |at: &Instance| {
        let label = prepared.labels.as_ref().and_then(|labels| labels.get(at.function as usize));
        label.is_some_and(|label| prepared.model.rests(label))
    };
    own.filter(|at| !rests(at)).any(|at| attempt(flat, machine, at, state) == Attempt::Possible)
}
