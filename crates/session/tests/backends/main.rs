//! Other verifiers as back ends, with programs in their place that answer what the test wants: what is asked, and what the
//! answers become.

#![allow(clippy::disallowed_methods, reason = "reads the examples")]

mod cadp;
mod cbmc;
mod programs;

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use swarmcheck_backends::{Ended, Job, Ran, Tools};
use swarmcheck_engine::Why;
use swarmcheck_engine::control::Silent;
use swarmcheck_session::verify::{
    Answer, Backend, Budget, Control, Evidence, Length, Outcome, Reason, VerifyOptions, Violation, translate,
    verify_with,
};
use swarmcheck_session::{ModelOptions, Prepared, Refusal, prepare};

/// A counter; `Low` is violated by two steps of the one agent, and never `High`.
const MODEL: &str = "
system { spawn = A: 1 }
agent A {
  interface = n: 0
  Behavior = n < 3 -> n <- n + 1; Behavior
}
check {
  Low = always forall A a, n of a < 2
  High = always forall A a, n of a < 4
  Some = eventually forall A a, n of a = 4
  Late = after 2 forall A a, n of a = 1
  Scope = between (forall A a, n of a = 1) and (forall A a, n of a = 3), always forall A a, n of a = 1
}";

struct Pretend {
    there: bool,
    ended: Ended,
    output: String,
    /// What it leaves behind.
    files: BTreeMap<String, String>,
    /// What it was given.
    program: String,
    names: Vec<String>,
    jobs: Vec<Job>,
}

impl Pretend {
    fn arguments(&self) -> String {
        self.jobs.first().map(|job| job.arguments.join(" ")).unwrap_or_default()
    }
}

impl Tools for Pretend {
    fn find(&self, _: &str) -> bool {
        self.there
    }

    fn put(&mut self, name: &str, text: &str) -> Result<(), String> {
        if self.names.is_empty() {
            self.program = text.to_string();
        }
        self.names.push(name.to_string());
        Ok(())
    }

    fn get(&self, name: &str) -> Result<String, String> {
        self.files.get(name).cloned().ok_or_else(|| format!("there is no {name}"))
    }

    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        self.jobs.push(job.clone());
        Ok(Ran { ended: self.ended, output: self.output.clone(), errors: String::new() })
    }
}

fn open() -> Prepared {
    match prepare("model.labs", MODEL.as_bytes(), ModelOptions::default()) {
        Ok(prepared) => prepared,
        Err(_) => panic!("refused"),
    }
}

/// An example with values of its parameters.
fn example(file: &str, parameters: &str) -> Prepared {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let pairs = parameters.split_whitespace().filter_map(|p| p.split_once('='));
    let parameters = pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let options = ModelOptions { parameters, ..ModelOptions::default() };
    match prepare(file, &std::fs::read(path).expect("an example"), options) {
        Ok(prepared) => prepared,
        Err(_) => panic!("{file} is refused"),
    }
}

/// What is answered about a property.
fn about(tools: &mut Pretend, backend: Backend, property: &str, steps: Option<u32>) -> Answer {
    about_model(&open(), tools, backend, property, steps)
}

/// The same about another model.
fn about_model(
    prepared: &Prepared,
    tools: &mut Pretend,
    backend: Backend,
    property: &str,
    steps: Option<u32>,
) -> Answer {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = VerifyOptions { steps, properties: vec![property.to_string()], ..VerifyOptions::default() };
    let Ok(mut report) = verify_with(prepared, &options, backend, tools, &control) else {
        panic!("no such property")
    };
    report.answers.remove(0)
}

fn asked(tools: &mut Pretend, backend: Backend, steps: Option<u32>) -> Answer {
    about(tools, backend, "Low", steps)
}

/// What a kept answer says about a property.
fn kept(backend: Backend, property: &str, steps: Option<u32>, text: &str) -> Result<Answer, Refusal> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = VerifyOptions { steps, properties: vec![property.to_string()], ..VerifyOptions::default() };
    translate(&open(), &options, backend, text, &control).map(|mut report| report.answers.remove(0))
}

/// A trace of so many steps to a state that is bad.
fn trace_of(steps: usize) -> Outcome {
    let length = Length { steps, loop_start: None };
    Outcome::Violated { evidence: Violation::Trace { why: Why::False, length } }
}

/// It holds, says somebody, within so many steps or for ever.
fn said_by(who: &str, steps: Option<u32>) -> Outcome {
    Outcome::Holds { evidence: Evidence::Said { who: who.to_string(), steps }, vacuous: None }
}

/// Why it cannot be decided in this way.
fn unsupported(answer: &Answer) -> &str {
    match answer.reason() {
        Some(Reason::Unsupported { why }) => why,
        other => panic!("{other:?}: {}", answer.evidence()),
    }
}

fn pretend(output: String, ended: Ended) -> Pretend {
    let files = BTreeMap::new();
    Pretend { there: true, ended, output, files, program: String::new(), names: vec![], jobs: vec![] }
}

#[test]
fn what_is_missing_is_said() {
    let mut nothing = pretend(String::new(), Ended::Code(0));
    nothing.there = false;
    for (backend, words) in [
        (Backend::Cbmc, "CBMC is not installed"),
        (Backend::Esbmc, "ESBMC is not installed"),
        (Backend::Cseq, "CSeq is not installed"),
        (Backend::Cadp, "CADP is not installed"),
        (Backend::Cpachecker, "CPAchecker is not installed"),
    ] {
        let steps = (backend != Backend::Cadp).then_some(3);
        let answer = asked(&mut nothing, backend, steps);
        assert_eq!(answer.verdict().word(), "unknown");
        assert!(unsupported(&answer).contains(words), "{}", answer.evidence());
    }
    for backend in [Backend::Cbmc, Backend::Cseq] {
        let unbounded = asked(&mut pretend(String::new(), Ended::Code(0)), backend, None);
        let words = "of a given number of steps, and none was given";
        assert!(unsupported(&unbounded).contains(words), "{}", unbounded.evidence());
    }
}
