//! What has to be known of a program to print its traces: who the agents are, and what variables look like. It is plain
//! data, so whoever has a trace and a legend needs no program.

use super::data::WriteData;
use serde::{Deserialize, Serialize};
use swarmcheck_ir::Program;
use swarmcheck_ir::program::Role;

/// Names for everything that occurs in traces.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Legend {
    /// The kinds of agents, in the order of the agents.
    pub kinds: Vec<KindData>,
    /// The variables that traces mention.
    pub variables: Vec<VariableData>,
}

/// A kind of agents, whose numbers follow each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindData {
    /// Its name.
    pub name: String,
    /// The number of its first agent.
    pub first: u32,
    /// How many agents are of this kind.
    pub count: u32,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariableData {
    /// Its name. No other variable in traces has it.
    pub name: String,
    /// How an assignment to it is written: `<-`, `<--`, `<~` or `:=`.
    pub arrow: String,
    /// The sizes of an array; empty for a single cell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<u32>,
}

impl Legend {
    /// The legend of a program.
    pub fn new(program: &Program) -> Legend {
        let kinds = program.kinds.iter();
        let variables = program.vars.iter().filter_map(|var| match var.role {
            Role::Data { arrow, .. } => Some(VariableData {
                name: var.name.clone(),
                arrow: arrow.to_string(),
                dimensions: var.dimensions.clone(),
            }),
            _ => None,
        });
        Legend {
            kinds: kinds.map(|k| KindData { name: k.name.clone(), first: k.first, count: k.count }).collect(),
            variables: variables.collect(),
        }
    }

    /// `Bird 3`. An agent that does not exist has no kind, but still a number.
    pub fn agent_name(&self, agent: u32) -> String {
        format!("{} {agent}", self.kind_name(agent))
    }

    /// The name of an agent's kind.
    pub fn kind_name(&self, agent: u32) -> &str {
        let own = |k: &&KindData| agent.checked_sub(k.first).is_some_and(|place| place < k.count);
        self.kinds.iter().find(own).map_or("agent", |k| k.name.as_str())
    }

    /// The sizes of an array; nothing for a single cell.
    pub fn sizes(&self, variable: &str) -> &[u32] {
        self.variable(variable).map_or(&[], |v| &v.dimensions)
    }

    /// `x`, `fork[2]`, `ph[1][3]`: a cell by its variable and its place.
    pub fn indexed_name(&self, variable: &str, index: Option<u32>) -> String {
        swarmcheck_ir::cells::indexed(variable, self.sizes(variable), index.unwrap_or(0))
    }

    fn variable(&self, name: &str) -> Option<&VariableData> {
        self.variables.iter().find(|v| v.name == name)
    }

    /// How an assignment to a variable is written.
    pub fn arrow(&self, variable: &str) -> &str {
        self.variable(variable).map_or(":=", |v| v.arrow.as_str())
    }

    /// `x`, `fork[2]`, `ph[1][3]`: a cell as the user would write it.
    pub fn cell_name(&self, write: &WriteData) -> String {
        self.indexed_name(&write.variable, write.index)
    }
}
