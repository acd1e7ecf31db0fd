//! Safety by backward coverability: the states from which an upward-closed set of bad states can be reached.
//!
//! Order states with the same control state by their counters. A bad set that is closed upwards is given by its finitely many minimal
//! elements, and so is the set of states with a step into an upward-closed set: a transition that takes `pre` and gives `post` leads into
//! everything above `m` from everything above `max(m − post, 0) + pre`. Adding such predecessors ends, because every infinite sequence of
//! vectors of natural numbers has one that is above an earlier one (Dickson). If no initial state is above an element in the end, no bad
//! state is reachable, for any number of agents. This is the algorithm of P. A. Abdulla, K. Čerāns, B. Jonsson, Y.-K. Tsay, *General
//! Decidability Theorems for Infinite-State Systems*, LICS 1996; J. Esparza, A. Finkel, R. Mayr, *On the Verification of Broadcast
//! Protocols*, LICS 1999, apply it to counters of agents. Transitions that are not monotone are used as if they were, which adds states.

use super::context::Context;
use super::formula::{Atom, Formula};
use super::simplex::{Constraint, Feasible, feasible};
use super::system::{ControlId, PlaceId, Transition, count};
use swarmcheck_engine::Control;

/// More minimal elements are not looked at.
const MOST_ELEMENTS: usize = 20_000;

/// All states with this control state and at least so many agents in places; one entry for each agent, sorted.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Upward {
    /// The control state.
    pub control: ControlId,
    /// The agents.
    pub agents: Vec<PlaceId>,
}

impl Upward {
    /// Whether it contains another one.
    pub fn contains(&self, other: &Upward) -> bool {
        self.control == other.control
            && self.agents.iter().all(|place| count(&self.agents, *place) <= count(&other.agents, *place))
    }
}

/// The minimal elements of a condition, if it is upward closed: inequalities between one counter and a number are all that it says.
pub fn minimal(control: ControlId, formula: &Formula) -> Option<Vec<Upward>> {
    let one = |agents: Vec<PlaceId>| Upward { control, agents };
    match formula {
        Formula::True => Some(vec![one(vec![])]),
        Formula::False => Some(vec![]),
        Formula::Atom(Atom { terms, least }) => match terms.as_slice() {
            [(place, 1)] => Some(vec![one(vec![*place; usize::try_from(*least).unwrap_or(0)])]),
            _ => None,
        },
        Formula::Or(parts) => {
            let mut out = vec![];
            for part in parts {
                for element in minimal(control, part)? {
                    add(&mut out, element);
                }
            }
            Some(out)
        }
        Formula::And(parts) => {
            let mut out = vec![one(vec![])];
            for part in parts {
                let more = minimal(control, part)?;
                let mut next = vec![];
                for a in &out {
                    for b in &more {
                        add(&mut next, one(at_least_both(&a.agents, &b.agents)));
                    }
                }
                out = next;
            }
            (out.len() < MOST_ELEMENTS).then_some(out)
        }
    }
}

/// As many agents in each place as the greater of both has.
fn at_least_both(a: &[PlaceId], b: &[PlaceId]) -> Vec<PlaceId> {
    let mut out = a.to_vec();
    for place in b {
        if count(&out, *place) < count(b, *place) {
            out.push(*place);
        }
    }
    out.sort_unstable();
    out
}

fn add(elements: &mut Vec<Upward>, element: Upward) -> bool {
    if elements.iter().any(|known| known.contains(&element)) {
        return false;
    }
    elements.retain(|known| !element.contains(known));
    elements.push(element);
    true
}

/// The minimal predecessor by a transition.
pub fn before(t: &Transition, of: &Upward) -> Option<Upward> {
    if t.to != of.control {
        return None;
    }
    let mut agents = of.agents.clone();
    for place in &t.post {
        if let Some(at) = agents.iter().position(|agent| agent == place) {
            agents.remove(at);
        }
    }
    agents.extend(&t.pre);
    agents.sort_unstable();
    Some(Upward { control: t.from, agents })
}

/// Whether an initial state is above an element: constraints that have a solution if so, for each initial control state that is the same.
pub fn initial_above(context: &Context<'_>, element: &Upward) -> Vec<Vec<Constraint>> {
    let mut out = vec![];
    for (number, initial) in context.system.initial.iter().enumerate() {
        if initial.control != element.control
            || element.agents.iter().any(|place| !initial.places.contains(place))
        {
            continue;
        }
        let mut constraints = context.initial(number);
        let mut places = element.agents.clone();
        places.dedup();
        for place in places {
            let terms = vec![(context.initially(place), 1)];
            constraints.push(Constraint { terms, equal: false, bound: count(&element.agents, place) });
        }
        out.push(constraints);
    }
    out
}

/// Adds predecessors until there are no more; none if an initial state is among them.
pub fn unreachable(context: &Context<'_>, bad: Vec<Upward>, control: &Control<'_>) -> Option<Vec<Upward>> {
    let system = context.system;
    let mut elements: Vec<Upward> = vec![];
    let mut open = bad;
    let mut looked = 0;
    while let Some(element) = open.pop() {
        looked += 1;
        if control.stopped() || looked > MOST_ELEMENTS {
            return None;
        }
        // States that no member reaches may be left out: agents that are never in a place while the control state is this one.
        let impossible = element.agents.iter().any(|p| !system.together[element.control].contains(p));
        if impossible || !add(&mut elements, element.clone()) {
            continue;
        }
        let initial = initial_above(context, &element);
        let excluded = |constraints: &Vec<Constraint>| {
            matches!(feasible(context.variables(), constraints), Feasible::No(_))
        };
        if !initial.iter().all(excluded) {
            return None;
        }
        open.extend(system.transitions.iter().filter_map(|t| before(t, &element)));
    }
    Some(elements)
}
