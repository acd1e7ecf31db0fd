//! The transition system of a flat program: all steps of a state.

use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{Fault, Value};

/// One way to run one instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The function and the agent that runs it.
    pub instance: Instance,
    /// How its nondeterminism is resolved.
    pub choices: Vec<u64>,
    /// The state after it, or the fault that makes the model invalid.
    pub result: Result<Vec<Value>, Fault>,
}

/// All steps of a state, in a fixed order. Different choices may lead to the same state; all are listed.
pub fn successors(flat: &Flat, machine: &mut Machine, state: &[Value]) -> Vec<Step> {
    let mut out = vec![];
    let mut work = state.to_vec();
    let mut choices = Enumerate::default();
    for number in 0..flat.instances() {
        let instance = flat.instance(number);
        choices.reset();
        loop {
            match machine.step(flat, instance, &mut work, &mut choices) {
                Outcome::Disabled => {}
                Outcome::Done => {
                    out.push(Step {
                        instance,
                        choices: choices.choices().collect(),
                        result: Ok(work.clone()),
                    });
                    machine.undo(&mut work);
                }
                Outcome::Fault(fault) => {
                    out.push(Step { instance, choices: choices.choices().collect(), result: Err(fault) });
                }
            }
            if !choices.advance() {
                break;
            }
        }
    }
    out
}

/// Calls `visit` with the state after each step of a state, until it returns `false`. The same state may come more than once. A fault ends the
/// enumeration. Nothing is kept, so a state with very many steps needs no more memory than any other.
pub fn each_successor(
    flat: &Flat,
    machine: &mut Machine,
    state: &[Value],
    visit: &mut dyn FnMut(&[Value]) -> bool,
) -> Result<(), Fault> {
    let mut work = state.to_vec();
    let mut choices = Enumerate::default();
    for number in 0..flat.instances() {
        let instance = flat.instance(number);
        choices.reset();
        loop {
            match machine.step(flat, instance, &mut work, &mut choices) {
                Outcome::Disabled => {}
                Outcome::Done => {
                    let goes_on = visit(&work);
                    machine.undo(&mut work);
                    if !goes_on {
                        return Ok(());
                    }
                }
                Outcome::Fault(fault) => return Err(fault),
            }
            if !choices.advance() {
                break;
            }
        }
    }
    Ok(())
}

/// Calls `visit` with every initial state, one after the other, until it returns `false`. A fault in the initial
/// block ends the enumeration.
pub fn initial_states(
    flat: &Flat,
    machine: &mut Machine,
    visit: &mut dyn FnMut(&[Value]) -> bool,
) -> Result<(), Fault> {
    let mut state = vec![0; flat.width()];
    let mut choices = Enumerate::default();
    loop {
        match machine.initialise(flat, &mut state, &mut choices) {
            Outcome::Disabled => {}
            Outcome::Done => {
                if !visit(&state) {
                    return Ok(());
                }
            }
            Outcome::Fault(fault) => return Err(fault),
        }
        if !choices.advance() {
            return Ok(());
        }
    }
}
