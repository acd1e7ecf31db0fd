//! Random CCS terms and choreographies, by the literal rules, with formulas over labels.

use crate::compare::{Case, Made};
use std::collections::BTreeMap;
use swarmcheck_calculi::rules::Rules;
use swarmcheck_session::{ModelOptions, prepare};
use swarmcheck_testkit::literal::{Dialect, Draw, Fairness, Formula, Graph};

const DIALECT: Dialect = Dialect::with(&["not", "!"], &["and"], &["or"], &["->"]);

/// What is said of the step that leaves a state.
#[derive(Clone, PartialEq)]
enum Step {
    Any,
    Label(String),
}

/// The labels of steps; none where the system rests.
pub type Labelled = Graph<usize, Option<String>>;

pub fn explore<R: Rules>(rules: &R, most: usize) -> Option<Labelled> {
    let mut terms = vec![rules.start()];
    let mut numbers = BTreeMap::from([(rules.start(), 0)]);
    Graph::explore([0], most, |state: &usize| {
        let steps = rules.steps(&terms[*state]);
        let all = steps.into_iter().map(|(label, next)| {
            let fresh = terms.len();
            let number = *numbers.entry(next.clone()).or_insert(fresh);
            if number == fresh {
                terms.push(next);
            }
            ((!rules.rests(&label)).then_some(label), number)
        });
        Some(all.collect())
    })
}

/// The system with formulas: mostly about all executions, now and then about one.
fn case<R: Rules>(name: &str, text: &str, rules: &R, most: usize, draw: &mut Draw) -> Result<Made, String> {
    let Some(graph) = explore(rules, most) else { return Ok(Made::Nothing) };
    let steps = graph.moments.iter().filter_map(|moment| moment.step.clone().flatten());
    let mut labels: Vec<String> = steps.collect();
    labels.sort();
    labels.dedup();
    if labels.is_empty() {
        return Ok(Made::Nothing);
    }
    let holds = |moment: usize, step: &Step| {
        let label = graph.moments[moment].step.as_ref().and_then(Option::as_ref);
        match step {
            Step::Any => label.is_some(),
            Step::Label(own) => label == Some(own),
        }
    };
    let (mut text, mut expected) = (format!("{text}\ncheck {{\n"), vec![]);
    for number in 0..3 {
        let formula = draw.formula(3, 4, &mut |draw| {
            Formula::Atom(match draw.below(8) {
                0 => Step::Any,
                _ => Step::Label(labels[draw.below(labels.len())].clone()),
            })
        });
        let words = draw.text(&formula, &DIALECT, &mut |_, step| match step {
            Step::Any => "any".to_string(),
            Step::Label(label) => label.clone(),
        });
        let satisfies = |formula: &Formula<Step>| graph.satisfies(formula, holds, Fairness::All, &[]);
        let (word, holds) = match draw.below(4) {
            0 => {
                // Some time there is a step, and it is like this: not all executions avoid it.
                let happens = Formula::And(vec![Formula::Atom(Step::Any), formula]);
                let never = Formula::Finally(Box::new(happens)).not();
                ("possibly", satisfies(&never).map(|never| !never))
            }
            _ => ("ltl", satisfies(&formula)),
        };
        text += &format!("  P{number} = {word} {words}\n");
        expected.push((format!("P{number}"), holds.ok_or("too many operators")?));
    }
    text += "}\n";
    let prepared = prepare(name, text.as_bytes(), ModelOptions::default());
    let prepared = prepared.map_err(|_| format!("refused:\n{text}"))?;
    Ok(Made::Case(Box::new(Case { text, prepared, expected, fairness: Fairness::All })))
}

pub fn ccs(seed: u64, most: usize) -> Result<Made, String> {
    let text = crate::terms::Random::new(seed).specification();
    // Some calls happen to stand inside compositions, and are refused.
    let Some(spec) = swarmcheck_ccs::check(&text, None).0 else { return Ok(Made::Nothing) };
    case("random.ccs", &text, &&spec, most, &mut Draw::new(seed))
}

pub fn chor(seed: u64, most: usize) -> Result<Made, String> {
    let text = format!("choreography C = {}; a@p", crate::choreographies::Random::new(seed).chor(7));
    let (part, name) = match seed % 3 {
        0 => ("choreography", "random.chor:choreography"),
        _ => ("peers", "random.chor"),
    };
    let spec = swarmcheck_chor::check(&text, Some(part)).0.ok_or_else(|| format!("refused:\n{text}"))?;
    case(name, &text, &&spec, most, &mut Draw::new(seed))
}
