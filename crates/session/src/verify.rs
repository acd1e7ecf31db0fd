//! Deciding properties, with evidence that was checked.

mod decide;
mod evidence;
mod external;
pub(crate) mod fairness;
mod instead;
mod invariant;
mod proofs;
mod ranges;
mod readings;
mod rolled;
mod scope;
mod several;
mod slice;
mod vacuity;

pub use external::{translate, verify_with, verify_with_telling};
pub use swarmcheck_backends::{BACKENDS, Backend};

pub(crate) use readings::question_of;

use crate::because::Because;
use crate::minimise;
use crate::open::Prepared;
use crate::outcome::DEADLOCK;
pub use crate::outcome::{Answer, Answered, Evidence, Length, ModelFault, Outcome, Reason, Violation};
use crate::reasons;
use crate::refusal::Refusal;
use crate::simulate::TraceFormat;
use crate::words;
use evidence::Shown;
use serde::{Deserialize, Serialize};
pub(crate) use slice::Slice;
use swarmcheck_engine::certificate::Uncertified;
use swarmcheck_engine::trace;
pub use swarmcheck_engine::{Budget, Control, Effort, Fairness, Reductions, Subject};
use swarmcheck_engine::{Finding, Note, Task, Verdict};
pub use swarmcheck_portfolio::{Decider, ENGINES, Entry, HEAD_START};

#[cfg(test)]
pub(crate) use evidence::data as written;

/// What to verify and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
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
    /// How many threads the explicit engine uses.
    pub threads: usize,
    /// How many bits of hashes are used; for tests.
    pub hash_bits: u32,
    /// How traces are written.
    pub format: TraceFormat,
    /// The engine that decides, or the race of all.
    #[serde(with = "engine_word")]
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
    /// Engines, by name, that must not be asked about a question, because they have been the end of a worker before.
    pub without: Vec<(String, String)>,
    /// Of the questions that the other options ask, these only.
    pub only: Option<Vec<String>>,
    /// Whether a state that satisfies this predicate can be reached is asked, too; without names of properties, nothing else.
    pub reach: Option<String>,
    /// Executions that violate a property are made shorter where few states are enough for that.
    pub minimise: bool,
    /// Up to so many executions that violate a property are shown, where it is an invariant or about deadlocks.
    pub traces: usize,
    /// More is said about why properties hold: parts of predicates that do not matter, and what was proved on the way.
    pub why: bool,
    /// Which infinite executions count.
    pub fairness: Fairness,
    /// Of open parameters, which values count: `yes < no`.
    #[serde(default)]
    pub numbers: Option<String>,
    /// Of open parameters, instances with more agents are not decided.
    #[serde(default)]
    pub most_agents: Option<u32>,
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
            without: vec![],
            only: None,
            reach: None,
            minimise: true,
            traces: 1,
            why: false,
            fairness: Fairness::None,
            numbers: None,
            most_agents: None,
        }
    }
}

impl VerifyOptions {
    /// Whether a question is among those that are left to ask.
    pub(crate) fn asks(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only.iter().any(|one| one == name))
    }
}

/// Engines by the words that stand for them.
mod engine_word {
    use super::Decider;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(decider: &Decider, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(decider.entry().map_or("auto", |entry| entry.name))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Decider, D::Error> {
        let word = String::deserialize(from)?;
        Decider::named(&word).ok_or_else(|| D::Error::custom(format!("there is no engine {word:?}")))
    }
}

/// All answers, in the order of the questions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// One per question; with [`VerifyOptions::cross_check`] one per question and engine.
    pub answers: Vec<Answer>,
}

/// Decides the properties of a model.
pub fn verify(
    prepared: &Prepared,
    options: &VerifyOptions,
    control: &Control<'_>,
) -> Result<Report, Refusal> {
    verify_telling(prepared, options, control, &mut |_| {})
}

/// Decides, and tells every answer as soon as it is known.
pub fn verify_telling(
    prepared: &Prepared,
    options: &VerifyOptions,
    control: &Control<'_>,
    tell: &mut dyn FnMut(&Answer),
) -> Result<Report, Refusal> {
    fairness::acceptable(prepared, options, None)?;
    let mut waiting = readings::Readings::new(prepared, options);
    let mut hear = |answer: &Answer| waiting.take(answer.clone()).iter().for_each(&mut *tell);
    let report = verify_readings(prepared, options, control, &mut hear)?;
    waiting.rest().iter().for_each(tell);
    Ok(Report { answers: readings::joined(prepared, options, report.answers) })
}

/// The same, where each reading of a property is a question of its own.
fn verify_readings(
    prepared: &Prepared,
    options: &VerifyOptions,
    control: &Control<'_>,
    tell: &mut dyn FnMut(&Answer),
) -> Result<Report, Refusal> {
    let mut task = Task::new(&prepared.flat);
    task.properties = asked(prepared, &options.properties)?;
    task.properties.retain(|&number| options.asks(question_of(prepared, number)));
    task.deadlock = options.deadlock && options.asks(DEADLOCK);
    task.bound = options.steps;
    task.ignore_deadlock = options.ignore_deadlock;
    task.reductions = options.reductions;
    if options.why {
        // What is proved should be about the states of the model: these reductions change values.
        task.reductions = Reductions { dead: false, stale: false, ..task.reductions };
    }
    task.threads = options.threads;
    task.hash_bits = options.hash_bits;
    task.fairness = options.fairness;
    if !options.ignore_deadlock
        || !task.properties.iter().any(|&number| prepared.model.is_possibility(number))
    {
        return Ok(Report { answers: decide::answers(prepared, options, &task, control, tell) });
    }
    // That executions which stop are excused is no excuse to overlook what can happen in them.
    let (possible, rest) = task.properties.iter().partition(|&&number| prepared.model.is_possibility(number));
    task.properties = rest;
    let mut answers = decide::answers(prepared, options, &task, control, tell);
    let whole = VerifyOptions { ignore_deadlock: false, ..options.clone() };
    let task = Task { properties: possible, deadlock: false, ignore_deadlock: false, ..task };
    answers.extend(decide::answers(prepared, &whole, &task, control, tell));
    let place = |name: &str| prepared.flat.program.properties.iter().position(|p| p.name == name);
    answers.sort_by_key(|answer| place(&answer.name).unwrap_or(usize::MAX));
    Ok(Report { answers })
}

/// The questions that these options ask: the names of the properties as they will appear in answers.
pub fn questions(prepared: &Prepared, options: &VerifyOptions) -> Result<Vec<String>, Refusal> {
    let asked = asked(prepared, &options.properties)?.into_iter();
    let mut names: Vec<String> = asked.map(|number| question_of(prepared, number).to_string()).collect();
    // The readings of a property stand beside each other.
    names.dedup();
    names.extend(options.deadlock.then(|| DEADLOCK.to_string()));
    Ok(names)
}

/// The same with the question whether a predicate can be reached. Without names it is the only one.
fn asked(prepared: &Prepared, names: &[String]) -> Result<Vec<usize>, Refusal> {
    let reach = prepared.reach();
    if reach.is_empty() {
        return wanted(prepared, names);
    }
    let mut all = if names.is_empty() { vec![] } else { wanted(prepared, names)? };
    all.retain(|number| !reach.contains(number));
    all.extend(reach);
    Ok(all)
}

pub(crate) fn wanted(prepared: &Prepared, names: &[String]) -> Result<Vec<usize>, Refusal> {
    let all = &prepared.flat.program.properties;
    if names.is_empty() {
        return Ok((0..all.len()).collect());
    }
    let mut out = vec![];
    for name in names {
        let numbers: Vec<usize> = (0..all.len()).filter(|p| question_of(prepared, *p) == name).collect();
        if numbers.is_empty() {
            let own = (0..all.len()).filter(|number| !prepared.is_reach(*number));
            return Err(Refusal::no_such_property(name, own.map(|number| question_of(prepared, number))));
        }
        out.extend(numbers.into_iter().filter(|number| !out.contains(number)).collect::<Vec<_>>());
    }
    Ok(out)
}

/// What an engine has found, with its evidence checked.
fn answer(
    prepared: &Prepared,
    options: &VerifyOptions,
    engine: &str,
    finding: Finding,
    control: &Control<'_>,
) -> Answer {
    let program = &prepared.flat.program;
    let (name, question, property) = match finding.subject {
        Subject::Property(number) => {
            let property = &program.properties[number];
            let question = words::fairness::question(&property.modality, options.steps, options.fairness);
            let question = prepared.turned(number).map_or(question, |turned| turned.question().to_string());
            (property.name.clone(), question, Some(number))
        }
        Subject::DeadlockFreedom => {
            (DEADLOCK.to_string(), "in every reachable state some step is possible".to_string(), None)
        }
    };
    let of = |number: usize| {
        words::fairness::of_question(&program.properties[number].modality, options.steps, options.fairness)
    };
    let mut answer = Answer {
        engine: Some(engine.to_string()),
        notes: finding.notes,
        effort: finding.effort,
        fairness: property.map(of).unwrap_or_default(),
        composition: finding.composition,
        ..Answer::open(name, question, Reason::NoAnswer)
    };
    answer.notes.extend(property.map(|number| prepared.model.remarks(number)).unwrap_or_default());
    let turned = property.and_then(|number| prepared.turned(number));
    let is_turned = turned.is_some();
    match finding.verdict {
        Verdict::Holds(evidence) => {
            let never = || scope::vacuity(prepared, options, property?, control);
            let vacuous = finding.vacuous.or_else(never);
            let ranged = property.filter(|_| vacuous.is_none() && engine == "explicit" && !is_turned);
            let ranged = ranged.and_then(|number| {
                ranges::evidence(prepared, &options.reductions, number, evidence, &answer.effort)
            });
            let told = || invariant::in_words(evidence.into(), finding.certificate.as_deref());
            answer.outcome = Outcome::Holds { evidence: ranged.unwrap_or_else(told), vacuous };
            if let (true, Some(number)) = (options.why && !is_turned, property) {
                let mut because = Because::default();
                vacuity::idle_parts(prepared, options, number, control, &mut because);
                if let Some(certificate) = &finding.certificate {
                    invariant::told(prepared, options, number, certificate, &mut because);
                }
                answer.because = Some(Box::new(because));
            }
            // A proof is of a property of the file.
            match is_turned {
                true => answer.uncertified = options.certify.then_some(Uncertified::NotAsWritten),
                false => {
                    let asked = proofs::Asked { prepared, options, property, evidence, control };
                    proofs::keep(&asked, finding.certificate, &mut answer);
                }
            }
        }
        Verdict::Unknown(reason) => answer.outcome = Outcome::unknown(reason),
        Verdict::Violated(trace, why) => {
            let found = minimise::Violated { trace: &trace, why, property, engine };
            evidence::show_shortest(prepared, options, &found, control, &mut answer);
        }
        Verdict::Invalid(trace) => match &trace.end {
            trace::End::InitialFault(fault) => {
                let detail = reasons::initial_fault(&prepared.flat, *fault);
                let error = ModelFault::new(prepared, *fault).with(detail);
                answer.outcome = Outcome::ModelError { error, steps: None };
            }
            trace::End::Fault(_, fault) => {
                let error = ModelFault::new(prepared, *fault).with(evidence::detail(prepared, &trace));
                answer.outcome = Outcome::ModelError { error, steps: Some(trace.steps.len()) };
                // Of a predicate that was to be reached, the program has the negation, and the model has the predicate.
                let property = property.filter(|_| !is_turned);
                let shown = Shown { trace: &trace, property, why: None, stopped: control.stopped() };
                evidence::show(prepared, options, &shown, &mut answer);
            }
            trace::End::Open | trace::End::Deadlock => {
                let why = "a model error was reported without its place".to_string();
                answer.outcome = Outcome::unknown(Reason::Internal { why });
            }
        },
    }
    if let Some(turned) = turned {
        // Remarks of engines are about the negation.
        answer.notes.retain(|note| !matches!(note, Note::Detail { .. }));
        answer.outcome = turned.outcome(answer.outcome);
    }
    answer
}
