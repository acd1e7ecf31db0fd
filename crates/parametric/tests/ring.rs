//! The cutoff theorem for token rings: premises that are removed one by one, systems whose instances differ late, and random rings
//! that are decided by explicit search beyond the cutoff.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests that read clocks, and say what they found"
)]

#[path = "hunt/harness.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod harness;

use harness::{Found, decide, program};
use std::collections::BTreeMap;
use std::time::Duration;
use swarmcheck_labs::lower::Options;
use swarmcheck_labs::ring::{RingProperty, ring};
use swarmcheck_parametric::ring::{NotARing, Ring, cutoff};

/// A model with this behaviour and property.
fn model(environment: &str, interface: &str, behaviour: &str, property: &str) -> String {
    format!(
        "system {{ extern = _n environment = {environment} spawn = Node: _n }}
agent Node {{ interface = {interface} Behavior = {behaviour} }}
check {{ P = {property} }}"
    )
}

/// What a proof would rest on, or why there is none.
fn theorem(text: &str) -> Result<(RingProperty, Ring), String> {
    let property = ring(text, "n", "P").ok_or("n is not the size of a ring")?;
    let property = property.map_err(|(why, _)| why.to_string())?;
    let base = program(text, "n=2", Options::default())?;
    let ring = Ring::new(base).map_err(|(why, _)| format!("{why:?}"))?;
    if property.linear {
        ring.passes().map_err(|(why, _)| format!("{why:?}"))?;
    }
    for number in 2..=cutoff(property.agents) + 3 {
        let instance = program(text, &format!("n={number}"), Options::default())?;
        if !ring.includes(instance) {
            return Err("instances differ".to_string());
        }
    }
    Ok((property, ring))
}

const PASS: &str = "token = id -> x <- 1; { x <- 0; token <-- (id + 1) % _n }; Behavior";
const LIVE: &str = "ltl forall Node a, G F x of a = 1";
const SAFE: &str = "always (count Node a, x of a = 1) <= 1";

#[test]
fn a_ring_is_accepted() {
    let (property, ring) = theorem(&model("token: 0", "x: 0", PASS, SAFE)).unwrap();
    assert_eq!((property.agents, property.linear), (2, false));
    // Idle and working with the token; idle without it. Nobody works without it.
    assert_eq!(ring.states, 3);
    let (property, _) = theorem(&model("token: 0", "x: 0", PASS, LIVE)).unwrap();
    assert_eq!((property.agents, property.linear), (1, true));
}

/// Each line removes one premise.
#[test]
fn a_premise_that_is_missing_is_named() {
    use NotARing::{Beginning, Error, Forged, Identity, Kept, Others, Token, Variable, Waits};
    let next = "token <-- (id + 1) % _n";
    let cases: Vec<(&str, &str, String, &str, NotARing)> = vec![
        ("token: 1", "x: 0", PASS.into(), SAFE, Beginning),
        ("token: {0, 1}", "x: 0", PASS.into(), SAFE, Beginning),
        ("token: 0", "x: {0, 1}", PASS.into(), SAFE, Beginning),
        ("token: 0", "x: 0..2", PASS.into(), LIVE, Beginning),
        ("token: 0", "x: id", PASS.into(), SAFE, Beginning),
        ("token: undef", "x: 0", PASS.into(), SAFE, Beginning),
        ("token: 0", "x: 0", format!("x = 0 -> {next}; Behavior"), SAFE, Forged),
        ("token: 0", "x: 0", format!("token != id -> {next}; Behavior"), SAFE, Forged),
        ("token: 0", "x: 0", format!("token = 0 -> {next}; Behavior"), SAFE, Token),
        // The order of numbers is used, of the token's and of the agent's: the latter is named.
        ("token: 0", "x: 0", format!("token <= id -> {next}; Behavior"), SAFE, Identity),
        ("token: 0", "x: 0", format!("token = id -> x <- token; {next}; Behavior"), SAFE, Token),
        ("token: 0", "x: 0", format!("token = id -> token <-- 0; {next}; Behavior"), SAFE, Token),
        ("token: 0", "x: 0", format!("token = id and id < 6 -> {next}; Behavior"), SAFE, Identity),
        ("token: 0", "x: 0", format!("token = id -> x <- id; {next}; Behavior"), SAFE, Identity),
        (
            "token: 0",
            "x: 0",
            format!("token = id and (exists Node b, x of b = 0) -> {next}; Behavior"),
            SAFE,
            Others,
        ),
        (
            "token: 0",
            "x: 0",
            format!("token = id and (count Node b, x of b = 0) < 7 -> {next}; Behavior"),
            SAFE,
            Others,
        ),
        ("token: 0", "x: 0", format!("token = id and x of 0 = 0 -> {next}; Behavior"), SAFE, Others),
        ("token: 0", "x[2]: 0", format!("token = id -> x[2] <- 1; {next}; Behavior"), SAFE_ARRAY, Error),
        ("token: 0", "x: 0", format!("token = id -> x <- 1; x = 0 -> {next}; Behavior"), SAFE, Kept),
        (
            "token: 0",
            "x: 0",
            "token = id -> x <- 1; Behavior ++ x = 5 -> token <-- (id + 1) % _n".into(),
            SAFE,
            Kept,
        ),
        ("token: 0", "x: 0", format!("token = id -> {next}; Nil"), SAFE, Kept),
        (
            "token: 0",
            "x: 0",
            format!("(token = id -> {next}; Behavior) ++ (token != id -> x <- 0; Behavior)"),
            LIVE,
            Waits,
        ),
        ("token: 0", "x: 0", format!("token = id -> (Skip; Behavior ++ {next}; Behavior)"), LIVE, Waits),
        (
            "token: 0",
            "x: 0",
            format!("(token = id -> {next}; Behavior) ++ (x <- x + 1; Behavior)"),
            SAFE,
            NotARing::States,
        ),
    ];
    for (environment, interface, behaviour, property, expected) in &cases {
        let found = theorem(&model(environment, interface, behaviour, property)).map(|_| ());
        assert_eq!(
            found,
            Err(format!("{expected:?}")),
            "{environment}; {interface}; {behaviour}; {property}"
        );
    }
    // What only 'ltl' needs, 'always' does not.
    let waits = format!("(token = id -> {next}; Behavior) ++ (token != id -> x <- 0; Behavior)");
    theorem(&model("token: 0", "x: 0", &waits, SAFE)).unwrap();
    let text = model("token: 0", "x: 0", PASS, SAFE);
    let two = text.replace("spawn = Node: _n", "spawn = Node: _n, Other: 1")
        + "agent Other { interface = y: 0 Behavior = y <- 1 }";
    assert_eq!(theorem(&two).map(|_| ()), Err(format!("{:?}", NotARing::Kinds)));
    let known = text.replace("interface = x: 0", "interface = x: 0 stigmergies = S")
        + "stigmergy S { link = id of c1 != id of c2 v: 0 }";
    assert_eq!(theorem(&known).map(|_| ()), Err(format!("{Variable:?}")));
}

const SAFE_ARRAY: &str = "always forall Node a, x[0] of a = 0";

/// The instances of these models differ from 7, 9 or 11 agents on.
#[test]
fn what_fails_late_is_never_covered() {
    let next = "token <-- (id + 1) % _n";
    let mut late = vec![];
    for most in [7, 9, 11] {
        let last = most - 1;
        late.extend([
            model(
                "token: 0",
                "x: 0",
                &format!("(token = {last} -> x <- 1; {next}; Behavior) ++ (token = id -> {next}; Behavior)"),
                SAFE,
            ),
            model(
                "token: 0",
                "x: 0",
                &format!("token = id -> ((id = {last} -> x <- 1) ++ (id != {last} -> {next})); Behavior"),
                SAFE,
            ),
            model(
                "token: 0",
                "x: 0",
                &format!("token = id and id >= {last} -> x <- 1; {next}; Behavior"),
                SAFE,
            ),
            model(
                "token: 0, c: 0",
                "x: 0",
                &format!("token = id and x = 0 -> {{ x <- 1; c <-- c + 1; {next} }}; Behavior"),
                &format!("always c < {most}"),
            ),
            model(
                "token: 0",
                "x: 0",
                &format!("token = id and (count Node b, x of b = 1) >= {last} -> x <- 2; {next}; Behavior"),
                SAFE,
            ),
            model(
                "token: 0",
                "x: 0",
                &format!("token = id and _n >= {most} -> x <- 1; {next}; Behavior"),
                SAFE,
            ),
            model(
                "token: 0",
                "x: 0",
                &format!("token = id -> x <- 1; {next}; Behavior"),
                &format!("always x of {last} = 0"),
            ),
            model(
                "token: 0",
                "x: 0",
                &format!("token = id -> x <- 1; {next}; Behavior"),
                &format!("always (count Node a, x of a = 1) < {most}"),
            ),
            model(
                "token: 0",
                "x: 0",
                &format!("token = id -> x <- 1; {next}; Behavior"),
                &format!("always token < {last}"),
            ),
            model(
                "token: 0",
                "x: 0",
                &format!("token = id -> x <- 1; {next}; Behavior"),
                &format!("always forall Node a, id of a < {last} or x of a = 0"),
            ),
            model(&format!("token: {last}"), "x: 0", PASS, SAFE),
        ]);
    }
    assert_eq!(late.len(), 33);
    for text in late {
        assert!(theorem(&text).is_err(), "{text}");
    }
}

/// A random ring, and a random property; some of them are outside of the class.
fn random(rng: &mut fastrand::Rng) -> String {
    let mut branches = vec![];
    let number = |rng: &mut fastrand::Rng| rng.u8(0..3);
    for at in 0..rng.usize(2..5) {
        let data = match rng.u8(0..4) {
            0 => String::new(),
            1 => format!(" and x != {}", number(rng)),
            _ => format!(" and x = {}", number(rng)),
        };
        // The first branch can pass the token, most others go on without it or work with it.
        let has = if at == 0 || rng.u8(0..5) < 3 { "=" } else { "!=" };
        let value = number(rng);
        let next = "token <-- (id + 1) % _n";
        let action = match (has, rng.u8(0..6)) {
            ("=", 0..=2) => format!("{{ x <- {value}; {next} }}"),
            ("=", 3) => next.to_string(),
            ("=", 4) => format!("x <- {value}; {next}"),
            _ => format!("x <- {value}"),
        };
        // A guard reaches as far right as it can.
        branches.push(format!("(token {has} id{data} -> {action}; Behavior)"));
    }
    let (v, w) = (number(rng), number(rng));
    let property = match rng.u8(0..9) {
        0 => format!("always (count Node a, x of a = {v}) <= 1"),
        1 => format!("always forall Node a, x of a != {v} or token = a"),
        2 => format!("always forall Node a, forall Node b, a = b or x of a != {v} or x of b != {w}"),
        3 => format!("ltl forall Node a, G F x of a = {v}"),
        4 => format!("ltl forall Node a, G (x of a = {v} -> F x of a = {w})"),
        5 => format!("ltl forall Node a, forall Node b, a = b or G (x of a = {v} -> F x of b = {w})"),
        6 => format!("ltl forall Node a, forall Node b, a = b or (x of a != {v} W x of b = {w})"),
        7 => format!("ltl forall Node a, (token = a or x of a != {v}) U x of a = {w} or G F token = a"),
        _ => format!("ltl forall Node a, F G x of a != {v}"),
    };
    model("token: 0", "x: 0", &branches.join("\n ++ "), &property)
}

/// Beyond the cutoff all instances agree, in both directions.
#[test]
fn random_rings_agree_from_the_cutoff_on() {
    let systems: usize = std::env::var("SWARMCHECK_SYSTEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let seed: u64 = std::env::var("SWARMCHECK_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let (mut holds, mut violated, mut unknown, mut members, mut late) = (0, 0, 0, 0, 0);
    for _ in 0..systems {
        let text = random(&mut rng);
        let property = match theorem(&text) {
            Ok((property, _)) => property,
            Err(why) => {
                *refused.entry(why).or_default() += 1;
                continue;
            }
        };
        let least = cutoff(property.agents);
        let mut said = None;
        for number in 2..=least + 3 {
            let member = program(&text, &format!("n={number}"), Options::default()).unwrap();
            let found = decide(member, 0, Duration::from_secs(10));
            assert_ne!(found, Found::Invalid, "{text}");
            if found == Found::Unknown {
                unknown += 1;
                continue;
            }
            members += 1;
            match (number < least, said) {
                // Smaller rings may differ, or there would be no need for a cutoff.
                (true, _) => {}
                (false, None) => said = Some(found),
                (false, Some(said)) => assert_eq!(said, found, "with {number} agents: {text}"),
            }
            late += usize::from(number < least && found == Found::Holds);
        }
        match said {
            Some(Found::Holds) => holds += 1,
            Some(_) => violated += 1,
            None => {}
        }
    }
    println!(
        "{systems} systems: {holds} hold, {violated} violated, {members} members, {late} smaller ones hold, {unknown} open; refused: {refused:?}"
    );
    assert!(holds >= systems / 20 && violated >= systems / 20, "{holds} hold, {violated} violated");
    assert!(members >= systems, "{members} members");
    for why in ["Kept", "Waits"] {
        assert!(refused.contains_key(why), "{why} never happens");
    }
}
