//! What searches are built from, state by state: the ground program makes the same steps as the flat program, and
//! values stay in the ranges that were found for them.

use crate::search::Space;
use swarmcheck_engine::system::{self, Step};
use swarmcheck_ir::flat::{Enumerate, Flat, Machine, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::{Fault, Value};
use swarmcheck_passes::ranges;

/// The first difference, in words.
pub fn compare(flat: &Flat, space: &Space) -> Result<(), String> {
    let ground = Ground::new(&flat.program);
    let (mut machine, mut runner) = (Machine::new(flat), Runner::default());
    if flat_initial(flat, &mut machine) != ground_initial(&ground, &mut runner) {
        return Err("the initial states of the ground program differ".to_string());
    }
    let conditions: Vec<_> = flat.program.properties.iter().flat_map(|p| p.exprs()).collect();
    let flat_codes: Vec<_> = conditions.iter().map(|c| flat.compile(c)).collect();
    let ground_codes: Vec<_> = conditions.iter().map(|c| ground.condition(&flat.program, c)).collect();
    for state in &space.states {
        let (expected, found) =
            (system::successors(flat, &mut machine, state), steps(&ground, &mut runner, state));
        if expected != found {
            return Err(format!(
                "the steps of the ground program differ in {state:?}:\n{expected:?}\n{found:?}"
            ));
        }
        for (number, (one, other)) in flat_codes.iter().zip(&ground_codes).enumerate() {
            let (one, other) = (machine.test(flat, one, state), runner.test(other, state));
            if one != other {
                return Err(format!("condition {number} is {one:?} but {other:?} when ground in {state:?}"));
            }
        }
    }
    within_ranges(flat, space)
}

fn within_ranges(flat: &Flat, space: &Space) -> Result<(), String> {
    let found = ranges::ranges(&flat.program);
    let cells = (0..flat.width() as u32).map(|slot| flat.layout.cell(slot));
    let all: Vec<_> = cells.map(|cell| (cell.var, found.value(cell.var))).collect();
    for state in &space.states {
        for (value, (var, range)) in state.iter().zip(&all) {
            if !range.contains(*value) {
                let name = &flat.program.var(*var).name;
                return Err(format!("{name} is {value}, outside of {range:?}"));
            }
        }
    }
    Ok(())
}

/// Initial states in order, with their choices; then the error, if there is one.
type Initial = (Vec<(Vec<u64>, Vec<Value>)>, Option<Fault>);

fn flat_initial(flat: &Flat, machine: &mut Machine) -> Initial {
    let mut state = vec![0; flat.width()];
    enumerate(|choices| (machine.initialise(flat, &mut state, choices), state.clone()))
}

fn ground_initial(ground: &Ground, runner: &mut Runner) -> Initial {
    let mut state = vec![0; ground.width()];
    enumerate(|choices| (runner.initialise(ground, &mut state, choices), state.clone()))
}

fn enumerate(mut run: impl FnMut(&mut Enumerate) -> (Outcome, Vec<Value>)) -> Initial {
    let (mut choices, mut out) = (Enumerate::default(), vec![]);
    loop {
        match run(&mut choices) {
            (Outcome::Done, state) => out.push((choices.choices().collect(), state)),
            (Outcome::Disabled, _) => {}
            (Outcome::Fault(fault), _) => return (out, Some(fault)),
        }
        if !choices.advance() {
            return (out, None);
        }
    }
}

/// All steps of a state, by the ground program.
fn steps(ground: &Ground, runner: &mut Runner, state: &[Value]) -> Vec<Step> {
    let mut out = vec![];
    let mut work = state.to_vec();
    let mut choices = Enumerate::default();
    for routine in ground.instances() {
        choices.reset();
        loop {
            let outcome = runner.step(routine, &mut work, &mut choices);
            let result = match outcome {
                Outcome::Disabled => None,
                Outcome::Done => Some(Ok(work.clone())),
                Outcome::Fault(fault) => Some(Err(fault)),
            };
            if let Some(result) = result {
                let choices = choices.choices().collect();
                out.push(Step { instance: routine.instance, choices, result });
            }
            if outcome == Outcome::Done {
                runner.undo(&mut work);
            }
            if !choices.advance() {
                break;
            }
        }
    }
    out
}
