//! Replaying a stored trace on the reference semantics.

use crate::languages::LanguageWord;
use crate::open::{Trouble, prepare};
use crate::stored::StoredReading;
use serde::{Deserialize, Serialize};
use swarmcheck_certify::Refused;
use swarmcheck_engine::trace::data::{FORMAT, TraceData, VERSION};

/// What replaying says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub enum ReplayAnswer {
    /// Every step is a step of the rules.
    Accepted {
        /// How many there are.
        steps: usize,
        /// No step is possible in the last state.
        deadlock: bool,
    },
    /// The trace does not fit the model.
    Refused {
        /// The step, from 1; none if the trace is wrong before its first step.
        step: Option<usize>,
        /// What does not fit, as a sentence.
        why: String,
    },
    /// The trace may fit the model: more can happen than was looked at.
    Undecided {
        /// The step, from 1; none if it is about what comes before the first.
        step: Option<usize>,
        /// What is too much, as a sentence.
        why: String,
    },
}

/// Reads a trace from JSON.
pub fn read(text: &str) -> Result<TraceData, String> {
    crate::version::read(text, "a trace", FORMAT, VERSION)
}

/// Replays a trace on the model it names, whose bytes the caller has read.
pub fn replay(trace: &TraceData, name: &str, bytes: &[u8]) -> Result<ReplayAnswer, Trouble> {
    replay_as(trace, name, bytes, None)
}

/// The same with a model in a language that somebody has named.
pub fn replay_as(
    trace: &TraceData,
    name: &str,
    bytes: &[u8],
    language: Option<LanguageWord>,
) -> Result<ReplayAnswer, Trouble> {
    let options = match StoredReading::from(trace).options(language) {
        Ok(options) => options,
        Err(why) => return Ok(ReplayAnswer::Refused { step: None, why }),
    };
    let prepared = prepare(name, bytes, options)?;
    let replayed = match &trace.reach {
        None => prepared.model.replay(&prepared.file, trace),
        Some(predicate) => crate::reach::replay(&prepared, trace, predicate),
    };
    Ok(match replayed {
        Ok(replayed) => ReplayAnswer::Accepted { steps: replayed.steps, deadlock: replayed.deadlock },
        Err(Refused { step, why, undecided: true }) => ReplayAnswer::Undecided { step, why },
        Err(Refused { step, why, undecided: false }) => ReplayAnswer::Refused { step, why },
    })
}
