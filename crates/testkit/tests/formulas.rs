//! What is said about formulas of linear time on random R-CHECK systems, beside the verdict: in which parts they are
//! vacuous, and why they fail.
//!
//! Formulas are made here as trees. A part is replaced in the tree, the tree is written as text, and the text is decided by a
//! tableau over the definitions of the language. That shares neither the rewriting nor the engine with the code under test.

#[path = "../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;
#[path = "../../rcheck/tests/common/tableau.rs"]
#[allow(dead_code)]
mod tableau;

use common::Random;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Why};
use swarmcheck_rcheck::check;
use swarmcheck_rcheck::reference::Interpreter;
use swarmcheck_session::verify::{Answered, Decider, Outcome, VerifyOptions, Violation, verify};
use swarmcheck_session::{ModelOptions, prepare};
use tableau::Graph;

/// Systems with more states are left out: the tableau is slow.
const STATES: usize = 120;

/// A formula. Operands of operators with two operands are parts.
#[derive(Clone)]
enum Formula {
    Leaf(&'static str),
    Constant(bool),
    /// `!`, `F`, `G`, `X`.
    Unary(&'static str, Box<Formula>),
    /// `&`, `|`, `->`, `U`, `W`.
    Binary(&'static str, Box<Formula>, Box<Formula>),
    /// `<O>` or `[O]`, with what is observed and what follows.
    Observe(bool, Box<Formula>, Box<Formula>),
}

const LEAVES: &[&str] = &[
    "a1-b",
    "b1-x = 1",
    "a1-link = c",
    "a2-x != b1-x",
    "b1-k = on",
    "a1-tell",
    "b1-hear",
    "a1-x < 2",
    "a1-k = off",
];
const SEEN: &[&str] = &["sender = a1", "M = 1", "chan = *", "p2p", "K = on"];

fn random(random: &mut Random, depth: usize) -> Formula {
    if depth == 0 {
        return Formula::Leaf(LEAVES[random.below(LEAVES.len())]);
    }
    let one = Box::new(self::random(random, depth - 1));
    match random.below(8) {
        0 => Formula::Unary("!", one),
        1 => Formula::Unary("F", one),
        2 => Formula::Unary("G", one),
        3 => {
            let mut seen = Formula::Leaf(SEEN[random.below(SEEN.len())]);
            if random.below(2) == 0 {
                let other = Formula::Leaf(SEEN[random.below(SEEN.len())]);
                seen = Formula::Binary(["&", "|"][random.below(2)], Box::new(seen), Box::new(other));
            }
            Formula::Observe(random.below(2) == 0, Box::new(seen), one)
        }
        _ => {
            let other = Box::new(self::random(random, depth - 1));
            Formula::Binary(["&", "|", "->", "->", "|", "U", "W"][random.below(7)], one, other)
        }
    }
}

/// A formula that holds whatever the system does. Such formulas depend on what their parts are, more often than others.
fn sure(random: &mut Random) -> Formula {
    let mut leaf = || Box::new(Formula::Leaf(LEAVES[random.below(LEAVES.len())]));
    let (one, other) = (leaf(), leaf());
    let always = |f| Formula::Unary("G", Box::new(f));
    match random.below(5) {
        0 => always(Formula::Binary("->", one.clone(), Box::new(Formula::Unary("F", one)))),
        1 => always(Formula::Binary("|", one.clone(), Box::new(Formula::Unary("!", one)))),
        2 => Formula::Binary("W", one.clone(), Box::new(Formula::Unary("!", one))),
        3 => always(Formula::Binary("->", Box::new(Formula::Binary("&", one.clone(), other)), one)),
        _ => always(Formula::Binary("->", one.clone(), Box::new(Formula::Binary("|", one, other)))),
    }
}

impl Formula {
    fn operands(&self) -> Vec<&Formula> {
        match self {
            Formula::Leaf(_) | Formula::Constant(_) => vec![],
            Formula::Unary(_, a) => vec![a],
            Formula::Binary(_, a, b) | Formula::Observe(_, a, b) => vec![a, b],
        }
    }

    fn operand(&mut self, number: usize) -> &mut Formula {
        match self {
            Formula::Unary(_, a) => a,
            Formula::Binary(_, a, b) | Formula::Observe(_, a, b) => [a, b].into_iter().nth(number).unwrap(),
            Formula::Leaf(_) | Formula::Constant(_) => panic!("no operand"),
        }
    }

    fn at(&self, path: &[usize]) -> &Formula {
        path.iter().fold(self, |f, number| f.operands()[*number])
    }

    /// Whether more truth of an operand means less truth of the whole.
    fn turns(&self, operand: usize) -> bool {
        match self {
            Formula::Unary(sign, _) => *sign == "!",
            Formula::Binary(sign, ..) => *sign == "->" && operand == 0,
            Formula::Observe(necessary, ..) => *necessary && operand == 0,
            _ => false,
        }
    }

    fn replaced(&self, path: &[usize], by: bool) -> Formula {
        let mut out = self.clone();
        *path.iter().fold(&mut out, |f, number| f.operand(*number)) = Formula::Constant(by);
        out
    }

    /// The text; the places of operands by their paths go to `places`.
    fn text(&self, path: &[usize], out: &mut String, places: &mut Vec<(Vec<usize>, usize)>) {
        // The parentheses around an operand belong to it.
        let mut below = |number: usize, [open, close]: [&str; 2], out: &mut String| {
            let path = [path, &[number]].concat();
            places.push((path.clone(), out.len()));
            *out += open;
            self.operands()[number].text(&path, out, places);
            *out += close;
        };
        match self {
            Formula::Leaf(words) => *out += words,
            Formula::Constant(value) => *out += if *value { "true" } else { "false" },
            Formula::Unary(sign, _) => {
                *out += &format!("{sign} ");
                below(0, ["(", ")"], out);
            }
            Formula::Binary(sign, ..) => {
                below(0, ["(", ")"], out);
                *out += &format!(" {sign} ");
                below(1, ["(", ")"], out);
            }
            Formula::Observe(necessary, ..) => {
                *out += if *necessary { "[" } else { "<" };
                below(0, ["", ""], out);
                *out += if *necessary { "] " } else { "> " };
                below(1, ["(", ")"], out);
            }
        }
    }
}

/// Whether a script with this formula satisfies it; none if the tableau cannot tell.
fn holds(system: &str, formula: &Formula) -> Option<bool> {
    let mut text = format!("{system}SPEC ");
    formula.text(&[], &mut text, &mut vec![]);
    let spec = check(&text).0.unwrap_or_else(|| panic!("refused:\n{text}"));
    Graph::new(Interpreter::new(&spec), STATES)?.satisfies(&spec.specs[0])
}

/// The largest parts whose replacement changes nothing, as paths with the constant. Only operands of operators with two
/// operands are parts: the only operand of an operator is not told apart from the whole.
fn idle(
    system: &str,
    whole: &Formula,
    path: &[usize],
    positive: bool,
    out: &mut Vec<(Vec<usize>, bool)>,
) -> Option<()> {
    let here = whole.at(path);
    let several = here.operands().len() > 1;
    for number in 0..here.operands().len() {
        let path = [path, &[number]].concat();
        let positive = positive != here.turns(number);
        if several && holds(system, &whole.replaced(&path, !positive))? {
            out.push((path, !positive));
        } else {
            idle(system, whole, &path, positive, out)?;
        }
    }
    Some(())
}

#[test]
fn vacuous_parts_of_formulas_are_those_that_substitution_finds() {
    let (mut held, mut vacuous, mut not, mut observed) = (0, 0, 0, 0);
    for seed in 0..200 {
        // Five formulas for each system.
        let mut draws = Random::new(seed / 5 + 5000);
        let mut system = draws.script();
        system.truncate(system.find("SPEC").unwrap_or(system.len()));
        let mut draws = Random::new(seed + 9000);
        let formula = match seed % 5 {
            0 => random(&mut draws, 3),
            1 => Formula::Unary("F", Box::new(random(&mut draws, 1))),
            2 => Formula::Unary("G", Box::new(random(&mut draws, 2))),
            3 => Formula::Unary("G", Box::new(random(&mut draws, 1))),
            _ => sure(&mut draws),
        };
        if formula.operands().is_empty() || holds(&system, &formula) != Some(true) {
            continue;
        }
        let mut expected = vec![];
        if idle(&system, &formula, &[], true, &mut expected).is_none() {
            continue;
        }
        let mut text = format!("{system}SPEC ");
        let mut places = vec![];
        formula.text(&[], &mut text, &mut places);
        let line = text.matches('\n').count() + 1;
        let start = text.rfind('\n').map_or(0, |end| end + 1);
        let column = |path: &Vec<usize>| {
            let place = places.iter().find(|(other, _)| other == path).expect("a part has a place");
            place.1 - start + 1
        };
        let expected: BTreeSet<(usize, usize, bool)> =
            expected.iter().map(|(path, by)| (line, column(path), *by)).collect();

        let options = ModelOptions {
            precedence: Some(swarmcheck_rcheck::Precedence::Conventional),
            ..ModelOptions::default()
        };
        let prepared =
            prepare("m.rcp", text.as_bytes(), options).unwrap_or_else(|_| panic!("refused:\n{text}"));
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let options = VerifyOptions { why: true, engine: Decider::Explicit, ..VerifyOptions::default() };
        let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
        let answer = &report.answers[0];
        assert_eq!(answer.verdict(), Answered::Holds, "seed {seed}: {}\n{text}", answer.evidence());
        let because = answer.because.as_ref().expect("asked for");
        assert_eq!(because.undecided, 0, "seed {seed}\n{text}");
        let found: BTreeSet<(usize, usize, bool)> =
            because.idle.iter().map(|part| (part.line, part.column, part.constant)).collect();
        assert_eq!(found, expected, "seed {seed}: {:?}\n{text}", because.idle);
        held += 1;
        let depends = found.is_empty() && because.parts > 0;
        not += usize::from(depends);
        vacuous += usize::from(!found.is_empty());
        observed += usize::from(text.contains("SPEC") && text[start..].contains(['[', '<']));
    }
    println!("{held} hold, {vacuous} are vacuous in a part, {not} in none, {observed} with observations");
    assert!(held >= 25 && vacuous >= 15 && not >= 5 && observed >= 5, "{held} {vacuous} {not} {observed}");
}

/// A counterexample that loops or stops violates its formula by the definitions, on which it was replayed. So every one must be
/// explained: the evaluation behind explanations is another one, over states of the program.
#[test]
fn every_whole_execution_that_violates_a_formula_is_explained() {
    let (mut whole, mut begun, mut silent) = (0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed + 400);
        let mut text = random.script();
        text.truncate(text.find("SPEC").unwrap_or(text.len()));
        for _ in 0..3 {
            text += &format!("SPEC {}\n", random.formula(3));
        }
        let spec = check(&text).0.unwrap_or_else(|| panic!("refused:\n{text}"));
        if Graph::new(Interpreter::new(&spec), STATES).is_none() {
            continue;
        }
        let prepared = prepare("m.rcp", text.as_bytes(), ModelOptions::default());
        let prepared = prepared.unwrap_or_else(|_| panic!("refused:\n{text}"));
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let options = VerifyOptions { engine: Decider::Explicit, ..VerifyOptions::default() };
        let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
        for answer in report.answers {
            let Outcome::Violated { evidence: Violation::Trace { why, .. } } = &answer.outcome else {
                continue;
            };
            let shown = answer.trace.as_ref().expect("a violation has a trace");
            match why {
                Why::Formula => {
                    assert!(!shown.data.formula.is_empty(), "seed {seed}, {}\n{text}", answer.name);
                    whole += 1;
                }
                Why::Prefix => {
                    begun += usize::from(!shown.data.formula.is_empty());
                    silent += usize::from(shown.data.formula.is_empty());
                }
                _ => {}
            }
        }
    }
    println!("{whole} whole executions, {begun} beginnings; {silent} beginnings are not explained");
    assert!(whole >= 10 && begun >= 20 && silent < begun, "{whole} {begun} {silent}");
}
