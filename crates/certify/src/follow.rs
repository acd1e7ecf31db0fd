//! The states a trace may be in: one for what can be seen, and for each agent the processes it may be in.
//!
//! A trace does not say where an agent is in its process. With late choice there is nearly always one possibility; with
//! early choice an agent may have picked any alternative, and shows which one only when it acts. Agents pick
//! independently, so the possibilities are kept agent by agent: their combinations would be too many.

use crate::fair::{Does, does};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;
use swarmcheck_reference::{Interpreter, Show, Sought, State, Step, Term, TooMany};

/// What is known after some steps of a trace.
#[derive(Clone)]
pub struct Follow {
    /// All that can be seen; each agent is in one of its possible processes.
    state: State,
    /// By agent.
    processes: Vec<Rc<BTreeSet<Rc<Term>>>>,
}

/// What an agent can do. It acts only with nothing to send, so the first step tells.
pub fn unit(oracle: &Interpreter<'_>, state: &State, agent: u32) -> Result<Option<Does>, TooMany> {
    let mut found = None;
    let shown = oracle.for_each_step(state, agent, None, &mut |(label, _)| {
        found = Some(does(&label));
        Show::Nothing
    });
    if found.is_none() {
        shown?;
    }
    Ok(found)
}

impl Follow {
    /// Everything that an initial state may be.
    pub fn start(oracle: &Interpreter<'_>, state: State) -> Follow {
        let agents = 0..oracle.model().agents();
        Follow {
            state,
            processes: agents.map(|agent| Rc::new(oracle.starts(agent).into_iter().collect())).collect(),
        }
    }

    /// A state that looks as all possible ones do.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Visits the possible steps of an agent that are sought.
    pub fn for_each_step(
        &self,
        oracle: &Interpreter<'_>,
        agent: u32,
        sought: Sought<'_>,
        visit: &mut dyn FnMut(Step) -> Show,
    ) {
        for process in self.processes[agent as usize].iter() {
            let state = self.state_as(agent, process);
            // That not all were tried is what the oracle remembers.
            let _ = oracle.for_each_step(&state, agent, Some(sought), visit);
        }
    }

    /// What an agent can do, for each process that it may be in. Where that is not known, it acts: nothing is excused then.
    pub fn units_of(&self, oracle: &Interpreter<'_>, agent: u32) -> Vec<Option<Does>> {
        let unit = |process| unit(oracle, &self.state_as(agent, process), agent).unwrap_or(Some(Does::Acts));
        self.processes[agent as usize].iter().map(unit).collect()
    }

    /// Whether some possible step is so, of those that were tried.
    pub fn any_step(&self, oracle: &Interpreter<'_>, is_so: &mut dyn FnMut(Step) -> bool) -> bool {
        (0..oracle.model().agents()).any(|agent| {
            self.processes[agent as usize].iter().any(|process| {
                let mut found = false;
                let _ = oracle.for_each_step(&self.state_as(agent, process), agent, None, &mut |step| {
                    found = is_so(step);
                    if found { Show::Nothing } else { Show::More }
                });
                found
            })
        })
    }

    /// The state if an agent is in this process.
    fn state_as(&self, agent: u32, process: &Rc<Term>) -> Cow<'_, State> {
        if self.state.agents[agent as usize].process == *process {
            return Cow::Borrowed(&self.state);
        }
        let mut state = self.state.clone();
        state.agents[agent as usize].process = process.clone();
        Cow::Owned(state)
    }

    /// What is known when a step of an agent has led to one of these states, which look alike. Only an action tells
    /// something about the agent's process.
    pub fn after(&self, agent: u32, action: bool, reached: Vec<State>) -> Option<Follow> {
        let mut processes = self.processes.clone();
        if action {
            let own = |state: &State| state.agents[agent as usize].process.clone();
            processes[agent as usize] = Rc::new(reached.iter().map(own).collect());
        }
        Some(Follow { state: reached.into_iter().next()?, processes })
    }

    /// All possible states, if they are at most `most`.
    pub fn states(&self, most: usize) -> Option<Vec<State>> {
        (self.combinations() <= most).then(|| self.some_states(most))
    }

    /// How many states this may be.
    pub fn combinations(&self) -> usize {
        self.processes.iter().fold(1, |all, processes| all.saturating_mul(processes.len()))
    }

    /// At most so many of the possible states.
    pub fn some_states(&self, most: usize) -> Vec<State> {
        let mut out = vec![self.state.clone()];
        for (agent, processes) in self.processes.iter().enumerate() {
            // Mostly there is one, and nothing to copy.
            if let Some(first) = processes.first().filter(|_| processes.len() == 1 || out.len() >= most) {
                out.iter_mut().for_each(|state| state.agents[agent].process = first.clone());
                continue;
            }
            let with = |state: &State, process: &Rc<Term>| {
                let mut state = state.clone();
                state.agents[agent].process = process.clone();
                state
            };
            out = out
                .iter()
                .flat_map(|state| processes.iter().map(|p| with(state, p)).collect::<Vec<_>>())
                .take(most)
                .collect();
        }
        out
    }

    /// Whether this may be that state.
    pub fn admits(&self, state: &State) -> bool {
        let mut same = self.state.clone();
        for (agent, processes) in self.processes.iter().enumerate() {
            let process = &state.agents[agent].process;
            if !processes.contains(process) {
                return false;
            }
            same.agents[agent].process = process.clone();
        }
        same == *state
    }

    /// Whether no step is possible.
    pub fn is_stuck(&self, oracle: &Interpreter<'_>) -> bool {
        self.all(&|agent, process| self.is_still(oracle, agent, process), true)
    }

    /// Whether no step is possible in at least one of the states this may be.
    pub fn may_be_stuck(&self, oracle: &Interpreter<'_>) -> bool {
        self.all(&|agent, process| self.is_still(oracle, agent, process), false)
    }

    /// Whether an agent in this process is known to have no step.
    fn is_still(&self, oracle: &Interpreter<'_>, agent: u32, process: &Rc<Term>) -> bool {
        unit(oracle, &self.state_as(agent, process), agent) == Ok(None)
    }

    /// Whether something is true of every agent, in every process that it may be in or in one of them.
    fn all(&self, is_so: &dyn Fn(u32, &Rc<Term>) -> bool, in_every: bool) -> bool {
        (0..).zip(&self.processes).all(|(agent, processes)| match in_every {
            true => processes.iter().all(|process| is_so(agent, process)),
            false => processes.iter().any(|process| is_so(agent, process)),
        })
    }

    /// Whether this and the other may be the same state.
    pub fn may_be(&self, other: &Follow) -> bool {
        let (mut one, mut two) = (self.state.clone(), other.state.clone());
        for (agent, processes) in self.processes.iter().enumerate() {
            let Some(common) = processes.intersection(&other.processes[agent]).next() else {
                return false;
            };
            one.agents[agent].process = common.clone();
            two.agents[agent].process = common.clone();
        }
        one == two
    }
}
