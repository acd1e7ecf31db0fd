//! How fast the functions of a program are: a table beside the program, which does not change.
//!
//! An action has its own rate, else that of the kind that runs it, else 1. The step that passes `g => P` is no action of the text, so it has the
//! rate of the kind. The steps of parallel processes are interleaved, never joined: each has the rate of its action. A message has
//! the rate of its stigmergy, else 1, whoever sends it; with `--sync` messages are part of the action that causes them.

use crate::model::{ActionId, Model, Rate, Rates, TupleId};
use swarmcheck_ir as ir;

/// What the model says nothing about.
const ONE: Rate = Rate { numerator: 1, denominator: 1 };

/// The rate of every function of a program that [`super::lower`] made of the model, by the kind of the agent that runs it. `None` if the model
/// gives no rate.
pub fn rates(model: &Model, program: &ir::Program) -> Option<Vec<Vec<Rate>>> {
    let Rates { kinds, stigmergies, actions } = &model.rates;
    if actions.is_empty() && kinds.iter().chain(stigmergies).all(Option::is_none) {
        return None;
    }
    let of = |function: &ir::Function, kind: usize| match &function.rule {
        ir::Rule::Action { site, .. } => {
            let own = actions.get(&ActionId(*site)).copied();
            own.or_else(|| kinds.get(kind).copied().flatten())
        }
        ir::Rule::System { site, .. } => {
            let tuple = model.tuples.get(TupleId(*site).0 as usize);
            tuple.and_then(|tuple| stigmergies.get(tuple.stigmergy.0 as usize).copied().flatten())
        }
    };
    let row = |function| (0..model.kinds.len()).map(|kind| of(function, kind).unwrap_or(ONE)).collect();
    Some(program.functions.iter().map(row).collect())
}
