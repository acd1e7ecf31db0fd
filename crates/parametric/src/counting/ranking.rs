//! That a goal can be reached from every reachable state, for every number of agents: a strategy on abstract states, with a ranking by counts.
//!
//! **Theorem.** Let `A` be a finite set of abstract states ([`super::crowd`]) that contains all initial states and, with an abstract
//! state, all that transitions, monotone or not, lead to, except abstract states that no reachable state has ([`super::refute`]). Give
//! each element of `A` either the remark that the goal holds in all its states, or a *monotone* transition that all its states enable, a
//! layer and an order. Give each layer a weight of at least 0 for each place. If every abstract state that the transition of `a` leads to
//! is
//!
//! * in a lower layer, or
//! * in the same layer, and the transition makes the weight of the layer smaller, or
//! * in the same layer, of lower order, and the transition does not change the weight,
//!
//! then from every reachable state the goal can be reached.
//!
//! *Proof.* Every reachable state is in an element of `A`, by induction on the number of steps. From there, fire the transition of the
//! element that the state is in: it is possible, because it is monotone and enabled, and the next state is reachable, so in an element of
//! `A`. The triple of the layer, the weight of the state in that layer (a natural number) and the order decreases lexicographically each
//! time, so the firing ends, and it ends only where the goal holds. ∎
//!
//! This proves `fairly_inf`. For `fairly`, only states that are reached without the goal matter, so `A` need not contain what elements
//! lead to in which the goal holds in all states: a state that is reached without the goal is still in an element of `A`, and so is every
//! state on the way to the goal. The strategy is found layer by layer. For a candidate weight, the largest set of abstract states from
//! which one can go on decreasing the weight or get to earlier layers is a nested fixpoint, as in games with Büchi conditions; candidates
//! are single places, and all places in which a variable has, or has not, some value. "From everywhere one agent more can agree" is the
//! layer whose weight is the number of agents that do not.

use super::context::{Context, Trap};
use super::crowd::Crowd;
use super::formula::Formula;
use super::refute::{Case, exclude};
use super::simplex::{Feasible, feasible};
use super::system::{PlaceId, System};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use swarmcheck_engine::Control;

/// More abstract states are not looked at.
const MOST_CROWDS: usize = 40_000;
/// More abstract states are not excluded by linear constraints.
const MOST_EXCLUDED: usize = 400;

/// What to do in an abstract state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The number of a transition; none where the goal holds.
    pub transition: Option<usize>,
    /// The layer.
    pub layer: usize,
    /// The order in the layer.
    pub order: usize,
}

/// A strategy with its ranking.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// The cap of counters.
    pub cap: u8,
    /// All abstract states, with what to do there.
    pub advice: BTreeMap<Crowd, Advice>,
    /// Weights of places, by layer; the first layer is the goal.
    pub layers: Vec<Vec<i64>>,
    /// Abstract states that no reachable state has, and why: for each initial control state.
    pub excluded: BTreeMap<Crowd, Vec<Case>>,
    /// Traps that this uses.
    pub traps: Vec<Trap>,
}

/// Why there is no ranking.
pub enum NoRanking {
    /// There are too many abstract states, or somebody wanted it to stop.
    GaveUp,
    /// From states like this, no strategy was found: in words.
    Stuck(String),
}

/// Looks for a strategy with one cap.
///
/// With `until_goal`, only states that are reached without the goal matter.
pub fn rank(
    context: &Context<'_>,
    goal: &[Formula],
    until_goal: bool,
    cap: u8,
    control: &Control<'_>,
) -> Result<Ranking, NoRanking> {
    let mut excluded: BTreeMap<Crowd, Vec<Case>> = BTreeMap::new();
    let mut traps: Vec<Trap> = vec![];
    loop {
        let ends = |crowd: &Crowd| until_goal && holds(goal, crowd, cap);
        let graph = Graph::explore(context, cap, &ends, &excluded, control).ok_or(NoRanking::GaveUp)?;
        let (advice, layers) = graph.solve(context.system, goal, cap, control).ok_or(NoRanking::GaveUp)?;
        let lost: Vec<usize> = (0..graph.crowds.len()).filter(|at| advice[*at].is_none()).collect();
        if lost.is_empty() {
            let advice = graph.crowds.into_iter().zip(advice.into_iter().flatten()).collect();
            return Ok(Ranking { cap, advice, layers, excluded, traps });
        }
        // What is reachable in the abstraction only may be excluded by what is known of all reachable states.
        let before = excluded.len();
        for at in &lost {
            let crowd = &graph.crowds[*at];
            if excluded.len() >= MOST_EXCLUDED || control.stopped() {
                break;
            }
            let formula = crowd.formula(cap, &context.system.together[crowd.control]);
            let initial = 0..context.system.initial.len();
            let cases = initial.map(|i| exclude(context, crowd.control, i, &formula, &mut traps, control));
            if let Some(cases) = cases.collect::<Option<Vec<Case>>>() {
                excluded.insert(crowd.clone(), cases);
            } else if excluded.len() == before && at - lost[0] > MOST_EXCLUDED {
                break;
            }
        }
        if excluded.len() == before {
            return Err(NoRanking::Stuck(words(context.system, &graph.crowds[lost[0]], cap)));
        }
    }
}

/// Whether the goal holds in all states of an abstract state.
fn holds(goal: &[Formula], crowd: &Crowd, cap: u8) -> bool {
    goal[crowd.control].under(&crowd.known(cap)) == Formula::True
}

fn words(system: &System, crowd: &Crowd, cap: u8) -> String {
    let mut parts = vec![system.control_words(crowd.control)];
    for (place, count) in crowd.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let more = if *count == cap { " or more" } else { "" };
        parts.push(format!("{count}{more} × {}", system.place_words(place)));
    }
    parts.retain(|part| !part.is_empty());
    parts.join("; ")
}

/// All abstract states, with the transitions that a strategy may use.
struct Graph {
    crowds: Vec<Crowd>,
    /// By abstract state: numbers of monotone transitions that are enabled, and where they lead.
    moves: Vec<Vec<(usize, Vec<usize>)>>,
}

impl Graph {
    fn explore(
        context: &Context<'_>,
        cap: u8,
        ends: &dyn Fn(&Crowd) -> bool,
        excluded: &BTreeMap<Crowd, Vec<Case>>,
        control: &Control<'_>,
    ) -> Option<Graph> {
        let system = context.system;
        let mut by_control: Vec<Vec<usize>> = vec![vec![]; system.controls.len()];
        system.transitions.iter().enumerate().for_each(|(number, t)| by_control[t.from].push(number));
        let mut numbers: HashMap<Crowd, usize> = HashMap::new();
        let mut graph = Graph { crowds: vec![], moves: vec![] };
        let mut number = |crowd: Crowd, crowds: &mut Vec<Crowd>| {
            *numbers.entry(crowd).or_insert_with_key(|crowd| {
                crowds.push(crowd.clone());
                crowds.len() - 1
            })
        };
        for crowd in initial_crowds(context, cap, control)? {
            if !excluded.contains_key(&crowd) {
                number(crowd, &mut graph.crowds);
            }
        }
        let mut at = 0;
        while at < graph.crowds.len() {
            if graph.crowds.len() > MOST_CROWDS || control.stopped() {
                return None;
            }
            let crowd = graph.crowds[at].clone();
            let mut moves = vec![];
            let steps: &[usize] = if ends(&crowd) { &[] } else { &by_control[crowd.control] };
            for t in steps {
                let transition = &system.transitions[*t];
                let mut targets = vec![];
                for after in crowd.after(transition, cap) {
                    if !excluded.contains_key(&after) {
                        targets.push(number(after, &mut graph.crowds));
                    }
                }
                if transition.monotone && crowd.enables(transition) {
                    moves.push((*t, targets));
                }
            }
            graph.moves.push(moves);
            at += 1;
        }
        Some(graph)
    }

    /// Advice for as many abstract states as possible, and the weights of the layers.
    #[allow(clippy::type_complexity, reason = "two parts of a ranking")]
    fn solve(
        &self,
        system: &System,
        goal: &[Formula],
        cap: u8,
        control: &Control<'_>,
    ) -> Option<(Vec<Option<Advice>>, Vec<Vec<i64>>)> {
        let end = Advice { transition: None, layer: 0, order: 0 };
        let at_goal = |crowd: &Crowd| holds(goal, crowd, cap).then(|| end.clone());
        let mut advice: Vec<Option<Advice>> = self.crowds.iter().map(at_goal).collect();
        let mut layers = vec![vec![0; system.places.len()]];
        let weights = candidates(system);
        loop {
            let missing = advice.iter().filter(|a| a.is_none()).count();
            if missing == 0 {
                return Some((advice, layers));
            }
            for weight in &weights {
                if control.stopped() {
                    return None;
                }
                let more = self.layer(system, &advice, weight);
                if more.iter().any(Option::is_some) {
                    let layer = layers.len();
                    layers.push(weight.clone());
                    for (old, new) in advice.iter_mut().zip(more) {
                        if let Some((transition, order)) = new {
                            *old = Some(Advice { transition: Some(transition), layer, order });
                        }
                    }
                }
            }
            if advice.iter().filter(|a| a.is_none()).count() == missing {
                return Some((advice, layers));
            }
        }
    }

    /// The largest set of abstract states without advice from which the weight decreases again and again, until there is advice.
    fn layer(
        &self,
        system: &System,
        advice: &[Option<Advice>],
        weight: &[i64],
    ) -> Vec<Option<(usize, usize)>> {
        let change = |t: usize| {
            let t = &system.transitions[t];
            t.places().into_iter().map(|place| weight[place] * t.change(place)).sum::<i64>()
        };
        let mut outer: Vec<bool> = advice.iter().map(Option::is_none).collect();
        loop {
            let mut inner: Vec<Option<(usize, usize)>> = vec![None; advice.len()];
            let mut order = 0;
            loop {
                let mut found = vec![];
                for at in (0..advice.len()).filter(|at| outer[*at] && inner[*at].is_none()) {
                    let good = |(t, targets): &&(usize, Vec<usize>)| {
                        let change = change(*t);
                        change <= 0
                            && targets.iter().all(|to| {
                                advice[*to].is_some()
                                    || (change < 0 && outer[*to])
                                    || (change == 0 && inner[*to].is_some())
                            })
                    };
                    if let Some((t, _)) = self.moves[at].iter().find(good) {
                        found.push((at, *t));
                    }
                }
                if found.is_empty() {
                    break;
                }
                order += 1;
                found.into_iter().for_each(|(at, t)| inner[at] = Some((t, order)));
            }
            let smaller: Vec<bool> = inner.iter().map(Option::is_some).collect();
            if smaller == outer {
                return inner;
            }
            outer = smaller;
        }
    }
}

/// Abstract states that contain all initial states.
fn initial_crowds(context: &Context<'_>, cap: u8, control: &Control<'_>) -> Option<BTreeSet<Crowd>> {
    let system = context.system;
    let mut out = BTreeSet::new();
    for (number, initial) in system.initial.iter().enumerate() {
        let mut crowds = vec![Crowd { control: initial.control, counts: vec![0; system.places.len()] }];
        for place in &initial.places {
            let with = |crowd: &Crowd, count: u8| {
                let mut crowd = crowd.clone();
                crowd.counts[*place] = count;
                crowd
            };
            crowds = crowds.iter().flat_map(|c| (0..=cap).map(|n| with(c, n)).collect::<Vec<_>>()).collect();
            if crowds.len() > MOST_CROWDS || control.stopped() {
                return None;
            }
        }
        let base = context.initial(number);
        for crowd in crowds {
            let mut constraints = base.clone();
            for place in &initial.places {
                constraints.push(counter(context, *place, crowd.counts[*place], cap));
            }
            // Whoever checks the proof takes all abstract states, unless the sizes exclude them.
            if !matches!(feasible(context.variables(), &constraints), Feasible::No(_)) {
                out.insert(crowd);
            }
        }
    }
    Some(out)
}

/// The constraint that an abstract state puts on an initial counter.
pub fn counter(context: &Context<'_>, place: PlaceId, count: u8, cap: u8) -> super::simplex::Constraint {
    let terms = vec![(context.initially(place), 1)];
    super::simplex::Constraint { terms, equal: count < cap, bound: i64::from(count) }
}

/// Weights to try: single places, and places by the value of a cell.
fn candidates(system: &System) -> Vec<Vec<i64>> {
    let size = system.places.len();
    let of = |set: &dyn Fn(usize) -> bool| (0..size).map(|place| i64::from(set(place))).collect::<Vec<i64>>();
    let mut out: Vec<Vec<i64>> = (0..size).map(|place| of(&|other| other == place)).collect();
    let mut sets: BTreeSet<(usize, i64)> = BTreeSet::new();
    for place in &system.places {
        sets.extend(place.cells.iter().copied().enumerate());
    }
    for (cell, value) in sets {
        let has = |place: usize| system.places[place].cells.get(cell) == Some(&value);
        for weight in [of(&|place| !has(place)), of(&has)] {
            if !out.contains(&weight) {
                out.push(weight);
            }
        }
    }
    out
}
