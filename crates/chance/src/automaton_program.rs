//! The process of a program as formulas of linear time need it: with what resting does, and a label for each of their conditions.

use crate::automaton::numbered;
use crate::build::{BuildError, BuildOptions, Built, Control, Watched, build};
use swarmcheck_ir::Linear;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::property::LinearTime;
use swarmcheck_passes::linear::resting;
use swarmcheck_simulate::Scheduler;
use swarmcheck_simulate::law::Rate;

/// A process with a formula about its states.
#[derive(Clone, PartialEq, Debug)]
pub struct FormulaProcess {
    /// Its labels are the atoms of the formula.
    pub built: Built,
    /// The formula over the numbers of labels.
    pub formula: Linear<usize>,
}

/// Builds the process for a formula. What comes of it is asked with [`crate::formula_probability`].
///
/// # Errors
/// As [`build`].
pub fn formula_process(
    flat: &Flat,
    linear: &LinearTime,
    scheduler: &Scheduler,
    options: &BuildOptions,
    control: Control<'_>,
) -> Result<FormulaProcess, BuildError> {
    let (formula, conditions) = numbered(&linear.formula);
    let watched = Watched { conditions, ..Watched::default() };
    let built = match rest_steps(flat, linear) {
        None => build(flat, scheduler, &watched, options, control)?,
        Some(rests) => build(&rests, &rest_scheduler(flat, scheduler), &watched, options, control)?,
    };
    Ok(FormulaProcess { built, formula })
}

/// The scheduler for the program with the step of resting. That step has no competitor, so its rate does not matter.
pub fn rest_scheduler(flat: &Flat, scheduler: &Scheduler) -> Scheduler {
    match scheduler {
        Scheduler::Rates(rates) => {
            let mut rates = rates.clone();
            rates.of.push(vec![Rate::ONE; flat.program.kinds.len()]);
            Scheduler::Rates(rates)
        }
        other => other.clone(),
    }
}

/// The program with the step of resting, if resting changes anything.
pub fn rest_steps(flat: &Flat, linear: &LinearTime) -> Option<Flat> {
    if linear.rest.is_empty() {
        return None;
    }
    resting(&flat.program, linear).map(Flat::new)
}
