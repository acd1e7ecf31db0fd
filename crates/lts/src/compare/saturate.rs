//! Weak steps: `s ⇒ a ⇒ t` for visible labels, and `s ⇒ t`, perhaps without any step, for the invisible one.

use crate::builder::Builder;
use crate::stop::{Stop, Stopped, go_on};
use crate::system::{Lts, TAU};

/// The system of the weak steps, with the same states. It can have as many steps as there are pairs of states.
pub(super) fn saturate(lts: &Lts, stop: Stop<'_>) -> Result<Lts, Stopped> {
    let mut closure: Vec<Vec<u32>> = vec![];
    let mut bytes = 0;
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
        bytes += seen.len() * size_of::<u32>();
        go_on(stop, bytes)?;
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
        // Each step is stored by the builder, and then by the system.
        bytes += steps.len() * 2 * size_of::<(u32, u32, u32)>();
        steps.into_iter().for_each(|(label, to)| builder.transition(state, label, to));
        go_on(stop, bytes)?;
    }
    Ok(builder.finish(lts.initial()))
}
