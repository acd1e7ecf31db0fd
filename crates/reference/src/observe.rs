//! Observations: the data part of a state in a fixed order, for comparison with other implementations.
//!
//! What is missing is the control part, which every implementation represents in its own way.

use crate::Interpreter;
use crate::state::State;
use crate::value::Value;

/// The data part of a state.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Observation {
    /// The environment's variables in the model's order, then for each agent its attributes and the variables of its
    /// tuples in the order of declaration. All cells, row-major.
    pub values: Vec<Value>,
    /// For each agent and each of its tuples, the rank of its timestamp among the agents: 0 is the oldest.
    pub ranks: Vec<u32>,
    /// For each agent and each of its tuples, whether it is to be confirmed.
    pub confirm: Vec<bool>,
    /// For each agent and each of its tuples, whether it is to be propagated.
    pub propagate: Vec<bool>,
    /// Whose turn it is; 0 when not round-robin.
    pub turn: u32,
}

impl Interpreter<'_> {
    /// The data part of a state.
    pub fn observe(&self, state: &State) -> Observation {
        let mut values = vec![];
        let (mut ranks, mut confirm, mut propagate) = (vec![], vec![], vec![]);
        for (var, _) in &self.model.environment {
            values.extend(&state.env[var]);
        }
        let times = state.times();
        for (id, agent) in state.agents.iter().enumerate() {
            let kind = self.model.kind(self.model.kind_of(id as u32));
            for (var, _) in &kind.attributes {
                values.extend(&agent.interface[var]);
            }
            for &tuple in kind.stigmergies.iter().flat_map(|s| &self.model.stigmergy(*s).tuples) {
                for (var, _) in &self.model.tuple(tuple).variables {
                    values.extend(&agent.stigmergy[&tuple].values[var]);
                }
                ranks.push(times.rank(tuple, agent.time(tuple)));
                confirm.push(agent.zc.contains(&tuple));
                propagate.push(agent.zp.contains(&tuple));
            }
        }
        Observation { values, ranks, confirm, propagate, turn: state.turn }
    }
}
