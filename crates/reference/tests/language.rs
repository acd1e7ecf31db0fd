//! From text to outcomes: the constructs that the thesis does not have, with outcomes worked out by hand.

use std::collections::BTreeSet;
use swarmcheck_labs::model::Model;
use swarmcheck_labs::{check, syntax};
use swarmcheck_reference::{ErrorKind, Interpreter, Label, Options, State};
use swarmcheck_source::Span;

fn model(text: &str) -> Model {
    let (file, mut diagnostics) = syntax::parse(text);
    let (model, more) = check::check(&file, Span::new(text.len(), text.len()), &[]);
    diagnostics.extend(more);
    assert!(!diagnostics.has_errors(), "{text}{:#?}", diagnostics.into_sorted());
    model.expect("a model, as there are no errors")
}

/// All values of the environment and of all agents, or errors, at the end of the executions in which agent 0 acts alone
/// until it cannot. Errors are shown by the word at their start.
fn ends(text: &str) -> BTreeSet<String> {
    let model = model(text);
    let interpreter = Interpreter::new(&model, Options::default());
    let mut open: Vec<State> = interpreter.initial_states().expect("no errors");
    let mut ends = BTreeSet::new();
    while let Some(state) = open.pop() {
        let mut steps = interpreter.successors(&state);
        steps.retain(|(label, _)| matches!(label, Label::Action { agent: 0, .. }));
        if steps.is_empty() {
            let values = interpreter.observe(&state).values;
            let words: Vec<String> =
                values.iter().map(|v| v.map_or("⊥".to_string(), |v| v.to_string())).collect();
            ends.insert(words.join(" "));
        }
        for (_, target) in steps {
            match target {
                Ok(target) => open.push(target),
                Err(error) => {
                    let kind = match error.kind {
                        ErrorKind::Index => "index",
                        ErrorKind::NoAgent => "no agent",
                        ErrorKind::NoVariable => "no variable",
                        ErrorKind::Overflow => "overflow",
                    };
                    let place = &text[error.span.start as usize..];
                    let word = place.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
                    ends.insert(format!("{kind}: {word}"));
                }
            }
        }
    }
    ends
}

/// Agents `A` with these attributes and this behaviour.
fn agents(count: usize, interface: &str, behavior: &str) -> String {
    format!(
        "system {{ spawn = A: {count} }}\n\
         agent A {{\n  interface = {interface}\n  Behavior = {behavior}\n}}\n\
         check {{ P = always true }}\n"
    )
}

fn check(count: usize, interface: &str, behavior: &str, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|s| s.to_string()).collect();
    assert_eq!(ends(&agents(count, interface, behavior)), expected, "{behavior}");
}

#[test]
fn blocks_and_locals() {
    check(1, "x: 1; y: 2", "{ t := x + y; x <- t * 2; y <- x + t }", &["6 9"]);
    check(1, "x: 1; y: 2", "x, y <- y, x", &["2 1"]);
}

#[test]
fn values_chosen_when_the_action_is_taken() {
    check(1, "x: 0", "x <- [3..6]", &["3", "4", "5"]);
    check(1, "x: 0", "x <- [x + 3..3]", &["0"]);
    check(1, "x: 0; y: 0", "{ t := [0..2]; x <- t; y <- t }", &["0 0", "1 1"]);
}

#[test]
fn undefined_values_block() {
    check(1, "x: 5; y: undef", "x <- y + 1", &["5 ⊥"]);
    check(1, "x: 5; y: 0", "x <- x / y", &["5 0"]);
    check(
        1,
        "x: 5; y: undef",
        "(y = 0 -> x <- 1) ++ (!(y = 0) -> x <- 2) ++ (y = 0 or x = 5 -> x <- 3)",
        &["3 ⊥"],
    );
    check(1, "x: 5; y: undef", "x <- if y = 0 then 1 else 2", &["5 ⊥"]);
}

#[test]
fn arithmetic() {
    check(1, "x: -7; y: 2; z: 0", "x, y, z <- x / y, x % y, x : y", &["-3 1 -4"]);
    check(1, "x: -7; y: 2; z: 0", "x, y, z <- min(x, y), max(x, y), abs(x)", &["-7 2 7"]);
}

#[test]
fn arrays() {
    check(1, "a[2, 2]: 0; i: 1", "a[i, 0] <- 5; a[0, i] <- a[i, 0] + 1", &["0 6 5 0 1"]);
    check(1, "a[2]: 0; i: 2", "a[0] <- a[i]", &["index: a"]);
    check(1, "a[2]: 0; i: 1", "a[i] <- 1; i <- 2; a[i] <- 1", &["index: a"]);
}

#[test]
fn conditional_processes() {
    check(1, "x: 0; y: 0", "(x = 0 => x <- 1); y <- 1", &["1 1"]);
    check(1, "x: 2; y: 0", "(x = 0 => x <- 1); y <- 1", &["2 1"]);
    check(1, "x: undef; y: 0", "(x = 0 => x <- 1); y <- 1", &["⊥ 1"]);
    check(1, "x: undef; y: 0", "(!(x = 0) => x <- 1); y <- 1", &["⊥ 1"]);
}

#[test]
fn parallel_branches_interleave() {
    check(1, "x: 0; y: 0", "(x <- 1 || x <- 2); y <- x", &["1 1", "2 2"]);
    check(1, "x: 0; y: 0", "((y = 0 => x <- 1) || y <- 1); x <- x + 10", &["10 1", "11 1"]);
}

#[test]
fn others() {
    check(3, "x: id", "x <- x of 2 + 10", &["12 1 2"]);
    check(3, "x: id", "x <- x of (x + 3)", &["no agent: x"]);
    check(3, "x: id", "x <- count A a, x of a > 0", &["2 1 2"]);
    check(3, "x: id", "exists A a, x of a = 2 -> x <- 9", &["9 1 2"]);
    check(3, "x: id", "forall A a, x of a > 0 -> x <- 9", &["0 1 2"]);
}

#[test]
fn picks() {
    let behavior = "{ p[] := pick 2; x <- 10 * p[0] + p[1] }";
    check(3, "x: id", behavior, &["12 1 2", "21 1 2"]);
    let behavior = "{ p[] := pick 1 A where x of 2 > x of 1 + 1; x <- p[0] * 100 }";
    check(3, "x: id", behavior, &["200 1 2"]);
    check(2, "x: id", "{ p[] := pick 2; x <- 7 }", &["0 1"]);
}
