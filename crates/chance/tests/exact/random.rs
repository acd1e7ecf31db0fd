//! Random small processes, compared with brute force; with and without lumping.

use crate::{brute, check, finite, never, starting, without_fractions};
use num_rational::BigRational;
use num_traits::Zero;
use swarmcheck_chance::{
    Bits, Expected, Optimum, Path, Process, Settings, Share, end_components, expected_steps, long_run, lump,
    probability, value_after,
};

/// A few states with a few rows each. Weights are 1 to 4, or tiny beside large ones.
fn random(rng: &mut fastrand::Rng, chain: bool) -> Process {
    let n = rng.u32(1..6);
    let row = |rng: &mut fastrand::Rng| -> Vec<(u32, u64)> {
        let weight = |rng: &mut fastrand::Rng| if rng.u8(..12) == 0 { 1_000_000 } else { rng.u64(1..5) };
        (0..rng.usize(1..4)).map(|_| (rng.u32(..n), weight(rng))).collect()
    };
    let state = |rng: &mut fastrand::Rng| {
        let rows = if chain { rng.usize(0..8).min(1) } else { rng.usize(0..4) };
        (0..rows).map(|_| row(rng)).collect()
    };
    let states: Vec<Vec<Vec<(u32, u64)>>> = (0..n).map(|_| state(rng)).collect();
    let initial: Vec<(u32, u128)> = (0..rng.u32(1..3)).map(|_| (rng.u32(..n), rng.u128(1..4))).collect();
    starting(&states, &initial)
}

fn some(rng: &mut fastrand::Rng, n: usize, of: u8) -> Bits {
    let chosen: Vec<bool> = (0..n).map(|_| rng.u8(..of) == 0).collect();
    Bits::from_fn(n, |s| chosen[s])
}

fn initially(process: &Process, of: &[BigRational]) -> BigRational {
    let weight = |w: u64| BigRational::from_integer(w.into());
    let sum: BigRational = process.initial().iter().map(|(s, w)| &of[*s as usize] * weight(*w)).sum();
    sum / weight(process.initial_total())
}

/// The least or greatest of each state.
fn best<T: Ord + Clone>(all: &[Vec<T>], max: bool) -> Vec<T> {
    let of = |s: usize| {
        let values = all.iter().map(|one| &one[s]);
        if max { values.max() } else { values.min() }.expect("a scheduler").clone()
    };
    (0..all[0].len()).map(of).collect()
}

/// Infinity is greater than all numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Steps {
    Finite(BigRational),
    Infinite,
}

/// Asks everything of one process, and of its quotient.
fn compare(rng: &mut fastrand::Rng, process: &Process, settings: &Settings) {
    let n = process.states();
    let (hold, goal) = (some(rng, n, 4).complement(), some(rng, n, 3));
    let values: Vec<i64> = (0..n).map(|_| rng.i64(-3..3)).collect();
    let small = lump(process, &[hold.clone(), goal.clone()], std::slice::from_ref(&values), &never)
        .expect("not stopped");
    let first = |b: usize| small.block.iter().position(|block| *block as usize == b).expect("a state");
    let quotient = |set: &Bits| Bits::from_fn(small.process.states(), |b| set.contains(first(b)));
    let fewer: Vec<i64> = (0..small.process.states()).map(|b| values[first(b)]).collect();
    let sides = [
        (process.clone(), hold.clone(), goal.clone(), values.clone()),
        (small.process.clone(), quotient(&hold), quotient(&goal), fewer),
    ];
    let chains = brute::chains(process);
    let until: Vec<Vec<BigRational>> = chains.iter().map(|chain| brute::until(chain, &hold, &goal)).collect();
    let number = |steps: Option<BigRational>| steps.map_or(Steps::Infinite, Steps::Finite);
    let steps: Vec<Vec<Steps>> =
        chains.iter().map(|chain| brute::steps(chain, &goal).into_iter().map(number).collect()).collect();
    let worth: Vec<BigRational> =
        (0..n).map(|s| BigRational::from_integer(i64::from(goal.contains(s)).into())).collect();
    let rest = Bits::from_fn(n, |s| goal.contains(s) || !hold.contains(s));
    let whole: Vec<BigRational> = values.iter().map(|v| BigRational::from_integer((*v).into())).collect();
    let bound = rng.u64(0..6);
    for (process, hold, goal, values) in &sides {
        for (optimum, max) in [(Optimum::Min, false), (Optimum::Max, true)] {
            let path = |within| Path::Until { hold: hold.clone(), goal: goal.clone(), within };
            let ask = |path: &Path| probability(process, path, optimum, settings, &never).expect("solved");
            let expected = initially(&sides[0].0, &best(&until, max));
            check(&ask(&path(None)), &expected);
            let bounded = brute::after(&sides[0].0, &worth, &rest, bound, max);
            check(&ask(&path(Some(bound))), &initially(&sides[0].0, &bounded));
            // always p = not eventually not p
            let always = Path::Always { hold: goal.complement(), within: Some(bound) };
            let met = brute::after(&sides[0].0, &worth, &sides[0].2, bound, !max);
            let one = BigRational::from_integer(1.into());
            check(&ask(&always), &(one - initially(&sides[0].0, &met)));
            let wanted = best(&steps, max);
            let mut sum = Some(vec![]);
            for wanted in &wanted {
                match wanted {
                    Steps::Finite(steps) => sum.iter_mut().for_each(|sum| sum.push(steps.clone())),
                    Steps::Infinite => sum.iter_mut().for_each(|sum| sum.push(BigRational::zero())),
                }
            }
            let starts = sides[0].0.initial();
            if starts.iter().any(|(s, _)| wanted[*s as usize] == Steps::Infinite) {
                sum = None;
            }
            let found = expected_steps(process, goal, optimum, settings, &never).expect("solved");
            match sum {
                None => assert_eq!(found, Expected::Infinite),
                Some(sum) => check(&finite(found), &initially(&sides[0].0, &sum)),
            }
            let after = value_after(process, values, bound, optimum, settings, &never).expect("solved");
            let wanted = brute::after(&sides[0].0, &whole, &Bits::new(n), bound, max);
            check(&after, &initially(&sides[0].0, &wanted));
        }
        if let [chain] = &chains[..] {
            let wanted = initially(&sides[0].0, &brute::share(chain, &sides[0].2));
            let found = long_run(process, goal, Share::Steps, settings, &never);
            if process.is_chain() {
                check(&found.expect("solved"), &wanted);
            }
        }
    }
}

#[test]
fn decision_processes() {
    let mut rng = fastrand::Rng::with_seed(20);
    for round in 0..600 {
        let process = random(&mut rng, false);
        let settings = if round % 2 == 0 { Settings::default() } else { without_fractions() };
        compare(&mut rng, &process, &settings);
    }
}

#[test]
fn chains() {
    let mut rng = fastrand::Rng::with_seed(21);
    for round in 0..600 {
        let process = random(&mut rng, true);
        let settings = if round % 2 == 0 { Settings::default() } else { without_fractions() };
        compare(&mut rng, &process, &settings);
    }
}

/// All sets of states with a row that stays for each, and every state reachable from every other by such rows; those that no other contains.
#[test]
fn end_components_by_subsets() {
    let mut rng = fastrand::Rng::with_seed(22);
    for _ in 0..500 {
        let process = random(&mut rng, false);
        let n = process.states();
        let inside = some(&mut rng, n, 4).complement();
        let is_component = |set: u32| {
            let member = |s: usize| set >> s & 1 == 1;
            let stays = |row: &usize| process.row(*row).targets.iter().all(|t| member(*t as usize));
            let from = |s: usize| {
                let mut seen = 1_u32 << s;
                for _ in 0..n {
                    let now = seen;
                    for a in (0..n).filter(|a| now >> a & 1 == 1) {
                        for row in process.rows_of(a).filter(stays) {
                            process.row(row).targets.iter().for_each(|t| seen |= 1 << t);
                        }
                    }
                }
                seen
            };
            let states = || (0..n).filter(|s| member(*s));
            states().all(|s| inside.contains(s) && process.rows_of(s).any(|row| stays(&row)))
                && states().all(|s| from(s) == set)
        };
        let all: Vec<u32> = (1..1 << n).filter(|set| is_component(*set)).collect();
        let largest = |set: &&u32| !all.iter().any(|other| other != *set && **set & other == **set);
        let mut wanted: Vec<Vec<u32>> = all
            .iter()
            .filter(largest)
            .map(|set| (0..n as u32).filter(|s| set >> s & 1 == 1).collect())
            .collect();
        wanted.sort();
        let found: Vec<Vec<u32>> = end_components(&process, &inside).into_iter().map(|c| c.states).collect();
        assert_eq!(found, wanted);
    }
}

/// Larger ones, too large for brute force: bounds are as close as asked for, and the same with fractions, without them and after lumping.
#[test]
fn larger_processes() {
    let mut rng = fastrand::Rng::with_seed(23);
    for round in 0..60 {
        let n = rng.u32(20..50);
        let state = |rng: &mut fastrand::Rng| {
            let row = |rng: &mut fastrand::Rng| {
                (0..rng.usize(1..4)).map(|_| (rng.u32(..n), rng.u64(1..4))).collect()
            };
            (0..if round % 2 == 0 { 1 } else { rng.usize(1..4) }).map(|_| row(rng)).collect()
        };
        let states: Vec<Vec<Vec<(u32, u64)>>> = (0..n).map(|_| state(&mut rng)).collect();
        let process = starting(&states, &[(0, 1), (1, 2)]);
        let goal = some(&mut rng, n as usize, 12);
        let hold = some(&mut rng, n as usize, 12).complement();
        let small = lump(&process, &[hold.clone(), goal.clone()], &[], &never).expect("not stopped");
        let first = |b: usize| small.block.iter().position(|block| *block as usize == b).expect("a state");
        let quotient = |set: &Bits| Bits::from_fn(small.process.states(), |b| set.contains(first(b)));
        for optimum in [Optimum::Min, Optimum::Max] {
            let path = Path::Until { hold: hold.clone(), goal: goal.clone(), within: None };
            let fewer = Path::Until { hold: quotient(&hold), goal: quotient(&goal), within: None };
            let plain = probability(&process, &path, optimum, &without_fractions(), &never).expect("solved");
            let exact = probability(&small.process, &fewer, optimum, &Settings::default(), &never);
            let exact = exact.expect("solved").fraction.expect("small");
            check(&plain, &exact.0);
            let settings = [without_fractions(), Settings::default()];
            let steps = [(&process, &goal), (&small.process, &quotient(&goal))].map(|(process, goal)| {
                settings.map(|settings| {
                    expected_steps(process, goal, optimum, &settings, &never).expect("solved")
                })
            });
            match steps {
                [[Expected::Finite(a), Expected::Finite(b)], [Expected::Finite(c), Expected::Finite(d)]] => {
                    let exact = d.fraction.clone().expect("small").0;
                    [a, b, c, d].iter().for_each(|answer| check(answer, &exact));
                }
                other => assert!(other.iter().flatten().all(|steps| *steps == Expected::Infinite)),
            }
        }
    }
}
