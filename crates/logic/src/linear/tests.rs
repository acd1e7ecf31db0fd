//! Automata against the definition: random formulas on random executions that go round.

use super::automaton::{Automaton, automaton};
use super::lasso::satisfies;
use super::positive;
use swarmcheck_ir::Linear;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        // A linear congruential generator with Knuth's constants; the upper bits are good enough.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn formula(&mut self, depth: usize) -> Linear<usize> {
        let inner = |r: &mut Random| r.formula(depth - 1);
        match if depth == 0 { 0 } else { self.below(9) } {
            0 => Linear::Atom(self.below(3)),
            1 => Linear::not(inner(self)),
            2 => Linear::And(vec![inner(self), inner(self)]),
            3 => Linear::Or(vec![inner(self), inner(self)]),
            4 => Linear::next(inner(self)),
            5 => Linear::until(inner(self), inner(self)),
            6 => Linear::release(inner(self), inner(self)),
            7 => Linear::finally(inner(self)),
            _ => Linear::globally(inner(self)),
        }
    }
}

/// Whether some run on the execution is accepted: an accepting pair of state and position that can come back to itself.
fn accepts(automaton: &Automaton, word: &[usize], back: usize) -> bool {
    let fits = |when: &[(usize, bool)], at: usize| when.iter().all(|(a, b)| (word[at] >> a & 1 == 1) == *b);
    let after = |at: usize| if at + 1 < word.len() { at + 1 } else { back };
    let reach = |start: Vec<(usize, usize)>| {
        let mut seen = start.clone();
        let mut todo = start;
        while let Some((state, at)) = todo.pop() {
            for t in automaton.states[state].next.iter().filter(|t| fits(&t.when, at)) {
                let next = (t.to, after(at));
                if !seen.contains(&next) {
                    seen.push(next);
                    todo.push(next);
                }
            }
        }
        seen
    };
    let steps = |(state, at): (usize, usize)| {
        let fitting = automaton.states[state].next.iter().filter(move |t| fits(&t.when, at));
        fitting.map(move |t| (t.to, after(at))).collect::<Vec<_>>()
    };
    let first = automaton.initial.iter().filter(|t| fits(&t.when, 0)).map(|t| (t.to, after(0))).collect();
    reach(first)
        .into_iter()
        .any(|here| automaton.states[here.0].accepting && reach(steps(here)).contains(&here))
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    let mut random = Random(7);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..600 {
        let formula = random.formula(3);
        let built = automaton(&positive(&formula, false), 2000).expect("small formulas have small automata");
        let opposite =
            automaton(&positive(&formula, true), 2000).expect("small formulas have small automata");
        for _ in 0..6 {
            let word: Vec<usize> = (0..1 + random.below(5)).map(|_| random.below(8)).collect();
            let back = random.below(word.len());
            let expected = satisfies(&formula, word.len(), back, &|a, at| word[at] >> a & 1 == 1);
            assert_eq!(accepts(&built, &word, back), expected, "{formula:?} on {word:?} back to {back}");
            assert_eq!(
                accepts(&opposite, &word, back),
                !expected,
                "not {formula:?} on {word:?} back to {back}"
            );
            if expected { yes += 1 } else { no += 1 }
        }
    }
    // Neither side of the comparison is empty.
    assert!(yes > 500 && no > 500, "{yes} satisfied, {no} violated");
}

#[test]
fn the_definition_on_small_executions() {
    let p = || Linear::Atom(0);
    let q = || Linear::Atom(1);
    // Position by position the atoms that hold: 1 is p, 2 is q, 3 both.
    let check = |formula: Linear<usize>, word: &[usize], back: usize, expected: bool| {
        let got = satisfies(&formula, word.len(), back, &|a, at| word[at] >> a & 1 == 1);
        assert_eq!(got, expected, "{formula:?} on {word:?} back to {back}");
    };
    check(Linear::until(p(), q()), &[1, 1, 2, 0], 3, true);
    check(Linear::until(p(), q()), &[1, 1, 0, 2], 3, false);
    check(Linear::until(p(), q()), &[1, 1], 0, false);
    check(Linear::release(q(), p()), &[1, 1], 0, true);
    check(Linear::release(q(), p()), &[1, 3, 0], 2, true);
    check(Linear::release(q(), p()), &[1, 2, 0], 2, false);
    check(Linear::globally(Linear::finally(p())), &[0, 1, 0], 1, true);
    check(Linear::globally(Linear::finally(p())), &[0, 1, 0], 2, false);
    check(Linear::finally(Linear::globally(p())), &[0, 1, 1], 1, true);
    check(Linear::next(p()), &[0, 1, 0], 0, true);
}
