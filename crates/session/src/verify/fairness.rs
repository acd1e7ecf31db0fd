//! Whether only fair executions can be asked about.
//!
//! Fairness is about units: an agent with its actions, and an agent with its pending messages. Where steps belong to no
//! single agent, and where somebody decides who does not know about units, the question is refused. A verdict about all
//! executions would be another one.

use super::{Backend, VerifyOptions};
use crate::open::Prepared;
use crate::refusal::{NoFairness, Refusal};

/// Whether the question makes sense for this model, and whoever decides can answer it.
pub(crate) fn acceptable(
    prepared: &Prepared,
    options: &VerifyOptions,
    backend: Option<Backend>,
) -> Result<(), Refusal> {
    let language = prepared.language();
    let why = match backend {
        _ if options.fairness.is_none() => return Ok(()),
        _ if !language.has_units => NoFairness::NoUnits { language: language.word },
        _ if prepared.options.fair => NoFairness::RoundRobin,
        Some(backend) => NoFairness::Backend { name: backend.name().to_string() },
        None if options.witness.is_some() => NoFairness::Witness,
        None => return Ok(()),
    };
    Err(Refusal::NoFairness { why })
}
