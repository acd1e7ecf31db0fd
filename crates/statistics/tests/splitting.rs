//! Splitting on the gambler's ruin, whose probability is known: with r = (1 − p)/p, a gambler with 1 coin reaches m coins before 0 with
//! probability (r − 1)/(rᵐ − 1).

use swarmcheck_statistics::splitting::{
    End, Rare, Repetition, combine, find_levels, fixed_effort, fixed_splitting,
};

struct Gambler {
    rng: fastrand::Rng,
    goal: i64,
    /// A coin is won in one of three games.
    three: u64,
    /// Bets are doubled now and then, so that levels are jumped over.
    jumps: bool,
}

impl Gambler {
    fn new(seed: u64, goal: i64) -> Gambler {
        Gambler { rng: fastrand::Rng::with_seed(seed), goal, three: 3, jumps: false }
    }

    fn game(&mut self, coins: i64) -> i64 {
        let bet = if self.jumps && coins > 1 && self.rng.bool() { 2 } else { 1 };
        if self.rng.u64(0..self.three) == 0 { (coins + bet).min(self.goal) } else { coins - bet }
    }
}

impl Rare for Gambler {
    type State = i64;

    fn start(&mut self) -> i64 {
        1
    }

    fn run(&mut self, from: &i64, level: Option<i64>) -> End<i64> {
        let mut coins = *from;
        loop {
            if coins >= self.goal {
                return End::Goal;
            }
            if level.is_some_and(|level| coins >= level) {
                return End::Level(coins);
            }
            if coins <= 0 {
                return End::Over;
            }
            coins = self.game(coins);
        }
    }

    fn importance(&mut self, state: &i64) -> i64 {
        *state
    }

    fn peak(&mut self, from: &i64) -> Option<i64> {
        let (mut coins, mut peak) = (*from, *from);
        while coins > 0 {
            if coins >= self.goal {
                return None;
            }
            coins = self.game(coins);
            peak = peak.max(coins);
        }
        Some(peak)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.rng.u64(0..n)
    }
}

/// 1/(2²⁰ − 1), about one in a million, as one in three games is won.
fn one_in_a_million() -> f64 {
    1.0 / f64::from((1 << 20) - 1)
}

fn efforts(seed: u64, repetitions: u64, levels: &[i64], effort: u64) -> Vec<Repetition> {
    let mut gambler = Gambler::new(seed, 20);
    (0..repetitions).map(|_| fixed_effort(&mut gambler, levels, effort)).collect()
}

#[test]
fn fixed_effort_covers_what_is_rare() {
    let levels: Vec<i64> = (1..10).map(|level| 2 * level).collect();
    let (mut covered, mut sum, mut squares) = (0, 0.0, 0.0);
    let experiments = 200;
    for seed in 0..experiments {
        let estimate = combine(&efforts(seed, 20, &levels, 100), 0.95).unwrap();
        covered += u64::from(estimate.interval.contains(one_in_a_million()));
        let relative = estimate.value.unwrap() / one_in_a_million();
        sum += relative;
        squares += relative * relative;
        assert!(estimate.interval.high < 1e-4);
    }
    let n = experiments as f64;
    // Unbiased: the mean of the means is within four standard errors of the truth.
    let (mean, error) = (sum / n, ((squares / n - (sum / n).powi(2)) / n).sqrt());
    assert!((mean - 1.0).abs() < 4.0 * error, "{mean} {error}");
    // Nominal is 0.95 in the limit. Three standard deviations of 200 experiments are 0.046.
    assert!(covered as f64 / n >= 0.904, "{covered}");
}

#[test]
fn fixed_splitting_covers_what_is_rare() {
    let levels: Vec<i64> = (2..20).collect();
    let (mut covered, experiments) = (0, 100);
    for seed in 0..experiments {
        let mut gambler = Gambler::new(seed, 20);
        let repetitions: Vec<Repetition> = (0..2000)
            .map(|_| fixed_splitting(&mut gambler, &levels, 2, 1_000_000).expect("one in two goes on"))
            .collect();
        let estimate = combine(&repetitions, 0.95).unwrap();
        covered += u64::from(estimate.interval.contains(one_in_a_million()));
    }
    // Three standard deviations of 100 experiments at 0.95 are 0.065.
    assert!(covered >= 88, "{covered}");
}

/// With bets of two, levels are jumped over; the truth is found by iteration of the equations of the chain.
#[test]
fn levels_can_be_jumped_over() {
    let goal = 8;
    let mut reach = [0.0_f64; 9];
    reach[8] = 1.0;
    for _ in 0..10_000 {
        for coins in 1..8_usize {
            let bet = |bet: usize| reach[(coins + bet).min(8)] / 3.0 + reach[coins - bet] * 2.0 / 3.0;
            reach[coins] = if coins > 1 { 0.5 * bet(1) + 0.5 * bet(2) } else { bet(1) };
        }
    }
    for levels in [vec![2, 3, 4, 5, 6, 7], vec![3, 7], vec![]] {
        let mut gambler = Gambler::new(7, goal);
        gambler.jumps = true;
        let effort: Vec<_> = (0..200).map(|_| fixed_effort(&mut gambler, &levels, 200)).collect();
        let split: Vec<_> =
            (0..40_000).map(|_| fixed_splitting(&mut gambler, &levels, 2, 1 << 20).unwrap()).collect();
        for repetitions in [effort, split] {
            let estimate = combine(&repetitions, 0.9999).unwrap();
            assert!(estimate.interval.contains(reach[1]), "{levels:?} {estimate:?} {}", reach[1]);
            assert!(estimate.interval.width() < reach[1], "{levels:?} {estimate:?}");
        }
    }
}

#[test]
fn levels_are_found() {
    let mut gambler = Gambler::new(3, 20);
    let levels = find_levels(&mut gambler, 1000, 100);
    assert!(levels.is_sorted_by(|a, b| a < b));
    // From k to k + j coins it is about 2⁻ʲ, so about one in five is two or three coins more.
    assert!((6..=12).contains(&levels.len()), "{levels:?}");
    let estimate = combine(&efforts(4, 40, &levels, 200), 0.99).unwrap();
    assert!(estimate.interval.contains(one_in_a_million()), "{estimate:?}");
    // Nothing is rare: no levels.
    assert_eq!(find_levels(&mut Gambler { three: 1, ..Gambler::new(1, 20) }, 100, 100), Vec::<i64>::new());
    // Nobody climbs: none are found, and nothing is claimed.
    let mut stuck = Gambler { three: u64::MAX, ..Gambler::new(1, 20) };
    assert_eq!(find_levels(&mut stuck, 100, 100), Vec::<i64>::new());
    let repetitions: Vec<_> = (0..10).map(|_| fixed_effort(&mut stuck, &[5], 10)).collect();
    let estimate = combine(&repetitions, 0.95).unwrap();
    assert_eq!((estimate.interval.low, estimate.interval.high), (0.0, 1.0));
    assert_eq!(estimate.without_goal, 10);
}

/// Two stages: half of the runs pass the first; a quarter of those reaches the goal and a quarter is cut short.
struct Cut(fastrand::Rng);

impl Rare for Cut {
    type State = i64;

    fn start(&mut self) -> i64 {
        0
    }

    fn run(&mut self, from: &i64, level: Option<i64>) -> End<i64> {
        match (from, level) {
            (0, Some(_)) => {
                if self.0.bool() {
                    End::Level(1)
                } else {
                    End::Over
                }
            }
            _ => match self.0.u8(0..4) {
                0 => End::Goal,
                1 => End::Undecided,
                _ => End::Over,
            },
        }
    }

    fn importance(&mut self, state: &i64) -> i64 {
        *state
    }

    fn peak(&mut self, _: &i64) -> Option<i64> {
        None
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0.u64(0..n)
    }
}

#[test]
fn runs_without_verdict_widen_the_interval() {
    let mut system = Cut(fastrand::Rng::with_seed(5));
    let effort: Vec<_> = (0..200).map(|_| fixed_effort(&mut system, &[1], 50)).collect();
    let split: Vec<_> = (0..20_000).map(|_| fixed_splitting(&mut system, &[1], 3, 100).unwrap()).collect();
    for repetitions in [effort, split] {
        let estimate = combine(&repetitions, 0.9999).unwrap();
        // Between 1/8 and 1/4.
        assert!(estimate.interval.low < 0.125 && estimate.interval.low > 0.1, "{estimate:?}");
        assert!(estimate.interval.high > 0.25 && estimate.interval.high < 0.28, "{estimate:?}");
        assert!(estimate.undecided > 0);
    }
}

#[test]
fn too_many_copies_are_refused() {
    let mut gambler = Gambler { three: 1, ..Gambler::new(1, 20) };
    let levels: Vec<i64> = (2..20).collect();
    assert_eq!(fixed_splitting(&mut gambler, &levels, 10, 10_000), None);
    assert!(combine(&[], 1.0).is_err());
    assert_eq!(combine(&[], 0.9).unwrap().value, None);
}
