//! The example models.

#![allow(clippy::disallowed_macros, reason = "says how large state spaces are")]

use crate::compare_all;
use crate::models::example;
use swarmcheck_engine::Reductions;
use swarmcheck_ir::Program;
use swarmcheck_labs::lower::{Choice, Options};
use swarmcheck_passes::Needs;
use swarmcheck_question::reduce::reduce;

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

/// How many properties were compared, and for how many of them the state space became smaller.
#[derive(Default)]
struct Tally {
    compared: usize,
    smaller: usize,
}

impl Tally {
    fn add(&mut self, file: &str, parameters: &str, program: &Program, most: usize) {
        for (name, sizes) in compare_all(file, program, most) {
            println!("{name} ({parameters}): {sizes:?}");
            self.compared += usize::from(sizes.is_some());
            self.smaller += usize::from(sizes.is_some_and(|sizes| sizes.small < sizes.full));
        }
    }

    #[track_caller]
    fn at_least(&self, compared: usize, smaller: usize) {
        let enough = self.compared >= compared && self.smaller >= smaller;
        assert!(enough, "only {} compared, {} smaller", self.compared, self.smaller);
    }
}

#[test]
fn as_written() {
    let mut tally = Tally::default();
    for (file, parameters) in MODELS {
        tally.add(file, parameters, &example(file, parameters, Options::default()), 20_000);
    }
    tally.at_least(24, 14);
}

#[test]
fn with_early_choice() {
    let options = Options { choice: Choice::Early, ..Options::default() };
    let mut tally = Tally::default();
    for (file, parameters) in MODELS {
        tally.add(file, parameters, &example(file, parameters, options), 10_000);
    }
    tally.at_least(17, 14);
}

/// As the engine sees them: other passes come first, and narrow domains make tables.
#[test]
fn after_other_reductions() {
    let mut tally = Tally::default();
    for (file, parameters) in MODELS {
        let program = example(file, parameters, Options::default());
        let needs = Needs { steps: false, endings: true };
        for number in 0..program.properties.len() {
            let mut smaller = reduce(&program, &[number], needs, &Reductions::ALL).program;
            smaller.properties = vec![smaller.properties[number].clone()];
            tally.add(file, parameters, &smaller, 20_000);
        }
    }
    tally.at_least(24, 14);
}

#[test]
fn philosophers_put_forks_back_at_once() {
    let program = example("philosophers/philosophers.labs", "n=4", Options::default());
    let all = compare_all("philosophers", &program, 2000);
    let of = |wanted: &str| all.iter().find(|(name, _)| name.ends_with(wanted)).and_then(|(_, sizes)| *sizes);
    // No condition changes with hands. Whoever gets both forks puts them back at once, so at rest everybody waits for a
    // first fork or for a second one, in any combination.
    let range = of("HandsInRange").map(|sizes| (sizes.full, sizes.resting));
    assert_eq!(range, Some((1888, 1 << 4)));
    // Getting to eat is seen, and so is the end of it: more states are left, but taking a fork and moving the hand is one.
    let meals = of("MealsGoOn").map_or(0, |sizes| sizes.resting);
    assert!((1 << 4..1888 / 4).contains(&meals), "{meals}");
}
