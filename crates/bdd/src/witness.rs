//! Executions that show what was found, replayed on the system.

use std::collections::HashMap;

use swarmcheck_aig::{Lit, Witness};

use crate::cycle::Lasso;
use crate::function::Functions;
use crate::model::Model;
use crate::space::{Failure, Set};

/// The execution of the system that goes through these states.
pub fn witness(model: &Model<'_>, states: &[Vec<bool>]) -> Result<Witness, Failure> {
    let lost = Failure::Internal("a step of the diagrams is not one of the system");
    let system = model.system;
    let first = states.first().ok_or(lost)?;
    let starts: Vec<Lit> = system.latches.iter().map(|latch| latch.start).collect();
    let inputs = ChosenInputs { inputs: &system.start_inputs, places: &model.places.starts };
    let start = choice(model, inputs, None, system.start_valid, &starts, first)?.ok_or(lost)?;
    let next: Vec<Lit> = system.latches.iter().map(|latch| latch.next).collect();
    let inputs = ChosenInputs { inputs: &system.inputs, places: &model.places.inputs };
    let mut steps = vec![];
    for pair in states.windows(2) {
        steps.push(choice(model, inputs, Some(&pair[0]), system.valid, &next, &pair[1])?.ok_or(lost)?);
    }
    let found = Witness::replay(system, start, steps).ok_or(lost)?;
    if found.states == states { Ok(found) } else { Err(lost) }
}

/// The same for an infinite execution: the last state of the lasso is the one it goes back to.
pub fn round(model: &Model<'_>, lasso: &Lasso) -> Result<Witness, Failure> {
    let mut found = witness(model, &lasso.states)?;
    if found.states.get(lasso.back_to).map(|state| &state[..]) != Some(found.last()) {
        return Err(Failure::Internal("a cycle does not close"));
    }
    found.back_to = Some(lasso.back_to);
    Ok(found)
}

/// Inputs whose values are to be chosen, with their variables in the diagrams.
#[derive(Clone, Copy)]
struct ChosenInputs<'a> {
    inputs: &'a [Lit],
    /// The variable of each input, in the variable order.
    places: &'a [u32],
}

/// Values of inputs with which, in a state, a condition is true and functions have these values.
fn choice(
    model: &Model<'_>,
    chosen: ChosenInputs<'_>,
    state: Option<&Vec<bool>>,
    valid: Lit,
    functions: &[Lit],
    values: &[bool],
) -> Result<Option<Vec<bool>>, Failure> {
    let space = &model.space;
    let mut meanings: HashMap<u32, Set> = HashMap::new();
    for (input, &place) in chosen.inputs.iter().zip(chosen.places) {
        meanings.insert(input.node(), space.variable(place)?);
    }
    for (latch, &bit) in model.system.latches.iter().zip(state.into_iter().flatten()) {
        meanings.insert(latch.variable.node(), space.constant(bit));
    }
    let mut sets = Functions::new(&model.system.graph, space, meanings);
    let mut all = sets.set(valid)?;
    for (&function, &value) in functions.iter().zip(values) {
        all = space.and(&all, &sets.set(function.negate_if(!value))?)?;
    }
    Ok(space.pick(&all, chosen.places))
}
