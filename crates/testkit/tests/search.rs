//! The naive search on systems small enough to see the verdicts.

use swarmcheck_ir::flat::Flat;
use swarmcheck_labs::lower;
use swarmcheck_testkit::read;
use swarmcheck_testkit::search::{Space, Verdict, decide};

/// The size of the state space, and a letter for each claim: holds, violated, invalid or unknown.
fn check(behavior: &str, claims: &[&str], limit: usize) -> (usize, usize, usize, String) {
    let claims: Vec<String> =
        claims.iter().enumerate().map(|(at, claim)| format!("P{at} = {claim}\n")).collect();
    let text = format!(
        "system {{ spawn = A: 1; }} agent A {{ interface = x: {{0, 1}}\n Behavior = {behavior} }} check {{ {} }}",
        claims.concat()
    );
    let model = read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let program = lower::lower(&model, &text, lower::Options::default()).expect("small").program;
    let flat = Flat::new(program);
    let space = Space::explore(&flat, limit);
    let letter = |property: usize| match decide(&flat, property, &space, limit) {
        Verdict::Holds => 'h',
        Verdict::Violated => 'v',
        Verdict::Invalid(_) => 'i',
        Verdict::Unknown => 'u',
    };
    let letters = (0..claims.len()).map(letter).collect();
    (space.states.len(), space.transitions(), space.deadlocks.len(), letters)
}

const TWO: [&str; 5] = [
    "eventually forall A a, x of a = 2",
    "fairly forall A a, x of a = 2",
    "fairly_inf forall A a, x of a = 2",
    "always forall A a, x of a < 3",
    "after 1 forall A a, x of a >= 1",
];

#[test]
fn verdicts_by_definition() {
    // Straight to 2, and there it ends: 2 is also reached from itself, in no steps.
    assert_eq!(check("x <- 2", &TWO, 100), (3, 2, 1, "hhhhh".into()));
    // It ends without ever being 2.
    assert_eq!(check("x <- 1", &TWO, 100), (3, 2, 1, "vvvhh".into()));
    // It may loop forever, but 2 stays reachable.
    assert_eq!(check("(x <- 0 ++ x <- 2); Behavior", &TWO, 100), (3, 6, 0, "vhhhv".into()));
    // 2 is reached, and then lost for good.
    assert_eq!(check("x <- 2; x <- 3", &TWO, 100), (4, 3, 1, "hhvvh".into()));
    // An execution that cannot make the step does not count.
    assert_eq!(check("x = 1 -> x <- 2", &TWO, 100), (3, 1, 2, "vvvhh".into()));
}

#[test]
fn errors_and_limits() {
    let claims = ["always forall A a, x of a >= 0", "finally forall A a, x of a = 5", "always 1 / 0 = 1"];
    assert_eq!(check("x <- 9223372036854775807 + x", &claims, 100).3, "iii");
    // No end, but 5 is always reached: what is found suffices for some verdicts.
    assert_eq!(check("x <- x + 1; Behavior", &claims, 50), (50, 49, 0, "uhv".into()));
}
