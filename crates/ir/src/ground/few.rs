//! The states of small systems, by a search that is cheap enough to be made just in case.
//!
//! It depends on the program and the limits only, not on time, so everybody finds the same.

use super::{Ground, Runner};
use crate::arith::Value;
use crate::flat::{Enumerate, Outcome};
use std::collections::HashSet;

/// All reachable states, if there are at most so many; instances are run, and initial values drawn, at most so often. Nothing follows a step
/// that is an error of the model.
pub fn few_states(ground: &Ground, most: usize, most_runs: usize) -> Option<HashSet<Vec<Value>>> {
    let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
    let mut state = vec![0; ground.width()];
    let mut seen: HashSet<Vec<Value>> = HashSet::new();
    let mut open: Vec<Vec<Value>> = vec![];
    let mut runs = 0;
    loop {
        runs += 1;
        if runner.initialise(ground, &mut state, &mut choices) == Outcome::Done && seen.insert(state.clone())
        {
            open.push(state.clone());
        }
        if seen.len() > most || runs > most_runs {
            return None;
        }
        if !choices.advance() {
            break;
        }
    }
    while let Some(before) = open.pop() {
        state.copy_from_slice(&before);
        for routine in ground.instances() {
            choices.reset();
            loop {
                runs += 1;
                if runner.step(routine, &mut state, &mut choices) == Outcome::Done {
                    if seen.insert(state.clone()) {
                        open.push(state.clone());
                    }
                    runner.undo(&mut state);
                }
                if seen.len() > most || runs > most_runs {
                    return None;
                }
                if !choices.advance() {
                    break;
                }
            }
        }
    }
    Some(seen)
}
