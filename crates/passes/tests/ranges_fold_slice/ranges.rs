//! Every reachable state lies in the ranges.

use crate::examples::{SMALL, example, program, valid};
use crate::search::Space;
use swarmcheck_ir::{KindId, Program, Stmt, VarId};
use swarmcheck_passes::ranges::{Range, narrow, ranges};

fn inside(program: &Program, name: &str) {
    let found = ranges(program);
    let narrowed = narrow(program).program;
    valid(&narrowed);
    let space = Space::explore(program, 50_000, None);
    for state in &space.states {
        for (slot, value) in state.iter().enumerate() {
            let var = space.flat.layout.cell(slot as u32).var;
            let range = found.value(var);
            assert!(range.contains(*value), "{name}: {} = {value} not in {range:?}", program.var(var).name);
            let var = narrowed.var(var);
            let defined = *value != swarmcheck_ir::UNDEF;
            assert!(defined || var.may_be_undef);
            assert!(!defined || var.domain.is_none_or(|(lo, hi)| (lo..=hi).contains(value)));
        }
    }
}

#[test]
fn all_states_of_the_examples() {
    for (name, parameters) in SMALL {
        for fair in [false, true] {
            inside(&example(name, parameters, fair), name);
        }
    }
}

fn range(program: &Program, name: &str) -> Range {
    let at = program.vars.iter().position(|v| v.name == name).expect("a variable");
    ranges(program).value(VarId(at as u32))
}

fn values(of: &[i64]) -> Option<Vec<i64>> {
    Some(of.to_vec())
}

#[test]
fn birds_on_a_torus() {
    let aw = example("boids/aw", "birds=3 grid=10 delta=13", true);
    assert_eq!(range(&aw, "dirX").values, values(&[-1, 1]));
    assert_eq!((range(&aw, "x").lo, range(&aw, "x").hi), (Some(0), Some(9)));
    let large = example("boids/aw", "birds=3 grid=1000 delta=13", true);
    assert_eq!((range(&large, "y").lo, range(&large, "y").hi), (Some(0), Some(999)));
}

#[test]
fn birds_that_turn() {
    let boids = example("boids/boids", "birds=3 grid=5 delta=2", true);
    assert_eq!(range(&boids, "dirX").values, values(&[-1, 1]));
    assert_eq!(range(&boids, "posX").values, values(&[-1, 0, 1, 2, 3, 4]));
    assert_eq!((range(&boids, "members").lo, range(&boids, "members").hi), (Some(1), None));
    assert_eq!(range(&boids, "leader").values, values(&[0, 1, 2]));
    let walls = example("boids/ac", "birds=2 grid=30 delta=2", true);
    assert_eq!((range(&walls, "x").lo, range(&walls, "x").hi), (Some(0), Some(29)));
}

/// An agent with one attribute and one action.
fn counter(init: &str, action: &str) -> Program {
    let text = format!(
        "system {{ spawn = A: 2 }}\nagent A {{ interface = x: {init}\n Behavior = Act; Behavior\n Act = {action} }}\n\
         check {{ P = always forall A a, x of a = x of a }}"
    );
    program(&text, "", false)
}

/// A block behind a guard, with more assignments than facts are kept: what was written is forgotten when it is written again, and what the
/// guard says is not given up for what was written.
#[test]
fn blocks_of_many_assignments() {
    let variables: String = (0..1500).map(|n| format!("; y{n}: 0")).collect();
    let written: String = (0..1500).map(|n| format!("y{n} <- 1; ")).collect();
    let behavior =
        format!("x < 5 -> {{ {written} y0 <- 2; z <- y0; y1499 <- 3; w <- y1499; x <- x + 1 }}; Behavior");
    let text = format!(
        "system {{ spawn = A: 1 }} agent A {{ interface = x: 0; z: 0; w: 0{variables} Behavior = {behavior} }} check {{ }}"
    );
    let program = program(&text, "", false);
    inside(&program, "many assignments");
    assert_eq!(range(&program, "x").values, values(&[0, 1, 2, 3, 4, 5]));
    assert_eq!(range(&program, "z").values, values(&[0, 2]));
    assert_eq!(range(&program, "w").values, values(&[0, 3]));
}

/// Variables are 0 before they are set. In the initial block both kinds, one after the other, get their values: none is 0 afterwards, and a
/// kind without agents does not keep it 0. A kind that is left out does.
#[test]
fn what_the_initial_block_sets() {
    let agent = |name: &str| {
        let own = name.to_lowercase();
        format!("agent {name} {{ interface = x: [3, 4]; {own}: 7..9 Behavior = x <- 5; Behavior }}")
    };
    let agents = ["A", "B", "C"].map(agent).join("\n");
    let mut program =
        program(&format!("system {{ spawn = A: 2, B: 1, C: 0 }} {agents} check {{ }}"), "", false);
    inside(&program, "three kinds");
    assert_eq!(range(&program, "x").values, values(&[3, 4, 5]));
    assert_eq!(range(&program, "a").values, values(&[7, 8]));
    let (before, second) = (program.init.len(), KindId(1));
    program.init.retain(|s| !matches!(s, Stmt::ForEach(kinds, ..) if kinds[..] == [second]));
    assert!(program.init.len() < before);
    inside(&program, "a kind that is not set");
    assert_eq!(range(&program, "x").values, values(&[0, 3, 4, 5]));
    assert_eq!(range(&program, "a").values, values(&[7, 8]));
}

#[test]
fn loops_with_guards() {
    let x = |init: &str, action: &str| {
        let program = counter(init, action);
        let found = range(&program, "x");
        (found.lo, found.hi)
    };
    assert_eq!(x("0", "x < 5 -> x <- x + 1"), (Some(0), Some(5)));
    assert_eq!(x("0", "x < 500 -> x <- x + 1"), (Some(0), Some(500)));
    assert_eq!(x("0", "x + 3 < 500 -> x <- x + 1"), (Some(0), Some(497)));
    assert_eq!(x("0", "x != 5 -> x <- x + 1"), (Some(0), Some(5)));
    assert_eq!(x("0", "x <- x + 1"), (Some(0), None));
    assert_eq!(x("0", "x <- x - 1"), (None, Some(0)));
    assert_eq!(x("0", "x <- (x + 1) % 77"), (Some(0), Some(76)));
    assert_eq!(x("0", "x <- min(x + 1, 99)"), (Some(0), Some(99)));
    assert_eq!(x("0", "x <- if x < 9 then x + 1 else 0"), (Some(0), Some(9)));
    assert_eq!(x("3", "x <- [0..x + 1]"), (Some(0), Some(3)));
    assert_eq!(x("3", "(x > 0 and x < 9) or x = 20 -> x <- x + 1"), (Some(3), Some(9)));
}
