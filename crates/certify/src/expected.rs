//! What a trace says of the states it goes through, to be compared with those of the rules.

use std::collections::{HashMap, HashSet};
use swarmcheck_engine::trace::data::{StepData, WriteData};
use swarmcheck_labs::model::{Class, KindId, Model, TupleId, VarId};
use swarmcheck_reference::{Interpreter, Observation, State, Value};

const VALUES: &str = "the values differ from those the rules give";

/// What the trace says the state is, cell by cell.
pub(crate) struct Expected<'m> {
    model: &'m Model,
    /// Where the cells of each agent begin in `values`: the order is that of [`Observation`].
    agents: Vec<usize>,
    /// Where the cells of a variable begin among those of an agent of this kind, or of the environment.
    first: HashMap<(Option<KindId>, VarId), usize>,
    pub(crate) values: Vec<Value>,
    /// The agents' tuples in the order of [`Observation::ranks`], and where each is.
    tuples: Vec<(u32, TupleId)>,
    places: HashMap<(u32, TupleId), usize>,
    times: Vec<i64>,
    variables: HashMap<&'m str, VarId>,
}

impl<'m> Expected<'m> {
    pub(crate) fn new(model: &'m Model) -> Expected<'m> {
        let mut variables = HashMap::new();
        for (number, variable) in (0..).zip(&model.variables) {
            variables.entry(variable.name.as_str()).or_insert(VarId(number));
        }
        let mut out = Expected {
            model,
            agents: vec![],
            first: HashMap::new(),
            values: vec![],
            tuples: vec![],
            places: HashMap::new(),
            times: vec![],
            variables,
        };
        for (var, _) in &model.environment {
            out.add(None, *var);
        }
        for agent in 0..model.agents() {
            let id = model.kind_of(agent);
            let kind = model.kind(id);
            out.agents.push(out.values.len());
            for (var, _) in &kind.attributes {
                out.add(Some(id), *var);
            }
            for tuple in kind.stigmergies.iter().flat_map(|s| &model.stigmergy(*s).tuples) {
                out.places.insert((agent, *tuple), out.tuples.len());
                out.tuples.push((agent, *tuple));
                out.times.push(i64::from(agent));
                for (var, _) in &model.tuple(*tuple).variables {
                    out.add(Some(id), *var);
                }
            }
        }
        out
    }

    fn add(&mut self, kind: Option<KindId>, var: VarId) {
        let begin = kind.and(self.agents.last().copied()).unwrap_or(0);
        self.first.insert((kind, var), self.values.len() - begin);
        self.values.extend((0..self.model.variable(var).cells()).map(|_| None));
    }

    /// Where the cells of a variable begin, of this agent or of the environment.
    fn begin(&self, owner: Option<u32>, var: VarId) -> Option<usize> {
        match owner {
            None => self.first.get(&(None, var)).copied(),
            Some(agent) => {
                let begin = self.agents.get(agent as usize)?;
                Some(begin + self.first.get(&(Some(self.model.kind_of(agent)), var))?)
            }
        }
    }

    pub(crate) fn apply(&mut self, writes: &[WriteData]) -> Result<(), String> {
        for write in writes {
            let name = &write.variable;
            let var =
                *self.variables.get(name.as_str()).ok_or_else(|| format!("there is no variable {name:?}"))?;
            let class = self.model.variable(var).class;
            let owner = if class == Class::Environment { None } else { write.agent };
            let first = self.begin(owner, var).ok_or_else(|| format!("no agent has {name:?} there"))?;
            let index = write.index.unwrap_or(0) as usize;
            let scalar = self.model.variable(var).dimensions.is_empty();
            if index >= self.model.variable(var).cells() || write.index.is_none() != scalar {
                return Err(format!("{name:?} has no cell {index}"));
            }
            self.values[first + index] = write.value;
            if let (Class::Stigmergic(tuple), Some(agent), Some(time)) = (class, owner, write.timestamp) {
                let at = self.places.get(&(agent, tuple));
                self.times[*at.ok_or_else(|| format!("no agent has {name:?} there"))?] = time;
            }
        }
        Ok(())
    }

    /// The cells of a variable, in an agent's copy if it is not one of the environment.
    pub(crate) fn cells(&self, agent: u32, var: VarId) -> &[Value] {
        let variable = self.model.variable(var);
        let owner = (variable.class != Class::Environment).then_some(agent);
        let first = self.begin(owner, var);
        first.map_or(&[], |first| &self.values[first..first + variable.cells()])
    }

    /// Whether what a step leads to looks as the trace says. The state before was compared already. So only the agents are
    /// compared that the step has changed or that the trace assigns to.
    pub(crate) fn fits(
        &self,
        oracle: &Interpreter<'_>,
        before: &State,
        after: &State,
        step: &StepData,
    ) -> Result<(), String> {
        let changed = before.agents.changed_in(&after.agents).map(|agent| agent as u32);
        let known = |agent: &u32| *agent < self.model.agents();
        let assigned = step.writes.iter().filter_map(|write| write.agent).filter(known);
        if !changed.chain(assigned).chain([step.agent]).all(|agent| self.own(after, agent)) {
            return Err(VALUES.to_string());
        }
        if self.tuples.is_empty() && step.pending.is_empty() {
            return Ok(());
        }
        let seen = oracle.observe(after);
        self.matches(&seen).and_then(|()| self.pending_matches(&seen, step))
    }

    /// Whether the environment and what an agent holds are as the trace says.
    fn own(&self, state: &State, agent: u32) -> bool {
        let kind = self.model.kind(self.model.kind_of(agent));
        let tuples = kind.stigmergies.iter().flat_map(|s| &self.model.stigmergy(*s).tuples);
        let stored = tuples.flat_map(|tuple| &self.model.tuple(*tuple).variables);
        let all = self.model.environment.iter().chain(&kind.attributes).chain(stored);
        all.into_iter().all(|(var, _)| {
            let cells = state.cells(self.model, Some(agent), *var);
            cells.is_some_and(|cells| *cells == self.cells(agent, *var))
        })
    }

    /// Values must be the same, and the order of timestamps.
    pub(crate) fn matches(&self, seen: &Observation) -> Result<(), String> {
        if seen.values != self.values {
            return Err(VALUES.to_string());
        }
        let ranks = self.ranks();
        if seen.ranks != ranks {
            return Err("the timestamps are in another order than the rules give".to_string());
        }
        Ok(())
    }

    /// Dense ranks of the timestamps, tuple by tuple.
    fn ranks(&self) -> Vec<u32> {
        let mut times: HashMap<TupleId, Vec<i64>> = HashMap::new();
        for ((_, tuple), time) in self.tuples.iter().zip(&self.times) {
            times.entry(*tuple).or_default().push(*time);
        }
        for list in times.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        let rank = |tuple: &TupleId, time: &i64| times[tuple].partition_point(|t| t < time) as u32;
        self.tuples.iter().zip(&self.times).map(|((_, tuple), time)| rank(tuple, time)).collect()
    }

    /// What waits to be sent must be the same too.
    fn pending_matches(&self, seen: &Observation, step: &StepData) -> Result<(), String> {
        let all = step.pending.iter().flat_map(|p| p.messages.iter().map(|m| (p.agent, m.as_str())));
        let all: HashSet<(u32, &str)> = all.collect();
        let claimed = |agent: u32, message: &str| !all.is_empty() && all.contains(&(agent, message));
        let names: HashMap<TupleId, [String; 2]> = self
            .tuples
            .iter()
            .map(|(_, tuple)| *tuple)
            .collect::<HashSet<TupleId>>()
            .into_iter()
            .map(|tuple| {
                (
                    tuple,
                    ["confirm", "propagate"].map(|rule| format!("{rule}.{}", self.model.tuple_name(tuple))),
                )
            })
            .collect();
        let mut claims: usize = step.pending.iter().map(|p| p.messages.len()).sum();
        for (i, (agent, tuple)) in self.tuples.iter().enumerate() {
            claims = claims.saturating_sub(usize::from(seen.confirm[i]) + usize::from(seen.propagate[i]));
            let [confirm, propagate] = &names[tuple];
            let fits = claimed(*agent, confirm) == seen.confirm[i]
                && claimed(*agent, propagate) == seen.propagate[i];
            if !fits {
                let name = self.model.tuple_name(*tuple);
                return Err(format!("agent {agent} has other messages of {name:?} to send"));
            }
        }
        if claims > 0 {
            return Err("the trace names messages that no agent has to send".to_string());
        }
        Ok(())
    }
}
