//! The program is linear in the specification, and does not depend on the number of agents.

use crate::build::{flat, written};
use swarmcheck_labs::lower::Options;
use swarmcheck_testkit::read;

/// A process of this many actions.
fn system(actions: usize, agents: usize) -> String {
    let one = "lead > id and (forall Node a, x of a < 9) -> lead <~ id; x <- min(x + lead, 5)";
    let process = vec![one; actions].join("; ");
    format!(
        "system {{ spawn = Node: {agents} }}\nstigmergy S {{ link = x of c1 < x of c2\n lead: {agents} }}\n\
         agent Node {{ interface = x: [0..3]\n stigmergies = S\n Behavior = {process}; Behavior }}\n\
         check {{ P = always forall Node a, x of a <= 5 }}\n"
    )
}

fn length(target: &str, actions: usize, agents: usize) -> usize {
    let text = system(actions, agents);
    let model = read(&text).unwrap_or_else(|e| panic!("{e}"));
    let flat = flat(&text, &model, Options::default());
    written(&flat, target, Some(0), None).expect("C").len()
}

#[test]
fn twice_the_process_is_twice_the_program() {
    for target in ["c-run", "c-cbmc", "c-esbmc", "c-svcomp", "c-flat"] {
        let sizes = [10, 20, 40].map(|actions| length(target, actions, 3) as f64);
        // What does not depend on the process is written once, so each doubling adds twice what the last one added.
        let (first, second) = (sizes[1] - sizes[0], sizes[2] - sizes[1]);
        assert!(first > 1000.0, "{target}: {sizes:?}");
        assert!((second / first - 2.0).abs() < 0.1, "{target}: {sizes:?}");
    }
}

#[test]
fn more_agents_do_not_make_the_program_longer() {
    for target in ["c-run", "c-cbmc", "c-esbmc", "c-svcomp"] {
        // The numbers themselves have more digits.
        let (few, many) = (length(target, 5, 3), length(target, 5, 3000));
        assert!(many - few < 300, "{target}: {few} and {many}");
    }
}
