//! Answers as plain data: what was decided, why, what it cost. No sentence is made here ([`crate::words`] does), and
//! nothing says how a program should end: that is for whoever asked.

use crate::because::{Because, VariableRange};
use crate::certificate::CertificateData;
use crate::open::Prepared;
use crate::trusted::Trusted;
use serde::{Deserialize, Serialize};
use swarmcheck_engine::certificate::Uncertified;
use swarmcheck_engine::trace::Trace;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::trace::explain::FaultData;
use swarmcheck_engine::trace::legend::Legend;
use swarmcheck_engine::{self as engine, Composition, Effort, Fairness, Note, Vacuity, Why};
use swarmcheck_ir::{Fault, FaultKind};

/// The name of the row about deadlock freedom, which is no property of the file.
pub const DEADLOCK: &str = "(deadlock)";

/// The answer to one question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The property's name, or [`DEADLOCK`].
    #[serde(rename = "property")]
    pub name: String,
    /// When the predicate must hold, as a phrase.
    pub question: String,
    /// The engine that gave the answer; none if no engine did, or several gave up.
    pub engine: Option<String>,
    /// The verdict with its evidence.
    pub outcome: Outcome,
    /// What else should be known.
    pub notes: Vec<Note>,
    /// States, transitions, seconds and bytes that it took.
    pub effort: Effort,
    /// The execution that shows it.
    pub trace: Option<Box<ShownTrace>>,
    /// A proof that can be checked again, if it holds and the engine has one.
    pub certificate: Option<Box<CertificateData>>,
    /// What has to be right besides the reading of the model and the check, so that the proof shows what it says; none without a proof that was
    /// checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trusted: Option<Vec<Trusted>>,
    /// Why there is no proof, if one was wanted and the property holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncertified: Option<Uncertified>,
    /// Other executions that show it, if several were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ShownTrace>,
    /// More about why it holds, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<Box<Because>>,
    /// Only executions that are fair in this sense count, if that can make a difference for the question.
    #[serde(default, skip_serializing_if = "Fairness::is_none")]
    pub fairness: Fairness,
    /// How the system was put together, if that is how it was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub composition: Option<Box<Composition>>,
    /// The values of open parameters in the instance that it is about; empty if no parameter is open, or if it is about all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instance: Vec<(String, u32)>,
}

/// A trace twice: as data, and in the format that was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShownTrace {
    /// The trace in the form that can be replayed.
    pub data: TraceData,
    /// In the format asked for, ending with a new line.
    pub text: String,
    /// What has to be known of the program to print the data again.
    #[serde(default)]
    pub legend: Legend,
}

/// What was found out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Outcome {
    /// The property holds.
    Holds {
        /// What shows that it holds.
        evidence: Evidence,
        /// It holds without saying anything about the system.
        vacuous: Option<Vacuity>,
    },
    /// The property is violated.
    Violated {
        /// What shows the violation.
        evidence: Violation,
    },
    /// The model is invalid, whatever the property.
    ModelError {
        /// What went wrong, and where.
        error: ModelFault,
        /// How long the execution to it is; none if it happens in the initial state.
        steps: Option<usize>,
    },
    /// Not decided.
    Unknown {
        /// What kept it from being decided.
        reason: Reason,
    },
}

/// The answer in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Answered {
    Holds,
    Violated,
    ModelError,
    Unknown,
}

/// How a property was proved for every number of agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EveryMethod {
    /// A quantified invariant, which is inductive with up to so many agents of open kinds; more are not needed.
    Invariant {
        /// The number of agents.
        agents: u32,
    },
    /// Agents that cannot be told apart are counted.
    Counting {
        /// How many places agents can be in.
        places: u32,
        /// How many kinds of steps there are between them.
        transitions: u32,
    },
    /// There are no more instances, and all were decided.
    Instances {
        /// How many there are.
        instances: u32,
    },
    /// A cutoff theorem for token rings, whose premises were checked. All instances up to the cutoff were decided.
    TokenRing {
        /// The property is about so many agents at once.
        agents: u32,
        /// The number of agents from which on all instances agree.
        cutoff: u32,
        /// How many states an agent has, with and without the token.
        states: u32,
    },
}

/// Why a property holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Evidence {
    /// Every reachable state was considered.
    Explored,
    /// Every execution of this many steps was considered, and no longer one.
    Bounded {
        /// The number of steps considered.
        steps: u32,
    },
    /// Every execution is decided within this many steps.
    Ended {
        /// The longest of them.
        steps: u32,
    },
    /// By induction over paths.
    Induction {
        /// The length of the paths, in steps.
        steps: u32,
    },
    /// By an inductive invariant.
    Invariant {
        /// Its number of clauses.
        clauses: u32,
    },
    /// By an inductive invariant over integers.
    IntegerInvariant {
        /// Its parts, which all hold in every reachable state, as people write them.
        parts: Vec<String>,
    },
    /// By induction over integers.
    IntegerInduction {
        /// So many states in a row are considered.
        states: u32,
        /// What is known of every reachable state and was used, as people write it.
        parts: Vec<String>,
    },
    /// In the composition of processes, each reduced to one that behaves alike.
    Composed {
        /// The number of processes.
        processes: u32,
    },
    /// Another program says so.
    Said {
        /// The name of that program.
        who: String,
        /// How many steps it looked at, if not all.
        steps: Option<u32>,
    },
    /// The ranges of the variables say it: nothing had to be searched.
    Ranges {
        /// The variables of the predicate.
        variables: Vec<VariableRange>,
    },
    /// The trace shows an execution in which it happens.
    Witness(Length),
    /// An invariant holds for every number of agents, because it is inductive for small numbers.
    EveryNumber {
        /// The parameters that are open, with their smallest values.
        open: Vec<(String, u32)>,
        /// Which of their values count, as a condition; none if all do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        numbers: Option<String>,
        /// How it was proved.
        method: EveryMethod,
        /// Only executions of so many steps were considered, if not all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        steps: Option<u32>,
        /// What was found on the way, a line each: parts of the invariant besides the property, or of the ranking.
        lines: Vec<String>,
    },
    /// The last state of the trace satisfies the predicate that was to be reached.
    Reached {
        /// The length of the trace.
        steps: usize,
    },
}

/// How a property is violated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Violation {
    /// The trace shows it.
    Trace {
        /// How to read it.
        why: Why,
        /// How long it is.
        #[serde(flatten)]
        length: Length,
    },
    /// No execution does what some execution should.
    NoExecution,
    /// No reachable state satisfies the predicate that was to be reached.
    Unreachable {
        /// What shows that.
        evidence: Box<Evidence>,
    },
}

/// The length of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Length {
    /// All steps, those of the loop included.
    pub steps: usize,
    /// The trace is a lasso: after the last step it goes on from the state after so many steps.
    pub loop_start: Option<usize>,
}

impl Length {
    pub(crate) fn of(trace: &Trace) -> Length {
        Length { steps: trace.steps.len(), loop_start: trace.loop_start }
    }
}

/// An error of the model that shows when it runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModelFault {
    /// What happened.
    pub kind: FaultWord,
    /// The model's file.
    pub file: String,
    /// The line in that file, from 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What it met, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<FaultData>,
}

/// What can go wrong when a model runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultWord {
    /// An array index is out of bounds.
    IndexOutOfBounds,
    /// There is no agent with this number.
    NoSuchAgent,
    /// The agent does not have the variable.
    NoSuchVariable,
    /// A number does not fit 64 bits.
    Overflow,
}

impl ModelFault {
    /// The same with what it met.
    pub(crate) fn with(self, detail: Option<FaultData>) -> ModelFault {
        ModelFault { detail, ..self }
    }

    pub(crate) fn new(prepared: &Prepared, fault: Fault) -> ModelFault {
        let within = crate::reach::place(&prepared.file, &prepared.options);
        let within = within.filter(|at| fault.span.start as usize >= at.start);
        let (line, column) = match &within {
            Some(at) => crate::reach::line_column(&prepared.file, at, fault.span.start),
            None => prepared.file.line_column(fault.span.start),
        };
        let kind = match fault.kind {
            FaultKind::Index => FaultWord::IndexOutOfBounds,
            FaultKind::NoAgent => FaultWord::NoSuchAgent,
            FaultKind::NoVariable => FaultWord::NoSuchVariable,
            FaultKind::Overflow => FaultWord::Overflow,
        };
        let file = within.map_or(prepared.file.name(), |_| crate::reach::PREDICATE).to_string();
        let asked = crate::asked::in_query(&prepared.file, &prepared.options, fault.span.start);
        let (file, line, column) = asked.unwrap_or((file, line, column));
        ModelFault { kind, file, line, column, detail: None }
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reason {
    /// The caller stopped the work.
    Interrupted,
    /// The time limit was reached.
    TimeLimit,
    /// The memory limit was reached.
    Memory,
    /// It cannot be decided this way.
    Unsupported {
        /// Why not, as a sentence.
        why: String,
    },
    /// A bug: something that cannot happen has happened.
    Internal {
        /// What, as a sentence.
        why: String,
    },
    /// A bug: a counterexample or a proof was found, but the check of it refused it.
    NotConfirmed {
        /// Whether it was a counterexample, an execution or a proof.
        what: Claimed,
        /// Why, as a sentence.
        why: String,
    },
    /// A bug: engines contradict each other.
    Disagreement {
        /// The engines with their answers.
        sides: Vec<Side>,
    },
    /// Several engines have stopped, each for its own reason.
    Several {
        /// The engines with their reasons.
        engines: Vec<Stopped>,
    },
    /// The property can be read in two ways, and they have different verdicts.
    Ambiguous {
        /// The readings with their verdicts.
        readings: Vec<ReadingOutcome>,
    },
    /// It was not decided for every number of agents.
    OpenNumber {
        /// The parameters that are open.
        parameters: Vec<String>,
        /// It holds in all instances in which the sum of the parameters is at most this; none if not even the smallest was decided.
        largest: Option<u32>,
        /// Why there is no proof, as a sentence.
        why: String,
    },
    /// No engine has given any answer.
    NoAnswer,
    /// The process that was at work has ended.
    WorkerEnded {
        /// The signal, exit code or panic that ended it.
        how: WorkerEnd,
        /// The engines that were at work on this question.
        engines: Vec<String>,
    },
}

/// What an engine offers as evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claimed {
    /// A trace that violates the property.
    Counterexample,
    /// A trace of what should be possible.
    Execution,
    /// A certificate.
    Proof,
}

/// One engine's answer among several that contradict each other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Side {
    /// The name of the engine, as in `Answer::engine`.
    pub engine: String,
    /// The verdict of this engine.
    pub outcome: Box<Outcome>,
}

// The evidence inside is compared in tests only; floating-point numbers do not occur in it.
impl Eq for Side {}

/// One of two readings of a property, and what was found out about it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReadingOutcome {
    /// `conventional` or `rcheck`.
    pub precedence: String,
    /// The formula with all its parentheses.
    pub formula: String,
    /// The verdict about this reading.
    pub outcome: Box<Outcome>,
}

// As for `Side`.
impl Eq for ReadingOutcome {}

impl ReadingOutcome {
    fn reason(&self) -> Option<&Reason> {
        match &*self.outcome {
            Outcome::Unknown { reason } => Some(reason),
            _ => None,
        }
    }
}

/// Why one of several engines has stopped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stopped {
    /// The name of the engine, as in `Answer::engine`.
    pub engine: String,
    /// Why this engine gave no answer.
    pub reason: Box<Reason>,
}

/// How a process ends that should not.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum WorkerEnd {
    /// By a signal that was not sent by its supervisor.
    Signal {
        /// The number of the signal, as the operating system counts.
        number: i32,
    },
    /// By itself, with this code, before it was done.
    Code {
        /// The exit code of the process.
        code: i32,
    },
    /// A request for memory failed.
    OutOfMemory,
    /// It panicked.
    Panic {
        /// The message of the panic.
        message: String,
    },
}

impl WorkerEnd {
    /// Nobody outside has ended it, and memory was not the reason.
    fn is_bug(&self) -> bool {
        match self {
            // Hang-up, interrupt, kill and terminate come from people, schedulers and the system's memory manager.
            WorkerEnd::Signal { number } => ![1, 2, 9, 15].contains(number),
            WorkerEnd::Code { .. } | WorkerEnd::Panic { .. } => true,
            WorkerEnd::OutOfMemory => false,
        }
    }
}

impl Outcome {
    /// Not decided, for this reason.
    pub fn unknown(reason: impl Into<Reason>) -> Outcome {
        Outcome::Unknown { reason: reason.into() }
    }

    /// Whoever has stopped the work knows that it was the clock: an interruption is the time limit.
    pub fn by_the_clock(&mut self) {
        if let Outcome::Unknown { reason } = self {
            reason.by_the_clock();
        }
    }

    /// The answer in one word.
    pub fn verdict(&self) -> Answered {
        match self {
            Outcome::Holds { .. } => Answered::Holds,
            Outcome::Violated { .. } => Answered::Violated,
            Outcome::ModelError { .. } => Answered::ModelError,
            Outcome::Unknown { .. } => Answered::Unknown,
        }
    }
}

impl Outcome {
    /// The word for the verdict, which depends on what was asked: a predicate is reachable or not.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Holds { evidence: Evidence::Reached { .. }, .. } => "reachable",
            Outcome::Violated { evidence: Violation::Unreachable { .. } } => "unreachable",
            other => other.verdict().word(),
        }
    }
}

impl Answered {
    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Answered::Holds => "holds",
            Answered::Violated => "violated",
            Answered::ModelError => "model error",
            Answered::Unknown => "unknown",
        }
    }
}

impl Reason {
    /// It says that swarmcheck itself is wrong.
    pub fn is_bug(&self) -> bool {
        match self {
            Reason::Internal { .. }
            | Reason::NotConfirmed { .. }
            | Reason::Disagreement { .. }
            | Reason::NoAnswer => true,
            Reason::WorkerEnded { how, .. } => how.is_bug(),
            Reason::Several { engines } => engines.iter().any(|stopped| stopped.reason.is_bug()),
            Reason::Ambiguous { readings } => {
                readings.iter().filter_map(ReadingOutcome::reason).any(Reason::is_bug)
            }
            _ => false,
        }
    }

    pub(crate) fn by_the_clock(&mut self) {
        match self {
            Reason::Interrupted => *self = Reason::TimeLimit,
            Reason::Several { engines } => {
                engines.iter_mut().for_each(|stopped| stopped.reason.by_the_clock());
            }
            Reason::Ambiguous { readings } => {
                readings.iter_mut().for_each(|reading| reading.outcome.by_the_clock());
            }
            _ => {}
        }
    }

    /// It is this one, or one of several is.
    pub fn includes(&self, other: &Reason) -> bool {
        match self {
            Reason::Several { engines } => engines.iter().any(|stopped| stopped.reason.includes(other)),
            Reason::Ambiguous { readings } => {
                readings.iter().filter_map(ReadingOutcome::reason).any(|reason| reason.includes(other))
            }
            reason => reason == other,
        }
    }
}

impl From<engine::Reason> for Reason {
    fn from(reason: engine::Reason) -> Reason {
        match reason {
            engine::Reason::Interrupted => Reason::Interrupted,
            engine::Reason::Memory => Reason::Memory,
            engine::Reason::Unsupported(why) => Reason::Unsupported { why },
            engine::Reason::Internal(why) => Reason::Internal { why },
        }
    }
}

impl From<engine::Evidence> for Evidence {
    fn from(evidence: engine::Evidence) -> Evidence {
        match evidence {
            engine::Evidence::Explored => Evidence::Explored,
            engine::Evidence::Bounded(steps) => Evidence::Bounded { steps },
            engine::Evidence::Ended(steps) => Evidence::Ended { steps },
            engine::Evidence::Induction(steps) => Evidence::Induction { steps },
            engine::Evidence::Invariant(clauses) => Evidence::Invariant { clauses },
            engine::Evidence::IntegerInvariant(_) => Evidence::IntegerInvariant { parts: vec![] },
            engine::Evidence::IntegerInduction(states) => {
                Evidence::IntegerInduction { states, parts: vec![] }
            }
            engine::Evidence::Composed(processes) => Evidence::Composed { processes },
            engine::Evidence::Said(who, steps) => Evidence::Said { who: who.to_string(), steps },
        }
    }
}

impl Answer {
    /// An open question.
    pub fn open(name: impl Into<String>, question: impl Into<String>, reason: impl Into<Reason>) -> Answer {
        Answer {
            name: name.into(),
            question: question.into(),
            engine: None,
            outcome: Outcome::unknown(reason),
            notes: vec![],
            effort: Effort::default(),
            trace: None,
            certificate: None,
            trusted: None,
            uncertified: None,
            others: vec![],
            because: None,
            fairness: Fairness::None,
            composition: None,
            instance: vec![],
        }
    }

    /// The answer in one word.
    pub fn verdict(&self) -> Answered {
        self.outcome.verdict()
    }

    /// Why there is no answer, if there is none.
    pub fn reason(&self) -> Option<&Reason> {
        match &self.outcome {
            Outcome::Unknown { reason } => Some(reason),
            _ => None,
        }
    }

    /// Why it holds without saying anything, if it does.
    pub fn vacuous(&self) -> Option<&Vacuity> {
        match &self.outcome {
            Outcome::Holds { vacuous, .. } => vacuous.as_ref(),
            _ => None,
        }
    }

    /// The evidence as a sentence.
    pub fn evidence(&self) -> String {
        let evidence = crate::words::outcome_among(&self.outcome, self.fairness);
        match &self.instance[..] {
            [] => evidence,
            instance => format!("at {}: {evidence}", crate::words::every::instance(instance)),
        }
    }
}
