//! Rates: their values, where they may stand, and what they are for each function of the program.

use super::{action, check, check_with, model, says, with};
use crate::lower::{Options, lower, rates::rates};
use crate::model::{Model, Rate};

fn of_kind(text: &str) -> (u32, u32) {
    let model = model(&with(&format!("rate = {text} Behavior = Skip; Behavior")));
    let rate = model.rates.kinds[0].expect("a rate");
    (rate.numerator, rate.denominator)
}

#[test]
fn values_are_exact() {
    assert_eq!(of_kind("2"), (2, 1));
    assert_eq!(of_kind("2.5"), (5, 2));
    assert_eq!(of_kind("0.10"), (1, 10));
    assert_eq!(of_kind("007.000"), (7, 1));
    assert_eq!(of_kind("0.000000001"), (1, 1_000_000_000));
    // Division is exact here, elsewhere it is toward zero.
    assert_eq!(of_kind("1 / 3"), (1, 3));
    assert_eq!(of_kind("6 / 4"), (3, 2));
    assert_eq!(of_kind("1 / 3 + 1 / 6"), (1, 2));
    assert_eq!(of_kind("3 * (1 - 1 / 3) / -(-4)"), (1, 2));
    assert_eq!(of_kind("-1 / -2"), (1, 2));
    assert_eq!(of_kind("max(1 / 3, 2 / 5)"), (2, 5));
    assert_eq!(of_kind("min(1 / 3, 2 / 5)"), (1, 3));
    assert_eq!(of_kind("if 1 < 2 then 1 / 2 else 7"), (1, 2));
    assert_eq!(of_kind("7 % 4"), (3, 1));
    assert_eq!(of_kind("4294967295"), (u32::MAX, 1));
}

#[test]
fn parameters_are_used_and_may_be_missing() {
    let text = "system { extern = _r spawn = A: 1 }
        agent A { rate = _r / 2 Behavior = Skip; Behavior }";
    check_with(text, &[("r", "3")]);
    check_with(&text.replace("_r spawn", "«E0401»_r spawn"), &[]);
    check_with(&text.replace("= _r / 2", "= «E0308»_r / 2"), &[("r", "0")]);
}

#[test]
fn mistakes() {
    for text in
        ["0", "0.0", "-1", "1 - 1", "0 / 5", "4294967296", "1 / 4294967296", "0.00000000001", "99999999999.5"]
    {
        check(&with(&format!("rate = «E0308»{text} Behavior = Skip; Behavior")));
        check(&action(&format!("Skip @ «E0308»{text}")));
    }
    let digits = "1".repeat(60);
    check(&with(&format!("rate = «E0308»1.{digits} Behavior = Skip; Behavior")));
    let product = ["9223372036854775807"; 9].join(" * ");
    check(&with(&format!("rate = «E0308»{product} Behavior = Skip; Behavior")));
}

#[test]
fn divisions_by_zero_are_reported_where_they_are() {
    check(&with("rate = 1 / «E0308»0 Behavior = Skip; Behavior"));
    says(&with("rate = 1 / «E0308»0 Behavior = Skip; Behavior"), "divides by zero");
    says(&with("rate = 0 Behavior = Skip; Behavior"), "must be positive");
    says(&with("rate = 0.00000000001 Behavior = Skip; Behavior"), "4294967295");
}

#[test]
fn rates_are_constants() {
    check(&with("rate = «E0205»x Behavior = Skip; Behavior"));
    check(&action("Skip @ «E0205»x + 1"));
    check(&action("Skip @ «E0205»id"));
}

#[test]
fn only_actions_have_rates() {
    check(&with("Behavior = P @ «E0309»2; Behavior P = x <- 1"));
    check(&with("Behavior = (x <- 1; y <- 2) @ «E0309»2; Behavior"));
    check(&with("Behavior = (x <- 1 ++ y <- 2) @ «E0309»2; Behavior"));
    check(&with("Behavior = (x = 1 -> y <- 2) @ «E0309»2; Behavior"));
    check(&action("(x <- 1) @ 2"));
    says(&with("Behavior = P @ 2; Behavior P = x <- 1"), "behind each action");
}

/// The rate of each function, by its name and by kind.
fn table(model: &Model, options: Options) -> Vec<(String, Vec<(u32, u32)>)> {
    let program = lower(model, "", options).unwrap_or_else(|_| panic!("not too large")).program;
    let pair = |rate: &Rate| (rate.numerator, rate.denominator);
    let rows = rates(model, &program).expect("rates");
    let row = |(function, row): (&swarmcheck_ir::Function, &Vec<Rate>)| {
        (function.name.clone(), row.iter().map(pair).collect())
    };
    program.functions.iter().zip(&rows).map(row).collect()
}

const RATED: &str = "system { spawn = A: 2, B: 1 Shared = x <- 2 @ 7; Skip }
    stigmergy S { link = true rate = 1 / 4 s: 0 }
    stigmergy T { link = true t: 0 }
    agent A { interface = x: 0 stigmergies = S; T rate = 3
      Behavior = x = 0 => (s <~ 1 @ 0.5; t <~ 1); Shared; (x <- 1 || x <- 2 @ 9) }
    agent B { interface = x: 0 Behavior = Shared }";

/// An action has its own rate, or that of its kind; the step past `=>` that of the kind; messages that of the stigmergy; 1 where
/// nothing is said. B runs the same global process with its own rate, which is 1.
#[test]
fn every_function_has_its_rate() {
    let model = model(RATED);
    let rows = table(&model, Options::default());
    let actions: Vec<(u32, u32)> = model
        .actions
        .iter()
        .enumerate()
        .map(|(at, _)| {
            let id = crate::model::ActionId(at as u32);
            model.rates.actions.get(&id).map_or((0, 0), |rate| (rate.numerator, rate.denominator))
        })
        .collect();
    // In the order of the text: Shared's two; the pass, s, t; x, x.
    assert_eq!(actions, [(7, 1), (0, 0), (0, 0), (1, 2), (0, 0), (0, 0), (9, 1)]);
    let program = lower(&model, RATED, Options::default()).unwrap_or_else(|_| panic!("fits")).program;
    for (function, (name, row)) in program.functions.iter().zip(&rows) {
        assert_eq!(row.len(), 2, "{name}");
        let expected = match (&function.rule, function.owners.as_slice()) {
            (swarmcheck_ir::Rule::System { object, .. }, _) => {
                if object == "s" {
                    (1, 4)
                } else {
                    (1, 1)
                }
            }
            (swarmcheck_ir::Rule::Action { words, .. }, [kind]) => match (words.as_str(), kind.0) {
                ("x <- 2", _) if function.span.start < 60 => (7, 1),
                ("x <- 2", 0) => (9, 1),
                ("s <~ 1", 0) => (1, 2),
                ("Skip", 1) => (1, 1),
                ("Skip" | "t <~ 1" | "x <- 1" | "pass x = 0 =>", 0) => (3, 1),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        let kind = function.owners[0].0 as usize;
        assert_eq!(row[kind], expected, "{name} {:?}", function.rule);
    }
    let named = |what: &str| rows.iter().filter(|(name, _)| name.contains(what)).count();
    assert_eq!((named("propagate"), named("confirm")), (2, 2));
    // Synchronous messages are no steps.
    let rows = table(&model, Options { sync: true, ..Options::default() });
    assert!(rows.iter().all(|(name, _)| !name.contains("propagate")));
    assert_eq!(rows.iter().filter(|(name, _)| name.starts_with("A_")).count() + 2, rows.len());
}

#[test]
fn the_program_does_not_change() {
    let plain = RATED
        .replace(" @ 7", "    ")
        .replace(" rate = 1 / 4", "             ")
        .replace(" rate = 3", "         ")
        .replace(" @ 0.5", "      ")
        .replace(" @ 9", "    ");
    let (with, without) = (model(RATED), model(&plain));
    let program = |m: &Model, text| {
        format!("{:?}", lower(m, text, Options::default()).unwrap_or_else(|_| panic!()).program)
    };
    assert_eq!(program(&with, RATED), program(&without, &plain));
    let bare = lower(&without, &plain, Options::default()).unwrap_or_else(|_| panic!()).program;
    assert_eq!(rates(&without, &bare), None);
}
