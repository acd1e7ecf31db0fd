//! Random processes: few states, small weights, loops, deadlocks, components that cannot be left.

use super::Question;
use swarmcheck_chance::process::Exit;
use swarmcheck_chance::{Bits, Process, ProcessBuilder};
use swarmcheck_ir::Linear;

/// The process with this number, and three sets of states.
pub fn process(seed: u64) -> (Process, Vec<Bits>) {
    let mut random = fastrand::Rng::with_seed(seed);
    let states = random.u32(1..=if seed.is_multiple_of(5) { 30 } else { 9 });
    let rates = seed % 7 == 3;
    let decisions = random.bool() && !rates;
    let mut builder = ProcessBuilder::new();
    for state in 0..states {
        let rows = match random.u32(..10) {
            0 => 0,
            _ if decisions => random.u32(1..=3),
            _ => 1,
        };
        for action in 0..rows {
            let entries: Vec<(u32, u128)> = (0..random.u32(1..=3))
                .map(|_| {
                    // Most steps stay near, so that there are components.
                    let near = (state + random.u32(..4)).saturating_sub(2).min(states - 1);
                    let target = if random.u32(..4) == 0 { random.u32(..states) } else { near };
                    (target, u128::from(random.u32(1..=6)))
                })
                .collect();
            builder.row(action, &entries).expect("small weights");
        }
        let exit = Exit { numerator: random.u64(1..=6), denominator: random.u64(1..=3) };
        builder.state(rates.then_some(exit)).expect("a state");
    }
    let initial: Vec<(u32, u128)> = match random.bool() {
        true => vec![(0, 1)],
        false => (0..3).map(|_| (random.u32(..states), u128::from(random.u32(1..=4)))).collect(),
    };
    let process = builder.finish(&initial).expect("a process");
    let labels = [2, 3, 4]
        .map(|one_in| {
            let set: Vec<bool> = (0..states).map(|_| random.u32(..one_in) == 0).collect();
            Bits::from_fn(states as usize, |state| set[state])
        })
        .to_vec();
    (process, labels)
}

/// A formula over labels.
pub fn formula(random: &mut fastrand::Rng, labels: usize, depth: usize) -> Linear<usize> {
    let kind = if depth == 0 { 0 } else { random.usize(..10) };
    let mut inner = || formula(random, labels, depth - 1);
    match kind {
        0 => Linear::Atom(random.usize(..labels)),
        1 => Linear::not(inner()),
        2 => Linear::And(vec![inner(), inner()]),
        3 => Linear::Or(vec![inner(), inner()]),
        4 => Linear::next(inner()),
        5 => Linear::until(inner(), inner()),
        6 => Linear::release(inner(), inner()),
        7 => Linear::finally(inner()),
        8 => Linear::globally(inner()),
        _ => Linear::globally(Linear::finally(inner())),
    }
}

/// Some of everything that can be asked.
pub fn questions(seed: u64, process: &Process) -> Vec<Question> {
    let mut random = fastrand::Rng::with_seed(seed ^ 0xabcd);
    if process.exits().is_some() {
        return vec![
            Question::Eventually { goal: 2, within: None },
            Question::Until { hold: 0, goal: 1, within: None },
            Question::Always(random.usize(..3)),
            Question::Time(1),
            Question::Time(2),
            Question::TimeShare(0),
            Question::TimeShare(2),
        ];
    }
    let mut out = vec![
        Question::Eventually { goal: 2, within: None },
        Question::Until { hold: 0, goal: 1, within: None },
        Question::Until { hold: 0, goal: 2, within: Some(random.u64(..12)) },
        Question::Eventually { goal: 1, within: Some(random.u64(..12)) },
        Question::Always(random.usize(..3)),
        Question::After(random.u32(..6), 0),
        Question::Steps(1),
        Question::Steps(2),
        Question::Formula(formula(&mut random, 3, 2)),
        Question::Formula(formula(&mut random, 3, 3)),
        Question::Formula(formula(&mut random, 2, 4)),
    ];
    if process.is_chain() {
        out.push(Question::LongRun(0));
    }
    out
}
