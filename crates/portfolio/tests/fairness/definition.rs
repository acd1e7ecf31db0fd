//! The definition of fairness, and of what is asked, on the states and steps of a small program.

use crate::program::{OWN, SHARED};
use fastrand::Rng;
use std::collections::{BTreeSet, HashMap};
use swarmcheck_engine::trace::{End, Trace};
use swarmcheck_engine::{Fairness, system};
use swarmcheck_ir::flat::{Flat, Instance, Machine};
use swarmcheck_ir::units::{self, UnitKind};
use swarmcheck_ir::{Program, Value};

/// All sets of states are looked at, so there must not be more states.
const MOST: usize = 13;

/// A set of states.
type States = u32;

/// A condition on a state.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    Shared(Value),
    Own(u32, Value),
    Never,
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub enum Ask {
    Eventually(Condition),
    /// G F p.
    Again(Condition),
    /// F G p.
    Stays(Condition),
    /// G (p -> F q).
    Response(Condition, Condition),
    /// From the first on, the second at some point.
    Scope(Condition, Condition),
}

impl Condition {
    fn random(dice: &mut Rng) -> Condition {
        match dice.usize(..5) {
            0 => Condition::Never,
            1 | 2 => Condition::Shared(dice.i64(0..=2)),
            _ => Condition::Own(dice.u32(0..2), dice.i64(0..=1)),
        }
    }
}

impl Ask {
    pub fn random(dice: &mut Rng) -> Ask {
        let (p, q) = (Condition::random(dice), Condition::random(dice));
        match dice.usize(..5) {
            0 | 1 => Ask::Eventually(p),
            2 => Ask::Again(p),
            3 => {
                if dice.bool() {
                    Ask::Stays(p)
                } else {
                    Ask::Scope(q, p)
                }
            }
            _ => Ask::Response(q, p),
        }
    }
}

/// Whose step it is.
type Unit = (u32, UnitKind);

/// The reachable states of a program.
pub struct Graph {
    flat: Flat,
    states: Vec<Vec<Value>>,
    initial: States,
    /// The steps of each state.
    steps: Vec<Vec<(Instance, usize)>>,
    /// Strongly connected sets with a step.
    connected: Vec<States>,
}

impl Graph {
    /// Nothing if there are too many states.
    pub fn of(program: &Program) -> Option<Graph> {
        let flat = Flat::new(program.clone());
        let mut machine = Machine::new(&flat);
        let (mut states, mut numbers): (Vec<Vec<Value>>, HashMap<Vec<Value>, usize>) = Default::default();
        let mut number = |state: Vec<Value>, states: &mut Vec<Vec<Value>>| {
            *numbers.entry(state.clone()).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        let mut initial = 0;
        let started = system::initial_states(&flat, &mut machine, &mut |state| {
            initial |= 1 << number(state.to_vec(), &mut states);
            true
        });
        started.expect("no fault");
        let mut steps: Vec<Vec<(Instance, usize)>> = vec![];
        while steps.len() < states.len() {
            if states.len() > MOST {
                return None;
            }
            let here = states[steps.len()].clone();
            let mut list = vec![];
            for step in system::successors(&flat, &mut machine, &here) {
                list.push((step.instance, number(step.result.expect("no fault"), &mut states)));
            }
            steps.push(list);
        }
        let mut graph = Graph { flat, states, initial, steps, connected: vec![] };
        let connected = |set: &States| members(*set).all(|state| graph.after(1 << state, *set) == *set);
        graph.connected = (1..1 << graph.states.len()).filter(connected).collect();
        Some(graph)
    }

    /// What is reached by one step or more inside.
    fn after(&self, from: States, inside: States) -> States {
        let mut reached = 0;
        let mut todo = from;
        while todo != 0 {
            let next = members(todo).flat_map(|s| &self.steps[s]).fold(0, |all, (_, t)| all | 1 << t);
            todo = next & inside & !reached;
            reached |= todo;
        }
        reached
    }

    /// What is reached by any number of steps inside.
    fn reached(&self, from: States, inside: States) -> States {
        from & inside | self.after(from & inside, inside)
    }

    fn states(&self, condition: &Condition) -> States {
        let layout = &self.flat.layout;
        let slot = match condition {
            Condition::Shared(_) => layout.global(SHARED),
            Condition::Own(agent, _) => layout.copy(OWN, *agent).expect("a copy"),
            Condition::Never => return 0,
        };
        let (Condition::Shared(value) | Condition::Own(_, value)) = condition else { return 0 };
        let holds = |s: &usize| self.states[*s][slot as usize] == *value;
        (0..self.states.len()).filter(holds).fold(0, |all, s| all | 1 << s)
    }

    fn stuck(&self) -> States {
        (0..self.states.len()).filter(|s| self.steps[*s].is_empty()).fold(0, |all, s| all | 1 << s)
    }

    fn unit(&self, instance: Instance) -> Unit {
        let function = &self.flat.program.functions[instance.function as usize];
        (instance.agent, units::kind(function))
    }

    /// Who can move in a state.
    fn movable(&self, state: usize) -> BTreeSet<Unit> {
        self.steps[state].iter().map(|(instance, _)| self.unit(*instance)).collect()
    }

    /// Whether an execution that visits these states infinitely often, and in which these units move infinitely often, is fair.
    fn is_fair(&self, set: States, moving: &BTreeSet<Unit>, fairness: Fairness) -> bool {
        let all: BTreeSet<Unit> = members(set).flat_map(|s| self.movable(s)).collect();
        let always = |unit: &&Unit| members(set).all(|s| self.movable(s).contains(unit));
        match fairness {
            Fairness::None => true,
            // From some point on it can move all the time.
            Fairness::Weak => all.iter().filter(always).all(|unit| moving.contains(unit)),
            Fairness::Strong => all.iter().all(|unit| moving.contains(unit)),
        }
    }

    /// Whether a fair execution visits just these states infinitely often. Taking more of the steps does no harm.
    fn can_be_fair(&self, set: States, fairness: Fairness) -> bool {
        let inside = |s: usize| self.steps[s].iter().filter(|(_, target)| set >> target & 1 != 0);
        let moving = members(set).flat_map(|s| inside(s).map(|(instance, _)| self.unit(*instance))).collect();
        self.is_fair(set, &moving, fairness)
    }

    /// Where an execution that violates what is asked ends up, and whether it has to meet the second set there again and
    /// again.
    fn violating(&self, asked: &Ask) -> (States, States) {
        let everything = self.reached(self.initial, !0);
        match asked {
            Ask::Eventually(p) => (self.reached(self.initial, !self.states(p)), !0),
            Ask::Again(p) => (everything & !self.states(p), !0),
            Ask::Stays(p) => (everything, !self.states(p)),
            Ask::Response(p, q) => {
                let without = !self.states(q);
                (self.reached(everything & self.states(p) & without, without), !0)
            }
            Ask::Scope(start, p) => {
                let (start, without) = (self.states(start), !self.states(p));
                let before = self.reached(self.initial, !start);
                let next = members(before)
                    .flat_map(|s| &self.steps[s])
                    .fold(self.initial, |all, (_, t)| all | 1 << t);
                (self.reached(next & start & without, without), !0)
            }
        }
    }

    /// Whether every fair execution, and every one that stops unless those are excused, does what is asked.
    pub fn holds(&self, asked: &Ask, fairness: Fairness, ignore_deadlock: bool) -> bool {
        let (inside, meeting) = self.violating(asked);
        let stops = self.stuck() & inside & meeting != 0 && !ignore_deadlock;
        let refutes =
            |set: &States| set & !inside == 0 && set & meeting != 0 && self.can_be_fair(*set, fairness);
        !stops && !self.connected.iter().any(refutes)
    }

    /// Whether a trace is an execution that violates what is asked, and is fair. A prefix that is bad whatever follows has
    /// no end that could be looked at.
    pub fn shows(&self, asked: &Ask, fairness: Fairness, trace: &Trace, prefix: bool) -> bool {
        let number = |state: &Vec<Value>| self.states.iter().position(|s| s == state);
        let Some(first) = number(&trace.initial) else { return false };
        let mut way = vec![first];
        for step in &trace.steps {
            let Some(target) = number(&step.state) else { return false };
            if !self.steps[way[way.len() - 1]].contains(&(step.instance, target)) {
                return false;
            }
            way.push(target);
        }
        let (inside, meeting) = self.violating(asked);
        let last = way[way.len() - 1];
        let begins = self.initial >> first & 1 != 0;
        begins
            && match (trace.loop_start, &trace.end) {
                (Some(start), _) => {
                    let set = way[start..].iter().fold(0, |all, s| all | 1 << s);
                    let moving = trace.steps[start..].iter().map(|step| self.unit(step.instance)).collect();
                    start + 1 < way.len()
                        && way[start] == last
                        && set & !inside == 0
                        && set & meeting != 0
                        && self.is_fair(set, &moving, fairness)
                }
                (None, End::Deadlock) => self.stuck() & inside & meeting & 1 << last != 0,
                _ => prefix,
            }
    }
}

fn members(set: States) -> impl Iterator<Item = usize> {
    (0..32).filter(move |s| set >> s & 1 != 0)
}
