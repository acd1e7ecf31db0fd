//! Automata against the definition: random formulas on random lassos.

use super::automaton::{Automaton, automaton};
use super::lasso::satisfies;
use super::positive;
use super::prefix::is_bad;
use swarmcheck_ir::Linear;

struct Random(fastrand::Rng);

impl Random {
    fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
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
    let mut random = Random::new(7);
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

/// Whether some run on a prefix comes to the state that accepts everything.
fn comes_to_the_sink(automaton: &Automaton, prefix: &[usize]) -> bool {
    let fits = |when: &[(usize, bool)], at: usize| when.iter().all(|(a, b)| (prefix[at] >> a & 1 == 1) == *b);
    let Some(sink) = automaton.sink() else { return false };
    let mut now: Vec<usize> = automaton.initial.iter().filter(|t| fits(&t.when, 0)).map(|t| t.to).collect();
    for at in 1..prefix.len() {
        let next = now.iter().flat_map(|state| &automaton.states[*state].next);
        now = next.filter(|t| fits(&t.when, at)).map(|t| t.to).collect();
        now.sort_unstable();
        now.dedup();
    }
    now.contains(&sink)
}

/// What the automaton of the negated formula accepts whatever follows is what Kleene's truth values call false, and no
/// execution that begins so satisfies the formula.
#[test]
fn bad_prefixes() {
    let mut random = Random::new(11);
    let (mut bad, mut open, mut safe) = (0, 0, 0);
    for _ in 0..800 {
        let formula = random.formula(3);
        let built = automaton(&positive(&formula, true), 2000).expect("small formulas have small automata");
        // A violation of safety shows after a while: no state of the automaton is needed twice at the same position.
        let word: Vec<usize> = (0..1 + random.below(4)).map(|_| random.below(8)).collect();
        let back = random.below(word.len());
        let truth = |a: usize, at: usize| word[at] >> a & 1 == 1;
        if built.accepts_in_sink_only() && !satisfies(&formula, word.len(), back, &truth) {
            let after =
                |at: usize| if at < word.len() { at } else { back + (at - back) % (word.len() - back) };
            let length = word.len() * (built.states.len() + 2);
            assert!(is_bad(&formula, length, &|a, at| truth(a, after(at))), "{formula:?} on {word:?}");
            safe += 1;
        }
        for _ in 0..6 {
            let prefix: Vec<usize> = (0..1 + random.below(5)).map(|_| random.below(8)).collect();
            let found = is_bad(&formula, prefix.len(), &|a, at| prefix[at] >> a & 1 == 1);
            assert_eq!(comes_to_the_sink(&built, &prefix), found, "{formula:?} on {prefix:?}");
            if !found {
                open += 1;
                continue;
            }
            bad += 1;
            for _ in 0..4 {
                let more = (0..1 + random.below(4)).map(|_| random.below(8));
                let word: Vec<usize> = prefix.iter().copied().chain(more).collect();
                let back = prefix.len() + random.below(word.len() - prefix.len());
                let holds = satisfies(&formula, word.len(), back, &|a, at| word[at] >> a & 1 == 1);
                assert!(!holds, "{formula:?} on {word:?} back to {back}");
            }
        }
    }
    // Neither side of the comparison is empty.
    assert!(bad > 500 && open > 500 && safe > 50, "{bad} bad, {open} open, {safe} violations of safety");
}

/// What makes a formula say nothing, from its shape: `G (a → F b)` needs `a`; a conjunction needs one of its conditions.
#[test]
fn what_a_formula_needs_to_say_something() {
    use super::trivial::{constant, trigger};
    use swarmcheck_ir::Expr;
    let (p, q) = (|| Linear::Atom(Expr::Const(5)), || Linear::Atom(Expr::Const(6)));
    let implies = |a, b| Linear::Or(vec![Linear::not(a), b]);
    let needs = |formula: Linear<Expr>, expected: Option<Expr>| {
        assert_eq!(trigger(&formula), expected, "{formula:?}");
    };
    needs(Linear::globally(implies(p(), Linear::finally(q()))), Some(Expr::Const(5)));
    needs(Linear::globally(Linear::next(implies(p(), q()))), Some(Expr::Const(5)));
    let both = Linear::And(vec![
        Linear::globally(implies(p(), Linear::finally(q()))),
        Linear::globally(implies(q(), Linear::finally(p()))),
    ]);
    needs(both, Some(Expr::or([Expr::Const(5), Expr::Const(6)])));
    // A part that always asks for something; a condition about the future; something that is asked for only once.
    needs(Linear::And(vec![Linear::globally(implies(p(), q())), Linear::finally(q())]), None);
    needs(Linear::globally(implies(Linear::finally(p()), q())), None);
    needs(Linear::finally(implies(p(), q())), None);
    let nobody = Linear::And(vec![]);
    assert_eq!(constant(&Linear::globally(nobody.clone())), Some(true));
    assert_eq!(constant(&Linear::Or(vec![Linear::Atom(Expr::Me), nobody])), Some(true));
    assert_eq!(constant(&Linear::And(vec![Linear::Atom(Expr::Me), Linear::truth()])), None);
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
