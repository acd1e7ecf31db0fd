//! Systems with numbers near 2⁶³, and formulas of linear time in all languages.

use crate::compare::{Counts, Made};
use crate::record::{Answers, Disagreement, Record, Request};
use crate::work::Size;
use std::time::{Duration, Instant};
use swarmcheck_session::verify::ENGINES;
use swarmcheck_testkit::wide::Wide;
use swarmcheck_testkit::wide::compare::{compare_engine, compare_states};

/// Systems with more states are left out.
const STATES: usize = 300;

/// Compares a system with wide numbers.
pub fn wide(request: &Request, record: &mut Record) {
    let wide = Wide::new(request.seed);
    let (seed, patience) = (request.seed, Duration::from_secs_f64(request.patience));
    let mut disagree = |engine: &str, words: String, fails: &dyn Fn(&Wide) -> bool| {
        record.disagreements.push(Disagreement {
            engine: engine.to_string(),
            sort: "128 bits".to_string(),
            words,
            text: wide.text(),
            shrunk: Some(wide.shrunk(fails).text()),
        });
    };
    match compare_states(&wide, seed, STATES) {
        None => return,
        Some(Err(words)) => {
            return disagree("program", words, &|less| {
                matches!(compare_states(less, seed, STATES), Some(Err(_)))
            });
        }
        Some(Ok(())) => {}
    }
    let mut found = vec![];
    // Words of 64 bits are hard for solvers and diagrams: two of the engines beside the explicit one.
    let turn = |at: usize| at == 0 || (seed as usize + at).is_multiple_of(4);
    for (_, entry) in ENGINES.iter().enumerate().filter(|(at, _)| turn(*at)) {
        let ask = |wide: &Wide| compare_engine(wide, seed, STATES, entry.decider, patience);
        let began = Instant::now();
        match ask(&wide) {
            None => {}
            Some(Ok(seen)) => found.push((entry.name, seen, began.elapsed())),
            Some(Err(words)) => {
                disagree(entry.name, words, &|less| matches!(ask(less), Some(Err(_))));
                break;
            }
        }
    }
    record.compared = true;
    record.properties = wide.claims.len() as u64;
    record.states = wide.explore(STATES).map_or(0, |explored| explored.states.len() as u64);
    record.features.push("number near 2⁶³".to_string());
    if wide.explore(STATES).is_some_and(|explored| explored.fault.is_some()) {
        record.features.push("number too large".to_string());
    }
    record.engine("program in 128 bits").other += 1;
    for (name, seen, time) in found {
        record.engine(name).add(Answers {
            holds: seen.holds as u64,
            violated: seen.violated as u64,
            errors: seen.errors as u64,
            open: seen.open as u64,
            tolerated: seen.tolerated as u64,
            micros: time.as_micros() as u64,
            ..Answers::default()
        });
    }
}

/// Compares a system with formulas. The formulas are trees that the text does not give back, so nothing is shrunk.
pub fn formulas(request: &Request, make: fn(u64, usize) -> Result<Made, String>, record: &mut Record) {
    // All engines now and then; otherwise the explicit one and another in turn.
    let mut counts = Counts {
        thorough: request.seed.is_multiple_of(8) && !request.small,
        brief: request.small.then(|| Duration::from_secs_f64(request.patience)),
        ..Counts::default()
    };
    let made = make(request.seed, Size::of(request).formulas);
    let text = match &made {
        Ok(Made::Case(case)) => case.text.clone(),
        _ => String::new(),
    };
    for (name, here) in [
        ("GET or SUPPLY", text.contains("GET@") || text.contains("SUPPLY@")),
        (
            "formula over actions",
            ["CCS", "Chor"].contains(&request.generator.as_str()) || text.contains("acts)"),
        ),
        ("formula over messages", text.contains("<sender") || text.contains("delivered")),
        ("weak or strong fairness", request.generator.contains("fair")),
    ] {
        if here {
            record.features.push(name.to_string());
        }
    }
    if let Err(words) = counts.add(request.seed, made) {
        let (engine, sort) = ("formulas".to_string(), "literal evaluation".to_string());
        record.disagreements.push(Disagreement { engine, sort, words, text, shrunk: None });
    }
    record.compared = counts.systems > 0;
    record.properties = (counts.holds + counts.violated) as u64;
    for (engine, answers) in &counts.by_engine {
        record.engine(engine).add(Answers {
            holds: answers[0] as u64,
            violated: answers[1] as u64,
            ..Answers::default()
        });
    }
    for ((engine, word), count) in &counts.open {
        let count = *count as u64;
        let late = if word == "Interrupted" { count } else { 0 };
        record.engine(engine).add(Answers { open: count - late, late, ..Answers::default() });
    }
}
