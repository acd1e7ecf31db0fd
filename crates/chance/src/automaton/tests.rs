//! Products against brute force, where no numbers are needed: processes without chance. Numbers are compared with Storm
//! (`crates/testkit/tests/storm`).

use super::{FormulaLimits, FormulaProduct, formula_product};
use crate::bits::Bits;
use crate::process::{Process, ProcessBuilder};
use swarmcheck_ir::Linear;
use swarmcheck_logic::linear::automaton::automaton;
use swarmcheck_logic::linear::lasso::satisfies;
use swarmcheck_logic::linear::positive;

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

/// A process in which every row leads to one state: these are the successors of the states.
fn process(next: &[Vec<u32>]) -> Process {
    let mut builder = ProcessBuilder::new();
    for targets in next {
        for (action, target) in (0..).zip(targets) {
            builder.row(action, &[(*target, 1)]).expect("a row");
        }
        builder.state(None).expect("a state");
    }
    builder.finish(&[(0, 1)]).expect("a process")
}

fn labels(letters: &[u64], atoms: usize) -> Vec<Bits> {
    (0..atoms).map(|atom| Bits::from_fn(letters.len(), |state| letters[state] >> atom & 1 == 1)).collect()
}

/// Whether an accepted state can be reached.
fn reachable(product: &FormulaProduct) -> bool {
    let mut seen = Bits::new(product.process.states());
    let mut todo: Vec<usize> = product.process.initial().iter().map(|(state, _)| *state as usize).collect();
    while let Some(state) = todo.pop() {
        if product.accepted.contains(state) {
            return true;
        }
        if seen.contains(state) {
            continue;
        }
        seen.insert(state);
        for row in product.process.rows_of(state) {
            todo.extend(product.process.row(row).targets.iter().map(|target| *target as usize));
        }
    }
    false
}

fn accepted(next: &[Vec<u32>], letters: &[u64], formula: &Linear<usize>) -> bool {
    let (limits, labels) = (FormulaLimits::default(), labels(letters, 2));
    reachable(&formula_product(&process(next), formula, &labels, &limits, &|| false).expect("a product"))
}

/// One run: the formula holds of it or not.
#[test]
fn a_single_run() {
    let mut random = fastrand::Rng::with_seed(1);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..600 {
        let formula = random_formula(&mut random, 2, 3);
        let length = random.usize(1..6);
        let back = random.usize(..length);
        let letters: Vec<u64> = (0..length).map(|_| random.u64(..4)).collect();
        let next: Vec<Vec<u32>> =
            (0..length).map(|at| vec![if at + 1 < length { at + 1 } else { back } as u32]).collect();
        let expected = satisfies(&formula, length, back, &|atom, at| letters[at] >> atom & 1 == 1);
        assert_eq!(
            accepted(&next, &letters, &formula),
            expected,
            "{formula:?} on {letters:?} back to {back}"
        );
        if expected { yes += 1 } else { no += 1 }
    }
    assert!(yes > 100 && no > 100, "{yes} satisfied, {no} violated");
}

/// Whether some infinite path satisfies the formula, by the product with its Büchi automaton, which may guess: a path is not random.
fn some_path(next: &[Vec<u32>], letters: &[u64], formula: &Linear<usize>) -> bool {
    let buchi = automaton(&positive(formula, false), 2000).expect("a small automaton");
    let fits = |when: &[(usize, bool)], state: usize| {
        when.iter().all(|(atom, positive)| (letters[state] >> atom & 1 == 1) == *positive)
    };
    // A place is a state of the process that was read, and the state of the automaton after it.
    let steps = |(state, reader): (usize, usize)| {
        let mut out = vec![];
        for target in &next[state] {
            let target = *target as usize;
            let transitions = buchi.states[reader].next.iter().filter(|t| fits(&t.when, target));
            out.extend(transitions.map(|t| (target, t.to)));
        }
        out
    };
    let reach = |start: Vec<(usize, usize)>| {
        let (mut seen, mut todo) = (start.clone(), start);
        while let Some(place) = todo.pop() {
            for after in steps(place) {
                if !seen.contains(&after) {
                    seen.push(after);
                    todo.push(after);
                }
            }
        }
        seen
    };
    let first = buchi.initial.iter().filter(|t| fits(&t.when, 0)).map(|t| (0, t.to)).collect();
    let accepting = |place: &(usize, usize)| buchi.states[place.1].accepting;
    reach(first).into_iter().filter(accepting).any(|place| reach(steps(place)).contains(&place))
}

/// Decisions without chance: the maximum is 1 if some path satisfies the formula, and 0 otherwise.
#[test]
fn decisions_without_chance() {
    let mut random = fastrand::Rng::with_seed(2);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..400 {
        let formula = random_formula(&mut random, 2, 3);
        let states = random.usize(1..6);
        let next: Vec<Vec<u32>> = (0..states)
            .map(|_| (0..random.usize(1..3)).map(|_| random.u32(..states as u32)).collect())
            .collect();
        let letters: Vec<u64> = (0..states).map(|_| random.u64(..4)).collect();
        let expected = some_path(&next, &letters, &formula);
        assert_eq!(accepted(&next, &letters, &formula), expected, "{formula:?} on {next:?} {letters:?}");
        if expected { yes += 1 } else { no += 1 }
    }
    assert!(yes > 100 && no > 40, "{yes} satisfiable, {no} not");
}

/// The example against products that guess: a coin is thrown for ever. Almost surely heads come again and again, and tails; a guess
/// of what the next coin shows is right half of the time only.
#[test]
fn a_coin_cannot_be_guessed() {
    let mut builder = ProcessBuilder::new();
    for _ in 0..2 {
        builder.row(0, &[(0, 1), (1, 1)]).expect("a row");
        builder.state(None).expect("a state");
    }
    let process = builder.finish(&[(0, 1)]).expect("a process");
    let heads = vec![Bits::from_fn(2, |state| state == 1)];
    let product = |formula: &Linear<usize>| {
        formula_product(&process, formula, &heads, &FormulaLimits::default(), &|| false).expect("a product")
    };
    let again = Linear::globally(Linear::finally(Linear::Atom(0)));
    let found = product(&again);
    let initial = found.process.initial()[0].0 as usize;
    assert!(found.accepted.contains(initial), "almost surely from the beginning");
    assert!(!reachable(&product(&Linear::not(again))));
    // X heads: neither certain nor impossible.
    let found = product(&Linear::next(Linear::Atom(0)));
    let initial = found.process.initial()[0].0 as usize;
    assert!(!found.accepted.contains(initial) && reachable(&found));
}

#[test]
fn products_can_be_too_large() {
    let process = process(&[vec![1], vec![0]]);
    let atoms = labels(&[0, 1], 2);
    let limits = FormulaLimits { states: 1, ..FormulaLimits::default() };
    let formula = Linear::globally(Linear::finally(Linear::Atom(0)));
    let found = formula_product(&process, &formula, &atoms, &limits, &|| false);
    assert_eq!(found.err(), Some(super::FormulaError::States(1)));
    let other = formula_product(&process, &formula, &[], &FormulaLimits::default(), &|| false);
    assert_eq!(other.err(), Some(super::FormulaError::Solve(crate::SolveError::OtherStates)));
    let stopped = formula_product(&process, &formula, &atoms, &FormulaLimits::default(), &|| true);
    assert_eq!(stopped.err(), Some(super::FormulaError::Solve(crate::SolveError::Stopped)));
}
