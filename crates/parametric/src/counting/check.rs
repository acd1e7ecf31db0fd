//! Checks proofs by counting, without the searches that find them.
//!
//! What is shared with the search is the counter system, which is extracted again, with its translation of predicates, and the list of
//! constraints on reachable states; [`super::sample`] compares the counter system with small members. Everything else is checked from its
//! definition: weights against each transition, traps against each transition, cases against the condition, multipliers by multiplying
//! out, upward-closed sets against each predecessor, and rankings against each abstract state, whose successors are computed here in
//! another way.

use super::context::{Context, SizeConstraint, Trap};
use super::coverability::{Upward, initial_above};
use super::crowd::Crowd;
use super::extract::extract;
use super::formula::{Atom, Formula};
use super::proof::{Claim, ClaimModality, CountingProof, Method};
use super::ranking::{Ranking, counter};
use super::refute::{Case, Refutation, unmarked};
use super::simplex::{Constraint, Feasible, feasible};
use super::system::{PlaceId, System, Transition};
use super::translate::Translator;
use crate::family::Family;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};

type Checked = Result<(), String>;

fn ensure(condition: bool, otherwise: &str) -> Checked {
    if condition { Ok(()) } else { Err(otherwise.to_string()) }
}

/// Checks a proof.
pub fn check(proof: &CountingProof, family: &Family, claim: Claim<'_>, sizes: &[SizeConstraint]) -> Checked {
    let system = &proof.system;
    check_system(system, family)?;
    for invariant in &proof.invariants {
        let weight = |places: &[PlaceId], control: usize| {
            let sum: i64 = places.iter().map(|place| invariant.places[*place]).sum();
            sum + invariant.controls[control]
        };
        for t in &system.transitions {
            ensure(weight(&t.pre, t.from) == weight(&t.post, t.to), "a weight is not invariant")?;
        }
    }
    let context = Context::new(system, family, sizes, proof.invariants.clone());
    let translator = Translator::new(system);
    let truth = claim.modality != ClaimModality::Always;
    let mut conditions = vec![];
    for control in 0..system.controls.len() {
        let condition = translator.condition(control, claim.predicate, truth);
        conditions.push(condition.map_err(|premise| premise.broken.to_string())?);
    }
    match &proof.method {
        Method::PlaceInvariants(safety) => {
            ensure(!truth, "linear invariants prove safety only")?;
            check_traps(&context, &safety.traps)?;
            for (control, bad) in conditions.iter().enumerate() {
                for initial in 0..system.initial.len() {
                    let case = safety.cases.iter().find(|c| c.control == control && c.initial == initial);
                    let case = case.ok_or("a control state is missing")?;
                    check_case(&context, case, bad, &safety.traps)?;
                }
            }
        }
        Method::Coverability(elements) => {
            ensure(!truth, "coverability proves safety only")?;
            check_coverability(&context, &conditions, elements)?;
        }
        Method::Ranking(ranking) => {
            ensure(truth, "a ranking proves reachability only")?;
            check_traps(&context, &ranking.traps)?;
            let until_goal = claim.modality == ClaimModality::Fairly;
            check_ranking(&context, &conditions, until_goal, ranking)?;
        }
    }
    super::sample::check(system, family, claim, sizes)
}

/// The counter system is the one of the family.
fn check_system(system: &System, family: &Family) -> Checked {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let fixed = super::proof::fixed_kinds(family);
    let again = extract(family.base(), &fixed, &control).map_err(|why| why.to_string())?;
    let same = again.places == system.places
        && again.controls == system.controls
        && again.together == system.together
        && again.initial == system.initial
        && again.transitions == system.transitions
        && again.program == system.program;
    ensure(same, "the counter system is that of another family")
}

fn check_traps(context: &Context<'_>, traps: &[Trap]) -> Checked {
    let system = context.system;
    for trap in traps {
        let touches = |places: &[PlaceId], control: usize| {
            trap.controls.contains(&control) || places.iter().any(|place| trap.places.contains(place))
        };
        for t in &system.transitions {
            ensure(!touches(&t.pre, t.from) || touches(&t.post, t.to), "a trap can be emptied")?;
        }
        ensure(trap.marked.len() == system.initial.len(), "a trap says nothing of an initial state")?;
        for (number, (initial, marked)) in system.initial.iter().zip(&trap.marked).enumerate() {
            let shown = match marked {
                None => trap.controls.contains(&initial.control),
                Some(farkas) => farkas.refutes(context.variables(), &unmarked(context, number, &trap.places)),
            };
            ensure(shown, "a trap may be empty initially")?;
        }
    }
    Ok(())
}

fn check_case(context: &Context<'_>, case: &Case, bad: &Formula, traps: &[Trap]) -> Checked {
    let traps = traps.get(..case.traps).ok_or("a case uses a trap that is not there")?;
    let mut constraints = context.reachable(case.control, case.initial, traps, case.equation);
    check_tree(context.variables(), &case.refutation, bad, &mut constraints, &mut vec![])
}

fn check_tree(
    variables: usize,
    refutation: &Refutation,
    bad: &Formula,
    constraints: &mut Vec<Constraint>,
    path: &mut Vec<Atom>,
) -> Checked {
    match refutation {
        Refutation::False => ensure(is_false(bad, path), "a case is not contradictory"),
        Refutation::Linear(farkas) => {
            ensure(farkas.refutes(variables, constraints), "multipliers show no contradiction")
        }
        Refutation::Split(atom, no, yes) => {
            for (atom, below) in [(atom.negated(), no), (atom.clone(), yes)] {
                let terms = atom.terms.clone();
                constraints.push(Constraint { terms, equal: false, bound: atom.least });
                path.push(atom);
                let result = check_tree(variables, below, bad, constraints, path);
                path.pop();
                constraints.pop();
                result?;
            }
            Ok(())
        }
    }
}

/// Whether a condition is false in all states that satisfy these inequalities, as far as single counters show it.
fn is_false(formula: &Formula, path: &[Atom]) -> bool {
    match formula {
        Formula::True => false,
        Formula::False => true,
        Formula::Atom(atom) => is_excluded(atom, path),
        Formula::And(parts) => parts.iter().any(|part| is_false(part, path)),
        Formula::Or(parts) => parts.iter().all(|part| is_false(part, path)),
    }
}

fn is_excluded(atom: &Atom, path: &[Atom]) -> bool {
    if path.contains(&atom.negated()) {
        return true;
    }
    // The greatest value of the left side.
    let mut most: i64 = 0;
    for (place, factor) in &atom.terms {
        let bounds = path.iter().filter_map(|known| match known.terms.as_slice() {
            [(at, sign)] if at == place && *sign == -factor.signum() => Some(known.least),
            _ => None,
        });
        // `counter ≥ least` for negative factors, `−counter ≥ least` for positive ones.
        let best = match *factor > 0 {
            true => bounds.map(|least| -least).min(),
            false => Some(bounds.max().unwrap_or(0).max(0)),
        };
        let Some(sum) = best.and_then(|best| best.checked_mul(*factor)).and_then(|p| most.checked_add(p))
        else {
            return false;
        };
        most = sum;
    }
    most < atom.least
}

fn check_coverability(context: &Context<'_>, bad: &[Formula], elements: &[Upward]) -> Checked {
    let system = context.system;
    let inside = |one: &Upward| {
        let impossible = one.agents.iter().any(|p| !system.together[one.control].contains(p));
        impossible || elements.iter().any(|element| element.contains(one))
    };
    for (control, formula) in bad.iter().enumerate() {
        let minimal =
            super::coverability::minimal(control, formula).ok_or("the bad set is not upward closed")?;
        ensure(minimal.iter().all(inside), "a bad state is missing")?;
    }
    for element in elements {
        for t in &system.transitions {
            if t.to != element.control {
                continue;
            }
            let mut agents = element.agents.clone();
            t.post.iter().for_each(|place| {
                if let Some(at) = agents.iter().position(|agent| agent == place) {
                    agents.swap_remove(at);
                }
            });
            agents.extend(&t.pre);
            agents.sort_unstable();
            ensure(inside(&Upward { control: t.from, agents }), "a predecessor is missing")?;
        }
        for constraints in initial_above(context, element) {
            check_infeasible(context.variables(), &constraints, "an initial state is bad")?;
        }
    }
    Ok(())
}

fn check_infeasible(variables: usize, constraints: &[Constraint], otherwise: &str) -> Checked {
    match feasible(variables, constraints) {
        Feasible::No(farkas) => ensure(farkas.refutes(variables, constraints), otherwise),
        Feasible::Yes(_) | Feasible::Unknown => Err(otherwise.to_string()),
    }
}

fn check_ranking(context: &Context<'_>, goal: &[Formula], until_goal: bool, ranking: &Ranking) -> Checked {
    let system = context.system;
    let cap = ranking.cap;
    ensure(ranking.layers.iter().flatten().all(|weight| *weight >= 0), "a weight is negative")?;
    ensure(
        system.transitions.iter().all(|t| t.pre.len() < 100 && t.post.len() < 100) && (1..100).contains(&cap),
        "the cap is too large",
    )?;
    for (crowd, cases) in &ranking.excluded {
        for initial in 0..system.initial.len() {
            let fits = |case: &&Case| case.control == crowd.control && case.initial == initial;
            let case = cases.iter().find(fits).ok_or("an excluded state may be reachable")?;
            let formula = crowd.formula(cap, &system.together[crowd.control]);
            check_case(context, case, &formula, &ranking.traps)?;
        }
    }
    let known = |crowd: &Crowd| ranking.advice.contains_key(crowd) || ranking.excluded.contains_key(crowd);
    check_initial(context, cap, &known)?;
    for (crowd, advice) in &ranking.advice {
        if until_goal && advice.transition.is_none() && is_true_in(&goal[crowd.control], crowd, cap) {
            ensure(advice.layer == 0, "the goal has a rank")?;
            continue;
        }
        for t in system.transitions.iter().filter(|t| t.from == crowd.control) {
            ensure(results(crowd, t, cap).iter().all(known), "an abstract state is missing")?;
        }
        let Some(number) = advice.transition else {
            let holds = is_true_in(&goal[crowd.control], crowd, cap);
            ensure(holds && advice.layer == 0, "the goal does not hold")?;
            continue;
        };
        let t = system.transitions.get(number).ok_or("a transition is missing")?;
        let needs = |place: &PlaceId| t.pre.iter().filter(|p| *p == place).count();
        let enough = t.pre.iter().all(|place| usize::from(crowd.counts[*place]) >= needs(place));
        ensure(t.monotone && t.from == crowd.control && enough, "a transition is not always possible")?;
        let weights = ranking.layers.get(advice.layer).ok_or("a layer is missing")?;
        let weight = |places: &[PlaceId]| places.iter().map(|place| weights[*place]).sum::<i64>();
        let (before, after) = (weight(&t.pre), weight(&t.post));
        for next in results(crowd, t, cap) {
            let Some(next) = ranking.advice.get(&next) else { continue };
            let lower = next.layer < advice.layer
                || next.layer == advice.layer
                    && (after < before || after == before && next.order < advice.order);
            ensure(lower && advice.layer > 0, "the rank does not decrease")?;
        }
    }
    Ok(())
}

/// All initial states are in abstract states that are known.
fn check_initial(context: &Context<'_>, cap: u8, known: &dyn Fn(&Crowd) -> bool) -> Checked {
    for (number, initial) in context.system.initial.iter().enumerate() {
        let places = &initial.places;
        let mut counts = vec![0u8; places.len()];
        loop {
            let mut crowd = Crowd { control: initial.control, counts: vec![0; context.system.places.len()] };
            places.iter().zip(&counts).for_each(|(place, count)| crowd.counts[*place] = *count);
            if !known(&crowd) {
                let mut constraints = context.initial(number);
                let rows = places.iter().zip(&counts).map(|(place, n)| counter(context, *place, *n, cap));
                constraints.extend(rows);
                check_infeasible(context.variables(), &constraints, "an initial state is missing")?;
            }
            // The next vector of numbers up to the cap.
            let Some(at) = counts.iter().position(|count| *count < cap) else { break };
            counts[at] += 1;
            counts[..at].fill(0);
        }
    }
    Ok(())
}

/// Fires a transition with all numbers of agents from what an abstract state says up to so many that more make no difference.
fn results(crowd: &Crowd, t: &Transition, cap: u8) -> Vec<Crowd> {
    if t.from != crowd.control {
        return vec![];
    }
    let mut out = vec![Crowd { control: t.to, counts: crowd.counts.clone() }];
    for place in t.places() {
        let number = |places: &[PlaceId]| places.iter().filter(|p| **p == place).count() as u8;
        let (taken, given) = (number(&t.pre), number(&t.post));
        let here = crowd.counts[place];
        // With `cap + taken` agents or more there are at least `cap` afterwards.
        let most = if here < cap { here } else { cap + taken };
        let mut after: Vec<u8> =
            (here..=most).filter(|n| *n >= taken).map(|n| (n - taken + given).min(cap)).collect();
        after.sort_unstable();
        after.dedup();
        let with = |crowd: &Crowd, count: u8| {
            let mut crowd = crowd.clone();
            crowd.counts[place] = count;
            crowd
        };
        out =
            out.iter().flat_map(|crowd| after.iter().map(|n| with(crowd, *n)).collect::<Vec<_>>()).collect();
    }
    out
}

/// Whether a condition holds in all states of an abstract state, as far as single counters show it.
fn is_true_in(formula: &Formula, crowd: &Crowd, cap: u8) -> bool {
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::And(parts) => parts.iter().all(|part| is_true_in(part, crowd, cap)),
        Formula::Or(parts) => parts.iter().any(|part| is_true_in(part, crowd, cap)),
        Formula::Atom(atom) => {
            // The least value of the left side.
            let mut least = 0;
            for (place, factor) in &atom.terms {
                let here = crowd.counts[*place];
                if *factor < 0 && here == cap {
                    return false;
                }
                least += factor * i64::from(here);
            }
            least >= atom.least
        }
    }
}
