//! The counting method: which proof for which property.

use super::anonymous;
use super::check;
use super::context::{Context, Equation, SizeConstraint};
use super::coverability::{Upward, minimal, unreachable};
use super::extract::extract;
use super::formula::Formula;
use super::invariants::{Invariant, invariants};
use super::ranking::{NoRanking, Ranking, rank};
use super::refute::{Case, Refutation, Safety, never};
use super::system::System;
use super::translate::Translator;
use crate::deletion::{Witnesses, check_condition};
use crate::family::Family;
use crate::prove::NotProved;
use swarmcheck_engine::Control;
use swarmcheck_ir::{Expr, KindId, Modality, Property};

/// Counters up to more than this have too many abstract states.
const MOST_CAP: u8 = 4;
/// More agents of kinds that are not open are counted like others.
const MOST_FIXED: u32 = 4;

/// A property that counting can prove.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// When the predicate must hold.
    pub modality: ClaimModality,
    /// The predicate.
    pub predicate: &'a Expr,
}

/// When a predicate must hold, or must be within reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimModality {
    /// In every reachable state.
    Always,
    /// From every state reached without it, it can be reached.
    Fairly,
    /// From every reachable state, it can be reached.
    FairlyInf,
}

impl<'a> Claim<'a> {
    /// The claim of a property; none if its modality is another one.
    pub fn of(property: &'a Property) -> Option<Claim<'a>> {
        let modality = match property.modality {
            Modality::Always => ClaimModality::Always,
            Modality::Fairly => ClaimModality::Fairly,
            Modality::FairlyInf => ClaimModality::FairlyInf,
            _ => return None,
        };
        Some(Claim { modality, predicate: &property.predicate })
    }
}

/// The argument of a proof.
#[derive(Clone, Debug)]
pub enum Method {
    /// Place invariants and traps exclude all bad states.
    PlaceInvariants(Safety),
    /// No initial state is in the upward-closed set of states from which a bad one may be reached.
    Coverability(Vec<Upward>),
    /// A strategy with a ranking by counts.
    Ranking(Ranking),
}

/// A proof for every number of agents.
#[derive(Clone, Debug)]
pub struct CountingProof {
    /// The argument.
    pub method: Method,
    /// The counter system.
    pub system: System,
    /// Linear invariants of the counter system.
    pub invariants: Vec<Invariant>,
    /// The invariant, or the ranking, in the model's words.
    pub lines: Vec<String>,
}

impl CountingProof {
    /// The name of the method.
    pub fn method_name(&self) -> &'static str {
        match self.method {
            Method::PlaceInvariants(_) => "place invariants",
            Method::Coverability(_) => "backward coverability",
            Method::Ranking(_) => "ranking by counts",
        }
    }

    /// The number of places, those of named agents included.
    pub fn places(&self) -> usize {
        self.system.places.len()
    }

    /// The number of control states.
    pub fn controls(&self) -> usize {
        self.system.controls.len()
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.system.transitions.len()
    }

    /// Checks the proof again, without the searches that found it.
    pub fn check(&self, family: &Family, claim: Claim<'_>, sizes: &[SizeConstraint]) -> Result<(), String> {
        check::check(self, family, claim, sizes)
    }
}

/// Looks for a proof that a claim holds at every size of the family that satisfies some constraints.
pub fn prove(
    family: &Family,
    claim: Claim<'_>,
    sizes: &[SizeConstraint],
    control: &Control<'_>,
) -> Result<CountingProof, NotProved> {
    let program = family.base();
    Witnesses::new(family.open())?;
    check_condition(family.open(), claim.predicate)?;
    anonymous::check(program, claim.predicate)?;
    let small = |number: &i64| number.abs() < 1 << 40;
    let numbers = sizes.iter().flat_map(|s| s.terms.iter().map(|(_, factor)| factor).chain([&s.least]));
    if !numbers.into_iter().all(small) {
        return Err(NotProved::NumbersTooLarge);
    }
    let system = extract(program, &fixed_kinds(family), control)?;
    let basis = invariants(&system).ok_or(NotProved::NumbersTooLarge)?;
    let context = Context::new(&system, family, sizes, basis);
    let translator = Translator::new(&system);
    let truth = claim.modality != ClaimModality::Always;
    let all = 0..system.controls.len();
    let conditions = all.map(|at| translator.condition(at, claim.predicate, truth));
    let conditions: Vec<Formula> = conditions.collect::<Result<_, _>>()?;
    let method = match claim.modality {
        ClaimModality::Always => safety(&context, &conditions, control)?,
        ClaimModality::Fairly => liveness(&context, &conditions, true, control)?,
        ClaimModality::FairlyInf => liveness(&context, &conditions, false, control)?,
    };
    let lines = words(&context, &method);
    let invariants = context.invariants;
    let proof = CountingProof { method, system, invariants, lines };
    match check::check(&proof, family, claim, sizes) {
        Ok(()) => Ok(proof),
        Err(why) => Err(NotProved::Engine(why)),
    }
}

/// Kinds whose number of agents is not open, if they are few enough to be looked at one by one.
pub(super) fn fixed_kinds(family: &Family) -> Vec<KindId> {
    let kinds = &family.base().kinds;
    let all = (0..kinds.len() as u32).map(KindId);
    let fixed: Vec<KindId> = all.filter(|kind| !family.open.iter().any(|(open, _)| open == kind)).collect();
    let agents: u32 = fixed.iter().map(|kind| family.base().kind(*kind).count).sum();
    if agents <= MOST_FIXED { fixed } else { vec![] }
}

fn safety(context: &Context<'_>, bad: &[Formula], control: &Control<'_>) -> Result<Method, NotProved> {
    if let Some(safety) = never(context, bad, control) {
        return Ok(Method::PlaceInvariants(safety));
    }
    let elements: Option<Vec<Vec<Upward>>> =
        bad.iter().enumerate().map(|(at, formula)| minimal(at, formula)).collect();
    if let Some(elements) = elements
        && let Some(closed) = unreachable(context, elements.concat(), control)
    {
        return Ok(Method::Coverability(closed));
    }
    Err(if control.stopped() { NotProved::Interrupted } else { NotProved::NoInvariant })
}

fn liveness(
    context: &Context<'_>,
    goal: &[Formula],
    until_goal: bool,
    control: &Control<'_>,
) -> Result<Method, NotProved> {
    let occurs = |t: &super::system::Transition| {
        t.pre.iter().map(|place| super::system::count(&t.pre, *place)).max().unwrap_or(0)
    };
    let most = context.system.transitions.iter().map(occurs).max().unwrap_or(0);
    let low = u8::try_from(most.max(1)).unwrap_or(u8::MAX);
    let mut last = NotProved::NoRanking { state: String::new() };
    // A goal about so many agents needs counters that tell them from more.
    let mut about = 0;
    goal.iter().for_each(|formula| formula.atoms(&mut |atom| about = about.max(atom.least.abs())));
    let high = u8::try_from(about + 1).unwrap_or(u8::MAX).clamp(2, MOST_CAP).max(low);
    for cap in low..=high {
        match rank(context, goal, until_goal, cap, control) {
            Ok(ranking) => return Ok(Method::Ranking(ranking)),
            Err(_) if control.stopped() => return Err(NotProved::Interrupted),
            Err(NoRanking::Stuck(state)) => last = NotProved::NoRanking { state },
            Err(NoRanking::GaveUp) => return Err(NotProved::TooManyStates),
        }
    }
    Err(last)
}

/// What a proof says, in the model's words.
fn words(context: &Context<'_>, method: &Method) -> Vec<String> {
    let system = context.system;
    let mut out = vec![];
    match method {
        Method::PlaceInvariants(safety) => {
            let mut weights: Vec<(Invariant, Equation)> = vec![];
            for case in &safety.cases {
                weights_of(&case.refutation, context, case, &mut weights);
            }
            let mut weights: Vec<(Invariant, Equation)> = weights
                .into_iter()
                .map(|(weight, equation)| (weight.without_totals(system), equation))
                .collect();
            weights.dedup();
            for (weight, equation) in weights {
                // How many agents there are of a kind is no news.
                if weight.places.iter().all(|weight| *weight == 0) {
                    continue;
                }
                let verb = if equation == Equation::Marking { "never decreases" } else { "does not change" };
                let line = format!("{} {verb}", weight.words(system));
                if !out.contains(&line) {
                    out.push(line);
                }
            }
            for trap in &safety.traps {
                let places: Vec<String> = trap.places.iter().map(|p| system.place_words(*p)).collect();
                let more = if trap.controls.is_empty() { "" } else { ", or the globals have certain values" };
                out.push(format!("there is always an agent among: {}{more}", places.join("; ")));
            }
            if out.is_empty() {
                out.push("no reachable combination of globals and places violates the property".to_string());
            }
        }
        Method::Coverability(elements) => {
            for element in elements {
                let agents: Vec<String> = element.agents.iter().map(|p| system.place_words(*p)).collect();
                let globals = system.control_words(element.control);
                out.push(format!("never together: {globals}; {}", agents.join("; ")));
            }
        }
        Method::Ranking(ranking) => {
            for (layer, weight) in ranking.layers.iter().enumerate().skip(1) {
                let counted = (0..weight.len()).filter(|place| weight[*place] != 0);
                let places: Vec<String> = counted.map(|place| system.place_words(place)).collect();
                // Within a layer the strategy makes the weight smaller, or keeps it and gets closer to the next layer.
                let places = if places.is_empty() { "nobody".to_string() } else { places.join("; ") };
                out.push(format!(
                    "layer {layer}: on the way to layer {}, never more agents among: {places}",
                    layer - 1
                ));
            }
        }
    }
    out
}

/// The weights that refutations use: linear invariants with a multiplier, or the multipliers of the marking equation.
fn weights_of(
    refutation: &Refutation,
    context: &Context<'_>,
    case: &Case,
    out: &mut Vec<(Invariant, Equation)>,
) {
    match refutation {
        Refutation::False => {}
        Refutation::Split(_, no, yes) => {
            weights_of(no, context, case, out);
            weights_of(yes, context, case, out);
        }
        Refutation::Linear(farkas) => {
            let from = context.initial(case.initial).len();
            let mut add = |weight: Invariant| {
                let known = out.iter().any(|(other, _)| other.places == weight.places);
                if !known && weight.places.iter().any(|weight| *weight != 0) {
                    out.push((weight, case.equation));
                }
            };
            match case.equation {
                Equation::Invariants => {
                    let rows = context.rows(case.control, case.initial);
                    for (number, invariant) in rows.into_iter().enumerate() {
                        if farkas.0.get(from + number).is_some_and(|multiplier| !multiplier.is_zero()) {
                            add(context.invariants[invariant].clone());
                        }
                    }
                }
                Equation::Marking => {
                    let (places, controls) = (context.system.places.len(), context.system.controls.len());
                    let rows = farkas.0.get(from..from + places + controls);
                    if let Some(weights) = rows.and_then(super::rational::whole) {
                        let (places, controls) = weights.split_at(places);
                        add(Invariant { places: places.to_vec(), controls: controls.to_vec() });
                    }
                }
            }
        }
    }
}
