//! The steps of an encoded program, instance by instance.
//!
//! In the system of bits one step stands for all instances, and variables choose among them. For diagrams each instance is
//! better on its own: most write a few cells and leave the others alone.

use crate::code::Code;
use crate::encode::{Effect, Encoded};
use crate::word::any;
use swarmcheck_aig::{Action, Graph, Lit};

/// What each instance does, in states in which nothing has gone wrong: the same as a step of the system that chooses it.
pub fn actions(encoded: &mut Encoded) -> Vec<Action> {
    let Encoded { system, codes, effects, enabled, faulty, misfit, .. } = encoded;
    let variables: Vec<Lit> = system.latches.iter().map(|latch| latch.variable).collect();
    let mut first = vec![];
    let mut width = 0;
    for code in codes.iter() {
        first.push(width);
        width += code.width();
    }
    let flag = |lit: Lit| variables.iter().position(|variable| *variable == lit);
    let (faulty, misfit) = (flag(*faulty), flag(*misfit));
    let mut actions = vec![];
    for (effect, &guard) in effects.iter().zip(enabled.iter()) {
        let (written, misfits) = written(&mut system.graph, codes, &first, effect);
        let changes = |(latch, value): &(usize, Lit)| variables[*latch] != *value;
        let mut writes: Vec<(usize, Lit)> = written.into_iter().filter(changes).collect();
        for (latch, value) in [(faulty, effect.fault), (misfit, misfits)] {
            // Both are false before a step.
            writes.extend(latch.filter(|_| value != Lit::FALSE).map(|latch| (latch, value)));
        }
        actions.push(Action { guard, writes });
    }
    actions
}

/// The bits of the cells that an instance writes, and that a number does not fit its cell.
fn written(g: &mut Graph, codes: &[Code], first: &[usize], effect: &Effect) -> (Vec<(usize, Lit)>, Lit) {
    let (mut out, mut misfits) = (vec![], vec![]);
    for (&slot, word) in &effect.state.cells {
        let (bits, misfit) = codes[slot as usize].write(g, word);
        if codes[slot as usize].is_guess() {
            misfits.push(misfit);
        }
        out.extend(bits.into_iter().enumerate().map(|(k, bit)| (first[slot as usize] + k, bit)));
    }
    let misfit = any(g, misfits);
    (out, g.and(misfit, effect.enabled))
}
