//! Each algorithm on random systems, against enumeration.

#[path = "../../prove/tests/oracle/mod.rs"]
mod oracle;

use oracle::{Whole, bits, random};
use std::collections::BTreeSet;
use swarmcheck_aig::{Action, Lit, Steps, System, Witness};
use swarmcheck_bdd::{Failure, Limits, Model, Set, cycle, reach, witness};

/// How many systems a test looks at.
const SYSTEMS: u64 = 2000;

/// A system with its steps told in one of several ways, and some functions of its latches.
struct Case {
    system: System,
    steps: Steps,
    good: Lit,
    fair: Lit,
    bad: Lit,
}

/// One action; two that each write some of the latches; or one that does not leave some states.
fn case(seed: u64) -> Case {
    let oracle::Case { mut system, good, fair, .. } = random(seed, 5);
    let bad = system.bad[0];
    let mut steps = Steps::of(&system);
    match seed % 3 {
        0 => {}
        1 => {
            let which = system.graph.variable();
            system.inputs.push(which);
            let mut actions = [vec![], vec![]];
            for (number, latch) in system.latches.iter_mut().enumerate() {
                actions[number % 2].push((number, latch.next));
                let first = which.negate_if(number % 2 == 1);
                latch.next = system.graph.choose(first, latch.next, latch.variable);
            }
            let guard = system.valid;
            steps.actions = actions.into_iter().map(|writes| Action { guard, writes }).collect();
        }
        _ => {
            steps.open = !good;
            system.valid = system.graph.and(system.valid, !good);
        }
    }
    Case { system, steps, good, fair, bad }
}

fn members(model: &Model<'_>, n: usize, set: &Set) -> BTreeSet<usize> {
    let inside = |&state: &usize| {
        let single = model.single(&bits(state, n)).unwrap();
        !model.space.disjoint(&single, set).unwrap()
    };
    let found: BTreeSet<usize> = (0..1usize << n).filter(inside).collect();
    assert_eq!(model.count(set), found.len() as u64);
    found
}

fn reachable(whole: &Whole) -> BTreeSet<usize> {
    whole.all().into_iter().filter(|&state| whole.distance[state].is_some()).collect()
}

/// States of `region` from which a state of `target` is reached through it, with so many steps at least.
fn backwards(
    whole: &Whole,
    region: &BTreeSet<usize>,
    target: &BTreeSet<usize>,
    least: usize,
) -> BTreeSet<usize> {
    let goes = |state: usize, to: &BTreeSet<usize>| whole.successors[state].iter().any(|n| to.contains(n));
    let mut known: BTreeSet<usize> = region.intersection(target).copied().collect();
    loop {
        let more: BTreeSet<usize> = region.iter().copied().filter(|&s| goes(s, &known)).collect();
        let all: BTreeSet<usize> = &known | &more;
        if all == known {
            return if least == 0 { known } else { more };
        }
        known = all;
    }
}

/// States of `region` from which a cycle through a state of `again` is reached, all inside the region.
fn going_round(whole: &Whole, region: &BTreeSet<usize>, again: &BTreeSet<usize>) -> BTreeSet<usize> {
    let on_cycle = |&state: &usize| {
        let single = BTreeSet::from([state]);
        backwards(whole, region, &single, 1).contains(&state)
    };
    let cyclic = region.intersection(again).copied().filter(on_cycle).collect();
    backwards(whole, region, &cyclic, 0)
}

#[test]
fn what_is_reachable() {
    let mut far = 0;
    for seed in 0..SYSTEMS {
        let Case { system, steps, bad, .. } = case(seed);
        let (whole, n) = (Whole::of(&system), system.latches.len());
        let model = Model::new(&system, &steps, Limits::default()).unwrap();
        let nothing = model.space.constant(false);
        let found = reach::reachable(&model, &nothing).unwrap();
        assert_eq!(members(&model, n, &found), reachable(&whole), "seed {seed}");
        let stuck: BTreeSet<usize> =
            whole.all().into_iter().filter(|&state| whole.successors[state].is_empty()).collect();
        assert_eq!(members(&model, n, &model.stuck().unwrap()), stuck, "seed {seed}");

        let target = model.states(bad).unwrap();
        let expected = whole.shortest(&whole.states(&system, bad));
        let rings = reach::rings(&model, &target, usize::MAX).unwrap();
        assert_eq!(rings.found.then(|| rings.rings.len() - 1), expected, "seed {seed}");
        if let Some(steps) = expected {
            let way = reach::way(&model, &rings.rings, &target).unwrap();
            let shown = witness::witness(&model, &way).unwrap();
            assert_eq!(Witness::replay(&system, shown.start.clone(), shown.steps.clone()), Some(shown));
            assert!(reach::rings(&model, &target, steps).unwrap().found, "seed {seed}");
            far += usize::from(steps > 3);
            if steps > 0 {
                assert!(!reach::rings(&model, &target, steps - 1).unwrap().found, "seed {seed}");
            }
            let some = reach::reachable(&model, &target).unwrap();
            assert!(!model.space.disjoint(&some, &target).unwrap(), "seed {seed}");
            assert!(members(&model, n, &some).is_subset(&reachable(&whole)), "seed {seed}");
        } else {
            assert_eq!(rings.known, found, "seed {seed}");
        }
    }
    assert!(far > 20, "{far} bad states are far away: the sample is too easy");
}

#[test]
fn what_is_reached_by_a_number_of_steps() {
    let (mut some, mut none) = (0, 0);
    for seed in 0..SYSTEMS / 4 {
        let Case { system, steps, .. } = case(seed);
        let (whole, n) = (Whole::of(&system), system.latches.len());
        let model = Model::new(&system, &steps, Limits::default()).unwrap();
        let layers = reach::layers(&model, 6).unwrap();
        for number in 0..=6 {
            let found = layers.get(number).map(|layer| members(&model, n, layer)).unwrap_or_default();
            assert_eq!(found, whole.after(number), "seed {seed}, {number} steps");
            *(if found.is_empty() { &mut none } else { &mut some }) += 1;
        }
    }
    assert!(some > 300 && none > 30, "{some} layers with states, {none} without");
}

#[test]
fn what_can_be_reached_and_what_recurs() {
    let (mut loops, mut fair_loops, mut none) = (0, 0, 0);
    for seed in 0..SYSTEMS {
        let Case { system, steps, good, fair, .. } = case(seed);
        let (whole, n) = (Whole::of(&system), system.latches.len());
        let model = Model::new(&system, &steps, Limits::default()).unwrap();
        let space = &model.space;
        let (good_set, fair_set) = (model.states(good).unwrap(), model.states(fair).unwrap());
        let (good, fair) = (whole.states(&system, good), whole.states(&system, fair));
        let everything = reach::reachable(&model, &space.constant(false)).unwrap();
        let region = reachable(&whole);
        // What is known to be reachable may be used or not.
        if seed % 2 == 0 {
            model.focus(&everything).unwrap();
        }

        let found = cycle::can_reach(&model, &everything, &good_set).unwrap();
        assert_eq!(members(&model, n, &found), backwards(&whole, &region, &good, 0), "seed {seed}");

        // Around the good states, and through the fair ones.
        let avoiding: BTreeSet<usize> = region.difference(&good).copied().collect();
        let avoiding_set = space.minus(&everything, &good_set).unwrap();
        let found = cycle::lasting(&model, &avoiding_set).unwrap();
        assert_eq!(members(&model, n, &found), going_round(&whole, &avoiding, &avoiding), "seed {seed}");
        if !found.is_empty() {
            loops += 1;
            let lasso = cycle::lasso(&model, &found, &space.constant(true)).unwrap();
            let shown = witness::round(&model, &lasso).unwrap();
            assert!(shown.states[lasso.back_to..].iter().all(|state| avoiding.contains(&number(state))));
        }
        let found = cycle::recurring(&model, &everything, &fair_set).unwrap();
        assert_eq!(members(&model, n, &found), going_round(&whole, &region, &fair), "seed {seed}");
        if found.is_empty() {
            none += 1;
        } else {
            fair_loops += 1;
            let lasso = cycle::lasso(&model, &found, &fair_set).unwrap();
            let shown = witness::round(&model, &lasso).unwrap();
            assert!(shown.states[lasso.back_to..].iter().any(|state| fair.contains(&number(state))));
        }
    }
    assert!(
        loops > 50 && fair_loops > 50 && none > 50,
        "{loops} {fair_loops} {none}: the sample is too easy"
    );
}

#[test]
fn what_is_fair() {
    let (mut some, mut none, mut less) = (0, 0, 0);
    for seed in 0..SYSTEMS {
        let mut dice = oracle::Dice::new(seed);
        let Case { system, steps, good, .. } = case(seed);
        let (whole, n) = (Whole::of(&system), system.latches.len());
        // All sets of states are looked at.
        if n > 3 {
            continue;
        }
        let model = Model::new(&system, &steps, Limits::default()).unwrap();
        let space = &model.space;
        let everything = reach::reachable(&model, &space.constant(false)).unwrap();
        let fairness = oracle::fairness(&mut dice, n);
        let set = |states: &BTreeSet<usize>| {
            states.iter().fold(space.constant(false), |all, &state| {
                space.or(&all, &model.single(&bits(state, n)).unwrap()).unwrap()
            })
        };
        let sets = cycle::Fairness {
            again: fairness.again.iter().map(set).collect(),
            pairs: fairness.pairs.iter().map(|(first, second)| (set(first), set(second))).collect(),
        };
        let good_set = model.states(good).unwrap();
        let region: BTreeSet<usize> =
            reachable(&whole).difference(&whole.states(&system, good)).copied().collect();
        let within = space.minus(&everything, &good_set).unwrap();
        let cycles = whole.fair_sets(&region, &fairness);
        let found = cycle::fair(&model, &within, &sets).unwrap();
        let recurring: BTreeSet<usize> = cycles.iter().flatten().copied().collect();
        let leading = backwards(&whole, &region, &recurring, 0);
        let states = members(&model, n, &found);
        assert!(recurring.is_subset(&states) && states.is_subset(&leading), "seed {seed}");
        if found.is_empty() {
            none += 1;
            continue;
        }
        some += 1;
        less += usize::from(found != cycle::lasting(&model, &within).unwrap());
        let lasso = cycle::fair_lasso(&model, &found, &sets).unwrap();
        let shown = witness::round(&model, &lasso).unwrap();
        let visited: BTreeSet<usize> = shown.states[lasso.back_to..].iter().map(|s| number(s)).collect();
        assert!(cycles.contains(&visited), "seed {seed}: {visited:?}");
    }
    assert!(some > 100 && none > 100 && less > 20, "{some} {none} {less}: the sample is too easy");
}

/// Facts that are true of all reachable states change nothing; others are noticed.
#[test]
fn lemmas_are_confirmed() {
    let (mut used, mut refused) = (0, 0);
    for seed in 0..SYSTEMS {
        let Case { mut system, steps, good, fair, .. } = case(seed);
        let (whole, n) = (Whole::of(&system), system.latches.len());
        let region = reachable(&whole);
        system.lemmas = vec![system.graph.or(good, !fair), system.graph.or(good, fair)];
        system.lemmas.truncate(1 + seed as usize % 2);
        let true_everywhere =
            system.lemmas.iter().all(|&lemma| region.is_subset(&whole.states(&system, lemma)));
        let model = Model::new(&system, &steps, Limits::default()).unwrap();
        match reach::reachable(&model, &model.space.constant(false)) {
            Ok(found) => {
                assert!(true_everywhere, "seed {seed}");
                assert_eq!(members(&model, n, &found), region, "seed {seed}");
                used += 1;
            }
            Err(failure) => {
                assert!(matches!(failure, Failure::Internal(_)) && !true_everywhere, "seed {seed}");
                refused += 1;
            }
        }
    }
    assert!(used > 100 && refused > 100, "{used} {refused}");
}

fn number(state: &[bool]) -> usize {
    state.iter().enumerate().map(|(i, &bit)| usize::from(bit) << i).sum()
}
