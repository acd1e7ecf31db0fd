//! A step in detail: the message, who took part in it with which command, and who was asked in vain.
//!
//! Definition 2 gives every agent other than the sender a set of possible next states, independently of the others. So a
//! step is told by the sender's command and, for each agent that has several ways to react, which of them it takes.

use super::{Interpreter, State, Step};
use crate::automaton::Edge;
use crate::model::{Act, BROADCAST, Command, Expr, From};
use crate::reference::eval::Message;

/// The values of message variables; `None` where one is not set.
pub type Values = Vec<Option<i64>>;

/// A step in detail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    /// Who sends or asks.
    pub agent: usize,
    /// With which command, from which state of its automaton to which.
    pub edge: Edge,
    /// The channel; none if one agent asks another.
    pub channel: Option<i64>,
    /// What the sender or getter says.
    pub data: Values,
    /// What the supplier says.
    pub answer: Option<Values>,
    /// Who received or supplied, in the order of agents.
    pub received: Vec<(usize, Edge)>,
    /// Who was asked and could not receive, in the order of agents. There is nobody where a message that is not received
    /// blocks its sender.
    pub refused: Vec<(usize, Refusal)>,
    /// The state after the step.
    pub after: State,
}

/// Why a broadcast does not reach an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Its properties do not satisfy the send guard.
    NotMeant,
    /// It is meant, and no receive is enabled.
    NoReceive,
}

/// Chooses one of several ways to react: agents with their commands, by number.
type Choose<'a> = &'a mut dyn FnMut(&[(usize, usize)]) -> Option<usize>;

impl Interpreter<'_> {
    /// The step that an agent makes with a command, if it can, where `choices` says for each agent that has several ways
    /// to react, in the order of agents, which one it takes in the order of commands. Of a get, it says which of the
    /// supplies that fit is meant. That is how emulation programs number their choices.
    pub fn chosen(&self, state: &State, agent: usize, command: usize, choices: &[u64]) -> Option<Explained> {
        let mut choices = choices.iter();
        self.explain(state, agent, command, &mut |ways| match ways.len() {
            1 => Some(0),
            _ => choices.next().and_then(|choice| usize::try_from(*choice).ok()),
        })
    }

    /// A step that [`steps`](Interpreter::steps) has found, in detail.
    pub fn detailed(&self, state: &State, step: &Step) -> Option<Explained> {
        let explained = self.explain(state, step.agent, step.command, &mut |ways| {
            ways.iter().position(|way| step.received.contains(way))
        });
        explained.filter(|explained| explained.after == step.after)
    }

    fn explain(&self, state: &State, k: usize, command: usize, choose: Choose<'_>) -> Option<Explained> {
        if k >= state.len() {
            return None;
        }
        let (edge, command) = self.edges(k).find(|(edge, _)| edge.command == command)?;
        match &command.act {
            Act::Send { channel, target, .. } => {
                self.explain_send(state, k, edge, (command, channel, target), choose)
            }
            Act::Get { from, .. } => self.explain_get(state, k, edge, (command, from), choose),
            Act::Receive { .. } | Act::Supply { .. } => None,
        }
    }

    fn explain_send(
        &self,
        state: &State,
        k: usize,
        edge: Edge,
        (command, channel, target): (&Command, &Expr, &Expr),
        choose: Choose<'_>,
    ) -> Option<Explained> {
        let own = self.view(state, k, None);
        let (data, channel) = (self.data(&own, command)?, own.value(channel)?);
        let message = Message {
            channel: Some(channel),
            data: data.clone(),
            from: k,
            sender_values: &state[k].values,
            target,
            supplier: None,
        };
        let mut after = state.clone();
        after[k] = self.taken(state, k, edge, command, None)?;
        let (mut received, mut refused) = (vec![], vec![]);
        for j in (0..state.len()).filter(|j| *j != k) {
            let options = self.reactions(state, j, &message);
            // No line of definition 2 holds: the agent blocks the message.
            if options.is_empty() {
                return None;
            }
            let ways: Vec<_> = options.iter().filter_map(|(_, with)| Some((j, (*with)?))).collect();
            if !ways.is_empty() {
                let (local, with) = options.get(choose(&ways)?)?;
                after[j] = local.clone();
                let with = (*with)?;
                received.push((j, self.edges(j).find(|(edge, _)| edge.command == with)?.0));
            } else if channel == BROADCAST {
                let meant = message.admits(self.spec, j, &state[j].values);
                refused.push((j, if meant { Refusal::NoReceive } else { Refusal::NotMeant }));
            }
        }
        Some(Explained {
            agent: k,
            edge,
            channel: Some(channel),
            data,
            answer: None,
            received,
            refused,
            after,
        })
    }

    fn explain_get(
        &self,
        state: &State,
        k: usize,
        edge: Edge,
        (command, from): (&Command, &From),
        choose: Choose<'_>,
    ) -> Option<Explained> {
        let data = self.data(&self.view(state, k, None), command)?;
        let meetings = self.gets(state, k, edge, command, from);
        let ways: Vec<_> = meetings.iter().flat_map(|step| step.received.clone()).collect();
        if ways.is_empty() {
            return None;
        }
        let step = meetings.get(choose(&ways)?)?;
        let (j, with) = *step.received.first()?;
        let (other, supply) = self.edges(j).find(|(edge, _)| edge.command == with)?;
        Some(Explained {
            agent: k,
            edge,
            channel: None,
            data,
            answer: Some(self.data(&self.view(state, j, None), supply)?),
            received: vec![(j, other)],
            refused: vec![],
            after: step.after.clone(),
        })
    }
}
