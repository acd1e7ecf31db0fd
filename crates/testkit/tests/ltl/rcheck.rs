//! Random R-CHECK scripts, by the definitions, with formulas over conditions, sends and observations.

use crate::common::Random;
use crate::compare::{Case, Made};
use crate::tableau::{Graph, literal};
use swarmcheck_rcheck::reference::Interpreter;
use swarmcheck_rcheck::{Precedence, check};
use swarmcheck_session::{ModelOptions, prepare};
use swarmcheck_testkit::literal::{Dialect, Draw, Fairness, Formula};

pub const DIALECT: Dialect = Dialect::with(&["!"], &["&"], &["|"], &["->"]);

/// Conditions on states, sends and gets that are made next, receives and observations of the step just made.
pub const ATOMS: &[&str] = &[
    "a1-b",
    "b1-x = 1",
    "a1-link = c",
    "a2-x != b1-x",
    "a1-automaton-state = 0",
    "b1-k = on",
    "a1-tell",
    "b1-hear",
    "a2-hear",
    "b1-tell",
    "b1-ask",
    "a2-give",
    "(a1-tell = a1-b)",
    "enabled(a1-tell)",
    "(enabled(b1-tell) & !b1-tell)",
    "keep-all",
    "progress",
    "<sender = a1> true",
    "[M = 1] a1-b",
    "<chan = *> b1-x = 0",
];

/// The system with formulas of its own kind, each with what it says of fair executions, too.
pub fn rcheck(seed: u64, most: usize, fairness: Fairness) -> Result<Made, String> {
    let mut script = Random::new(seed).script();
    script.truncate(script.find("SPEC").unwrap_or(script.len()));
    let mut draw = Draw::new(seed);
    let formulas: Vec<Formula<usize>> =
        (0..3).map(|_| draw.formula(3, 3, &mut |draw| Formula::Atom(draw.below(ATOMS.len())))).collect();
    // Atoms are read one by one; how formulas are read is not relied on.
    let alone: String = ATOMS.iter().enumerate().map(|(n, atom)| format!("SPEC Atom{n}: {atom}\n")).collect();
    let alone = format!("{script}{alone}");
    let spec = check(&alone).0.ok_or_else(|| format!("refused:\n{alone}"))?;
    let Some(graph) = Graph::new(Interpreter::new(&spec), most) else { return Ok(Made::Nothing) };
    let (mut text, mut expected) = (script, vec![]);
    for (number, formula) in formulas.iter().enumerate() {
        let atoms = |atom: &usize| literal(&spec.specs[*atom].formula);
        let Some(holds) = graph.satisfies_fairly(&formula.replace(&mut { atoms }), fairness) else {
            continue;
        };
        let words = draw.text(formula, &DIALECT, &mut |_, atom| format!("({})", ATOMS[*atom]));
        text += &format!("SPEC P{number}: {words}\n");
        expected.push((format!("P{number}"), holds));
    }
    let options = ModelOptions { precedence: Some(Precedence::Conventional), ..ModelOptions::default() };
    let prepared = prepare("random.rcp", text.as_bytes(), options);
    let prepared = prepared.map_err(|_| format!("refused:\n{text}"))?;
    Ok(Made::Case(Box::new(Case { text, prepared, expected, fairness })))
}
