//! Compositional verification: the emulation program as a network of processes, each reduced alone, then put together and
//! reduced again, agent by agent. What steps do are terms over the state before them (`swarmcheck_steps`).
//!
//! * [`split`]: which cells belong to which process.
//! * [`gates`]: steps as synchronisations of processes, with values that they exchange.
//! * [`leaf`], [`explore`]: the transition systems of single processes, against an interface of what others may provide;
//!   [`alike`], [`copy`]: one for all that are the same under other names.
//! * [`interface`]: processes restricted to what their neighbours let them do.
//! * [`network`]: all of that for a program.
//! * [`label`], [`process`], [`product`]: processes together, and smaller ones that behave alike.
//! * [`expand`]: from a way through the reduced whole back to one of all processes.
//! * [`plan`]: how all that is done. [`assemble`]: one after the other, as long as it pays;
//!   [`order`]: which two first; [`root`]: the whole; [`check`]: what is asked of it;
//!   [`preserved`]: what may be reduced for that. [`decide`]: the engine; [`answer`]: what it says.
//!
//! Architecture invariant: nothing here knows a source language.

#![warn(missing_docs)]

pub mod alike;
pub mod answer;
pub mod assemble;
pub mod check;
pub mod copy;
pub mod decide;
pub mod expand;
pub mod explore;
pub mod gates;
pub mod interface;
pub mod label;
pub mod leaf;
pub mod network;
pub mod order;
pub mod plan;
pub mod preserved;
pub mod process;
pub mod product;
pub mod quick;
pub mod refused;
pub mod root;
pub mod split;

pub use plan::{Limits, NoWhole, Order, Plan};
pub use refused::Refused;
use swarmcheck_engine::{Control, Engine, Finding, Task};
use swarmcheck_question::questions;

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compose;

impl Engine for Compose {
    fn name(&self) -> &'static str {
        "compose"
    }

    fn can_handle(&self, task: &Task) -> Result<(), String> {
        let setting = task.setting();
        for subject in task.subjects() {
            if let Ok(questions) = questions(&setting, subject) {
                decide::pays(&questions, task).map_err(|refused| refused.to_string())?;
            }
        }
        Ok(())
    }

    fn run(&self, task: &Task, control: &Control<'_>) -> Vec<Finding> {
        let setting = task.setting();
        let decide = |(number, subject)| match questions(&setting, subject) {
            Ok(questions) => decide::decide(&questions, task, control, number as u32),
            Err(refusal) => Finding::unknown(subject, refusal),
        };
        task.subjects().enumerate().map(decide).collect()
    }
}
