//! Verdicts on random CCS systems: the engines, on emulation programs and with all reductions, against definitions
//! evaluated on the transition system of the literal rules. Traces were replayed on the rules before they got here.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    reason = "reads the examples and says how many"
)]

#[path = "../../ccs/tests/common/terms.rs"]
mod terms;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use swarmcheck_calculi::property::{self, Property};
use swarmcheck_calculi::rules::Rules;
use swarmcheck_certify::Claim;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::explain::FormulaData;
use swarmcheck_engine::{Fairness, Why};
use swarmcheck_session::verify::{Answered, Budget, Control, Reductions, VerifyOptions, verify};
use swarmcheck_session::{ModelOptions, Trouble, prepare};
use terms::Random;

/// States and labelled steps; state 0 is the initial one.
struct Graph(Vec<Vec<(String, usize)>>);

impl Graph {
    fn new<R: Rules>(rules: &R, most: usize) -> Option<Graph> {
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

    /// All states are reachable, for they were found that way; so a claim is about all of them.
    fn satisfies(&self, claim: &property::Claim) -> bool {
        let states = || 0..self.0.len();
        let happens = |seen: &[bool], fits: &dyn Fn(&str) -> bool| {
            states().any(|at| seen[at] && self.0[at].iter().any(|(l, _)| fits(l)))
        };
        let all = vec![true; self.0.len()];
        use property::Claim;
        match claim {
            Claim::Always(actions) => !happens(&all, &|l| !actions.contains(l)),
            Claim::Eventually(actions) => !self.avoids(0, |l| actions.contains(l)),
            Claim::Fairly(actions) => {
                let without = self.reach(0, |l| !actions.contains(l));
                states().all(|at| !without[at] || self.can(at, |l| actions.contains(l)))
            }
            Claim::FairlyInf(actions) => states().all(|at| self.can(at, |l| actions.contains(l))),
            Claim::Precedes(first, then) => {
                !happens(&self.reach(0, |l| !first.contains(l)), &|l| then.contains(l))
            }
        }
    }

    /// Whether an action with a fitting label can be performed now or later.
    fn can(&self, from: usize, fits: impl Fn(&str) -> bool) -> bool {
        let seen = self.reach(from, |_| true);
        (0..seen.len()).any(|at| seen[at] && self.0[at].iter().any(|(l, _)| fits(l)))
    }

    /// Whether some maximal execution from a state never performs such an action: it stops, or goes on for ever.
    fn avoids(&self, from: usize, fits: impl Fn(&str) -> bool) -> bool {
        let seen = self.reach(from, |l| !fits(l));
        let mut endless = vec![true; self.0.len()];
        loop {
            let next: Vec<bool> = (0..self.0.len())
                .map(|at| self.0[at].iter().any(|(l, to)| !fits(l) && endless[*to]))
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
        let mut text = Random::new(seed).specification();
        // Left alone, most systems stop sooner or later, and in few of them a b stays possible.
        if seed % 3 == 0 {
            let tick = if seed % 12 == 0 { "b" } else { "c" };
            let clock = format!("proc Clock = {tick}.Clock\nproc Whole =");
            text = text.replace("system =", &clock) + "\nsystem = Whole | Clock";
        }
        let (spec, _) = swarmcheck_ccs::check(&text, None);
        let Some(graph) = spec.and_then(|spec| Graph::new(&&spec, 500)) else { continue };
        text += "\ncheck {\n Never = always not b\n Sometime = eventually b\n Fairly = fairly b\n \
                 Again = fairly_inf b\n First = a precedes b\n Either = always b or not (tau or 'a)\n \
                 NeverL = ltl [] not b\n SometimeL = ltl <> b\n FirstL = ltl !b unless a\n \
                 AnswerL = ltl [] (a -> <> b)\n SecondL = ltl next b\n \
                 Can = possibly b\n CanOther = possibly not (a or b)\n}\n";
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
        // In every state a b must be possible, now or later; so a system that stops violates this.
        let again = states().all(|at| graph.can(at, b));
        let expected = [
            ("Never", !happens(&b)),
            ("Sometime", !graph.avoids(0, b)),
            ("Fairly", (0..without.len()).all(|at| !without[at] || graph.can(at, b))),
            ("Again", again),
            ("First", !(0..before.len()).any(|at| before[at] && graph.0[at].iter().any(|(l, _)| l == "b"))),
            ("Either", !happens(&|l| l == "tau" || l == "'a")),
            ("NeverL", !happens(&b)),
            ("SometimeL", !graph.avoids(0, b)),
            ("FirstL", !(0..before.len()).any(|at| before[at] && graph.0[at].iter().any(|(l, _)| l == "b"))),
            (
                "AnswerL",
                !states().flat_map(|at| &graph.0[at]).any(|(l, to)| l == "a" && graph.avoids(*to, b)),
            ),
            (
                "SecondL",
                !graph.0[0].is_empty()
                    && graph.0[0].iter().all(|(_, to)| {
                        !graph.0[*to].is_empty() && graph.0[*to].iter().all(|(l, _)| l == "b")
                    }),
            ),
            ("Can", happens(&b)),
            ("CanOther", happens(&|l| l != "a" && l != "b")),
            ("(deadlock)", states().all(|at| !graph.0[at].is_empty())),
        ];
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let options = VerifyOptions { deadlock: true, minimise: false, ..VerifyOptions::default() };
        let report = verify(&prepared, &options, &control).unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(report.answers.len(), expected.len());
        for (answer, (name, holds)) in report.answers.iter().zip(expected) {
            let verdict = if holds { Answered::Holds } else { Answered::Violated };
            assert_eq!(
                (answer.name.as_str(), answer.verdict()),
                (name, verdict),
                "seed {seed}: {}\n{text}",
                answer.evidence()
            );
            // That something can happen is shown by an execution; everything else is refuted by one.
            assert_eq!(answer.trace.is_some(), holds == name.starts_with("Can"));
            *counts.entry((name, holds)).or_default() += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts.len() == 28 && counts.values().all(|n| *n >= 5), "{counts:?}");
}

/// Every claim of `examples/*/swarmcheck.toml` about a calculus: decided by definition on the rules, and by `verify`.
#[test]
fn claims_of_the_examples() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let (mut checked, mut files) = (0, std::collections::BTreeSet::new());
    for folder in std::fs::read_dir(examples).unwrap().flatten() {
        let Ok(text) = std::fs::read_to_string(folder.path().join(swarmcheck_project::FILE)) else {
            continue;
        };
        for row in swarmcheck_project::rows(&text).expect("a correct file") {
            let line = row.name();
            let [file, property, verdict] = [&row.file, &row.property, &row.verdict].map(String::as_str);
            let (graph, properties): (Graph, Vec<Property>);
            let path = folder.path().join(file);
            let text = std::fs::read_to_string(&path).unwrap();
            if file.ends_with(".ccs") {
                let spec = swarmcheck_ccs::check(&text, None).0.unwrap();
                (graph, properties) = (Graph::new(&&spec, 10_000).unwrap(), spec.properties.clone());
            } else if file.ends_with(".chor") {
                let spec = swarmcheck_chor::check(&text, None).0.unwrap();
                (graph, properties) = (Graph::new(&&spec, 10_000).unwrap(), spec.properties.clone());
            } else {
                continue;
            }
            let holds = match properties.iter().find(|p| p.name == property).and_then(Property::claim) {
                Some(claim) => graph.satisfies(claim),
                // Formulas are argued for in the file itself; the random systems test how they are decided.
                None if property != "(deadlock)" => verdict == "holds",
                None => property == "(deadlock)" && graph.0.iter().all(|steps| !steps.is_empty()),
            };
            assert_eq!(if holds { "holds" } else { "violated" }, verdict, "{line}");
            let Ok(prepared) = prepare(file, text.as_bytes(), ModelOptions::default()) else {
                panic!("{line}")
            };
            let stop = AtomicBool::new(false);
            let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
            let options = VerifyOptions { deadlock: true, ..VerifyOptions::default() };
            let report = verify(&prepared, &options, &control).unwrap_or_else(|e| panic!("{e:?}"));
            let answer = report.answers.iter().find(|a| a.name == property).expect("an answer");
            assert_eq!(answer.verdict().word(), verdict, "{line}");
            checked += 1;
            files.insert(path);
        }
    }
    assert!(checked >= 35 && files.len() >= 10, "{checked} claims about {} files", files.len());
}

/// A shortest trace to something bad needs all its steps: without any one of them it is refused.
#[test]
fn damaged_traces_are_refused() {
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut tried = 0;
    for (file, property, why) in [
        ("commit/free.ccs", Some("NeverNok"), Why::False),
        ("commit/free.ccs", Some("AgreeFirst"), Why::False),
        ("commit/forced.ccs", None, Why::Deadlock),
        ("stock/stock.chor", None, Why::Deadlock),
    ] {
        let bytes = std::fs::read(examples.join(file)).unwrap();
        let Ok(prepared) = prepare(file, &bytes, ModelOptions::default()) else { panic!("{file}") };
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let options =
            VerifyOptions { deadlock: true, reductions: Reductions::NONE, ..VerifyOptions::default() };
        let report = verify(&prepared, &options, &control).unwrap_or_else(|e| panic!("{e:?}"));
        let answer = report.answers.iter().find(|a| a.name == property.unwrap_or("(deadlock)")).unwrap();
        let data = &answer.trace.as_ref().expect("a trace").data;
        let claim = Claim {
            property,
            why,
            bound: None,
            ignore_deadlock: false,
            states: 1000,
            fairness: Fairness::None,
        };
        assert!(prepared.model.violated(&prepared.file, data, &claim).is_ok(), "{file}");
        for at in 0..data.steps.len() {
            let mut less = data.clone();
            less.steps.remove(at);
            assert!(
                prepared.model.violated(&prepared.file, &less, &claim).is_err(),
                "{file} without step {at}"
            );
            let mut other = data.clone();
            other.steps[at].what = "nonsense".to_string();
            assert!(prepared.model.violated(&prepared.file, &other, &claim).is_err(), "{file}, step {at}");
            tried += 1;
        }
    }
    assert!(tried >= 20, "{tried}");
}

/// The names of the properties that hold, and of those that do not.
fn decided(name: &str, text: &str) -> Vec<(String, Answered)> {
    let Ok(prepared) = prepare(name, text.as_bytes(), ModelOptions::default()) else { panic!("{text}") };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let report = verify(&prepared, &VerifyOptions::default(), &control).unwrap_or_else(|e| panic!("{e:?}"));
    report.answers.into_iter().map(|answer| (answer.name.clone(), answer.verdict())).collect()
}

/// A system that has stopped performs no action any more, whatever it has done last. Resting at the end of a choreography is
/// no action either: neither for claims nor for formulas, and not for whoever replays the trace.
#[test]
fn what_has_stopped_does_not_act() {
    let cases = [
        ("stops.ccs", "proc P = a.0 check { No = fairly_inf a  No2 = fairly_inf any  NoL = ltl [] <> a }"),
        ("goes.ccs", "proc P = a.P check { Yes = fairly_inf a  Yes2 = fairly_inf any  YesL = ltl [] any }"),
        // The last process can stop or go on; before that, an `a` is always possible.
        ("maybe.ccs", "proc P = a.P + a.0 check { No = fairly_inf a  Yes = fairly a }"),
        (
            "ends.chor",
            "choreography X = a@p; b@p check {
                No = fairly_inf b@p   No2 = fairly_inf any   No3 = eventually not (a@p or b@p)
                No4 = fairly not (a@p or b@p)   Yes = always (a@p or b@p)   Yes2 = fairly b@p
                NoL = ltl [] any   YesL = ltl <> [] not any }",
        ),
        // An action of CCS may well be called as the step of a system at its end.
        (
            "end.ccs",
            "proc P = end.a.P check { Yes = fairly_inf end  Yes2 = eventually a  NoL = ltl [] not end }",
        ),
    ];
    for (name, text) in cases {
        for (property, verdict) in decided(name, text) {
            let expected = if property.starts_with("Yes") { Answered::Holds } else { Answered::Violated };
            assert_eq!(verdict, expected, "{name}: {property}");
        }
    }
}

/// A label means the next action. After step 2 of `a b c d` the next action is c and the one after it d, so `X not d` is false
/// there; after step 3 it is true.
#[test]
fn parts_of_formulas_are_false_where_they_are_said_to_be() {
    let text = "proc A = a.b.c.d.A\nsystem = A\ncheck { P = ltl G (b -> (X not d W a)) }";
    let Ok(prepared) = prepare("letters.ccs", text.as_bytes(), ModelOptions::default()) else {
        panic!("refused")
    };
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let report = verify(&prepared, &VerifyOptions::default(), &control).ok().unwrap();
    assert_eq!(report.answers[0].verdict(), Answered::Violated);
    let trace = report.answers[0].trace.as_ref().unwrap();
    let before = trace.data.formula.iter().find_map(|one| match one {
        FormulaData::Before { part, after, .. } => Some((part.as_str(), *after)),
        _ => None,
    });
    assert_eq!(before, Some(("X not d", 2)), "{:?}", trace.data.formula);
}
