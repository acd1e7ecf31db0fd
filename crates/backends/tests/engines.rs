//! Back ends as engines: what is refused before anything runs, and by whom, in place of programs that are not there.

#[path = "readers/model.rs"]
mod model;

use std::sync::atomic::AtomicBool;
use swarmcheck_backends::{BACKENDS, Backend, Ended, Job, Origin, OtherVerifier, Ran, Tools};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Evidence, Reason, Task, Verdict};
use swarmcheck_ir::Program;
use swarmcheck_ir::flat::Flat;
use swarmcheck_source::SourceFile;

/// A place where some programs are missing; those that are there say nothing.
struct Place {
    missing: &'static [&'static str],
    ran: Vec<String>,
}

impl Tools for Place {
    fn find(&self, program: &str) -> bool {
        !self.missing.contains(&program)
    }
    fn put(&mut self, _: &str, _: &str) -> Result<(), String> {
        Ok(())
    }
    fn get(&self, name: &str) -> Result<String, String> {
        Err(format!("{name} is not there"))
    }
    fn run(&mut self, job: &Job) -> Result<Ran, String> {
        self.ran.push(job.program.clone());
        Ok(Ran { ended: Ended::Code(0), output: String::new(), errors: String::new() })
    }
}

/// Whether the back end can handle the question about the counters; what it finds; and what was run for it.
fn asked(
    backend: Backend,
    missing: &'static [&'static str],
    change: impl Fn(&mut Task),
) -> (Result<(), String>, Verdict, Vec<String>) {
    // Without the steps that add, so that every variable has bounds.
    let flat = Flat::new(Program { functions: vec![], ..(*model::counters().program).clone() });
    let file = SourceFile::new("counters.labs", "");
    let mut place = Place { missing, ran: vec![] };
    let mut task = Task::new(&flat);
    change(&mut task);
    let origin = Origin { file: &file };
    let engine = OtherVerifier::new(backend, origin, &mut place);
    assert_eq!(engine.name(), backend.name());
    let able = engine.can_handle(&task);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let mut findings = engine.run(&task, &control);
    assert_eq!(findings.len(), 1);
    let verdict = findings.remove(0).verdict;
    (able, verdict, place.ran)
}

/// What an engine says that it cannot do it does not do, for the same reason, and nothing is run.
#[track_caller]
fn refused(backend: Backend, missing: &'static [&'static str], change: impl Fn(&mut Task)) -> String {
    let (able, verdict, ran) = asked(backend, missing, change);
    let why = able.expect_err("it is refused");
    let Verdict::Unknown(Reason::Unsupported(same)) = verdict else { panic!("{verdict:?}") };
    assert_eq!(same, why);
    assert!(ran.is_empty(), "{ran:?}");
    why
}

fn deadlock(task: &mut Task) {
    task.properties.clear();
    task.deadlock = true;
}

#[test]
fn programs_that_are_missing_are_named() {
    for entry in BACKENDS {
        for group in entry.programs {
            let why = refused(entry.backend, group, |task| task.bound = (!entry.unbounded).then_some(2));
            assert!(why.contains("install") && why.contains(group[0]), "{why}");
            assert!(why.contains("get ") || why.contains("apt install"), "{why}");
        }
    }
}

/// Assertions and queries say nothing about states without a step; bounded verifiers need a bound.
#[test]
fn questions_that_are_not_asked() {
    for entry in BACKENDS {
        if !entry.deadlocks {
            let why = refused(entry.backend, &[], deadlock);
            assert_eq!(
                why,
                format!("{} is not asked about deadlocks; the built-in engines and Spin are", entry.title)
            );
        }
        if !entry.unbounded {
            let why = refused(entry.backend, &[], |_| {});
            assert!(why.starts_with(entry.title) && why.contains("given number of steps"), "{why}");
        }
    }
    for backend in [Backend::Spin, Backend::Nuxmv, Backend::Cadp] {
        let why = refused(backend, &[], |task| task.ignore_deadlock = true);
        assert!(why.ends_with("does not excuse executions that stop"), "{why}");
    }
    // An invariant is about states, whether or not there is a step after them.
    let (able, _, ran) = asked(Backend::Esbmc, &[], |task| task.ignore_deadlock = true);
    assert_eq!((able, ran), (Ok(()), vec!["esbmc".to_string()]));
}

/// A program that says nothing has decided nothing.
#[test]
fn silence_is_no_verdict() {
    for entry in BACKENDS {
        let (able, verdict, ran) =
            asked(entry.backend, &[], |task| task.bound = (!entry.unbounded).then_some(2));
        assert_eq!(able, Ok(()));
        assert_eq!(ran.first().map(String::as_str), Some(entry.programs[0][0]));
        assert!(matches!(verdict, Verdict::Unknown(Reason::Internal(_))), "{}: {verdict:?}", entry.word);
        assert!(!matches!(verdict, Verdict::Holds(Evidence::Said(..))));
    }
}
