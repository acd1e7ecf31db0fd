//! Random terms: the transition system of the triples is strongly bisimilar to that of the literal rules.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a long run is asked for by the environment, and counted"
)]

mod common;
#[path = "common/terms.rs"]
mod terms;

use common::{by_rules, by_triples, read};
use swarmcheck_lts::{Equivalence, equivalent};
use terms::Random;

#[test]
fn triples_and_rules_agree() {
    let systems: u64 = std::env::var("SWARMCHECK_SYSTEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    let (mut compared, mut states, mut taus, mut larger) = (0u32, 0, 0, 0);
    for seed in 0..systems {
        let text = Random::new(seed).specification();
        let (spec, found) = swarmcheck_ccs::check(&text, None);
        // Some calls happen to stand inside compositions.
        let Some(spec) = spec else {
            assert!(found.iter().all(|d| d.code == "E1302"), "{text}\n{found:?}");
            continue;
        };
        let Some(rules) = by_rules(&spec, 3_000) else { continue };
        let program = by_triples(&spec);
        assert!(
            equivalent(&rules, &program, Equivalence::Strong),
            "seed {seed}\n{text}\nby rules {rules:?}\nby triples {program:?}"
        );
        compared += 1;
        states += rules.states();
        taus += u32::from(rules.labels().iter().any(|l| l == "tau"));
        larger += u32::from(rules.states() > 20);
    }
    // The comparison must have met what it is for.
    println!("{compared} compared, {states} states, {taus} with tau, {larger} with more than 20 states");
    assert!(
        u64::from(compared) > systems / 2
            && u64::from(taus) > systems / 4
            && u64::from(larger) > systems / 20
    );
}

/// A composition that is begun by a synchronisation of its own branches.
#[test]
fn compositions_in_a_choice() {
    for text in [
        "proc P = x.0 + (a.b.0 | 'a.c.0)",
        "proc P = x.0 + (a.b.0 | 'a.c.0 | a.0)",
        "proc P = x.0 + ((a.b.0 | c.0) | 'a.c.0)",
        "proc P = x.0 + (((a.b.0 + c.0 | 'c.0) | c.0) | 'a.c.0 | 'c.0)",
        "proc P = x.0 + (a.b.0 |[a]| a.c.0 |[a]| (a.0 + x.0))",
        "proc Q = y.P proc P = x.Q + ((a.b.0 | 'b.0) \\ b | 'a.c.0)",
    ] {
        let spec = read(text);
        let (rules, program) = (by_rules(&spec, 1000).unwrap(), by_triples(&spec));
        assert!(equivalent(&rules, &program, Equivalence::Strong), "{text}\n{rules:?}\n{program:?}");
    }
}

/// P becomes P \ c, P \ c \ c and so on; rules and triples know that once is enough. The expected system is worked out by hand:
/// c is forbidden after the first b.
#[test]
fn recursion_through_restriction_closes() {
    let spec = read("proc P = a.(b.P + c.0) \\ c");
    let expected = read("proc Q = a.b.Q");
    let rules = by_rules(&spec, 10).unwrap();
    assert!(equivalent(&by_rules(&expected, 10).unwrap(), &rules, Equivalence::Strong));
    assert!(equivalent(&by_rules(&expected, 10).unwrap(), &by_triples(&spec), Equivalence::Strong));
    // Each round renames once more: a b c a b c …
    let spec = read("proc P = a.P[b/a, c/b, a/c]");
    let expected = read("proc Q = a.b.c.Q");
    assert!(equivalent(&by_rules(&expected, 10).unwrap(), &by_triples(&spec), Equivalence::Strong));
}

/// Long executions through recursion under operators do not make terms grow: two cycles of 7 and 11 names return after 77
/// steps, whatever was relabelled on the way.
#[test]
fn terms_under_operators_do_not_grow() {
    let cycle = |length: u32, name: &str| -> Vec<String> {
        (0..length).map(|n| format!("{name}{}/{name}{n}", (n + 1) % length)).collect()
    };
    let pairs = [cycle(7, "a"), cycle(11, "b")].concat().join(", ");
    let spec = read(&format!("proc P = a0.b0.P[{pairs}]"));
    let (rules, program) = (by_rules(&spec, 1000).unwrap(), by_triples(&spec));
    assert_eq!(program.states(), 2 * 77);
    assert!(equivalent(&rules, &program, Equivalence::Strong));
}

/// A name that is restricted inside is not the same name outside, and a relabelling does not make actions meet.
#[test]
fn no_capture() {
    for (text, same) in [
        ("proc P = (a.0 | 'a.0) \\ a | 'a.0", "proc Q = tau.0 | 'a.0"),
        ("proc P = (a.0 | 'b.0)[b/a]", "proc Q = b.'b.0 + 'b.b.0"),
        ("proc P = ((a.0) \\ a)[b/a] | 'b.0", "proc Q = 'b.0"),
        ("proc P = (a.0)[b/a] | 'b.0", "proc Q = b.'b.0 + 'b.b.0 + tau.0"),
    ] {
        let (one, other) = (by_triples(&read(text)), by_rules(&read(same), 100).unwrap());
        assert!(equivalent(&one, &other, Equivalence::Strong), "{text}\n{one:?}\n{other:?}");
    }
}
