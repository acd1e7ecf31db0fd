//! Random runs of a machine that follows its state: the same steps, states, faults and conditions as those of a plain machine.

use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Code, Flat, Machine, Outcome, Seen, Watched};
use swarmcheck_ir::program::Role;
use swarmcheck_simulate::{Rng, Start, Starts, Taken};

/// How many instances are tried.
const TRIES: u32 = 120;

/// The first difference along a random run, in words.
pub fn compare(flat: &Flat, seed: u64) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let (mut plain, mut quick) = (Machine::new(flat), Machine::new(flat));
    let mut expected = vec![0; flat.width()];
    let drawn = (0..20).any(|_| plain.initialise(flat, &mut expected, &mut rng) == Outcome::Done);
    if !drawn || flat.instances() == 0 {
        return Ok(());
    }
    let mut state = expected.clone();
    quick.follow(flat, &state);
    let is_order = |slot: u32| flat.program.var(flat.layout.cell(slot).var).role == Role::Order;
    // Ranking is left out, so writes to timestamps are not compared.
    let others = |writes: &[(u32, Value)]| -> Vec<(u32, Value)> {
        writes.iter().filter(|(slot, _)| !is_order(*slot)).copied().collect()
    };
    let exprs = flat.program.properties.iter().flat_map(|property| property.exprs());
    let mut conditions: Vec<(Code, Watched, Seen)> =
        exprs.map(|e| (flat.compile(e), Watched::new(flat, e), Seen::default())).collect();
    let mut writes = vec![];
    let mut looks = true;
    for _ in 0..TRIES {
        if looks {
            for (number, (code, watched, seen)) in conditions.iter_mut().enumerate() {
                let right = plain.test(flat, code, &expected);
                let found = watched.test(&mut quick, flat, &state, seen, &writes);
                if right != found {
                    return Err(format!(
                        "condition {number} is {right:?} but {found:?} when watched in {state:?}"
                    ));
                }
            }
        }
        let at = flat.instance(rng.below(u64::from(flat.instances())) as u32);
        let mut same = rng.clone();
        let outcome = plain.step(flat, at, &mut expected, &mut rng);
        let found = quick.step(flat, at, &mut state, &mut same);
        if outcome != found || others(plain.writes()) != others(quick.writes()) {
            return Err(format!(
                "{at:?} is {outcome:?} but {found:?} by a machine that follows {expected:?}"
            ));
        }
        writes = quick.writes().to_vec();
        looks = outcome == Outcome::Done;
        if looks && rng.below(5) == 0 {
            plain.undo(&mut expected);
            quick.undo(&mut state);
            looks = false;
        }
        let mut ranked = state.clone();
        quick.dense(flat, &mut ranked);
        if ranked != expected {
            return Err(format!(
                "after {at:?} a machine that follows is in {ranked:?} instead of {expected:?}"
            ));
        }
    }
    Ok(())
}

/// The first difference between a fast run and a plain one with the same generator, in words.
pub fn runs(flat: &Flat, seed: u64, steps: u32) -> Result<(), String> {
    let plain = Starts::new(flat).draw(Rng::new(seed), &|| false);
    let fast = Starts::new(flat).fast().draw(Rng::new(seed), &|| false);
    let (Ok(Start::Ready(mut plain)), Ok(Start::Ready(mut fast))) = (plain, fast) else { return Ok(()) };
    for step in 0..steps {
        let (taken, found) = (plain.step(&|| false), fast.step(&|| false));
        if taken != found || plain.state() != fast.state() || plain.choices() != fast.choices() {
            return Err(format!("step {step} of run {seed} is {taken:?} but {found:?} when fast"));
        }
        if !matches!(taken, Taken::Step(_)) {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarmcheck_labs::lower::{self, Options};

    /// So many birds that the program is not instantiated: places and growing timestamps are used.
    #[test]
    fn fast_runs_of_many_birds_are_the_plain_ones() {
        let text = include_str!("../../../../examples/flock/flock.labs");
        let model = crate::read::read_with(text, "birds=150 grid=60 delta=5").expect("a model");
        let flat = Flat::new(lower::lower(&model, text, Options::default()).expect("a program").program);
        for seed in 0..3 {
            assert_eq!(runs(&flat, seed, 1500), Ok(()));
            assert_eq!(compare(&flat, seed), Ok(()));
        }
    }
}
