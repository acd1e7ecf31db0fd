//! `--sync`, which no paper has: an action is one step with all the messages that come of it (`docs/labs.md` 8).
//!
//! The actor's confirmations come first, then propagations in rounds, until there is nothing left that can be sent. Each
//! of them is a message of table 3.8, delivered as in `message`: what differs is only that nothing comes in between.

use crate::Interpreter;
use crate::error::ModelError;
use crate::state::State;

impl Interpreter<'_> {
    /// The state when everything that an action has caused is delivered.
    pub(crate) fn delivered(&self, mut state: State, actor: u32) -> Result<State, ModelError> {
        for tuple in state.agents[actor as usize].zc.clone() {
            if self.can_be_sent(&state, actor, tuple) {
                state = self.confirm(&state, actor, tuple)?;
            }
        }
        loop {
            let mut sent = false;
            for agent in 0..self.model.agents() {
                for tuple in state.agents[agent as usize].zp.clone() {
                    if self.can_be_sent(&state, agent, tuple) {
                        state = self.propagate(&state, agent, tuple)?;
                        sent = true;
                    }
                }
            }
            if !sent {
                return Ok(state);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::*;
    use crate::{ErrorKind, Interpreter, Options, Semantics, State};
    use swarmcheck_labs::model::{Cond, ExprNode, Init, Side};
    use swarmcheck_labs::syntax::ast::{AssignOp, BinaryOp::*};

    /// Four agents in a row that hear their neighbours only; agent `actor` writes 9, or reads.
    fn row(actor: i64, writes: bool, first: Init, link: Option<Cond>) -> Build {
        let mut b = Build::new();
        let distance = op(Sub, e(ExprNode::IdOf(Side::Sender)), e(ExprNode::IdOf(Side::Receiver)));
        let near = cmp(Eq, e(ExprNode::Abs(Box::new(distance))), num(1));
        let s = b.stigmergy(link.unwrap_or(near));
        let v = b.tuple(s, vec![first])[0];
        let x = b.attribute(&[]);
        let action = match writes {
            true => b.act(assign(AssignOp::Stigmergy, &[v], vec![num(9)])),
            false => b.skip(),
        };
        let reads = or(vec![bool_(true), cmp(Eq, me(v), num(0))]);
        let guards = if writes { bool_(true) } else { reads };
        let body = guard(cmp(Eq, id(), num(actor)), guard(guards, action));
        b.kind(4, vec![(x, one(0))], &[s], body);
        b
    }

    fn after(b: &Build, semantics: Semantics, agent: u32) -> (Vec<Option<i64>>, State) {
        let i = Interpreter::new(&b.0, Options { semantics, sync: true, ..Options::default() });
        let state = act(&i, &initial(&i), agent);
        let seen = i.observe(&state);
        (seen.values.iter().skip(1).step_by(2).copied().collect(), state)
    }

    fn idle(state: &State) -> bool {
        state.agents.iter().all(|a| a.zc.is_empty() && a.zp.is_empty())
    }

    #[test]
    fn what_is_written_reaches_everybody_hop_by_hop() {
        for actor in 0..4 {
            let b = row(actor, true, Init::OneOf(vec![id()]), None);
            let (values, state) = after(&b, Semantics::Sliver, actor as u32);
            assert_eq!(values, [Some(9); 4]);
            assert!(idle(&state));
        }
    }

    #[test]
    fn answers_come_in_the_same_step() {
        // Agent 0 reads. Agent 1 is newer and answers: it tells agent 0. Agents 2 and 3 are newer still, but not asked.
        let b = row(0, false, Init::OneOf(vec![id()]), None);
        let (values, state) = after(&b, Semantics::Sliver, 0);
        assert_eq!(values, [1, 1, 2, 3].map(Some));
        assert!(idle(&state));
        // Agent 3 reads. It is the newest: agent 2 takes its value over, and hands it on.
        let b = row(3, false, Init::OneOf(vec![id()]), None);
        assert_eq!(after(&b, Semantics::Sliver, 3).0, [Some(3); 4]);
    }

    #[test]
    fn what_is_undefined_waits_by_the_paper_only() {
        let b = row(1, false, Init::Undef, None);
        let (_, state) = after(&b, Semantics::Sliver, 1);
        assert!(idle(&state));
        let (_, state) = after(&b, Semantics::Paper, 1);
        assert_eq!(state.agents.iter().map(|a| a.zc.len()).collect::<Vec<_>>(), [0, 1, 0, 0]);
    }

    #[test]
    fn an_error_of_a_link_is_one_of_the_step() {
        let wrong = cmp(Eq, bad(5), num(0));
        let b = row(1, true, one(0), Some(wrong));
        let i = Interpreter::new(&b.0, Options { sync: true, ..Options::default() });
        let steps = i.successors(&initial(&i));
        let kinds: Vec<_> = steps.iter().map(|(_, result)| result.as_ref().err().map(|e| e.kind)).collect();
        assert_eq!(kinds, [Some(ErrorKind::Overflow)]);
    }
}
