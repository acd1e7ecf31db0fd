//! Views, links and charts compared with what the models say.

mod charts;
mod views;

use crate::explain::tests::runs;
use crate::open::{ModelOptions, Prepared, prepare};
use swarmcheck_engine::trace::data::TraceData;

/// A model with these parameters (`n=3 size=4`), perhaps with messages that are delivered at once.
fn open(name: &str, text: &str, parameters: &str, sync: bool) -> Prepared {
    let pairs = parameters.split_whitespace().filter_map(|p| p.split_once('='));
    let parameters = pairs.map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let options = ModelOptions { parameters, sync, ..ModelOptions::default() };
    prepare(name, text.as_bytes(), options).unwrap_or_else(|_| panic!("{name} is refused"))
}

/// Random executions.
fn traces(prepared: &Prepared, count: u64, steps: u64) -> Vec<TraceData> {
    runs(prepared, count, steps)
}
