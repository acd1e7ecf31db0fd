//! Steps: every scheduler, with choices that get stuck.

use super::exact::{self, Fraction};
use super::{State, fits, flat, rates};
use std::collections::BTreeMap;
use swarmcheck_ir::flat::Flat;
use swarmcheck_simulate::{Rate, Rates, Rng, Run, Scheduler, Start, Starts, Taken};

fn begun<'f>(flat: &'f Flat, scheduler: &Scheduler, fast: bool) -> Run<'f> {
    let starts = Starts::new(flat).with(scheduler);
    let starts = if fast { starts.exact() } else { starts };
    match starts.draw(Rng::new(3), &|| false) {
        Ok(Start::Ready(run)) => run,
        _ => panic!("no initial state"),
    }
}

/// Counts the next states of a run over many draws, and sums up how long it waited for them.
fn count(run: &Run<'_>, draws: u64) -> (BTreeMap<State, u64>, f64) {
    let (mut counted, mut time) = (BTreeMap::new(), 0.0);
    for draw in 0..draws {
        let mut next = run.fork(Rng::for_run(11, draw));
        match next.step(&|| false) {
            Taken::Step(_) => *counted.entry(next.state().to_vec()).or_insert(0) += 1,
            other => panic!("{other:?}"),
        }
        time += next.time() - run.time();
    }
    (counted, time)
}

/// Compares the law with draws, after so many steps, for all schedulers, on the ground program and, with fewer draws, on the flat one.
fn check(text: &str, steps: u64, draws: u64) {
    let flat = flat(text);
    for scheduler in [Scheduler::Steps, Scheduler::Agents, rates(&flat)] {
        for fast in [false, true] {
            let draws = if fast { draws } else { draws / 5 };
            let mut run = begun(&flat, &scheduler, fast);
            for _ in 0..steps {
                assert!(matches!(run.step(&|| false), Taken::Step(_)));
            }
            let (expected, total) = exact::next(&flat, &scheduler, &run.state().to_vec());
            let all = expected.values().fold(Fraction::ZERO, |sum, p| sum.plus(*p));
            assert_eq!(all, Fraction::new(1, 1));
            let (counted, time) = count(&run, draws);
            let what = format!("{scheduler:?}, fast: {fast}\n{text}");
            fits(&expected, &counted, &what);
            if let Scheduler::Rates(_) = scheduler {
                // The mean of exponential waiting times is 1 over the sum of the rates, and so is their standard deviation.
                let (mean, awaited) = (time / draws as f64, 1.0 / total.value());
                assert!(
                    (mean - awaited).abs() < 5.5 * awaited / (draws as f64).sqrt(),
                    "{mean} {awaited} {what}"
                );
            } else {
                assert_eq!(time, 0.0);
            }
        }
    }
}

/// Two agents of one kind and one of another, with one, two and three actions, one of which is disabled.
#[test]
fn actions_of_agents() {
    let text = "system { environment = e: 0  spawn = A: 2, B: 1 }
         agent A { interface = x: 0  Behavior = (x <- 1 ++ x <- 2); Behavior }
         agent B { interface = x: 0  Behavior = (x <- 1 ++ x <- 2 ++ (x = 9 -> x <- 3) ++ e <-- 4); Behavior }";
    check(text, 0, 200_000);
    check(text, 3, 30_000);
}

/// Messages are steps of their senders.
#[test]
fn messages() {
    let text = "system { spawn = A: 3 }
         stigmergy S { link = id of 1 != id of 2  v: 0 }
         agent A { interface = x: 0  stigmergies = S  Behavior = (v <~ [1..4] ++ v > 1 -> x <- v); Behavior }";
    check(text, 2, 50_000);
    check(text, 9, 50_000);
}

/// Of the cats, 0 sees two mice of four and needs two, 1 sees three; 2 sees one and cannot move.
#[test]
fn picks_with_a_condition() {
    let text = "system { spawn = Cat: 3, Mouse: 4 }
         agent Cat {
           interface = at: id; prey: -1; more: -1
           Behavior = { m[] := pick 2 Mouse where at of 2 % 3 != 0 and (at of 1 = 1 or at of 2 < 6) and at of 1 < 2;
                        prey, more <- m[0], m[1] }
         }
         agent Mouse { interface = at: id; ran: 0  Behavior = ran <- 1 }";
    check(text, 0, 100_000);
}

/// Sequences of choices have different lengths and weights: for the first agent v = 0 leaves two values of x, v = 1 one, and 2 and 3 none, so x is 0 with
/// probability 1/4 and 1 with 3/4.
#[test]
fn values_that_get_stuck() {
    let text = "system { spawn = A: 2 }
         agent A {
           interface = x: -1; y: 0
           Behavior = { v := [0..4]; x <- [v..2 + id]; y <- v } ++ y <- 7
         }";
    let of_first = exact::next(
        &flat(text),
        &Scheduler::Agents,
        &begun(&flat(text), &Scheduler::Agents, false).state().to_vec(),
    )
    .0;
    // The first of two agents, the first of its two actions, and of 1/8 + 1/8 + 1/4 the first eighth.
    assert!(of_first.values().any(|p| *p == Fraction::new(1, 16)), "{of_first:?}");
    check(text, 0, 200_000);
}

/// Stuck 999 times of 1000, and still as likely as the other step; also where that is one value of a million, which only draws find.
#[test]
fn rarely_possible() {
    let one_of = |n: u32| {
        format!(
            "system {{ spawn = A: 2 }}
             agent A {{ interface = x: 0; y: 0  Behavior = {{ v := [0..{n}]; x <- 1 / (if v = 7 then 1 else 0) }} ++ y <- 1 }}"
        )
    };
    check(&one_of(1000), 0, 2000);
    // Nobody enumerates these for the sake of one step: 2000 of 10 million.
    let many = "system { spawn = A: 1 }
         agent A { interface = x: 0; y: 0
           Behavior = { v := [0..10000000]; x <- 1 / (if v % 5000 = 7 then 1 else 0) } ++ y <- 1 }";
    let flat = flat(many);
    let run = begun(&flat, &Scheduler::Steps, true);
    let (counted, _) = count(&run, 100);
    // Half of them, within five standard deviations.
    assert!(counted.values().all(|n| (25..=75).contains(n)) && counted.len() == 2, "{counted:?}");
}

/// Few of many agents can move, so that draws fail and the enabled ones are listed; one of them never completes, which has to be found out.
#[test]
fn few_of_many() {
    let text = "system { spawn = A: 150, B: 2, C: 1 }
         agent A { interface = x: 0  Behavior = x = 1 -> x <- 2 }
         agent B { interface = x: 0  Behavior = x <- [1..4] ++ x <- 5 ++ { v := [0..3]; x <- 1 / (v - v) } }
         agent C { interface = x: 0  Behavior = { v := [0..3]; w := [0..3]; x <- 1 / (v - w - 1) } ++ { v := [0..30]; x <- 1 / (v - v) } }";
    check(text, 0, 10_000);
}

/// The denominators have no common multiple that fits; the probabilities are those of the rates all the same.
#[test]
fn rates_without_common_multiple() {
    let text = "system { spawn = A: 1 }
         agent A { interface = x: 0  Behavior = x <- 1 ++ x <- 2 ++ x <- 3 ++ x = 1 -> x <- 4 }";
    let flat = flat(text);
    let rate = |numerator, denominator| vec![Rate { numerator, denominator }];
    let of = vec![
        rate(4_294_967_291, 4_294_967_279),
        rate(4_294_967_231, 4_294_967_197),
        rate(4_294_967_189, 2_147_483_647),
        rate(3, 4_294_967_161),
    ];
    let scheduler = Scheduler::Rates(Rates { of });
    let (counted, time) = count(&begun(&flat, &scheduler, true), 100_000);
    // The rates are 1, 1 and 2 up to a few billionths.
    let state = |x: i64| {
        counted.iter().find(|(state, _)| state.contains(&x)).map_or(0.0, |(_, n)| *n as f64 / 100_000.0)
    };
    for (x, share) in [(1, 0.25), (2, 0.25), (3, 0.5)] {
        assert!((state(x) - share).abs() < 5.5 * 0.5 / 316.0, "{counted:?}");
    }
    assert!((time / 100_000.0 - 0.25).abs() < 5.5 * 0.25 / 316.0, "{time}");
}

/// A deadlock is one for every scheduler, also where guards hold and no choice completes; and it stays one.
#[test]
fn deadlocks() {
    let texts = [
        "system { spawn = A: 3 } agent A { interface = x: 0  Behavior = x <- 1; x = 2 -> x <- 3 }",
        "system { spawn = A: 100 } agent A { interface = x: 0  Behavior = x <- 1; { v := [0..20]; w := [v..20]; x <- 1 / (v - v) } }",
        "system { spawn = A: 2, B: 1 }
         agent A { interface = x: 0  Behavior = x <- 1; { m[] := pick 2 A; x <- m[0] } }
         agent B { interface = y: 0  Behavior = Nil }",
    ];
    for text in texts {
        let flat = flat(text);
        for scheduler in [Scheduler::Steps, Scheduler::Agents, rates(&flat)] {
            for fast in [false, true] {
                let mut run = begun(&flat, &scheduler, fast);
                let agents = flat.program.kinds[0].count;
                for _ in 0..agents {
                    assert!(matches!(run.step(&|| false), Taken::Step(_)), "{text}");
                }
                let before = run.state().to_vec();
                assert!(exact::next(&flat, &scheduler, &before).0.is_empty());
                for _ in 0..2 {
                    assert_eq!(run.step(&|| false), Taken::Deadlock, "{text}");
                    assert_eq!(run.state(), before);
                }
            }
        }
    }
}

/// Sixteen million ways to choose, and none completes: that is not decided, and nothing is made up.
#[test]
fn too_many_choices() {
    let text = "system { spawn = A: 1 }
         agent A { interface = x: 0  Behavior = { v := [0..4096]; w := [0..4096]; x <- 1 / (v - v) } }";
    let flat = flat(text);
    let mut run = begun(&flat, &Scheduler::Steps, true);
    assert!(matches!(run.step(&|| false), Taken::TooManyChoices(_)));
    assert_eq!(run.step(&|| true), Taken::Stopped);
}

/// An error of the model that some choices meet ends the run as often as these are drawn: choices that get stuck do not count. Here one of 500 values
/// is an error, one completes, and the others are stuck.
#[test]
fn errors_are_drawn_like_everything() {
    let text = "system { spawn = A: 1 }
         agent A {
           interface = x: 0; a[3]: 0
           Behavior = { v := [0..500]; x <- 1 / (if v < 2 then 1 else 0); a[v * 3] <- 1 }
         }";
    let flat = flat(text);
    for fast in [false, true] {
        let run = begun(&flat, &Scheduler::Steps, fast);
        let mut faults = 0;
        for draw in 0..1000 {
            match run.fork(Rng::for_run(5, draw)).step(&|| false) {
                Taken::Fault(..) => faults += 1,
                Taken::Step(_) => {}
                other => panic!("{other:?}"),
            }
        }
        // Half of them, within five standard deviations.
        assert!((420..=580).contains(&faults), "{faults}");
    }
}
