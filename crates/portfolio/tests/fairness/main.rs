//! Questions about fair executions of small programs: every engine against the definition.
//!
//! An execution visits a strongly connected set of states infinitely often, and conversely some execution visits every such
//! set infinitely often and takes every step inside it again and again. A set of which no unit is treated unfairly even so is
//! treated fairly by no execution. So all strongly connected sets of a small program tell everything ([`definition`]).
//! Which unit makes a step is read off the step there, and where it can move by trying: no tracking variable, no condition.

mod definition;
mod examples;
mod program;

use definition::{Ask, Graph};
use program::{check, random};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{
    Budget, Control, Fairness, Finding, Note, Reason, Reductions, Subject, Task, Verdict, Why,
};
use swarmcheck_ir::Program;
use swarmcheck_portfolio::{Decider, ENGINES};

/// Executions of growing length are followed so far.
const DEPTH: u32 = 14;

/// Asks an engine about the last property of a program.
fn ask(engine: &str, program: &Arc<Program>, ignore_deadlock: bool, more: Task) -> Finding {
    let entry = Decider::named(engine).and_then(Decider::entry).expect("an engine");
    let subject = Subject::Property(program.properties.len() - 1);
    let task = Task { ignore_deadlock, ..more }.only(subject);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let depth = ["bmc", "kind"].contains(&engine).then_some(DEPTH);
    let mut findings = entry.engine(depth).run(&task, &control);
    assert_eq!(findings.len(), 1);
    findings.swap_remove(0)
}

fn task(program: &Arc<Program>, fairness: Fairness, reductions: Reductions) -> Task {
    Task { fairness, reductions, ..Task::of(Arc::clone(program)) }
}

#[derive(Default, Debug)]
struct Counts {
    systems: usize,
    /// By fairness: what holds, and what is violated.
    verdicts: [[usize; 2]; 3],
    /// Holds under one sort of fairness and not under the next weaker one.
    differences: [usize; 2],
    lassos: usize,
    /// Questions that engines left open, by their place in the table.
    open: [usize; ENGINES.len()],
}

const SORTS: [Fairness; 3] = [Fairness::None, Fairness::Weak, Fairness::Strong];

fn compare(seed: u64, counts: &mut Counts) {
    let mut dice = fastrand::Rng::with_seed(seed);
    let program = random(&mut dice);
    let Some(graph) = Graph::of(&program) else { return };
    counts.systems += 1;
    for ignore_deadlock in [false, true] {
        let asked = Ask::random(&mut dice);
        let program = Arc::new(check(&program, &asked));
        let expected = SORTS.map(|fairness| graph.holds(&asked, fairness, ignore_deadlock));
        for (sort, &fairness) in SORTS.iter().enumerate() {
            counts.verdicts[sort][usize::from(!expected[sort])] += 1;
            if sort > 0 {
                assert!(expected[sort] || !expected[sort - 1], "more executions violate more");
                counts.differences[sort - 1] += usize::from(expected[sort] != expected[sort - 1]);
            }
            for (number, entry) in ENGINES.iter().enumerate() {
                for reductions in [Reductions::ALL, Reductions::NONE] {
                    if reductions == Reductions::NONE && entry.name != "explicit" && !seed.is_multiple_of(4) {
                        continue;
                    }
                    let found =
                        ask(entry.name, &program, ignore_deadlock, task(&program, fairness, reductions));
                    let what = format!(
                        "seed {seed}, {} {asked:?} {fairness:?}, excused: {ignore_deadlock}, reduced: {}",
                        entry.name,
                        reductions != Reductions::NONE
                    );
                    assert!(!found.notes.contains(&Note::SearchedAgain), "{what}: {found:?}");
                    match &found.verdict {
                        Verdict::Holds(_) => assert!(expected[sort], "{what}"),
                        Verdict::Violated(trace, why) => {
                            assert!(!expected[sort], "{what}: {trace:?}");
                            let shown = graph.shows(&asked, fairness, trace, *why == Why::Prefix);
                            assert!(shown, "{what}: {trace:?} {why:?}");
                            counts.lassos += usize::from(trace.loop_start.is_some());
                        }
                        Verdict::Unknown(Reason::Unsupported(why)) => {
                            let may = ["abstract", "bmc", "kind", "compose", "smt"].contains(&entry.name);
                            assert!(may, "{what}: {why}");
                            counts.open[number] += 1;
                        }
                        other => panic!("{what}: {other:?}"),
                    }
                }
            }
        }
    }
}

/// Compares so many systems; of each verdict and each difference there must be so many.
fn run(seeds: std::ops::Range<u64>, least: usize) {
    let mut counts = Counts::default();
    for seed in seeds {
        compare(seed, &mut counts);
    }
    let both = counts.verdicts.iter().flatten().all(|&n| n >= least);
    let different = counts.differences.iter().all(|&n| n >= least);
    assert!(both && different && counts.lassos >= 20 * least, "{counts:?}");
}

#[test]
fn engines_agree_with_the_definition() {
    run(0..60, 3);
}

#[test]
#[ignore = "takes minutes"]
fn engines_agree_with_the_definition_for_long() {
    run(1000..4000, 100);
}
