//! Initial states under assumptions: the literal rules, blind enumeration, early tests, search, the SAT solver and the
//! explicit search agree about which there are.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Reductions, Task};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::flat::{Enumerate, Flat, Outcome};
use swarmcheck_ir::ground::{Ground, Runner};
use swarmcheck_ir::initial::{Found, Order};
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_reference as reference;
use swarmcheck_simulate::{Rng, Start, Starts};
use swarmcheck_symbolic::initial::{InitialState, initial_state};
use swarmcheck_testkit::{generate, read, sides};

type Values = Vec<Option<i64>>;

fn flat(text: &str) -> Flat {
    let model = read(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    Flat::new(lower::lower(&model, text, Options::default()).expect("a small program").program)
}

#[derive(Default, Debug)]
struct Seen {
    systems: usize,
    errors: usize,
    none: usize,
    taken_apart: usize,
    incomplete: usize,
    states: usize,
    unknown: usize,
    /// Systems with agents that can be sorted.
    sorted: usize,
}

/// All initial states, by early tests, and whether an error was met.
fn enumerated(ground: &Ground) -> (BTreeSet<Vec<i64>>, bool) {
    let mut all = BTreeSet::new();
    let (mut runner, mut choices) = (Runner::default(), Enumerate::default());
    let mut state = vec![0; ground.width()];
    loop {
        match runner.initialise(ground, &mut state, &mut choices) {
            Outcome::Done => drop(all.insert(state.clone())),
            Outcome::Disabled => {}
            Outcome::Fault(_) => return (all, true),
        }
        if !choices.advance() {
            return (all, false);
        }
    }
}

/// Where agents of a kind can be sorted, initial states are closed under permutations of them, and sorting leaves at least
/// one of each orbit. Says whether there is such a kind.
fn sorted_agents(flat: &Flat, ground: &Ground, all: &BTreeSet<Vec<i64>>, text: &str) -> bool {
    let mut any = false;
    for kind in &flat.program.kinds {
        let group: Vec<u32> = (kind.first..kind.first + kind.count).collect();
        let Some(fewer) = ground.with_sorted_agents(std::slice::from_ref(&group)) else { continue };
        any = true;
        let (fewer, fault) = enumerated(&fewer);
        assert!(!fault && fewer.is_subset(all), "{text}");
        let exchanged = |state: &[i64], a: u32, b: u32| -> Vec<i64> {
            let image = |slot: u32| {
                let cell = flat.layout.cell(slot);
                let other = match cell.agent {
                    Some(agent) if agent == a => b,
                    Some(agent) if agent == b => a,
                    _ => return slot,
                };
                flat.layout.copy(cell.var, other).expect("the same kind") + cell.index
            };
            (0..state.len() as u32).map(|slot| state[image(slot) as usize]).collect()
        };
        // What exchanging neighbours leads to, from the sorted ones on.
        let mut reached = fewer.clone();
        let mut open: Vec<Vec<i64>> = fewer.into_iter().collect();
        while let Some(state) = open.pop() {
            for pair in group.windows(2) {
                let next = exchanged(&state, pair[0], pair[1]);
                assert!(all.contains(&next), "{state:?} is not permuted to an initial state\n{text}");
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        assert_eq!(&reached, all, "{text}");
    }
    any
}

/// Compares all ways to find the initial states of one system.
fn compare(text: &str, seen: &mut Seen) {
    let model = read(text).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let flat = flat(text);
    let ground = Ground::new(&flat.program);
    let interpreter = reference::Interpreter::new(&model, reference::Options::default());
    let literal = interpreter
        .initial_states()
        .map(|states| states.iter().map(|s| interpreter.observe(s).values).collect::<BTreeSet<Values>>());
    let shown = |state: &[i64]| sides::observe_flat(&model, &flat, state).values;
    let (states, fault) = enumerated(&ground);
    let early: BTreeSet<Values> = states.iter().map(|state| shown(state)).collect();
    seen.systems += 1;
    seen.taken_apart += usize::from(ground.problem().is_some());
    seen.incomplete += usize::from(ground.problem().is_some_and(|p| !p.is_complete()));
    let Ok(expected) = literal else {
        // A draw may meet the error or not.
        assert!(fault, "an error was not met\n{text}");
        seen.errors += 1;
        return;
    };
    assert!(!fault, "an error that is none\n{text}");
    assert_eq!(early, expected, "{text}");
    seen.states += expected.len();
    seen.none += usize::from(expected.is_empty());
    seen.sorted += usize::from(sorted_agents(&flat, &ground, &states, text));
    if let Some(problem) = ground.problem() {
        match problem.solve(Order::Ascending, u64::MAX, &mut 0, &|| false) {
            Found::None => assert!(expected.is_empty(), "{text}"),
            Found::Values(_) => assert!(!expected.is_empty() || !problem.is_complete(), "{text}"),
            other => panic!("{other:?}\n{text}"),
        }
    }
    for seed in 0..3 {
        match Starts::new(&flat).draw(Rng::new(seed), &|| false) {
            Ok(Start::Ready(run)) => assert!(expected.contains(&shown(run.state())), "{text}"),
            Ok(Start::Impossible) => assert!(expected.is_empty(), "{text}"),
            _ => panic!("no answer\n{text}"),
        }
    }
    match initial_state(&flat.program, 100_000, &AtomicBool::new(false)) {
        InitialState::Found(state) => assert!(expected.contains(&shown(&state)), "{text}"),
        InitialState::None => assert!(expected.is_empty(), "{text}"),
        InitialState::Unknown => seen.unknown += 1,
    }
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    for threads in [1, 2] {
        let task = Task { deadlock: true, reductions: Reductions::NONE, threads, ..Task::new(&flat) };
        let findings = Explicit.run(&task, &control);
        assert_eq!(findings[0].effort.initial, expected.len() as u64, "{threads} threads\n{text}");
    }
}

#[test]
fn every_way_finds_the_same_initial_states() {
    let systems = std::env::var("SWARMCHECK_SYSTEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    let mut seen = Seen::default();
    for seed in 0..systems {
        compare(&generate::beginnings(seed), &mut seen);
    }
    println!("{seen:?}");
    let percent = |n: usize| 100 * n / seen.systems;
    assert!(percent(seen.taken_apart) > 80 && percent(seen.none) > 5 && percent(seen.none) < 60, "{seen:?}");
    assert!(percent(seen.errors) > 1 && percent(seen.unknown) < 5 && seen.incomplete > 0, "{seen:?}");
    assert!(percent(seen.sorted) > 10, "{seen:?}");
    assert!(seen.states > 10 * seen.systems, "{seen:?}");
}

/// So many agents on different cells of a square.
fn apart(agents: usize, side: usize) -> String {
    format!(
        "system {{ spawn = A: {agents} }}
         agent A {{ interface = x: 0..{side}; y: 0..{side}  Behavior = Nil }}
         assume {{ Apart = forall A a, forall A b, a = b or x of a != x of b or y of a != y of b }}"
    )
}

/// The values of a variable of all agents.
fn of_agents(text: &str, name: &str, state: &[i64]) -> Vec<i64> {
    let flat = flat(text);
    let at = flat.program.vars.iter().position(|v| v.name == name).expect("a variable");
    let slots = flat.layout.copies(swarmcheck_ir::VarId(at as u32));
    slots.iter().map(|slot| state[*slot as usize]).collect()
}

/// Draws a state, and says how much effort that was.
fn effort(text: &str, seed: u64) -> (Option<Vec<i64>>, u64) {
    let flat = flat(text);
    let starts = Starts::new(&flat);
    match starts.draw(Rng::new(seed), &|| false) {
        Ok(Start::Ready(run)) => {
            assert!(!run.is_uniform() || starts.effort() <= 1000, "{text}");
            (Some(run.state().to_vec()), starts.effort())
        }
        Ok(Start::Impossible) => (None, starts.effort()),
        _ => panic!("no answer\n{text}"),
    }
}

#[test]
fn sixteen_agents_find_their_cells_at_once() {
    for seed in 0..20 {
        let (state, effort) = effort(&apart(16, 4), seed);
        // A thousand draws, then a search that hardly ever has to go back: 32 cells, 120 pairs, 4 values.
        assert!(effort < 40_000, "seed {seed}: {effort}");
        let state = state.expect("a state");
        let text = apart(16, 4);
        let cells: BTreeSet<(i64, i64)> =
            of_agents(&text, "x", &state).into_iter().zip(of_agents(&text, "y", &state)).collect();
        assert_eq!(cells.len(), 16);
    }
}

/// Different seeds give different states: values are tried in random order.
#[test]
fn a_search_depends_on_the_seed_and_on_nothing_else() {
    let found: BTreeSet<Vec<i64>> =
        (0..10).map(|seed| effort(&apart(16, 4), seed).0.expect("a state")).collect();
    assert_eq!(found.len(), 10);
    assert_eq!(effort(&apart(16, 4), 3), effort(&apart(16, 4), 3));
}

#[test]
fn too_few_cells_are_seen_by_counting() {
    for (agents, side) in [(5, 2), (10, 3), (17, 4), (40, 6)] {
        let (state, effort) = effort(&apart(agents, side), 1);
        assert_eq!(state, None);
        assert!(effort < 100_000, "{agents} on {side} × {side}: {effort}");
    }
    // However the assumption is written, and where only some pairs are mentioned.
    let far = "forall A a, forall A b, a >= b or abs(x of a - x of b) + abs(y of a - y of b) >= 1";
    let text = apart(10, 3);
    let text = text.replace("forall A a, forall A b, a = b or x of a != x of b or y of a != y of b", far);
    assert_eq!(effort(&text, 1).0, None);
}

/// Of the 16! ways to stand on sixteen cells one is enough where agents can be exchanged, and of the ways to stand on nine
/// of them as many as there are sets of nine cells.
#[test]
fn interchangeable_agents_begin_once() {
    let count = |agents: u32| {
        let flat = flat(&apart(agents as usize, 4));
        let ground = Ground::new(&flat.program);
        let sorted = ground.with_sorted_agents(&[(0..agents).collect()]).expect("a symmetric start");
        enumerated(&sorted).0.len()
    };
    assert_eq!((count(16), count(9)), (1, 11_440));
    // Somebody is told apart from the others.
    let text = apart(4, 4).replace("assume {", "assume { First = x of 0 = 0 ");
    let ground = Ground::new(&flat(&text).program);
    assert!(ground.with_sorted_agents(&[(0..4).collect()]).is_none());
    assert!(ground.with_sorted_agents(&[(1..4).collect()]).is_some());
}

/// 2x + 4y is even: exhausted by bounds and forward checking.
#[test]
fn arithmetic_alone_shows_that_there_is_none() {
    let text = "system { environment = p: 0..1000; q: 0..1000  spawn = A: 1 }
                agent A { interface = z: 0..50  Behavior = Nil }
                assume { Odd = 2 * p + 4 * q = 3001 }";
    let (state, effort) = effort(text, 1);
    assert_eq!(state, None);
    assert!(effort < 4_000_000, "{effort}");
}

/// The goal is in the environment, and agents stand in a row from there on: one state in 10²¹.
#[test]
fn environment_and_agents_are_linked() {
    let text = "system { environment = goal: 0..1000  spawn = A: 8 }
                agent A { interface = x: 0..1000  Behavior = Nil }
                assume {
                  Near = forall A a, x of a = goal + id of a
                  High = goal > 900
                }";
    let (state, effort) = effort(text, 7);
    let state = state.expect("a state");
    let goal = state[0];
    let expected: Vec<i64> = (0..8).map(|agent| goal + agent).collect();
    assert!(goal > 900 && of_agents(text, "x", &state) == expected, "{state:?}");
    assert!(effort < 200_000, "{effort}");
}

/// Everybody has a neighbour with the next number, and somebody has the least one: a ring that chance does not find.
#[test]
fn quantifiers_may_alternate() {
    let text = "system { spawn = A: 9 }
                agent A { interface = x: 0..9  Behavior = Nil }
                assume {
                  Follow = forall A a, exists A b, x of b = (x of a + 1) % 9
                  Least = exists A a, forall A b, x of a <= x of b
                }";
    let (state, effort) = effort(text, 2);
    let mut numbers = of_agents(text, "x", &state.expect("a state"));
    numbers.sort_unstable();
    assert_eq!(numbers, (0..9).collect::<Vec<i64>>());
    assert!(effort < 2_000_000, "{effort}");
}
