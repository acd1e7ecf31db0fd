//! Whether the peers of a choreography, made by natural projection, do what the choreography says (TOSEM, section 5).
//!
//! Two things are asked: that the peers never get stuck before all of them have ended, and that they have the traces of the
//! choreography, where the end of all counts as an action, so that complete traces are compared as well.

use crate::compare::{Alike, Compared, Side, compare};
use crate::languages::LanguageWord;
use crate::lts::refused;
use crate::open::{ModelOptions, Prepared, Trouble, prepare};
use crate::outcome::{Answer, Answered, DEADLOCK, Reason};
use crate::refusal::Refusal;
use crate::verify::{VerifyOptions, verify};
use serde::{Deserialize, Serialize};
use swarmcheck_engine::Control;
use swarmcheck_ir::flat::Flat;

/// The two answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Realized {
    /// Whether the peers can get stuck.
    pub deadlock: Answer,
    /// Whether the choreography (first) and the peers (second) have the same traces.
    pub traces: Compared,
}

/// What both answers together say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Realizable {
    /// No deadlock, and the same traces.
    Yes,
    /// A deadlock, or other traces.
    No,
    /// Deadlock freedom is not known.
    Unknown,
}

/// A choreography twice: as it is, and as its peers.
pub struct Choreography {
    whole: Box<Prepared>,
    peers: Box<Prepared>,
}

/// Opens a choreography.
pub fn open(name: &str, bytes: &[u8]) -> Result<Choreography, Trouble> {
    open_as(name, bytes, None)
}

/// The same, in a language that somebody has named.
pub fn open_as(name: &str, bytes: &[u8], language: Option<LanguageWord>) -> Result<Choreography, Trouble> {
    let options = ModelOptions { language, ..ModelOptions::default() };
    let whole = prepare(&format!("{name}:choreography"), bytes, options.clone())?;
    let peers = prepare(name, bytes, options)?;
    if peers.model.peers().is_none() {
        return Err(Trouble::NoChoreography(name.to_string()));
    }
    Ok(Choreography { whole: Box::new(whole), peers: Box::new(peers) })
}

/// Answers both questions.
pub fn realize(choreography: Choreography, control: &Control<'_>) -> Result<Realized, Refusal> {
    let Choreography { whole, mut peers } = choreography;
    // Properties are not asked about here, so nothing need follow them.
    let behaviour = peers.behaviour().map_err(|d| refused(&peers, d))?.clone();
    peers.flat = Flat::new(behaviour);
    let only = Some(vec![DEADLOCK.to_string()]);
    let options = VerifyOptions { deadlock: true, only, ..VerifyOptions::default() };
    let report = verify(&peers, &options, control)?;
    let missing = || Refusal::unfinished(Reason::NoAnswer);
    let deadlock = report.answers.into_iter().next().ok_or_else(missing)?;
    let traces = compare(&[Side::Model(whole), Side::Model(peers)], Alike::Trace, control)?;
    Ok(Realized { deadlock, traces })
}

impl Realized {
    /// What both answers together say.
    pub fn verdict(&self) -> Realizable {
        match (self.deadlock.verdict(), &self.traces.difference) {
            (Answered::Holds, None) => Realizable::Yes,
            (Answered::Unknown | Answered::ModelError, None) => Realizable::Unknown,
            _ => Realizable::No,
        }
    }
}
