//! Whether the peers of a choreography, made by natural projection, do what the choreography says (TOSEM, section 5).
//!
//! Two things are asked: that the peers never get stuck before all of them have ended, and that they have the traces of the
//! choreography, where the end of all counts as an action, so that complete traces are compared as well.

use crate::compare::{Compared, Side, compare};
use crate::exit::Exit;
use crate::open::{ModelOptions, Prepared, Trouble, prepare};
use crate::verify::{Answer, Answered, VerifyOptions, verify};
use serde_json::{Value as Json, json};
use swarmcheck_engine::Control;
use swarmcheck_ir::flat::Flat;
use swarmcheck_lts::Relation;

/// The two answers.
pub struct Realized {
    /// How the program should end.
    pub exit: Exit,
    /// Whether the peers can get stuck.
    pub deadlock: Answer,
    /// Whether the choreography (first) and the peers (second) have the same traces.
    pub traces: Compared,
}

/// Opens a choreography twice: as it is, and as its peers.
pub fn open(name: &str, bytes: &[u8]) -> Result<[Box<Prepared>; 2], Trouble> {
    let whole = prepare(&format!("{name}:choreography"), bytes, ModelOptions::default())?;
    let peers = prepare(name, bytes, ModelOptions::default())?;
    if peers.model.peers().is_none() {
        return Err(Trouble::Unreadable(format!("{name} is no choreography: its name must end in .chor")));
    }
    Ok([Box::new(whole), Box::new(peers)])
}

/// Answers both questions.
pub fn realize(
    [whole, mut peers]: [Box<Prepared>; 2],
    control: &Control<'_>,
) -> Result<Realized, (Exit, String)> {
    // Properties are not asked about here, so nothing need follow them.
    let behaviour = peers.model.lower(peers.file.text(), &peers.options, false);
    peers.flat = Flat::new(behaviour.map_err(|d| (Exit::Model, d.message))?.program);
    let options = VerifyOptions { deadlock: true, ..VerifyOptions::default() };
    let report = verify(&peers, &options, control).map_err(|e| (Exit::Failure, e.name))?;
    let deadlock = report.answers.into_iter().next();
    let deadlock = deadlock.ok_or_else(|| (Exit::Failure, "no answer about deadlocks".to_string()))?;
    let traces = compare(&[Side::Model(whole), Side::Model(peers)], Relation::Trace, control)?;
    let exit = if report.exit == Exit::Fine { traces.exit } else { report.exit };
    Ok(Realized { exit, deadlock, traces })
}

impl Realized {
    /// The verdict in words.
    fn verdict(&self) -> &'static str {
        match (self.deadlock.verdict, &self.traces.difference) {
            (Answered::Holds, None) => "realizable",
            (Answered::Unknown | Answered::ModelError, None) => "unknown",
            _ => "not realizable",
        }
    }

    /// For people.
    pub fn text(&self, name: &str) -> String {
        let mut out = format!("{name}: {}\n", self.verdict());
        out += &format!("deadlock freedom: {}, {}\n", self.deadlock.verdict.word(), self.deadlock.evidence);
        out += &match self.traces.difference.as_ref().and_then(|d| d.trace.as_ref()) {
            None => "same traces: holds\n".to_string(),
            Some((labels, first)) => {
                let who = if *first { "choreography" } else { "peers" };
                format!("same traces: violated, only the {who} can begin with: {}\n", labels.join(", "))
            }
        };
        if let Some((trace, _)) = &self.deadlock.trace {
            out += &format!("\n{trace}");
        }
        out
    }

    /// For programs.
    pub fn data(&self, name: &str) -> Json {
        let whole = format!("{name}:choreography");
        json!({
            "model": name,
            "verdict": self.verdict(),
            "deadlock_freedom": self.deadlock.verdict.word(),
            "deadlock": self.deadlock.trace.as_ref().map(|(_, data)| data),
            "traces": self.traces.data([&whole, name], "trace"),
        })
    }
}
