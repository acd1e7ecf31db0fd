//! Symmetries of the data, against all images of all states.

use crate::explore::{explore, explore_by, step_all};
use crate::models::{example, read};
use std::collections::{BTreeSet, HashSet};
use swarmcheck_ir::flat::{Flat, Layout, Machine};
use swarmcheck_ir::{Program, Value, VarId};
use swarmcheck_labs::lower::Options;
use swarmcheck_passes::data_symmetry::{DataSymmetries, data_symmetries};
use swarmcheck_passes::monitor::monitor;
use swarmcheck_passes::stale::stale;

fn all(program: &Program) -> Vec<usize> {
    (0..program.properties.len()).collect()
}

fn flock(parameters: &str) -> Program {
    example("flock/flock.labs", parameters, Options { fair: true, ..Options::default() })
}

fn model(text: &str) -> Program {
    read(text, "", Options::default())
}

fn images(found: &DataSymmetries, layout: &Layout, state: &[Value]) -> Vec<Vec<Value>> {
    let mut out = vec![state.to_vec()];
    for symmetry in &found.symmetries {
        let mut image = vec![0; state.len()];
        symmetry.apply(layout, state, &mut image);
        out.push(image);
    }
    out
}

/// What brute force says about a program: its states, how many differ by more than a mirror, and how many the search with
/// representatives visits. Checks that mirrors commute with steps, keep conditions and errors, and form a group; and that
/// the answers are the same.
fn orbits(program: &Program) -> (usize, usize, usize) {
    let found = data_symmetries(program, &all(program), &[]).expect("there is a symmetry");
    let graph = explore(program.clone());
    let layout = &graph.flat.layout;
    let mut machine = Machine::new(&graph.flat);
    let (mut seen, mut orbits) = (HashSet::new(), 0);
    for (number, state) in graph.states.iter().enumerate() {
        let all = images(&found, layout, state);
        orbits += usize::from(!all.iter().any(|image| seen.contains(image)));
        seen.insert(state.clone());
        let orbit: BTreeSet<&Vec<Value>> = all.iter().collect();
        let (_, faults) = step_all(&graph.flat, &mut machine, state);
        let truth = truths(&graph.flat, &mut machine, state);
        for (at, image) in all.iter().enumerate().skip(1) {
            let again = images(&found, layout, image);
            assert_eq!(again.iter().collect::<BTreeSet<_>>(), orbit, "a group: {state:?}");
            let (next, errors) = step_all(&graph.flat, &mut machine, image);
            let mapped = graph.next[number].iter().map(|n| {
                let mut out = vec![0; image.len()];
                found.symmetries[at - 1].apply(layout, &graph.states[*n], &mut out);
                out
            });
            let next: BTreeSet<Vec<Value>> = next.into_iter().collect();
            assert_eq!(next, mapped.collect::<BTreeSet<_>>(), "{state:?} {image:?}");
            assert_eq!(errors.len(), faults.len(), "{state:?} {image:?}");
            assert_eq!(truths(&graph.flat, &mut machine, image), truth, "{state:?} {image:?}");
        }
    }
    let least = |state: &mut [Value]| {
        let least = images(&found, layout, state).into_iter().min().expect("the state itself");
        state.copy_from_slice(&least);
    };
    let quotient = explore_by(program.clone(), &mut { least });
    assert_eq!(quotient.answers().0, graph.answers().0);
    assert_eq!(quotient.deadlock(), graph.deadlock());
    assert_eq!(quotient.faults.is_empty(), graph.faults.is_empty());
    (graph.states.len(), orbits, quotient.states.len())
}

fn truths(flat: &Flat, machine: &mut Machine, state: &[Value]) -> Vec<Option<bool>> {
    let exprs = flat.program.properties.iter().flat_map(|p| p.exprs());
    exprs.map(|e| machine.test(flat, &flat.compile(e), state).ok()).collect()
}

/// `x := 4 - x, d := -d; …`: what each mirror does to what it moves, in the order of the mirrors.
fn found(program: &Program) -> String {
    let name = |v: VarId| &program.var(v).name;
    let Some(found) = data_symmetries(program, &all(program), &[]) else { return String::new() };
    let one = |symmetry: &swarmcheck_passes::data_symmetry::DataSymmetry| {
        let moved = (0..program.vars.len() as u32).map(VarId).filter(|v| symmetry.moves(*v));
        let each = moved.map(|v| {
            let image = symmetry.images[v.0 as usize];
            let value = match image.sum {
                None => name(v).clone(),
                Some(0) => format!("-{}", name(v)),
                Some(sum) => format!("{sum} - {}", name(v)),
            };
            format!("{} := {value}", name(image.to))
        });
        each.collect::<Vec<_>>().join(", ")
    };
    found.symmetries.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn size(program: &Program) -> usize {
    data_symmetries(program, &all(program), &[]).map_or(1, |m| m.symmetries.len() + 1)
}

/// The eight symmetries of the square, written down for this model: how many states of a flock differ by more.
fn squares(program: &Program, grid: Value) -> usize {
    let graph = explore(program.clone());
    let slot = |name: &str, bird: u32| {
        let var = program.vars.iter().position(|v| v.name == name).expect("birds have it");
        graph.flat.layout.copy(VarId(var as u32), bird).expect("all birds have it") as usize
    };
    let turned = |state: &Vec<Value>, turn: u32| {
        let mut out = state.clone();
        for bird in 0..program.agents() {
            let [x, y, dx, dy] = ["x", "y", "dirX", "dirY"].map(|name| slot(name, bird));
            if turn & 1 != 0 {
                (out[x], out[dx]) = (grid - 1 - out[x], -out[dx]);
            }
            if turn & 2 != 0 {
                (out[y], out[dy]) = (grid - 1 - out[y], -out[dy]);
            }
            if turn & 4 != 0 {
                out.swap(x, y);
                out.swap(dx, dy);
            }
        }
        out
    };
    let least = |state: &Vec<Value>| (0..8).map(|turn| turned(state, turn)).min();
    graph.states.iter().map(least).collect::<HashSet<_>>().len()
}

/// The numbers of states are those of the example's table of verdicts; those of orbits were found by a program for this
/// model alone as well, which shares nothing with this one.
#[test]
fn a_flock_on_a_square() {
    let program = flock("birds=2 grid=3 delta=3");
    assert_eq!(size(&program), 8);
    assert_eq!(orbits(&program), (14_580, 1_962, 1_962));
    assert_eq!(squares(&program, 3), 1_962);
    let program = flock("birds=2 grid=4 delta=1");
    assert_eq!(size(&program), 8);
    assert_eq!(squares(&program, 4), 5_518);
}

/// On a grid of two by two forward is backward, so that positions and headings can be mirrored, and also exchanged, on
/// their own: two groups of eight.
#[test]
fn a_very_small_square() {
    let program = flock("birds=2 grid=2 delta=2");
    assert_eq!(size(&program), 64);
    let (states, orbits, visited) = orbits(&program);
    assert_eq!(states, 2_880);
    assert_eq!(orbits, visited);
    // Messages that are dropped are dropped alike.
    let after = stale(&program).program;
    assert_eq!(size(&after), 64);
    let (_, orbits, visited) = self::orbits(&after);
    assert_eq!(orbits, visited);
}

/// One agent on a line with a heading, and what it does.
fn line(init: &str, process: &str, predicate: &str) -> Program {
    model(&format!(
        "system {{ spawn = A: 1 }}
        agent A {{ interface = {init} Behavior = {process}; Behavior }}
        check {{ P = always forall A a, {predicate} }}"
    ))
}

const WALK: &str = "x: 0..5; d: [-1, 1]";

#[test]
fn what_is_mirrored_together() {
    let walk = line(WALK, "x <- (x + d) % 5", "d of a != 0");
    assert_eq!(found(&walk), "x := 4 - x, d := -d");
    assert_eq!(orbits(&walk), (10, 5, 5));
    // Chosen at random: the choices correspond.
    let jump = line("x: 0..5", "x <- [0..5]", "x of a * (4 - x of a) < 5");
    assert_eq!(found(&jump), "x := 4 - x");
    assert_eq!(orbits(&jump), (5, 3, 3));
    // Through a local variable, and by a branch.
    let bounce =
        line(WALK, "{ to := x + d; x <- if to < 0 or to > 4 then x else to }", "d of a * d of a = 1");
    assert_eq!(found(&bounce), "x := 4 - x, d := -d");
    orbits(&bounce);
}

#[test]
fn guards_that_tell_sides_apart() {
    assert_eq!(found(&line(WALK, "(x < 3 -> x <- (x + d) % 5)", "d of a != 0")), "");
    let middle = line(WALK, "(x > 0 and x < 4 -> x <- (x + d) % 5)", "d of a != 0");
    assert_eq!(found(&middle), "x := 4 - x, d := -d");
    orbits(&middle);
    assert_eq!(found(&line(WALK, "x <- (x + 1) % 5", "d of a != 2")), "d := -d", "x goes one way only");
}

#[test]
fn properties_that_tell_sides_apart() {
    for predicate in ["x of a != 0", "d of a < 1", "x of a + d of a < 6"] {
        let expected = if predicate.starts_with("x of a + ") { "x := 4 - x, d := -d" } else { "" };
        // x + d is less than 6 everywhere, so the third does not.
        assert_eq!(found(&line(WALK, "x <- (x + d) % 5", predicate)), expected, "{predicate}");
    }
    let plane = |predicate: &str| {
        let text = format!(
            "system {{ spawn = A: 2 }}
            agent A {{ interface = x: 0..3; y: 0..3 Behavior = x, y <- 2 - x, 2 - y; Behavior }}
            check {{ P = always forall A a, forall A b, {predicate} }}"
        );
        model(&text)
    };
    assert_eq!(size(&plane("x of a = x of b or y of a = y of b")), 8);
    assert_eq!(size(&plane("x of a = x of b")), 4, "x only, but either side");
    assert_eq!(size(&plane("x of a != 0")), 2, "y is free");
    assert_eq!(found(&plane("x of a < y of a")), "y := 2 - x, x := 2 - y");
    assert_eq!(orbits(&plane("x of a = x of b or y of a = y of b")).0, 81);
}

/// Images of reachable states need not be reachable: what counts is which orbits are.
#[test]
fn initial_states_that_are_not_closed() {
    let program = line("x: 0..2; d: 1", "(x <- (x + d) % 5 ++ d <- -d)", "x of a != 7");
    assert_eq!(found(&program), "x := 4 - x, d := -d");
    assert_eq!(orbits(&program), (10, 5, 5));
    // From the first place, one step: nobody is ever in the last place at the beginning, so that no two of the six states
    // are images of each other.
    let program = model(
        "system { spawn = A: 1 }
        agent A { interface = x: 0; d: -1..2 Behavior = x <- (x + d) % 5 }
        check { P = finally forall A a, x of a + d of a != 7 }",
    );
    assert_eq!(found(&program), "x := 4 - x, d := -d");
    assert_eq!(orbits(&program), (6, 6, 6));
}

#[test]
fn remainders_and_divisions() {
    // A remainder is never negative, so it does not commute with a change of signs; the quotient does.
    assert_eq!(found(&line("x: -3..4", "x <- x % 2", "x of a != 9")), "");
    let half = line("x: -3..4", "x <- x / 2", "x of a != 9");
    assert_eq!(found(&half), "x := -x");
    assert_eq!(orbits(&half), (7, 4, 4));
    // Going round at 4 leaves out the last of five places.
    assert_eq!(found(&line(WALK, "x <- (x + d) % 4", "d of a != 0")), "");
}

/// A number too large on one side only is noticed; one on both sides does no harm.
#[test]
fn errors_are_mirrored_as_well() {
    let large = |guard: &str| line("x: 0..5", &format!("({guard} -> x <- 4 - x)"), "x of a != 9");
    assert_eq!(found(&large("9223372036854775805 + x > 0")), "");
    let both = large("4611686018427387904 * (x - 2) * (x - 2) >= 0");
    assert_eq!(found(&both), "x := 4 - x");
    orbits(&both);
    let arrays = |index: &str| {
        model(&format!(
            "system {{ environment = t[4]: 7 spawn = A: 1 }}
            agent A {{ interface = x: 0..5 Behavior = t[{index}] = 7 -> x <- 4 - x; Behavior }}
            check {{ P = always forall A a, x of a != 9 }}"
        ))
    };
    assert_eq!(found(&arrays("x")), "", "there is no t[4]");
    assert_eq!(found(&arrays("(x - 2) * (x - 2)")), "x := 4 - x", "there is none on either side");
    orbits(&arrays("(x - 2) * (x - 2)"));
}

/// Values that travel together can be exchanged; those with timestamps of their own cannot.
#[test]
fn keys_of_one_tuple_and_of_two() {
    let together = model(
        "system { spawn = A: 2 }
        stigmergy S { link = true a, b: [1, 2], [1, 2] }
        agent A { interface = n: 0 stigmergies = S Behavior = n = 0 -> n <- 1; a, b <~ b, a }
        check { P = always forall A x, a of x != 7 or b of x != 7 }",
    );
    // What is assigned to each comes from the other, so they are mirrored together or not at all.
    let expected = "a := 3 - a, b := 3 - b; b := a, a := b; b := 3 - a, a := 3 - b";
    assert_eq!(found(&together), expected);
    let apart = model(
        "system { spawn = A: 2 }
        stigmergy S { link = true a: [1, 2] b: [1, 2] }
        agent A { interface = n: 0 stigmergies = S Behavior = n = 0 -> n <- 1; a <~ 3 - a; b <~ 3 - b }
        check { P = always forall A x, a of x != 7 or b of x != 7 }",
    );
    assert_eq!(found(&apart), "b := 3 - b; a := 3 - a; a := 3 - a, b := 3 - b");
}

#[test]
fn variables_that_must_stay() {
    let program = line(WALK, "x <- (x + d) % 5", "d of a != 0");
    let d = program.vars.iter().position(|v| v.name == "d").expect("there is one");
    assert_eq!(data_symmetries(&program, &[0], &[VarId(d as u32)]), None);
}

#[test]
fn what_is_too_large_is_refused() {
    let wide = |hi: u32| line(&format!("x: 0..{hi}"), &format!("x <- {} - x", hi - 1), "x of a != -1");
    assert_eq!(found(&wide(4_000)), "x := 3999 - x");
    assert_eq!(found(&wide(5_000)), "", "more values than are looked at");
    assert_eq!(found(&line("x: 0", "x <- x + 1", "x of a != -1")), "", "no bounds");
}

#[test]
fn scopes() {
    let scoped = |from: &str| {
        let program = model(&format!(
            "system {{ spawn = A: 1 }}
            agent A {{ interface = {WALK} Behavior = x <- (x + d) % 5; Behavior }}
            check {{ P = between (forall A a, {from}) and (forall A b, x of b = 2), always forall A c, d of c != 0 }}"
        ));
        let monitored = monitor(&program, 0).program;
        let moved = found(&monitored);
        if !moved.is_empty() {
            let (_, orbits, visited) = orbits(&monitored);
            assert_eq!(orbits, visited);
        }
        moved
    };
    assert_eq!(scoped("x of a = 1 or x of a = 3"), "x := 4 - x, d := -d");
    assert_eq!(scoped("x of a = 1"), "");
}
