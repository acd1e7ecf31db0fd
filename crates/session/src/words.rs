//! Sentences, made once, from data. The command line, the page and the editor say the same about the same answer; nothing
//! in the project reads these sentences back.

mod because;
pub mod composition;
pub mod estimate;
pub mod every;
pub(crate) mod fairness;
pub mod naming;
mod proofs;

pub use because::because;
pub use proofs::uncertified;

use crate::certificate::{CertificateAnswer, ProofSize};
use crate::compare::{Alike, Compared};
use crate::estimate::SchedulerWord;
use crate::languages::LanguageWord;
use crate::lts::{Size, Written};
use crate::outcome::{
    Claimed, DEADLOCK, Evidence, FaultWord, Length, ModelFault, Outcome, ReadingOutcome, Reason, Violation,
    WorkerEnd,
};
use crate::realize::{Realizable, Realized};
use crate::refusal::Refusal;
use crate::replay::ReplayAnswer;
use crate::simulate::{SimulationEnd, SimulationReport};
use crate::start::AssumptionPlace;
use swarmcheck_engine::{Fairness, Note, Vacuity};
use swarmcheck_source::shown;

/// What supports an answer about all executions.
pub fn outcome(outcome: &Outcome) -> String {
    outcome_among(outcome, Fairness::None)
}

/// What supports an answer about executions that are fair in this sense.
pub fn outcome_among(outcome: &Outcome, fairness: Fairness) -> String {
    match outcome {
        Outcome::Holds { evidence, .. } => self::evidence(evidence, fairness),
        Outcome::Violated { evidence } => violation(evidence),
        Outcome::ModelError { error, steps: None } => format!("in the initial state: {}", fault(error)),
        Outcome::ModelError { error, steps: Some(steps) } => {
            format!("trace of {}: {}", count(*steps, "step"), fault(error))
        }
        Outcome::Unknown { reason } => self::reason(reason),
    }
}

/// Why a property holds.
fn evidence(evidence: &Evidence, fairness: Fairness) -> String {
    let steps = |n: u32| count(n as usize, "step");
    let every = fairness::every(fairness);
    match evidence {
        Evidence::Explored => every,
        Evidence::Bounded { steps: n } => format!("{every}, within {} only", steps(*n)),
        Evidence::Ended { steps: n } => format!("{every}, each decided within {}", steps(*n)),
        Evidence::Induction { steps: n } => format!("{every}, by induction over {}", steps(*n)),
        Evidence::Invariant { clauses } => {
            format!("{every}, by an invariant of {}", count(*clauses as usize, "clause"))
        }
        Evidence::IntegerInvariant { parts } => {
            format!("{every}, by an invariant over integers{}", said_parts(parts, ": "))
        }
        Evidence::IntegerInduction { states, parts } => {
            let over = count(*states as usize, "state");
            format!("{every}, by induction over integers with {over}{}", said_parts(parts, ", knowing "))
        }
        Evidence::Composed { processes } => {
            format!("{every}, in the composition of {}", composition::processes(*processes as usize))
        }
        Evidence::Said { who, steps: None } => format!("{every}, says {who}"),
        Evidence::Said { who, steps: Some(n) } => format!("{every}, within {} only, says {who}", steps(*n)),
        Evidence::EveryNumber { open, numbers, method, steps: bound, .. } => {
            let mut said = every::evidence(open, numbers.as_deref(), method);
            if !fairness.is_none() {
                said += &format!(", {every}");
            }
            said + &bound.map_or(String::new(), |n| format!(", within {} only", steps(n)))
        }
        Evidence::Reached { steps: n } => {
            format!("trace of {}: the last state satisfies the predicate", count(*n, "step"))
        }
        Evidence::Ranges { variables } => because::ranges(variables),
        Evidence::Witness(length) => format!("trace of {}: it happens in this execution", long(*length)),
    }
}

/// The parts of an invariant, if they are short enough for a line; otherwise how many there are.
fn said_parts(parts: &[String], before: &str) -> String {
    let joined = parts.join(", ");
    match parts {
        [] => String::new(),
        _ if joined.len() <= LONGEST_INVARIANT => format!("{before}{joined}"),
        _ => format!(" with {}", count(parts.len(), "part")),
    }
}

/// A longer invariant is not told in the line of a verdict; `--why` tells it.
const LONGEST_INVARIANT: usize = 160;

fn violation(violation: &Violation) -> String {
    match violation {
        Violation::Trace { why, length } => format!("trace of {}: {}", long(*length), why.words()),
        Violation::NoExecution => "it happens in no execution".to_string(),
        Violation::Unreachable { evidence } => self::evidence(evidence, Fairness::None),
    }
}

fn long(length: Length) -> String {
    match length.loop_start {
        None => count(length.steps, "step"),
        Some(start) => {
            format!("{}, then a loop of {}", count(start, "step"), count(length.steps - start, "step"))
        }
    }
}

/// An error of the model, with its place.
pub fn fault(fault: &ModelFault) -> String {
    let what = match fault.kind {
        FaultWord::IndexOutOfBounds => "array index out of bounds",
        FaultWord::NoSuchAgent => "there is no agent with this number",
        FaultWord::NoSuchVariable => "this agent does not have the variable",
        FaultWord::Overflow => "a number does not fit 64 bits",
    };
    let detail = fault.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
    format!("{what} at {}:{}:{}{detail}", fault.file, fault.line, fault.column)
}

/// What an engine offers.
pub(crate) fn claimed(what: Claimed) -> &'static str {
    match what {
        Claimed::Counterexample => "a counterexample",
        Claimed::Execution => "an execution",
        Claimed::Proof => "a proof",
    }
}

/// Why there is no answer.
pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::Interrupted => "interrupted".to_string(),
        Reason::TimeLimit => "time limit".to_string(),
        Reason::Memory => "memory limit".to_string(),
        Reason::Unsupported { why } => why.clone(),
        Reason::Internal { why } => format!("internal error: {why}"),
        Reason::NotConfirmed { what, why } => {
            let what = claimed(*what);
            format!("internal error: {what} was found but not confirmed ({why}); please report the model")
        }
        Reason::Disagreement { sides } => {
            let sides: Vec<String> = sides
                .iter()
                .map(|s| format!("{}: {}, {}", s.engine, s.outcome.word(), outcome(&s.outcome)))
                .collect();
            format!("internal error: the engines disagree ({}); please report the model", sides.join("; "))
        }
        Reason::Several { engines } => {
            let each: Vec<String> =
                engines.iter().map(|s| format!("{}: {}", s.engine, self::reason(&s.reason))).collect();
            each.join("; ")
        }
        Reason::Ambiguous { readings } => {
            let said = |r: &ReadingOutcome| match &*r.outcome {
                Outcome::Unknown { reason, .. } => format!("unknown ({})", self::reason(reason)),
                decided => decided.word().to_string(),
            };
            let each: Vec<String> =
                readings.iter().map(|r| format!("`{}` ({}): {}", r.formula, r.precedence, said(r))).collect();
            format!("ambiguous: {}; choose with --precedence", each.join("; "))
        }
        Reason::OpenNumber { parameters, largest, why } => every::reason(parameters, *largest, why),
        Reason::NoAnswer => "internal error: no engine has answered".to_string(),
        Reason::WorkerEnded { how, engines } => {
            let during = match engines.as_slice() {
                [] => String::new(),
                some => format!(" while {} was at work", some.join(", ")),
            };
            match how {
                WorkerEnd::Signal { number } => {
                    format!("the worker process was ended by signal {number}{during}")
                }
                WorkerEnd::Code { code } => format!("the worker process ended with code {code}{during}"),
                WorkerEnd::OutOfMemory => {
                    format!("memory limit: the worker process could not get more{during}")
                }
                WorkerEnd::Panic { message } => format!("internal error: {message}{during}"),
            }
        }
    }
}

/// Why a property holds without saying anything.
pub fn vacuity(vacuity: &Vacuity) -> String {
    match vacuity {
        Vacuity::NoAgent => "a quantifier ranges over no agent".to_string(),
        Vacuity::NoInitialState => "no initial state satisfies the assumptions".to_string(),
        Vacuity::TooShort { steps } => format!("no execution makes {}", count(*steps as usize, "step")),
        Vacuity::NoStep => "no step is possible in any initial state".to_string(),
        Vacuity::Premise => "the premise of its implication is never true".to_string(),
        Vacuity::NeverOpens => "no scope ever opens".to_string(),
        Vacuity::NeverCloses => "no scope ever closes".to_string(),
    }
}

/// Something that should be known.
pub fn note(note: &Note) -> String {
    match note {
        Note::Detail { text } => text.clone(),
        Note::Excused { states } => {
            let states = count(*states as usize, "state");
            format!("executions that stop are excused: {states} without a step")
        }
        Note::SearchedAgain => {
            "searched again without reductions, after a search with them failed".to_string()
        }
        Note::NotConfirmedBeyond { states } => format!(
            "the trace was replayed; that the goal cannot be reached from its end was not confirmed within {states} states"
        ),
        Note::NoSolver => "Z3 or cvc5 could decide this: apt-get install z3".to_string(),
        Note::NoCounterexampleWithin { steps } => {
            format!("no counterexample has up to {}", count(*steps as usize, "step"))
        }
        Note::StepLabels => {
            "the label of a send or get means that the next step is that command; enabled(k-label) says that \
                             it can be"
                .to_string()
        }
        Note::BothReadings { formulas } => {
            let formulas: Vec<String> = formulas.iter().map(|formula| format!("`{formula}`")).collect();
            format!("both readings have this verdict: {}", formulas.join(" and "))
        }
        Note::EngineFailed { engine, why } => format!("an engine has failed: {engine}: {why}"),
    }
}

/// Whether a note is for everybody, and not only for people who want to know how the answer came about.
pub fn is_important(note: &Note) -> bool {
    !matches!(note, Note::Detail { .. })
}

/// `1 step`, `2 steps`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// More names than this help nobody.
const MOST_NAMES: usize = 12;

/// What could have been named.
fn there_are(properties: &[String]) -> String {
    let names: Vec<&str> = properties.iter().take(MOST_NAMES).map(String::as_str).collect();
    match properties.len().checked_sub(names.len()) {
        _ if names.is_empty() => String::new(),
        Some(more @ 1..) => format!("; it has {} and {more} more", names.join(", ")),
        _ => format!("; it has {}", names.join(", ")),
    }
}

/// Why there is no result. Diagnostics of a model are rendered by `swarmcheck_source::render`, not here.
pub fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Model { diagnostics } => {
            let list: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
            list.join("; ")
        }
        Refusal::Unreadable { why } | Refusal::UnreadableCounterexample { why } => why.clone(),
        Refusal::NoSuchProperty { name, suggestion, properties } => {
            let hint = match suggestion {
                Some(known) => format!("; did you mean {known:?}?"),
                None => there_are(properties),
            };
            format!("the model has no property {name:?}{hint}")
        }
        Refusal::NothingToVerify { language: LanguageWord::Rcheck } => {
            "the model has no specification".to_string()
        }
        Refusal::NothingToVerify { .. } => "the model has no property".to_string(),
        Refusal::CounterexampleOfOneProperty => "a counterexample is about one property: name it".to_string(),
        Refusal::NoSuchTarget { name, targets } => {
            format!("no target is called '{name}': there are {}", targets.join(", "))
        }
        Refusal::Target { target, why } => format!("{target}: {why}"),
        Refusal::NameOneProperty { target } => {
            format!("{target}: a file has one question, so one property must be named")
        }
        Refusal::NoBound { target } => {
            format!("{target}: the other tool says how deep it looks; a bound on steps cannot be written")
        }
        Refusal::TooManyToDraw { states, most } => {
            format!("{states} states are too many to draw; at most {most} are")
        }
        Refusal::Misfit { misfit } => crate::explain::words::misfit(misfit),
        Refusal::StateSpaceTooLarge { states, most, explored: true } => format!(
            "{states} states are left when bisimilar ones are merged, which are too many to draw; at most {most} are"
        ),
        Refusal::StateSpaceTooLarge { states, most, explored: false } => {
            format!("there are more than {states} states, which are too many to draw; at most {most} are")
        }
        Refusal::NotComposed { why } => format!("the system cannot be put together from processes: {why}"),
        Refusal::NoNetwork { why } => format!("the model cannot be divided into processes: {why}"),
        Refusal::NoChoreography { name } => format!("{name} is no choreography: its name must end in .chor"),
        Refusal::ModelError { error } => format!("model error: {}", fault(error)),
        Refusal::NoInitialState { assumptions } => no_initial_state(assumptions),
        Refusal::NoFairness { why } => fairness::refused(why),
        Refusal::OpenNumbers { why } => why.clone(),
        Refusal::NoEstimate { why } => estimate::refused(why),
        Refusal::Unfinished { reason } => self::reason(reason),
    }
}

/// That there is no initial state, with the places of what excludes them.
pub fn no_initial_state(assumptions: &[AssumptionPlace]) -> String {
    format!("no initial state satisfies the assumptions{}", places(assumptions))
}

/// That no initial state was found, and what can be done about it.
pub fn not_found(assumptions: &[AssumptionPlace]) -> String {
    format!(
        "unknown whether an initial state satisfies the assumptions{}: the search and the SAT solver have reached their \
         limits; fewer values for the variables or simpler assumptions may help",
        places(assumptions)
    )
}

fn places(assumptions: &[AssumptionPlace]) -> String {
    let one = |a: &AssumptionPlace| format!("{} at {}:{}:{}", a.name, a.file, a.line, a.column);
    match assumptions {
        [] => String::new(),
        some => format!(" ({})", some.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

/// What a simulation has shown, a line each.
pub fn simulation(report: &SimulationReport) -> Vec<String> {
    match &report.end {
        SimulationEnd::NoInitialState { assumptions } => return vec![no_initial_state(assumptions)],
        SimulationEnd::InitialStateNotFound { assumptions } => return vec![not_found(assumptions)],
        SimulationEnd::InitialError { error } => {
            return vec![format!("model error in the initial state: {}", fault(error))];
        }
        SimulationEnd::NoRates => {
            return vec![
                "the model gives no rates: docs/labs.md says how to write them; or choose another scheduler"
                    .to_string(),
            ];
        }
        _ => {}
    }
    let many = |n: u64, what: &str| count(n as usize, what);
    let time = report.time.map(|time| format!(", {time:.3} units of time")).unwrap_or_default();
    let mut lines = vec![format!(
        "{}, {} in all{time}, {}",
        many(report.runs, "run"),
        many(report.steps, "step"),
        many(report.deadlocks, "deadlock")
    )];
    match report.scheduler {
        // What is usual is not said every time; with turns the first line says it.
        SchedulerWord::Steps | SchedulerWord::RoundRobin | SchedulerWord::Any => {}
        SchedulerWord::Agents => lines.push(
            "random: of the agents that have a possible step each is equally likely, then each of its possible steps"
                .to_string(),
        ),
        SchedulerWord::Rates => lines.push(
            "random: every possible step waits for an exponentially distributed time with its rate, and the first one is made"
                .to_string(),
        ),
    }
    if report.searched_starts > 0 {
        lines.push(format!(
            "the assumptions refuse almost every draw: the initial state of {} was found by search, and some initial \
             states are more likely than others",
            many(report.searched_starts, "run")
        ));
    }
    for tally in &report.properties {
        let of = many(report.runs, "run");
        let result = match (tally.violated, tally.satisfied, tally.held) {
            (0, 0, 0) if tally.cut_short > 0 => {
                format!("open in {} of {of}: cut short before it was decided", tally.cut_short)
            }
            (0, n, _) if tally.cut_short > 0 => {
                format!("satisfied in {n} of {of}; {} cut short before it was decided", tally.cut_short)
            }
            (0, 0, 0) if tally.linear => "not followed along runs; verify decides it".to_string(),
            (0, 0, 0) => {
                format!("no single run decides it; true at the end of {} of {of}", tally.true_at_end)
            }
            (0, 0, n) => format!("not violated in {n} of {of}"),
            (0, n, _) => format!("satisfied in {n} of {of}"),
            (n, _, _) => format!("violated in {n} of {of}"),
        };
        lines.push(format!("{} ({}): {result}", tally.name, tally.question));
    }
    match &report.end {
        SimulationEnd::ModelError { error } => lines.push(format!("model error: {}", fault(error))),
        SimulationEnd::TooManyChoices { agent, action, at } => lines.push(format!(
            "unknown whether {agent} can take {action} ({at}): none of the values that were drawn makes it possible, and there \
             are too many to try all of them; fewer values may help"
        )),
        _ => {}
    }
    lines
}

/// What checking a certificate says.
pub fn certificate(answer: &CertificateAnswer) -> String {
    match answer {
        CertificateAnswer::Refused { why } => format!("refused: {why}"),
        CertificateAnswer::Accepted {
            property,
            proofs,
            bits,
            steps,
            exactly,
            ignore_deadlock,
            fairness,
            trusted,
            ..
        } => {
            let one = |proof: &ProofSize| match proof {
                ProofSize::Invariant { clauses } => {
                    format!("an invariant of {} over {}", count(*clauses, "clause"), count(*bits, "bit"))
                }
                ProofSize::Integers { states: 0, parts } => {
                    format!("an invariant over integers with {}", count(*parts, "part"))
                }
                ProofSize::Integers { states, .. } => {
                    format!("an induction over integers with {}", count(*states as usize, "state"))
                }
                ProofSize::Induction { states } => {
                    format!("induction over {} of {}", count(*states, "state"), count(*bits, "bit"))
                }
                ProofSize::States { states, steps: None } => {
                    format!("a set of {} that no step leaves", count(*states as usize, "state"))
                }
                ProofSize::States { states, .. } => format!("a set of {}", count(*states as usize, "state")),
                ProofSize::Bounded { ends, clauses, lines } => {
                    let refuted = |what: &str| {
                        format!(
                            "a refutation of {} of a formula of {}{what}",
                            count(*lines, "line"),
                            count(*clauses as usize, "clause")
                        )
                    };
                    match ends {
                        Some(ends) => {
                            let steps = count(*ends as usize, "step");
                            refuted(&format!(", as every execution is decided before it makes {steps}"))
                        }
                        None => refuted(""),
                    }
                }
                ProofSize::Every { clauses, open, closed } => every::proof(*clauses, open, closed),
            };
            let how: Vec<String> = proofs.iter().map(one).collect();
            let name = property.as_deref().unwrap_or(DEADLOCK);
            let mut said = format!("accepted: {name} holds");
            let bound = |n: &u32| {
                format!(
                    " {} {}",
                    if *exactly { "in executions of exactly" } else { "within" },
                    count(*n as usize, "step")
                )
            };
            said += &steps.as_ref().map_or(String::new(), bound);
            said += &fairness::adjective(*fairness)
                .map_or(String::new(), |fair| format!(" for {fair} executions"));
            said += if *ignore_deadlock && property.is_some() {
                ", where executions that stop are excused"
            } else {
                ""
            };
            said += &format!(", by {}", how.join(" and "));
            said + &proofs::trusted(trusted)
        }
    }
}

/// What replaying a trace says.
pub fn replay(answer: &ReplayAnswer) -> String {
    match answer {
        ReplayAnswer::Accepted { steps, deadlock } => {
            let end = if *deadlock { ", ending in a deadlock" } else { "" };
            format!("accepted, {}{end}", count(*steps, "step"))
        }
        ReplayAnswer::Refused { step: Some(step), why } => format!("refused: step {step}: {why}"),
        ReplayAnswer::Refused { step: None, why } => format!("refused: {why}"),
        ReplayAnswer::Undecided { step: Some(step), why } => format!("undecided: step {step}: {why}"),
        ReplayAnswer::Undecided { step: None, why } => format!("undecided: {why}"),
    }
}

/// The result of a comparison of two models with these names.
pub fn compared(compared: &Compared, names: [&str; 2]) -> String {
    let relation = compared.relation.word();
    let verdict = if compared.difference.is_none() { "alike" } else { "different" };
    // Labels and names of files may have line ends.
    let names = names.map(shown::line);
    let mut out = format!("{} and {}: {verdict} ({relation})\n", names[0], names[1]);
    let Some(difference) = &compared.difference else { return out };
    if let (Some(labels), Some(whose)) = (&difference.trace, difference.trace_of) {
        out += &format!("only {} has the trace: {}\n", names[whose.min(1)], shown::line(&labels.join(", ")));
    }
    match &difference.formula_of_first {
        Some(formula) => out += &format!("only {} satisfies: {}\n", names[0], shown::line(formula)),
        None if difference.given_up => {
            out += "the search for what tells them apart did not end within the limits\n"
        }
        None if compared.relation != Alike::Trace => {
            out += "a formula that tells them apart would be too large to read\n"
        }
        None => {}
    }
    out
}

/// Whether a choreography with this name is realizable, and why not.
pub fn realized(realized: &Realized, name: &str) -> String {
    let mut out = format!("{name}: {}\n", realizable(realized.verdict()));
    let deadlock = &realized.deadlock;
    out += &format!("deadlock freedom: {}, {}\n", deadlock.verdict().word(), deadlock.evidence());
    let difference = realized.traces.difference.as_ref();
    out += &match difference.and_then(|d| d.trace.as_ref().zip(d.trace_of)) {
        None => "same traces: holds\n".to_string(),
        Some((labels, whose)) => {
            let who = if whose == 0 { "choreography" } else { "peers" };
            format!("same traces: violated, only the {who} can begin with: {}\n", labels.join(", "))
        }
    };
    if let Some(trace) = &deadlock.trace {
        out += &format!("\n{}", trace.text);
    }
    out
}

/// The verdict about a choreography.
pub fn realizable(verdict: Realizable) -> &'static str {
    match verdict {
        Realizable::Yes => "realizable",
        Realizable::No => "not realizable",
        Realizable::Unknown => "unknown",
    }
}

/// How large a transition system was and is.
pub fn written(written: &Written) -> String {
    let whole = written.whole.as_ref().map(size);
    let composed = written.composition.as_ref().map(|report| composition::summary(report));
    let small = written.minimised.as_ref().map(|small| format!("minimised: {}", size(small)));
    let parts: Vec<String> = whole.into_iter().chain(composed).chain(small).collect();
    parts.join("; ")
}

/// How large a transition system is.
pub fn size(size: &Size) -> String {
    format!("{}, {}", count(size.states as usize, "state"), count(size.transitions, "transition"))
}
