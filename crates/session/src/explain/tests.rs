//! Cones against brute force: the steps of the cone alone must be possible, and violate the same.

use super::*;
use crate::open::ModelOptions;
use crate::simulate::{SimulateOptions, TraceFormat, simulate};
use crate::walk::Misfit;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};
use swarmcheck_ir::Value;
use swarmcheck_ir::flat::{Enumerate, Instance, Machine, Outcome};

/// Agents that write to a board, read it, tell each other by messages, and do things that nobody reads.
pub(crate) const BUSY: &str =
    "system { environment = board[3]: 0; noise: 0  spawn = Writer: 2, Reader: 1, Idler: 1 }
stigmergy News { link = true  item: 0 }
agent Writer {
  interface = mine: 0
  stigmergies = News
  Behavior = mine <- mine + 1; { board[id] <-- mine; item <~ mine }; mine < 2 -> Behavior
}
agent Reader {
  interface = sum: 0; heard: 0
  stigmergies = News
  Behavior = sum <- board[0] + board[1]; heard <- item; Behavior
}
agent Idler { Behavior = noise <-- (noise + 1) % 3; Behavior }
check {
  Small = always forall Reader r, sum of r < 2
  Unheard = always forall Reader r, heard of r < 1 or sum of r < 1
  Quiet = always board[1] = 0 or noise = 0
}
";

pub(crate) fn prepared(text: &str) -> Prepared {
    let made = prepare("busy.labs", text.as_bytes(), ModelOptions::default());
    made.unwrap_or_else(|_| panic!("the model is refused"))
}

/// Traces of random runs.
pub(crate) fn runs(prepared: &Prepared, runs: u64, steps: u64) -> Vec<TraceData> {
    let format = TraceFormat::Json;
    let options = SimulateOptions { runs, steps, seed: 5, format, ..SimulateOptions::default() };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let mut out = vec![];
    simulate(prepared, options, &control, &mut out).expect("writing to memory works");
    let text = String::from_utf8(out).expect("JSON is text");
    text.lines().map(|line| serde_json::from_str(line).expect("a trace")).collect()
}

/// Whether these instances can be run one after the other, in some way, to a state in which the predicate is false.
fn violates(
    flat: &Flat,
    machine: &mut Machine,
    state: &[Value],
    steps: &[Instance],
    property: usize,
) -> bool {
    let Some((first, rest)) = steps.split_first() else {
        return flat.holds(machine, property, state) == Ok(false);
    };
    let mut ways = Enumerate::default();
    loop {
        let mut next = state.to_vec();
        let done = machine.step(flat, *first, &mut next, &mut ways) == Outcome::Done;
        if done && violates(flat, machine, &next, rest, property) {
            return true;
        }
        if !ways.advance() {
            return false;
        }
    }
}

#[test]
fn the_steps_of_a_cone_are_enough() {
    let prepared = prepared(BUSY);
    let (mut violated, mut dropped) = (0, 0);
    for trace in runs(&prepared, 60, 40) {
        let Ok(plan) = plan(&prepared, &trace) else { panic!("a run of the model is none of the model") };
        for (number, property) in prepared.flat.program.properties.iter().enumerate() {
            let ExplainAnswer::Explained { explanation } = explain(&prepared, &trace, Some(&property.name))
            else {
                panic!("a run of the model is none of the model")
            };
            let ExplainedFact::False { after, .. } = explanation.subject else { continue };
            violated += 1;
            assert!(explanation.steps[after..].iter().all(|step| !step.matters), "later steps do not matter");
            let kept = plan.steps.iter().zip(&explanation.steps).filter(|(_, told)| told.matters);
            let kept: Vec<Instance> = kept.map(|(made, _)| made.instance).collect();
            dropped += after - kept.len();
            let mut machine = Machine::new(&prepared.flat);
            assert!(
                violates(&prepared.flat, &mut machine, &plan.initial, &kept, number),
                "{}: {kept:?} of {:?}",
                property.name,
                trace.steps
            );
        }
    }
    assert!(violated >= 60, "{violated}");
    assert!(dropped >= 200, "{dropped}");
}

/// What is read is enough: the same run on states that differ elsewhere makes the same changes.
#[test]
fn cells_that_are_not_read_have_no_influence() {
    let prepared = prepared(BUSY);
    let flat = &prepared.flat;
    let mut compared = 0;
    for trace in runs(&prepared, 10, 30) {
        let Ok(plan) = plan(&prepared, &trace) else { panic!("a run of the model is none of the model") };
        let followed = Followed::new(flat, &plan);
        for (at, step) in followed.steps.iter().enumerate() {
            for slot in (0..flat.width() as u32).filter(|slot| !step.reads.contains(slot)) {
                // Only data has values that can be anything.
                if cell(flat, slot).role != CellRole::Data {
                    continue;
                }
                let mut other = followed.states[at].clone();
                other[slot as usize] += 1;
                let (mut machine, mut ways) = (Machine::new(flat), Enumerate::default());
                let outcome = machine.step(flat, plan.steps[at].instance, &mut other, &mut ways);
                assert_eq!(outcome, Outcome::Done);
                let same = step
                    .changes
                    .iter()
                    .all(|c| *c == slot || other[*c as usize] == followed.states[at + 1][*c as usize]);
                assert!(same, "step {at}, cell {slot}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 1000, "{compared}");
}

/// The idler acts in between; the story has the writer's steps and the reader's.
#[test]
fn steps_that_do_not_matter_are_folded_by_agent() {
    let prepared = prepared(BUSY);
    let traces = runs(&prepared, 60, 40);
    let told = traces.iter().filter_map(|trace| match explain(&prepared, trace, Some("Small")) {
        ExplainAnswer::Explained { explanation } => Some(explanation),
        _ => None,
    });
    let mut seen = 0;
    for explanation in told.filter(|e| matches!(e.subject, ExplainedFact::False { .. })) {
        assert!(explanation.steps.iter().all(|step| !step.matters || !step.who.starts_with("Idler")));
        let story = words::story(&explanation);
        assert!(story.starts_with("Small: the predicate is false after step "), "{story}");
        assert!(story.contains("sum of Reader 2 = "), "{story}");
        assert!(!story.contains("noise"), "{story}");
        seen += usize::from(story.contains("Idler 3"));
    }
    assert!(seen >= 5, "{seen}");
}

#[test]
fn a_trace_of_another_model_is_refused() {
    let trace = &runs(&prepared(BUSY), 1, 5)[0];
    let other = prepared(&BUSY.replace("noise: 0 ", "noise: 1 "));
    assert_eq!(explain(&other, trace, None), ExplainAnswer::Misfit { misfit: Misfit::Start });
    let answer = explain(&prepared(BUSY), trace, Some("Smal"));
    let suggestion = Some("Small".to_string());
    assert_eq!(answer, ExplainAnswer::NoSuchProperty { name: "Smal".to_string(), suggestion });
}

/// A run says nothing of what could be reached after it: `fairly` is never explained by one.
#[test]
fn a_run_does_not_explain_what_could_still_be_reached() {
    let model = "system { environment = x: 0  spawn = A: 1 }
        agent A { Behavior = x <-- 1 - x; Behavior }
        check { Again = fairly_inf x = 1  Zero = always x = 0 }";
    let prepared = prepared(model);
    for trace in runs(&prepared, 3, 4) {
        let fact = |property: Option<&str>| {
            let answer = explain(&prepared, &trace, property);
            let ExplainAnswer::Explained { explanation } = answer else { panic!("a run of the model") };
            explanation.subject
        };
        assert_eq!(fact(Some("Again")), ExplainedFact::Nothing);
        assert_eq!(fact(None), ExplainedFact::False { property: "Zero".to_string(), after: 1 });
    }
}
