//! Thresholds from 1 to 6 in every place where a number of agents can matter: violated from a certain size on, so never proved.

use crate::harness::{Found, decide_with, family, program, proved};
use std::time::Duration;
use swarmcheck_engine::Reductions;
use swarmcheck_labs::lower;

const PATIENCE: Duration = Duration::from_secs(20);

/// A model in which `{c}` is the threshold, and how many agents of kind `A` more than that violate its property.
const MODELS: [(&str, u32, &str); 16] = [
    (
        "guard",
        0,
        "agent A { interface = v: 0..2 Behavior = ((count A b, v of b = 1) >= {c} -> e <-- 1) } check { P = always e = 0 }",
    ),
    (
        "guard that passes",
        1,
        "agent A { interface = v: 0..2 Behavior = ((count A b, v of b = 1) <= {c} => Skip); (e = 0 -> Skip); (count A b, v of b = 1) > {c} -> e <-- 1 }
        check { P = always e = 0 }",
    ),
    (
        "others",
        1,
        "agent A { interface = v: 0..2 Behavior = ((count A b, v of b = 1 and id of b != id) >= {c} -> e <-- 1) } check { P = always e = 0 }",
    ),
    (
        "exactly",
        0,
        "agent A { interface = v: 0..2 Behavior = ((count A b, v of b = 1) = {c} -> e <-- 1) } check { P = always e = 0 }",
    ),
    (
        "not exactly",
        1,
        "agent A { interface = v: 1 Behavior = (!((count A b, v of b = 1) <= {c}) -> e <-- 1) } check { P = always e = 0 }",
    ),
    (
        "value",
        0,
        "agent A { interface = v: 0..2 Behavior = e <-- if (count A b, v of b = 1) >= {c} then 1 else 0 } check { P = always e = 0 }",
    ),
    (
        "sum of values",
        0,
        "agent A { interface = v: 0..2 Behavior = e <-- (if (count A b, v of b = 1) >= {c} then 1 else 0) + (if (exists A b, v of b = 1) then 1 else 0) }
        check { P = always e <= 1 }",
    ),
    (
        "local",
        0,
        "agent A { interface = v: 0..2 Behavior = { l := if (count A b, v of b = 1) >= {c} then 1 else 0; e <-- l } } check { P = always e = 0 }",
    ),
    (
        "index",
        0,
        "agent A { interface = v: 0..2 Behavior = r[if (count A b, v of b = 1) >= {c} then 1 else 0] <-- 1 } check { P = always r[1] = 0 }",
    ),
    (
        "index of a value",
        0,
        "agent A { interface = v: 0..2 Behavior = { r[1] <-- 1; e <-- r[if (count A b, v of b = 1) >= {c} then 1 else 0] } } check { P = always e = 0 }",
    ),
    (
        "error behind a disjunction",
        1,
        "agent A { interface = v: 0..3 Behavior = ((count A b, v of b = 2) <= {c} or r[v] = 1 -> Skip); Behavior } check { P = always e = 0 }",
    ),
    (
        "error in a branch",
        0,
        "agent A { interface = v: 0..3 Behavior = e <-- if (count A b, v of b = 2) >= {c} then r[v] else 0 } check { P = always e = 0 }",
    ),
    ("pick", 1, "agent A { interface = v: 0 Behavior = { k[] := pick {c}; e <-- 1 } } check { P = always e = 0 }"),
    (
        "property",
        1,
        "agent A { interface = v: 0 Behavior = v <- 1 } check { P = always (count A b, v of b = 1) <= {c} }",
    ),
    (
        "property with two counts",
        1,
        "agent A { interface = v: 0 Behavior = v <- 1 }
        check { P = always (count A b, v of b = 1) + (count B b, e = 0) <= {c} + 1 }",
    ),
    (
        "assumption",
        0,
        "assume { S = f = 0 or (count A b, v of b = 1) >= {c} } agent A { interface = v: 0..2 Behavior = Nil } check { P = always f = 0 }",
    ),
];

#[test]
fn thresholds_everywhere() {
    sweep(&[1, 3, 6]);
}

#[test]
#[ignore = "the rest of them"]
fn other_thresholds() {
    sweep(&[2, 4, 5]);
}

fn sweep(thresholds: &[u32]) {
    let (mut asked, mut refuted) = (0, 0);
    for (name, more, model) in MODELS {
        for threshold in thresholds.iter().copied() {
            let text = format!(
                "system {{ environment = e: 0; f: 0..2; r[2]: 0 spawn = A: 2, B: 1 }} agent B {{ Behavior = Nil }} {model}"
            )
            .replace("{c}", &threshold.to_string());
            let base =
                program(&text, "", lower::Options::default()).unwrap_or_else(|why| panic!("{name}: {why}"));
            let family = family(base, &[("A", 1)]);
            let bad = decide_with(family.at(&[threshold + more]), 0, PATIENCE, Reductions::NONE);
            asked += 1;
            refuted += usize::from(matches!(bad, Found::Violated | Found::Invalid));
            if let Ok(proof) = proved(&family, 0, PATIENCE) {
                panic!("{name} with {threshold} is proved, and {bad:?} with {more} more: {:?}", proof.bound);
            }
        }
    }
    println!("{asked} systems, {refuted} of them refuted at the size that was expected");
    let all = thresholds.len() * MODELS.len();
    assert_eq!((asked, refuted), (all, all));
}
