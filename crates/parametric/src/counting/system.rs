//! The counter system of a family: control states, and counters of agents in places.
//!
//! A *place* is a kind with a valuation of the variables of an agent. A *control state* is a valuation of the globals, in which a global identity
//! names one of finitely many agents that are split off: their places are part of the control state. All other agents
//! are counted by place. A transition takes some agents from places, puts them into others, and changes the control state. This is a vector addition
//! system with states, or a Petri net whose control states are places with one token (T. Murata, *Petri Nets: Properties, Analysis
//! and Applications*, Proc. IEEE 77, 1989).

use swarmcheck_ir::{KindId, Program, Value, VarId};

/// A kind with values of the variables of an agent, cell after cell in the order of the program's variables.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The kind.
    pub kind: KindId,
    /// The values.
    pub cells: Vec<Value>,
}

/// Number of a place in [`System::places`].
pub type PlaceId = usize;
/// Number of a control state in [`System::controls`].
pub type ControlId = usize;

/// Globals, with the agents that they name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ControlState {
    /// Values of global cells, in the order of the program's variables. An identity is the index of an agent in `named`, or a value of no agent.
    pub globals: Vec<Value>,
    /// The places of agents that global identities name, in the order in which cells name them first; then those of other agents in scarce
    /// places, sorted.
    pub named: Vec<PlaceId>,
}

/// Initial states: a control state, and where the agents that are not named may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Initial {
    /// The control state.
    pub control: ControlId,
    /// The places.
    pub places: Vec<PlaceId>,
}

/// A step: agents leave places and enter others; all other agents stay where they are.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Transition {
    /// The control state before.
    pub from: ControlId,
    /// The control state after.
    pub to: ControlId,
    /// The places of agents that take part, sorted, one entry for each agent.
    pub pre: Vec<PlaceId>,
    /// Their places afterwards, sorted. Agents that become named are missing; those that are not named any longer are here.
    pub post: Vec<PlaceId>,
    /// Whether it is possible whatever the other agents are.
    pub monotone: bool,
}

/// A counter system.
#[derive(Clone, Debug)]
pub struct System {
    /// The program that it was made from, for words.
    pub program: Program,
    /// All places.
    pub places: Vec<Place>,
    /// All control states that may be reachable.
    pub controls: Vec<ControlState>,
    /// By control state: the places in which agents that are not named may be, sorted.
    pub together: Vec<Vec<PlaceId>>,
    /// The initial states.
    pub initial: Vec<Initial>,
    /// All transitions, without those that change nothing.
    pub transitions: Vec<Transition>,
    /// Places whose agents are not counted: they are part of the control state.
    pub scarce: Vec<PlaceId>,
    /// Kinds of few agents whose number is not open; all their places are scarce.
    pub fixed: Vec<KindId>,
}

impl Transition {
    /// How many agents it adds to a place.
    pub fn change(&self, place: PlaceId) -> i64 {
        count(&self.post, place) - count(&self.pre, place)
    }

    /// All places that occur, once each.
    pub fn places(&self) -> Vec<PlaceId> {
        let mut all = [self.pre.as_slice(), self.post.as_slice()].concat();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// How often a place occurs.
pub fn count(places: &[PlaceId], place: PlaceId) -> i64 {
    places.iter().filter(|p| **p == place).count() as i64
}

impl System {
    /// How many agents of a kind a control state names.
    pub fn named(&self, control: ControlId, kind: KindId) -> i64 {
        let named = &self.controls[control].named;
        named.iter().filter(|place| self.places[**place].kind == kind).count() as i64
    }

    /// `Voter with opinion = 0`.
    pub fn place_words(&self, place: PlaceId) -> String {
        let Place { kind, cells } = &self.places[place];
        let mut parts = vec![];
        let mut rest = cells.as_slice();
        for var in &self.program.vars {
            if var.owners.as_ref().is_some_and(|owners| owners.contains(kind)) {
                let (here, later) = rest.split_at(var.cells().min(rest.len()));
                parts.push(format!("{} = {}", var.name, values(here)));
                rest = later;
            }
        }
        format!("{} with {}", self.program.kind(*kind).name, parts.join(", "))
    }

    /// `heard = 1`.
    pub fn control_words(&self, control: ControlId) -> String {
        let ControlState { globals, named } = &self.controls[control];
        let identities = super::anonymous::identity_cells(&self.program);
        let mut parts = vec![];
        let mut rest = globals.as_slice();
        for (number, var) in (0..).zip(&self.program.vars) {
            if var.owners.is_some() {
                continue;
            }
            let (here, later) = rest.split_at(var.cells().min(rest.len()));
            let name = |value: &Value| match usize::try_from(*value).ok().and_then(|at| named.get(at)) {
                Some(place) if identities.contains(&VarId(number)) => {
                    format!("({})", self.place_words(*place))
                }
                _ => swarmcheck_ir::print::value_to_string(*value),
            };
            let here: Vec<String> = here.iter().map(name).collect();
            parts.push(format!("{} = {}", var.name, here.join(" ")));
            rest = later;
        }
        let scarce = named.iter().filter(|place| self.scarce.contains(place));
        parts.extend(scarce.map(|place| format!("one {}", self.place_words(*place))));
        parts.join(", ")
    }
}

fn values(values: &[Value]) -> String {
    let words: Vec<String> =
        values.iter().map(|value| swarmcheck_ir::print::value_to_string(*value)).collect();
    words.join(" ")
}
