//! Verdicts on random CCS systems: the engines, on emulation programs and with all reductions, against definitions
//! evaluated on the transition system of the literal rules. Traces were replayed on the rules before they got here.

#[path = "../../ccs/tests/common/terms.rs"]
mod terms;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use swarmcheck_calculi::rules::Rules;
use swarmcheck_engine::control::Silent;
use swarmcheck_session::verify::{Answered, Budget, Control, VerifyOptions, verify};
use swarmcheck_session::{ModelOptions, Trouble, prepare};
use terms::Random;

/// States and labelled steps; state 0 is the initial one.
struct Graph(Vec<Vec<(String, usize)>>);

impl Graph {
    fn new(text: &str, most: usize) -> Option<Graph> {
        let (spec, _) = swarmcheck_ccs::check(text, None);
        let spec = spec?;
        let rules = &spec;
        let mut numbers = BTreeMap::from([(rules.start(), 0)]);
        let mut order = vec![rules.start()];
        let mut steps: Vec<Vec<(String, usize)>> = vec![];
        while let Some(term) = order.get(steps.len()).cloned() {
            let mut own = vec![];
            for (label, next) in rules.steps(&term) {
                let fresh = order.len();
                let number = *numbers.entry(next.clone()).or_insert(fresh);
                if number == fresh {
                    order.push(next);
                }
                own.push((label, number));
            }
            steps.push(own);
            if order.len() > most {
                return None;
            }
        }
        Some(Graph(steps))
    }

    /// The states that steps with fitting labels lead to.
    fn reach(&self, from: usize, fits: impl Fn(&str) -> bool) -> Vec<bool> {
        let mut seen = vec![false; self.0.len()];
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut seen[at], true) {
                todo.extend(self.0[at].iter().filter(|(l, _)| fits(l)).map(|(_, to)| *to));
            }
        }
        seen
    }

    /// Whether an action with a fitting label can be performed now or later.
    fn can(&self, from: usize, fits: impl Fn(&str) -> bool) -> bool {
        let seen = self.reach(from, |_| true);
        (0..seen.len()).any(|at| seen[at] && self.0[at].iter().any(|(l, _)| fits(l)))
    }

    /// Whether some maximal execution never performs `label`: it stops, or goes on for ever.
    fn avoids(&self, label: &str) -> bool {
        let seen = self.reach(0, |l| l != label);
        let mut endless = vec![true; self.0.len()];
        loop {
            let next: Vec<bool> = (0..self.0.len())
                .map(|at| self.0[at].iter().any(|(l, to)| l != label && endless[*to]))
                .collect();
            if next == endless {
                break;
            }
            endless = next;
        }
        (0..seen.len()).any(|at| seen[at] && (self.0[at].is_empty() || endless[at]))
    }
}

#[test]
fn verdicts_are_those_of_the_rules() {
    let mut counts: BTreeMap<(&str, bool), u32> = BTreeMap::new();
    for seed in 0..400 {
        let mut text = Random(seed).specification();
        // Left alone, most systems stop sooner or later.
        if seed % 3 == 0 {
            text =
                text.replace("system =", "proc Clock = c.Clock\nproc Whole =") + "\nsystem = Whole | Clock";
        }
        let Some(graph) = Graph::new(&text, 500) else { continue };
        text += "\ncheck {\n Never = always not b\n Sometime = eventually b\n Fairly = fairly b\n \
                 Again = fairly_inf b\n First = a precedes b\n Either = always b or not (tau or 'a)\n}\n";
        let prepared = match prepare("random.ccs", text.as_bytes(), ModelOptions::default()) {
            Ok(prepared) => prepared,
            // The random terms need not use all names that the properties do.
            Err(Trouble::File(_, list)) if list.iter().all(|d| d.code == "E1103") => continue,
            Err(_) => panic!("{text}"),
        };
        let b = |label: &str| label == "b";
        let all = graph.reach(0, |_| true);
        let before = graph.reach(0, |l| l != "a");
        let without = graph.reach(0, |l| l != "b");
        let states = || (0..graph.0.len()).filter(|at| all[*at]);
        let happens =
            |fits: &dyn Fn(&str) -> bool| states().any(|at| graph.0[at].iter().any(|(l, _)| fits(l)));
        // After every step that is no b, and in the beginning, a b must be possible, now or later.
        let again = graph.can(0, b)
            && states().flat_map(|at| &graph.0[at]).all(|(l, to)| l == "b" || graph.can(*to, b));
        let expected = [
            ("Never", !happens(&b)),
            ("Sometime", !graph.avoids("b")),
            ("Fairly", (0..without.len()).all(|at| !without[at] || graph.can(at, b))),
            ("Again", again),
            ("First", !(0..before.len()).any(|at| before[at] && graph.0[at].iter().any(|(l, _)| l == "b"))),
            ("Either", !happens(&|l| l == "tau" || l == "'a")),
            ("(deadlock)", states().all(|at| !graph.0[at].is_empty())),
        ];
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget { memory: None }, progress: &Silent };
        let options = VerifyOptions { deadlock: true, ..VerifyOptions::default() };
        let report = verify(&prepared, &options, &control).unwrap_or_else(|e| panic!("{}", e.name));
        assert_eq!(report.answers.len(), expected.len());
        for (answer, (name, holds)) in report.answers.iter().zip(expected) {
            let verdict = if holds { Answered::Holds } else { Answered::Violated };
            assert_eq!(
                (answer.name.as_str(), answer.verdict),
                (name, verdict),
                "seed {seed}: {}\n{text}",
                answer.evidence
            );
            assert_eq!(answer.trace.is_some(), !holds);
            *counts.entry((name, holds)).or_default() += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts.len() == 14 && counts.values().all(|n| *n >= 5), "{counts:?}");
}
