//! Why something was not even begun, or has no result: data for whoever asked, who says it in words of their own.

use crate::estimate::NoEstimate;
use crate::languages::LanguageWord;
use crate::outcome::{ModelFault, Reason};
use crate::walk::Misfit;
use serde::{Deserialize, Serialize};
use swarmcheck_compose::Refused;
use swarmcheck_source::data::DiagnosticData;
use swarmcheck_source::suggest::nearest;

/// Why there is no result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Refusal {
    /// The model has errors.
    Model {
        /// All of them, and warnings.
        diagnostics: Vec<DiagnosticData>,
    },
    /// A file that is no model cannot be read: where and why.
    Unreadable {
        /// The place and the reason, as a sentence.
        why: String,
    },
    /// The model has no property with this name.
    NoSuchProperty {
        /// What was asked for.
        name: String,
        /// A property with a similar name.
        suggestion: Option<String>,
        /// What could have been named instead.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        properties: Vec<String>,
    },
    /// The model has no property at all, and deadlock freedom was not asked for.
    NothingToVerify {
        /// The language of the model, which says how properties are written.
        language: LanguageWord,
    },
    /// A counterexample that comes from elsewhere cannot be read.
    UnreadableCounterexample {
        /// Why not, as a sentence.
        why: String,
    },
    /// A counterexample that comes from elsewhere is about one property, and none or several were named.
    CounterexampleOfOneProperty,
    /// There is no such target of an export.
    NoSuchTarget {
        /// What was asked for.
        name: String,
        /// The names of all targets.
        targets: Vec<String>,
    },
    /// The target cannot express what it should.
    Target {
        /// The name of the target.
        target: String,
        /// Why not, as a sentence.
        why: String,
    },
    /// The target writes the question about one property, and none was named.
    NameOneProperty {
        /// The name of the target.
        target: String,
    },
    /// The target has no bound on steps.
    NoBound {
        /// The name of the target.
        target: String,
    },
    /// A drawing of so many states would help nobody.
    TooManyToDraw {
        /// The number of states.
        states: u32,
        /// The most that are drawn.
        most: u32,
    },
    /// The trace is none of the model.
    Misfit {
        /// What does not fit.
        misfit: Box<Misfit>,
    },
    /// A drawing of the state space would help nobody.
    StateSpaceTooLarge {
        /// The number of states: after bisimilar ones were merged, if all were explored.
        states: u32,
        /// The most that are drawn.
        most: u32,
        /// All states were explored; otherwise there are more.
        explored: bool,
    },
    /// The transition system cannot be put together from processes.
    NotComposed {
        /// Why not.
        why: Refused,
    },
    /// The model cannot be shown as a network of processes.
    NoNetwork {
        /// Why not.
        why: Refused,
    },
    /// The model is no choreography.
    NoChoreography {
        /// The name of the file.
        name: String,
    },
    /// The model meets an error when it runs.
    ModelError {
        /// The error, with its place in the model.
        error: ModelFault,
    },
    /// No initial state satisfies the assumptions.
    NoInitialState {
        /// Where the model says what it assumes, if its language has a section for it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        assumptions: Vec<crate::start::AssumptionPlace>,
    },
    /// A number of agents is open where that cannot be, or in a way that cannot be read.
    OpenNumbers {
        /// Why not, as a sentence.
        why: String,
    },
    /// Nobody can say what the fair executions are.
    NoFairness {
        /// Why not.
        why: NoFairness,
    },
    /// The work did not come to its end.
    Unfinished {
        /// What stopped the work.
        reason: Reason,
    },
    /// What is asked of random runs has no answer.
    NoEstimate {
        /// Why not.
        why: NoEstimate,
    },
}

impl Refusal {
    /// Whoever has stopped the work knows that it was the clock: an interruption is the time limit.
    pub fn by_the_clock(&mut self) {
        if let Refusal::Unfinished { reason } = self {
            reason.by_the_clock();
        }
    }

    /// No property has this name, but these are there; several may come from one property of the file.
    pub(crate) fn no_such_property<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Refusal {
        let mut properties: Vec<String> = vec![];
        for known in known {
            if !properties.iter().any(|other| other == known) {
                properties.push(known.to_string());
            }
        }
        let suggestion = nearest(name, properties.iter().map(String::as_str)).map(str::to_string);
        Refusal::NoSuchProperty { name: name.to_string(), suggestion, properties }
    }

    pub(crate) fn unfinished(reason: impl Into<Reason>) -> Refusal {
        Refusal::Unfinished { reason: reason.into() }
    }
}

/// Why only fair executions cannot be asked about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NoFairness {
    /// Steps of the language belong to no single agent.
    NoUnits {
        /// The language of the model.
        language: LanguageWord,
    },
    /// The schedule is the round-robin one, and fairness restricts the free one.
    RoundRobin,
    /// Another verifier decides, which is not told about fairness.
    Backend {
        /// Its name.
        name: String,
    },
    /// What another model checker has found is about all executions.
    Witness,
}
