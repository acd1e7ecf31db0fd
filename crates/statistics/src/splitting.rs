//! Splitting for rare events: runs that come closer to the goal are continued several times. P. Glasserman, P. Heidelberger, P. Shahabuddin and T. Zajic, "Multilevel
//! Splitting for Estimating Rare Event Probabilities", Operations Research 47, 1999; M. J. J. Garvels, *The Splitting Method in Rare Event Simulation*, 2000.
//!
//! A number, the *importance* of a state, says how close it is; levels cut it into stages. The last stage ends at the goal. A run that
//! jumps over a level, or to the goal, has reached all levels in between.
//!
//! **Fixed effort.** Every stage starts the same number of runs, each from a state that is drawn from those that entered the stage, all equally likely, with
//! replacement. The estimate is the product of the shares that reached the next level. It is unbiased for any levels and any effort: given the states that entered, the
//! expected share is the mean of their probabilities.
//!
//! **Fixed splitting.** Every run that enters a stage is continued by the same number of copies. The estimate is the number of goals, divided
//! by the number of copies that one run can have in all. It is unbiased since every copy has the same law as a run that is not split.
//!
//! **The interval** is Student's over repetitions that are independent and have the same law. The estimate is unbiased, but the coverage is only
//! nominal as the number of repetitions grows: the values are skewed to the right when there are few runs at each level, and an interval
//! is then too low rather than too high. With 20 repetitions or more and a share of 10 % or more at each level this is hardly noticeable. If no repetition comes
//! to the goal, or all repetitions give the same number, nothing is claimed: the interval has all probabilities.
//!
//! **Runs without a verdict** are kept as such through the stages. The low end counts them as failed, the high end as if they had reached the goal.
//!
//! All random numbers come from the caller: by [`Rare::start`], [`Rare::run`] and [`Rare::below`].

use crate::interval::{Interval, Refused};
use crate::mean::Moments;

/// A random system with a goal that is rarely reached. The caller has the generator of random numbers.
pub trait Rare {
    /// All that a run depends on from now on, time and observers included. A copy of it is continued independently of others.
    type State: Clone;

    /// A random initial state.
    fn start(&mut self) -> Self::State;

    /// Continues at random from a state until its importance is at least the level, if there is one, or the goal is reached, or the run
    /// ends. A state that is there already is returned at once. The goal goes before the level.
    fn run(&mut self, from: &Self::State, level: Option<i64>) -> End<Self::State>;

    /// How close a state is.
    fn importance(&mut self, state: &Self::State) -> i64;

    /// Continues at random from a state until the goal is reached or the run ends: the largest importance on the way; none if the goal was reached.
    /// Only for finding levels.
    fn peak(&mut self, from: &Self::State) -> Option<i64>;

    /// A random number below `n`, all equally likely.
    fn below(&mut self, n: u64) -> u64;
}

/// How a run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End<S> {
    /// At the level, in this state.
    Level(S),
    /// At the goal.
    Goal,
    /// Where neither can be reached any more.
    Over,
    /// It was cut short; nobody knows.
    Undecided,
}

/// One repetition.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Repetition {
    /// The estimate, if undecided runs have failed.
    pub low: f64,
    /// The estimate, if undecided runs have reached the goal.
    pub high: f64,
    /// Runs from one level to the next.
    pub runs: u64,
    /// Those of them that were cut short.
    pub undecided: u64,
}

/// What all repetitions say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The mean of the repetitions, undecided runs counted as failed; none if there are no repetitions.
    pub value: Option<f64>,
    pub interval: Interval,
    pub repetitions: u64,
    /// Repetitions that did not come to the goal.
    pub without_goal: u64,
    pub runs: u64,
    pub undecided: u64,
}

/// What came into a stage.
enum Entry<S> {
    State(S),
    Goal,
    Undecided,
}

/// One repetition with this many runs for each stage, at least 1. The levels ascend.
pub fn fixed_effort<R: Rare>(system: &mut R, levels: &[i64], effort: u64) -> Repetition {
    let effort = effort.max(1);
    let mut out = Repetition::default();
    let (mut factor, mut entries): (f64, Vec<Entry<R::State>>) = (1.0, vec![]);
    for stage in 0..=levels.len() {
        let mut next = vec![];
        for _ in 0..effort {
            let fresh;
            let from = if stage == 0 {
                fresh = Entry::State(system.start());
                &fresh
            } else {
                &entries[system.below(entries.len() as u64) as usize]
            };
            let end = match from {
                Entry::Goal => End::Goal,
                Entry::Undecided => End::Undecided,
                Entry::State(state) => {
                    out.runs += 1;
                    let end = system.run(state, levels.get(stage).copied());
                    out.undecided += u64::from(matches!(end, End::Undecided));
                    end
                }
            };
            match end {
                End::Level(state) => next.push(Entry::State(state)),
                End::Goal => next.push(Entry::Goal),
                End::Undecided => next.push(Entry::Undecided),
                End::Over => {}
            }
        }
        if next.is_empty() {
            return out;
        }
        if stage < levels.len() {
            factor *= next.len() as f64 / effort as f64;
            entries = next;
            continue;
        }
        // A state here would be at a level that nobody asked for: no goal.
        let goals = next.iter().filter(|entry| matches!(entry, Entry::Goal)).count();
        let perhaps = next.iter().filter(|entry| matches!(entry, Entry::Undecided)).count();
        out.low = factor * goals as f64 / effort as f64;
        out.high = factor * (goals + perhaps) as f64 / effort as f64;
    }
    out
}

/// One initial run that is continued by so many copies at each level, at least 1. None if that takes more than `most_runs` runs: there are too many
/// copies for these levels.
pub fn fixed_splitting<R: Rare>(
    system: &mut R,
    levels: &[i64],
    copies: u64,
    most_runs: u64,
) -> Option<Repetition> {
    let copies = copies.max(1);
    let mut out = Repetition::default();
    // Depth first, so that few states are kept: the stage that a state is in, and how often it is still to be continued.
    let mut open = vec![(system.start(), 0, 1)];
    while let Some((state, stage, times)) = open.pop() {
        if times > 1 {
            open.push((state.clone(), stage, times - 1));
        }
        if out.runs >= most_runs {
            return None;
        }
        out.runs += 1;
        let weight = (copies as f64).powi(-i32::try_from(stage).unwrap_or(i32::MAX));
        match system.run(&state, levels.get(stage).copied()) {
            End::Goal => {
                out.low += weight;
                out.high += weight;
            }
            End::Undecided => {
                out.undecided += 1;
                out.high += weight;
            }
            End::Level(next) if stage < levels.len() => open.push((next, stage + 1, copies)),
            End::Level(_) | End::Over => {}
        }
    }
    Some(out)
}

/// What repetitions say together. Their order matters for the last digits only.
pub fn combine(repetitions: &[Repetition], confidence: f64) -> Result<Estimate, Refused> {
    crate::interval::risk(confidence)?;
    let (mut low, mut high) = (Moments::new(), Moments::new());
    let mut out = Estimate {
        value: None,
        interval: Interval::UNIT,
        repetitions: repetitions.len() as u64,
        without_goal: 0,
        runs: 0,
        undecided: 0,
    };
    for one in repetitions {
        low.push(one.low);
        high.push(one.high);
        out.without_goal += u64::from(one.low == 0.0);
        out.runs += one.runs;
        out.undecided += one.undecided;
    }
    out.value = low.mean();
    if low.deviation().is_some_and(|d| d > 0.0) {
        out.interval.low = low.student(confidence).low.clamp(0.0, 1.0);
    }
    if high.deviation().is_some_and(|d| d > 0.0) {
        out.interval.high = high.student(confidence).high.clamp(0.0, 1.0);
    }
    Ok(out)
}

/// Levels such that about one run in five comes from each to the next, found by trial runs, `effort` of them for each level. Runs that find levels
/// must not be used for the estimate too: they know too much.
pub fn find_levels<R: Rare>(system: &mut R, effort: u64, most_levels: usize) -> Vec<i64> {
    let effort = effort.clamp(5, 1 << 32);
    let mut entered: Vec<R::State> = (0..effort).map(|_| system.start()).collect();
    let mut levels: Vec<i64> = vec![];
    while levels.len() < most_levels && !entered.is_empty() {
        let mut least = i64::MAX;
        for state in &entered {
            least = least.min(system.importance(state));
        }
        // A goal is above all numbers.
        let mut peaks: Vec<Option<i64>> = vec![];
        for _ in 0..effort {
            let from = system.below(entered.len() as u64) as usize;
            peaks.push(system.peak(&entered[from]));
        }
        peaks.sort_unstable_by_key(|peak| std::cmp::Reverse(peak.map_or((true, 0), |value| (false, value))));
        let fifth = (effort / 5) as usize;
        // One in five comes to the goal: no level is missing.
        let Some(wanted) = peaks[fifth - 1] else { break };
        let level = if wanted > least {
            wanted
        } else {
            // So few climb at all that the first step up is the level.
            let Some(next) = peaks.iter().flatten().copied().filter(|peak| *peak > least).min() else {
                break;
            };
            next
        };
        levels.push(level);
        let mut next = vec![];
        for _ in 0..effort {
            let from = system.below(entered.len() as u64) as usize;
            if let End::Level(state) = system.run(&entered[from], Some(level)) {
                next.push(state);
            }
        }
        entered = next;
    }
    levels.dedup();
    levels
}
