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

/// Calls `visit` with the state after each step of a state, and with nothing after each choice that leads to none, until it returns `false`: there may
/// be very many of both. The same state may come more than once. A fault ends the enumeration. Nothing is kept, so a state with very many steps needs
/// no more memory than any other.
pub fn each_successor(
    flat: &Flat,
    machine: &mut Machine,
    state: &[Value],
    visit: &mut dyn FnMut(Option<&[Value]>) -> bool,
) -> Result<(), Fault> {
    let mut work = state.to_vec();
    let mut choices = Enumerate::default();
    for number in 0..flat.instances() {
        let instance = flat.instance(number);
        choices.reset();
        loop {
            let goes_on = match machine.step(flat, instance, &mut work, &mut choices) {
                Outcome::Disabled => visit(None),
                Outcome::Done => {
                    let goes_on = visit(Some(&work));
                    machine.undo(&mut work);
                    goes_on
                }
                Outcome::Fault(fault) => return Err(fault),
            };
            if !goes_on {
                return Ok(());
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
    each_initial_state(flat, machine, &mut |state| state.is_none_or(&mut *visit))
}

/// The same, also with nothing after each choice that leads to no state.
pub fn each_initial_state(
    flat: &Flat,
    machine: &mut Machine,
    visit: &mut dyn FnMut(Option<&[Value]>) -> bool,
) -> Result<(), Fault> {
    let mut state = vec![0; flat.width()];
    let mut choices = Enumerate::default();
    loop {
        let goes_on = match machine.initialise(flat, &mut state, &mut choices) {
            Outcome::Disabled => visit(None),
            Outcome::Done => visit(Some(&state)),
            Outcome::Fault(fault) => return Err(fault),
        };
        if !goes_on || !choices.advance() {
            return Ok(());
        }
    }
}
