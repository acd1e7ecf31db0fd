//! Numbers near the ends of 64 bits, in systems of nine states: whatever the engine, these take no time.

mod common;

use common::{limited, text};
use std::time::Duration;
use swarmcheck_session::Prepared;
use swarmcheck_session::verify::{Answered, Decider, Reductions, VerifyOptions, verify};

/// Whoever has not finished after so long is told to stop, and then has no verdict. Each question takes a fraction of a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// Every engine that decides such questions says the same, with reductions and without.
fn all_say(prepared: &Prepared, expected: &[(&str, Answered)], engines: &[&str]) {
    for engine in engines {
        for reductions in [Reductions::ALL, Reductions::NONE] {
            let engine_named = Decider::named(engine).unwrap();
            let options = VerifyOptions { engine: engine_named, reductions, ..VerifyOptions::default() };
            let report = limited(PATIENCE, |control| verify(prepared, &options, control));
            let Ok(report) = report else { panic!("{engine} refuses") };
            let said: Vec<(&str, Answered)> =
                report.answers.iter().map(|answer| (answer.name.as_str(), answer.verdict())).collect();
            assert_eq!(said, expected, "{engine}, {reductions:?}");
        }
    }
}

const ALL: &[&str] = &["explicit", "bdd", "bmc", "kind", "ic3", "auto"];

/// x counts the eight numbers up to the greatest of all, and n counts along.
#[test]
fn counting_to_the_greatest_number() {
    let model = text(
        "top.labs",
        "system { spawn = A: 1 }
        agent A {
          interface = x: 9223372036854775800; n: 0
          Behavior = n < 7 -> { x <- x + 1; n <- n + 1 }; Behavior
        }
        check {
          Top = always forall A a, x of a < 9223372036854775807
          Low = always forall A a, x of a >= 9223372036854775800
          Sum = always forall A a, x of a - n of a = 9223372036854775800
          Third = always forall A a, x of a / 3 >= 3074457345618258600
          Rest = always forall A a, x of a % 7 < 7
        }",
        "",
        false,
    );
    // 3 · 3074457345618258600 is the first number.
    let (holds, violated) = (Answered::Holds, Answered::Violated);
    let expected = [("Top", violated), ("Low", holds), ("Sum", holds), ("Third", holds), ("Rest", holds)];
    all_say(&model, &expected, ALL);
}

/// e goes from 2⁶² half the way to 2⁶³ - 2 in each step, rounded down, and so never arrives there.
#[test]
fn halving_the_way_to_the_greatest_number() {
    let model = text(
        "half.labs",
        "system { environment = e: 4611686018427387904  spawn = A: 1 }
        agent A {
          interface = n: 0
          Behavior = n < 8 -> { e <-- e / 2 + 4611686018427387903; n <- n + 1 }; Behavior
        }
        check {
          Near = always e >= 4611686018427387904
          Below = always e < 9223372036854775806
          Far = always e < 9205357638345293822
        }",
        "",
        false,
    );
    // What is left of the way, 2⁶² - 2 at first, is halved and rounded up: after eight steps it is 2⁵⁴, and e is
    // 2⁶³ - 2 - 2⁵⁴ = 9205357638345293822.
    let (holds, violated) = (Answered::Holds, Answered::Violated);
    all_say(&model, &[("Near", holds), ("Below", holds), ("Far", violated)], ALL);
}

/// The engines that know no single states find the execution among billions by what it leads to.
#[test]
fn numbers_drawn_from_billions() {
    let model = text(
        "draws.labs",
        "system { environment = e: 0  spawn = A: 2 }
        agent A {
          interface = x: 0; y: 0
          Behavior = y <- [0..4294967296]; { d := [-5000000000..5000000000]; x <- d }; e <-- [0..3000000000]; Behavior
        }
        check {
          Small = always forall A a, x of a < 4294967296
          Both = always forall A a, x of a + y of a != 4294967395
        }",
        "",
        false,
    );
    // x is up to 4999999999, and 4294967395 = 4294967295 + 100.
    let expected = [("Small", Answered::Violated), ("Both", Answered::Violated)];
    for engine in ["bmc", "kind", "ic3"] {
        all_violated(&model, &expected, engine);
    }
}

/// An alternative that draws as many numbers, or what agents can do, does not hold up the replay of the others.
#[test]
fn beside_many_draws() {
    let alternatives = text(
        "alternatives.labs",
        "system { spawn = A: 1 }
        agent A { interface = x: 0; y: 0  Behavior = (y <- [0..4000000000] * 2 ++ x <- 1) }
        check { P = always forall A a, x of a = 0 }",
        "",
        false,
    );
    let formulas = text(
        "formulas.labs",
        "system { spawn = A: 1 }
        agent A { interface = x: 0; y: 0  Behavior = x <- [0..4000000000] % 7; y <- [0..4000000000] % 7 }
        check {
          Can = ltl forall A a, G (x of a = 0 or not a can act)
          Low = ltl forall A a, G (y of a < 5)
          Plain = always forall A a, y of a < 5
        }",
        "",
        false,
    );
    for engine in ["bdd", "bmc", "kind"] {
        all_violated(&alternatives, &[("P", Answered::Violated)], engine);
    }
    let expected = ["Can", "Low", "Plain"].map(|name| (name, Answered::Violated));
    all_violated(&formulas, &expected, "bmc");
}

/// Not only what is stored as it is drawn: where the numbers expected are wrong, all others are tried.
#[test]
fn numbers_drawn_from_thousands_and_changed() {
    let model = text(
        "changed.labs",
        "system { spawn = A: 1 }
        agent A { interface = x: 0  Behavior = { d := [0..5000]; x <- d * 3 }; x <- x + [2000..4000] * 7; Behavior }
        check {
          Drawn = always forall A a, x of a != 14991
          Sum = always forall A a, x of a != 14997 + 27993
        }",
        "",
        false,
    );
    // 14991 = 3 · 4997, and 14997 + 27993 = 3 · 4999 + 7 · 3999.
    let expected = [("Drawn", Answered::Violated), ("Sum", Answered::Violated)];
    for engine in ["bdd", "bmc", "ic3"] {
        all_violated(&model, &expected, engine);
    }
}

fn all_violated(model: &Prepared, expected: &[(&str, Answered)], engine: &str) {
    let options = VerifyOptions { engine: Decider::named(engine).unwrap(), ..VerifyOptions::default() };
    let report = limited(PATIENCE, |control| verify(model, &options, control));
    let Ok(report) = report else { panic!("{engine} refuses") };
    for answer in &report.answers {
        assert!(answer.trace.is_some(), "{engine}, {}: {}", answer.name, answer.evidence());
    }
    let said: Vec<(&str, Answered)> =
        report.answers.iter().map(|answer| (answer.name.as_str(), answer.verdict())).collect();
    assert_eq!(said, expected, "{engine}");
}
