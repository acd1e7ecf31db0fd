//! Systems that violate their property, or meet an error, only with many agents: none of them may be proved.

use crate::harness::{Found, decide, family, program, proved};
use std::time::Duration;
use swarmcheck_labs::lower;

const PATIENCE: Duration = Duration::from_secs(20);

/// A system whose property `P` holds below this number of agents of kind `A`, and not with it.
fn check(name: &str, first_bad: u32, text: &str) {
    let base = program(text, "", lower::Options::default()).unwrap_or_else(|why| panic!("{name}: {why}"));
    let family = family(base, &[("A", 1)]);
    for n in 1..first_bad {
        assert_eq!(decide(family.at(&[n]), 0, PATIENCE), Found::Holds, "{name} with {n}");
    }
    let bad = decide(family.at(&[first_bad]), 0, PATIENCE);
    assert!(matches!(bad, Found::Violated | Found::Invalid), "{name} with {first_bad}: {bad:?}");
    match proved(&family, 0, PATIENCE) {
        Ok(proof) => panic!("{name} is violated with {first_bad} agents, and proved: {:?}", proof.bound),
        Err(why) => println!("{name}: {why:?}"),
    }
}

#[test]
fn a_count_in_the_index_of_an_assignment() {
    check("index", 5, "
        system { environment = r[2]: 0; spawn = A: 2 }
        agent A { interface = v: 1; Behavior = r[if (count A b, v of b = 1) >= 5 then 1 else 0] <-- 1; Behavior }
        check { P = always r[1] = 0 }");
}

#[test]
fn an_error_behind_a_disjunction() {
    check("or", 4, "
        system { environment = r[2]: 0; spawn = A: 2 }
        agent A { interface = v: 0..3; Behavior = ((count A b, v of b = 2) <= 3 or r[v] = 1 -> Skip); Behavior }
        check { P = always r[0] = 0 }");
    check("not and", 4, "
        system { environment = r[2]: 0; spawn = A: 2 }
        agent A { interface = v: 0..3; Behavior = (!((count A b, v of b = 2) >= 4 and r[v] = 1) -> Skip); Behavior }
        check { P = always r[0] = 0 }");
    check("overflow", 4, "
        system { environment = r: 0; spawn = A: 2 }
        agent A { interface = v: 0..3; Behavior = ((count A b, v of b = 2) <= 3 or v + 9223372036854775807 > 0 -> Skip); Behavior }
        check { P = always r = 0 }");
    check("assumption", 4, "
        system { environment = r[2]: 0; e: 0..3; spawn = A: 2 }
        assume { S = (count A b, v of b = 2) <= 3 or r[e] = 0 }
        agent A { interface = v: 0..3; Behavior = Skip }
        check { P = always r[0] = 0 }");
    check("property", 4, "
        system { environment = r[2]: 0; e: 0..3; spawn = A: 2 }
        agent A { interface = v: 0..3; Behavior = Skip }
        check { P = always (count A b, v of b = 2) <= 3 or r[e] = 0 }");
}
