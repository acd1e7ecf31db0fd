//! Claims decided, and states counted, by an engine.

use crate::claims::{Claim, Instance};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Fairness, Finding, Reason, Reductions, Task, Verdict};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Expr, Modality};

/// Without reductions, claims about state spaces up to this size are decided.
const UNREDUCED_MAX: usize = 20_000;
/// Claims without a size are decided if the engine takes less memory than this, in bytes.
const MEMORY_MAX: u64 = 30_000_000;

/// How much is to be done.
#[derive(Clone, Copy)]
pub struct Work {
    /// Claims about more states than this are left out.
    pub states_max: usize,
    /// Claims about an unknown number of states are decided, too.
    pub unknown_sizes: bool,
}

impl Work {
    pub fn includes(self, claim: &Claim) -> bool {
        claim.instance.states.map_or(self.unknown_sizes, |states| states <= self.states_max)
    }
}

fn run(engine: &dyn Engine, task: &Task) -> Vec<Finding> {
    let stop = AtomicBool::new(false);
    let budget = Budget { memory: Some(MEMORY_MAX), ..Budget::default() };
    engine.run(task, &Control { stop: &stop, budget, progress: &Silent })
}

/// 1 if the claim was decided as it should be, 0 if that took too much memory.
pub fn decide(engine: &dyn Engine, claim: &Claim, work: Work) -> Result<usize, String> {
    let flat = claim.instance.flat()?;
    let properties = &flat.program.properties;
    let property = properties.iter().position(|p| p.name == claim.property).ok_or("no such property")?;
    let mut task = Task {
        properties: vec![property],
        bound: claim.option("--steps").and_then(|steps| steps.parse().ok()),
        ignore_deadlock: claim.option("--ignore-deadlock").is_some(),
        fairness: match claim.option("--fairness") {
            Some("weak") => Fairness::Weak,
            Some("strong") => Fairness::Strong,
            _ => Fairness::None,
        },
        ..Task::new(&flat)
    };
    let unreduced_max = UNREDUCED_MAX.min(work.states_max);
    let mut decided = 0;
    for reductions in [Reductions::NONE, Reductions::ALL] {
        if reductions == Reductions::NONE && claim.instance.states.is_none_or(|n| n > unreduced_max) {
            continue;
        }
        task.reductions = reductions;
        let found = match &run(engine, &task)[0].verdict {
            Verdict::Holds(_) => "holds",
            Verdict::Violated(..) => "violated",
            Verdict::Invalid(_) => "invalid",
            Verdict::Unknown(Reason::Memory) => continue,
            Verdict::Unknown(reason) => return Err(reason.to_string()),
        };
        decided = 1;
        if found != claim.verdict {
            return Err(format!("{found}, not {}, with {reductions:?}", claim.verdict));
        }
    }
    Ok(decided)
}

/// Counts states by a question whose search goes to the end: whether `true` always holds.
pub fn count(engine: &dyn Engine, instance: &Instance) -> Result<usize, String> {
    let mut program = (*instance.flat()?.program).clone();
    program.properties.truncate(1);
    program.properties[0].modality = Modality::Always;
    program.properties[0].predicate = Expr::TRUE;
    let flat = Flat::new(program);
    // Diagrams of numbers whose ranges are not known are large; ranges change the size of states, not their number.
    let reductions = Reductions { ranges: engine.name() == "bdd", ..Reductions::NONE };
    let task = Task { reductions, threads: 2, ..Task::new(&flat) };
    let found = run(engine, &task)[0].effort.states;
    match Some(found) == instance.states.map(|states| states as u64) {
        true => Ok(1),
        false => Err(format!("{found} states, not {:?}", instance.states)),
    }
}
