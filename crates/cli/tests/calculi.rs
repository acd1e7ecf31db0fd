//! CCS and choreographies as their users meet them: questions of every kind, limits that hold, models that are too large.

mod common;

use common::{exits, scratch};
use std::time::{Duration, Instant};

#[test]
fn formulas_alone_are_enough_to_ask_about() {
    let clock = scratch("formulas.ccs", b"proc P = a.P check { Yes = ltl [] a  No = ltl <> not any }");
    let said = exits(&format!("verify {}", clock.display()), 10);
    assert!(said.contains("Yes       holds") && said.contains("No        violated"), "{said}");
    exits(&format!("verify {} --property Yes", clock.display()), 0);
    let nothing = scratch("nothing.ccs", b"proc P = a.P");
    assert!(exits(&format!("verify {}", nothing.display()), 2).contains("no property"));
}

/// Compositions inside choices inside compositions: working out the triples of so many takes minutes, during which nobody
/// asks whether to stop.
#[test]
fn a_time_limit_holds_also_while_a_model_is_read() {
    let term = (0..199).fold("a.0".to_string(), |inner, _| format!("({inner} | b.0 + c.0)"));
    let deep = scratch("deep.ccs", format!("proc P = {term}").as_bytes());
    let deep = deep.display();
    for command in [
        format!("verify {deep} --deadlock --timeout 0.1"),
        format!("lts {deep} --timeout 0.1"),
        format!("compare {deep} {deep} --timeout 0.1"),
    ] {
        let began = Instant::now();
        assert!(exits(&command, 124).contains("the time limit was reached"));
        assert!(began.elapsed() < Duration::from_secs(30), "{command}: {:?}", began.elapsed());
    }
}

/// Choices double forty times: neither their actions nor, if there are none, the ways to find that out can be listed.
#[test]
fn exponential_choices_are_refused() {
    for last in ["a.0", "0"] {
        let doubling: String = (0..40).map(|n| format!("proc P{n} = P{} + P{}\n", n + 1, n + 1)).collect();
        let text = format!("{doubling}proc P40 = {last}\nsystem = P0\n");
        let path = scratch("doubling.ccs", text.as_bytes());
        assert!(exits(&format!("check {}", path.display()), 6).contains("E1303"));
    }
}

/// Chains of 1500 and 1501 steps are told apart by a formula with 1501 modalities inside one another, which nobody reads; the
/// trace of 1501 steps is given all the same.
#[test]
fn a_difference_is_told_with_its_shortest_trace() {
    let chain = |name: &str, length: usize| {
        let text = format!("proc P = {}0", "a.".repeat(length));
        scratch(name, text.as_bytes()).display().to_string()
    };
    let (short, long) = (chain("short.ccs", 1500), chain("long.ccs", 1501));
    let said = exits(&format!("compare {short} {long} --by strong --json"), 10);
    assert_eq!(said.matches("\"a\"").count(), 1501);
    assert!(said.contains("\"formula_of_first\": null"), "{said}");
}
