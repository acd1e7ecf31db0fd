//! Deterministic automata against the definition: random formulas on all short lassos, and known sizes.

use super::{Edge, Limits, Rabin, TooLarge};
use crate::linear::lasso::satisfies;
use std::rc::Rc;
use swarmcheck_ir::Linear;

fn rabin(formula: &Linear<usize>) -> Rabin {
    Rabin::new(formula, Limits::default()).expect("small formulas have small automata")
}

/// Whether the run on a lasso is accepted: which pairs hold and are met from the first time that a state comes back at the
/// same position to the second.
fn accepts(automaton: &mut Rabin, word: &[u64], back: usize) -> bool {
    let (mut state, mut at) = (Rabin::FIRST, 0);
    let mut seen: Vec<(u32, usize)> = vec![];
    let mut edges: Vec<Rc<Edge>> = vec![];
    loop {
        if let Some(first) = seen.iter().position(|known| *known == (state, at)) {
            let round = &edges[first..];
            let holds = |pair| round.iter().all(|edge| edge.holds.contains(&pair));
            return (0..automaton.pairs())
                .any(|pair| holds(pair) && round.iter().any(|edge| edge.met.contains(&pair)));
        }
        seen.push((state, at));
        let edge = automaton.read(state, word[at]).expect("few states");
        state = edge.to;
        edges.push(edge);
        at = if at + 1 < word.len() { at + 1 } else { back };
    }
}

fn random_formula(random: &mut fastrand::Rng, atoms: usize, depth: usize) -> Linear<usize> {
    let kind = if depth == 0 { 0 } else { random.usize(..10) };
    let mut inner = || random_formula(random, atoms, depth - 1);
    match kind {
        0 => Linear::Atom(random.usize(..atoms)),
        1 => Linear::not(inner()),
        2 => Linear::And(vec![inner(), inner()]),
        3 => Linear::Or(vec![inner(), inner()]),
        4 => Linear::next(inner()),
        5 => Linear::until(inner(), inner()),
        6 => Linear::release(inner(), inner()),
        7 => Linear::finally(inner()),
        8 => Linear::globally(inner()),
        _ => Linear::globally(Linear::finally(inner())),
    }
}

/// Calls `each` with all lassos of this length over these letters.
fn lassos(length: usize, letters: u64, each: &mut dyn FnMut(&[u64], usize)) {
    let mut word = vec![0; length];
    loop {
        (0..length).for_each(|back| each(&word, back));
        let Some(at) = word.iter().rposition(|letter| *letter + 1 < letters) else { return };
        word[at] += 1;
        word[at + 1..].fill(0);
    }
}

#[derive(Default)]
struct Counts {
    yes: usize,
    no: usize,
    /// States of the largest automaton.
    largest: usize,
}

/// The automaton of a formula on all lassos up to a length, and on longer ones.
fn compare(
    formula: &Linear<usize>,
    atoms: usize,
    longest: usize,
    random: &mut fastrand::Rng,
    counts: &mut Counts,
) {
    let mut automaton = rabin(formula);
    let mut one = |word: &[u64], back: usize| {
        let expected = satisfies(formula, word.len(), back, &|a, at| word[at] >> a & 1 == 1);
        assert_eq!(accepts(&mut automaton, word, back), expected, "{formula:?} on {word:?} back to {back}");
        if expected { counts.yes += 1 } else { counts.no += 1 }
    };
    for length in 1..=longest {
        lassos(length, 1 << atoms, &mut one);
    }
    for _ in 0..20 {
        let word: Vec<u64> = (0..random.usize(longest + 1..10)).map(|_| random.u64(..1 << atoms)).collect();
        one(&word, random.usize(..word.len()));
    }
    counts.largest = counts.largest.max(automaton.states());
}

fn many(formulas: usize, seed: u64) -> Counts {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut counts = Counts::default();
    for number in 0..formulas {
        // Three atoms and shorter words now and then.
        let (atoms, longest) = if number % 4 == 0 { (3, 2) } else { (2, 3) };
        let depth = 2 + number % 3;
        let formula = random_formula(&mut random, atoms, depth);
        compare(&formula, atoms, longest, &mut random, &mut counts);
    }
    counts
}

#[test]
fn they_accept_what_satisfies_the_formula() {
    let counts = many(600, 1);
    assert!(counts.yes > 20_000 && counts.no > 20_000, "{} satisfied, {} violated", counts.yes, counts.no);
}

/// The same with many more formulas.
#[test]
#[ignore = "minutes"]
#[allow(clippy::disallowed_macros)]
fn long_run() {
    let counts = many(30_000, 2);
    println!("{} satisfied, {} violated, {} states at most", counts.yes, counts.no, counts.largest);
}

/// All formulas with one atom, of at most three operators, on all lassos up to length four.
#[test]
fn all_small_formulas() {
    let mut formulas: Vec<Vec<Linear<usize>>> = vec![vec![Linear::Atom(0), Linear::truth()]];
    for size in 1..=3 {
        let mut made = vec![];
        for a in &formulas[size - 1] {
            made.extend([Linear::not(a.clone()), Linear::next(a.clone())]);
            made.extend([Linear::finally(a.clone()), Linear::globally(a.clone())]);
        }
        for left in 0..size {
            for a in &formulas[left] {
                for b in &formulas[size - 1 - left] {
                    made.extend([Linear::until(a.clone(), b.clone()), Linear::release(a.clone(), b.clone())]);
                }
            }
        }
        formulas.push(made);
    }
    let mut random = fastrand::Rng::with_seed(3);
    let (mut counts, mut number) = (Counts::default(), 0);
    for formula in formulas.iter().flatten() {
        number += 1;
        // Every seventh of the largest, which are the most.
        if number % 7 == 0 || number < 300 {
            compare(formula, 1, 4, &mut random, &mut counts);
        }
    }
    assert!(number > 1_000, "{number} formulas");
    assert!(counts.yes > 1_000 && counts.no > 1_000, "{} satisfied, {} violated", counts.yes, counts.no);
}

/// How many states are reached by all letters.
fn size(formula: &Linear<usize>, atoms: u32) -> usize {
    let mut automaton = rabin(formula);
    let mut state = 0;
    while (state as usize) < automaton.states() {
        for letter in 0..1 << atoms {
            automaton.read(state, letter).expect("few states");
        }
        state += 1;
    }
    automaton.states()
}

/// Formulas that are safety, guarantee, recurrence or persistence properties need few states.
#[test]
fn simple_formulas_have_small_automata() {
    let (p, q) = (|| Linear::Atom(0), || Linear::Atom(1));
    // What was not read yet, then "accepted" and "rejected" where these occur.
    assert_eq!(size(&Linear::finally(p()), 1), 2);
    assert!(size(&Linear::globally(p()), 1) <= 3);
    assert_eq!(size(&Linear::until(p(), q()), 2), 3);
    assert!(size(&Linear::globally(Linear::finally(p())), 1) <= 4);
    assert!(size(&Linear::finally(Linear::globally(p())), 1) <= 4);
    let response = Linear::globally(Linear::Or(vec![Linear::not(p()), Linear::finally(q())]));
    assert!(size(&response, 2) <= 6);
    assert_eq!(size(&Linear::truth(), 0), 2);
    assert_eq!(size(&Linear::falsity(), 0), 2);
}

/// A bit is not accepted before it is decided: `F p` accepts nothing until p is read.
#[test]
fn what_is_decided_is_known() {
    let mut automaton = rabin(&Linear::finally(Linear::Atom(0)));
    let waiting = automaton.read(Rabin::FIRST, 0).expect("few states").to;
    assert!(!automaton.accepts(waiting) && !automaton.rejects(waiting));
    let decided = automaton.read(waiting, 1).expect("few states").to;
    assert!(automaton.accepts(decided));
    let mut never = rabin(&Linear::globally(Linear::Atom(0)));
    let decided = never.read(Rabin::FIRST, 0).expect("few states").to;
    assert!(never.rejects(decided));
}

#[test]
fn limits_are_told() {
    let many = Linear::Or((0..70).map(Linear::Atom).collect());
    assert_eq!(Rabin::new(&many, Limits::default()).err(), Some(TooLarge::Atoms(70)));
    let recurring = |atom| Linear::globally(Linear::finally(Linear::Atom(atom)));
    let hard = Linear::And((0..6).map(recurring).collect());
    let small = Limits { buchi: 10, states: 100 };
    assert_eq!(Rabin::new(&hard, small).err(), Some(TooLarge::Buchi(10)));
    let small = Limits { buchi: 2000, states: 2 };
    let mut automaton = Rabin::new(&Linear::until(Linear::Atom(0), Linear::Atom(1)), small).expect("a start");
    assert!(automaton.read(Rabin::FIRST, 2).is_ok());
    assert_eq!(automaton.read(Rabin::FIRST, 0).err(), Some(TooLarge::States(2)));
}
