//! Estimates from random runs: many runs on several threads, folded in the order of their numbers.

use super::follow::{Course, Follower, Made};
use super::plan::Plan;
use super::tally::Tally;
use super::{EstimateEnd, EstimateOptions, EstimateReport, LawData, Method, NoEstimate};
use crate::open::Prepared;
use crate::refusal::Refusal;
use std::ops::ControlFlow;
use swarmcheck_engine::{Control, Phase, Snapshot};
use swarmcheck_simulate::{BatchEnd, Scheduler, batches};

/// Answers all queries from the same runs.
pub(super) fn sample(
    prepared: &Prepared,
    plan: &Plan,
    options: &EstimateOptions,
    law: LawData,
    scheduler: &Scheduler,
    control: &Control<'_>,
) -> Result<EstimateReport, Refusal> {
    let refuse = |why: NoEstimate| Refusal::NoEstimate { why };
    let tallies: Result<Vec<Tally>, NoEstimate> =
        plan.queries.iter().map(|q| Tally::new(q, options)).collect();
    let mut tallies = tallies.map_err(refuse)?;
    let most = match options.method {
        Method::Runs { runs } => runs,
        _ => u64::MAX,
    };
    let course = Course::new(prepared, plan, scheduler, options.seed, options.most_steps);
    let worker = || {
        let mut follower = Follower::new(&course);
        move |number: u64| if control.stopped() { None } else { follower.run(number, control.stop) }
    };
    let (mut runs, mut steps, mut ended) = (0_u64, 0_u64, None);
    let fold = |_: u64, made: Made| match made {
        Made::Run { answers, steps: made } => {
            runs += 1;
            steps += made;
            for (tally, answer) in tallies.iter_mut().zip(answers) {
                tally.push(answer);
            }
            control.progress.report(Snapshot {
                phase: Phase::Searching,
                done: runs,
                depth: steps,
                ..Snapshot::default()
            });
            match tallies.iter().all(Tally::is_enough) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
        Made::Ended(end) => {
            ended = Some(*end);
            ControlFlow::Break(())
        }
    };
    let done = batches(options.threads, 0..most, worker, fold);
    let complete = ended.is_none() && done.end != BatchEnd::Stopped;
    let end = match ended {
        Some(end) => end,
        None if complete => EstimateEnd::Complete,
        None => EstimateEnd::Interrupted,
    };
    let results = plan.queries.iter().zip(&tallies).map(|(q, tally)| tally.result(q, options, complete));
    let results = match end {
        EstimateEnd::Complete | EstimateEnd::Interrupted => results.collect(),
        // A model with errors has no probabilities.
        _ => vec![],
    };
    let seed = Some(options.seed);
    Ok(EstimateReport { law, end, results, runs, steps, states: None, transitions: None, seed })
}
