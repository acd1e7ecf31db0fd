//! Deciding properties, with evidence that was checked.

mod decide;
mod evidence;
mod external;
mod linear;
mod trail;

pub use external::{Backend, translate, verify_with};

use crate::certificate::CertificateData;
use crate::exit::Exit;
use crate::open::Prepared;
use crate::simulate::TraceFormat;
use serde_json::{Value as Json, json};
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::trace::{self, Trace};
pub use swarmcheck_engine::{Budget, Control, Effort, Evidence, Reason, Reductions, Subject};
use swarmcheck_engine::{Finding, Task, Verdict};
pub use swarmcheck_portfolio::{Decider, ENGINES, Entry, HEAD_START};

/// What to verify and how.
#[derive(Clone, Debug)]
pub struct VerifyOptions {
    /// The names of the properties; empty for all.
    pub properties: Vec<String>,
    /// Whether there is a deadlock, too.
    pub deadlock: bool,
    /// Only executions of this many steps.
    pub steps: Option<u32>,
    /// Executions that stop are excused.
    pub ignore_deadlock: bool,
    /// What may make the search smaller.
    pub reductions: Reductions,
    /// How many threads.
    pub threads: usize,
    /// How many bits of hashes are used; for tests.
    pub hash_bits: u32,
    /// How traces are written.
    pub format: TraceFormat,
    /// Who decides.
    pub engine: Decider,
    /// Every engine that can answers, and all must agree.
    pub cross_check: bool,
    /// Engines that look at executions of growing length give up after this many steps.
    pub depth: Option<u32>,
    /// What another model checker found, instead of an engine: the text of its witness.
    pub witness: Option<String>,
    /// In a race, so many states the explicit engine visits before others join.
    pub head_start: u64,
    /// Proofs that can be checked again are, on the model, before they count.
    pub certify: bool,
}

impl Default for VerifyOptions {
    fn default() -> VerifyOptions {
        VerifyOptions {
            properties: vec![],
            deadlock: false,
            steps: None,
            ignore_deadlock: false,
            reductions: Reductions::ALL,
            threads: 1,
            hash_bits: 64,
            format: TraceFormat::Text,
            engine: Decider::Auto,
            cross_check: false,
            depth: None,
            witness: None,
            head_start: HEAD_START,
            certify: false,
        }
    }
}

/// All answers.
pub struct Report {
    /// One per question.
    pub answers: Vec<Answer>,
    /// How the program should end.
    pub exit: Exit,
}

/// One answer.
pub struct Answer {
    /// The property's name, or what stands for one.
    pub name: String,
    /// What was asked, in words.
    pub question: String,
    /// The name of the engine that gave it; `-` if none has.
    pub engine: &'static str,
    /// The answer.
    pub verdict: Answered,
    /// What supports it, in words.
    pub evidence: String,
    /// It holds without saying anything: why.
    pub vacuous: Option<String>,
    /// What else should be known.
    pub notes: Vec<String>,
    /// What it cost.
    pub effort: Effort,
    /// The trace in the format asked for, ending with a new line; and as data.
    pub trace: Option<(String, Box<TraceData>)>,
    /// A proof that can be checked again, if it holds and the engine has one.
    pub certificate: Option<Box<CertificateData>>,
    pub(crate) exit: Exit,
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

/// The properties that are asked for do not exist.
pub struct NoSuchProperty {
    /// The name.
    pub name: String,
    /// Something similar.
    pub suggestion: Option<String>,
}

impl std::fmt::Display for NoSuchProperty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the model has no property {:?}", self.name)?;
        match &self.suggestion {
            Some(similar) => write!(f, "; did you mean {similar:?}?"),
            None => Ok(()),
        }
    }
}

/// Decides.
pub fn verify(
    prepared: &Prepared,
    options: &VerifyOptions,
    control: &Control<'_>,
) -> Result<Report, NoSuchProperty> {
    let mut task = Task::new(&prepared.flat);
    task.properties = wanted(prepared, &options.properties)?;
    task.deadlock = options.deadlock;
    task.bound = options.steps;
    task.ignore_deadlock = options.ignore_deadlock;
    task.reductions = options.reductions;
    task.threads = options.threads;
    task.hash_bits = options.hash_bits;
    let mut answers = decide::answers(prepared, options, &task, control);
    answers.extend(linear::answers(prepared, options, control));
    Ok(Report::new(answers))
}

pub(crate) fn wanted(prepared: &Prepared, names: &[String]) -> Result<Vec<usize>, NoSuchProperty> {
    let all = &prepared.flat.program.properties;
    if names.is_empty() {
        return Ok((0..all.len()).collect());
    }
    let mut out = vec![];
    for name in names {
        let linear = prepared.model.linear();
        if linear.iter().any(|p| p.name == *name) {
            continue;
        }
        let Some(number) = all.iter().position(|p| p.name == *name) else {
            let known = all.iter().map(|p| p.name.as_str()).chain(linear.iter().map(|p| p.name.as_str()));
            let suggestion = swarmcheck_source::suggest::nearest(name, known).map(str::to_string);
            return Err(NoSuchProperty { name: name.clone(), suggestion });
        };
        if !out.contains(&number) {
            out.push(number);
        }
    }
    Ok(out)
}

/// Of several results the one that the program ends with: what is wrong with the tool or the model comes before what is
/// wrong with a property, and that before what is not known; an interruption is always told.
fn severity(exit: Exit) -> u32 {
    match exit {
        Exit::Fine => 0,
        Exit::Inconclusive => 1,
        Exit::Violated => 2,
        Exit::TimeLimit | Exit::Interrupted => 3,
        Exit::Model => 4,
        Exit::Usage | Exit::Failure => 5,
    }
}

/// What an engine has found, with its evidence checked.
fn answer(
    prepared: &Prepared,
    options: &VerifyOptions,
    engine: &'static str,
    finding: Finding,
    control: &Control<'_>,
) -> Answer {
    let program = &prepared.flat.program;
    let (name, question, property) = match finding.subject {
        Subject::Property(number) => {
            let property = &program.properties[number];
            let question = swarmcheck_logic::describe::describe(&property.modality, options.steps);
            (property.name.clone(), question, Some(number))
        }
        Subject::DeadlockFreedom => {
            ("(deadlock)".to_string(), "in every reachable state some step is possible".to_string(), None)
        }
    };
    let mut answer = Answer {
        name,
        question,
        engine,
        verdict: Answered::Unknown,
        evidence: String::new(),
        vacuous: finding.vacuous,
        notes: finding.notes,
        effort: finding.effort,
        trace: None,
        certificate: None,
        exit: Exit::Inconclusive,
    };
    match finding.verdict {
        Verdict::Holds(evidence) => {
            answer.verdict = Answered::Holds;
            answer.exit = Exit::Fine;
            answer.evidence = match evidence {
                Evidence::Explored => "every execution".to_string(),
                Evidence::Bounded(steps) => format!("every execution, within {} only", count(steps as usize)),
                Evidence::Ended(steps) => {
                    format!("every execution, each decided within {}", count(steps as usize))
                }
                Evidence::Induction(steps) => {
                    format!("every execution, by induction over {}", count(steps as usize))
                }
                Evidence::Invariant(clauses) => {
                    format!("every execution, by an invariant of {clauses} clause{}", plural(clauses))
                }
                Evidence::Said(who, None) => format!("every execution, says {who}"),
                Evidence::Said(who, Some(steps)) => {
                    format!("every execution, within {} only, says {who}", count(steps as usize))
                }
            };
            if let Some(certificate) = &finding.certificate {
                evidence::certify(prepared, options, property, certificate, control, &mut answer);
            }
        }
        Verdict::Unknown(reason) => {
            answer.exit = match reason {
                Reason::Interrupted => Exit::Interrupted,
                Reason::Internal(_) => Exit::Failure,
                Reason::Memory | Reason::Unsupported(_) => Exit::Inconclusive,
            };
            answer.evidence = reason.to_string();
        }
        Verdict::Violated(trace, why) => {
            answer.verdict = Answered::Violated;
            answer.exit = Exit::Violated;
            answer.evidence = format!("trace of {}: {}", length(&trace), why.words());
            evidence::show(prepared, options, &trace, property, (Some(why), control.stopped()), &mut answer);
        }
        Verdict::Invalid(trace) => {
            answer.verdict = Answered::ModelError;
            answer.exit = Exit::Model;
            let fault = match &trace.end {
                trace::End::Fault(_, fault) | trace::End::InitialFault(fault) => {
                    crate::sink::blame(prepared, *fault)
                }
                _ => "the model is invalid".to_string(),
            };
            if matches!(trace.end, trace::End::InitialFault(_)) {
                answer.evidence = format!("in the initial state: {fault}");
            } else {
                answer.evidence = format!("trace of {}: {fault}", length(&trace));
                evidence::show(prepared, options, &trace, property, (None, control.stopped()), &mut answer);
            }
        }
    }
    answer
}

fn count(steps: usize) -> String {
    format!("{steps} step{}", plural(steps as u32))
}

fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

fn length(trace: &Trace) -> String {
    match trace.loop_start {
        None => count(trace.steps.len()),
        Some(start) => format!("{}, then a loop of {}", count(start), count(trace.steps.len() - start)),
    }
}

impl Report {
    fn new(answers: Vec<Answer>) -> Report {
        let exit = answers.iter().map(|a| a.exit).max_by_key(|exit| severity(*exit)).unwrap_or(Exit::Fine);
        Report { answers, exit }
    }

    /// The answers as one JSON document.
    pub fn data(&self, prepared: &Prepared, options: &VerifyOptions) -> Json {
        let parameters: serde_json::Map<String, Json> =
            prepared.model.parameters().iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({
            "model": prepared.file.name(),
            "parameters": parameters,
            "fair": prepared.options.fair,
            "steps": options.steps,
            "results": self.answers.iter().map(Answer::data).collect::<Vec<_>>(),
        })
    }
}

impl Answer {
    fn data(&self) -> Json {
        let e = &self.effort;
        json!({
            "property": self.name,
            "question": self.question,
            "engine": self.engine,
            "verdict": self.verdict.word(),
            "evidence": self.evidence,
            "vacuous": self.vacuous,
            "notes": self.notes,
            "search": e.search,
            "initial": e.initial,
            "states": e.states,
            "transitions": e.transitions,
            "depth": e.depth,
            "deadlocks": e.deadlocks,
            "seconds": e.seconds,
            "memory": e.memory,
            "trace": self.trace.as_ref().map(|(_, data)| data),
        })
    }
}
