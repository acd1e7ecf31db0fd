//! What the TOSEM paper and the thesis say about CCS: example 2.1, figures 1 to 4, algorithm 1.

mod common;

use common::{by_rules, by_triples, read};
use std::cell::Cell;
use swarmcheck_ccs::syntax::Action;
use swarmcheck_ccs::triples::triples;
use swarmcheck_lts::{Equivalence, equivalent};
use swarmcheck_triples::{Algebra, Choice, Parties, Term, build, synchronise};

/// Equations 4.1 and 4.2 of the thesis.
const TWO_PHASE_COMMIT: &str = "
    proc Coord = vote.('agree.commit.'commit.ok.0 + 'disagree.rollback.'rollback.nok.0)
    proc Worker = 'vote.agree.('commit.commit.Worker + 'rollback.rollback.Worker)
";

fn two_phase_commit(system: &str) -> String {
    format!("{TWO_PHASE_COMMIT} system = {system}")
}

/// Visible triples and τ triples.
fn counts(text: &str) -> (usize, usize) {
    let spec = read(text);
    let all = triples(&spec).unwrap().triples;
    let tau = all.iter().filter(|t| t.action.action == Action::Tau).count();
    (all.len() - tau, tau)
}

/// Figure 3 (thesis, figure 4.4): nine actions of the coordinator, six of the worker, and one triple for each of the six
/// pairs of complementary actions: vote, agree, and commit and rollback twice each.
#[test]
fn figure_3_has_21_triples() {
    assert_eq!(counts(&two_phase_commit("Coord | Worker")), (15, 6));
}

/// "By removing all triples except the ones encoding ok, nok, and the synchronisations."
#[test]
fn restriction_leaves_ok_nok_and_the_synchronisations() {
    let text = two_phase_commit(r"(Coord | Worker) \ {agree, commit, disagree, rollback, vote}");
    assert_eq!(counts(&text), (2, 6));
    // The thesis does not restrict vote.
    let text = two_phase_commit(r"(Coord | Worker) \ {agree, commit, disagree, rollback}");
    assert_eq!(counts(&text), (4, 6));
}

#[test]
fn figures_1_and_2() {
    assert_eq!(counts("proc P = a.(b.0 + c.0)"), (3, 0));
    assert_eq!(counts("proc P = a.0 | b.0 | c.0"), (3, 0));
    assert_eq!(counts("proc P = a.0 | 'a.0"), (2, 1));
}

/// Whether some state reaches a label; by the rules and by the triples.
fn can(text: &str, label: &str) -> bool {
    let spec = read(text);
    let (rules, program) = (by_rules(&spec, 10_000).unwrap(), by_triples(&spec));
    assert!(equivalent(&rules, &program, Equivalence::Strong));
    rules.labels().iter().any(|l| l == label)
}

#[test]
fn nok_can_happen_unless_restricted() {
    assert!(can(&two_phase_commit("Coord | Worker"), "nok"));
    let restricted = two_phase_commit(r"(Coord | Worker) \ {agree, commit, disagree, rollback, vote}");
    assert!(!can(&restricted, "nok"));
    assert!(can(&restricted, "ok"));
}

/// ⟨τ, 'disagree, agree, τ, 'rollback, nok⟩ of figure 4 (thesis, figure 4.5) is a trace of the triples.
#[test]
fn figure_4_is_a_trace() {
    let lts = by_triples(&read(&two_phase_commit("Coord | Worker")));
    let mut now = vec![lts.initial()];
    for label in ["tau", "'disagree", "agree", "tau", "'rollback", "nok"] {
        let steps = now.iter().flat_map(|&state| lts.steps(state)).filter(|(l, _)| lts.label(*l) == label);
        now = steps.map(|(_, to)| *to).collect();
        assert!(!now.is_empty(), "no {label}");
    }
}

/// "A process a |[{a}]| a |[{a}]| a may perform a single a-transition and terminate."
#[test]
fn hoare_synchronises_all() {
    let lts = by_triples(&read("proc P = a.0 |[a]| a.0 |[a]| a.0"));
    assert_eq!((lts.states(), lts.transitions()), (2, 1));
    // Different sets nest: b is free in the inner composition and forced in the outer one.
    let lts = by_triples(&read("proc P = a.b.0 |[a]| a.0 |[b]| b.0"));
    assert_eq!((lts.states(), lts.transitions()), (3, 2));
}

/// σ of Hoare's operator on all actions, counting how often it is asked about pairs.
struct Counting(Cell<usize>);

impl Algebra<usize> for Counting {
    fn parties(&self, _: usize) -> Parties {
        Parties::All
    }
    fn alone(&self, _: usize, _: &usize) -> Option<usize> {
        None
    }
    fn together(&self, _: usize, one: &usize, other: &usize) -> Option<usize> {
        self.0.set(self.0.get() + 1);
        (one == other).then_some(*one)
    }
    type Key = usize;
    fn key(&self, _: usize, action: &usize) -> Option<usize> {
        Some(*action)
    }
    fn outward(&self, _: usize, action: usize) -> Option<usize> {
        Some(action)
    }
}

/// Lemma 3.5: n processes with m different actions each need (n − 1)·m² questions, so O(n·m²), and give m triples. That
/// each process has an action only once is an assumption of the proof that the lemma does not state: with two a's in
/// each of n processes there are 2ⁿ joint transitions, and no algorithm that lists them is polynomial.
#[test]
fn algorithm_1_takes_n_times_m_squared() {
    let cost = |n: usize, m: usize| {
        let branch = || Term::<usize, std::convert::Infallible>::Choice((0..m).map(Term::Act).collect());
        let term = Term::Composed(0, (0..n).map(|_| branch()).collect());
        let counting = Counting(Cell::new(0));
        let built = build(&[term], 0, Choice::Late, 100_000).unwrap();
        assert_eq!(built.triples.len(), n * m);
        assert_eq!(synchronise(built, &counting, 100_000).unwrap().triples.len(), m);
        counting.0.get()
    };
    for n in [2, 4, 8, 16, 32, 64, 128] {
        for m in [1, 3, 10] {
            assert_eq!(cost(n, m), (n - 1) * m * m);
        }
    }
    let twice = |n: usize| triples(&read(&format!("proc P = {}", vec!["(a.0 + a.0)"; n].join(" |[a]| "))));
    assert_eq!(twice(10).unwrap().triples.len(), 1 << 10);
    assert!(twice(40).is_err());
}
