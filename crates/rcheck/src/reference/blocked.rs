//! Why an agent makes no step in a state: for each command that its automaton has come to, what definition 2 asks for and
//! the state does not give.

use super::eval::{Message, is_relabelled};
use super::explain::Refusal;
use super::{Interpreter, State};
use crate::model::{Act, BROADCAST, Command};

/// A command that is not possible, and everything that is in its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocked {
    /// The number of the command.
    pub command: usize,
    /// In the order in which they are looked at; nothing if the command is possible.
    pub reasons: Vec<Block>,
}

/// What is in the way of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// Φ is false.
    Guard,
    /// A value that the message or the update needs is not in the domain of its variable.
    Domain,
    /// This agent listens to the channel, and cannot receive.
    Listener(usize, Refusal),
    /// The relabelling of this agent gives a value that its property variable cannot have.
    Relabelling(usize),
    /// A receive: somebody would have to send on this channel.
    Passive(Option<i64>),
    /// A get: nobody supplies.
    NoSupplier,
}

impl Interpreter<'_> {
    /// What an agent waits for. Nothing: no command leaves the state of its automaton.
    pub fn blocked(&self, state: &State, agent: usize) -> Vec<Blocked> {
        if agent >= state.len() {
            return vec![];
        }
        let here = self.edges(agent).filter(|(edge, _)| edge.from == state[agent].state);
        here.map(|(edge, command)| Blocked {
            command: edge.command,
            reasons: self.reasons(state, agent, command),
        })
        .collect()
    }

    fn reasons(&self, state: &State, k: usize, command: &Command) -> Vec<Block> {
        let own = self.view(state, k, None);
        let mut out = vec![];
        let target = match &command.act {
            Act::Receive { channel } => return vec![Block::Passive(own.value(channel))],
            Act::Supply { .. } => return vec![Block::Passive(None)],
            Act::Get { from, .. } => {
                let possible = self.edges(k).any(|(edge, other)| {
                    std::ptr::eq(other, command) && !self.gets(state, k, edge, command, from).is_empty()
                });
                // The guard of a get may read the answer, so it cannot be judged alone.
                if !possible {
                    out.push(Block::NoSupplier);
                }
                return out;
            }
            Act::Send { target, .. } => target,
        };
        if !own.holds(&command.guard) {
            out.push(Block::Guard);
            return out;
        }
        let taken = self.edges(k).any(|(edge, other)| {
            std::ptr::eq(other, command) && self.taken(state, k, edge, command, None).is_some()
        });
        let Act::Send { channel, .. } = &command.act else { return out };
        let (Some(data), Some(channel), true) = (self.data(&own, command), own.value(channel), taken) else {
            out.push(Block::Domain);
            return out;
        };
        let sender_values = &state[k].values;
        let message =
            Message { channel: Some(channel), data, from: k, sender_values, target, supplier: None };
        for j in (0..state.len()).filter(|j| *j != k) {
            if !is_relabelled(self.spec, j, &state[j].values) {
                out.push(Block::Relabelling(j));
            } else if channel != BROADCAST && self.reactions(state, j, &message).is_empty() {
                let meant = message.admits(self.spec, j, &state[j].values);
                out.push(Block::Listener(j, if meant { Refusal::NoReceive } else { Refusal::NotMeant }));
            }
        }
        out
    }
}
