//! Replaying a stored trace on the reference semantics.

use crate::open::{ModelOptions, Trouble, prepare};
use swarmcheck_engine::trace::data::TraceData;

/// What replaying said.
pub enum Answer {
    /// Every step is a step of the rules.
    Accepted(swarmcheck_certify::Replayed),
    /// The trace does not fit the model.
    Refused(swarmcheck_certify::Refused),
}

/// Reads a trace from JSON.
pub fn read(text: &str) -> Result<TraceData, String> {
    serde_json::from_str(text).map_err(|e| format!("not a trace: {e}"))
}

/// Replays a trace on the model it names, whose bytes the caller has read.
pub fn replay(trace: &TraceData, name: &str, bytes: &[u8]) -> Result<Answer, Trouble> {
    let parameters = trace.parameters.iter().map(|(n, v)| (n.clone(), v.to_string())).collect();
    let options = ModelOptions { parameters, fair: trace.fair, ..ModelOptions::default() };
    let prepared = prepare(name, bytes, options)?;
    Ok(match prepared.model.replay(&prepared.file, trace) {
        Ok(replayed) => Answer::Accepted(replayed),
        Err(refused) => Answer::Refused(refused),
    })
}
