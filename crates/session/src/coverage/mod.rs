//! Coverage: how often every action, every outcome of a guard or link predicate, and every command of a model is taken.
//!
//! It is counted over all reachable states ([`coverage`]) or over random runs ([`crate::simulate`]). Only a search that has
//! visited everything proves that what it has not seen is unreachable; the data say which of the two it was. [`margin`]
//! prints the counts beside the lines of the model, and [`lcov`] writes them for programs that show coverage.

pub mod lcov;
pub mod margin;
mod runs;

pub(crate) use runs::RunCounter;

use crate::lts::refused;
use crate::open::Prepared;
use crate::outcome::{ModelFault, Reason};
use crate::refusal::Refusal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use swarmcheck_engine::{Control, Reason as Cause};
use swarmcheck_explicit::coverage::{Counted, CountingEnd, count};
use swarmcheck_ir::coverage::{PointKind, Points};
use swarmcheck_portfolio::memory::limited;

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CoverageOptions {
    /// Only executions of at most this many steps.
    pub steps: Option<u32>,
}

/// How often everything in a model is taken.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Coverage {
    /// The model's file.
    pub file: String,
    /// What the counts are about.
    pub over: CoverageOver,
    /// The places that are counted, in the order of the file.
    pub points: Vec<CoveragePoint>,
    /// An error of the model that was met on the way. A step that meets one leads nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ModelFault>,
}

/// What the counts are about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum CoverageOver {
    /// A search without reductions.
    Search {
        /// The states that were found.
        states: u64,
        /// The steps from them; a step that can be made in several ways counts as often.
        transitions: u64,
        /// Whether that is everything.
        end: SearchEnd,
    },
    /// Random runs.
    Runs {
        /// The number of runs.
        runs: u64,
        /// The steps of all runs together.
        steps: u64,
    },
}

/// How a search for coverage ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SearchEnd {
    /// Every reachable state was visited. What was not seen is unreachable.
    Complete,
    /// States that are farther away were not asked for.
    Within {
        /// The bound on steps.
        steps: u32,
    },
    /// It was stopped, or could not go on.
    Unfinished {
        /// Why.
        reason: Reason,
    },
}

/// A place that is counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CoveragePoint {
    /// What stands there.
    pub kind: PointWord,
    /// Its text in one line.
    pub text: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// How often it was taken.
    #[serde(flatten)]
    pub counts: Counts,
}

/// What can be counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum PointWord {
    Action,
    Guard,
    Link,
    Send,
    Get,
    Receive,
    Supply,
    SendGuard,
    ReceiveGuard,
}

impl From<PointKind> for PointWord {
    fn from(kind: PointKind) -> PointWord {
        match kind {
            PointKind::Action => PointWord::Action,
            PointKind::Guard => PointWord::Guard,
            PointKind::Link => PointWord::Link,
            PointKind::Send => PointWord::Send,
            PointKind::Get => PointWord::Get,
            PointKind::Receive => PointWord::Receive,
            PointKind::Supply => PointWord::Supply,
            PointKind::SendGuard => PointWord::SendGuard,
            PointKind::ReceiveGuard => PointWord::ReceiveGuard,
        }
    }
}

/// How often something was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Counts {
    /// An action or a command.
    Taken {
        /// How often.
        taken: u64,
    },
    /// A condition.
    Outcomes {
        /// How often it was true.
        #[serde(rename = "true")]
        yes: u64,
        /// How often it was false.
        #[serde(rename = "false")]
        no: u64,
    },
}

impl Counts {
    /// How often it was come to at all.
    pub fn total(self) -> u64 {
        match self {
            Counts::Taken { taken } => taken,
            Counts::Outcomes { yes, no } => yes.saturating_add(no),
        }
    }

    /// How many of how many ways were seen: a condition has two.
    pub fn covered(self) -> (usize, usize) {
        match self {
            Counts::Taken { taken } => (usize::from(taken > 0), 1),
            Counts::Outcomes { yes, no } => (usize::from(yes > 0) + usize::from(no > 0), 2),
        }
    }
}

impl Coverage {
    /// How many of how many actions, outcomes and commands were seen.
    pub fn covered(&self) -> (usize, usize) {
        let each = self.points.iter().map(|point| point.counts.covered());
        each.fold((0, 0), |(seen, all), (one, of)| (seen + one, all + of))
    }

    /// How often each line that has a point is taken: the largest count of its actions and commands, as in `gcov`; if it has
    /// none, of its conditions.
    pub fn lines(&self) -> BTreeMap<usize, u64> {
        let mut out: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for point in &self.points {
            let (statements, conditions) = out.entry(point.line).or_default();
            match point.counts {
                // One more, so that a statement that is never taken still hides the conditions.
                Counts::Taken { taken } => *statements = (*statements).max(taken.saturating_add(1)),
                counts => *conditions = (*conditions).max(counts.total()),
            }
        }
        let chosen = |(statements, conditions): (u64, u64)| statements.checked_sub(1).unwrap_or(conditions);
        out.into_iter().map(|(line, counts)| (line, chosen(counts))).collect()
    }

    /// Whether what was not seen is proved to be unreachable.
    pub fn is_proof(&self) -> bool {
        matches!(self.over, CoverageOver::Search { end: SearchEnd::Complete, .. })
    }

    /// Whoever has stopped the search knows that it was the clock.
    pub fn by_the_clock(&mut self) {
        if let CoverageOver::Search { end: SearchEnd::Unfinished { reason }, .. } = &mut self.over {
            reason.by_the_clock();
        }
    }
}

/// Counts over all reachable states.
pub fn coverage(
    prepared: &Prepared,
    options: CoverageOptions,
    control: &Control<'_>,
) -> Result<Coverage, Refusal> {
    // What follows properties is no part of the behaviour and would only make the system larger.
    let program = prepared.behaviour().map_err(|diagnostic| refused(prepared, diagnostic))?;
    let points = points(prepared, !prepared.model.follows_claims()).map_err(|d| refused(prepared, &d))?;
    let points = points.unwrap_or_else(|| Points::of_functions(&program.functions));
    let counted = limited(control, |control| count(program, &points.probes, options.steps, control));
    let counted = counted.unwrap_or_else(|reason| Counted {
        runs: vec![0; program.functions.len() + points.probes.len()],
        unfinished: Some(CountingEnd::Reason(reason)),
        ..Counted::default()
    });
    let mut tally = Tally::new(&points);
    for (function, point) in points.taken.iter().enumerate() {
        if let Some(point) = point {
            tally.add(*point, true, counted.runs[function]);
        }
    }
    for (probe, runs) in points.probes.iter().zip(&counted.runs[program.functions.len()..]) {
        tally.add(probe.point, probe.outcome, *runs);
    }
    let end = match counted.unfinished {
        None => SearchEnd::Complete,
        Some(CountingEnd::Steps(steps)) => SearchEnd::Within { steps },
        Some(CountingEnd::Reason(Cause::Interrupted)) if !control.stopped() => {
            SearchEnd::Unfinished { reason: Cause::Memory.into() }
        }
        Some(CountingEnd::Reason(reason)) => SearchEnd::Unfinished { reason: reason.into() },
    };
    let over = CoverageOver::Search { states: counted.states, transitions: counted.steps, end };
    let error = counted.fault.map(|fault| ModelFault::new(prepared, fault));
    Ok(tally.finish(prepared, over, error))
}

/// The points of the program with or without claims, if the language knows more than its functions.
fn points(prepared: &Prepared, claims: bool) -> Result<Option<Points>, Box<swarmcheck_source::Diagnostic>> {
    prepared.model.coverage(&prepared.options, claims)
}

/// Counts in the making: of each point, how often it was taken or true, and how often false.
struct Tally<'p> {
    points: &'p Points,
    counts: Vec<(u64, u64)>,
}

impl<'p> Tally<'p> {
    fn new(points: &'p Points) -> Tally<'p> {
        Tally { points, counts: vec![(0, 0); points.points.len()] }
    }

    fn add(&mut self, point: usize, outcome: bool, times: u64) {
        let Some((yes, no)) = self.counts.get_mut(point) else { return };
        let count = if outcome { yes } else { no };
        *count = count.saturating_add(times);
    }

    fn finish(&self, prepared: &Prepared, over: CoverageOver, error: Option<ModelFault>) -> Coverage {
        let file = &prepared.file;
        let each = self.points.points.iter().zip(&self.counts).map(|(point, &(yes, no))| {
            let (line, column) = file.line_column(point.span.start);
            let words: Vec<&str> = file.slice(point.span).split_whitespace().collect();
            let counts = match point.kind.has_outcomes() {
                true => Counts::Outcomes { yes, no },
                false => Counts::Taken { taken: yes },
            };
            CoveragePoint { kind: point.kind.into(), text: words.join(" "), line, column, counts }
        });
        Coverage { file: file.name().to_string(), over, points: each.collect(), error }
    }
}
