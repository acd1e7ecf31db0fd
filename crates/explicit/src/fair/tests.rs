//! Fair cycles of random graphs, against the definition: a set of states is what an execution visits infinitely often if
//! and only if it is strongly connected and has a step, and all sets of states of a small graph can be looked at.

use super::*;

const STATES: usize = 7;

/// A small graph and what holds in its states.
struct Case {
    targets: Vec<Vec<usize>>,
    inside: u32,
    wanted: u32,
    demands: Demands,
    /// For each condition the set of states in which it holds.
    conditions: Vec<u32>,
}

fn random(seed: u64) -> Case {
    let mut dice = fastrand::Rng::with_seed(seed);
    let mut sparse = |n: usize| (0..STATES).filter(|_| dice.usize(..n) == 0).fold(0, |s, i| s | 1 << i);
    let targets = (0..STATES).map(|_| members(sparse(4)).collect()).collect();
    let (inside, wanted) = (!sparse(8), if seed.is_multiple_of(2) { u32::MAX } else { sparse(3) });
    let demands = Demands { again: (seed / 2 % 3) as usize, pairs: (seed / 6 % 4) as usize };
    let mut conditions: Vec<u32> = (0..demands.again).map(|_| sparse(2)).collect();
    conditions.extend((0..2 * demands.pairs).map(|_| sparse(3)));
    Case { targets, inside, wanted, demands, conditions }
}

fn members(set: u32) -> impl Iterator<Item = usize> + Clone {
    (0..STATES).filter(move |i| set >> i & 1 != 0)
}

impl Case {
    /// Whether a set of states may be what an execution visits infinitely often, and is fair.
    fn accepts(&self, set: u32) -> bool {
        let from = |start: usize| {
            let mut reached: u32 = 0;
            let mut todo = vec![start];
            while let Some(at) = todo.pop() {
                let new = members(set & !reached).filter(|t| self.targets[at].contains(t));
                new.clone().for_each(|target| reached |= 1 << target);
                todo.extend(new);
            }
            reached
        };
        let meets = |condition: u32| condition & set != 0;
        let (again, pairs) = self.conditions.split_at(self.demands.again);
        set != 0
            && set & !self.inside == 0
            && members(set).all(|state| from(state) & set == set)
            && meets(self.wanted)
            && again.iter().all(|&condition| meets(condition))
            && pairs.chunks(2).all(|pair| !meets(pair[0]) || meets(pair[1]))
    }

    fn cycle(&self) -> Option<Vec<usize>> {
        let graph = Graph::of(&self.targets);
        let search = FairSearch {
            graph: &graph,
            inside: |id: Id| self.inside >> id.place() & 1 != 0,
            wanted: |id: Id| self.wanted >> id.place() & 1 != 0,
            demands: self.demands,
            evaluate: |id: Id, marks: &mut [u64]| {
                for (bit, condition) in self.conditions.iter().enumerate() {
                    marks[bit / 64] |= u64::from(condition >> id.place() & 1) << (bit % 64);
                }
                Ok(())
            },
            stop: &AtomicBool::new(false),
        };
        let cycle = search.cycle(|id| id.place() as u32).unwrap();
        cycle.map(|cycle| cycle.into_iter().map(Id::place).collect())
    }
}

#[test]
fn fair_cycles_are_found_exactly_where_there_are_some() {
    let (mut some, mut none, mut decomposed) = (0, 0, 0);
    for seed in 0..6000 {
        let case = random(seed);
        let fair: Vec<u32> = (1..1 << STATES).filter(|&set| case.accepts(set)).collect();
        match case.cycle() {
            None => {
                assert!(fair.is_empty(), "seed {seed}: {fair:?}");
                none += 1;
            }
            Some(cycle) => {
                let set = cycle.iter().fold(0, |set, state| set | 1 << state);
                assert!(fair.contains(&set), "seed {seed}: {cycle:?}");
                assert!(cycle.len() > 1 && cycle[0] == cycle[cycle.len() - 1], "seed {seed}: {cycle:?}");
                assert!(cycle.windows(2).all(|step| case.targets[step[0]].contains(&step[1])), "seed {seed}");
                some += 1;
                // Somewhere a component is not fair and a part of it is.
                let mut weak = random(seed);
                weak.demands.pairs = 0;
                weak.conditions.truncate(weak.demands.again);
                let largest = (1..1 << STATES).filter(|&s| weak.accepts(s)).max_by_key(|s| s.count_ones());
                decomposed += usize::from(largest.is_some_and(|set| !case.accepts(set)));
            }
        }
    }
    assert!(some > 1000 && none > 1000 && decomposed > 100, "{some} {none} {decomposed}");
}

/// More conditions than fit into a word.
#[test]
fn there_may_be_many_conditions() {
    // A ring in which the i-th condition holds in the i-th state only, modulo the number of states.
    let targets: Vec<Vec<usize>> = (0..STATES).map(|i| vec![i, (i + 1) % STATES]).collect();
    let demands = Demands { again: 100, pairs: 40 };
    let conditions: Vec<u32> = (0..180).map(|i| 1 << (i % STATES)).collect();
    let case = Case { targets, inside: u32::MAX, wanted: u32::MAX, demands, conditions };
    assert_eq!(case.cycle().map(|cycle| cycle.len()), Some(STATES + 1));
}
