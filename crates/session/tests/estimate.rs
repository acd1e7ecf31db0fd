//! Estimates and exact values from end to end: known answers, coverage over seeds, threads, what is refused.

mod common;

use common::text;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_session::estimate::{
    Decision, EstimateEnd, EstimateNote, EstimateOptions, EstimateReport, IntervalKind, Method, QueryResult,
    SchedulerWord, estimate,
};
use swarmcheck_session::{Budget, Control, Prepared, Refusal, words};

/// Gambler's ruin: up or down by one, each with 1/2, until 0 or n. From s, the probability of n is s/n, and s(n − s) steps are
/// expected (W. Feller, An Introduction to Probability Theory and Its Applications I, chapter XIV).
const RUIN: &str = "system { extern = _n, _start spawn = G: 1 }
agent G { interface = x: _start Behavior = (x > 0 and x < _n) -> (x <- x + 1 ++ x <- x - 1); Behavior }
check {
  Rich = eventually exists G g, x of g = _n
  Modest = always forall G g, x of g < _n
  Later = after 2 exists G g, x of g = 2
  Settled = ltl F G (exists G g, x of g = _n)
  Down = between (x of 0 = 2) and (x of 0 = 4), always x of 0 != 1
  Fair = fairly exists G g, x of g = _n
}";

/// Coupon collector: one of n coupons, each with 1/n. All are expected after n (1 + 1/2 + … + 1/n) draws (Feller, chapter IX).
const COUPONS: &str = "system { spawn = C: 1 }
agent C { interface = got[3]: 0 Behavior = { k := [0..3]; got[k] <- 1 }; Behavior }";
const ALL: &str = "got[0] of 0 = 1 and got[1] of 0 = 1 and got[2] of 0 = 1";

fn ruin() -> Prepared {
    text("ruin.labs", RUIN, "n=5 start=2", false)
}

fn options(queries: &[&str], method: Method) -> EstimateOptions {
    EstimateOptions {
        queries: queries.iter().map(ToString::to_string).collect(),
        properties: vec![],
        method,
        confidence: 0.95,
        scheduler: SchedulerWord::Steps,
        seed: 7,
        threads: 1,
        most_steps: Some(10_000),
        quantiles: vec![],
        bins: None,
    }
}

fn runs(queries: &[&str], runs: u64) -> EstimateOptions {
    options(queries, Method::Runs { runs })
}

fn exact(queries: &[&str]) -> EstimateOptions {
    options(queries, Method::Exact { error: 1e-9 })
}

fn ask(prepared: &Prepared, options: &EstimateOptions) -> Result<EstimateReport, Refusal> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    estimate(prepared, options, &control)
}

fn results(prepared: &Prepared, options: &EstimateOptions) -> Vec<QueryResult> {
    let report = ask(prepared, options).unwrap_or_else(|why| panic!("{}", words::refusal(&why)));
    assert_eq!(report.end, EstimateEnd::Complete);
    report.results
}

fn one(prepared: &Prepared, options: &EstimateOptions) -> QueryResult {
    results(prepared, options).remove(0)
}

fn contains(result: &QueryResult, truth: f64) -> bool {
    result.low.is_none_or(|low| low <= truth) && result.high.is_none_or(|high| truth <= high)
}

/// Intervals at a fixed seed contain the truth, and the exact method gives it.
#[test]
fn known_answers() {
    let fractions = std::cell::Cell::new(0);
    let check = |prepared: &Prepared, query: &str, truth: f64, fraction: &str| {
        let estimated = one(prepared, &runs(&[query], 2000));
        assert!(contains(&estimated, truth), "{query}: {estimated:?}");
        let (low, high) = (estimated.low.unwrap(), estimated.high.unwrap());
        assert!(high - low < 0.1 * truth.max(1.0), "{query}: {estimated:?}");
        let computed = one(prepared, &exact(&[query]));
        assert!(contains(&computed, truth), "{query}: {computed:?}");
        assert!(
            computed.high.unwrap() - computed.low.unwrap() <= 1e-9 * truth.max(1.0),
            "{query}: {computed:?}"
        );
        // Values after a number of steps have bounds only.
        assert!(computed.fraction.as_deref().is_none_or(|found| found == fraction), "{query}: {computed:?}");
        fractions.set(fractions.get() + u32::from(computed.fraction.is_some()));
        assert_eq!((computed.confidence, computed.interval), (None, IntervalKind::Certain));
    };
    let ruin = ruin();
    check(&ruin, "P(eventually x of 0 = 5)", 0.4, "2/5");
    check(&ruin, "P(Rich)", 0.4, "2/5");
    check(&ruin, "P(always x of 0 < 5)", 0.6, "3/5");
    check(&ruin, "E(steps until x of 0 = 0 or x of 0 = 5)", 6.0, "6");
    // Two steps: up and up, up and down, down and up, down and down.
    check(&ruin, "P(x of 0 = 2 after 2)", 0.5, "1/2");
    check(&ruin, "E(x of 0 after 2 steps)", 2.0, "2");
    check(&ruin, "P(x of 0 > 1 until x of 0 = 4)", 1.0 / 3.0, "1/3");
    // Up, up, up; or down, up and so on takes five steps.
    check(&ruin, "P(eventually x of 0 = 5 within 3 steps)", 0.125, "1/8");
    check(&ruin, "P(ltl F G (x of 0 = 5))", 0.4, "2/5");
    let coupons = text("coupons.labs", COUPONS, "", false);
    check(&coupons, &format!("E(steps until {ALL})"), 5.5, "11/2");
    // Three draws, all different: 3!/3³.
    check(&coupons, &format!("P(eventually {ALL} within 3 steps)"), 6.0 / 27.0, "2/9");
    assert!(fractions.get() >= 5, "{}", fractions.get());
}

/// The same runs are asked, so named properties agree with their paths run by run, and with formulas.
#[test]
fn properties_are_followed_as_their_meaning_says() {
    let queries = [
        "P(eventually x of 0 = 5)",
        "P(Rich)",
        "P(ltl F (x of 0 = 5))",
        "P(Settled)",
        "P(always x of 0 < 5)",
        "P(Modest)",
        "P(ltl G (x of 0 < 5))",
        "P(x of 0 = 2 after 2)",
        "P(Later)",
        "P(after 2 x of 0 = 2)",
        "P(ltl X X (x of 0 = 2))",
    ];
    let found = results(&ruin(), &runs(&queries, 500));
    let count = |at: usize| (found[at].satisfied, found[at].violated, found[at].undecided);
    for same in [1, 2, 3] {
        assert_eq!(count(same), count(0), "{}", queries[same]);
    }
    for same in [5, 6] {
        assert_eq!(count(same), count(4), "{}", queries[same]);
    }
    for same in [8, 9, 10] {
        assert_eq!(count(same), count(7), "{}", queries[same]);
    }
    assert_eq!(count(0).0 + count(4).0, 500, "rich or modest");
    // A scope from 2 to 4 is violated if it visits 1. From 2 the walk comes to 1 before 4 with 2/3, and from 1 to 4 before 0 with 1/4: the
    // first scope is violated with 1/6. It closes well with 1/3, and from 4 the walk returns to 2 before 5 with 1/3. So the probability v of a
    // violation is 1/6 + 1/3 · 1/3 · v, which is 3/16.
    let scope = one(&ruin(), &runs(&["P(Down)"], 4000));
    assert!(contains(&scope, 13.0 / 16.0), "{scope:?}");
    assert_eq!(scope.undecided, 0);
}

/// Over many seeds, intervals contain the truth as often as they say.
#[test]
fn coverage_over_seeds() {
    let ruin = ruin();
    let seeds = 300_u64;
    // Four standard deviations of the number of intervals that contain the truth.
    let least = |confidence: f64| {
        let n = seeds as f64;
        (n * confidence - 4.0 * (n * confidence * (1.0 - confidence)).sqrt()) as u64
    };
    let covered = |method: &Method, query: &str, truth: f64| {
        let count = |seed: u64| {
            let options = EstimateOptions { confidence: 0.9, seed, ..options(&[query], method.clone()) };
            u64::from(contains(&one(&ruin, &options), truth))
        };
        (0..seeds).map(count).sum::<u64>()
    };
    let rich = "P(eventually x of 0 = 5)";
    let check = |method: Method, query: &str, truth: f64| {
        let hits = covered(&method, query, truth);
        assert!(hits >= least(0.9), "{query} {method:?}: {hits}");
    };
    check(Method::Runs { runs: 60 }, rich, 0.4);
    check(Method::Width { width: 0.2 }, rich, 0.4);
    check(Method::Runs { runs: 100 }, "E(steps until x of 0 = 0 or x of 0 = 5)", 6.0);
}

#[test]
fn a_width_is_reached_and_a_test_decides() {
    let ruin = ruin();
    let narrow = one(&ruin, &options(&["P(Rich)"], Method::Width { width: 0.05 }));
    let (low, high) = (narrow.low.unwrap(), narrow.high.unwrap());
    assert!(high - low <= 0.05 + 1e-9 && contains(&narrow, 0.4) && narrow.runs > 500, "{narrow:?}");
    assert_eq!(narrow.interval, IntervalKind::Massart);
    let test = Method::Test { indifference: 0.05 };
    let mut wrong = 0;
    for seed in 0..60 {
        let queries = ["P(Rich) >= 0.3", "P(Rich) >= 0.5", "P(Rich) < 0.5", "P(Rich) <= 0.3"];
        let options = EstimateOptions { seed, ..options(&queries, test.clone()) };
        let decisions: Vec<_> = results(&ruin, &options).iter().map(|r| r.decision.unwrap()).collect();
        let right = [Decision::Accepted, Decision::Rejected, Decision::Accepted, Decision::Rejected];
        wrong += decisions.iter().zip(right).filter(|(found, right)| **found != *right).count();
    }
    // At most 5 % of 240 are expected; far fewer, because 0.4 lies outside of the regions.
    assert!(wrong <= 12, "{wrong}");
    // With a number of runs the interval decides, or not.
    let by_interval = |query: &str| one(&ruin, &runs(&[query], 500)).decision;
    assert_eq!(by_interval("P(Rich) >= 0.1"), Some(Decision::Accepted));
    assert_eq!(by_interval("P(Rich) >= 0.9"), Some(Decision::Rejected));
    assert_eq!(by_interval("P(Rich) >= 0.4"), Some(Decision::Undecided));
    assert_eq!(by_interval("E(steps until x of 0 = 0 or x of 0 = 5) < 20"), Some(Decision::Accepted));
    let computed = |query: &str| one(&ruin, &exact(&[query])).decision;
    assert_eq!(computed("P(Rich) >= 0.4"), Some(Decision::Accepted));
    assert_eq!(computed("P(Rich) > 0.4"), Some(Decision::Rejected));
    assert_eq!(computed("E(steps until x of 0 = 5) < 1000"), Some(Decision::Rejected));
}

#[test]
fn threads_make_no_difference() {
    let ruin = ruin();
    let queries = ["P(Rich)", "E(steps until x of 0 = 0 or x of 0 = 5)", "P(Settled)"];
    let with = |threads: usize, method: Method, queries: &[&str]| {
        let options =
            EstimateOptions { threads, quantiles: vec![0.5], bins: Some(4), ..options(queries, method) };
        serde_json::to_string(&ask(&ruin, &options).unwrap_or_else(|_| panic!("refused"))).unwrap()
    };
    let split = |threads| {
        let method = Method::Splitting {
            importance: "x of 0".into(),
            levels: vec![3, 4],
            runs: 50,
            fixed_splitting: false,
        };
        with(threads, method, &["P(Rich)"])
    };
    for threads in [2, 3] {
        let runs = Method::Runs { runs: 700 };
        assert_eq!(with(1, runs.clone(), &queries), with(threads, runs, &queries));
        let width = Method::Width { width: 0.1 };
        assert_eq!(with(1, width.clone(), &["P(Rich)"]), with(threads, width, &["P(Rich)"]));
        let test = Method::Test { indifference: 0.02 };
        assert_eq!(with(1, test.clone(), &["P(Rich) > 0.3"]), with(threads, test, &["P(Rich) > 0.3"]));
        assert_eq!(split(1), split(threads));
    }
}

#[test]
fn deadlocks_and_runs_that_are_cut_short() {
    let ruin = ruin();
    // Ruin comes first with 3/5: then 5 is never reached.
    let never = one(&ruin, &runs(&["E(steps until x of 0 = 5)"], 200));
    assert!(never.infinite && never.value.is_none() && never.high.is_none(), "{never:?}");
    assert!(
        never.notes.iter().any(|n| matches!(n, EstimateNote::Deadlocks { runs } if *runs == never.violated))
    );
    assert!(one(&ruin, &exact(&["E(steps until x of 0 = 5)"])).infinite);
    // After two steps nothing is decided: 0 and 4 are as far as runs come, and only 0 decides.
    let cut = EstimateOptions {
        most_steps: Some(2),
        ..runs(&["P(Rich)", "P(Modest)", "E(steps until x of 0 = 5)"], 400)
    };
    let found = results(&ruin, &cut);
    for result in &found[..2] {
        assert!(
            result.undecided > 200
                && result.value.is_none()
                && contains(result, 0.4)
                && contains(result, 0.6),
            "{result:?}"
        );
        assert!(result.notes.contains(&EstimateNote::CutShort { runs: result.undecided, steps: 2 }));
    }
    assert_eq!(found[0].violated, found[1].satisfied);
    // Nobody has stopped before the goal within one step, so it is at least two steps more.
    let cut = EstimateOptions { most_steps: Some(1), ..runs(&["E(steps until x of 0 = 5)"], 100) };
    let short = one(&ruin, &cut);
    assert_eq!((short.value, short.high, short.undecided), (Some(2.0), None, 100));
    assert!(short.notes.contains(&EstimateNote::AtLeast));
    // At the end a run has stopped at 0 or 5: the mean is 5 · 2/5.
    let end = one(&ruin, &runs(&["E(x of 0 at the end)"], 2000));
    assert!(contains(&end, 2.0), "{end:?}");
}

/// One of two agents moves first, so after one step y is ⊥ for the other.
#[test]
fn undefined_values() {
    let two = "system { spawn = A: 2 } agent A { interface = y: undef Behavior = y <- 7; Nil }";
    let two = text("two.labs", two, "", false);
    let found = one(&two, &runs(&["E(y of 0 after 1)"], 400));
    let undefined = found.notes.iter().find_map(|n| match n {
        EstimateNote::Undefined { runs } => Some(*runs),
        _ => None,
    });
    let undefined = undefined.expect("half of the runs");
    assert!((140..260).contains(&undefined), "{undefined}");
    assert_eq!((found.value, found.satisfied), (Some(7.0), 400 - undefined));
    assert!(found.notes.contains(&EstimateNote::NoSpread));
    let none = one(&two, &runs(&["E(y of 0 after 0)"], 10));
    assert_eq!((none.value, none.low, none.high), (None, None, None));
    // A condition with ⊥ does not hold, and neither does its negation.
    let halves = results(&two, &runs(&["P(y of 0 = 7 after 1)", "P(y of 0 != 7 after 1)"], 400));
    assert_eq!((halves[0].satisfied, halves[1].satisfied), (400 - undefined, 0));
    assert!(ask(&two, &exact(&["E(y of 0 after 1)"])).is_err());
}

#[test]
fn distributions() {
    let coupons = text("coupons.labs", COUPONS, "", false);
    let wanted = EstimateOptions {
        quantiles: vec![0.5, 0.9],
        bins: Some(5),
        ..runs(&[&format!("E(steps until {ALL})")], 2000)
    };
    let found = one(&coupons, &wanted);
    let distribution = found.distribution.expect("asked for");
    // P(T ≤ 4) = 36/81 and P(T ≤ 5) = 150/243, P(T ≤ 8) = 0.883 and P(T ≤ 9) = 0.922 by inclusion and exclusion.
    let quantile = |at: usize| distribution.quantiles[at];
    assert!(quantile(0).low.unwrap() <= 5.0 && 5.0 <= quantile(0).high.unwrap(), "{distribution:?}");
    assert!(quantile(1).low.unwrap() <= 9.0 && 9.0 <= quantile(1).high.unwrap(), "{distribution:?}");
    assert_eq!((distribution.count, distribution.least), (2000, 3.0));
    assert_eq!(distribution.bins.len(), 5);
    assert_eq!(distribution.bins.iter().map(|(_, n)| n).sum::<u64>(), 2000);
}

/// From 1, n = 12 is reached with 1/12; from 3 with levels in between the same way.
#[test]
fn splitting() {
    let ruin = text("ruin.labs", RUIN, "n=12 start=1", false);
    for (levels, fixed_splitting, runs) in
        [(vec![3, 6], false, 200), (vec![], false, 200), (vec![2, 4], true, 2)]
    {
        let method = Method::Splitting { importance: "x of 0".to_string(), levels, runs, fixed_splitting };
        let found = one(&ruin, &options(&["P(eventually x of 0 = 12)"], method.clone()));
        assert!(contains(&found, 1.0 / 12.0), "{method:?}: {found:?}");
        assert!(found.high.unwrap() < 0.2 && found.low.unwrap() > 0.02, "{found:?}");
        assert_eq!(found.interval, IntervalKind::Splitting);
    }
}

#[test]
fn schedulers() {
    // Two steps of A, one of B: by steps A moves first with 2/3, by agents with 1/2, and A is the first whose turn it is.
    let model = "system { spawn = A: 1, B: 1 }
        agent A { rate = 3 interface = x: 0 Behavior = (x <- 1 ++ x <- 2); Nil }
        agent B { interface = x: 0 Behavior = x <- 1; Nil }";
    let model = text("three.labs", model, "", false);
    let first = |scheduler, method: Method| {
        one(&model, &EstimateOptions { scheduler, ..options(&["P(x of 0 > 0 after 1)"], method) })
    };
    let check = |scheduler, truth: f64| {
        let estimated = first(scheduler, Method::Runs { runs: 1000 });
        assert!(contains(&estimated, truth), "{scheduler:?} {estimated:?}");
        let computed = first(scheduler, Method::Exact { error: 1e-9 });
        assert!(contains(&computed, truth), "{scheduler:?} {computed:?}");
        assert!(computed.high.unwrap() - computed.low.unwrap() <= 1e-9, "{computed:?}");
    };
    check(SchedulerWord::Steps, 2.0 / 3.0);
    check(SchedulerWord::Agents, 0.5);
    check(SchedulerWord::RoundRobin, 1.0);
    check(SchedulerWord::Rates, 6.0 / 7.0);
    let extremes = first(SchedulerWord::Any, Method::Exact { error: 1e-9 }).extremes.expect("two values");
    let near = |found: Option<f64>, truth: f64| found.is_some_and(|found| (found - truth).abs() < 1e-9);
    assert!(near(extremes.minimum.1, 0.0) && near(extremes.maximum.0, 1.0), "{extremes:?}");
    let most = EstimateOptions {
        scheduler: SchedulerWord::Any,
        ..exact(&["Pmax(x of 0 > 0 after 1)", "Pmin(x of 0 > 0 after 1)"])
    };
    let found = results(&model, &most);
    assert!(near(found[0].value, 1.0) && near(found[1].value, 0.0), "{found:?}");
    // The first step comes after a mean time of 1/7.
    let timed = |method| EstimateOptions {
        scheduler: SchedulerWord::Rates,
        ..options(&["E(time until x of 0 > 0 or x of 1 > 0)"], method)
    };
    assert!(contains(&one(&model, &timed(Method::Runs { runs: 2000 })), 1.0 / 7.0));
    assert_eq!(one(&model, &timed(Method::Exact { error: 1e-9 })).fraction.as_deref(), Some("1/7"));
    let within = |method| EstimateOptions {
        scheduler: SchedulerWord::Rates,
        ..options(&["P(eventually x of 1 = 1 within 0.5 time)"], method)
    };
    let truth = 1.0 - (-0.5_f64).exp();
    assert!(contains(&one(&model, &within(Method::Runs { runs: 1000 })), truth));
    assert!(contains(&one(&model, &within(Method::Exact { error: 1e-9 })), truth));
}

/// Long-run shares: two states in turns.
#[test]
fn long_run_shares() {
    let model = "system { spawn = A: 1 } agent A { interface = x: 0 Behavior = x <- (x + 1) % 4; Behavior }";
    let model = text("round.labs", model, "", false);
    let share = one(&model, &exact(&["S(x of 0 = 3)"]));
    assert_eq!(share.fraction.as_deref(), Some("1/4"));
}

#[test]
fn other_languages() {
    // Two agents that can always send: the first step is a's with 1/2.
    let script = "agent A\n  local: n : 0..1\n  init: n = 0\n  repeat: s: {true} *! (true)()[n := 1]\n\
                  system = A(a, true) || A(b, true)\nSPEC Both: F (b-n = 1)\n";
    let script = text("two.rcp", script, "", false);
    let queries = [
        "P(eventually a-n = 1 within 1 step)",
        "E(a-n + b-n after 1)",
        "E(a-n after 1)",
        "P(Both)",
        "P(ltl F (a-n = 1))",
    ];
    let truths = [0.5, 1.0, 0.5, 1.0, 1.0];
    for (result, truth) in results(&script, &runs(&queries, 500)).iter().zip(truths) {
        assert!(contains(result, truth), "{result:?}");
    }
    for (result, truth) in results(&script, &exact(&queries)).iter().zip(truths) {
        assert!(contains(result, truth), "{result:?}");
    }
    // a or b, each with 1/2, for ever: a comes within 4 steps with 15/16.
    let ccs = text("a.ccs", "proc A = a.A + b.A\nsystem = A\ncheck { P = eventually a }", "", false);
    let found = one(&ccs, &EstimateOptions { most_steps: Some(4), ..runs(&["P(P)"], 1000) });
    assert!(contains(&found, 15.0 / 16.0) && found.undecided > 0, "{found:?}");
}

/// Everything that is refused, with what is said about it.
#[test]
fn refusals() {
    let ruin = ruin();
    let said = |options: &EstimateOptions| match ask(&ruin, options) {
        Err(refusal) => words::refusal(&refusal),
        Ok(report) => panic!("{options:?}: {report:?}"),
    };
    let check = |options: EstimateOptions, expected: &str| {
        let said = said(&options);
        assert!(said.contains(expected), "{said}");
    };
    let free = |queries: &[&str]| EstimateOptions { most_steps: None, ..runs(queries, 10) };
    check(runs(&[], 10), "nothing is asked");
    check(free(&["P(Rich)"]), "go on for ever");
    check(free(&["P(eventually x of 0 = 5)"]), "within N steps");
    check(free(&["E(steps until x of 0 = 5)"]), "go on for ever");
    check(free(&["E(x of 0 at the end)"]), "go on for ever");
    check(free(&["P(ltl G (x of 0 < 5))"]), "go on for ever");
    check(runs(&["P(Fair)"], 10), "all executions");
    check(runs(&["P(Down within 5 steps)"], 10), "leave it out");
    check(runs(&["P(Ritch)"], 10), "no property `Ritch`");
    check(EstimateOptions { properties: vec!["Ritch".into()], ..runs(&[], 10) }, "did you mean \"Rich\"");
    check(runs(&["E(time until x of 0 = 5)"], 10), "take no time");
    check(runs(&["P(eventually x of 0 = 5 within 2.5 time)"], 10), "take no time");
    check(runs(&["S(x of 0 = 5)"], 10), "exact method");
    check(runs(&["Pmax(eventually x of 0 = 5)"], 10), "'any'");
    check(EstimateOptions { scheduler: SchedulerWord::Any, ..runs(&["P(Rich)"], 10) }, "exact method only");
    check(EstimateOptions { scheduler: SchedulerWord::Rates, ..runs(&["P(Rich)"], 10) }, "no rates");
    for confidence in [0.0, 1.0, -0.5, 2.0, f64::NAN] {
        check(EstimateOptions { confidence, ..runs(&["P(Rich)"], 10) }, "confidence");
    }
    check(runs(&["P(Rich)"], 0), "number of runs");
    check(EstimateOptions { threads: 0, ..runs(&["P(Rich)"], 10) }, "threads");
    check(EstimateOptions { quantiles: vec![1.5], ..runs(&["P(Rich)"], 10) }, "quantile");
    check(EstimateOptions { bins: Some(0), ..runs(&["P(Rich)"], 10) }, "bins");
    check(options(&["P(Rich)"], Method::Width { width: 0.0 }), "width");
    check(options(&["P(Rich)"], Method::Width { width: 1e-12 }), "more runs than can be counted");
    check(options(&["E(x of 0 at the end)"], Method::Width { width: 0.1 }), "for probabilities");
    check(options(&["P(Rich)"], Method::Test { indifference: 0.1 }), "comparison");
    check(options(&["P(Rich) >= 1"], Method::Test { indifference: 0.1 }), "above 0 and below 1");
    check(options(&["P(Rich)"], Method::Exact { error: 0.0 }), "error");
    check(exact(&["E(x of 0 at the end)"]), "how long runs are");
    let split = |levels: Vec<i64>| Method::Splitting {
        importance: "x of 0".into(),
        levels,
        runs: 10,
        fixed_splitting: false,
    };
    check(options(&["P(Rich)"], split(vec![2, 2])), "levels");
    check(options(&["P(Modest)"], split(vec![3])), "is reached");
    // Errors in the language of the model, with the place in the query.
    let place = |query: &str| match ask(&ruin, &runs(&[query], 10)) {
        Err(Refusal::Model { diagnostics }) => {
            let d = &diagnostics[0];
            assert_eq!(d.file, "<query>");
            (d.place.line, d.place.column)
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(place("P(eventually y of 0 = 5)"), (1, 14));
    assert_eq!(place("P(eventually x of 0 = )"), (1, 22));
    assert_eq!(place("P(x of 0 = 1 until z of 0 = 5)"), (1, 20));
    assert_eq!(place("E(x of 0 + w after 3)"), (1, 12));
    assert_eq!(place("P(ltl G F (v of 0 = 1))"), (1, 12));
    assert_eq!(place("P(Ritch)"), (1, 3));
    let ccs = text("a.ccs", "proc A = a.A\nsystem = A\ncheck { P = eventually a }", "", false);
    let Err(refusal) = ask(&ccs, &runs(&["P(eventually x = 1)"], 10)) else { panic!("not refused") };
    assert!(words::refusal(&refusal).contains("by name only"));
}

/// Errors of the model, and assumptions that nothing satisfies.
#[test]
fn models_that_cannot_run() {
    let fault = text(
        "f.labs",
        "system { spawn = A: 1 } agent A { interface = m[2]: 0, i: 0 Behavior = { m[i] <- 1; i <- i + 1 }; Behavior }",
        "",
        false,
    );
    for options in [runs(&["P(eventually i of 0 = 9)"], 10), exact(&["P(eventually i of 0 = 9)"])] {
        let report = ask(&fault, &options).unwrap_or_else(|_| panic!("refused"));
        assert!(
            matches!(&report.end, EstimateEnd::ModelError { error } if error.file == "f.labs"),
            "{report:?}"
        );
        assert!(report.results.is_empty());
    }
    // The fault is in the query.
    let report =
        ask(&fault, &runs(&["E(m[5 + i of 0] of 0 after 0)"], 1)).unwrap_or_else(|_| panic!("refused"));
    assert!(
        matches!(&report.end, EstimateEnd::ModelError { error } if error.file == "<query>" && error.column > 2),
        "{report:?}"
    );
    let none = "system { spawn = A: 1 } agent A { interface = x: 0..3 Behavior = Skip; Behavior } assume { No = x of 0 > 5 }";
    let none = text("n.labs", none, "", false);
    for options in [runs(&["P(x of 0 = 1 after 1)"], 10), exact(&["P(x of 0 = 1 after 1)"])] {
        let report = ask(&none, &options).unwrap_or_else(|_| panic!("refused"));
        assert!(matches!(report.end, EstimateEnd::NoInitialState { .. }), "{report:?}");
    }
}

/// Somebody stops the runs: what was found so far is told, with an interval that stays right.
#[test]
fn interrupted_runs() {
    struct After(u64, AtomicBool, std::sync::atomic::AtomicU64);
    impl swarmcheck_engine::Progress for After {
        fn report(&self, _: swarmcheck_engine::Snapshot) {
            use std::sync::atomic::Ordering::Relaxed;
            if self.2.fetch_add(1, Relaxed) + 1 >= self.0 {
                self.1.store(true, Relaxed);
            }
        }
    }
    let ruin = ruin();
    for method in [Method::Runs { runs: 1_000_000 }, Method::Width { width: 0.001 }] {
        let progress = After(300, AtomicBool::new(false), 0.into());
        let control = Control { stop: &progress.1, budget: Budget::default(), progress: &progress };
        let Ok(report) = estimate(&ruin, &options(&["P(Rich)"], method), &control) else { panic!("refused") };
        assert_eq!((report.end.clone(), report.runs), (EstimateEnd::Interrupted, 300));
        let result = &report.results[0];
        assert!(result.notes.contains(&EstimateNote::StoppedEarly { runs: 256 }), "{result:?}");
        assert!(contains(result, 0.4) && result.high.unwrap() - result.low.unwrap() < 0.3, "{result:?}");
    }
}

/// The walk is a martingale, so 2 is expected after any number of steps. A limit on runs does not cut queries that count steps.
#[test]
fn a_limit_does_not_cut_queries_that_count_steps() {
    let query = "E(x of 0 after 20)";
    let short = EstimateOptions { most_steps: Some(3), ..runs(&[query, "P(eventually x of 0 = 5)"], 2000) };
    let found = results(&ruin(), &short);
    assert_eq!((found[0].undecided, found[0].satisfied), (0, 2000));
    assert!(contains(&found[0], 2.0), "{:?}", found[0]);
    assert!(found[0].notes.is_empty(), "{:?}", found[0].notes);
    // Within three steps a run is at 0 (two of eight), at 5 (one of eight), or neither.
    assert!(found[1].undecided > 1000 && contains(&found[1], 0.4), "{:?}", found[1]);
}

/// Who wants to reach 5 passes 3, so both ask the same. The exact engine must not answer the second without its bound.
#[test]
fn the_exact_method_refuses_formulas_with_a_bound() {
    let fine = one(&ruin(), &exact(&["P(ltl F (x of 0 = 5) within 3)"]));
    assert_eq!(fine.fraction.as_deref(), Some("1/8"));
    let why = ask(&ruin(), &exact(&["P(ltl (F (x of 0 = 5)) and (F (x of 0 = 3)) within 3)"])).unwrap_err();
    assert!(words::refusal(&why).contains("with a bound"), "{}", words::refusal(&why));
}

/// A scheduler may choose to stay for ever: then the goal is never reached, and the other one reaches it in one step.
#[test]
fn extremes_may_be_infinite() {
    let model = "system { spawn = A: 1 } agent A { interface = x: 0 Behavior = x = 0 -> (x <- 0 ++ x <- 1); Behavior }";
    let any = EstimateOptions { scheduler: SchedulerWord::Any, ..exact(&["E(steps until x of 0 = 1)"]) };
    let found = one(&text("stay.labs", model, "", false), &any);
    let extremes = found.extremes.expect("minimum and maximum");
    assert_eq!((extremes.minimum_infinite, extremes.maximum_infinite), (false, true));
    assert!(
        extremes.minimum.0.is_some_and(|low| low <= 1.0)
            && extremes.minimum.1.is_some_and(|high| high >= 1.0)
    );
}
