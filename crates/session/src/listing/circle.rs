//! Circles of agents that wait for one another: what most people mean by a deadlock (Coffman, Elphick and Shoshani 1971,
//! *circular wait*).
//!
//! An agent waits for another one if each of its actions that could ever become possible has something in the way that only
//! the other one can remove. An action with something in its way that nobody can remove does not count.

use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_engine::trace::data::ACTION;
use swarmcheck_engine::trace::explain::{ObstacleData, StopData, WaitData};

/// The circles, each from its smallest agent on. No agent is in two of them.
pub(super) fn circles(stop: &StopData) -> Vec<Vec<u32>> {
    let needs: BTreeMap<u32, u32> =
        stop.agents.iter().filter_map(|one| Some((one.agent, waits_for(one.agent, &one.waits)?))).collect();
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    let mut out = vec![];
    for &first in needs.keys() {
        let mut way = vec![];
        let mut at = first;
        while seen.insert(at) {
            way.push(at);
            match needs.get(&at) {
                Some(next) => at = *next,
                None => break,
            }
        }
        // The way may lead into a circle, or into what was seen before.
        if let Some(start) = way.iter().position(|agent| *agent == at && needs.contains_key(&at)) {
            let mut circle = way.split_off(start);
            let least = (0..circle.len()).min_by_key(|place| circle[*place]).unwrap_or(0);
            circle.rotate_left(least);
            if circle.len() > 1 {
                out.push(circle);
            }
        }
    }
    out
}

/// The one agent that all actions of an agent wait for; the smallest, if there are several.
fn waits_for(agent: u32, waits: &[WaitData]) -> Option<u32> {
    let mut all: Option<BTreeSet<u32>> = None;
    for wait in waits {
        let helpers: Option<Vec<BTreeSet<u32>>> =
            wait.obstacles.iter().map(|obstacle| helpers(agent, obstacle)).collect();
        let helpers = helpers.filter(|helpers| !helpers.is_empty())?;
        if helpers.iter().any(BTreeSet::is_empty) {
            continue;
        }
        let only: BTreeSet<u32> = helpers.iter().filter(|who| who.len() == 1).flatten().copied().collect();
        all = Some(match all {
            None => only,
            Some(known) => known.intersection(&only).copied().collect(),
        });
    }
    all?.first().copied()
}

/// The other agents that could remove an obstacle. None: that is not known, or it could be anybody.
fn helpers(agent: u32, obstacle: &ObstacleData) -> Option<BTreeSet<u32>> {
    match obstacle {
        // A message that may come is nothing that its sender has to do.
        ObstacleData::Guard { writers, .. } if writers.iter().any(|w| w.rule != ACTION) => None,
        ObstacleData::Guard { writers, .. } => {
            Some(writers.iter().flat_map(|w| &w.agents).copied().filter(|other| *other != agent).collect())
        }
        ObstacleData::Partner { agent: other }
        | ObstacleData::Turn { agent: other }
        | ObstacleData::Listener { agent: other, .. } => Some(BTreeSet::from([*other])),
        ObstacleData::Pending { .. }
        | ObstacleData::Undefined { .. }
        | ObstacleData::NoChoice
        | ObstacleData::Range { .. }
        | ObstacleData::Passive { .. }
        | ObstacleData::NoSupplier => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_engine::trace::explain::{CauseData, StoppedData, WriterData};

    fn guard(writers: &[u32]) -> ObstacleData {
        let cause = CauseData { condition: "free".to_string(), holds: false, values: vec![] };
        let writer = |agent: &u32| WriterData {
            cell: "lock".to_string(),
            agents: vec![*agent],
            rule: ACTION.to_string(),
            what: "lock <-- 0".to_string(),
            at: None,
        };
        ObstacleData::Guard { cause, writers: writers.iter().map(writer).collect() }
    }

    fn partner(agent: u32) -> ObstacleData {
        ObstacleData::Partner { agent }
    }

    /// For every agent its actions, each with what is in its way.
    fn check(agents: &[&[&[ObstacleData]]], expected: &[&[u32]]) {
        let wait = |obstacles: &&[ObstacleData]| WaitData {
            what: "act".to_string(),
            at: None,
            obstacles: obstacles.to_vec(),
        };
        let agents = (0..).zip(agents);
        let agents =
            agents.map(|(agent, waits)| StoppedData { agent, waits: waits.iter().map(wait).collect() });
        assert_eq!(circles(&StopData { agents: agents.collect() }), expected);
    }

    #[test]
    fn circles_are_found_by_who_waits_for_whom() {
        check(&[&[&[partner(1)]], &[&[partner(0)]]], &[&[0, 1]]);
        // Agent 0 leads into the circle and is not part of it.
        check(&[&[&[partner(2)]], &[&[partner(2)]], &[&[partner(1)]]], &[&[1, 2]]);
        check(&[&[&[guard(&[0, 1])]], &[&[guard(&[1, 2])]], &[&[guard(&[2, 0])]]], &[&[0, 1, 2]]);
        // Two circles.
        let pair = |a: u32| [partner(a)];
        check(&[&[&pair(1)], &[&pair(0)], &[&pair(3)], &[&pair(2)]], &[&[0, 1], &[2, 3]]);
    }

    #[test]
    fn whoever_may_be_helped_by_others_is_in_no_circle() {
        // By one of two agents; by nobody at all; by anybody.
        check(&[&[&[guard(&[1, 2])]], &[&[partner(0)]], &[]], &[]);
        check(&[&[&[guard(&[]), partner(1)]], &[&[partner(0)]]], &[]);
        check(&[&[&[ObstacleData::Passive { channel: None }]], &[&[partner(0)]]], &[]);
        // By a message: nobody has to send it.
        let ObstacleData::Guard { cause, mut writers } = guard(&[1]) else { return };
        writers[0].rule = "propagate".to_string();
        check(&[&[&[ObstacleData::Guard { cause, writers }]], &[&[partner(0)]]], &[]);
        // With another action that waits for another agent.
        check(&[&[&[partner(1)], &[partner(2)]], &[&[partner(0)]], &[]], &[]);
        // With another action that can never be possible.
        check(&[&[&[partner(1)], &[guard(&[])]], &[&[partner(0)]]], &[&[0, 1]]);
        // The one it waits for has come to its end.
        check(&[&[&[partner(1)]], &[]], &[]);
    }
}
