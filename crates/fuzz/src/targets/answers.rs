//! What other programs say: model checkers for bits and for C, Spin, NuSMV, CADP, solvers for integers. Each reader alone, and
//! `found`: an answer as the evidence for a verdict, from text to a replayed execution.

use super::host::Quiet;
use super::{PROGRAM, WORKER, models, text};
use crate::seeds::From;
use crate::{Target, pick};
use std::sync::{Arc, Mutex};
use swarmcheck_aig::{Graph, Latch, Lit, System, aiger, btor2};
use swarmcheck_backends::c::{Kept, VERIFIERS, translate};
use swarmcheck_backends::{BACKENDS, Ended, Ran, cadp, nuxmv, spin, trail};
use swarmcheck_session::Request;
use swarmcheck_session::request::{ModelRequest, Source, run};
use swarmcheck_session::solvers::{Dialogue, SolverName, Solvers};
use swarmcheck_session::verify::{Backend, Decider, VerifyOptions};
use swarmcheck_smt::formula::{Formula, Valued};
use swarmcheck_smt::sexp::Sexp;
use swarmcheck_smt::text::Variable;

const BACKENDS_TESTS: From = From { endings: &[], crates: &["backends", "aig"], corpus: &[] };

const fn reader(name: &'static str, run: fn(&[u8]), words: &'static [&'static str], usual: usize) -> Target {
    Target {
        name,
        about: "answers of another program",
        run,
        from: BACKENDS_TESTS,
        words,
        usual,
        stack: PROGRAM,
    }
}

pub const AIGER: Target =
    reader("aiger", aiger_answer, &["0\n", "1\n", "b0\n", "x", "01\n", ".", "c\n", "#", "000\n"], 40);
pub const BTOR2: Target = reader(
    "btor2",
    btor2_answer,
    &["sat\n", "unsat\n", "b0\n", "#0\n", "@0\n", "@1\n", "0 1\n", "1 0 in@0\n", ".\n"],
    60,
);
pub const C: Target = reader(
    "c-verifiers",
    c_answer,
    &[
        "VERIFICATION SUCCESSFUL",
        "VERIFICATION FAILED",
        "Violated property:",
        "State ",
        "chosen_function=",
        "chosen_agent=",
        "chosen=",
        "Counterexample:",
        "UNSAFE",
        "SAFE",
        "Verification result: FALSE",
        "(00000000 00000000 00000000 00000001)",
        "\"cProverStatus\"",
        "\"trace\"",
        "\"result\"",
        "\"stepType\"",
        "\"assignment\"",
        "case 0: return 1;",
        "Below",
        "\n%%%\n",
    ],
    1500,
);
pub const SPIN: Target = reader(
    "spin",
    spin_answer,
    &[
        "@cells ",
        "@step ",
        "@end",
        "@loop",
        "@error",
        "spin: trail ends after ",
        "<<<<<START OF CYCLE>>>>>",
        "0",
        "1",
        "-1",
        "\n",
    ],
    200,
);
pub const SMV: Target = reader(
    "smv",
    smv_answer,
    &[
        "-- specification ",
        " is true\n",
        " is false\n",
        "-- invariant ",
        "-> State: 1.1 <-\n",
        "-> Input: 1.2 <-\n",
        "started = TRUE\n",
        "-- Loop starts here\n",
        "x_0 = 1\n",
        "-- as demonstrated by the following execution sequence\n",
        "*** This is NuSMV 2.6.0\n",
    ],
    400,
);
pub const CADP: Target = reader(
    "cadp",
    cadp_answer,
    &[
        "des (0, 3, 4)\n",
        "\"START\"",
        "\"STEP !0 !\\\"propagate\\\"\"",
        "\"ASSIGN !0 !\\\"x\\\" !1\"",
        "(0, ",
        ", 1)\n",
        "i",
    ],
    300,
);
pub const SOLVER: Target = Target {
    name: "solver",
    about: "terms of SMT-LIB, and dialogues with a solver that says anything",
    run: solver,
    from: From { endings: &["smt2"], crates: &["smt"], corpus: &[] },
    words: &[
        "sat",
        "unsat",
        "unknown",
        "(",
        ")",
        "and",
        "or",
        "not",
        "=>",
        "=",
        "<=",
        "ite",
        "let",
        "div",
        "mod",
        "-",
        "x",
        "y",
        "b",
        "define-fun",
        "inv",
        "forall",
        "|",
        "true",
        "false",
        "(error \"",
        "\n",
    ],
    usual: 120,
    stack: WORKER,
};
pub const FOUND: Target = Target {
    name: "found",
    about: "answers as evidence, from text to a replayed execution",
    run: found,
    from: From {
        endings: &[],
        crates: &["backends", "aig"],
        corpus: &["aiger", "btor2", "spin", "smv", "c", "cadp"],
    },
    words: &[
        "sat\n",
        "b0\n",
        "#0\n",
        "@0\n",
        ".\n",
        "1\n",
        "@cells ",
        "x_0 = 1\n",
        "VERIFICATION FAILED",
        "UNSAFE",
        "started = TRUE\n",
        "0",
        "1",
    ],
    usual: 400,
    stack: WORKER,
};

/// A counter of two bits that an input makes go on, and that is bad at 2.
fn counter() -> System {
    let mut graph = Graph::new();
    let (low, high, go, start) = (graph.variable(), graph.variable(), graph.variable(), graph.variable());
    let next_low = graph.xor(low, go);
    let carry = graph.and(low, go);
    let next_high = graph.xor(high, carry);
    let bad = graph.and(high, !low);
    let latches = vec![
        Latch { variable: low, start, next: next_low },
        Latch { variable: high, start: Lit::FALSE, next: next_high },
    ];
    System {
        graph,
        latches,
        start_inputs: vec![start],
        inputs: vec![go],
        bad: vec![bad, Lit::FALSE],
        ..System::default()
    }
}

thread_local! {
    static COUNTER: System = counter();
}

fn aiger_answer(input: &[u8]) {
    COUNTER.with(|system| drop(aiger::answer(system, &text(input))));
}

fn btor2_answer(input: &[u8]) {
    COUNTER.with(|system| drop(btor2::answer(system, &text(input))));
}

fn c_answer(input: &[u8]) {
    let text = text(input);
    let mut parts = text.split("\n%%%\n").map(str::to_string);
    let code = [None, Some(0), Some(10), Some(1), Some(-1)][pick(input, 30, 5)];
    let (output, errors) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let kept = Kept { output, errors, code, shown: parts.collect(), unbounded: pick(input, 31, 2) == 0 };
    for verifier in VERIFIERS {
        if let Ok(answer) = verifier.answer(&kept) {
            let _ = translate(answer, &models::first().flat, "Below");
        }
    }
}

fn spin_answer(input: &[u8]) {
    let flat = &models::first().flat;
    let _ = spin::trail(&text(input), 2);
    if let Ok(read) = spin::trail(&text(input), flat.width()) {
        drop(trail::execution(flat, Some(pick(input, 32, 3)), None, &read));
    }
}

fn smv_answer(input: &[u8]) {
    let ran = Ran { ended: Ended::Code(0), output: text(input).to_string(), errors: String::new() };
    // As many names as the program has cells, of which one is a number.
    let flat = &models::first().flat;
    let names = ["x_0", "y", "3", "leader", "z"];
    let cells: Vec<String> = (0..flat.width()).map(|at| names[at % names.len()].to_string()).collect();
    nuxmv::author(&ran.output);
    for verdict in nuxmv::read(&ran).unwrap_or_default() {
        if let Some(way) = verdict.shown.as_ref().and_then(|shown| shown.way(&cells, -1).ok()) {
            drop(trail::between(flat, &way, pick(input, 33, 2) == 0));
        }
    }
}

fn cadp_answer(input: &[u8]) {
    drop(cadp::follow(&text(input), &models::first().flat, pick(input, 34, 2) == 0));
}

/// Says the lines of an input, whatever it is told.
struct Liar(Arc<Mutex<Vec<String>>>);

impl Solvers for Liar {
    fn has(&self, _: SolverName) -> bool {
        true
    }

    fn start(&self, _: SolverName) -> Result<Box<dyn Dialogue>, String> {
        Ok(Box::new(Liar(self.0.clone())))
    }
}

impl Dialogue for Liar {
    fn say(&mut self, _: &str) -> Result<(), String> {
        Ok(())
    }

    fn hear(&mut self) -> Result<Option<String>, String> {
        match self.0.lock().ok().and_then(|mut lines| lines.pop()) {
            Some(line) => Ok(Some(line)),
            None => Err("it has ended".to_string()),
        }
    }
}

fn solver(input: &[u8]) {
    let text = text(input);
    if let Ok(terms) = Sexp::read_all(&text) {
        for term in terms.iter().take(20) {
            let _ = (term.size(), term.value(), term.called());
        }
    }
    let variable = |slot, name: &str, sort| Variable { slot, name: name.to_string(), sort };
    let variables = [variable(0, "x", "Int"), variable(1, "y", "Int"), variable(2, "b", "Bool")];
    if let Ok(formula) = Formula::read(&text, &variables) {
        let known = |name: &str| Some(if name == "b" { Valued::Bool(true) } else { Valued::Int(i128::MAX) });
        drop((formula.words(), formula.list(), formula.parts(), formula.text(""), formula.holds(&known)));
    }
    // A whole search is expensive: one input of a hundred gets it.
    if pick(input, 35, 100) == 0 {
        let lines: Vec<String> = text.lines().rev().take(200).map(str::to_string).collect();
        let liar = Liar(Arc::new(Mutex::new(lines)));
        let options = VerifyOptions {
            engine: Decider::named("smt").unwrap_or(Decider::Auto),
            ..VerifyOptions::default()
        };
        let host = Quiet { solvers: Some(&liar), ..Quiet::default() };
        run(&verify(models::MODELS[0], options, None, None), &host);
    }
}

fn verify(
    (name, text): (&str, &str),
    options: VerifyOptions,
    backend: Option<Backend>,
    found: Option<String>,
) -> Request {
    let source = Source { name: name.to_string(), text: text.to_string(), language: None };
    Request::Verify { model: ModelRequest::new(source, vec![]), options: Box::new(options), backend, found }
}

fn found(input: &[u8]) {
    let text = text(input).to_string();
    let at = pick(input, 36, BACKENDS.len() + 2);
    let property = ["Below", "Agreed", "Never"][pick(input, 37, 3)].to_string();
    let options = VerifyOptions { properties: vec![property], ..VerifyOptions::default() };
    let request = match BACKENDS.get(at) {
        Some(entry) => verify(models::MODELS[0], options, Some(entry.backend), Some(text)),
        None => verify(models::MODELS[0], VerifyOptions { witness: Some(text), ..options }, None, None),
    };
    run(&request, &Quiet::default());
}
