//! The explicit-state engine: it visits every state that matters, exactly, and answers from what it has seen.
//!
//! * [`codec`], [`store`]: states in few bits, in a table that many threads share.
//! * [`packed`]: steps on packed states.
//! * [`data_symmetry`]: symmetry reduction on data, on packed states.
//! * [`partial_order`]: partial-order reduction.
//! * [`search`]: the one search loop. What it looks for is data ([`search::Setup`]).
//! * [`graph`]: what can be asked when the search is over: what reaches what, and where the cycles are.
//! * [`reduce`]: the smaller program that is searched in place of the original.
//! * [`concrete`]: from a path of the smaller program to an execution of the original.
//! * [`execution`]: the same as a trace for reports.
//! * [`labelled`]: the transition system itself, with labels.
//! * [`linear`]: linear temporal logic over its labels.
//! * [`predicate_abstraction`]: the same search of an abstract program, which only proves.
//! * [`decide`]: which questions share a search, and what its result says about each.
//!
//! Verdicts, counts and traces do not depend on the number of threads.
//!
//! Architecture invariant: nothing here knows a source language.

mod answer;
pub mod codec;
mod components;
pub mod concrete;
pub mod coverage;
pub mod data_symmetry;
pub mod decide;
mod dispatch;
pub mod execution;
pub mod graph;
mod initial;
pub mod labelled;
pub mod packed;
pub mod partial_order;
pub mod predicate_abstraction;
pub mod reduce;
pub mod search;
pub mod store;
mod worker;

pub use predicate_abstraction::Abstract;
use swarmcheck_engine::{Control, Engine, Finding, Task};

/// Explicit-state search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn can_handle(&self, _: &Task<'_>) -> Result<(), String> {
        Ok(())
    }

    fn run(&self, task: &Task<'_>, control: &Control<'_>) -> Vec<Finding> {
        let mut findings = vec![];
        for (number, job) in decide::jobs(task).into_iter().enumerate() {
            match job {
                Ok(job) => findings.extend(job.run(task, control, number as u32)),
                Err(finding) => findings.push(*finding),
            }
        }
        findings.sort_by_key(|f| f.subject);
        findings
    }
}
