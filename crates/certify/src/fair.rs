//! Whether the loop of a trace is fair, by the definition and on the literal rules.
//!
//! A unit is an agent with its actions, or an agent with its pending messages. It moves in the loop if one of the steps is its
//! own, and it can move in a state if the rules offer such a step there. A loop repeats, so what is true of one of its
//! states is true again and again, and what is true of all is true from some point on. Hence the loop is weakly fair
//! if each unit moves in it, or cannot move in one of its states; strongly fair if each unit moves in it, or cannot
//! move in any of its states (Lehmann, Pnueli, Stavi, *Impartiality, justice and fairness*, ICALP 1981).
//!
//! A step that runs into an error of the model counts as possible: nothing fair leads past it.

use crate::Refused;
use crate::follow::{Follow, unit};
use swarmcheck_engine::Fairness;
use swarmcheck_engine::trace::data::{ACTION, StepData, TraceData};
use swarmcheck_reference::{Interpreter, Label, State};

/// What a unit does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Does {
    /// Actions.
    Acts,
    /// Deliveries of pending messages.
    Sends,
}

/// Which units of an agent can move in the states of a loop, as far as they have been seen.
pub(crate) struct Loop<'t> {
    trace: &'t TraceData,
    fairness: Fairness,
    /// How many states of the trace were seen.
    seen: usize,
    /// By agent: the processes it may be in throughout the loop, each with the states in which it can act, and whether
    /// it can send.
    agents: Vec<Possible>,
}

/// What an agent can do in the states of the loop.
#[derive(Default)]
struct Possible {
    /// For each process that the agent may be in, whether it can act, state by state. An agent that does not act
    /// in the loop stays where it is, so the processes are the same in all states.
    acts: Vec<Vec<bool>>,
    sends: Vec<bool>,
}

impl<'t> Loop<'t> {
    /// Nothing was seen yet.
    pub(crate) fn new(trace: &'t TraceData, fairness: Fairness) -> Loop<'t> {
        Loop { trace, fairness, seen: 0, agents: vec![] }
    }

    /// Takes in the next state of the trace, in order from the initial one.
    pub(crate) fn see(&mut self, oracle: &Interpreter<'_>, now: &Follow) {
        let at = self.seen;
        self.seen += 1;
        // The last state is the first of the loop again.
        let inside = self.trace.loop_start.is_some_and(|start| start <= at) && at < self.trace.steps.len();
        if self.fairness.is_none() || !inside {
            return;
        }
        self.agents.resize_with(oracle.model().agents() as usize, Possible::default);
        for (agent, possible) in (0..).zip(&mut self.agents) {
            let units = now.units_of(oracle, agent);
            possible.sends.push(units.contains(&Some(Does::Sends)));
            possible.acts.resize_with(units.len(), Vec::new);
            for (known, unit) in possible.acts.iter_mut().zip(&units) {
                known.push(*unit == Some(Does::Acts));
            }
        }
    }

    /// Whether the loop is fair; nothing is to be said about a trace without one.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        let (Some(start), false) = (self.trace.loop_start, self.fairness.is_none()) else { return Ok(()) };
        let steps = self.trace.steps.get(start..).unwrap_or_default();
        if steps.is_empty() {
            return Err(Refused::new(Some(start), "the loop has no step".to_string()));
        }
        for (agent, possible) in (0..).zip(&self.agents) {
            for unit in [Does::Acts, Does::Sends] {
                let moves =
                    steps.iter().any(|s| s.agent == agent && (s.rule == ACTION) == (unit == Does::Acts));
                let excused = match unit {
                    Does::Sends => excused(self.fairness, &possible.sends),
                    Does::Acts => possible.acts.iter().any(|states| excused(self.fairness, states)),
                };
                if !moves && !excused {
                    let why = unfair(self.fairness, agent, unit);
                    return Err(Refused::new(Some(self.trace.steps.len()), why));
                }
            }
        }
        Ok(())
    }
}

/// Whether an execution is fair that goes through these states, by these steps, again and again.
pub(crate) fn is_fair(
    oracle: &Interpreter<'_>,
    fairness: Fairness,
    states: &[State],
    steps: &[StepData],
) -> bool {
    if fairness.is_none() {
        return true;
    }
    (0..oracle.model().agents()).all(|agent| {
        // Where it is not known what an agent can do, it acts: nothing is excused then.
        let can = |state| unit(oracle, state, agent).unwrap_or(Some(Does::Acts));
        let units: Vec<Option<Does>> = states.iter().map(can).collect();
        [Does::Acts, Does::Sends].into_iter().all(|unit| {
            let moves = steps.iter().any(|s| s.agent == agent && (s.rule == ACTION) == (unit == Does::Acts));
            let can: Vec<bool> = units.iter().map(|can| *can == Some(unit)).collect();
            moves || excused(fairness, &can)
        })
    })
}

/// Whether a unit that never moves in a loop may do so, where it can move in these states.
pub(crate) fn excused(fairness: Fairness, can_move: &[bool]) -> bool {
    match fairness {
        Fairness::None => true,
        Fairness::Weak => can_move.iter().any(|can| !can),
        Fairness::Strong => can_move.iter().all(|can| !can),
    }
}

/// Why a loop is refused.
pub(crate) fn unfair(fairness: Fairness, agent: u32, unit: Does) -> String {
    let what = match unit {
        Does::Acts => "act",
        Does::Sends => "send a message",
    };
    match fairness {
        Fairness::Strong => {
            format!("the loop is not strongly fair: agent {agent} can {what} in it and never does")
        }
        _ => format!("the loop is not weakly fair: agent {agent} can {what} in all of it and never does"),
    }
}

pub(crate) fn does(label: &Label) -> Does {
    match label {
        Label::Action { .. } => Does::Acts,
        Label::Propagate { .. } | Label::Confirm { .. } => Does::Sends,
    }
}
