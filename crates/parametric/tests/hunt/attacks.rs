//! Systems that violate their property, or meet an error, only with many agents: none of them may be proved.

use crate::harness::{Found, decide, decide_with, family, program, proved};
use std::time::Duration;
use swarmcheck_engine::Reductions;
use swarmcheck_labs::lower;

const PATIENCE: Duration = Duration::from_secs(20);

/// A system whose property `P` holds below this number of agents of kind `A`, and not with it.
fn check(name: &str, first_bad: u32, text: &str) {
    check_as(name, first_bad, text, lower::Options::default());
}

fn check_as(name: &str, first_bad: u32, text: &str, options: lower::Options) {
    let base = program(text, "", options).unwrap_or_else(|why| panic!("{name}: {why}"));
    let family = family(base, &[("A", 1)]);
    for n in 1..first_bad {
        assert_eq!(decide(family.at(&[n]), 0, PATIENCE), Found::Holds, "{name} with {n}");
    }
    // Without reductions, which may drop an overflow that no answer depends on.
    let bad = decide_with(family.at(&[first_bad]), 0, PATIENCE, Reductions::NONE);
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
fn a_count_in_the_index_of_a_compound_assignment() {
    check(
        "compound",
        5,
        "system { environment = r[2]: 0; f: 0; spawn = A: 2 }
        agent A { interface = v: 1; Behavior = f, r[if (count A b, v of b = 1) >= 5 then 1 else 0] <-- 0, 1; Behavior }
        check { P = always r[1] = 0 }",
    );
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
        agent A { interface = v: 0..3; Behavior = ((count A b, v of b = 2) <= 3 or v + 9223372036854775807 > 0 -> r <-- 1); Behavior }
        check { P = always r <= 1 }");
    check(
        "assumption",
        4,
        "
        system { environment = r[2]: 0; e: 0..3; spawn = A: 2 }
        assume { S = (count A b, v of b = 2) <= 3 or r[e] = 0 }
        agent A { interface = v: 0..3; Behavior = Skip }
        check { P = always r[0] = 0 }",
    );
    check(
        "property",
        4,
        "
        system { environment = r[2]: 0; e: 0..3; spawn = A: 2 }
        agent A { interface = v: 0..3; Behavior = Skip }
        check { P = always (count A b, v of b = 2) <= 3 or r[e] = 0 }",
    );
}

/// One that is known to be wrong without a search.
fn never(name: &str, text: &str, open: &[(&str, u32)]) {
    let base = program(text, "", lower::Options::default()).unwrap_or_else(|why| panic!("{name}: {why}"));
    match proved(&family(base, open), 0, PATIENCE) {
        Ok(proof) => panic!("{name} is proved: {:?}", proof.bound),
        Err(why) => println!("{name}: {why:?}"),
    }
}

#[test]
fn numbers_that_do_not_fit() {
    // Two limits whose witnesses add up to 2^32.
    never(
        "large limits",
        "system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0;
          Behavior = ((count A b, v of b = 0) > 2147483647 and (count A b, v of b = 0) > 2147483647 -> e <-- 1) }
        check { P = always e = 0 }",
        &[("A", 1)],
    );
}

#[test]
fn a_model_that_was_read_without_agents() {
    // The initial block of such a program says nothing about the kind, so that `v` would be 0.
    never(
        "nobody",
        "system { spawn = A: 0, B: 1 }
        agent A { interface = v: 1; Behavior = Nil }
        agent B { Behavior = Nil }
        check { P = always forall A a, v of a = 0 }",
        &[("A", 0)],
    );
}

#[test]
fn thresholds() {
    check(
        "count in a guard",
        7,
        "
        system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = v <- 1; ((count A b, v of b = 1) >= 7 -> e <-- 1) }
        check { P = always e = 0 }",
    );
    check(
        "counter",
        7,
        "
        system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = e <-- e + 1 }
        check { P = always e <= 6 }",
    );
    check(
        "counter of bits",
        8,
        "
        system { environment = b[4]: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior =
          (b[0] = 0 -> b[0] <-- 1)
          ++ (b[0] = 1 and b[1] = 0 -> { b[0] <-- 0; b[1] <-- 1 })
          ++ (b[0] = 1 and b[1] = 1 and b[2] = 0 -> { b[0] <-- 0; b[1] <-- 0; b[2] <-- 1 })
          ++ (b[0] = 1 and b[1] = 1 and b[2] = 1 -> { b[0] <-- 0; b[1] <-- 0; b[2] <-- 0; b[3] <-- 1 }) }
        check { P = always b[3] = 0 }",
    );
    check(
        "index out of bounds",
        7,
        "
        system { environment = e: 0; r[6]: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = { r[e] <-- 1; e <-- e + 1 } }
        check { P = always r[0] <= 1 }",
    );
    check(
        "local count",
        6,
        "
        system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = { l := count A b, v of b = 0; e <-- if l > 5 then 1 else 0 } }
        check { P = always e = 0 }",
    );
    check("local condition", 6, "
        system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = { l := if (count A b, v of b = 0) > 5 then 1 else 0; e <-- l } }
        check { P = always e = 0 }");
    check(
        "pick 6",
        7,
        "
        system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = { k[] := pick 6; e <-- 1 } }
        check { P = always e = 0 }",
    );
    check("pick twice", 7, "
        system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = { k[] := pick 3; j[] := pick 3 where k[0] != id of 2 and k[1] != id of 2 and k[2] != id of 2; e <-- 1 } }
        check { P = always e = 0 }");
    check(
        "pass",
        6,
        "
        system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = Wait; e <-- 1  Wait = (count A b, v of b = 0) <= 5 => (Skip; Wait) }
        check { P = always e = 0 }",
    );
    check(
        "assumption",
        5,
        "
        system { environment = e: 0; spawn = A: 2 }
        assume { S = e = 0 or (count A b, v of b = 1) >= 5 }
        agent A { interface = v: 0..2; Behavior = Nil }
        check { P = always e = 0 or (count A b, v of b = 1) <= 4 }"
            .replace("e: 0;", "e: 0..2;")
            .as_str(),
    );
    check("deep", 6, "
        system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = ((exists A a, exists A b, exists A c, exists A d, exists A f,
           id of a < id of b and id of b < id of c and id of c < id of d and id of d < id of f and id of f < id) -> e <-- 1) }
        check { P = always e = 0 }");
    check(
        "pairs",
        5,
        "
        system { environment = o[4]: undef; e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior =
          (o[0] <-- id ++ o[1] <-- id ++ o[2] <-- id ++ o[3] <-- id) ;
          (o[0] < o[1] and o[1] < o[2] and o[2] < o[3] and o[3] < id -> e <-- 1) }
        check { P = always e = 0 }",
    );
}

#[test]
fn messages() {
    check(
        "values travel",
        5,
        "
        system { environment = e: 0; spawn = A: 2 }
        stigmergy S { link = true  x: 0 }
        agent A { interface = v: 0; stigmergies = S
          Behavior = (x < 5 -> { l := x; e <-- if l > 3 then 1 else 0; x <~ l + 1 }) }
        check { P = always e = 0 }",
    );
    let sync = lower::Options { sync: true, ..lower::Options::default() };
    check_as(
        "at once",
        5,
        "
        system { environment = e: 0; spawn = A: 2 }
        stigmergy S { link = true  x: 0 }
        agent A { interface = v: 0; stigmergies = S
          Behavior = { l := x; e <-- if l > 3 then 1 else 0; x <~ l + 1 } }
        check { P = always e = 0 }",
        sync,
    );
}

#[test]
fn chains() {
    check(
        "relay",
        6,
        "system { environment = e: 0; spawn = A: 2 }
        agent A { interface = v: 0..6; Behavior = (v = e -> e <-- e + 1) }
        check { P = always e <= 5 }",
    );
    check(
        "hops",
        5,
        "system { spawn = A: 2 }
        stigmergy S { link = v of c2 = v of c1 + 1  x: 0 }
        agent A { interface = v: 0..5; stigmergies = S; Behavior = (v = 0 -> x <~ 1) }
        check { P = always forall A a, v of a != 4 or x of a = 0 }",
    );
    check(
        "drawn",
        5,
        "system { spawn = A: 2 }
        agent A { interface = v: 0; Behavior = { k[] := pick 1; v <- (v of k[0]) + 1 } }
        check { P = always forall A a, v of a <= 4 }",
    );
    check(
        "ranks of identities",
        4,
        "system { environment = o: undef; p: undef; e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = ({ o <-- id; v <- 1 } ++ { p <-- id; v <- 2 });
          (o < p and (exists A a, id of a < o and v of a = 0) and (exists A a, id of a > p and v of a = 0) -> e <-- 1) }
        check { P = always e = 0 }",
    );
}

#[test]
fn kinds_with_nobody() {
    // With nobody `exists` is false, and with one there is nobody else.
    never(
        "exists",
        "system { environment = e: 0; spawn = A: 2, B: 1 }
        agent A { interface = v: 0; Behavior = Nil }
        agent B { Behavior = Nil }
        check { P = always exists A a, v of a = 0 }",
        &[("A", 0)],
    );
    never(
        "between kinds",
        "system { environment = owner: undef; e: 0; spawn = A: 1, B: 1 }
        agent A { interface = v: 0; Behavior = owner <-- id }
        agent B { Behavior = ((exists A a, owner = id of a and id of a < id) -> e <-- 1) }
        check { P = always e = 0 }",
        &[("A", 0), ("B", 0)],
    );
}

#[test]
fn constants_that_name_an_agent_in_one_case() {
    check(
        "compared",
        7,
        "system { environment = owner: undef; f: 0; e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = owner <-- id; (owner = (if f = 0 then 6 else -1) -> e <-- 1) }
        check { P = always e = 0 }",
    );
    check(
        "assigned",
        7,
        "system { environment = owner: -1; f: 0; e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = (f = 0 -> owner <-- if f = 0 then 6 else -1) ++ (owner = id -> e <-- 1) }
        check { P = always e = 0 }",
    );
    check(
        "at first",
        7,
        "system { environment = owner: 6; e: 0; spawn = A: 2 }
        agent A { interface = v: 0; Behavior = (owner = id -> e <-- 1) }
        check { P = always e = 0 }",
    );
    check(
        "nested",
        7,
        "system { environment = owner: undef; f: 0; e: 0; spawn = A: 2 }
        agent A { interface = v: 0;
          Behavior = ((if f = 1 then id else if f = 0 then 6 else -1) = id -> e <-- 1) }
        check { P = always e = 0 }",
    );
}
