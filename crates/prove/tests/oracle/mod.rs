//! Random small systems, and everything about them by enumeration.
#![allow(dead_code)]

use std::collections::{BTreeSet, VecDeque};

use swarmcheck_aig::{Latch, Lit, Simulation, System};

/// Random numbers, the same for the same seed on every machine.
pub struct Dice(fastrand::Rng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(fastrand::Rng::with_seed(seed))
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

/// What a random system is asked about.
pub struct Case {
    pub system: System,
    pub good: Lit,
    pub stuck: Lit,
    pub fair: Lit,
}

/// A function of some variables, by gates put on one another at random.
fn function(system: &mut System, dice: &mut Dice, over: &[Lit], gates: usize) -> Lit {
    let mut parts = over.to_vec();
    if parts.is_empty() {
        return Lit::constant(!dice.one_in(4));
    }
    for _ in 0..gates {
        let (a, b) = (parts[dice.below(parts.len())], parts[dice.below(parts.len())]);
        let (a, b) = (a.negate_if(dice.one_in(2)), b.negate_if(dice.one_in(2)));
        let made = match dice.below(4) {
            0 => system.graph.xor(a, b),
            1 => {
                let c = parts[dice.below(parts.len())];
                system.graph.choose(c, a, b)
            }
            _ => system.graph.and(a, b),
        };
        parts.push(made);
    }
    let last = parts[parts.len() - 1];
    last.negate_if(dice.one_in(2))
}

/// Makes the latches count, mostly: random gates alone give systems whose states are all reached in a few steps.
fn count(system: &mut System, dice: &mut Dice, everything: &[Lit]) {
    let mut carry = if dice.one_in(2) { Lit::TRUE } else { function(system, dice, everything, 2) };
    for i in 0..system.latches.len() {
        let bit = system.latches[i].variable;
        let next = system.graph.xor(bit, carry);
        carry = system.graph.and(bit, carry);
        if !dice.one_in(6) {
            system.latches[i].next = next;
        }
    }
    let n = system.latches.len();
    let parts: Vec<Lit> = (0..n).map(|i| system.latches[i].variable.negate_if(dice.one_in(2))).collect();
    system.bad = vec![system.graph.all(&parts)];
}

/// A system of at most `latches` latches. Some have no start, some several; some have states without steps.
pub fn random(seed: u64, latches: usize) -> Case {
    let mut dice = Dice::new(seed);
    let mut system = System::default();
    let variables =
        |system: &mut System, n: usize| -> Vec<Lit> { (0..n).map(|_| system.graph.variable()).collect() };
    let n = 1 + dice.below(latches);
    let state = variables(&mut system, n);
    let starts = dice.below(4);
    system.start_inputs = variables(&mut system, starts);
    let inputs = dice.below(5);
    system.inputs = variables(&mut system, inputs);
    let everything: Vec<Lit> = state.iter().chain(&system.inputs).copied().collect();
    let choices = system.start_inputs.clone();
    for &variable in &state {
        let start = if dice.one_in(3) {
            function(&mut system, &mut dice, &choices, 2)
        } else {
            Lit::constant(dice.one_in(4))
        };
        let gates = 1 + dice.below(6);
        let next = match dice.below(8) {
            0 => variable,
            1 => everything[dice.below(everything.len())],
            _ => function(&mut system, &mut dice, &everything, gates),
        };
        system.latches.push(Latch { variable, start, next });
    }
    if dice.one_in(3) {
        system.start_valid = function(&mut system, &mut dice, &choices, 3);
    }
    if dice.one_in(40) {
        system.start_valid = Lit::FALSE;
    }
    if !dice.one_in(3) {
        let (a, b) = (
            function(&mut system, &mut dice, &everything, 4),
            function(&mut system, &mut dice, &everything, 3),
        );
        system.valid = if dice.one_in(3) { a } else { system.graph.or(a, b) };
    }
    let mut cube = |system: &mut System| {
        let size = 1 + dice.below(n.min(4));
        let parts: Vec<Lit> = (0..size).map(|_| state[dice.below(n)].negate_if(dice.one_in(2))).collect();
        let cube = system.graph.all(&parts);
        if dice.one_in(2) {
            return cube;
        }
        let more = function(system, &mut dice, &state, 4);
        if dice.one_in(2) { system.graph.and(cube, more) } else { system.graph.or(cube, more) }
    };
    let (bad, good) = (cube(&mut system), cube(&mut system));
    let fair = cube(&mut system);
    system.bad = vec![bad];
    if dice.one_in(3) {
        count(&mut system, &mut dice, &everything);
    }
    let stuck = stuck(&mut system);
    Case { system, good, stuck, fair }
}

/// "No step is possible", written as a table of states.
fn stuck(system: &mut System) -> Lit {
    let n = system.latches.len();
    let mut cubes = vec![];
    let mut simulation = Simulation::new(system);
    for state in 0..1usize << n {
        let bits = bits(state, n);
        if (0..1usize << system.inputs.len())
            .all(|i| simulation.step(&bits, &self::bits(i, system.inputs.len())).is_none())
        {
            cubes.push(bits);
        }
    }
    let mut functions = vec![];
    for cube in cubes {
        let parts: Vec<Lit> =
            system.latches.iter().zip(&cube).map(|(latch, &bit)| latch.variable.negate_if(!bit)).collect();
        functions.push(system.graph.all(&parts));
    }
    system.graph.any(&functions)
}

/// The lowest bits of a number.
pub fn bits(number: usize, n: usize) -> Vec<bool> {
    (0..n).map(|i| number >> i & 1 != 0).collect()
}

fn number(bits: &[bool]) -> usize {
    bits.iter().enumerate().map(|(i, &bit)| usize::from(bit) << i).sum()
}

/// Which infinite executions count, by sets of states.
pub struct Fairness {
    /// Each must be met again and again.
    pub again: Vec<BTreeSet<usize>>,
    /// If the first is met again and again, so must be the second.
    pub pairs: Vec<(BTreeSet<usize>, BTreeSet<usize>)>,
}

/// Random sets of states of a system with so many latches.
pub fn fairness(dice: &mut Dice, latches: usize) -> Fairness {
    let mut sets = |sparse: usize| -> BTreeSet<usize> {
        (0..1usize << latches).filter(|_| dice.one_in(sparse)).collect()
    };
    let again = (0..sets(2).len() % 4).map(|_| sets(2)).collect();
    let pairs = (0..sets(2).len() % 3).map(|_| (sets(2), sets(3))).collect();
    Fairness { again, pairs }
}

/// The whole of a small system.
pub struct Whole {
    pub starts: BTreeSet<usize>,
    pub successors: Vec<BTreeSet<usize>>,
    /// For each function asked about, whether it holds in a state.
    pub distance: Vec<Option<usize>>,
    latches: usize,
}

impl Whole {
    pub fn of(system: &System) -> Whole {
        let (n, m, s) = (system.latches.len(), system.inputs.len(), system.start_inputs.len());
        let mut simulation = Simulation::new(system);
        let starts: BTreeSet<usize> = (0..1usize << s)
            .filter_map(|i| simulation.start(&bits(i, s)))
            .map(|state| number(&state))
            .collect();
        let successors: Vec<BTreeSet<usize>> = (0..1usize << n)
            .map(|state| {
                (0..1usize << m)
                    .filter_map(|i| simulation.step(&bits(state, n), &bits(i, m)))
                    .map(|state| number(&state))
                    .collect()
            })
            .collect();
        let mut distance = vec![None; 1 << n];
        let mut queue: VecDeque<usize> = starts.iter().copied().collect();
        for &start in &starts {
            distance[start] = Some(0);
        }
        while let Some(state) = queue.pop_front() {
            for &next in &successors[state] {
                if distance[next].is_none() {
                    distance[next] = distance[state].map(|d: usize| d + 1);
                    queue.push_back(next);
                }
            }
        }
        Whole { starts, successors, distance, latches: n }
    }

    /// The states in which a function holds.
    pub fn states(&self, system: &System, function: Lit) -> BTreeSet<usize> {
        let mut simulation = Simulation::new(system);
        (0..1usize << self.latches).filter(|&s| simulation.holds(&bits(s, self.latches), function)).collect()
    }

    /// The fewest steps to a state of the set.
    pub fn shortest(&self, set: &BTreeSet<usize>) -> Option<usize> {
        set.iter().filter_map(|&state| self.distance[state]).min()
    }

    /// The states after exactly so many steps.
    pub fn after(&self, steps: usize) -> BTreeSet<usize> {
        let mut now = self.starts.clone();
        for _ in 0..steps {
            now = now.iter().flat_map(|&state| self.successors[state].iter().copied()).collect();
        }
        now
    }

    /// Reachable without passing through a state of the set, itself included.
    fn reachable_avoiding(&self, set: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut seen: BTreeSet<usize> = self.starts.difference(set).copied().collect();
        let mut todo: Vec<usize> = seen.iter().copied().collect();
        while let Some(state) = todo.pop() {
            for &next in &self.successors[state] {
                if !set.contains(&next) && seen.insert(next) {
                    todo.push(next);
                }
            }
        }
        seen
    }

    /// Whether an execution ends without having been in the set.
    pub fn ends_avoiding(&self, set: &BTreeSet<usize>) -> bool {
        self.reachable_avoiding(set).iter().any(|&state| self.successors[state].is_empty())
    }

    /// Whether an execution goes on for ever without having been in the set, and is in `fair` again and again.
    pub fn runs_avoiding(&self, set: &BTreeSet<usize>, fair: &BTreeSet<usize>) -> bool {
        let region = self.reachable_avoiding(set);
        region.iter().filter(|state| fair.contains(state)).any(|&state| {
            // Can it come back to itself inside the region?
            let inside = |s: usize| self.successors[s].iter().copied().filter(|n| region.contains(n));
            let mut seen: BTreeSet<usize> = inside(state).collect();
            let mut todo: Vec<usize> = seen.iter().copied().collect();
            while let Some(next) = todo.pop() {
                for more in inside(next) {
                    if seen.insert(more) {
                        todo.push(more);
                    }
                }
            }
            seen.contains(&state)
        })
    }

    /// The sets of states that a fair execution inside a region may visit infinitely often, by definition: those that are
    /// strongly connected, have a step, and are fair.
    pub fn fair_sets(&self, region: &BTreeSet<usize>, fairness: &Fairness) -> Vec<BTreeSet<usize>> {
        let region: Vec<usize> = region.iter().copied().collect();
        let subset = |number: usize| -> BTreeSet<usize> {
            let inside = |i: &usize| number >> i & 1 != 0;
            (0..region.len()).filter(inside).map(|i| region[i]).collect()
        };
        let connected = |set: &BTreeSet<usize>| {
            set.iter().all(|&state| {
                let (mut seen, mut todo) = (BTreeSet::new(), vec![state]);
                while let Some(at) = todo.pop() {
                    let next = self.successors[at].intersection(set).copied();
                    todo.extend(next.filter(|&next| seen.insert(next)));
                }
                seen == *set
            })
        };
        let fair = |set: &BTreeSet<usize>| {
            let meets = |other: &BTreeSet<usize>| !set.is_disjoint(other);
            fairness.again.iter().all(meets)
                && fairness.pairs.iter().all(|(first, second)| !meets(first) || meets(second))
        };
        (1..1usize << region.len()).map(subset).filter(|set| fair(set) && connected(set)).collect()
    }

    /// Reachable without passing through a state of the set.
    pub fn region_avoiding(&self, set: &BTreeSet<usize>) -> BTreeSet<usize> {
        self.reachable_avoiding(set)
    }

    /// All states.
    pub fn all(&self) -> BTreeSet<usize> {
        (0..1usize << self.latches).collect()
    }
}
