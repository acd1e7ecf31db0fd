//! What "random" means for a model and a scheduler, as data: the law is that of `swarmcheck_simulate::law`.

use super::{EstimateOptions, LawData, NoEstimate, SchedulerWord};
use crate::open::Prepared;
use crate::refusal::Refusal;
use swarmcheck_ir::program::Rule;
use swarmcheck_ir::stmt::{self, Set};
use swarmcheck_ir::{Program, Stmt};
use swarmcheck_simulate::Scheduler;

pub(super) fn law(prepared: &Prepared, scheduler: SchedulerWord) -> LawData {
    let program = &prepared.flat.program;
    let assumes = |s: &Stmt| matches!(s, Stmt::Assume(_));
    LawData {
        scheduler,
        messages: has_messages(program),
        choices_inside: program.functions.iter().any(|f| some(&f.body, chooses)),
        initial_choices: some(&program.init, chooses),
        assumptions: some(&program.init, assumes),
        turns: prepared.options.fair,
    }
}

fn has_messages(program: &Program) -> bool {
    program.functions.iter().any(|f| matches!(f.rule, Rule::System { .. }))
}

fn some(block: &[Stmt], test: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    stmt::walk(block, &mut |s| found |= test(s));
    found
}

fn chooses(stmt: &Stmt) -> bool {
    let several = |set: &Set| match set {
        Set::Values(values) => values.len() > 1,
        Set::Range(..) => true,
    };
    match stmt {
        Stmt::Havoc(_, set) | Stmt::Fill(_, set) => several(set),
        Stmt::Pick { .. } => true,
        Stmt::Choose(branches) => branches.len() > 1,
        _ => false,
    }
}

/// The scheduler of the runs.
pub(super) fn scheduler(prepared: &Prepared, options: &EstimateOptions) -> Result<Scheduler, Refusal> {
    Ok(match options.scheduler {
        SchedulerWord::Steps | SchedulerWord::RoundRobin => Scheduler::Steps,
        SchedulerWord::Agents => Scheduler::Agents,
        SchedulerWord::Rates => {
            let rates = prepared.model.rates(&prepared.flat.program);
            Scheduler::Rates(rates.ok_or(Refusal::NoEstimate { why: NoEstimate::NoRates })?)
        }
        SchedulerWord::Any => Scheduler::Any,
    })
}
