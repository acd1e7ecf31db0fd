//! Bisimilarities straight from their definitions, for systems with a handful of states.
//!
//! There are two ways, neither of which resembles partition refinement by signatures. [`by_removal`] starts with all
//! pairs and removes those that violate the definition until none does. That is sound where the definition is monotone
//! in the relation, which it is for strong and branching bisimulation; the condition on divergence has the relation
//! also among its premises. [`by_partitions`] therefore tries all equivalence relations and takes the coarsest that
//! fulfils the definition: all three bisimilarities are equivalences and contain every other relation of their kind.

use swarmcheck_lts::{Equivalence, Formula, Lts, Relation as Alike};

/// A set of pairs of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    states: u32,
    pairs: Vec<bool>,
}

impl Relation {
    fn new(states: u32, holds: impl Fn(u32, u32) -> bool) -> Relation {
        let pairs = (0..states).flat_map(|s| (0..states).map(move |t| (s, t)));
        Relation { states, pairs: pairs.map(|(s, t)| holds(s, t)).collect() }
    }

    /// Whether two states are related.
    pub fn holds(&self, s: u32, t: u32) -> bool {
        self.pairs[(s * self.states + t) as usize]
    }

    fn within(&self, other: &Relation) -> bool {
        self.pairs.iter().zip(&other.pairs).all(|(a, b)| !a || *b)
    }
}

/// Whether two states are of one class; without classes, they are.
fn same(classes: &[u32], s: u32, t: u32) -> bool {
    classes.get(s as usize) == classes.get(t as usize)
}

/// What can be reached by invisible steps, from each state.
fn closure(lts: &Lts) -> Relation {
    closure_within(lts, &[])
}

/// What can be reached by invisible steps inside classes, from each state.
fn closure_within(lts: &Lts, classes: &[u32]) -> Relation {
    let steps = |s: u32, t: u32| lts.steps(s).iter().any(|&(l, to)| Some(l) == lts.tau() && to == t);
    let direct = |s: u32, t: u32| s == t || (same(classes, s, t) && steps(s, t));
    let mut reach = Relation::new(lts.states(), direct);
    for middle in 0..lts.states() {
        let old = reach;
        reach = Relation::new(lts.states(), |s, t| {
            old.holds(s, t) || (old.holds(s, middle) && old.holds(middle, t))
        });
    }
    reach
}

/// Whether each step of `s` is matched by `t`.
fn matched(lts: &Lts, closure: &Relation, related: &Relation, s: u32, t: u32, kind: Equivalence) -> bool {
    lts.steps(s).iter().all(|&(label, s2)| {
        let step = |from: u32| lts.steps(from).iter().any(|&(l, t2)| l == label && related.holds(s2, t2));
        match kind {
            Equivalence::Strong => step(t),
            _ => {
                (Some(label) == lts.tau() && related.holds(s2, t))
                    || (0..lts.states()).any(|t1| closure.holds(t, t1) && related.holds(s, t1) && step(t1))
            }
        }
    })
}

/// Whether there is an infinite path of invisible steps through states related to `s`, which a finite system has if
/// and only if it has one with as many steps as there are states.
pub fn diverges(lts: &Lts, related: &Relation, s: u32) -> bool {
    let mut layer = vec![s];
    for _ in 0..lts.states() {
        let steps = layer.iter().flat_map(|&at| lts.steps(at));
        let next = steps.filter(|&&(l, t)| Some(l) == lts.tau() && related.holds(s, t));
        let mut next: Vec<u32> = next.map(|&(_, t)| t).collect();
        next.sort();
        next.dedup();
        layer = next;
    }
    !layer.is_empty()
}

/// The largest bisimulation, strong or branching.
pub fn by_removal(lts: &Lts, kind: Equivalence) -> Relation {
    by_removal_within(lts, &[], kind)
}

/// The largest bisimulation, strong or branching, that relates only states of one class. For systems with observations
/// of states the definition asks that all states on the way are related, not only the last (De Nicola and Vaandrager,
/// *Three logics for branching bisimulation*, JACM 1995). For the largest relation it is enough that the way
/// stays inside the class: the argument why states between related ones are related (the stuttering lemma of
/// van Glabbeek and Weijland) then still applies.
pub fn by_removal_within(lts: &Lts, classes: &[u32], kind: Equivalence) -> Relation {
    assert_ne!(kind, Equivalence::DivergenceBranching);
    let closure = closure_within(lts, classes);
    let mut related = Relation::new(lts.states(), |s, t| same(classes, s, t));
    loop {
        let next = Relation::new(lts.states(), |s, t| {
            related.holds(s, t)
                && matched(lts, &closure, &related, s, t, kind)
                && matched(lts, &closure, &related, t, s, kind)
        });
        if next == related {
            return related;
        }
        related = next;
    }
}

/// The coarsest equivalence relation that is a bisimulation.
pub fn by_partitions(lts: &Lts, kind: Equivalence) -> Relation {
    by_partitions_within(lts, &[], kind)
}

/// The coarsest equivalence relation that is a bisimulation and relates only states of one class.
pub fn by_partitions_within(lts: &Lts, classes: &[u32], kind: Equivalence) -> Relation {
    let closure = closure_within(lts, classes);
    let mut valid: Vec<Relation> = vec![];
    let mut blocks = vec![0; lts.states() as usize];
    for_each_partition(&mut blocks, 0, 0, &mut |blocks| {
        let related = Relation::new(lts.states(), |s, t| blocks[s as usize] == blocks[t as usize]);
        let mut pairs = (0..lts.states()).flat_map(|s| (0..lts.states()).map(move |t| (s, t)));
        let fine = pairs.all(|(s, t)| {
            !related.holds(s, t)
                || (same(classes, s, t)
                    && matched(lts, &closure, &related, s, t, kind)
                    && (kind != Equivalence::DivergenceBranching
                        || !diverges(lts, &related, s)
                        || diverges(lts, &related, t)))
        });
        if fine {
            valid.push(related);
        }
    });
    let largest = valid.iter().max_by_key(|related| related.pairs.iter().filter(|pair| **pair).count());
    let largest = largest.expect("equality is a bisimulation").clone();
    assert!(valid.iter().all(|related| related.within(&largest)), "it contains all others");
    largest
}

/// All ways to give blocks to the states from `at` on, when `used` blocks have been given.
fn for_each_partition(blocks: &mut [u32], at: usize, used: u32, visit: &mut impl FnMut(&[u32])) {
    if at == blocks.len() {
        return visit(blocks);
    }
    for block in 0..=used {
        blocks[at] = block;
        for_each_partition(blocks, at + 1, used.max(block + 1), visit);
    }
}

/// Whether the initial states of two systems are related by the largest relation of a kind.
#[allow(dead_code)]
pub fn alike(a: &Lts, b: &Lts, relation: Alike) -> bool {
    let (both, second) = a.beside(b);
    let (s, t) = (both.initial(), second.start + b.initial());
    match relation {
        Alike::Strong => by_removal(&both, Equivalence::Strong).holds(s, t),
        Alike::Branching => by_removal(&both, Equivalence::Branching).holds(s, t),
        Alike::Weak => weak_by_removal(&both).holds(s, t),
        Alike::Trace => panic!("not a bisimilarity"),
    }
}

/// The largest weak bisimulation: each step is matched by one with invisible steps around it, an invisible one perhaps
/// by no step at all.
#[allow(dead_code)]
pub fn weak_by_removal(lts: &Lts) -> Relation {
    let closure = closure(lts);
    let weak = |from: u32, label: u32, to: u32| {
        if Some(label) == lts.tau() {
            return closure.holds(from, to);
        }
        lts.all_steps().any(|(s, l, t)| l == label && closure.holds(from, s) && closure.holds(t, to))
    };
    let mut related = Relation::new(lts.states(), |_, _| true);
    loop {
        let matched = |s: u32, t: u32| {
            lts.steps(s).iter().all(|&(label, to)| {
                (0..lts.states()).any(|end| related.holds(to, end) && weak(t, label, end))
            })
        };
        let next = Relation::new(lts.states(), |s, t| related.holds(s, t) && matched(s, t) && matched(t, s));
        if next == related {
            return related;
        }
        related = next;
    }
}

/// Whether a state satisfies a formula, by the definition: no sets of states, only paths without repetition.
#[allow(dead_code)]
pub fn satisfies(lts: &Lts, state: u32, formula: &Formula) -> bool {
    let silent = |from: u32| lts.steps(from).iter().filter(|(l, _)| Some(*l) == lts.tau()).map(|(_, to)| *to);
    let loud = |from: u32, label: &str| {
        let label = label.to_string();
        lts.steps(from).iter().filter(move |(l, _)| lts.label(*l) == label).map(|(_, to)| *to)
    };
    let closure = closure(lts);
    let reach = |from: u32| (0..lts.states()).filter(|to| closure.holds(from, *to)).collect::<Vec<_>>();
    match formula {
        Formula::And(parts) => parts.iter().all(|p| satisfies(lts, state, p)),
        Formula::Not(inner) => !satisfies(lts, state, inner),
        Formula::Can(label, inner) => loud(state, label).any(|to| satisfies(lts, to, inner)),
        Formula::WeaklyCan(label, inner) if label == "i" => {
            reach(state).into_iter().any(|to| satisfies(lts, to, inner))
        }
        Formula::WeaklyCan(label, inner) => reach(state)
            .into_iter()
            .flat_map(|middle| loud(middle, label).collect::<Vec<_>>())
            .flat_map(reach)
            .any(|to| satisfies(lts, to, inner)),
        Formula::Via(through, label, inner) => {
            let mut paths = vec![vec![state]];
            while let Some(path) = paths.pop() {
                let at = path[path.len() - 1];
                if label == "i" && satisfies(lts, at, inner) {
                    return true;
                }
                if !satisfies(lts, at, through) {
                    continue;
                }
                if label != "i" && loud(at, label).any(|to| satisfies(lts, to, inner)) {
                    return true;
                }
                let longer = silent(at).filter(|to| !path.contains(to));
                paths.extend(longer.map(|to| [path.as_slice(), &[to]].concat()));
            }
            false
        }
    }
}
