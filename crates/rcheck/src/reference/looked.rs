//! Which guards are looked at in a state, and with which outcome, from the definitions. Coverage is compared with it.

use super::eval::{Message, is_relabelled};
use super::{Interpreter, State};
use crate::model::{Act, BROADCAST};
use swarmcheck_source::Span;

/// A guard of the script.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Looked {
    /// Φ of a send or a receive.
    Guard(Span),
    /// π of a send.
    SendGuard(Span),
    /// gʳ of an agent type.
    ReceiveGuard(Span),
}

impl Interpreter<'_> {
    /// All guards that are looked at, once for each agent and message. Guards of gets and supplies are not among them.
    pub fn guards_looked_at(&self, state: &State) -> Vec<(Looked, bool)> {
        let mut out = vec![];
        for k in 0..state.len() {
            for (edge, command) in self.edges(k).filter(|(edge, _)| edge.from == state[k].state) {
                let Act::Send { channel, target, .. } = &command.act else { continue };
                let own = self.view(state, k, None);
                out.push((Looked::Guard(command.guard_span), own.holds(&command.guard)));
                // Only who could send shows a message to the others.
                let sent = self.taken(state, k, edge, command, None);
                let (Some(_), Some(data), Some(ch)) = (sent, self.data(&own, command), own.value(channel))
                else {
                    continue;
                };
                let sender_values = &state[k].values;
                let message =
                    Message { channel: Some(ch), data, from: k, sender_values, target, supplier: None };
                for j in (0..state.len()).filter(|j| *j != k) {
                    if !is_relabelled(self.spec, j, &state[j].values) {
                        continue;
                    }
                    let agent = self.spec.agent_of(j);
                    let view = self.view(state, j, Some(&message));
                    let listens = view.holds(&agent.receive_guard);
                    if ch != BROADCAST {
                        out.push((Looked::ReceiveGuard(agent.receive_guard_span), listens));
                    }
                    if !listens && ch != BROADCAST {
                        continue;
                    }
                    let meant = message.admits(self.spec, j, &state[j].values);
                    out.push((Looked::SendGuard(command.target_span), meant));
                    if !meant {
                        continue;
                    }
                    for (_, receive) in self.edges(j).filter(|(other, _)| other.from == state[j].state) {
                        let Act::Receive { channel } = &receive.act else { continue };
                        let unset = receive.reads().iter().any(|at| message.data[*at].is_none());
                        if unset || self.view(state, j, None).value(channel) != Some(ch) {
                            continue;
                        }
                        out.push((Looked::Guard(receive.guard_span), view.holds(&receive.guard)));
                    }
                }
            }
        }
        out
    }
}
