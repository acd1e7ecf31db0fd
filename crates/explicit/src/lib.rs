//! The explicit-state engine: it visits every state that matters, exactly, and answers from what it has seen.
//!
//! * [`codec`], [`store`]: states in few bits, in a table that many threads share.
//! * [`packed`]: steps on packed states.
//! * [`data_symmetry`]: symmetry reduction on data, on packed states.
//! * [`partial_order`]: partial-order reduction.
//! * [`search`]: the one search loop. What it looks for is data ([`search::Setup`]).
//! * [`graph`]: what can be asked when the search is over: what reaches what, and where the cycles are.
//! * [`fair`]: where the cycles are that fair executions can stay in.
//! * [`labelled`]: the transition system itself, with labels.
//! * [`predicate_abstraction`]: the same search of an abstract program, which only proves.
//! * [`decide`]: from questions to a search, and what its result says about each.
//!
//! Verdicts, counts and traces do not depend on the number of threads.
//!
//! Architecture invariant: nothing here knows a source language.

mod answer;
pub mod codec;
mod components;
pub mod coverage;
pub mod data_symmetry;
pub mod decide;
mod dispatch;
pub mod fair;
pub mod graph;
mod initial;
pub mod labelled;
pub mod packed;
pub mod partial_order;
pub mod predicate_abstraction;
pub mod search;
pub mod store;
mod stored;
mod worker;

pub use predicate_abstraction::Abstract;
use swarmcheck_engine::{Control, Engine, Finding, Task};
use swarmcheck_question::plan;

/// Explicit-state search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Explicit;

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        "explicit"
    }

    fn can_handle(&self, _: &Task) -> Result<(), String> {
        Ok(())
    }

    fn run(&self, task: &Task, control: &Control<'_>) -> Vec<Finding> {
        let setting = task.setting();
        let mut findings = vec![];
        for (number, plan) in plan(&setting, task.subjects()).iter().enumerate() {
            match plan.questions(&setting) {
                Ok(questions) => {
                    findings.extend(decide::decide(questions, task, control, number as u32));
                }
                Err(refusal) => findings
                    .extend(plan.subjects.iter().map(|subject| Finding::unknown(*subject, refusal.clone()))),
            }
        }
        findings.sort_by_key(|f| f.subject);
        findings
    }
}
