//! Claims about random CCS networks and choreographies, and common shapes of formulas about R-CHECK systems, each with what the
//! literal rules say of them. Whether the system can stop is asked of each, too.

use crate::common::Random;
use crate::compare::{Case, Made};
use crate::rcheck::ATOMS;
use crate::tableau;
use swarmcheck_calculi::rules::Rules;
use swarmcheck_rcheck::Precedence;
use swarmcheck_rcheck::reference::{Interpreter, State};
use swarmcheck_session::outcome::DEADLOCK;
use swarmcheck_session::{ModelOptions, prepare};
use swarmcheck_testkit::literal::{Draw, Fairness, Formula, Graph};

/// A set of actions.
#[derive(Clone, PartialEq)]
enum Set {
    Any,
    Label(String),
    Not(Box<Set>),
    And(Box<Set>, Box<Set>),
    Or(Box<Set>, Box<Set>),
}

impl Set {
    fn random(draw: &mut Draw, labels: &[String], depth: usize) -> Set {
        let part = |draw: &mut Draw| Box::new(Set::random(draw, labels, depth.saturating_sub(1)));
        match if depth == 0 { 0 } else { draw.below(12) } {
            0..=5 => Set::Label(labels[draw.below(labels.len())].clone()),
            6 | 7 => Set::Not(part(draw)),
            8 => Set::And(part(draw), part(draw)),
            9 | 10 => Set::Or(part(draw), part(draw)),
            _ => Set::Any,
        }
    }

    fn contains(&self, label: &str) -> bool {
        match self {
            Set::Any => true,
            Set::Label(own) => own == label,
            Set::Not(a) => !a.contains(label),
            Set::And(a, b) => a.contains(label) && b.contains(label),
            Set::Or(a, b) => a.contains(label) || b.contains(label),
        }
    }

    fn text(&self) -> String {
        match self {
            Set::Any => "any".to_string(),
            Set::Label(label) => label.clone(),
            Set::Not(a) => format!("not ({})", a.text()),
            Set::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Set::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
        }
    }
}

/// A system by its literal rules.
struct System(crate::calculi::Labelled);

impl System {
    /// Whether the step of a moment is an action of a set. Where the system rests, there is no action.
    fn is_in(&self, moment: usize, set: &Set) -> bool {
        let label = self.0.moments[moment].step.as_ref().and_then(Option::as_ref);
        label.is_some_and(|label| set.contains(label))
    }

    fn satisfies(&self, formula: &Formula<Set>) -> bool {
        let holds = |moment: usize, set: &Set| self.is_in(moment, set);
        self.0.satisfies(formula, holds, Fairness::All, &[]).expect("it has few temporal operators")
    }

    /// Whether an action of the set stays possible: in all states, or in those before the first such action.
    fn stays_reachable(&self, set: &Set, before: bool) -> bool {
        let graph = &self.0;
        let mut reaches: Vec<bool> = (0..graph.states.len())
            .map(|state| graph.moments_of(state).any(|moment| self.is_in(moment, set)))
            .collect();
        loop {
            let more = (graph.moments.iter()).find(|moment| reaches[moment.target] && !reaches[moment.state]);
            let Some(state) = more.map(|moment| moment.state) else { break };
            reaches[state] = true;
        }
        let mut seen = vec![false; graph.states.len()];
        let mut open: Vec<usize> = (0..graph.initial).collect();
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut seen[state], true) {
                continue;
            }
            if !reaches[state] {
                return false;
            }
            for moment in graph.moments_of(state).filter(|moment| !before || !self.is_in(*moment, set)) {
                open.push(graph.moments[moment].target);
            }
        }
        true
    }

    /// A claim, and whether it holds, as `docs/ccs.md` has it.
    fn claim(&self, number: usize, draw: &mut Draw, labels: &[String]) -> (String, bool) {
        let set = Set::random(draw, labels, 2);
        let words = set.text();
        let atom = |set: &Set| Box::new(Formula::Atom(set.clone()));
        let (any, inside) = (atom(&Set::Any), atom(&set));
        match number % 7 {
            0 => {
                let formula = Formula::Globally(Box::new(Formula::Implies(any, inside)));
                (format!("always {words}"), self.satisfies(&formula))
            }
            1 => {
                (format!("never {words}"), self.satisfies(&Formula::Globally(Box::new(Formula::Not(inside)))))
            }
            2 => (format!("eventually {words}"), self.satisfies(&Formula::Finally(inside))),
            3 => (format!("fairly {words}"), self.stays_reachable(&set, true)),
            4 => (format!("fairly_inf {words}"), self.stays_reachable(&set, false)),
            5 => {
                let second = Set::random(draw, labels, 2);
                // An action of both sets is not performed after one of the first.
                let without = || Formula::Not(atom(&second));
                let first = Formula::And(vec![*inside, without()]);
                let formula = Formula::Unless(Box::new(without()), Box::new(first));
                (format!("{words} precedes {}", second.text()), self.satisfies(&formula))
            }
            _ => {
                let never = Formula::Globally(Box::new(Formula::Not(inside)));
                (format!("possibly {words}"), !self.satisfies(&never))
            }
        }
    }
}

fn case<R: Rules>(name: &str, text: &str, rules: &R, most: usize, draw: &mut Draw) -> Result<Made, String> {
    let Some(graph) = crate::calculi::explore(rules, most) else { return Ok(Made::Nothing) };
    let steps = graph.moments.iter().filter_map(|moment| moment.step.clone().flatten());
    let mut labels: Vec<String> = steps.collect();
    labels.sort();
    labels.dedup();
    if labels.is_empty() {
        return Ok(Made::Nothing);
    }
    let stops = graph.moments.iter().any(|moment| moment.step.is_none());
    let system = System(graph);
    let (mut text, mut expected) = (format!("{text}\ncheck {{\n"), vec![]);
    for number in 0..7 {
        let (words, holds) = system.claim(number, draw, &labels);
        text += &format!("  P{number} = {words}\n");
        expected.push((format!("P{number}"), holds));
    }
    text += "}\n";
    expected.push((DEADLOCK.to_string(), !stops));
    let prepared = prepare(name, text.as_bytes(), ModelOptions::default());
    let prepared = prepared.map_err(|_| format!("refused:\n{text}"))?;
    Ok(Made::Case(Box::new(Case { text, prepared, expected, fairness: Fairness::All })))
}

pub fn ccs(seed: u64, most: usize) -> Result<Made, String> {
    let text = match seed % 4 {
        0 => crate::terms::Random::new(seed).specification(),
        _ => crate::networks::specification(seed),
    };
    let Some(spec) = swarmcheck_ccs::check(&text, None).0 else { return Ok(Made::Nothing) };
    case("random.ccs", &text, &&spec, most, &mut Draw::new(seed))
}

pub fn chor(seed: u64, most: usize) -> Result<Made, String> {
    let size = 7 + seed % 5;
    let text = format!("choreography C = {}; a@p", crate::choreographies::Random::new(seed).chor(size));
    let (part, name) = match seed % 4 {
        0 => ("choreography", "random.chor:choreography"),
        _ => ("peers", "random.chor"),
    };
    let spec = swarmcheck_chor::check(&text, Some(part)).0.ok_or_else(|| format!("refused:\n{text}"))?;
    case(name, &text, &&spec, most, &mut Draw::new(seed))
}

/// Invariants, reachability, response and precedence, with atoms of all kinds.
pub fn rcheck(seed: u64, most: usize) -> Result<Made, String> {
    let mut script = Random::new(seed).script();
    script.truncate(script.find("SPEC").unwrap_or(script.len()));
    let mut draw = Draw::new(seed);
    let mut atom = || Formula::Atom(draw.below(ATOMS.len()));
    let (boxed, implies) = (|f| Box::new(f), |a, b| Formula::Implies(Box::new(a), Box::new(b)));
    let formulas = [
        Formula::Globally(boxed(Formula::Or(vec![atom(), atom(), atom()]))),
        Formula::Globally(boxed(implies(atom(), atom()))),
        Formula::Finally(boxed(atom())),
        Formula::Globally(boxed(implies(atom(), Formula::Finally(boxed(atom()))))),
        Formula::Unless(boxed(atom().not()), boxed(atom())),
    ];
    let alone: String = ATOMS.iter().enumerate().map(|(n, atom)| format!("SPEC Atom{n}: {atom}\n")).collect();
    let alone = format!("{script}{alone}");
    let spec = swarmcheck_rcheck::check(&alone).0.ok_or_else(|| format!("refused:\n{alone}"))?;
    let Some(graph) = tableau::Graph::new(Interpreter::new(&spec), most) else { return Ok(Made::Nothing) };
    let (mut text, mut expected) = (script, vec![]);
    for (number, formula) in formulas.iter().enumerate() {
        let atoms = |atom: &usize| tableau::literal(&spec.specs[*atom].formula);
        let Some(holds) = graph.satisfies_fairly(&formula.replace(&mut { atoms }), Fairness::All) else {
            continue;
        };
        let words = draw.text(formula, &crate::rcheck::DIALECT, &mut |_, atom| format!("({})", ATOMS[*atom]));
        text += &format!("SPEC P{number}: {words}\n");
        expected.push((format!("P{number}"), holds));
    }
    let oracle = Interpreter::new(&spec);
    let states = Graph::explore(oracle.initial(), most, |state| {
        Some(oracle.steps(state).into_iter().map(|step| ((), step.after)).collect())
    });
    let stops = |states: Graph<State, ()>| states.moments.iter().any(|moment| moment.step.is_none());
    expected.extend(states.map(|states| (DEADLOCK.to_string(), !stops(states))));
    let options = ModelOptions { precedence: Some(Precedence::Conventional), ..ModelOptions::default() };
    let prepared = prepare("random.rcp", text.as_bytes(), options);
    let prepared = prepared.map_err(|_| format!("refused:\n{text}"))?;
    Ok(Made::Case(Box::new(Case { text, prepared, expected, fairness: Fairness::All })))
}
