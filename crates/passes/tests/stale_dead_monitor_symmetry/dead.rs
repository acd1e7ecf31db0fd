//! Dead variables.

use crate::models::{example, read};
use crate::relate::{Match, related};
use swarmcheck_ir::Program;
use swarmcheck_labs::lower::Options;
use swarmcheck_passes::dead::dead;

/// Checks one property at a time: a variable may be dead for one and not for another.
fn each_property(program: &Program) -> Vec<(usize, usize)> {
    (0..program.properties.len())
        .map(|p| {
            let mut one = program.clone();
            one.properties = vec![program.properties[p].clone()];
            let reduced = dead(&one, &[0]);
            related(&one, &reduced, Match::Steps)
        })
        .collect()
}

#[test]
fn examples() {
    for (file, parameters) in [
        ("philosophers/philosophers.labs", "n=3"),
        ("approx/approx.labs", "yes=1 no=2"),
        ("majority/majority.labs", "yes=1 no=2"),
        ("twophase/twophase.labs", "workers=2"),
        ("leader/leader.labs", "n=3"),
        ("voter/voter.labs", "voters=2 options=2"),
        ("unanimity/unanimity.labs", "voters=2 options=2"),
        ("scopes/crossing.labs", "trains=2"),
        ("formation/formation.labs", "n=2 size=3 range=1"),
    ] {
        for (before, after) in each_property(&example(file, parameters, Options::default())) {
            assert!(after <= before, "{file}");
        }
    }
}

#[test]
fn used_once_and_forgotten() {
    let text = "system { environment = sum: 0 spawn = A: 2 }
        agent A {
          interface = x: 0..3; y: 0; z[2]: 0
          Behavior = sum <-- (sum + x) % 3; y <- x; x <- [0..3]; Wait; y <- x; z[0] <- y; sum <-- z[0]; Behavior
          Wait = (sum = 0 -> Skip) ++ (sum > 0 -> x <- 1)
        }
        check { P = always sum < 3  Q = fairly_inf sum = 0  R = finally forall A a, y of a = 2 }";
    let program = read(text, "", Options::default());
    assert_eq!(each_property(&program), [(5_475, 3_753), (5_475, 3_753), (5_475, 5_475)]);
}

#[test]
fn branches_in_parallel() {
    let text = "system { environment = sum: 0 spawn = A: 2 }
        agent A {
          interface = x: 0..3; y: 0..2
          Behavior = (First || Second); x <- [0..3]; Behavior
          First = sum <-- x; Skip
          Second = y <- 1; sum <-- y; y <- 0
        }
        check { P = always sum < 3  Q = fairly_inf sum = 0 }";
    let program = read(text, "", Options::default());
    assert_eq!(each_property(&program), [(4_177, 1_128), (4_177, 1_128)]);
    let notes = dead(&program, &[0, 1]).notes;
    assert_eq!(notes, ["x of A is reset at 8 of 12 locations", "y of A is reset at 9 of 12 locations"]);
}

#[test]
fn what_others_read_is_kept() {
    let text = "system { environment = sum: 0 spawn = A: 2 }
        agent A {
          interface = x: 0..3
          Behavior = { m[] := pick 1 A; sum <-- x of m[0] }; x <- [0..3]; Behavior
        }
        check { P = always sum < 3 }";
    let program = read(text, "", Options::default());
    assert_eq!(dead(&program, &[0]).program, program);
}

#[test]
fn globals_by_the_value_of_a_lock() {
    // The initiator is asked about while the lock is 0, 1 or 2; the message while it is 1, and the step that makes it 1
    // writes a new one; the responder while it is 2, and the step that makes it 2 writes a new one.
    let program = example("majority/majority.labs", "yes=1 no=2", Options::default());
    let notes = dead(&program, &[0]).notes;
    assert_eq!(
        notes,
        [
            "initiator is reset at 1 of 4 values of lock",
            "message is reset at 3 of 4 values of lock",
            "responder is reset at 3 of 4 values of lock",
        ]
    );
}

/// A lock with a message that is only looked at while it is taken, and one more alternative.
fn locked(alternative: &str) -> Program {
    let text = format!(
        "system {{ environment = m: 0; lock: 0; a[2]: 0 spawn = A: 3 }}
        agent A {{
          interface = x: 0
          Behavior = (Ask ++ Answer {alternative}); Behavior
          Ask = lock = 0 -> m, lock <-- id, 1
          Answer = lock = 1 and m != id -> x <- m; lock <-- 0
        }}
        check {{ P = always lock < 2  Q = fairly_inf forall A p, x of p = 1  R = always m < 3 }}"
    );
    read(&text, "", Options::default())
}

#[test]
fn what_is_asked_before_the_lock_is_kept() {
    let resets = |program: &Program, property| {
        dead(program, &[property]).notes.iter().any(|note| note == "m is reset at 1 of 2 values of lock")
    };
    let plain = locked("");
    assert!(resets(&plain, 0) && resets(&plain, 1));
    assert!(!resets(&plain, 2), "the property reads it");
    assert!(each_property(&plain)[1].1 < each_property(&plain)[1].0);
    // The lock decides, but what stands before it may go wrong: with m = 2 there is no such cell.
    let risky = locked("++ (a[m] = 1 and lock = 1 -> Skip)");
    assert!(!resets(&risky, 0));
    each_property(&risky);
    let safe = locked("++ (lock = 1 and a[m] = 1 -> Skip)");
    assert!(resets(&safe, 0));
    each_property(&safe);
    // The lock is given away with the message still in it.
    let kept = locked("++ (lock = 0 -> lock <-- 1)");
    assert!(!resets(&kept, 0));
    each_property(&kept);
}
