//! From what another verifier found to an execution of the program.
//!
//! A trail says who makes each step and which state it leads to. The steps are made again on the program: that gives the
//! choices, and a trail that the program cannot make is noticed here. What the execution violates follows from the
//! property and from how the trail ends.

use crate::{Trail, Way};
use swarmcheck_engine::trace::{End, Trace, TraceStep};
use swarmcheck_engine::{Reason, Verdict, Why, successors};
use swarmcheck_ir::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use swarmcheck_ir::{Fault, Modality, Value};

/// How many ways to make a step, or to begin, are tried.
const ATTEMPTS: usize = 1_000_000;

/// The verdict that a trail stands for.
pub fn execution(flat: &Flat, property: Option<usize>, bound: Option<u32>, trail: &Trail) -> Verdict {
    match follow(flat, property, bound, trail) {
        Ok(verdict) => verdict,
        Err(why) => Verdict::Unknown(Reason::Internal(format!("the trail of the verifier is wrong: {why}"))),
    }
}

fn follow(
    flat: &Flat,
    property: Option<usize>,
    bound: Option<u32>,
    trail: &Trail,
) -> Result<Verdict, String> {
    let mut machine = Machine::new(flat);
    let too_large = || {
        let why = "a number does not fit the 32 bits that the verifier has";
        Verdict::Unknown(Reason::Unsupported(why.to_string()))
    };
    let Some(initial) = trail.states.first() else {
        let fault = initial_fault(flat, &mut machine);
        let trace = |fault| Trace { end: End::InitialFault(fault), ..Trace::default() };
        return Ok(fault.map_or_else(too_large, |fault| Verdict::Invalid(trace(fault))));
    };
    let mut trace = Trace { initial: initial.clone(), ..Trace::default() };
    let functions = flat.program.functions.len() as u32;
    let mut rests = false;
    for (step, state) in trail.steps.iter().zip(&trail.states[1..]) {
        // What a formula is multiplied with may rest where the program stops.
        if step.0 >= functions {
            rests = true;
            break;
        }
        let from = trace.steps.last().map_or(&trace.initial, |s| &s.state).clone();
        let instance = Instance { function: step.0, agent: step.1 };
        let choices = ways(flat, &mut machine, instance, &from).find_map(|(outcome, choices, after)| {
            (outcome == Outcome::Done && after == *state).then_some(choices)
        });
        let Some(choices) = choices else {
            return Err(format!("step {} cannot be made", trace.steps.len() + 1));
        };
        trace.steps.push(TraceStep { instance, choices, state: state.clone() });
    }
    let last = trace.steps.last().map_or(&trace.initial, |s| &s.state).clone();
    if let Some(attempt) = trail.attempted.filter(|_| !rests) {
        let instance = Instance { function: attempt.0, agent: attempt.1 };
        return Ok(faulty(flat, &mut machine, property, trace, instance, &last).unwrap_or_else(too_large));
    }
    if let Some(fault) = condition_fault(flat, &mut machine, property, &last) {
        trace.end = End::Fault(None, fault);
        return Ok(Verdict::Invalid(trace));
    }
    let stuck = successors(flat, &mut machine, &last).is_empty();
    let stops = rests || trail.cycle == Some(trace.steps.len());
    if stops && !stuck {
        return Err("it stops where a step is possible".to_string());
    }
    let loops = trail.cycle.filter(|_| !stops);
    if let Some(start) = loops {
        let again = if start == 0 { &trace.initial } else { &trace.steps[start - 1].state };
        if *again != last {
            return Err("it does not come back to where its loop begins".to_string());
        }
        trace.loop_start = Some(start);
    }
    if stops {
        trace.end = End::Deadlock;
    }
    let modality = property.map(|p| &flat.program.properties[p].modality);
    let why = match modality {
        None if stuck => {
            trace.end = End::Deadlock;
            Why::Deadlock
        }
        None => return Err("it ends where a step is possible".to_string()),
        Some(Modality::Linear(_)) if stops || loops.is_some() => Why::Formula,
        Some(Modality::Scoped { .. }) if stops => Why::Stuck,
        Some(Modality::Scoped { .. }) if loops.is_some() => Why::Loop,
        Some(Modality::Scoped { .. }) => Why::Scope,
        Some(Modality::Eventually | Modality::Finally) if bound.is_none() => match (stops, loops) {
            (true, _) => Why::Stuck,
            (_, Some(_)) => Why::Loop,
            _ => return Err("it neither stops nor goes round".to_string()),
        },
        Some(Modality::Always | Modality::After(_) | Modality::Eventually | Modality::Finally) => Why::False,
        Some(Modality::Fairly | Modality::FairlyInf) => Why::OutOfReach,
        // The claim of a formula has come to where it accepts everything.
        Some(Modality::Linear(_)) => Why::Prefix,
    };
    Ok(Verdict::Violated(trace, why))
}

/// The trail with these states: any steps that lead from one to the next. `broken` tells that the step after them
/// is an error of the model.
pub fn between(flat: &Flat, way: &Way, broken: bool) -> Result<Trail, String> {
    let mut machine = Machine::new(flat);
    let mut trail = Trail::default();
    for state in &way.states {
        let Some(before) = trail.states.last() else {
            trail.states.push(state.clone());
            continue;
        };
        let steps = successors(flat, &mut machine, before);
        if steps.is_empty() {
            // Nothing happens any more.
            trail.cycle = Some(trail.steps.len());
            return Ok(trail);
        }
        let Some(step) = steps.iter().find(|s| s.result.as_ref() == Ok(state)) else {
            return Err(format!("step {} cannot be made", trail.steps.len() + 1));
        };
        trail.steps.push((step.instance.function, step.instance.agent));
        trail.states.push(state.clone());
    }
    if let (true, Some(last)) = (broken, trail.states.last()) {
        let steps = successors(flat, &mut machine, last);
        let faulty = steps.iter().find(|s| s.result.is_err());
        trail.attempted = faulty.map(|s| (s.instance.function, s.instance.agent));
    }
    trail.cycle = way.back_to.filter(|at| *at < trail.steps.len());
    Ok(trail)
}

/// All ways to make a step.
fn ways<'a>(
    flat: &'a Flat,
    machine: &'a mut Machine,
    instance: Instance,
    from: &[Value],
) -> impl Iterator<Item = (Outcome, Vec<u64>, Vec<Value>)> + 'a {
    let mut choices = Enumerate::default();
    let mut more = true;
    let from = from.to_vec();
    let next = move || {
        if !more {
            return None;
        }
        let mut state = from.clone();
        let outcome = machine.step(flat, instance, &mut state, &mut choices);
        let made = choices.choices().collect();
        more = choices.advance();
        Some((outcome, made, state))
    };
    std::iter::from_fn(next).take(ATTEMPTS)
}

/// The error of the model that a step meets, or that a condition of the property meets after it.
fn faulty(
    flat: &Flat,
    machine: &mut Machine,
    property: Option<usize>,
    mut trace: Trace,
    instance: Instance,
    from: &[Value],
) -> Option<Verdict> {
    if instance.function as usize >= flat.program.functions.len() {
        return None;
    }
    let tried: Vec<_> = ways(flat, machine, instance, from).collect();
    for (outcome, choices, state) in tried {
        match outcome {
            Outcome::Fault(fault) => {
                trace.end = End::Fault(Some(instance), fault);
                return Some(Verdict::Invalid(trace));
            }
            Outcome::Done => {
                if let Some(fault) = condition_fault(flat, machine, property, &state) {
                    trace.steps.push(TraceStep { instance, choices, state });
                    trace.end = End::Fault(None, fault);
                    return Some(Verdict::Invalid(trace));
                }
            }
            Outcome::Disabled => {}
        }
    }
    None
}

fn condition_fault(
    flat: &Flat,
    machine: &mut Machine,
    property: Option<usize>,
    state: &[Value],
) -> Option<Fault> {
    let conditions = flat.program.properties[property?].exprs();
    conditions.into_iter().find_map(|e| machine.test(flat, &flat.compile(e), state).err())
}

fn initial_fault(flat: &Flat, machine: &mut Machine) -> Option<Fault> {
    let mut choices = Enumerate::default();
    let mut state = vec![0; flat.width()];
    for _ in 0..ATTEMPTS {
        if let Outcome::Fault(fault) = machine.initialise(flat, &mut state, &mut choices) {
            return Some(fault);
        }
        if !choices.advance() {
            break;
        }
    }
    None
}
