//! Replays traces on the reference semantics. No engine is used here: whatever an engine claims is checked against
//! the rules themselves.
//!
//! A trace is accepted if its initial values are allowed by the initialisers and assumptions, and each step is a step
//! of the rules: the same agent, the same action or message, and exactly the same new values and order of
//! timestamps. Where a trace does not say which of several identical-looking process states it means, all of them
//! are followed. [`labels`] does the same for calculi, whose steps are their labels, and [`recipe`] for R-CHECK.

mod claim;
mod fair;
mod follow;
mod formula;
pub mod labels;
pub mod recipe;

pub use claim::{Claim, Confirmed, violated};

use follow::Follow;
use std::collections::{HashMap, HashSet};
use swarmcheck_engine::trace::data::{FORMAT, PropertyData, StepData, TraceData, VERSION, WriteData};
use swarmcheck_labs::model::{Class, Modality, Model, TupleId, VarId};
use swarmcheck_reference::{Choice, Interpreter, Label, ModelError, Observation, Options, Semantics, State};
use swarmcheck_source::SourceFile;

/// A trace that was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// The number of steps.
    pub steps: usize,
    /// Whether the last state is a deadlock.
    pub deadlock: bool,
}

/// Why a trace was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The step, counted from 1; `None` if the trace is wrong before its first step.
    pub step: Option<usize>,
    /// What does not fit.
    pub why: String,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.step {
            Some(step) => write!(f, "step {step}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

/// Replays a trace of a model. `file` is the model's text, for the places of actions.
pub fn replay(model: &Model, file: &SourceFile, trace: &TraceData) -> Result<Replayed, Refused> {
    let mut fair = fair::Loop::new(trace, trace.fairness);
    let replayed = replay_seeing(model, file, trace, &mut |oracle, now| fair.see(oracle, now))?;
    fair.check()?;
    Ok(replayed)
}

/// Replays a trace and shows every state on the way.
fn replay_seeing(
    model: &Model,
    file: &SourceFile,
    trace: &TraceData,
    see: &mut dyn FnMut(&Interpreter<'_>, &Follow),
) -> Result<Replayed, Refused> {
    let before = |why: String| Refused { step: None, why };
    if trace.format != FORMAT || trace.version != VERSION {
        return Err(before(format!("not a {FORMAT} of version {VERSION}")));
    }
    let semantics = match trace.semantics.as_str() {
        "sliver" => Semantics::Sliver,
        "paper" => Semantics::Paper,
        other => return Err(before(format!("unknown semantics {other:?}"))),
    };
    let choice = match trace.choice.as_str() {
        "late" => Choice::Late,
        "early" => Choice::Early,
        other => return Err(before(format!("unknown choice {other:?}"))),
    };
    let oracle = Interpreter::new(model, Options { fair: trace.fair, semantics, choice, sync: trace.sync });
    let mut expected = Expected::new(model);
    expected.apply(&trace.initial).map_err(before)?;
    let initial = oracle
        .initial_from(&expected.values)
        .map_err(|e| before(e.to_string()))?
        .ok_or_else(|| before("the first values are not those of an initial state".to_string()))?;
    expected.matches(&oracle.observe(&initial)).map_err(before)?;
    properties(&oracle, &initial, &trace.properties).map_err(before)?;
    let mut now = Follow::start(&oracle, initial);
    see(&oracle, &now);
    let mut looped = trace.loop_start.filter(|&at| at == 0 && !trace.steps.is_empty()).map(|_| now.clone());
    for (i, step) in trace.steps.iter().enumerate() {
        let at = |why: String| Refused { step: Some(i + 1), why };
        expected.apply(&step.writes).map_err(at)?;
        now = advance(model, file, &oracle, &now, step, &expected).map_err(at)?;
        properties(&oracle, now.state(), &step.properties).map_err(at)?;
        see(&oracle, &now);
        if trace.loop_start == Some(i + 1) && i + 1 < trace.steps.len() {
            looped = Some(now.clone());
        }
    }
    let at_end = |why: &str| Refused { step: Some(trace.steps.len()), why: why.to_string() };
    if trace.loop_start.is_some() && !looped.is_some_and(|back| back.may_be(&now)) {
        return Err(at_end("the trace claims to loop, but its last state is not the one it loops to"));
    }
    let deadlock = match trace.end.as_str() {
        "open" => now.is_stuck(&oracle),
        "deadlock" if now.may_be_stuck(&oracle) => true,
        "deadlock" => return Err(at_end("the trace claims a deadlock, but a step is possible")),
        end if end.starts_with("model error: ") => {
            // The rules must run into an error at the place that the trace names.
            let meets = |error: &ModelError| end.ends_with(&format!(":{}", file.position(error.span)));
            let in_step = now.steps(&oracle).any(|(_, result)| result.is_err_and(|error| meets(&error)));
            let in_property =
                model.properties.iter().flat_map(claim::conditions).any(|condition| {
                    oracle.satisfies(now.state(), condition).is_err_and(|error| meets(&error))
                });
            if !in_step && !in_property {
                return Err(at_end("the trace claims a model error that the rules do not meet"));
            }
            false
        }
        _ => return Err(at_end("a trace ends open, in a deadlock or in a model error")),
    };
    Ok(Replayed { steps: trace.steps.len(), deadlock })
}

/// Whether the predicates are as the trace says.
fn properties(oracle: &Interpreter<'_>, state: &State, claims: &[PropertyData]) -> Result<(), String> {
    for claim in claims {
        let property = oracle.model().properties.iter().find(|p| p.name == claim.name);
        let property = property.ok_or_else(|| format!("there is no property {:?}", claim.name))?;
        let holds = match &property.modality {
            // Of a formula it is told at most whether p of G p holds; where that cannot be seen, it does not matter.
            Modality::Linear(formula) => formula::holds_now(oracle, state, formula).unwrap_or(claim.holds),
            _ => oracle.satisfies(state, &property.predicate).unwrap_or(!claim.holds),
        };
        if holds != claim.holds {
            return Err(format!("property {:?} is not {} here", claim.name, claim.holds));
        }
    }
    Ok(())
}

/// What a step of the rules can lead to and looks as the trace says.
fn advance(
    model: &Model,
    file: &SourceFile,
    oracle: &Interpreter<'_>,
    now: &Follow,
    step: &StepData,
    expected: &Expected<'_>,
) -> Result<Follow, String> {
    let known = (step.agent < model.agents()).then(|| &model.kind(model.kind_of(step.agent)).name);
    if known != Some(&step.kind) {
        return Err(format!("agent {} is not a {}", step.agent, step.kind));
    }
    let mut next: Vec<State> = vec![];
    let mut named = false;
    let mut difference = None;
    for (label, result) in now.steps_of(oracle, step.agent) {
        if !is_named(model, file, &label, step) {
            continue;
        }
        named = true;
        let Ok(candidate) = result else { continue };
        let seen = oracle.observe(&candidate);
        match expected.matches(&seen).and_then(|()| expected.pending_matches(&seen, step)) {
            Ok(()) => next.push(candidate),
            Err(why) => difference = Some(why),
        }
    }
    if let Some(next) = now.after(step.agent, step.rule == "action", next) {
        return Ok(next);
    }
    let who = format!("{} {}", step.kind, step.agent);
    Err(match (named, difference) {
        (true, Some(why)) => format!("{who}: {} {}: {why}", step.rule, step.what),
        _ => format!("{who} cannot do {} {:?} here", step.rule, step.what),
    })
}

/// Whether a step of the rules is the one the trace names.
fn is_named(model: &Model, file: &SourceFile, label: &Label, step: &StepData) -> bool {
    match label {
        Label::Action { agent, action } => {
            let action = model.action(*action);
            step.rule == "action"
                && *agent == step.agent
                && step.at.as_deref() == Some(&file.position(action.span))
                && step.what == action.words(file.text())
        }
        Label::Propagate { agent, tuple } => {
            step.rule == "propagate" && *agent == step.agent && model.tuple_name(*tuple) == step.what
        }
        Label::Confirm { agent, tuple } => {
            step.rule == "confirm" && *agent == step.agent && model.tuple_name(*tuple) == step.what
        }
    }
}

/// What the trace says the state is, cell by cell.
struct Expected<'m> {
    model: &'m Model,
    /// Where the cells of a variable begin in `values`: the order is that of [`Observation`].
    first: HashMap<(Option<u32>, VarId), usize>,
    values: Vec<Option<i64>>,
    /// The agents' tuples in the order of [`Observation::ranks`], and where each is.
    tuples: Vec<(u32, TupleId)>,
    places: HashMap<(u32, TupleId), usize>,
    times: Vec<i64>,
    variables: HashMap<&'m str, VarId>,
}

impl<'m> Expected<'m> {
    fn new(model: &'m Model) -> Expected<'m> {
        let mut variables = HashMap::new();
        for (number, variable) in (0..).zip(&model.variables) {
            variables.entry(variable.name.as_str()).or_insert(VarId(number));
        }
        let mut out = Expected {
            model,
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
            let kind = model.kind(model.kind_of(agent));
            for (var, _) in &kind.attributes {
                out.add(Some(agent), *var);
            }
            for tuple in kind.stigmergies.iter().flat_map(|s| &model.stigmergy(*s).tuples) {
                out.places.insert((agent, *tuple), out.tuples.len());
                out.tuples.push((agent, *tuple));
                out.times.push(i64::from(agent));
                for (var, _) in &model.tuple(*tuple).variables {
                    out.add(Some(agent), *var);
                }
            }
        }
        out
    }

    fn add(&mut self, agent: Option<u32>, var: VarId) {
        self.first.insert((agent, var), self.values.len());
        self.values.extend((0..self.model.variable(var).cells()).map(|_| None));
    }

    fn apply(&mut self, writes: &[WriteData]) -> Result<(), String> {
        for write in writes {
            let name = &write.variable;
            let var =
                *self.variables.get(name.as_str()).ok_or_else(|| format!("there is no variable {name:?}"))?;
            let class = self.model.variable(var).class;
            let owner = if class == Class::Environment { None } else { write.agent };
            let first =
                self.first.get(&(owner, var)).ok_or_else(|| format!("no agent has {name:?} there"))?;
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

    /// Values must be the same, and the order of timestamps.
    fn matches(&self, seen: &Observation) -> Result<(), String> {
        if seen.values != self.values {
            return Err("the values differ from those the rules give".to_string());
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
