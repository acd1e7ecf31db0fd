//! A model from its text to the end: opened, run at random, decided by two engines, and what is shown is replayed. Engines must
//! agree, every run and every counterexample must be accepted by the literal rules, and nothing may be an internal error.

use super::host::{control, no_internal};
use super::{CCS as CCS_SEEDS, CHOR as CHOR_SEEDS, LABS as LABS_SEEDS, RCHECK as RCHECK_SEEDS, WORKER, text};
use crate::{Target, is_stopping, pick};
use std::collections::BTreeMap;
use swarmcheck_session::replay::{self, ReplayAnswer};
use swarmcheck_session::simulate::simulate;
use swarmcheck_session::verify::{Decider, VerifyOptions, verify};
use swarmcheck_session::{
    Answered, Choice, ModelOptions, Prepared, Semantics, SimulateOptions, TraceData, TraceFormat, Trouble,
    prepare_unless,
};

const fn target(
    name: &'static str,
    run: fn(&[u8]),
    from: crate::seeds::From,
    words: &'static [&'static str],
) -> Target {
    Target {
        name,
        about: "open, simulate, verify twice, replay",
        run,
        from,
        words,
        usual: 1000,
        stack: WORKER,
    }
}

pub const LABS: Target =
    target("labs-decide", |input| decide(input, "x.labs"), LABS_SEEDS, swarmcheck_labs::editor::WORDS);
pub const CCS: Target =
    target("ccs-decide", |input| decide(input, "x.ccs"), CCS_SEEDS, swarmcheck_ccs::editor::WORDS);
pub const CHOR: Target =
    target("chor-decide", |input| decide(input, "x.chor"), CHOR_SEEDS, swarmcheck_chor::editor::WORDS);
pub const RCHECK: Target =
    target("rcheck-decide", |input| decide(input, "x.rcp"), RCHECK_SEEDS, swarmcheck_rcheck::editor::WORDS);

/// Small numbers only: what large ones do to memory and time is what `…-check` looks at.
const VALUES: &[&str] = &["1", "2", "3", "2", "0", "-1", "4"];

fn decide(input: &[u8], name: &str) {
    let text = text(input);
    let mut options = ModelOptions::default();
    if name.ends_with(".labs") {
        let (tree, _) = swarmcheck_labs::syntax::parse(&text);
        let names = tree.systems.iter().flat_map(|system| &system.externs).enumerate();
        let value = |at: usize| VALUES[pick(input, 40 + at as u64, VALUES.len())].to_string();
        options.parameters =
            names.map(|(at, name)| (name.name.text.trim_start_matches('_').to_string(), value(at))).collect();
        options.fair = pick(input, 41, 5) == 0;
        options.sync = pick(input, 42, 5) == 0;
        options.choice = if pick(input, 43, 5) == 0 { Choice::Early } else { Choice::Late };
        options.semantics = if pick(input, 44, 5) == 0 { Semantics::Paper } else { Semantics::Sliver };
    }
    let prepared = match prepare_unless(name, text.as_bytes(), options, &crate::STOP) {
        Ok(prepared) => prepared,
        Err(Trouble::Internal(why)) => panic!("internal error: {why}"),
        Err(_) => return,
    };
    let opened = Opened { prepared, name, text: text.as_bytes() };
    opened.run();
    let mut answers: BTreeMap<String, (&str, Answered)> = BTreeMap::new();
    let others = ["bdd", "bmc", "kind", "ic3", "abstract", "compose", "auto"];
    for engine in ["explicit", others[pick(input, 45, others.len())]] {
        if !is_stopping() {
            opened.decide(engine, input, &mut answers);
        }
    }
}

struct Opened<'a> {
    prepared: Prepared,
    name: &'a str,
    text: &'a [u8],
}

impl Opened<'_> {
    fn run(&self) {
        let options = SimulateOptions { steps: 20, format: TraceFormat::Json, ..SimulateOptions::default() };
        let mut out = vec![];
        let report = simulate(&self.prepared, options, &control(), &mut out);
        assert!(report.is_ok());
        for line in String::from_utf8_lossy(&out).lines() {
            self.replayed(&replay::read(line).expect("a trace that was just written"), "a run");
        }
    }

    fn decide(
        &self,
        engine: &'static str,
        input: &[u8],
        answers: &mut BTreeMap<String, (&'static str, Answered)>,
    ) {
        let options = VerifyOptions {
            engine: Decider::named(engine).expect("an engine"),
            deadlock: true,
            steps: (pick(input, 46, 4) == 0).then_some(5),
            depth: Some(12),
            ignore_deadlock: pick(input, 47, 4) == 0,
            ..VerifyOptions::default()
        };
        let Ok(report) = verify(&self.prepared, &options, &control()) else { return };
        for answer in &report.answers {
            no_internal(answer);
            for shown in answer.trace.iter() {
                self.replayed(&shown.data, &answer.name);
            }
            let said = answer.verdict();
            if !matches!(said, Answered::Holds | Answered::Violated) {
                continue;
            }
            let (first, before) = *answers.entry(answer.name.clone()).or_insert((engine, said));
            assert_eq!(before, said, "{first} and {engine} disagree about {}", answer.name);
        }
    }

    fn replayed(&self, trace: &TraceData, what: &str) {
        match replay::replay(trace, self.name, self.text) {
            // An action that draws from millions of numbers cannot always be made again.
            Ok(ReplayAnswer::Accepted { .. } | ReplayAnswer::Undecided { .. }) => {}
            Ok(ReplayAnswer::Refused { step, why }) => panic!("{what} is refused at {step:?}: {why}"),
            Err(Trouble::Internal(why)) => panic!("internal error: {why}"),
            Err(_) => panic!("{what}: the model cannot be read again"),
        }
    }
}
