//! Quantifiers moved inwards, against all states.

use crate::models::read;
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::print::condition_to_string;
use swarmcheck_ir::{Expr, Program, Value};
use swarmcheck_labs::lower::Options;
use swarmcheck_passes::miniscope::miniscope;

/// Three agents of two kinds, and a kind without agents.
fn model(predicate: &str) -> Program {
    let text = format!(
        "system {{ environment = e: 0 spawn = A: 2, B: 1, C: 0 }}
        agent A {{ interface = x: 0..2 Behavior = e <-- x }}
        agent B {{ interface = x: 0..2 Behavior = e <-- x }}
        agent C {{ interface = x: 0..2 Behavior = e <-- x }}
        check {{ P = always {predicate} }}"
    );
    let mut program = read(&text, "", Options::default());
    program.vars.iter_mut().filter(|v| v.name == "x").for_each(|v| v.domain = Some((0, 1)));
    program
}

/// Checks that the rewritten predicate has the same truth for all values of all variables, and how it is written.
fn check(predicate: &str, expected: &str) {
    let program = model(predicate);
    let before = &program.properties[0].predicate;
    let after = miniscope(&program, before);
    let flat = Flat::new(program.clone());
    let mut machine = Machine::new(&flat);
    let mut holds =
        |e: &Expr, state: &[Value]| machine.test(&flat, &flat.compile(e), state).expect("no fault");
    for bits in 0..1 << flat.width() {
        let state: Vec<Value> = (0..flat.width()).map(|slot| bits >> slot & 1).collect();
        assert_eq!(holds(before, &state), holds(&after, &state), "{predicate} {state:?}");
    }
    assert_eq!(condition_to_string(&program, &[], &after), expected, "{predicate}");
}

/// By the rules at the head of the pass; each side is about one agent wherever that is possible. Parts that leave a
/// quantifier come first.
#[test]
fn to_the_parts_that_need_them() {
    check(
        "exists A a, exists B b, x of a = 0 or x of b = 1",
        "(exists a in A: x[a] = 0) or (exists b in B: x[b] = 1)",
    );
    check(
        "forall A a, forall B b, x of a = 0 and (x of b = 1 or e = 0)",
        "(forall a in A: x[a] = 0) and (e = 0 or (forall b in B: x[b] = 1))",
    );
    check(
        "exists A a, forall B b, x of a = 0 and x of b = 1",
        "(forall b in B: x[b] = 1) and (exists a in A: x[a] = 0)",
    );
    check("forall A a, e = 0", "e = 0");
    check("!(exists A a, exists B b, x of b = e)", "forall b in B: not x[b] = e");
    check(
        "!(forall A a, exists B b, x of a = 0 and x of b = 1)",
        "(exists a in A: not x[a] = 0) or (forall b in B: not x[b] = 1)",
    );
}

#[test]
fn where_they_have_to_stay() {
    for (predicate, expected) in [
        ("forall A a, exists B b, x of a = x of b", "forall a in A: exists b in B: x[a] = x[b]"),
        ("forall C c, e = 0", "forall a in C: e = 0"),
        ("exists C c, e = 0", "exists a in C: e = 0"),
    ] {
        check(predicate, expected);
    }
    // Who is asked first decides whether the sum is too large for a number.
    let program = model("exists A a, exists B b, x of a = 0 or e + x of b > 5");
    let before = &program.properties[0].predicate;
    assert_eq!(miniscope(&program, before), *before);
}
