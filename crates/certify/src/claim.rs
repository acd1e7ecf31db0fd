//! Whether a trace shows what it is said to show: that a property is violated.
//!
//! The conditions of the property are evaluated by the reference semantics in every state of the replay; what they say
//! is then judged by the definition of the modality. That a predicate is out of reach from the last state cannot be seen
//! in a trace: there the rules are explored a little way, and the answer says whether that was enough.

use crate::fair::Loop;
use crate::follow::Follow;
use crate::{Refused, Replayed, oracle, replay_seeing};
use std::collections::HashSet;
use swarmcheck_engine::trace::data::TraceData;
use swarmcheck_engine::{Fairness, Why};
use swarmcheck_labs::model::{Cond, Inside, Modality, Model, Property};
use swarmcheck_logic::{Status, Truth, Watch};
use swarmcheck_reference::{Interpreter, Show, State};
use swarmcheck_source::SourceFile;

/// What a trace is said to show.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// That this property is violated; without one, that there is a deadlock.
    pub property: Option<&'a str>,
    pub why: Why,
    /// Only executions of this many steps count.
    pub bound: Option<u32>,
    /// Executions that stop are excused.
    pub ignore_deadlock: bool,
    /// How many states to look at beyond the trace.
    pub states: usize,
    /// Which infinite executions count: a loop must be fair in this sense.
    pub fairness: Fairness,
}

/// A claim that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// The trace.
    pub replayed: Replayed,
    /// Everything was checked. Otherwise the trace is right, but that nothing better lies beyond it was too much to
    /// look at.
    pub entirely: bool,
}

/// Checks a claim.
pub fn violated(
    model: &Model,
    file: &SourceFile,
    trace: &TraceData,
    claim: &Claim<'_>,
) -> Result<Confirmed, Refused> {
    let property = match claim.property {
        None => None,
        Some(name) => {
            let found = model.properties.iter().find(|p| p.name == name);
            Some(found.ok_or_else(|| refuse(None, format!("there is no property {name:?}")))?)
        }
    };
    let oracle = oracle(model, trace)?;
    let shown = match property {
        Some(Property { modality: Modality::Linear(formula), .. }) => {
            crate::formula::violated(&oracle, file, trace, formula, claim)
        }
        _ => shown(&oracle, file, trace, property, claim),
    };
    shown.map_err(|refused| refused.by(&oracle))
}

/// The same for a property that is no formula.
fn shown(
    oracle: &Interpreter<'_>,
    file: &SourceFile,
    trace: &TraceData,
    property: Option<&Property>,
    claim: &Claim<'_>,
) -> Result<Confirmed, Refused> {
    let mut truths = vec![];
    let mut beyond = None;
    let mut seen = 0;
    let mut fair = Loop::new(trace, claim.fairness);
    let replayed = replay_seeing(oracle, file, trace, &mut |now| {
        fair.see(oracle, now);
        truths.push(property.map_or(Ok(Truth::default()), |p| truth(oracle, now.state(), p)));
        if seen == trace.steps.len() && claim.why == Why::OutOfReach {
            beyond = property.map(|p| match trace.choice.as_str() {
                "late" => explore_all(oracle, now, p, claim),
                // After an early choice the trace may be in very many states.
                _ => Beyond::Unknown,
            });
        }
        seen += 1;
    })?;
    fair.check()?;
    let truths: Result<Vec<Truth>, String> = truths.into_iter().collect();
    let truths = truths.map_err(|why| refuse(None, why))?;
    let fine = |entirely| Ok(Confirmed { replayed, entirely });
    let wrong = |why: &str| Err(refuse(Some(trace.steps.len()), why.to_string()));
    let Some(property) = property else {
        return if trace.end == "deadlock" {
            fine(true)
        } else {
            wrong("the trace does not end in a deadlock")
        };
    };
    match shows(&automaton(&property.modality), trace, &truths, claim) {
        Err(why) => wrong(why),
        Ok(()) => match beyond {
            None | Some(Beyond::Nothing) => fine(true),
            Some(Beyond::Something) => wrong("the predicate can still be reached from the last state"),
            Some(Beyond::Unknown) => fine(false),
        },
    }
}

fn refuse(step: Option<usize>, why: String) -> Refused {
    Refused::new(step, why)
}

/// Whether the truth of the conditions along the trace, and its end, violate the property.
pub(crate) fn shows(
    modality: &swarmcheck_ir::Modality,
    trace: &TraceData,
    truths: &[Truth],
    claim: &Claim<'_>,
) -> Result<(), &'static str> {
    let check = |right: bool, why: &'static str| if right { Ok(()) } else { Err(why) };
    let never = || check(truths.iter().all(|t| !t.predicate), "the predicate holds on the way");
    let last = || check(truths.last().is_some_and(|t| !t.predicate), "the predicate holds in the last state");
    let length = |n: u32| check(trace.steps.len() == n as usize, "the trace has the wrong number of steps");
    let ends = || match claim.why {
        Why::Loop => check(trace.loop_start.is_some(), "the trace does not loop"),
        Why::Stuck => {
            check(!claim.ignore_deadlock, "executions that stop are excused")?;
            check(trace.end == "deadlock", "the trace does not end in a deadlock")
        }
        _ => Err("the trace neither loops nor stops"),
    };
    let within =
        || check(claim.bound.is_none_or(|b| trace.steps.len() <= b as usize), "the trace is too long");
    use swarmcheck_ir::Modality;
    match (modality, claim.bound) {
        (Modality::Always, _) => within().and_then(|()| last()),
        (Modality::Eventually | Modality::Finally, None) => never().and_then(|()| ends()),
        (Modality::Eventually, Some(bound)) => length(bound).and_then(|()| never()),
        (Modality::Finally, Some(bound)) => length(bound).and_then(|()| last()),
        (Modality::After(steps), _) => length(*steps).and_then(|()| last()),
        (Modality::Fairly, _) => never(),
        (Modality::FairlyInf, _) => last(),
        (Modality::Linear(_), _) => Err("formulas of linear time are judged elsewhere"),
        (Modality::Scoped { .. }, _) => within().and_then(|()| scope(modality, trace, truths, claim)),
    }
}

fn scope(
    modality: &swarmcheck_ir::Modality,
    trace: &TraceData,
    truths: &[Truth],
    claim: &Claim<'_>,
) -> Result<(), &'static str> {
    let mut watch = Watch::new(modality);
    let mut statuses = vec![];
    for (step, truth) in truths.iter().enumerate() {
        watch.observe(step as u32, *truth);
        statuses.push(watch.status());
    }
    let waits = |status: &Status| *status == Status::Undecided;
    let right = match claim.why {
        Why::Scope => statuses.last() == Some(&Status::Violated),
        Why::Stuck => statuses.last().is_some_and(waits) && trace.end == "deadlock" && !claim.ignore_deadlock,
        Why::Loop => trace.loop_start.is_some_and(|start| statuses[start..].iter().all(waits)),
        _ => false,
    };
    if right { Ok(()) } else { Err("the scope is not violated") }
}

/// The modality as the automaton of `logic` knows it; the conditions are evaluated here.
fn automaton(modality: &Modality) -> swarmcheck_ir::Modality {
    let nothing = || swarmcheck_ir::Expr::FALSE;
    match modality {
        Modality::Scoped { open, inside, .. } => swarmcheck_ir::Modality::Scoped {
            open: *open,
            start: nothing(),
            end: nothing(),
            inside: match inside {
                Inside::Always => swarmcheck_ir::Inside::Always,
                Inside::ThereIs => swarmcheck_ir::Inside::ThereIs,
                Inside::Precedes(_) => swarmcheck_ir::Inside::Precedes(nothing()),
            },
        },
        // Formulas are judged elsewhere.
        Modality::Always | Modality::Linear(_) => swarmcheck_ir::Modality::Always,
        Modality::Eventually => swarmcheck_ir::Modality::Eventually,
        Modality::Finally => swarmcheck_ir::Modality::Finally,
        Modality::Fairly => swarmcheck_ir::Modality::Fairly,
        Modality::FairlyInf => swarmcheck_ir::Modality::FairlyInf,
        Modality::After(steps) => swarmcheck_ir::Modality::After(*steps),
    }
}

/// All conditions of a property: the predicate, then those of its scope.
pub(crate) fn conditions(property: &Property) -> Vec<&Cond> {
    let mut all = vec![&property.predicate];
    if let Modality::Scoped { start, end, inside, .. } = &property.modality {
        all.extend([start, end]);
        if let Inside::Precedes(first) = inside {
            all.push(first);
        }
    }
    if let Modality::Linear(formula) = &property.modality {
        all.extend(crate::formula::predicates(formula));
    }
    all
}

/// The conditions of a property in one state.
fn truth(oracle: &Interpreter<'_>, state: &State, property: &Property) -> Result<Truth, String> {
    let test = |c: &Cond| oracle.satisfies(state, c).map_err(|e| e.to_string());
    let all: Result<Vec<bool>, String> = conditions(property).into_iter().map(test).collect();
    Ok(Truth::from_exprs(all?))
}

/// What lies beyond the last state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Beyond {
    Nothing,
    Something,
    Unknown,
}

/// A trace may be in more states than this: then it is not looked what lies beyond.
const MOST: usize = 16;

/// Looks what lies beyond any of the states that the trace may be in. One from which the predicate is out of reach is
/// enough: the trace leads there.
fn explore_all(oracle: &Interpreter<'_>, now: &Follow, property: &Property, claim: &Claim<'_>) -> Beyond {
    let Some(states) = now.states(MOST) else { return Beyond::Unknown };
    let all: Vec<Beyond> = states.iter().map(|state| explore(oracle, state, property, claim)).collect();
    let first = [Beyond::Nothing, Beyond::Unknown].into_iter().find(|b| all.contains(b));
    first.unwrap_or(Beyond::Something)
}

/// Looks whether the predicate, or an excuse, can be reached from a state.
fn explore(oracle: &Interpreter<'_>, from: &State, property: &Property, claim: &Claim<'_>) -> Beyond {
    let mut seen: HashSet<State> = HashSet::from([from.clone()]);
    let mut todo = vec![from.clone()];
    while let Some(state) = todo.pop() {
        match oracle.satisfies(&state, &property.predicate) {
            Ok(false) => {}
            Ok(true) => return Beyond::Something,
            Err(_) => return Beyond::Unknown,
        }
        let mut stuck = true;
        for agent in 0..oracle.model().agents() {
            let shown = oracle.for_each_step(&state, agent, None, &mut |(_, result)| {
                stuck = false;
                if let Ok(next) = result
                    && seen.insert(next.clone())
                {
                    todo.push(next);
                }
                if seen.len() > claim.states { Show::Nothing } else { Show::More }
            });
            if shown.is_err() {
                return Beyond::Unknown;
            }
        }
        if stuck && claim.ignore_deadlock {
            return Beyond::Something;
        }
        if seen.len() > claim.states {
            return Beyond::Unknown;
        }
    }
    Beyond::Nothing
}
