//! The rules of agents: tables 3.7, 3.10 and 3.11.
//!
//! The three tables say in two stages what happens in one step here. An agent whose process has a transition
//! P --\[g1 … gn\] α--> P', which has nothing pending (Zc = Zp = ∅), and whose guards hold (AWAIT), performs α (SKIP, ATTR,
//! LSTIG, ENV; their EVAL halves are in `assign`), and adds K\[·\] of all guards and of α to Zc.

use crate::assign::Partial;
use crate::choices::{Choices, Ended, Stop, Wanted, each_way};
use crate::error::ModelError;
use crate::expr::Scope;
use crate::keys::Keys;
use crate::process::{Test, Transition};
use crate::state::State;
use crate::{Interpreter, Label, Sought, Step, all_ways};
use std::ops::ControlFlow;
use swarmcheck_labs::model::Action;

impl Interpreter<'_> {
    /// Shows all steps in which this agent acts, or those that are sought.
    pub(crate) fn agent(
        &self,
        state: &State,
        agent: u32,
        sought: Option<Sought<'_>>,
        show: &mut dyn FnMut(Step) -> ControlFlow<Ended>,
    ) -> ControlFlow<Ended> {
        let me = &state.agents[agent as usize];
        let pending = !me.zc.is_empty() || !me.zp.is_empty();
        let turn = !self.options.fair || state.turn == agent;
        if pending || !turn {
            return ControlFlow::Continue(());
        }
        for transition in self.program.transitions(&me.process) {
            let label = Label::Action { agent, action: transition.action };
            if sought.is_some_and(|sought| !(sought.label)(&label)) {
                continue;
            }
            let wanted = sought.map(|sought| sought.values);
            let mut show = |outcome: Result<State, ModelError>| {
                let outcome = match self.options.sync {
                    true => outcome.and_then(|state| self.delivered(state, agent)),
                    false => outcome,
                };
                show((label.clone(), outcome))
            };
            all_ways(match self.await_(state, agent, &transition.guards) {
                Err(error) => show(Err(error)),
                Ok(false) => ControlFlow::Continue(()),
                Ok(true) => self.perform(state, agent, &transition, wanted, &mut show),
            })?;
        }
        ControlFlow::Continue(())
    }

    /// AWAIT (table 3.11): E, I, L ⊨ g for every guard, in order, up to the first that is not satisfied.
    fn await_(&self, state: &State, agent: u32, guards: &[Test]) -> Result<bool, ModelError> {
        let scope = Scope::of_agent(self.model, state, agent);
        for test in guards {
            let guard = self.program.guard(test.guard);
            let holds = match test.negated {
                false => scope.sat(guard)?,
                // Not E, I, L ⊨ g, which is more than E, I, L ⊨ ¬g where g is undefined (tables 3.5, 3.6).
                true => !scope.sat(guard)?,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The conclusion of the rules: the stores change by the action, P becomes P', Zc and Zp grow, and the turn goes on.
    /// With early choice P' may turn out to be several processes.
    fn perform(
        &self,
        state: &State,
        agent: u32,
        transition: &Transition,
        wanted: Option<Wanted<'_>>,
        show: &mut dyn FnMut(Result<State, ModelError>) -> ControlFlow<Ended>,
    ) -> ControlFlow<Ended> {
        let action = self.model.action(transition.action);
        let mut keys = Keys::new(self.model);
        for test in &transition.guards {
            keys.cond(self.program.guard(test.guard));
        }
        keys.action(action);

        let rests = self.settled(&transition.target);
        let perform = |choices: &Choices<'_>| match action.assignments.is_empty() {
            true => Ok(skip(state, action)),
            false => self.block(state, agent, action, choices),
        };
        each_way(&self.budget, wanted, perform, &mut |done| {
            let Partial { mut state, written, .. } = match done {
                Ok(done) => done,
                Err(error) => return show(Err(error)),
            };
            let me = &mut state.agents[agent as usize];
            me.zc.extend(keys.found.iter().filter(|tuple| me.stigmergy.contains_key(tuple)));
            me.zp.extend(written);
            if self.options.fair {
                state.turn = (state.turn + 1) % self.model.agents();
            }
            // Every way has the same rests, so all of one way are shown.
            let mut shown = ControlFlow::Continue(());
            for rest in &rests {
                let mut state = state.clone();
                state.agents[agent as usize].process = rest.clone();
                match show(Ok(state)) {
                    ControlFlow::Break(Ended::Enough) => shown = ControlFlow::Break(Ended::Enough),
                    other => other?,
                }
            }
            shown
        })
    }

    /// ATTR, LSTIG and ENV (table 3.10), one after the other (`docs/labs.md` 11).
    fn block(
        &self,
        state: &State,
        agent: u32,
        action: &Action,
        choices: &Choices<'_>,
    ) -> Result<Partial, Stop> {
        let first = Partial::new(state, action);
        let all = &mut action.assignments.iter();
        all.try_fold(first, |before, assignment| self.assignment(agent, before, action, assignment, choices))
    }
}

/// SKIP (table 3.7): nothing changes.
fn skip(state: &State, action: &Action) -> Partial {
    Partial::new(state, action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::error::ErrorKind;
    use crate::testing::*;
    use std::collections::BTreeSet;
    use swarmcheck_labs::model::{ActionId, Cond, Init, TupleId};
    use swarmcheck_labs::syntax::ast::{AssignOp, BinaryOp::*};

    #[test]
    fn reads_are_confirmed_and_writes_propagated() {
        // t0 = 0 -> { u <~ 5; x <- t1; u <~ u + t2 }, where t0, t1, t2, u are tuples and x is an attribute.
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        let t: Vec<_> = (0..4).map(|_| b.tuple(s, vec![one(0)])[0]).collect();
        let x = b.attribute(&[]);
        let u = t[3];
        let body = b.block(
            &[],
            vec![
                assign(AssignOp::Stigmergy, &[u], vec![num(5)]),
                assign(AssignOp::Attribute, &[x], vec![me(t[1])]),
                assign(AssignOp::Stigmergy, &[u], vec![op(Add, me(u), me(t[2]))]),
            ],
        );
        b.kind(2, vec![(x, Init::Undef)], &[s], guard(cmp(Eq, me(t[0]), num(0)), body));
        let i = interpreter(&b.0);
        let after = act(&i, &initial(&i), 0);
        let mine = &after.agents[0];
        assert_eq!(mine.zc, (0..4).map(TupleId).collect::<BTreeSet<_>>(), "u is read as well as written");
        assert_eq!(mine.zp, BTreeSet::from([TupleId(3)]));
        assert_eq!(i.observe(&after).values[..5], [Some(0), Some(0), Some(0), Some(0), Some(5)]);
        assert!(after.agents[1].zc.is_empty() && after.agents[1].zp.is_empty());
    }

    #[test]
    fn an_agent_with_something_pending_does_not_act() {
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        b.tuple(s, vec![one(0)]);
        let body = b.skip();
        b.kind(2, vec![], &[s], body);
        let i = interpreter(&b.0);
        let start = initial(&i);
        for pending in 0..4 {
            let mut state = start.clone();
            if pending & 1 != 0 {
                state.agents[0].zc.insert(TupleId(0));
            }
            if pending & 2 != 0 {
                state.agents[0].zp.insert(TupleId(0));
            }
            assert_eq!(acts(&i, &state, 0).len(), usize::from(pending == 0));
            assert_eq!(acts(&i, &state, 1).len(), 1);
        }
    }

    #[test]
    fn skip_is_a_step_that_changes_the_process_only() {
        let mut b = Build::new();
        let body = seq(vec![b.skip(), nil()]);
        b.kind(1, vec![], &[], body);
        let i = interpreter(&b.0);
        let start = initial(&i);
        let after = act(&i, &start, 0);
        assert_eq!(i.observe(&start), i.observe(&after));
        assert_ne!(start, after);
        assert!(i.successors(&after).is_empty());
    }

    fn guarded(guards: Vec<Cond>) -> Vec<Result<(), (ErrorKind, u32)>> {
        let mut b = Build::new();
        let action = b.skip();
        let body = guards.into_iter().rev().fold(action, |body, g| guard(g, body));
        b.kind(1, vec![], &[], body);
        let i = interpreter(&b.0);
        let results = acts(&i, &initial(&i), 0).into_iter();
        results.map(|r| r.map(drop).map_err(|e| (e.kind, e.span.start))).collect()
    }

    #[test]
    fn guards_are_checked_from_outside_up_to_the_first_that_fails() {
        let wrong = |place| cmp(Eq, bad(place), num(0));
        assert_eq!(guarded(vec![bool_(true), bool_(true)]), [Ok(())]);
        assert_eq!(guarded(vec![bool_(false), wrong(1)]), []);
        assert_eq!(guarded(vec![wrong(1), bool_(false)]), [Err((ErrorKind::Overflow, 1))]);
        assert_eq!(guarded(vec![bool_(true), wrong(2), wrong(3)]), [Err((ErrorKind::Overflow, 2))]);
    }

    /// (x = 0 => a); b, where action 0 passes, 1 is a and 2 is b.
    #[test]
    fn a_condition_that_is_not_satisfied_is_passed() {
        let first_actions = |init: Init| {
            let mut b = Build::new();
            let x = b.attribute(&[]);
            let (pass, body) = (b.skip(), b.skip());
            let body = seq(vec![conditional(cmp(Eq, me(x), num(0)), pass, body), b.skip()]);
            b.kind(1, vec![(x, init)], &[], body);
            let i = interpreter(&b.0);
            let steps = i.successors(&initial(&i)).into_iter();
            steps.map(|(label, _)| label).collect::<Vec<_>>()
        };
        let action = |id| Label::Action { agent: 0, action: ActionId(id) };
        assert_eq!(first_actions(one(0)), [action(1)]);
        assert_eq!(first_actions(one(1)), [action(0)]);
        assert_eq!(first_actions(Init::Undef), [action(0)]);
    }

    /// t = 0 => a, with t = 1: passing needs nothing pending, and queries t.
    #[test]
    fn passing_is_a_step_like_any_other() {
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        let t = b.tuple(s, vec![one(1)])[0];
        let (pass, body) = (b.skip(), b.skip());
        b.kind(2, vec![], &[s], conditional(cmp(Eq, me(t), num(0)), pass, body));
        let i = interpreter(&b.0);
        let start = initial(&i);
        let after = act(&i, &start, 0);
        assert_eq!(after.agents[0].zc, BTreeSet::from([TupleId(0)]));
        assert!(after.agents[0].zp.is_empty());
        let mut pending = start.clone();
        pending.agents[0].zp.insert(TupleId(0));
        assert!(acts(&i, &pending, 0).is_empty());
    }

    #[test]
    fn round_robin_moves_the_turn_by_actions_only() {
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        let t = b.tuple(s, vec![one(0)])[0];
        let k = b.next_process();
        let body = seq(vec![b.act(assign(AssignOp::Stigmergy, &[t], vec![id()])), call(k)]);
        b.kind(2, vec![], &[s], body);
        let i = Interpreter::new(&b.0, Options { fair: true, ..Options::default() });
        let start = initial(&i);
        assert_eq!((start.turn, acts(&i, &start, 1).len()), (0, 0));
        let first = act(&i, &start, 0);
        assert_eq!(first.turn, 1);
        let sent = step(&i, &first, Label::Propagate { agent: 0, tuple: TupleId(0) }).unwrap();
        assert_eq!(sent.turn, 1);
        assert!(acts(&i, &sent, 0).is_empty(), "not its turn");
        assert!(acts(&i, &sent, 1).is_empty(), "its turn, but it has to propagate");
        let second = act(&i, &first, 1);
        assert_eq!(second.turn, 0);
    }

    #[test]
    fn equal_steps_are_listed_once() {
        let mut b = Build::new();
        let k = b.skip();
        let k = b.process(k);
        b.kind(1, vec![], &[], choice(vec![call(k), call(k)]));
        let i = interpreter(&b.0);
        assert_eq!(i.successors(&initial(&i)).len(), 1);
    }
}
