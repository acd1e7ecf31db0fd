//! The states a trace may be in: one for what can be seen, and for each agent the processes it may be in.
//!
//! A trace does not say where an agent is in its process. With late choice there is nearly always one possibility; with
//! early choice an agent may have picked any alternative, and shows which one only when it acts. Agents pick
//! independently, so the possibilities are kept agent by agent: their combinations would be too many.

use std::collections::BTreeSet;
use std::rc::Rc;
use swarmcheck_reference::{Interpreter, Label, State, Step, Term};

/// What is known after some steps of a trace.
#[derive(Clone)]
pub struct Follow {
    /// All that can be seen; each agent is in one of its possible processes.
    state: State,
    /// By agent.
    processes: Vec<BTreeSet<Rc<Term>>>,
}

impl Follow {
    /// Everything that an initial state may be.
    pub fn start(oracle: &Interpreter<'_>, state: State) -> Follow {
        let agents = 0..oracle.model().agents();
        Follow { state, processes: agents.map(|agent| oracle.starts(agent).into_iter().collect()).collect() }
    }

    /// A state that looks as all possible ones do.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// All possible steps of an agent.
    pub fn steps_of(&self, oracle: &Interpreter<'_>, agent: u32) -> Vec<Step> {
        self.processes[agent as usize].iter().flat_map(|p| self.steps_as(oracle, agent, p)).collect()
    }

    /// What an agent can do, for each process that it may be in.
    pub fn ways_of(&self, oracle: &Interpreter<'_>, agent: u32) -> Vec<Vec<Label>> {
        let labels = |process| self.steps_as(oracle, agent, process).into_iter().map(|(label, _)| label);
        self.processes[agent as usize].iter().map(|process| labels(process).collect()).collect()
    }

    /// All possible steps, one agent's after the other: together they may be as many as agents, each with a state of all of them.
    pub fn steps<'a>(&'a self, oracle: &'a Interpreter<'_>) -> impl Iterator<Item = Step> + 'a {
        (0..oracle.model().agents()).flat_map(|agent| self.steps_of(oracle, agent))
    }

    /// The steps of an agent if this is its process.
    fn steps_as(&self, oracle: &Interpreter<'_>, agent: u32, process: &Rc<Term>) -> Vec<Step> {
        if self.state.agents[agent as usize].process == *process {
            return oracle.steps_of(&self.state, agent);
        }
        let mut state = self.state.clone();
        state.agents[agent as usize].process = process.clone();
        oracle.steps_of(&state, agent)
    }

    /// What is known when a step of an agent has led to one of these states, which look alike. Only an action tells
    /// something about the agent's process.
    pub fn after(&self, agent: u32, action: bool, reached: Vec<State>) -> Option<Follow> {
        let mut processes = self.processes.clone();
        if action {
            let own = |state: &State| state.agents[agent as usize].process.clone();
            processes[agent as usize] = reached.iter().map(own).collect();
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
        self.steps(oracle).next().is_none()
    }

    /// Whether no step is possible in at least one of the states this may be.
    pub fn may_be_stuck(&self, oracle: &Interpreter<'_>) -> bool {
        let stuck = |agent: u32| {
            self.processes[agent as usize].iter().any(|p| self.steps_as(oracle, agent, p).is_empty())
        };
        (0..oracle.model().agents()).all(stuck)
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
