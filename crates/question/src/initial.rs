//! Whether there is an initial state at all.

use swarmcheck_ir::ground::Ground;
use swarmcheck_ir::initial::{Found, Order};

/// The effort spent on a proof that there is no initial state, in evaluations of conditions.
const EFFORT: u64 = 1 << 20;

/// Whether it can be proved with little effort that there is no initial state and no error in the initial block.
pub fn is_impossible(ground: &Ground, stopped: &dyn Fn() -> bool) -> bool {
    let Some(problem) = ground.problem() else { return false };
    problem.solve(Order::Ascending, EFFORT, &mut 0, stopped) == Found::None
}
