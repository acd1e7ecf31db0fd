//! What the program, its bits and the engines make of a system with wide numbers, against what 128 bits say.

use super::Wide;
use crate::long::within_time;
use crate::search::Space;
use crate::solvers::Offering;
use crate::verify::{bits, open, reading};
use std::collections::BTreeSet;
use std::time::Duration;
use swarmcheck_engine::{Budget, Control, Reductions};
use swarmcheck_labs::lower;
use swarmcheck_session::Prepared;
use swarmcheck_session::verify::{Answered, Decider, Reason, VerifyOptions, verify};

/// The answers of an engine.
#[derive(Clone, Debug, Default)]
pub struct WideSeen {
    pub holds: usize,
    pub violated: usize,
    /// Errors of the model.
    pub errors: usize,
    /// No answer, which is never wrong.
    pub open: usize,
    /// Nothing is promised.
    pub tolerated: usize,
}

impl WideSeen {
    /// How many answers were compared.
    pub fn compared(&self) -> usize {
        self.holds + self.violated + self.errors
    }

    pub fn add(&mut self, other: &WideSeen) {
        self.holds += other.holds;
        self.violated += other.violated;
        self.errors += other.errors;
        self.open += other.open;
        self.tolerated += other.tolerated;
    }
}

/// The system as the front end reads it. The oracle lets everybody act at any time, so there is no schedule.
fn opened(wide: &Wide, seed: u64) -> Option<Prepared> {
    open(&wide.text(), lower::Options { fair: false, ..reading(seed) }).ok()
}

/// Compares states and errors of the program with the oracle, and its bits with the program; `None` if there are more states than this, or the checker
/// sees an error in a constant.
pub fn compare_states(wide: &Wide, seed: u64, most: usize) -> Option<Result<(), String>> {
    let explored = wide.explore(most)?;
    let prepared = opened(wide, seed)?;
    // A state of the program knows where each agent is in its process, too.
    let space = Space::explore(&prepared.flat, 10 * most);
    if !space.complete {
        return Some(Err("more states than the oracle finds".to_string()));
    }
    let program = &prepared.flat.program;
    let slot = |name: &str, agent: Option<u32>| {
        let mut cells = prepared.flat.layout.cells();
        let found = cells.find(|(_, cell)| cell.agent == agent && program.var(cell.var).name == name);
        found.map(|(slot, _)| slot as usize)
    };
    let mut slots = vec![slot("e", None)];
    for agent in 0..wide.agents {
        slots.extend((0..wide.attributes.len()).map(|at| slot(&format!("x{at}"), Some(agent as u32))));
    }
    let Some(slots) = slots.into_iter().collect::<Option<Vec<usize>>>() else {
        return Some(Err("the program lacks a variable".to_string()));
    };
    let found: BTreeSet<Vec<i64>> =
        space.states.iter().map(|state| slots.iter().map(|&s| state[s]).collect()).collect();
    let expected: BTreeSet<Vec<i64>> = explored.states.keys().cloned().collect();
    Some(if found != expected {
        Err(format!("states {found:?}, expected {expected:?}"))
    } else if space.fault.is_some() != explored.fault.is_some() {
        Err(format!("error {:?}, expected {:?}", space.fault, explored.fault))
    } else {
        bits::compare(&prepared.flat, program, &space).map(|_| ())
    })
}

/// Asks an engine about all claims, for so long, and compares.
pub fn compare_engine(
    wide: &Wide,
    seed: u64,
    most: usize,
    engine: Decider,
    patience: Duration,
) -> Option<Result<WideSeen, String>> {
    let explored = wide.explore(most)?;
    let prepared = opened(wide, seed)?;
    // Slicing does not promise to notice a number that is too large where nobody reads it.
    let reductions = Reductions { slice: false, ..Reductions::ALL };
    let options = VerifyOptions { engine, reductions, depth: Some(10), ..VerifyOptions::default() };
    let solvers = Offering::all();
    let report = within_time(patience, |stop| {
        verify(&prepared, &options, &Control { stop, budget: Budget::default(), progress: &solvers })
    });
    let Ok(report) = report else { return Some(Err("refused".to_string())) };
    let mut seen = WideSeen::default();
    for (claim, answer) in (0..wide.claims.len()).zip(&report.answers) {
        let allowed = wide.allowed(&explored, claim);
        // For solvers integers have no end, so they meet no error: docs/engines.md, Integers without bounds.
        if engine == Decider::Smt && allowed.error {
            seen.tolerated += 1;
            continue;
        }
        let (right, count) = match answer.verdict() {
            Answered::Holds => (allowed.holds, &mut seen.holds),
            Answered::Violated => (allowed.violated, &mut seen.violated),
            Answered::ModelError => (allowed.error, &mut seen.errors),
            Answered::Unknown => (!answer.reason().is_some_and(Reason::is_bug), &mut seen.open),
        };
        *count += 1;
        if !right {
            return Some(Err(format!("{}: {}, allowed {allowed:?}", answer.name, answer.evidence())));
        }
    }
    Some(Ok(seen))
}
