//! Which agents are interchangeable, as far as probabilities and what is watched are concerned.
//!
//! `swarmcheck_passes::symmetry` proves that a permutation `π` of agents commutes with steps: `s → s'` by agent `a` exactly if
//! `πs → πs'` by agent `πa`, with the same function or one that says the same. Probabilities need more, and have it:
//!
//! * *Choices correspond one to one.* A step of `πa` in `πs` runs the same statements. What it draws from has as many alternatives:
//!   ranges have the same ends, or are closed under `π`; lists have the same length; branches of a choice are open in `πs` exactly if they are in `s`;
//!   `pick` draws among as many agents. Rounds of a loop over agents do not influence each other, so that their order does not
//!   matter to a product of probabilities. So the sequences of choices that run to the end correspond, with equal products.
//! * *Schedulers* count enabled steps, or agents and then steps of an agent: both numbers are the same in `πs`. With rates, a
//!   step must have the same rate as its image. Rates belong to a function and a kind of agent. A group within a kind is fine.
//!   A group across kinds is left out unless all rates are equal.
//! * *Conditions* are treated like properties, so their truth is the same. *Values* must be no numbers of agents; that is
//!   enforced by comparing them with `<`, which numbers of agents must not be.
//!
//! So orbits are a strong probabilistic bisimulation. Initial states need not be symmetric: the weight of a
//! representative is the sum over the initial states that it stands for.

use super::Watched;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{BinaryOp, Expr, Modality, Program, Property};
use swarmcheck_passes::symmetry::{Symmetry, symmetry};
use swarmcheck_simulate::Scheduler;

/// The symmetries that keep probabilities and what is watched.
pub(super) fn find(flat: &Flat, scheduler: &Scheduler, watched: &Watched) -> Option<Symmetry> {
    let mut program: Program = (*flat.program).clone();
    let span = Default::default();
    let property = |predicate: Expr| Property {
        name: String::new(),
        modality: Modality::Always,
        predicate,
        span,
        vacuous: false,
    };
    let small =
        |value: &Expr| Expr::Binary(BinaryOp::Lt, Box::new(value.clone()), Box::new(Expr::Const(0)), span);
    program.properties =
        watched.conditions.iter().cloned().chain(watched.values.iter().map(small)).map(property).collect();
    let all: Vec<usize> = (0..program.properties.len()).collect();
    let mut found = symmetry(&program, &all)?;
    if let Scheduler::Rates(rates) = scheduler {
        let mut every = rates.of.iter().flatten();
        let first = every.next();
        let complete = rates.of.len() == program.functions.len()
            && rates.of.iter().all(|of| of.len() == program.kinds.len());
        let equal = complete && every.all(|rate| Some(rate) == first);
        found.groups.retain(|group| {
            let kind = |agent: &u32| program.kind_of(*agent);
            equal || group.agents.windows(2).all(|pair| kind(&pair[0]) == kind(&pair[1]))
        });
    }
    (!found.groups.is_empty()).then_some(found)
}
