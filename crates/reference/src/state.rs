//! Situated systems (E, S): the environment and the agents ⟨I, L, P, Zc, Zp⟩ of section 3.1 and tables 3.1, 3.2.
//!
//! Timestamps are those of the papers: natural numbers from a global clock that only grows. Only their order among the
//! agents matters, tuple by tuple (`docs/labs.md` 14), so two states are equal when everything but the clock is equal
//! and the *ranks* of their timestamps are. Comparing and hashing by ranks, instead of storing ranks, keeps the rules
//! as the tables print them.

use crate::Value;
use crate::term::Term;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::ops::{Index, IndexMut};
use std::rc::Rc;
use swarmcheck_labs::model::{Class, Model, TupleId, VarId};

/// The cells of one variable, row-major; a scalar has one.
pub type Cells = Vec<Value>;

/// A partial function from variables to their cells: an environment or an interface.
pub type Store = BTreeMap<VarId, Cells>;

/// What a local stigmergy holds for one tuple: (v, t) of table 3.1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Entry {
    /// The values of the tuple's variables.
    pub values: Store,
    /// When they were written; one timestamp for the whole tuple (thesis 3.2.4). By the paper, L(x) = ⊥ has none; it is
    /// less than every other.
    pub time: Option<u64>,
}

impl Entry {
    /// Whether any of its values is defined.
    pub fn has_value(&self) -> bool {
        self.values.values().flatten().any(Option::is_some)
    }
}

/// One agent ⟨I, L, P, Zc, Zp⟩.
#[derive(Clone, Debug)]
pub struct AgentState {
    /// The interface I.
    pub interface: Store,
    /// The local stigmergy L.
    pub stigmergy: BTreeMap<TupleId, Entry>,
    /// The process P.
    pub process: Rc<Term>,
    /// Zc: tuples to confirm.
    pub zc: BTreeSet<TupleId>,
    /// Zp: tuples to propagate.
    pub zp: BTreeSet<TupleId>,
}

/// The agents, by id. States share those in which they do not differ.
#[derive(Clone, Debug)]
pub struct Agents(Rc<Vec<Rc<AgentState>>>);

impl Agents {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &AgentState> {
        self.0.iter().map(|agent| &**agent)
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut AgentState> {
        Rc::make_mut(&mut self.0).iter_mut().map(Rc::make_mut)
    }

    /// The agents in which the other differs from this, as far as can be told without looking into them.
    pub fn changed_in<'a>(&'a self, other: &'a Agents) -> impl Iterator<Item = usize> + 'a {
        let same = Rc::ptr_eq(&self.0, &other.0);
        let all = self.0.iter().zip(&*other.0).take(if same { 0 } else { usize::MAX });
        all.enumerate().filter(|(_, (one, two))| !Rc::ptr_eq(one, two)).map(|(at, _)| at)
    }
}

impl FromIterator<AgentState> for Agents {
    fn from_iter<I: IntoIterator<Item = AgentState>>(agents: I) -> Agents {
        Agents(Rc::new(agents.into_iter().map(Rc::new).collect()))
    }
}

impl Index<usize> for Agents {
    type Output = AgentState;

    fn index(&self, agent: usize) -> &AgentState {
        &self.0[agent]
    }
}

impl IndexMut<usize> for Agents {
    fn index_mut(&mut self, agent: usize) -> &mut AgentState {
        Rc::make_mut(&mut Rc::make_mut(&mut self.0)[agent])
    }
}

/// A situated system. Equality disregards the clock and compares timestamps by rank.
#[derive(Clone, Debug)]
pub struct State {
    /// The environment E.
    pub env: Store,
    pub agents: Agents,
    /// Whose turn it is under round-robin; always 0 otherwise.
    pub turn: u32,
    /// The global clock: greater than every timestamp.
    pub clock: u64,
}

impl AgentState {
    /// L ⊕ (x, v, t) of table 3.1. Whether it differs from L is what rule PUT asks.
    pub fn insert(&mut self, tuple: TupleId, entry: &Entry) -> bool {
        match self.stigmergy.get(&tuple) {
            // ADD
            None => {
                self.stigmergy.insert(tuple, entry.clone());
                true
            }
            // UPDATE
            Some(old) if entry.time > old.time => {
                self.stigmergy.insert(tuple, entry.clone());
                true
            }
            // DISCARD
            Some(_) => false,
        }
    }

    /// time(L, x).
    pub fn time(&self, tuple: TupleId) -> Option<u64> {
        self.stigmergy[&tuple].time
    }
}

impl State {
    /// The time of day: a timestamp that was never used.
    pub fn tod(&mut self) -> u64 {
        self.clock += 1;
        self.clock - 1
    }

    /// The cells of a variable: those of the environment, or of this agent's copy. `None` if it has none.
    pub fn cells(&self, model: &Model, agent: Option<u32>, var: VarId) -> Option<&Cells> {
        match (model.variable(var).class, agent) {
            (Class::Environment, _) => self.env.get(&var),
            (Class::Attribute, Some(agent)) => self.agents[agent as usize].interface.get(&var),
            (Class::Stigmergic(tuple), Some(agent)) => {
                self.agents[agent as usize].stigmergy.get(&tuple)?.values.get(&var)
            }
            (_, None) => unreachable!("the checker gives an owner to everything but environment variables"),
        }
    }

    /// The rank of an agent's timestamp of a tuple: how many different older timestamps the agents hold.
    pub fn rank(&self, agent: usize, tuple: TupleId) -> u32 {
        self.times().rank(tuple, self.agents[agent].time(tuple))
    }

    /// The different timestamps that agents hold.
    pub(crate) fn times(&self) -> Times {
        let mut times: BTreeMap<TupleId, Vec<Option<u64>>> = BTreeMap::new();
        for (tuple, entry) in self.agents.iter().flat_map(|agent| &agent.stigmergy) {
            times.entry(*tuple).or_default().push(entry.time);
        }
        for list in times.values_mut() {
            list.sort_unstable();
            list.dedup();
        }
        Times(times)
    }

    /// Everything that tells two states apart.
    fn identity(&self) -> impl PartialEq + Hash + '_ {
        let times = self.times();
        let agents: Vec<_> = (self.agents.iter())
            .map(|agent| {
                let stigmergy: Vec<_> = (agent.stigmergy.iter())
                    .map(|(&tuple, entry)| (tuple, &entry.values, times.rank(tuple, entry.time)))
                    .collect();
                (&agent.interface, stigmergy, &agent.process, &agent.zc, &agent.zp)
            })
            .collect();
        (&self.env, agents, self.turn)
    }
}

/// The different timestamps of each tuple, the oldest first.
pub(crate) struct Times(BTreeMap<TupleId, Vec<Option<u64>>>);

impl Times {
    /// How many timestamps of the tuple are older.
    pub(crate) fn rank(&self, tuple: TupleId, time: Option<u64>) -> u32 {
        self.0[&tuple].partition_point(|other| *other < time) as u32
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.identity().hash(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const T: TupleId = TupleId(0);

    fn entry(value: i64, time: u64) -> Entry {
        Entry { values: BTreeMap::from([(VarId(0), vec![Some(value)])]), time: Some(time) }
    }

    fn agent(entries: &[(TupleId, Entry)]) -> AgentState {
        AgentState {
            interface: Store::new(),
            stigmergy: entries.iter().cloned().collect(),
            process: Rc::new(Term::Done),
            zc: BTreeSet::new(),
            zp: BTreeSet::new(),
        }
    }

    fn state(times: &[u64], clock: u64) -> State {
        let agents = times.iter().map(|&time| agent(&[(T, entry(5, time))])).collect();
        State { env: Store::new(), agents, turn: 0, clock }
    }

    #[test]
    fn add_update_discard() {
        let mut a = agent(&[]);
        assert!(a.insert(T, &entry(1, 4)), "ADD");
        assert!(!a.insert(T, &entry(2, 4)), "DISCARD: equal");
        assert!(!a.insert(T, &entry(2, 3)), "DISCARD: older");
        assert_eq!(a.stigmergy[&T], entry(1, 4));
        assert!(a.insert(T, &entry(2, 5)), "UPDATE");
        assert_eq!(a.stigmergy[&T], entry(2, 5));
    }

    #[test]
    fn equality_sees_the_order_of_timestamps_only() {
        assert_eq!(state(&[0, 1, 1], 2), state(&[3, 7, 7], 90));
        assert_ne!(state(&[0, 1, 1], 2), state(&[0, 1, 2], 3));
        assert_ne!(state(&[0, 1], 2), state(&[1, 0], 2));
        let mut turned = state(&[0, 1], 2);
        turned.turn = 1;
        assert_ne!(turned, state(&[0, 1], 2));
    }

    #[test]
    fn equal_states_hash_alike() {
        let hash = |s: &State| {
            let mut hasher = std::collections::hash_map::DefaultHasher::new();
            s.hash(&mut hasher);
            hasher.finish()
        };
        assert_eq!(hash(&state(&[0, 1, 1], 2)), hash(&state(&[3, 7, 7], 90)));
    }

    #[test]
    fn ranks_are_contiguous() {
        let s = state(&[40, 2, 40, 9], 50);
        assert_eq!((0..4).map(|a| s.rank(a, T)).collect::<Vec<_>>(), [2, 0, 2, 1]);
    }

    #[test]
    fn every_time_of_day_is_new() {
        let mut s = state(&[0, 1], 2);
        assert_eq!((s.tod(), s.tod(), s.clock), (2, 3, 4));
    }

    #[test]
    fn a_copy_shares_the_agents_that_it_does_not_change() {
        let one = state(&[0, 1, 2], 3);
        let mut two = one.clone();
        assert_eq!(one.agents.changed_in(&two.agents).count(), 0);
        two.agents[1].zc.insert(T);
        assert_eq!(one.agents.changed_in(&two.agents).collect::<Vec<_>>(), [1]);
        assert!(one.agents[1].zc.is_empty(), "the other state stays as it was");
    }
}
