//! Random graphs with three states, and all their runs up to a length that is long enough to see everything.
//!
//! A run is looked at as it is: its scopes are cut out of it one after the other. A run that has been in a situation for
//! more states than there are can stay in it forever, since a state has come back.

use super::super::*;
use super::{STRICT, scoped, space};
use crate::search::Verdict;
use swarmcheck_ir::{Expr, Inside};
use swarmcheck_simulate::Rng;

const STATES: usize = 3;

/// States together with what a scope may have seen are at most twelve, so a shortest violation takes no more steps.
const LENGTH: usize = 12;

struct Sample {
    space: Space,
    truths: Vec<Truth>,
    /// All runs of the full length, and those that get stuck before it.
    runs: Vec<Vec<usize>>,
}

fn sample(seed: u64) -> Sample {
    let mut random = Rng::for_run(41, seed);
    let mut draw = |n: u64| random.below(n) as usize;
    let mut steps = String::new();
    for source in 0..STATES {
        for _ in 0..draw(3) {
            steps += &format!("{source}>{} ", draw(STATES as u64));
        }
    }
    let space = space(STATES, 1 + draw(2), &steps);
    let truth = |bits: usize| Truth::from_conditions(&[1, 2, 4, 8].map(|bit| bits & bit != 0));
    let truths = (0..STATES).map(|_| truth(draw(16))).collect();
    let mut runs = vec![];
    (0..space.initial).for_each(|at| extend(&space, &mut vec![at], &mut runs));
    Sample { space, truths, runs }
}

fn extend(space: &Space, run: &mut Vec<usize>, runs: &mut Vec<Vec<usize>>) {
    let steps = &space.steps[run[run.len() - 1]];
    if run.len() > LENGTH || steps.is_empty() {
        runs.push(run.clone());
        return;
    }
    for (_, target) in steps {
        run.push(*target);
        extend(space, run, runs);
        run.pop();
    }
}

/// The scopes of a run: their states, and whether they are closed.
fn scopes(run: &[Truth]) -> Vec<(&[Truth], bool)> {
    let mut scopes = vec![];
    let mut rest = run;
    while let Some(from) = rest.iter().position(|at| at.start && !at.end) {
        let end = rest[from..].iter().position(|at| at.end).map(|length| from + length);
        scopes.push((&rest[from..end.unwrap_or(rest.len())], end.is_some()));
        rest = &rest[end.unwrap_or(rest.len())..];
    }
    scopes
}

/// Whether a scope, as far as it goes, has what must be inside.
fn kept(scope: &[Truth], inside: &Inside) -> bool {
    match inside {
        Inside::Always => scope.iter().all(|at| at.predicate),
        Inside::ThereIs => scope.iter().any(|at| at.predicate),
        Inside::Precedes(_) => {
            let early = scope.iter().position(|at| at.predicate).unwrap_or(scope.len());
            early == scope.len() || scope[..=early].iter().any(|at| at.first)
        }
    }
}

/// Whether a run shows that a property is violated. `whole` is given where it has not been cut short, and says whether
/// it got stuck.
fn violates(run: &[Truth], modality: &Modality, whole: Option<bool>, ignore_deadlock: bool) -> bool {
    // A situation at the end of the run that may last forever, given for how many states it has lasted.
    let lasts = |states: usize| match whole {
        Some(true) => !ignore_deadlock,
        Some(false) => states > STATES,
        None => false,
    };
    match modality {
        Modality::Always => run.iter().any(|at| !at.predicate),
        Modality::Eventually | Modality::Finally => !run.iter().any(|at| at.predicate) && lasts(run.len()),
        Modality::After(steps) => run.get(*steps as usize).is_some_and(|at| !at.predicate),
        Modality::Scoped { open, inside, .. } => scopes(run).iter().any(|(scope, closed)| {
            let counts = *closed || (*open && (!matches!(inside, Inside::ThereIs) || lasts(scope.len())));
            counts && !kept(scope, inside)
        }),
        Modality::Fairly | Modality::FairlyInf | Modality::Linear(_) => {
            unreachable!("not asked about single runs here")
        }
    }
}

/// The answer by looking at all runs.
fn by_runs(sample: &Sample, modality: &Modality, question: &OracleQuestion) -> bool {
    !sample.runs.iter().any(|run| {
        let stuck = run.len() <= LENGTH;
        let truths: Vec<Truth> = run.iter().map(|at| sample.truths[*at]).collect();
        let Some(bound) = question.bound.map(|bound| bound as usize) else {
            return violates(&truths, modality, Some(stuck), question.ignore_deadlock);
        };
        match modality {
            Modality::Eventually => {
                truths.get(..=bound).is_some_and(|seen| !seen.iter().any(|at| at.predicate))
            }
            Modality::Finally => truths.get(bound).is_some_and(|last| !last.predicate),
            _ => violates(&truths[..truths.len().min(bound + 1)], modality, None, false),
        }
    })
}

#[test]
fn all_runs_agree() {
    let mut modalities = vec![
        Modality::Always,
        Modality::Eventually,
        Modality::Finally,
        Modality::After(0),
        Modality::After(2),
    ];
    for open in [false, true] {
        let inside = [Inside::Always, Inside::ThereIs, Inside::Precedes(Expr::TRUE)];
        modalities.extend(inside.map(|inside| scoped(open, inside)));
    }
    // How often each answer was seen, by modality.
    let mut seen = vec![[0; 2]; modalities.len()];
    for seed in 0..400 {
        let sample = sample(seed);
        let graph = Graph::of(&sample.space);
        for bound in [None, Some(0), Some(1), Some(2), Some(5)] {
            for ignore_deadlock in [false, true] {
                let question = OracleQuestion { bound, ignore_deadlock };
                for (modality, seen) in modalities.iter().zip(&mut seen) {
                    let Some(answer) = decide(&graph, modality, &sample.truths, &question) else {
                        assert!(matches!(modality, Modality::After(2)) && bound < Some(2), "{modality:?}");
                        continue;
                    };
                    let expected = by_runs(&sample, modality, &question);
                    assert_eq!(
                        answer, expected,
                        "seed {seed}: {modality:?} {question:?} {:?}",
                        sample.truths
                    );
                    seen[usize::from(answer)] += 1;
                }
            }
        }
    }
    assert!(seen.iter().flatten().all(|times| *times > 100), "both answers occur: {seen:?}");
}

/// The other naive search knows the modalities without scopes, without a bound and with deadlocks.
#[test]
fn the_other_search_agrees() {
    use Modality::{After, Always, Eventually, Fairly, FairlyInf};
    for seed in 0..3_000 {
        let sample = sample(seed);
        let holds: Vec<bool> = sample.truths.iter().map(|at| at.predicate).collect();
        // Unlike spaces that were found by searching, these may have states that are not reached.
        let graph = Graph::of(&sample.space);
        if graph.reached(&[true; STATES]).len() < STATES {
            continue;
        }
        for modality in [Always, Eventually, Fairly, FairlyInf, After(3)] {
            let expected = sample.space.verdict(&modality, &holds);
            let answer = decide(&graph, &modality, &sample.truths, &STRICT);
            assert_eq!(answer, Some(expected == Verdict::Holds), "seed {seed}: {modality:?}");
        }
    }
}
