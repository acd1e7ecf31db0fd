//! The example models.

use crate::models::example;
use crate::{Sizes, compare_all};
use swarmcheck_engine::Reductions;
use swarmcheck_explicit::reduce::reduce;
use swarmcheck_labs::lower::{Choice, Options};
use swarmcheck_passes::Needs;

const MODELS: [(&str, &str); 12] = [
    ("ants/ants.labs", "ants=2 size=2 scent=1"),
    ("approx/approx.labs", "yes=1 no=2"),
    ("flock/flock.labs", "birds=2 grid=2 delta=2"),
    ("foraging/foraging.labs", "robots=2 grid=2"),
    ("formation/formation.labs", "n=2 size=3 range=1"),
    ("leader/leader.labs", "n=3"),
    ("majority/majority.labs", "yes=1 no=2"),
    ("philosophers/philosophers.labs", "n=4"),
    ("scopes/crossing.labs", "trains=2"),
    ("twophase/twophase.labs", "workers=1"),
    ("unanimity/unanimity.labs", "voters=2 options=2"),
    ("voter/voter.labs", "voters=2 options=2"),
];

#[test]
fn as_written() {
    for (file, parameters) in MODELS {
        for (name, sizes) in compare_all(file, &example(file, parameters, Options::default()), 20_000) {
            println!("{name} ({parameters}): {sizes:?}");
        }
    }
}

#[test]
fn with_early_choice() {
    let options = Options { choice: Choice::Early, ..Options::default() };
    for (file, parameters) in MODELS {
        for (name, sizes) in compare_all(file, &example(file, parameters, options), 10_000) {
            println!("{name} ({parameters}): {sizes:?}");
        }
    }
}

/// As the engine sees them: other passes come first, and narrow domains make tables.
#[test]
fn after_other_reductions() {
    for (file, parameters) in MODELS {
        let program = example(file, parameters, Options::default());
        let needs = Needs { steps: false, endings: true };
        for number in 0..program.properties.len() {
            let mut smaller = reduce(&program, &[number], needs, &Reductions::ALL).program;
            smaller.properties = vec![smaller.properties[number].clone()];
            for (name, sizes) in compare_all(file, &smaller, 20_000) {
                println!("{name} ({parameters}): {sizes:?}");
            }
        }
    }
}

#[test]
fn round_robin_has_one_order_already() {
    let options = Options { fair: true, ..Options::default() };
    let program = example("philosophers/philosophers.labs", "n=3", options);
    assert!(compare_all("fair", &program, 1000).iter().all(|(_, sizes)| sizes.is_none()));
}

#[test]
fn philosophers_take_forks_in_turn_but_move_their_hands_at_once() {
    let program = example("philosophers/philosophers.labs", "n=4", Options::default());
    let all = compare_all("philosophers", &program, 2000);
    let meals = all.iter().find(|(name, _)| name.ends_with("MealsGoOn")).and_then(|(_, sizes)| *sizes);
    assert_eq!(meals, Some(Sizes { full: 1888, small: 984, resting: 376 }));
}
