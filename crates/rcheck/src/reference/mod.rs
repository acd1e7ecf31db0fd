//! Definitions 1, 2 and 4 executed literally on states: slow, obvious, and independent of the emulation program.
//!
//! The relation ρ of definition 2 is a disjunction over senders of a conjunction over all other agents; for each of these
//! the set of its possible next states is built, one line per disjunct, and all combinations are the successors.

mod blocked;
mod eval;
mod explain;
mod looked;

pub use blocked::{Block, Blocked};
pub use explain::{Explained, Refusal, Values};
pub use looked::Looked;

use crate::automaton::{Automaton, Edge, automaton};
use crate::model::{Act, BROADCAST, Command, Expr, From, Specification};
use eval::{Message, View};

/// The state of one agent: where it is in its structure automaton, and its local variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Local {
    /// `st`.
    pub state: u32,
    /// V.
    pub values: Vec<i64>,
}

/// A state of the system.
pub type State = Vec<Local>;

/// A step of the system.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    /// Who sends or asks.
    pub agent: usize,
    pub command: usize,
    /// Who received or supplied, and with which command.
    pub received: Vec<(usize, usize)>,
    /// Which observations the message satisfies.
    pub observed: Vec<bool>,
    pub after: State,
}

/// A moment of an execution: what conditions of specifications are evaluated on.
pub struct Moment<'a> {
    pub state: &'a State,
    /// Who received or supplied in the step just made, and with which command.
    pub received: &'a [(usize, usize)],
    /// Who sends or asks in the step that leaves the state, and with which command; nobody in a system that rests.
    pub next: Option<(usize, usize)>,
}

/// A system whose steps can be computed.
pub struct Interpreter<'s> {
    spec: &'s Specification,
    automata: Vec<Automaton>,
}

/// The next states that an agent may have, each with the command it receives with, if it does.
type Options = Vec<(Local, Option<usize>)>;

impl<'s> Interpreter<'s> {
    pub fn new(spec: &'s Specification) -> Interpreter<'s> {
        Interpreter { spec, automata: spec.agents.iter().map(automaton).collect() }
    }

    pub fn spec(&self) -> &'s Specification {
        self.spec
    }

    fn edges(&self, agent: usize) -> impl Iterator<Item = (Edge, &'s Command)> {
        let of = self.spec.instances[agent].agent;
        self.automata[of].edges.iter().map(move |edge| (*edge, &self.spec.agents[of].commands[edge.command]))
    }

    /// The states that satisfy θ. Integers without bounds take the constants that θ mentions: the checker has made sure
    /// that it fixes them.
    pub fn initial(&self) -> Vec<State> {
        let mut out: Vec<State> = vec![vec![]];
        for agent in 0..self.spec.instances.len() {
            let conditions = self.spec.initially(agent);
            let mut locals = vec![vec![]];
            for variable in &self.spec.agent_of(agent).locals {
                let candidates: Vec<i64> = match self.spec.domain(variable.ty) {
                    Some((low, high)) => (low..=high).collect(),
                    None => constants(&conditions),
                };
                let longer = |known: &Vec<i64>| {
                    let known = known.clone();
                    candidates.iter().map(move |v| [known.as_slice(), &[*v]].concat()).collect::<Vec<_>>()
                };
                locals = locals.iter().flat_map(longer).collect();
            }
            let holds = |values: &Vec<i64>| {
                let view = View { spec: self.spec, me: agent, values, message: None, properties: None };
                conditions.iter().all(|e| view.holds(e))
            };
            locals.retain(holds);
            let all = out.iter().flat_map(|state| {
                let with = |values: &Vec<i64>| {
                    let mut state = state.clone();
                    state.push(Local { state: 0, values: values.clone() });
                    state
                };
                locals.iter().map(with).collect::<Vec<_>>()
            });
            out = all.collect();
        }
        out
    }

    /// Whether a state satisfies θ.
    pub fn is_initial(&self, state: &State) -> bool {
        let fits = |agent: usize| {
            let values = &state[agent].values;
            let locals = &self.spec.agent_of(agent).locals;
            let view = View { spec: self.spec, me: agent, values, message: None, properties: None };
            state[agent].state == 0
                && values.len() == locals.len()
                && values.iter().zip(locals).all(|(value, v)| self.in_domain(v.ty, *value).is_some())
                && self.spec.initially(agent).iter().all(|e| view.holds(e))
        };
        state.len() == self.spec.instances.len() && (0..state.len()).all(fits)
    }

    /// All steps from a state.
    pub fn steps(&self, state: &State) -> Vec<Step> {
        let mut out = vec![];
        for agent in 0..state.len() {
            for (edge, command) in self.edges(agent) {
                match &command.act {
                    Act::Send { channel, target, .. } => {
                        out.extend(self.sends(state, agent, edge, command, channel, target));
                    }
                    Act::Get { from, .. } => out.extend(self.gets(state, agent, edge, command, from)),
                    Act::Receive { .. } | Act::Supply { .. } => {}
                }
            }
        }
        out.sort();
        out.dedup();
        out
    }

    fn view<'a>(&'a self, state: &'a State, me: usize, message: Option<&'a Message<'a>>) -> View<'a> {
        View { spec: self.spec, me, values: &state[me].values, message, properties: None }
    }

    /// One disjunct of ρ: agent k sends.
    fn sends(
        &self,
        state: &State,
        k: usize,
        edge: Edge,
        command: &Command,
        channel: &Expr,
        target: &Expr,
    ) -> Vec<Step> {
        let own = self.view(state, k, None);
        let Some(data) = self.data(&own, command) else { return vec![] };
        let Some(channel) = own.value(channel) else { return vec![] };
        let message = Message {
            channel: Some(channel),
            data,
            from: k,
            sender_values: &state[k].values,
            target,
            supplier: None,
        };
        let Some(sent) = self.taken(state, k, edge, command, None) else { return vec![] };
        let mut ways: Vec<(State, Vec<(usize, usize)>)> = vec![(vec![], vec![])];
        for j in 0..state.len() {
            let options =
                if j == k { vec![(sent.clone(), None)] } else { self.reactions(state, j, &message) };
            let combine = |(known, received): &(State, Vec<(usize, usize)>)| {
                let one = |(local, with): &(Local, Option<usize>)| {
                    let mut known = known.clone();
                    known.push(local.clone());
                    let more = with.map(|command| (j, command));
                    (known, received.iter().copied().chain(more).collect())
                };
                options.iter().map(one).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(combine).collect();
        }
        let step = |(after, received)| Step {
            agent: k,
            command: edge.command,
            received,
            observed: self.observed(state, &message, &after),
            after,
        };
        ways.into_iter().map(step).collect()
    }

    /// What definition 2 allows an agent j other than the sender, a line for each disjunct.
    fn reactions(&self, state: &State, j: usize, message: &Message<'_>) -> Options {
        let broadcast = message.channel == Some(BROADCAST);
        let view = self.view(state, j, Some(message));
        let connected = broadcast || view.holds(&self.spec.agent_of(j).receive_guard);
        let meant = message.admits(self.spec, j, &state[j].values);
        let idle = || vec![(state[j].clone(), None)];
        let mut out = vec![];
        // ∃PV.fⱼ stands before all disjuncts.
        if !eval::is_relabelled(self.spec, j, &state[j].values) {
            return out;
        }
        if connected && meant {
            out.extend(self.received(state, j, message));
        }
        if !connected {
            out.extend(idle());
        }
        if !meant && broadcast {
            out.extend(idle());
        }
        // Broadcast is input-enabled (definition 1): who has no receive stays as it is.
        if connected && meant && broadcast && out.is_empty() {
            out.extend(idle());
        }
        out
    }

    /// 𝒯ʳ: the next states by receive transitions.
    fn received(&self, state: &State, j: usize, message: &Message<'_>) -> Options {
        let mut out = vec![];
        for (edge, command) in self.edges(j) {
            let Act::Receive { channel } = &command.act else { continue };
            if self.view(state, j, None).value(channel) != message.channel {
                continue;
            }
            if let Some(after) = self.taken(state, j, edge, command, Some(message)) {
                out.push((after, Some(edge.command)));
            }
        }
        out
    }

    /// The state of an agent after a command, if it can be taken: `st` is right, Φ holds, everything that is read has a
    /// value, and every new value lies in the domain of its variable.
    fn taken(
        &self,
        state: &State,
        agent: usize,
        edge: Edge,
        command: &Command,
        message: Option<&Message<'_>>,
    ) -> Option<Local> {
        let view = self.view(state, agent, message);
        let unset = |at: &usize| message.is_none_or(|m| m.data[*at].is_none());
        if state[agent].state != edge.from || command.reads().iter().any(unset) || !view.holds(&command.guard)
        {
            return None;
        }
        let locals = &self.spec.agent_of(agent).locals;
        let mut values = state[agent].values.clone();
        for (at, e) in &command.update {
            values[*at] = self.in_domain(locals[*at].ty, view.value(e)?)?;
        }
        Some(Local { state: edge.to, values })
    }

    fn in_domain(&self, ty: crate::model::Type, value: i64) -> Option<i64> {
        let domain = self.spec.domain(ty);
        domain.is_none_or(|(low, high)| (low..=high).contains(&value)).then_some(value)
    }

    /// d: the values of message variables, `None` for those that are not set. There is no message if a value does not lie
    /// in its domain.
    fn data(&self, own: &View<'_>, command: &Command) -> Option<Vec<Option<i64>>> {
        let mut data = vec![None; self.spec.messages.len()];
        for (at, e) in command.data() {
            data[*at] = Some(self.in_domain(self.spec.messages[*at].ty, own.value(e)?)?);
        }
        Some(data)
    }

    /// One agent asks, another one answers.
    fn gets(&self, state: &State, k: usize, edge: Edge, command: &Command, from: &From) -> Vec<Step> {
        static ANYBODY: Expr = Expr::Value(1);
        let mut out = vec![];
        let target = if let From::Predicate(predicate) = from { predicate } else { &ANYBODY };
        let own = self.view(state, k, None);
        let Some(asked) = self.data(&own, command) else { return out };
        for j in (0..state.len()).filter(|j| *j != k) {
            for (other, supply) in self.edges(j) {
                let Act::Supply { at, .. } = &supply.act else { continue };
                let theirs = self.view(state, j, None);
                let Some(answered) = self.data(&theirs, supply) else { continue };
                let message = |data: Vec<Option<i64>>| Message {
                    channel: None,
                    data,
                    from: k,
                    sender_values: &state[k].values,
                    target,
                    supplier: Some(j),
                };
                let fits = match (from, at) {
                    (From::Location(place), Some(at)) => own.value(place) == theirs.value(at),
                    (From::Location(place), None) => own.value(place) == Some(j as i64),
                    (From::Predicate(_), Some(_)) => false,
                    (From::Predicate(_), None) => message(vec![]).admits(self.spec, j, &state[j].values),
                };
                if !fits {
                    continue;
                }
                let both = answered.iter().zip(&asked).map(|(a, b)| a.or(*b)).collect();
                let (mine, yours) = (message(answered), message(asked.clone()));
                let getter = self.taken(state, k, edge, command, Some(&mine));
                let supplier = self.taken(state, j, other, supply, Some(&yours));
                let (Some(getter), Some(supplier)) = (getter, supplier) else { continue };
                let mut after = state.clone();
                after[k] = getter;
                after[j] = supplier;
                let observed = self.observed(state, &message(both), &after);
                let received = vec![(j, other.command)];
                out.push(Step { agent: k, command: edge.command, received, observed, after });
            }
        }
        out
    }

    fn observed(&self, state: &State, message: &Message<'_>, after: &State) -> Vec<bool> {
        let view = self.view(state, message.from, Some(message));
        let seen = |observation: &Expr| match observation {
            Expr::Changed => state != after,
            of_message => view.holds(of_message),
        };
        self.spec.observations.iter().map(seen).collect()
    }

    /// A condition of a specification at a moment of an execution.
    pub fn holds(&self, moment: &Moment<'_>, e: &Expr) -> bool {
        self.asked(moment, e) == Some(1)
    }

    fn asked(&self, moment: &Moment<'_>, e: &Expr) -> Option<i64> {
        match e {
            Expr::Of(agent, at) => Some(moment.state[*agent].values[*at]),
            Expr::State(agent) => Some(i64::from(moment.state[*agent].state)),
            // Section 6.1: the predicate of a send has primed variables, so it speaks of the step that is taken. That of a
            // receive is evaluated by the tool after the step.
            Expr::Label(agent, command) => {
                let named = (*agent, *command);
                Some(i64::from(match self.spec.agent_of(*agent).commands[*command].act {
                    Act::Receive { .. } | Act::Supply { .. } => moment.received.contains(&named),
                    Act::Send { .. } | Act::Get { .. } => moment.next == Some(named),
                }))
            }
            Expr::Enabled(agent, command) => {
                let steps = self.steps(moment.state);
                Some(i64::from(steps.iter().any(|s| s.agent == *agent && s.command == *command)))
            }
            Expr::Not(inner) => Some(i64::from(self.asked(moment, inner) != Some(1))),
            Expr::Negative(inner) => self.asked(moment, inner)?.checked_neg(),
            Expr::Binary(op, a, b, _) => eval::binary(*op, self.asked(moment, a), self.asked(moment, b)),
            Expr::Value(value) => Some(*value),
            _ => None,
        }
    }
}

fn constants(conditions: &[&Expr]) -> Vec<i64> {
    let mut out = vec![];
    for e in conditions {
        e.walk(&mut |e| {
            if let Expr::Value(value) = e
                && !out.contains(value)
            {
                out.push(*value);
            }
        });
    }
    out
}
