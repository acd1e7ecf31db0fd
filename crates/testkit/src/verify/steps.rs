//! What searches are built from, state by state: the ground program makes the same steps as the flat program, and
//! values stay in the ranges that were found for them.

use crate::search::Space;
use std::collections::BTreeSet;
use swarmcheck_engine::system::{self, Step};
use swarmcheck_ir::flat::{Enumerate, Flat, Machine, Outcome};
use swarmcheck_ir::ground::{Block, Ground, Runner};
use swarmcheck_ir::initial::{Found, Order};
use swarmcheck_ir::{Fault, Value};
use swarmcheck_passes::ranges;
use swarmcheck_simulate::{Rng, Start, Starts};

/// The first difference, in words.
pub fn compare(flat: &Flat, space: &Space) -> Result<(), String> {
    let ground = Ground::new(&flat.program);
    let (mut machine, mut runner) = (Machine::new(flat), Runner::default());
    let initial = flat_initial(flat, &mut machine);
    if initial != ground_initial(&ground, &mut runner, ground.initial()) {
        return Err("the initial states of the ground program differ".to_string());
    }
    found_early(flat, &ground, &initial)?;
    super::follow::compare(flat, 1)?;
    super::follow::runs(flat, 1, 40)?;
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

fn ground_initial(ground: &Ground, runner: &mut Runner, block: &Block) -> Initial {
    let mut state = vec![0; ground.width()];
    enumerate(|choices| (runner.begin(block, &mut state, choices), state.clone()))
}

/// Testing assumptions early finds the same initial states, and searching for one finds one of them, or proves that there
/// is none; an error of the model is met exactly if blind enumeration meets one.
fn found_early(flat: &Flat, ground: &Ground, (expected, fault): &Initial) -> Result<(), String> {
    let (found, early_fault) = ground_initial(ground, &mut Runner::default(), ground.beginning());
    if early_fault.is_some() != fault.is_some() {
        return Err(format!("tested early, the initial block meets {early_fault:?}, and not {fault:?}"));
    }
    if fault.is_some() {
        return Ok(());
    }
    let set = |all: &[(Vec<u64>, Vec<Value>)]| -> BTreeSet<Vec<Value>> {
        all.iter().map(|(_, state)| state.clone()).collect()
    };
    let (expected, found) = (set(expected), set(&found));
    if expected != found {
        return Err(format!("tested early, the initial states are {found:?}, and not {expected:?}"));
    }
    if let Some(problem) = ground.problem() {
        let one = problem.solve(Order::Ascending, u64::MAX, &mut 0, &|| false);
        let right = match (&one, expected.is_empty()) {
            (Found::None, empty) => empty,
            (Found::Values(_), empty) => !empty || !problem.is_complete(),
            _ => false,
        };
        if !right {
            return Err(format!("the search for an initial state says {one:?} where there are {expected:?}"));
        }
    }
    for seed in 0..2 {
        let drawn = Starts::new(flat).draw(Rng::new(seed), &|| false);
        let right = match &drawn {
            Ok(Start::Ready(run)) => expected.contains(run.state()),
            Ok(Start::Impossible) => expected.is_empty(),
            _ => false,
        };
        if !right {
            return Err(format!("seed {seed} does not draw one of the initial states {expected:?}"));
        }
    }
    Ok(())
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
