//! Weak steps: `s ⇒ a ⇒ t` for visible labels, and `s ⇒ t`, perhaps without any step, for the invisible one.

use super::Stopped;
use crate::builder::Builder;
use crate::system::{Lts, TAU};

/// The system of the weak steps, with the same states. It can have as many steps as there are pairs of states.
pub(super) fn saturate(lts: &Lts, stopped: &dyn Fn() -> bool) -> Result<Lts, Stopped> {
    let mut closure: Vec<Vec<u32>> = vec![];
    for state in 0..lts.states() {
        let mut seen = vec![state];
        let mut at = 0;
        let mut known = vec![false; lts.states() as usize];
        known[state as usize] = true;
        while let Some(&next) = seen.get(at) {
            for &(label, to) in lts.steps(next) {
                if Some(label) == lts.tau() && !std::mem::replace(&mut known[to as usize], true) {
                    seen.push(to);
                }
            }
            at += 1;
        }
        if stopped() {
            return Err(Stopped);
        }
        closure.push(seen);
    }
    let mut builder = Builder::new();
    builder.at_least(lts.states());
    let tau = builder.label(TAU);
    let labels: Vec<u32> = lts.labels().iter().map(|text| builder.label(text)).collect();
    for state in 0..lts.states() {
        let mut steps = vec![];
        for &middle in &closure[state as usize] {
            steps.push((tau, middle));
            for &(label, to) in lts.steps(middle).iter().filter(|(l, _)| Some(*l) != lts.tau()) {
                steps.extend(closure[to as usize].iter().map(|&end| (labels[label as usize], end)));
            }
        }
        steps.sort_unstable();
        steps.dedup();
        steps.into_iter().for_each(|(label, to)| builder.transition(state, label, to));
        if stopped() {
            return Err(Stopped);
        }
    }
    Ok(builder.finish(lts.initial()))
}
