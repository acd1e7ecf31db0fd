//! Which guards and link predicates a state makes somebody look at, and what they see: what coverage is compared with.

use crate::expr::Scope;
use crate::state::State;
use crate::{Interpreter, Semantics};
use swarmcheck_labs::model::{Cond, TupleId};

impl<'m> Interpreter<'m> {
    /// The guards that an agent looks at, with what it sees: those before its next actions, in order, up to the first that
    /// is not as it must be. An agent with something to send, or whose turn it is not, looks at none. Guards that run
    /// into a model error are left out.
    pub fn guards_looked_at(&self, state: &State, agent: u32) -> Vec<(&'m Cond, bool)> {
        let me = &state.agents[agent as usize];
        if !me.zc.is_empty() || !me.zp.is_empty() || (self.options.fair && state.turn != agent) {
            return vec![];
        }
        let scope = Scope::of_agent(self.model, state, agent);
        let mut out = vec![];
        for transition in self.program.transitions(&me.process) {
            for test in &transition.guards {
                let guard = self.program.guard(test.guard);
                let Ok(seen) = scope.sat(guard) else { break };
                out.push((guard, seen));
                if seen == test.negated {
                    break;
                }
            }
        }
        out
    }

    /// The link predicates that the messages of a state look at, with what they see: for each message and each other
    /// agent that has the tuple, if its timestamp lets the link decide (PUT, QRY1 and QRY2 of table 3.8).
    pub fn links_looked_at(&self, state: &State) -> Vec<(&'m Cond, bool)> {
        let mut out = vec![];
        for sender in 0..self.model.agents() {
            let me = &state.agents[sender as usize];
            let put = |theirs: Option<u64>, mine: Option<u64>| theirs < mine;
            let query = |theirs: Option<u64>, mine: Option<u64>| match self.options.semantics {
                Semantics::Sliver => theirs != mine,
                Semantics::Paper => true,
            };
            for tuple in me.zp.iter().filter(|tuple| self.can_be_sent(state, sender, **tuple)) {
                self.looked_along(state, sender, *tuple, &put, &mut out);
            }
            for tuple in me.zc.iter().filter(|tuple| self.can_be_sent(state, sender, **tuple)) {
                self.looked_along(state, sender, *tuple, &query, &mut out);
            }
        }
        out
    }

    fn looked_along(
        &self,
        state: &State,
        sender: u32,
        tuple: TupleId,
        decides: &dyn Fn(Option<u64>, Option<u64>) -> bool,
        out: &mut Vec<(&'m Cond, bool)>,
    ) {
        let link = &self.model.stigmergy(self.model.tuple(tuple).stigmergy).link;
        let time = |agent: u32| state.agents[agent as usize].stigmergy.get(&tuple).map(|entry| entry.time);
        let Some(mine) = time(sender) else { return };
        for receiver in (0..self.model.agents()).filter(|receiver| *receiver != sender) {
            if time(receiver).is_some_and(|theirs| decides(theirs, mine))
                && let Ok(seen) = Scope::of_link(self.model, state, sender, receiver).sat(link)
            {
                out.push((link, seen));
            }
        }
    }
}
