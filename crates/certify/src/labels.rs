//! Replays traces of calculi on their rules.
//!
//! A trace is a sequence of labels. Several terms may be reached by the same labels, and what a trace is said to show must be
//! true of one of them. At first only those are followed that the agents named in the steps lead to, which are few; if they do
//! not show it, all are: in a system of many processes, exponentially many.

use crate::claim::{Beyond, shows};
use crate::{Claim, Confirmed, Refused, Replayed};
use std::collections::BTreeSet;
use swarmcheck_calculi::linear::Proposition;
use swarmcheck_calculi::property::{Claim as ActionClaim, Property, Requirement};
use swarmcheck_calculi::rules::Rules;
use swarmcheck_engine::trace::data::{FORMAT, PropertyData, StepData, TraceData, VERSION};
use swarmcheck_engine::{Fairness, Why};
use swarmcheck_ir::Linear;
use swarmcheck_logic::Truth;
use swarmcheck_logic::linear::{lasso, prefix};

/// How often a loop is followed until the terms it leads to repeat.
const MOST_ROUNDS: usize = 1000;

pub fn replay<R: Rules>(rules: &R, properties: &[Property], trace: &TraceData) -> Result<Replayed, Refused> {
    without_units(trace.fairness)?;
    widening(|which| Ok(follow(rules, properties, trace, which)?.replayed))
}

/// Which terms are followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those that a step leads to in which only the agents move that it names.
    Named,
    /// All that the labels lead to.
    All,
}

/// The first success, or else why all terms do not show it.
fn widening<T>(attempt: impl Fn(Which) -> Result<T, Refused>) -> Result<T, Refused> {
    attempt(Which::Named).or_else(|_| attempt(Which::All))
}

/// Nobody can say whether a loop is fair where steps belong to no single agent.
fn without_units(fairness: Fairness) -> Result<(), Refused> {
    match fairness {
        Fairness::None => Ok(()),
        _ => Err(Refused::new(None, "fairness means nothing in this language".to_string())),
    }
}

/// Checks that a trace shows what it is said to show.
pub fn violated<R: Rules>(
    rules: &R,
    properties: &[Property],
    trace: &TraceData,
    claim: &Claim<'_>,
) -> Result<Confirmed, Refused> {
    without_units(claim.fairness)?;
    widening(|which| violated_by(rules, properties, trace, claim, which))
}

fn violated_by<R: Rules>(
    rules: &R,
    properties: &[Property],
    trace: &TraceData,
    claim: &Claim<'_>,
    which: Which,
) -> Result<Confirmed, Refused> {
    let Followed { replayed, terms, states } = follow(rules, properties, trace, which)?;
    let wrong = |why: &str| Err(Refused::new(Some(trace.steps.len()), why.to_string()));
    let fine = |entirely| Ok(Confirmed { replayed, entirely });
    let Some(name) = claim.property else {
        return if trace.end == "deadlock" {
            fine(true)
        } else {
            wrong("the trace does not end in a deadlock")
        };
    };
    let Some(at) = properties.iter().position(|p| p.name == name) else {
        return wrong(&format!("there is no property {name:?}"));
    };
    let property = match &properties[at].requirement {
        Requirement::Claim(property) => property,
        Requirement::Formula(formula) => {
            let seen = |step| Some(label(step)).filter(|label| !rules.rests(label)).unwrap_or("");
            let labels: Vec<&str> = trace.steps.iter().map(seen).collect();
            return match violates(&formula.required(), &labels, trace, claim) {
                Ok(()) => fine(true),
                Err(why) => wrong(why),
            };
        }
    };
    // Of the terms that the labels may lead to, only those at the end of the trace matter to claims that look ahead.
    let acts = terms.iter().all(|term| rules.acts(term));
    let truth = |all: &Vec<u8>| Truth { predicate: property.holds(all[at], acts), ..Truth::default() };
    let truths: Vec<Truth> = states.iter().map(truth).collect();
    if let Err(why) = shows(&property.modality(), trace, &truths, claim) {
        return wrong(why);
    }
    if claim.why != Why::OutOfReach {
        return fine(true);
    }
    let last = states.last().map_or(0, |all| all[at]);
    let beyond: Vec<Beyond> = terms.iter().map(|term| explore(rules, term, property, last, claim)).collect();
    if beyond.contains(&Beyond::Nothing) {
        fine(true)
    } else if beyond.contains(&Beyond::Unknown) {
        fine(false)
    } else {
        wrong("the action can still be reached from the last state")
    }
}

/// Checks that an execution with these labels, which has no label where it rests, violates a formula. An execution that stops
/// goes on without labels.
fn violates(
    formula: &Linear<Proposition>,
    labels: &[&str],
    trace: &TraceData,
    claim: &Claim<'_>,
) -> Result<(), &'static str> {
    if claim.bound.is_some() {
        return Err("a formula has no bound on steps");
    }
    let mut propositions: Vec<&Proposition> = vec![];
    formula.atoms(&mut propositions);
    let mut number = 0..;
    let formula = formula.map(&mut |_| number.next().unwrap_or_default());
    if claim.why == Why::Prefix {
        // What begins like this goes on somehow, be it by resting; but not if executions that stop do not count.
        let bad = !claim.ignore_deadlock
            && prefix::is_bad(&formula, labels.len(), &|atom, at| propositions[atom].is(labels[at]));
        return if bad { Ok(()) } else { Err("the trace may go on to satisfy the formula") };
    }
    let mut word = labels.to_vec();
    let back = match (trace.loop_start, trace.end.as_str()) {
        (Some(start), _) if start < word.len() => start,
        (None, "deadlock") if claim.ignore_deadlock => return Err("executions that stop are excused"),
        (None, "deadlock") => {
            word.push("");
            word.len() - 1
        }
        _ => return Err("the trace neither loops nor stops"),
    };
    match lasso::satisfies(&formula, word.len(), back, &|atom, at| propositions[atom].is(word[at])) {
        true => Err("the execution satisfies the formula"),
        false => Ok(()),
    }
}

/// The label of a step: the first word of what it says.
fn label(step: &StepData) -> &str {
    step.what.split(' ').next().unwrap_or("")
}

/// The agents that a step names: the one that acts, and those after `with`, each a name and a number.
fn named(step: &StepData) -> Vec<u32> {
    let others = step.what.split_once(" with ").map_or("", |(_, others)| others);
    let number = |other: &str| other.rsplit(' ').next()?.parse().ok();
    others.split(", ").filter_map(number).chain([step.agent]).collect()
}

/// What following a trace gives.
struct Followed<T> {
    replayed: Replayed,
    /// The terms that the trace may end in.
    terms: BTreeSet<T>,
    /// The states of all claims, initially and after each step.
    states: Vec<Vec<u8>>,
}

/// Follows a trace: the terms it may end in, and after each step the states of all claims.
fn follow<R: Rules>(
    rules: &R,
    properties: &[Property],
    trace: &TraceData,
    which: Which,
) -> Result<Followed<R::Term>, Refused> {
    let before = |why: String| Refused::new(None, why);
    if trace.format != FORMAT || trace.version != VERSION {
        return Err(before(format!("not a {FORMAT} of version {VERSION}")));
    }
    if !trace.initial.is_empty() || trace.steps.iter().any(|s| !s.writes.is_empty()) {
        return Err(before("the trace assigns values, but a calculus has none".to_string()));
    }
    let mut terms = BTreeSet::from([rules.start()]);
    let mut states = vec![vec![0; properties.len()]];
    told(rules, &terms, properties, &states[0], &trace.properties).map_err(before)?;
    let mut looped = None;
    for (number, step) in trace.steps.iter().enumerate() {
        let at = |why: String| Refused::new(Some(number + 1), why);
        if trace.loop_start == Some(number) {
            looped = Some(terms.clone());
        }
        terms = after(rules, &terms, step, which);
        if terms.is_empty() {
            return Err(at(format!("{:?} is not possible here", label(step))));
        }
        let last = &states[states.len() - 1];
        // Formulas have no states.
        let after =
            |(p, state): (&Property, &u8)| p.claim().map_or(0, |c| read(rules, c, *state, label(step)));
        let next: Vec<u8> = properties.iter().zip(last).map(after).collect();
        told(rules, &terms, properties, &next, &step.properties).map_err(at)?;
        states.push(next);
    }
    let at_end = |why: &str| Refused::new(Some(trace.steps.len()), why.to_string());
    if let Some(start) = trace.loop_start
        && !looped.is_some_and(|terms| repeats(rules, terms, &trace.steps[start..], which))
    {
        return Err(at_end("the trace claims to loop, but its steps cannot be repeated forever"));
    }
    let stuck = |term: &R::Term| rules.steps(term).is_empty();
    let deadlock = match trace.end.as_str() {
        "open" => terms.iter().all(stuck),
        "deadlock" if terms.iter().any(stuck) => {
            terms.retain(stuck);
            true
        }
        "deadlock" => return Err(at_end("the trace claims a deadlock, but a step is possible")),
        _ => return Err(at_end("a trace of a calculus ends open or in a deadlock")),
    };
    let replayed = Replayed { steps: trace.steps.len(), deadlock };
    Ok(Followed { replayed, terms, states })
}

fn after<R: Rules>(rules: &R, terms: &BTreeSet<R::Term>, step: &StepData, which: Which) -> BTreeSet<R::Term> {
    let (label, named) = (label(step), named(step));
    let fits = |term: &R::Term, next: &R::Term| {
        let moved = if which == Which::Named { rules.moved(term, next) } else { None };
        moved.is_none_or(|moved| moved.iter().all(|agent| named.contains(agent)))
    };
    let mut found = BTreeSet::new();
    for term in terms {
        let steps = rules.steps(term).into_iter().filter(|(own, _)| own == label);
        found.extend(steps.map(|(_, next)| next).filter(|next| fits(term, next)));
    }
    found
}

/// Whether steps can be repeated forever. Each term has finitely many steps, so it is enough that every number of
/// rounds is possible; and it is, once the same terms are met again.
fn repeats<R: Rules>(rules: &R, mut terms: BTreeSet<R::Term>, steps: &[StepData], which: Which) -> bool {
    let mut met = BTreeSet::new();
    for _ in 0..MOST_ROUNDS {
        if steps.is_empty() || terms.is_empty() {
            return false;
        }
        if !met.insert(terms.clone()) {
            return true;
        }
        for step in steps {
            terms = after(rules, &terms, step, which);
        }
    }
    false
}

/// The state of a claim after a step; resting is no action.
fn read<R: Rules>(rules: &R, claim: &ActionClaim, state: u8, label: &str) -> u8 {
    if rules.rests(label) { state } else { claim.after(state, label) }
}

/// Whether the predicates are as the trace says, for one of the terms.
fn told<R: Rules>(
    rules: &R,
    terms: &BTreeSet<R::Term>,
    properties: &[Property],
    states: &[u8],
    claims: &[PropertyData],
) -> Result<(), String> {
    for claim in claims {
        let at = properties.iter().position(|p| p.name == claim.name);
        let at = at.ok_or_else(|| format!("there is no property {:?}", claim.name))?;
        // A formula has no predicate.
        let Some(property) = properties[at].claim() else { continue };
        let holds = |term| property.holds(states[at], !property.looks_ahead() || rules.acts(term));
        if !terms.iter().any(|term| holds(term) == claim.holds) {
            return Err(format!("property {:?} is not {} here", claim.name, claim.holds));
        }
    }
    Ok(())
}

/// Looks whether the predicate, or an excuse, can be reached from a term.
fn explore<R: Rules>(
    rules: &R,
    from: &R::Term,
    property: &ActionClaim,
    state: u8,
    claim: &Claim<'_>,
) -> Beyond {
    let mut seen = BTreeSet::from([(from.clone(), state)]);
    let mut todo = vec![(from.clone(), state)];
    while let Some((term, state)) = todo.pop() {
        let steps = rules.steps(&term);
        let acts = steps.iter().any(|(label, _)| !rules.rests(label));
        if property.holds(state, acts) {
            return Beyond::Something;
        }
        if steps.is_empty() && claim.ignore_deadlock {
            return Beyond::Something;
        }
        for (label, next) in steps {
            let next = (next, read(rules, property, state, &label));
            if seen.insert(next.clone()) {
                todo.push(next);
            }
        }
        if seen.len() > claim.states {
            return Beyond::Unknown;
        }
    }
    Beyond::Nothing
}
