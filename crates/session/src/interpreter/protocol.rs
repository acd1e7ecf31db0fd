//! What is asked of an interpreter and what it answers: plain data without prose, so that it can be sent between processes.
//! `docs/interpreter.md` describes it as JSON.

use crate::outcome::ModelFault;
use crate::start::AssumptionPlace;
use crate::walk::Misfit;
use serde::{Deserialize, Serialize};
use swarmcheck_engine::trace::data::{PendingData, StepData, TraceData, WriteData};
use swarmcheck_engine::trace::legend::Legend;
use swarmcheck_engine::trace::message::AutomatonData;
use swarmcheck_ir::Value;
use swarmcheck_source::data::DiagnosticData;

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum InterpreterRequest {
    /// What names in answers stand for. It never changes.
    Legend,
    /// The state it is in.
    State,
    /// The steps that are possible.
    Choices,
    /// Take a step.
    Take {
        /// Its place in the list of choices, from 0.
        choice: usize,
    },
    /// Go back one step.
    Back,
    /// Go back to the state after so many steps, or on to it along the trace.
    GoTo {
        /// The number of steps from the initial state.
        step: usize,
    },
    /// Go to the start of a trace, which `Next` then follows.
    LoadTrace {
        /// The trace.
        trace: Box<TraceData>,
    },
    /// Take the next step of the trace.
    Next,
    /// List initial states.
    Starts {
        /// Not more than so many.
        #[serde(default = "listed")]
        limit: usize,
        /// Only those that satisfy this predicate, in the property syntax of the model's language.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        such_that: Option<String>,
    },
    /// Begin again in an initial state.
    StartAt {
        /// Its place in the list of initial states that was asked for last, from 0.
        start: usize,
    },
    /// Take random steps.
    Random {
        /// Not more than so many.
        steps: usize,
        /// Determines the steps.
        seed: u64,
        /// Stop in the first state that satisfies this predicate.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<String>,
    },
    /// The run so far as a trace.
    Trace,
}

/// How many initial states are listed if nobody says how many.
pub const LISTED: usize = 20;

fn listed() -> usize {
    LISTED
}

/// A reply of the interpreter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
// There is one reply at a time.
#[allow(clippy::large_enum_variant)]
pub enum InterpreterReply {
    /// The reply to `Legend`.
    Legend {
        /// What names stand for.
        legend: Legend,
    },
    /// To `State`, and to every request that goes to a state without a step.
    State {
        /// The state it is in now.
        state: StateData,
    },
    /// The reply to `Take` and `Next`.
    Taken {
        /// What has happened.
        step: StepData,
        /// The state it is in now.
        state: StateData,
    },
    /// The reply to `Choices`.
    Choices {
        /// Every step that is possible; none in a deadlock.
        choices: Vec<ChoiceData>,
    },
    /// The reply to `Starts`.
    Starts(StartsData),
    /// The reply to `Random`.
    Walked {
        /// What has happened, in order.
        steps: Vec<StepData>,
        /// The state it is in now.
        state: StateData,
        /// Why there are no more steps.
        why: WalkEnd,
    },
    /// The reply to `Trace`.
    Trace {
        /// The run so far. It can be replayed, and followed with `LoadTrace`.
        trace: Box<TraceData>,
    },
    /// Nothing was done.
    Refused {
        /// The reason, as data.
        refusal: InterpreterRefusal,
    },
}

/// Why random steps have ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WalkEnd {
    /// As many as were asked for were made.
    Steps,
    /// The predicate holds.
    Until,
    /// No step is possible.
    Deadlock,
    /// The model is wrong: the next step or the predicate meets an error.
    Error(ModelFault),
}

/// A state, and what there is to know about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StateData {
    /// The number of steps that led to it.
    pub step: usize,
    /// All cells that traces mention.
    pub values: Vec<WriteData>,
    /// Which agents have to send something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<PendingData>,
    /// Where agents are in their automata, in languages that have automata.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub automata: Vec<AutomatonData>,
    /// The predicates of all properties that are about one state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<PropertyTruth>,
    /// Where it is on the trace that was loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TracePlace>,
}

/// What a predicate is in a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PropertyTruth {
    /// The name of the property.
    pub name: String,
    /// What it is.
    pub truth: Truth,
}

/// The value of a predicate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Truth {
    True,
    False,
    Error(ModelFault),
}

/// Where a state is on a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TracePlace {
    /// How long the trace is.
    pub steps: usize,
    /// Whether this is the state that the trace has after so many steps.
    pub followed: bool,
    /// The trace repeats for ever from the state after so many steps.
    #[serde(rename = "loop", default, skip_serializing_if = "Option::is_none")]
    pub loop_start: Option<usize>,
}

/// A step that is possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum ChoiceData {
    /// It leads to a state.
    Step {
        /// What would happen.
        step: StepData,
        /// Where its agent would be in its process: one value per program counter. Steps may differ in this only.
        locations: Vec<Value>,
    },
    /// It shows that the model is wrong.
    ModelError {
        /// Who acts.
        agent: u32,
        /// What is wrong.
        error: ModelFault,
    },
}

/// Initial states.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartsData {
    /// The values of each.
    pub starts: Vec<Vec<WriteData>>,
    /// Whether there are more initial states than were listed.
    pub more: bool,
}

/// Why something was not done. The state is what it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum InterpreterRefusal {
    /// The model has no initial state that satisfies its assumptions, so there is no state at all.
    NoInitialState {
        /// Where the model says what it assumes, if its language has a section for it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        assumptions: Vec<AssumptionPlace>,
    },
    /// No initial state was found, and it was not proved that there is none.
    InitialStateNotFound {
        /// Where the model says what it assumes, if its language has a section for it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        assumptions: Vec<AssumptionPlace>,
    },
    /// The model meets an error: in its initial state, if there is no state at all, or in the step that was chosen.
    ModelError {
        /// The error, with its place in the model.
        error: ModelFault,
    },
    /// The list of choices is shorter.
    NoSuchChoice {
        /// How many there are.
        choices: usize,
    },
    /// There is nothing to go back to.
    AtStart,
    /// Neither the way to this state nor the trace has so many steps.
    NoSuchStep {
        /// How many can be gone to.
        last: usize,
    },
    /// No trace was loaded.
    NoTrace,
    /// This is no state of the trace.
    LeftTrace,
    /// The trace has no more steps.
    EndOfTrace,
    /// The trace is none of this model.
    TraceMisfit {
        /// What does not fit.
        misfit: Misfit,
    },
    /// There are fewer initial states.
    NoSuchStart,
    /// The predicate cannot be understood.
    Predicate {
        /// What is wrong with it.
        diagnostics: Vec<DiagnosticData>,
    },
    /// Whoever has interpreted the model is gone.
    Gone,
}
