//! A machine that follows a state makes the same steps as one that does not: same outcomes, same states, same writes in the same order,
//! and watched conditions have the values of the conditions.

use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Chooser, Code, Flat, Machine, Outcome, Seen, Watched};
use swarmcheck_ir::program::Role;
use swarmcheck_labs::lower::{self, Options};
use swarmcheck_labs::{check, syntax};
use swarmcheck_source::{Severity, Span};

const FLOCK: &str = include_str!("../../../examples/flock/flock.labs");
const BOIDS: &str = include_str!("../../../examples/boids/boids.labs");
const ANTS: &str = include_str!("../../../examples/ants/ants.labs");
const FORMATION: &str = include_str!("../../../examples/formation/formation.labs");
const LEADER: &str = include_str!("../../../examples/leader/leader.labs");

fn flat(text: &str, parameters: &[(&str, i64)], options: Options) -> Flat {
    let parameters: Vec<_> = parameters.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let (file, mut diagnostics) = syntax::parse(text);
    let (model, more) = check::check(&file, Span::new(text.len(), text.len()), &parameters);
    diagnostics.extend(more);
    let errors: Vec<_> =
        diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| &d.message).collect();
    let model = model.filter(|_| errors.is_empty()).unwrap_or_else(|| panic!("{errors:?}\n{text}"));
    Flat::new(lower::lower(&model, text, options).expect("a small program").program)
}

#[derive(Clone)]
struct Random(fastrand::Rng);

impl Chooser for Random {
    fn choose(&mut self, n: u64) -> u64 {
        self.0.u64(..n)
    }
}

/// What a comparison has seen.
#[derive(Default, Debug)]
struct Tally {
    done: u32,
    faults: u32,
    undone: u32,
    /// How often a condition was true, and false.
    truths: [u32; 2],
    grids: usize,
    sparse: bool,
}

/// Makes steps on both sides and compares.
fn compare(flat: &Flat, attempts: u32, seed: u64) -> Tally {
    let mut tally = Tally::default();
    let mut random = Random(fastrand::Rng::with_seed(seed));
    let (mut plain, mut quick) = (Machine::new(flat), Machine::new(flat));
    let mut expected = vec![0; flat.width()];
    while plain.initialise(flat, &mut expected, &mut random) != Outcome::Done {}
    let mut state = expected.clone();
    quick.follow(flat, &state);
    (tally.grids, tally.sparse) = (quick.grids(), quick.is_sparse());
    let is_order = |slot: u32| flat.program.var(flat.layout.cell(slot).var).role == Role::Order;
    let others = |writes: &[(u32, Value)]| -> Vec<(u32, Value)> {
        writes.iter().filter(|(slot, _)| !is_order(*slot)).copied().collect()
    };
    let exprs = flat.program.properties.iter().flat_map(|property| property.exprs());
    let mut conditions: Vec<(Code, Watched, Seen)> =
        exprs.map(|e| (flat.compile(e), Watched::new(flat, e), Seen::default())).collect();
    let mut looks = true;
    let mut writes = vec![];
    for _ in 0..attempts {
        if std::mem::take(&mut looks) {
            for (code, watched, seen) in &mut conditions {
                let right = plain.test(flat, code, &expected);
                assert_eq!(
                    watched.test(&mut quick, flat, &state, seen, &writes),
                    right,
                    "seed {seed}: {code:?}"
                );
                tally.truths[usize::from(right == Ok(true))] += 1;
            }
        }
        let at = flat.instance(random.0.u32(..flat.instances()));
        let mut same = random.clone();
        let outcome = plain.step(flat, at, &mut expected, &mut random);
        assert_eq!(quick.step(flat, at, &mut state, &mut same), outcome, "seed {seed}: {at:?}");
        assert_eq!(others(quick.writes()), others(plain.writes()), "seed {seed}: {at:?}");
        writes = quick.writes().to_vec();
        tally.faults += u32::from(matches!(outcome, Outcome::Fault(_)));
        if outcome == Outcome::Done && random.0.u32(..6) == 0 {
            plain.undo(&mut expected);
            quick.undo(&mut state);
            tally.undone += 1;
        } else if outcome == Outcome::Done {
            looks = true;
            tally.done += 1;
        }
        let mut ranked = state.clone();
        quick.dense(flat, &mut ranked);
        assert!(ranked == expected, "seed {seed}: another state after {at:?}");
    }
    tally
}

/// A model, its parameters, whether its timestamps grow, and how many grids it needs.
type Row<'a> = (&'a str, &'a [(&'a str, i64)], bool, usize);

#[test]
fn examples_with_many_agents() {
    let rows: [Row; 7] = [
        (FLOCK, &[("birds", 60), ("grid", 40), ("delta", 4)], true, 1),
        (FLOCK, &[("birds", 30), ("grid", 5), ("delta", 9)], true, 1),
        (FLOCK, &[("birds", 3), ("grid", 2), ("delta", 0)], true, 1),
        (BOIDS, &[("birds", 20), ("grid", 12), ("delta", 3)], true, 1),
        (ANTS, &[("ants", 20), ("size", 8), ("scent", 3)], false, 0),
        (FORMATION, &[("n", 20), ("size", 30), ("range", 2)], true, 1),
        (LEADER, &[("n", 20)], true, 0),
    ];
    for (text, parameters, sparse, grids) in rows {
        for sync in [false, true] {
            let flat = flat(text, parameters, Options { sync, ..Options::default() });
            let tally = compare(&flat, 1500, 7);
            if !sync {
                assert!(tally.done > 50 && tally.undone > 5, "{tally:?}");
                assert_eq!((tally.sparse, tally.grids), (sparse, grids), "{parameters:?}");
            }
        }
    }
}

/// A system of birds with a link predicate and a way to move.
fn birds(link: &str, moves: &str) -> String {
    format!(
        "system {{ spawn = Bird: 12; Tree: 3 }}
stigmergy S {{
  link = {link}
  heading: [-1, 1]
}}
agent Bird {{
  interface = x: -4..9; y: 0..9
  stigmergies = S
  Behavior = (x, y <- {moves}; Behavior) ++ (heading <~ 0 - heading; Behavior)
}}
agent Tree {{
  interface = x: -4..9; y: 0..9
  stigmergies = S
  Behavior = heading <~ heading; Behavior
}}
check {{
  Agree = finally forall Bird a, forall Bird b, heading of a = heading of b
  Meet = always exists Bird a, exists Tree b, x of a = x of b and y of a = y of b
  Far = always forall Bird a, x of a < 40 and y of a * 3 < 100
  Some = always (count Bird a, x of a > 3) > 2 or exists Bird b, heading of b = 1
}}
"
    )
}

/// Link predicates with the number of grids that a delivery needs.
#[test]
fn every_shape_of_link_predicate() {
    let step = "(x + heading) % 9, (y + 2 * heading) % 9";
    let links = [
        ("abs(x of 1 - x of 2) <= 2", 1),
        ("abs(x of 1 - x of 2) + abs(y of 2 - y of 1) < 4", 1),
        ("max(abs(x of 1 - x of 2), abs(y of 2 - y of 1)) <= 2", 1),
        ("9 >= (y of 1 - y of 2) * (y of 1 - y of 2)", 1),
        ("(x of 1 - x of 2) * (x of 1 - x of 2) <= 4 or (x of 2 - x of 1) * (x of 2 - x of 1) = 9", 1),
        ("x of 1 - x of 2 >= 0 and x of 1 - x of 2 <= 3", 1),
        ("x of 2 - x of 1 > 0 and 3 >= x of 2 - x of 1 and y of 1 - y of 2 = 1", 1),
        ("(x of 1 - x of 2) * (x of 1 - x of 2) + 5 <= 4", 0),
        ("(x of 1 - x of 2) * (x of 1 - x of 2) - 5 <= 4", 0),
        ("abs(x of 1 - x of 2) <= 2 or y of 1 = y of 2", 0),
        ("abs(x of 1 - x of 2) % 7 <= 1", 0),
        ("abs(x of 1 - y of 2) <= 2", 0),
        ("x of 1 - x of 2 <= 1", 0),
        ("not (abs(x of 1 - x of 2) <= 2)", 0),
        ("abs(x of 1 - x of 2) >= 2", 0),
        ("true", 0),
    ];
    for (link, grids) in links {
        let flat = flat(&birds(link, step), &[], Options::default());
        let mut truths = [0; 2];
        for seed in 0..3 {
            let tally = compare(&flat, 1200, seed);
            assert_eq!((tally.grids, tally.sparse), (grids, true), "{link}");
            assert!(tally.done > 100, "{link}: {tally:?}");
            truths = [truths[0] + tally.truths[0], truths[1] + tally.truths[1]];
        }
        assert!(truths[0] > 100 && truths[1] > 100, "{link}: {truths:?}");
    }
}

/// Coordinates that leave every grid, and predicates that overflow on the way: the same errors at the same steps.
#[test]
fn coordinates_that_grow_until_numbers_overflow() {
    let mut faults = 0;
    for link in
        ["(x of 1 - x of 2) * (x of 1 - x of 2) <= 16", "abs(x of 1 - x of 2) + abs(y of 1 - y of 2) <= 9"]
    {
        for seed in 0..6 {
            let flat = flat(&birds(link, "x * (2000003 + y % 2), y + 1"), &[], Options::default());
            let tally = compare(&flat, 2500, seed);
            assert_eq!(tally.grids, 1);
            faults += tally.faults;
        }
    }
    assert!(faults > 100, "{faults}");
}

/// A coordinate that is ⊥ at first, and a quotient that may be.
#[test]
fn undefined_coordinates() {
    for link in ["abs(x of 1 - x of 2) <= 2", "abs(x of 1 - x of 2) <= 2 and (x of 1) / (y of 2) = 0"] {
        let text = birds(link, "(x + heading) % 9, (y + 2 * heading) % 9")
            .replace("Bird {\n  interface = x: -4..9;", "Bird {\n  interface = x: undef;")
            .replace("(x, y <- (x + heading) % 9,", "(x, y <- (heading + 1) % 9,");
        let flat = flat(&text, &[], Options::default());
        for seed in 0..4 {
            let tally = compare(&flat, 1500, seed);
            assert!(tally.done > 100, "{tally:?}");
        }
    }
}
