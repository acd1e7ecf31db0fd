//! Batches of runs: the same for any number of threads.

use super::{flat, rates};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use swarmcheck_simulate::batch::WINDOW;
use swarmcheck_simulate::{BatchEnd, Batches, Rng, Scheduler, Start, Starts, Taken, batches};

/// What is left of a run: steps, time and the last state.
type End = (u64, f64, Vec<i64>);

fn ends(text: &str, scheduler: &Scheduler, threads: usize, enough: u64) -> (Vec<End>, Batches) {
    let flat = flat(text);
    let starts = Starts::new(&flat).with(scheduler).exact();
    let make = || {
        |number| {
            let Ok(Start::Ready(mut run)) = starts.draw(Rng::for_run(7, number), &|| false) else {
                return None;
            };
            let mut steps = 0;
            while steps < number % 50 && matches!(run.step(&|| false), Taken::Step(_)) {
                steps += 1;
            }
            Some((steps, run.time(), run.state().to_vec()))
        }
    };
    let mut all = vec![];
    let end = batches(threads, 0..2000, make, |number, one| {
        assert_eq!(number, all.len() as u64);
        all.push(one);
        if all.len() as u64 == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    (all, end)
}

#[test]
fn same_seed_same_result_for_any_number_of_threads() {
    let text = "system { spawn = A: 4 }
         stigmergy S { link = id of 1 != id of 2  v: 0..2 }
         agent A { interface = x: 0..6  stigmergies = S  Behavior = (v <~ [0..x] ++ x <- [v..7]); Behavior }
         assume { Rising = forall A a, forall A b, id of a >= id of b or x of a < x of b }";
    for scheduler in [Scheduler::Steps, Scheduler::Agents, rates(&flat(text))] {
        let one = ends(text, &scheduler, 1, 2000);
        assert_eq!(one.1, Batches { next: 2000, end: BatchEnd::Enough });
        assert!(one.0.iter().any(|end| end != &one.0[0]));
        for threads in [2, 3] {
            assert_eq!(ends(text, &scheduler, threads, 2000), one);
            let some = ends(text, &scheduler, threads, 777);
            assert_eq!(some.1, Batches { next: 777, end: BatchEnd::Enough });
            assert_eq!(some.0, one.0[..777]);
        }
    }
}

#[test]
fn all_runs_are_folded_once() {
    for threads in [0, 1, 2, 3, 8] {
        for runs in [0..0, 5..6, 0..3, 10..20_000] {
            let mut next = runs.start;
            let end = batches(
                threads,
                runs.clone(),
                || Some,
                |number, made| {
                    assert_eq!((number, made), (next, next));
                    next += 1;
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(end, Batches { next: runs.end, end: BatchEnd::Complete });
            assert_eq!(next, runs.end);
        }
    }
}

/// What comes before the run that was stopped is folded, and nothing after it.
#[test]
fn stopped_runs_end_it() {
    for threads in [1, 2, 3] {
        let mut folded = 0;
        let make = || |number| (number != 5000).then_some(());
        let end = batches(threads, 0..100_000, make, |_, ()| {
            folded += 1;
            ControlFlow::Continue(())
        });
        assert_eq!(end, Batches { next: 5000, end: BatchEnd::Stopped });
        assert_eq!(folded, 5000);
    }
}

/// One run that takes long holds up the fold, and then nobody runs ahead for ever.
#[test]
fn nobody_runs_ahead_of_the_fold() {
    let (made, most) = (AtomicU64::new(0), AtomicU64::new(0));
    let make = || {
        |number| {
            if number == 0 {
                // The others have come as far as they may when nothing changes any more.
                let mut before = 0;
                for _ in 0..10_000 {
                    let now = made.load(Ordering::Relaxed);
                    if now == before && now > 0 {
                        std::thread::yield_now();
                    }
                    before = now;
                }
            }
            made.fetch_add(1, Ordering::Relaxed);
            Some(())
        }
    };
    batches(3, 0..50_000, make, |number, ()| {
        most.fetch_max(made.load(Ordering::Relaxed).saturating_sub(number), Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert!(most.load(Ordering::Relaxed) <= WINDOW + 64, "{most:?}");
}

/// A panic on one thread is not swallowed, and the others do not wait for it.
#[test]
#[should_panic(expected = "a scoped thread panicked")]
fn panics_go_on() {
    batches(
        2,
        0..100_000,
        || {
            |number| {
                assert_ne!(number, 777, "deliberate");
                Some(())
            }
        },
        |_, ()| ControlFlow::Continue(()),
    );
}
