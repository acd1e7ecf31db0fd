//! Evidence: traces are replayed on the rules, proofs are checked on the model, then both are written down.

use super::VerifyOptions;
use super::rolled::rolled;
use crate::attempt::{Again, is_stuck};
use crate::listing::{Listing, Style};
use crate::minimise::{Violated, shorter};
use crate::open::Prepared;
use crate::outcome::{Answer, Claimed, Length, Outcome, Reason, ShownTrace, Violation};
use crate::place;
use crate::reach;
use crate::reasons;
use crate::simulate::TraceFormat;
use crate::sink::{End, Sink};
use crate::specification::MadeStep;
use crate::turned::Turned;
use crate::walk::{Plan, Planned};
use crate::words;
use std::borrow::Cow;
use swarmcheck_certify::Refused;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::trace::explain::FaultData;
use swarmcheck_engine::trace::legend::Legend;
use swarmcheck_engine::trace::{self, Trace};
use swarmcheck_engine::{Control, Fairness, Note, Why};
use swarmcheck_ir::Modality;
use swarmcheck_ir::flat::{Machine, Outcome as Ran};
use swarmcheck_logic::watch::Event;

/// How far `certify` looks beyond a trace.
const BEYOND: usize = 20_000;

/// What is to be shown of a trace.
pub(super) struct Shown<'a> {
    pub(super) trace: &'a Trace,
    pub(super) property: Option<usize>,
    /// How it violates the property; none for a model error.
    pub(super) why: Option<Why>,
    /// It is time to stop: the trace is replayed, but nothing beyond it is looked at.
    pub(super) stopped: bool,
}

/// Writes a violation down, with a shorter trace if there is one that the rules accept.
pub(super) fn show_shortest(
    prepared: &Prepared,
    options: &VerifyOptions,
    found: &Violated<'_>,
    control: &Control<'_>,
    answer: &mut Answer,
) {
    let write = |trace: &Trace, why: Why, answer: &mut Answer| {
        // A scope opens on the way into the loop, and must be open when it begins.
        let modality = found.property.map(|number| &prepared.flat.program.properties[number].modality);
        let trace = &*match modality {
            Some(Modality::Scoped { .. }) => Cow::Borrowed(trace),
            _ => rolled(&prepared.flat, trace),
        };
        let length = Length::of(trace);
        answer.outcome = Outcome::Violated { evidence: Violation::Trace { why, length } };
        let shown = Shown { trace, property: found.property, why: Some(why), stopped: control.stopped() };
        match found.property.is_some_and(|number| prepared.turned(number).is_some()) {
            true => show_reached(prepared, options, &shown, answer),
            false => show(prepared, options, &shown, answer),
        }
        matches!(answer.outcome, Outcome::Violated { .. })
    };
    let shorter = options.minimise.then(|| shorter(prepared, options, found, control)).flatten();
    let mut best = found.trace;
    let mut with = answer.clone();
    match &shorter {
        Some((trace, why)) if write(trace, *why, &mut with) => {
            let (from, to) = (found.trace.steps.len(), trace.steps.len());
            with.notes.push(Note::detail(format!("the trace was minimised from {from} to {to} steps")));
            *answer = with;
            best = trace;
        }
        _ => {
            write(best, found.why, answer);
        }
    }
    let modality = found.property.map(|number| &prepared.flat.program.properties[number].modality);
    let several = match (found.why, modality) {
        (Why::False, Some(Modality::Always)) | (Why::Deadlock, None) => options.traces.saturating_sub(1),
        _ => 0,
    };
    if several == 0 || answer.trace.is_none() || control.stopped() {
        return;
    }
    for other in super::several::others(prepared, found.property, best, several, control) {
        if control.stopped() {
            return;
        }
        let mut with = Answer { trace: None, ..answer.clone() };
        if write(&other, found.why, &mut with) {
            answer.others.extend(with.trace.map(|shown| *shown));
        }
    }
}

/// Writes the trace down, once it was replayed on the reference semantics. A trace that is refused is no evidence: the
/// answer becomes an internal error.
pub(super) fn show(prepared: &Prepared, options: &VerifyOptions, shown: &Shown<'_>, answer: &mut Answer) {
    let beyond = if shown.stopped { 0 } else { BEYOND };
    let Shown { trace, property, why, .. } = *shown;
    let claimed = ClaimedViolation { property, why, beyond };
    let written = data(prepared, trace, property)
        .map_err(NotShown::from)
        // An error of the model is met on the way to a predicate, not where it is reached.
        .map(|data| TraceData { reach: None, fairness: of_loop(&data, options), ..data })
        .and_then(|data| certified(prepared, options, &data, claimed).map(|sure| (data, sure)))
        .and_then(|(data, sure)| Ok((shown_trace(prepared, trace, property, options.format, data)?, sure)));
    match written {
        Ok((shown, sure)) => {
            if !sure {
                answer.notes.push(Note::NotConfirmedBeyond { states: beyond as u64 });
            }
            answer.trace = Some(Box::new(shown));
        }
        Err(why) => answer.outcome = Outcome::unknown(why.of(Claimed::Counterexample)),
    }
}

/// Why a trace is not shown.
enum NotShown {
    /// It is wrong: a bug.
    Wrong(String),
    /// More can happen than was looked at.
    Undecided(String),
}

impl From<String> for NotShown {
    fn from(why: String) -> NotShown {
        NotShown::Wrong(why)
    }
}

impl From<Refused> for NotShown {
    fn from(refused: Refused) -> NotShown {
        let make = if refused.undecided { NotShown::Undecided } else { NotShown::Wrong };
        make(refused.to_string())
    }
}

impl NotShown {
    fn of(self, what: Claimed) -> Reason {
        match self {
            NotShown::Wrong(why) => Reason::NotConfirmed { what, why },
            NotShown::Undecided(why) => {
                let what = words::claimed(what);
                Reason::Unsupported { why: format!("{what} was found that cannot be replayed ({why})") }
            }
        }
    }
}

/// The same for an execution that was asked for. One that reaches a predicate ends in the first state that satisfies it.
pub(super) fn show_reached(
    prepared: &Prepared,
    options: &VerifyOptions,
    shown: &Shown<'_>,
    answer: &mut Answer,
) {
    let Shown { trace, property, why, .. } = *shown;
    let Some((number, why)) = property.zip(why) else { return };
    let mut machine = Machine::new(&prepared.flat);
    let states = std::iter::once(&trace.initial).chain(trace.steps.iter().map(|step| &step.state));
    // What is a property of the program is the negation. One over steps is not decided by a state.
    let of_states = prepared.flat.program.properties[number].modality == Modality::Always;
    let first = states
        .enumerate()
        .find(|(_, state)| of_states && prepared.flat.holds(&mut machine, number, state) == Ok(false));
    let mut trace = trace.clone();
    if let Some((steps, _)) = first {
        trace.steps.truncate(steps);
        trace.end = trace::End::Open;
        trace.loop_start = None;
    }
    let name = prepared.flat.program.properties[number].name.as_str();
    let (bound, ignore_deadlock) = (options.steps, options.ignore_deadlock);
    let (fairness, states) = (Fairness::None, BEYOND);
    let claim =
        swarmcheck_certify::Claim { property: Some(name), why, bound, ignore_deadlock, states, fairness };
    let possible = prepared.turned(number) == Some(Turned::Possibly);
    let written = data(prepared, &trace, None)
        .map_err(NotShown::from)
        .and_then(|mut data| {
            let confirmed = prepared.model.reached(&prepared.file, &data, &claim);
            if possible {
                data.property = Some(name.to_string());
                data.claim = place::text(prepared, name, prepared.flat.program.properties[number].span);
            }
            confirmed.map(|_| data).map_err(NotShown::from)
        })
        .and_then(|data| Ok(shown_trace(prepared, &trace, None, options.format, data)?));
    match written {
        Ok(mut shown) => {
            if options.format == TraceFormat::Sliver && !possible {
                let predicate = reach::one_line(prepared.options.reach.as_deref().unwrap_or_default());
                shown.text += &format!("<reached: {predicate}>\n");
            }
            let evidence = Violation::Trace { why, length: Length::of(&trace) };
            answer.outcome = Outcome::Violated { evidence };
            answer.trace = Some(Box::new(shown));
        }
        Err(why) => answer.outcome = Outcome::unknown(why.of(Claimed::Execution)),
    }
}

/// What a trace is said to show.
#[derive(Clone, Copy)]
struct ClaimedViolation {
    property: Option<usize>,
    /// How it violates the property; none for a model error.
    why: Option<Why>,
    /// The most states that are explored beyond the trace to confirm the claim.
    beyond: usize,
}

/// Replays a trace on the rules; whether everything about it was confirmed.
fn certified(
    prepared: &Prepared,
    options: &VerifyOptions,
    data: &TraceData,
    claimed: ClaimedViolation,
) -> Result<bool, NotShown> {
    let Some(why) = claimed.why else {
        prepared.model.replay(&prepared.file, data)?;
        return Ok(true);
    };
    let claim = swarmcheck_certify::Claim {
        property: claimed.property.map(|p| prepared.flat.program.properties[p].name.as_str()),
        why,
        bound: options.steps,
        ignore_deadlock: options.ignore_deadlock,
        states: claimed.beyond,
        fairness: options.fairness,
    };
    Ok(prepared.model.violated(&prepared.file, data, &claim)?.entirely)
}

/// What is said of the loop of a trace. An execution that stops is fair in every sense.
fn of_loop(data: &TraceData, options: &VerifyOptions) -> Fairness {
    if data.loop_start.is_some() { options.fairness } else { Fairness::None }
}

fn first_truth(prepared: &Prepared, property: Option<usize>, state: &[i64]) -> Option<bool> {
    prepared.flat.holds(&mut Machine::new(&prepared.flat), property?, state).ok()
}

/// What the error at the end of a trace met.
pub(super) fn detail(prepared: &Prepared, trace: &Trace) -> Option<FaultData> {
    let state = trace.steps.last().map_or(&trace.initial, |step| &step.state);
    match trace.end {
        trace::End::Fault(Some(instance), fault) => {
            reasons::step_fault(&prepared.flat, state, instance, fault)
        }
        trace::End::Fault(None, fault) => reasons::predicate_fault(&prepared.flat, state, fault),
        trace::End::InitialFault(fault) => reasons::initial_fault(&prepared.flat, fault),
        trace::End::Open | trace::End::Deadlock => None,
    }
}

/// A trace as data, with its explanations.
pub(crate) fn data(prepared: &Prepared, trace: &Trace, property: Option<usize>) -> Result<TraceData, String> {
    let (mut sink, end) = follow(prepared, trace, property, TraceFormat::Json)?;
    sink.detail = detail(prepared, trace);
    let mut data = sink.data(prepared, &end);
    let flat = &prepared.flat;
    let number = property;
    data.property = number.map(|number| flat.program.properties[number].name.clone());
    data.claim = number.and_then(|number| {
        let property = &flat.program.properties[number];
        place::text(prepared, &property.name, property.span)
    });
    let mut parts = reasons::Parts::new(flat, number);
    data.truths = parts.look(flat, &trace.initial);
    for (step, made) in data.steps.iter_mut().zip(&trace.steps) {
        step.truths = parts.look(flat, &made.state);
    }
    // Where the predicate changes, the step says why; otherwise the end does.
    let changed = data.steps.last().is_some_and(|step| !step.properties.is_empty());
    let ends = matches!(trace.end, trace::End::Open | trace::End::Deadlock);
    if let (false, true, Some(number)) = (changed, ends && !trace.steps.is_empty(), number) {
        let last = trace.steps.last().map_or(&trace.initial, |step| &step.state);
        data.because = reasons::because(flat, number, last);
    }
    if matches!(trace.end, trace::End::Open) && trace.loop_start.is_none() {
        let last = trace.steps.last().map_or(&trace.initial, |step| &step.state);
        let stuck = is_stuck(flat, &mut Machine::new(flat), last);
        data.stopped = stuck.then(|| reasons::stop(prepared, last)).flatten().map(Box::new);
    }
    data.repeats = reasons::circle(prepared, trace, &data.steps).map(Box::new);
    data.formula = number.map(|number| reasons::formula(prepared, trace, number)).unwrap_or_default();
    Ok(data)
}

/// The data of a trace, and the trace in the format that was asked for.
pub(super) fn shown_trace(
    prepared: &Prepared,
    trace: &Trace,
    property: Option<usize>,
    format: TraceFormat,
    data: TraceData,
) -> Result<ShownTrace, String> {
    let legend = Legend::new(&prepared.flat.program);
    let text = match format {
        TraceFormat::Json => serde_json::to_string(&data).map_err(|e| e.to_string())? + "\n",
        TraceFormat::Text | TraceFormat::Markdown => {
            let style = Style { flavour: format.flavour().unwrap_or_default(), full: false };
            Listing::whole(&legend, style, &data, None)
        }
        TraceFormat::Html | TraceFormat::Svg => {
            let step = |step: &trace::TraceStep| Planned {
                instance: step.instance,
                message: None,
                state: step.state.clone(),
            };
            let steps = trace.steps.iter().map(step).collect();
            let plan = Plan { initial: trace.initial.clone(), steps, back_to: trace.loop_start };
            crate::picture::document(prepared, &data, &plan, format)
        }
        TraceFormat::Itf | TraceFormat::Sliver => {
            let (mut sink, end) = follow(prepared, trace, property, format)?;
            sink.finish(prepared, &end);
            sink.take()
        }
    };
    Ok(ShownTrace { data, text, legend })
}

/// Makes the steps of a trace again, for what they assign.
fn follow<'p>(
    prepared: &'p Prepared,
    trace: &Trace,
    property: Option<usize>,
    format: TraceFormat,
) -> Result<(Sink<'p>, End), String> {
    let flat = &prepared.flat;
    // A formula has no predicate that becomes true or false.
    let is_formula = |number: usize| matches!(flat.program.properties[number].modality, Modality::Linear(_));
    let property = property.filter(|number| !is_formula(*number));
    let mut machine = Machine::new(flat);
    let mut sink = Sink::new(prepared, Some(format), &trace.initial);
    sink.loop_start = trace.loop_start;
    let mut state = trace.initial.clone();
    sink.initial(&state);
    // Nothing has become true or false yet in the initial state; but whoever checks the trace should know.
    let mut told = (format != TraceFormat::Json).then(|| first_truth(prepared, property, &state)).flatten();
    let mut tell = |machine: &mut Machine, sink: &mut Sink<'_>, state: &[i64]| {
        let Some(number) = property else { return };
        if let Ok(holds) = flat.holds(machine, number, state)
            && told.replace(holds).is_none_or(|before| before != holds)
        {
            sink.property(prepared, number, holds, Event::Became(holds));
        }
    };
    tell(&mut machine, &mut sink, &state);
    for (number, step) in trace.steps.iter().enumerate() {
        if trace.loop_start == Some(number) {
            sink.title("<loop>");
        }
        let before = state.clone();
        let outcome = machine.step(flat, step.instance, &mut state, &mut Again::new(&step.choices));
        if outcome != Ran::Done || state != step.state {
            return Err(format!("step {} of the trace cannot be made", number + 1));
        }
        let writes = machine.writes().to_vec();
        let made = MadeStep { before: &before, instance: step.instance, choices: &step.choices };
        sink.step(prepared, &made, &writes, &state);
        tell(&mut machine, &mut sink, &state);
    }
    if trace.loop_start.is_some() {
        sink.title("<end loop: and so on for ever>");
    }
    let end = match &trace.end {
        trace::End::Open => End::Steps,
        trace::End::Deadlock => End::Deadlock,
        trace::End::Fault(instance, fault) => {
            if let Some(instance) = instance {
                sink.culprit(prepared, *instance);
            }
            End::Fault(*fault)
        }
        trace::End::InitialFault(fault) => End::Fault(*fault),
    };
    Ok((sink, end))
}

#[cfg(test)]
mod tests;
