//! A naive breadth-first search: counts to compare with the hand-written enumerators.

use crate::error::ModelError;
use crate::state::State;
use crate::{Interpreter, Label};
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::ops::ControlFlow;

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Distinct initial states.
    pub initial: usize,
    /// Distinct states.
    pub states: usize,
    /// Distinct pairs of a label and a target, summed over the states; without those that are errors.
    pub transitions: usize,
    /// States without any step, not even one that is an error.
    pub deadlocks: usize,
    /// The fewest steps to such a state.
    pub first_deadlock: Option<usize>,
    /// The model errors, with the step that runs into them; `None` while the initial states are made.
    pub errors: BTreeSet<(Option<Label>, ModelError)>,
    /// The greatest distance from an initial state.
    pub depth: usize,
    /// Whether all states were visited; `false` when the limit was hit.
    pub complete: bool,
}

/// Visits all states that can be reached, at most `limit` of them.
pub fn explore(interpreter: &Interpreter, limit: usize) -> Explored {
    let mut found = Explored { complete: true, ..Explored::default() };
    let mut seen: HashSet<State> = HashSet::new();
    let mut queue: VecDeque<(State, usize)> = VecDeque::new();

    let result = interpreter.for_each_initial(&mut |state| {
        if !seen.contains(&state) {
            if seen.len() == limit {
                found.complete = false;
                return ControlFlow::Break(());
            }
            seen.insert(state.clone());
            queue.push_back((state, 0));
        }
        ControlFlow::Continue(())
    });
    found.errors.extend(result.err().map(|error| (None, error)));
    found.initial = seen.len();

    while let Some((state, depth)) = queue.pop_front() {
        found.depth = depth;
        let steps = interpreter.successors(&state);
        if steps.is_empty() {
            found.deadlocks += 1;
            found.first_deadlock.get_or_insert(depth);
        }
        for (label, target) in steps {
            match target {
                Err(error) => {
                    found.errors.insert((Some(label), error));
                }
                Ok(target) => {
                    found.transitions += 1;
                    if seen.contains(&target) {
                        continue;
                    }
                    if seen.len() == limit {
                        found.complete = false;
                        continue;
                    }
                    seen.insert(target.clone());
                    queue.push_back((target, depth + 1));
                }
            }
        }
    }
    found.states = seen.len();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;
    use swarmcheck_labs::model::{Init, Owner};
    use swarmcheck_labs::syntax::ast::{AssignOp, BinaryOp::*};

    /// Thesis, figure 3.1b.
    fn leader(n: u32) -> Build {
        let mut b = Build::new();
        let s = b.stigmergy(bool_(true));
        let leader = b.tuple(s, vec![one(n.into())])[0];
        let k = b.next_process();
        let write = b.act(assign(AssignOp::Stigmergy, &[leader], vec![id()]));
        let body = guard(cmp(Gt, me(leader), id()), seq(vec![write, call(k)]));
        b.kind(n, vec![], &[s], body);
        b
    }

    #[test]
    fn leader_election_has_the_published_size() {
        for (n, states, transitions) in [(3, 106, 366), (4, 521, 2596)] {
            let b = leader(n);
            let found = explore(&interpreter(&b.0), usize::MAX);
            assert_eq!((found.states, found.transitions, found.complete), (states, transitions, true));
            assert!(found.errors.is_empty());
        }
    }

    #[test]
    fn the_limit_is_kept_and_told() {
        let found = explore(&interpreter(&leader(3).0), 50);
        assert_eq!((found.states, found.complete), (50, false));
    }

    #[test]
    fn philosophers_starve_after_two_steps_each() {
        let mut b = Build::new();
        let n = 3;
        let fork = b.env(&[n], one(0));
        let status = b.attribute(&[]);
        let (left, right) = (id(), op(Mod, op(Add, id(), num(1)), num(n.into())));
        let k = b.next_process();
        let free = |f: &swarmcheck_labs::model::Expr| {
            cmp(Eq, read(fork, Owner::Environment, vec![f.clone()]), num(0))
        };
        let mut set = |f: &swarmcheck_labs::model::Expr, v| {
            b.act(assign_at(AssignOp::Environment, fork, vec![f.clone()], span(0), num(v)))
        };
        let (take_left, take_right, drop_right, drop_left) =
            (set(&left, 1), set(&right, 1), set(&right, 0), set(&left, 0));
        let mut status_is = |v| b.act(assign(AssignOp::Attribute, &[status], vec![num(v)]));
        let (s1, s2, s3, s0) = (status_is(1), status_is(2), status_is(3), status_is(0));
        let rest = vec![take_right, s2, drop_right, s3, drop_left, s0, call(k)];
        let body = guard(free(&left), seq(vec![take_left, s1, guard(free(&right), seq(rest))]));
        b.kind(n, vec![(status, one(0))], &[], body);
        let found = explore(&interpreter(&b.0), usize::MAX);
        assert_eq!((found.deadlocks, found.first_deadlock), (1, Some(6)));
    }

    #[test]
    fn errors_are_collected_with_their_step() {
        let mut b = Build::new();
        let x = b.attribute(&[]);
        let k = b.next_process();
        let add = b.act(assign(AssignOp::Attribute, &[x], vec![at(4, op(Add, me(x), num(i64::MAX / 2)))]));
        b.kind(1, vec![(x, Init::OneOf(vec![num(0), num(1)]))], &[], seq(vec![add, call(k)]));
        let found = explore(&interpreter(&b.0), usize::MAX);
        // 0, m, 2m and 1, 1 + m, 1 + 2m, where 2m + 1 is the greatest number.
        assert_eq!((found.initial, found.states, found.transitions, found.depth), (2, 6, 4, 2));
        assert_eq!((found.errors.len(), found.deadlocks), (1, 0));
        assert_eq!(found.errors.first().unwrap().1.span, span(4));
    }
}
