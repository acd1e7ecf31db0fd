//! A random run that violates a property. Runs with one seed are the same every time, so the first that violates it is found by
//! asking for fewer and fewer of them.

use super::{CANCELLED, once};
use std::sync::atomic::{AtomicBool, Ordering};
use swarmcheck_session::event::Outcomes;
use swarmcheck_session::request::ModelRequest;
use swarmcheck_session::simulate::SimulationEnd;
use swarmcheck_session::{Request, SimulateOptions, TraceData, TraceFormat, words};
use swarmcheck_worker::Limits;

/// How many runs are tried, and how many steps each may have.
pub(crate) const RUNS: u64 = 2_000;
pub(crate) const STEPS: u64 = 500;

/// The run, or nothing if none of them violates the property.
pub(super) fn find(
    model: &ModelRequest,
    property: &str,
    limits: Limits,
    cancelled: &AtomicBool,
) -> Result<Option<Box<TraceData>>, String> {
    let simulate = |runs: u64, traces: bool| {
        let options = SimulateOptions {
            steps: STEPS,
            runs,
            seed: 1,
            format: TraceFormat::Json,
            traces,
            ..Default::default()
        };
        once(Request::Simulate { model: model.clone(), options }, limits, cancelled)
    };
    let violated = |runs: u64| -> Result<bool, String> {
        let (outcomes, _) = simulate(runs, false)?;
        let Outcomes::Simulate { report } = *outcomes else { return Ok(false) };
        // A simulation that was cut short says nothing about the runs that it has not made.
        match &report.end {
            SimulationEnd::Complete => {}
            SimulationEnd::Interrupted if cancelled.load(Ordering::Relaxed) => {
                return Err(CANCELLED.to_string());
            }
            SimulationEnd::Interrupted => return Err("the time is over before a run violates it".to_string()),
            _ => return Err(words::simulation(&report).join("; ")),
        }
        let properties = &report.properties;
        Ok(properties.iter().any(|tally| tally.name == property && tally.violated > 0))
    };
    // Few runs are enough for most violations.
    let mut most = 1;
    while !violated(most)? {
        if most >= RUNS {
            return Ok(None);
        }
        most = (most * 8).min(RUNS);
    }
    let mut least = 1;
    while least < most {
        let middle = least.midpoint(most);
        if violated(middle)? {
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    let (_, written) = simulate(most, true)?;
    let last = written.lines().last().ok_or("the run was not written")?;
    let trace: TraceData = serde_json::from_str(last).map_err(|e| format!("the run cannot be read: {e}"))?;
    Ok(Some(Box::new(trace)))
}
