//! A folded program has the same states, the same steps and the same properties.

use crate::examples::{SMALL, example, program, valid};
use crate::search::Space;
use std::collections::HashSet;
use swarmcheck_ir::{Expr, Program, Rule, Value, stmt};
use swarmcheck_passes::fold::fold;
use swarmcheck_passes::ranges::narrow;

pub fn steps(space: &Space) -> HashSet<(&[Value], u32, u32, &[Value])> {
    let each = |(from, steps): (usize, &Vec<(u32, u32, usize)>)| {
        steps.iter().map(move |(f, a, to)| (from, *f, *a, *to)).collect::<Vec<_>>()
    };
    let all = space.steps.iter().enumerate().flat_map(each);
    all.map(|(from, f, a, to)| (space.states[from].as_slice(), f, a, space.states[to].as_slice())).collect()
}

fn unchanged(program: &Program, name: &str) {
    let narrowed = narrow(program).program;
    let folded = fold(&narrowed).program;
    valid(&folded);
    let (before, after) = (Space::explore(program, 50_000, None), Space::explore(&folded, 50_000, None));
    assert_eq!(before.initial, after.initial, "{name}");
    assert_eq!(before.fault, after.fault, "{name}");
    assert!(steps(&before) == steps(&after), "{name}");
    for (old, new) in program.properties.iter().zip(&folded.properties) {
        for (old, new) in old.exprs().into_iter().zip(new.exprs()) {
            assert_eq!(before.holds(old), before.holds(new), "{name}");
        }
    }
    let again = fold(&folded).program;
    valid(&again);
    assert_eq!(again, folded, "{name}: folding again finds nothing");
}

#[test]
fn the_examples() {
    for (name, parameters) in SMALL {
        for fair in [false, true] {
            unchanged(&example(name, parameters, fair), name);
        }
    }
}

/// Whether a message reads a variable.
fn reads(program: &Program, name: &str) -> bool {
    let mut found = false;
    for function in program.functions.iter().filter(|f| matches!(f.rule, Rule::System { .. })) {
        stmt::walk(&function.body, &mut |s| {
            for e in s.exprs() {
                e.walk(&mut |e| found |= matches!(e, Expr::Read(p) if program.var(p.var).name == name));
            }
        });
    }
    found
}

#[test]
fn everybody_sees_everybody() {
    let far = fold(&example("boids/aw", "birds=3 grid=10 delta=13", true)).program;
    let near = fold(&example("boids/aw", "birds=3 grid=10 delta=12", true)).program;
    assert!(!reads(&far, "x") && !reads(&far, "y"));
    assert!(reads(&near, "x") && reads(&near, "y"));
}

#[test]
fn branches_that_are_never_taken() {
    let text = "system { spawn = A: 2 }
        agent A {
          interface = x: 0..3; z: undef
          Behavior = (x > 5 -> x <- 7; Behavior) ++ (x >= 0 -> x <- if x > 2 then 0 else x + 1; Behavior)
        }
        check { P = always forall A a, x of a < 9   Q = always forall A a, z of a = z of a }";
    let program = program(text, "", false);
    let folded = fold(&program).program;
    assert_eq!(folded.properties[0].predicate, Expr::TRUE);
    assert_eq!(folded.properties[1].predicate, Expr::FALSE);
    assert_eq!(folded.functions[0].guard, Expr::FALSE);
    unchanged(&program, "branches");
}

#[test]
fn what_may_fault_stays() {
    let text = "system { environment = a[3]: 1 spawn = A: 1 }
        agent A {
          interface = x: 0
          Behavior = (a[x] = 1 -> x <- x + 1); Behavior
        }
        check { P = always forall A b, x of b >= 0 }";
    let program = program(text, "", false);
    let space = Space::explore(&program, 100, None);
    assert!(space.fault.is_some());
    unchanged(&program, "faults");
}

#[test]
fn a_fault_that_counts_as_defined() {
    let text = "system { spawn = A: 2 }
        agent A {
          interface = x: undef; y: 0
          Behavior = (not (x of 3 = 1) -> y <- 1); Behavior
        }
        check { P = always forall A a, y of a < 2 }";
    let program = program(text, "", false);
    assert!(Space::explore(&program, 100, None).fault.is_some());
    unchanged(&program, "a fault inside");
}
