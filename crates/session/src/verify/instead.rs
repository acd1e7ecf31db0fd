//! Asking another question than the user did: a property that is not in the file is decided by the explicit engine, among few
//! states. Both kinds of vacuity (`vacuity.rs`, `scope.rs`) are found out in this way.

use super::VerifyOptions;
use super::slice::Slice;
use swarmcheck_engine::{Control, Subject, Task, Verdict};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Program, Property};
use swarmcheck_portfolio::{ENGINES, memory};

/// What the explicit engine says about a property that stands in the place of all others of a program, if it visits at most
/// `states`.
pub(super) fn instead(
    program: &Program,
    options: &VerifyOptions,
    property: Property,
    states: u64,
    control: &Control<'_>,
) -> Option<Verdict> {
    let flat = Flat::new(Program { properties: vec![property], ..program.clone() });
    let mut task = Task::new(&flat).only(Subject::Property(0));
    task.bound = options.steps;
    task.ignore_deadlock = options.ignore_deadlock;
    task.reductions = options.reductions;
    task.threads = options.threads;
    task.fairness = options.fairness;
    let few = Slice::unheard(control, states);
    let engine = ENGINES[0].engine(None);
    let findings = memory::guarded(&*engine, &task, &few.control(), None);
    findings.into_iter().next().map(|finding| finding.verdict)
}
