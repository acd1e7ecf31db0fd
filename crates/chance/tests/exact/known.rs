//! Processes whose answers are in textbooks, or can be worked out by hand.

use crate::{check, finite, never, process, ratio, set, starting, without_fractions};
use num_rational::BigRational;
use num_traits::{One, Zero};
use swarmcheck_chance::process::Exit;
use swarmcheck_chance::{
    Bits, Expected, Optimum, Path, ProcessBuilder, Settings, Share, SolveError, expected_steps,
    expected_time, long_run, lump, probability, probability_after, value_after, value_at_end, within_time,
};

fn both() -> [Settings; 2] {
    [Settings::default(), without_fractions()]
}

/// A gambler has `start` of `n` coins and wins a coin with probability `win / (win + lose)`.
fn gambler(n: u32, start: u32, win: u64, lose: u64) -> swarmcheck_chance::Process {
    let state = |k: u32| match k {
        0 => vec![],
        k if k == n => vec![],
        k => vec![vec![(k - 1, lose), (k + 1, win)]],
    };
    starting(&(0..=n).map(state).collect::<Vec<_>>(), &[(start, 1)])
}

/// With r = lose / win, the gambler wins everything with probability (1 - r^k) / (1 - r^n) (Feller, XIV.2); k / n if r = 1. A fair
/// game takes k·(n - k) rounds.
#[test]
fn gamblers_ruin() {
    for settings in both() {
        for (n, k, win, lose) in [(10, 3, 1, 1), (20, 7, 2, 3), (40, 39, 1, 2), (60, 1, 9, 10)] {
            let process = gambler(n, k, win, lose);
            let goal = set(&process, &[n as usize]);
            let path = Path::eventually(goal.clone(), None);
            let answer = probability(&process, &path, Optimum::Chain, &settings, &never).expect("solved");
            let r = ratio(lose as i64, win as i64);
            let power = |k: u32| (0..k).fold(BigRational::one(), |p, _| p * &r);
            let value = match win == lose {
                true => ratio(k.into(), n.into()),
                false => (BigRational::one() - power(k)) / (BigRational::one() - power(n)),
            };
            check(&answer, &value);
            assert_eq!(answer.fraction.is_some(), settings.fraction_states > 0);
            let alone = expected_steps(&process, &goal, Optimum::Chain, &settings, &never);
            assert_eq!(alone, Ok(Expected::Infinite));
            if win == lose {
                let ends = set(&process, &[0, n as usize]);
                let steps = expected_steps(&process, &ends, Optimum::Chain, &settings, &never);
                check(&finite(steps.expect("solved")), &ratio(i64::from(k) * i64::from(n - k), 1));
            }
        }
    }
}

/// All n coupons take n·(1 + 1/2 + … + 1/n) draws.
#[test]
fn coupon_collector() {
    for settings in both() {
        for n in [1_u32, 2, 5, 23] {
            let state = |k: u32| match k {
                k if k == n => vec![],
                k => vec![vec![(k, u64::from(k)), (k + 1, u64::from(n - k))]],
            };
            let process = process(&(0..=n).map(state).collect::<Vec<_>>());
            let goal = set(&process, &[n as usize]);
            let steps = expected_steps(&process, &goal, Optimum::Chain, &settings, &never).expect("solved");
            let harmonic: BigRational = (1..=n).map(|k| ratio(n.into(), k.into())).sum();
            check(&finite(steps), &harmonic);
        }
    }
}

/// Figure 1 of Haddad and Monmege: value iteration from below stops far too early. A walk on 0…2n that goes up with probability 1/2 and back to the
/// middle with 1/2; both ends are as likely, but hardly ever reached.
#[test]
fn slow_towards_one_half() {
    let n = 20_u32;
    let mut states = vec![];
    for k in 0..=2 * n {
        states.push(match k {
            0 => vec![],
            k if k == 2 * n => vec![],
            k if k < n => vec![vec![(n, 1), (k - 1, 1)]],
            k if k > n => vec![vec![(n, 1), (k + 1, 1)]],
            k => vec![vec![(k - 1, 1), (k + 1, 1)]],
        });
    }
    let process = starting(&states, &[(n, 1)]);
    let path = Path::eventually(set(&process, &[2 * n as usize]), None);
    for settings in both() {
        let answer = probability(&process, &path, Optimum::Chain, &settings, &never).expect("solved");
        check(&answer, &ratio(1, 2));
    }
}

/// An end component: 0 and 1 can go to and fro for ever, or leave for 2 (goal with 1/3) or for 3 (never). From above, naive value iteration stays at 1.
#[test]
fn end_components_do_not_count_as_progress() {
    let process = process(&[
        vec![vec![(1, 1)], vec![(2, 1), (3, 2)]],
        vec![vec![(0, 1)], vec![(0, 1), (1, 1)], vec![(2, 1), (3, 5)]],
        vec![],
        vec![],
    ]);
    let path = Path::eventually(set(&process, &[2]), None);
    for settings in both() {
        let max = probability(&process, &path, Optimum::Max, &settings, &never).expect("solved");
        check(&max, &ratio(1, 3));
        // Going to and fro for ever.
        let min = probability(&process, &path, Optimum::Min, &settings, &never).expect("solved");
        check(&min, &BigRational::zero());
        let ends = set(&process, &[2, 3]);
        let steps = expected_steps(&process, &ends, Optimum::Min, &settings, &never).expect("solved");
        check(&finite(steps), &BigRational::one());
        assert_eq!(expected_steps(&process, &ends, Optimum::Max, &settings, &never), Ok(Expected::Infinite));
        assert_eq!(
            probability(&process, &path, Optimum::Chain, &settings, &never),
            Err(SolveError::NotAChain)
        );
    }
}

/// Two states take turns; from each, one in a million steps leaves, to the goal from the first and astray from the second. With q = 1 - 10⁻⁶ the
/// goal is reached with probability 10⁻⁶ / (1 - q²) = 1 / (1 + q), and leaving takes a million steps.
#[test]
fn slow_leaks() {
    let million = 1_000_000;
    let process = process(&[
        vec![vec![(1, million - 1), (2, 1)]],
        vec![vec![(0, million - 1), (3, 1)]],
        vec![],
        vec![],
    ]);
    for settings in both() {
        let path = Path::eventually(set(&process, &[2]), None);
        let answer = probability(&process, &path, Optimum::Chain, &settings, &never).expect("solved");
        check(&answer, &ratio(1_000_000, 1_999_999));
        let ends = set(&process, &[2, 3]);
        let steps = expected_steps(&process, &ends, Optimum::Chain, &settings, &never).expect("solved");
        check(&finite(steps), &ratio(1_000_000, 1));
    }
}

/// A walk on a line of 2,000 states with a fair coin, too long for elimination: the probability is k / n and it takes k·(n - k) steps.
#[test]
fn long_walk() {
    let process = gambler(2000, 700, 1, 1);
    let settings = without_fractions();
    let path = Path::eventually(set(&process, &[2000]), None);
    let answer = probability(&process, &path, Optimum::Chain, &settings, &never).expect("solved");
    check(&answer, &ratio(7, 20));
    let ends = set(&process, &[0, 2000]);
    let steps = expected_steps(&process, &ends, Optimum::Chain, &settings, &never).expect("solved");
    check(&finite(steps), &ratio(700 * 1300, 1));
}

/// A ring of three states is periodic; each has a third of the steps. In front of it a coin decides between it and a deadlock.
#[test]
fn periodic_chain() {
    let process = process(&[
        vec![vec![(1, 1), (4, 1)]],
        vec![vec![(2, 1)]],
        vec![vec![(3, 1)]],
        vec![vec![(1, 1)]],
        vec![],
    ]);
    for settings in both() {
        let share = |states: &[usize]| {
            long_run(&process, &set(&process, states), Share::Steps, &settings, &never).expect("solved")
        };
        check(&share(&[1]), &ratio(1, 6));
        check(&share(&[2, 4]), &ratio(2, 3));
        check(&share(&[0]), &BigRational::zero());
        check(&share(&[1, 2, 3]), &ratio(1, 2));
    }
    assert_eq!(
        long_run(&process, &set(&process, &[1]), Share::Time, &Settings::default(), &never),
        Err(SolveError::NoRates)
    );
}

/// After n tosses of a coin, the number of heads is n / 2 on average, and all are heads with probability 2⁻ⁿ.
#[test]
fn tosses() {
    let n = 60;
    let state = |k: u32| if k == n { vec![] } else { vec![vec![(k, 1), (k + 1, 1)]] };
    let process = process(&(0..=n).map(state).collect::<Vec<_>>());
    let settings = Settings::default();
    let heads: Vec<i64> = (0..=i64::from(n)).map(|k| k - 1000).collect();
    for steps in [0, 1, 7, 30] {
        let value = value_after(&process, &heads, steps, Optimum::Chain, &settings, &never).expect("solved");
        check(&value, &(ratio(steps as i64, 2) - ratio(1000, 1)));
        let all = set(&process, &[steps as usize]);
        let answer = probability_after(&process, &all, steps, Optimum::Chain, &settings, &never);
        check(&answer.expect("solved"), &(BigRational::one() / ratio(1 << steps, 1)));
        // So far there cannot have been more heads than tosses.
        let within = Path::eventually(set(&process, &[steps as usize + 1]), Some(steps));
        let answer = probability(&process, &within, Optimum::Chain, &settings, &never).expect("solved");
        check(&answer, &BigRational::zero());
        let always = Path::Always { hold: all.complement(), within: Some(steps) };
        let answer = probability(&process, &always, Optimum::Chain, &settings, &never).expect("solved");
        check(&answer, &(BigRational::one() - BigRational::one() / ratio(1 << steps, 1)));
    }
}

/// A million steps: roundings add up, but stay below what is asked for. From 0 one gets to 1 in a step with probability 10⁻⁶, so the value is 1 - q^n
/// between 1 - 1/e and that for one step more; bounds must agree with powers by repeated squaring in fractions of 2⁻²⁰⁰.
#[test]
fn many_steps() {
    let process = process(&[vec![vec![(0, 999_999), (1, 1)]], vec![]]);
    let path = Path::eventually(set(&process, &[1]), Some(1_000_000));
    let answer = probability(&process, &path, Optimum::Chain, &Settings::default(), &never).expect("solved");
    let one: num_bigint::BigInt = num_bigint::BigInt::one() << 200;
    let q: num_bigint::BigInt = &one * 999_999 / 1_000_000;
    let (mut power, mut base, mut n) = (one.clone(), q, 1_000_000);
    while n > 0 {
        if n % 2 == 1 {
            power = (power * &base) >> 200;
        }
        base = (&base * &base) >> 200;
        n /= 2;
    }
    // Squaring is off by far less than 2⁻¹⁵⁰, and the bounds by at most 10⁻⁹.
    check(&answer, &BigRational::new(&one - power, one));
    assert!(answer.bounds.width() < 1e-14);
}

/// An undefined value counts only where it can be met.
#[test]
fn undefined_values() {
    let process = process(&[vec![vec![(1, 1)]], vec![vec![(0, 1)]]]);
    let values = [5, swarmcheck_ir::UNDEF];
    let after = |steps| value_after(&process, &values, steps, Optimum::Chain, &Settings::default(), &never);
    check(&after(4).expect("defined"), &ratio(5, 1));
    assert_eq!(after(5), Err(SolveError::Undefined));
}

/// A machine fails at rate 1/2 and is repaired at rate 3: it works 6/7 of the time, but in half of the steps. The time until the third failure is
/// 3·2 + 2/3. The time until the first one is exponential: 1 - exp(-t/2).
#[test]
fn machine_with_repair() {
    let mut builder = ProcessBuilder::new();
    let rates = [Exit { numerator: 1, denominator: 2 }, Exit { numerator: 3, denominator: 1 }];
    for state in 0..6_u32 {
        let to = if state == 5 { 0 } else { state + 1 };
        builder.row(0, &[(to, 1)]).expect("a row");
        builder.state(Some(rates[state as usize % 2])).expect("a state");
    }
    let process = builder.finish(&[(0, 1)]).expect("a process");
    let works = set(&process, &[0, 2, 4]);
    for settings in both() {
        let share = |share| long_run(&process, &works, share, &settings, &never).expect("solved");
        check(&share(Share::Time), &ratio(6, 7));
        check(&share(Share::Steps), &ratio(1, 2));
        let time = expected_time(&process, &set(&process, &[5]), &settings, &never).expect("solved");
        check(&finite(time), &(ratio(6, 1) + ratio(2, 3)));
        for t in [0.0, 0.1, 1.0, 10.0, 500.0] {
            let all = Bits::full(6);
            let answer =
                within_time(&process, &all, &set(&process, &[1]), t, &settings, &never).expect("solved");
            let value = 1.0 - (-t / 2.0_f64).exp();
            assert!(answer.bounds.low <= value + 1e-15 && value - 1e-15 <= answer.bounds.high, "{answer:?}");
            assert!(answer.is_within(1e-9), "{answer:?}");
        }
    }
}

/// Rates 1 and 2 one after the other: hypoexponential, 1 - 2·exp(-t) + exp(-2t). States are left at different rates.
#[test]
fn two_phases() {
    let mut builder = ProcessBuilder::new();
    for rate in [1, 2] {
        builder.row(0, &[(rate, 1)]).expect("a row");
        builder.state(Some(Exit { numerator: rate.into(), denominator: 1 })).expect("a state");
    }
    builder.state(Some(Exit { numerator: 0, denominator: 1 })).expect("a state");
    let process = builder.finish(&[(0, 1)]).expect("a process");
    for t in [0.01, 0.5, 2.0, 20.0, 1000.0] {
        let goal = set(&process, &[2]);
        let answer = within_time(&process, &Bits::full(3), &goal, t, &Settings::default(), &never);
        let answer = answer.expect("solved");
        let value = 1.0 - 2.0 * (-t).exp() + (-2.0 * t).exp();
        assert!(answer.bounds.low <= value + 1e-15 && value - 1e-15 <= answer.bounds.high, "{t} {answer:?}");
        assert!(answer.is_within(1e-9));
    }
}

/// Tossing n coins one by one: only how many are heads matters, so 2ⁿ sequences become n·(n + 3) / 2 + 1 pairs of numbers.
#[test]
fn lumping_coins() {
    let n = 8;
    // A state is a sequence of coins, as the number with a leading one; its successors append a coin.
    let mut states = vec![vec![]];
    for number in 1_u32..1 << (n + 1) {
        let done = number >= 1 << n;
        states.push(if done { vec![] } else { vec![vec![(2 * number, 1), (2 * number + 1, 1)]] });
    }
    let process = starting(&states, &[(1, 1)]);
    let heads: Vec<i64> = (0..states.len() as u32).map(|s| i64::from(s.count_ones())).collect();
    let depth: Vec<i64> = (0..states.len() as u32).map(|s| i64::from(s.leading_zeros())).collect();
    let small = lump(&process, &[], &[heads, depth], &never).expect("not stopped");
    // One for state 0, which is no sequence; 1 + 2 + … + (n + 1) pairs.
    assert_eq!(small.process.states(), 1 + (n + 1) * (n + 2) / 2);
    assert_eq!(small.process.transitions(), 1 + n * (n + 1) + n + 1);
}

/// The gambler's coins at the end: a fair game neither wins nor loses, whatever the stakes. One who may stop at any time does at best as well; one who
/// may wait for ever may never stop.
#[test]
fn coins_at_the_end() {
    for settings in both() {
        let process = gambler(10, 3, 1, 1);
        let coins: Vec<i64> = (0..=10).map(|k| k - 4).collect();
        let found = value_at_end(&process, &coins, Optimum::Chain, &settings, &never).expect("solved");
        check(&found.expect("it stops"), &ratio(-1, 1));
        let ring = crate::process(&[vec![vec![(0, 1)], vec![(1, 1)]], vec![]]);
        assert_eq!(value_at_end(&ring, &[0, 0], Optimum::Max, &settings, &never), Ok(None));
        // A choice between a sure 2 and a coin for 0 or 5.
        let choice = crate::process(&[vec![vec![(1, 1)], vec![(2, 1), (3, 1)]], vec![], vec![], vec![]]);
        let ask = |optimum| {
            let found = value_at_end(&choice, &[9, 2, 0, 5], optimum, &settings, &never).expect("solved");
            found.expect("it stops")
        };
        check(&ask(Optimum::Min), &ratio(2, 1));
        check(&ask(Optimum::Max), &ratio(5, 2));
    }
}

/// A walk on a square of 70 × 70 states, to one of its four neighbours; at the edge it stays. It stops at two opposite corners, and from the middle of the other diagonal
/// both are equally likely. Too large for dense elimination.
#[test]
fn walk_on_a_square() {
    let n = 70_u32;
    let mut states = vec![];
    for state in 0..n * n {
        let (x, y) = (state % n, state / n);
        let near = [(x.saturating_sub(1), y), (x + 1, y), (x, y.saturating_sub(1)), (x, y + 1)];
        let row = near.into_iter().map(|(x, y)| (x.min(n - 1) + n * y.min(n - 1), 1)).collect();
        states.push(if state == 0 || state == n * n - 1 { vec![] } else { vec![row] });
    }
    // The other diagonal: x + y = n - 1.
    let start = n / 3 + n * (n - 1 - n / 3);
    let process = starting(&states, &[(start, 1)]);
    let path = Path::eventually(set(&process, &[0]), None);
    let answer = probability(&process, &path, Optimum::Chain, &without_fractions(), &never).expect("solved");
    check(&answer, &ratio(1, 2));
}
