//! Linear temporal logic: the search against the definition, on random words and random systems.

#![allow(clippy::disallowed_macros, reason = "says how much was compared")]

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};
use swarmcheck_explicit::labelled::Labelled;
use swarmcheck_explicit::linear::{Lasso, satisfying};
use swarmcheck_ir::flat::Instance;
use swarmcheck_logic::ltl::Formula;

struct Random(fastrand::Rng);

impl Random {
    fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }

    /// Propositions are letters: 0, 1 and 2.
    fn formula(&mut self, depth: u64) -> Formula<u32> {
        if depth == 0 {
            return Formula::Letter(self.below(3) as u32, self.below(2) == 0);
        }
        let one = |random: &mut Random| random.formula(depth - 1);
        match self.below(8) {
            0 => Formula::And(vec![one(self), one(self)]),
            1 => Formula::Or(vec![one(self), one(self)]),
            2 => Formula::Next(Box::new(one(self))),
            3 => Formula::Until(Box::new(one(self)), Box::new(one(self))),
            4 => Formula::Release(Box::new(one(self)), Box::new(one(self))),
            5 => one(self).always(),
            6 => one(self).eventually(),
            _ => one(self),
        }
    }
}

/// The letter of a step is the number of its function; that of no step is none of the propositions.
const NO_STEP: u32 = 99;

fn search(system: &Labelled, formula: &Formula<u32>) -> Option<Lasso> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let letter = |i: Option<Instance>| i.map_or(NO_STEP, |i| i.function);
    satisfying(system, formula, &|i, p| letter(i) == *p, &control).unwrap()
}

fn holds(formula: &Formula<u32>, prefix: &[u32], cycle: &[u32]) -> bool {
    formula.holds(prefix, cycle, &|letter, p| letter == p)
}

fn step(from: u32, letter: u32, to: u32) -> (u32, Instance, u32) {
    (from, Instance { function: letter, agent: 0 }, to)
}

/// A system with a single execution satisfies a formula or its negation, as the definition says.
#[test]
fn single_words() {
    let mut true_ones = 0;
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let formula = random.formula(4);
        let prefix: Vec<u32> = (0..random.below(4)).map(|_| random.below(3) as u32).collect();
        let cycle: Vec<u32> = (0..1 + random.below(3)).map(|_| random.below(3) as u32).collect();
        let word = [prefix.as_slice(), &cycle].concat();
        let states = word.len() as u32;
        let after = |at: u32| if at + 1 < states { at + 1 } else { prefix.len() as u32 };
        let steps = (0..states).map(|at| step(at, word[at as usize], after(at))).collect();
        let system = Labelled { initial: 1, states, steps };
        let expected = holds(&formula, &prefix, &cycle);
        assert_ne!(expected, holds(&formula.negated(), &prefix, &cycle), "{formula:?}");
        assert_eq!(search(&system, &formula).is_some(), expected, "{formula:?} on {prefix:?} {cycle:?}");
        assert_eq!(search(&system, &formula.negated()).is_some(), !expected, "not {formula:?}");
        true_ones += u32::from(expected);
    }
    assert!((1000..3000).contains(&true_ones), "{true_ones}");
}

/// All executions that come back to a state after at most so many steps, or stop.
fn executions(
    system: &Labelled,
    path: &mut Vec<(u32, u32)>,
    at: u32,
    most: usize,
    seen: &mut dyn FnMut(&[u32], &[u32]),
) {
    let letters: Vec<u32> = path.iter().map(|(_, letter)| *letter).collect();
    for (back, (state, _)) in path.iter().enumerate() {
        if *state == at {
            seen(&letters[..back], &letters[back..]);
        }
    }
    let steps: Vec<_> = system.steps.iter().filter(|(from, ..)| *from == at).collect();
    if steps.is_empty() {
        seen(&letters, &[NO_STEP]);
    }
    if path.len() < most {
        for (_, instance, to) in steps {
            path.push((at, instance.function));
            executions(system, path, *to, most, seen);
            path.pop();
        }
    }
}

/// What is found is an execution of the system that satisfies the formula; and if a short execution does, one is found.
#[test]
fn random_systems() {
    let (mut found, mut stopping, mut none) = (0, 0, 0);
    for seed in 0..600 {
        let mut random = Random::new(seed);
        let formula = random.formula(3);
        let states = 1 + random.below(4) as u32;
        let any = |random: &mut Random| random.below(u64::from(states)) as u32;
        let mut steps: Vec<_> = (0..random.below(7))
            .map(|_| step(any(&mut random), random.below(3) as u32, any(&mut random)))
            .collect();
        steps.sort_unstable();
        steps.dedup();
        let system = Labelled { initial: 1, states, steps };
        let mut short = false;
        executions(&system, &mut vec![], 0, 6, &mut |prefix, cycle| short |= holds(&formula, prefix, cycle));
        let Some(lasso) = search(&system, &formula) else {
            assert!(!short, "seed {seed}: {formula:?} on {system:?}");
            none += 1;
            continue;
        };
        // Follow it: the same letters may lead to several states.
        let follow = |from: &[u32], letters: &[Instance]| {
            letters.iter().fold(from.to_vec(), |now, letter| {
                let fits = system.steps.iter().filter(|(s, i, _)| now.contains(s) && i == letter);
                fits.map(|(_, _, to)| *to).collect()
            })
        };
        let mut now = follow(&[0], &lasso.prefix);
        let letters = |list: &[Instance]| list.iter().map(|i| i.function).collect::<Vec<u32>>();
        let mut cycle = letters(&lasso.cycle);
        if cycle.is_empty() {
            assert!(
                now.iter().any(|state| system.steps.iter().all(|(from, ..)| from != state)),
                "seed {seed}"
            );
            cycle.push(NO_STEP);
            stopping += 1;
        }
        for _ in 0..20 {
            now = follow(&now, &lasso.cycle);
        }
        assert!(!now.is_empty(), "seed {seed}: {lasso:?} on {system:?}");
        assert!(holds(&formula, &letters(&lasso.prefix), &cycle), "seed {seed}: {formula:?}, {lasso:?}");
        found += 1;
    }
    println!("{found} found, {stopping} of them stop, {none} have none");
    assert!(found > 200 && stopping > 50 && none > 50);
}
