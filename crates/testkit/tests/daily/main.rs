//! The daily mode: hours of random systems from all generators, put to all engines, with and without reductions, and compared
//! with interpreters and searches that share no code with them.
//!
//!     SWARMCHECK_HOURS=8 cargo test --release -p swarmcheck-testkit --test daily -- --ignored daily --nocapture
//!
//! | variable | meaning |
//! |---|---|
//! | `SWARMCHECK_HOURS` | how long, also a fraction; 8 if it is not set |
//! | `SWARMCHECK_SEED` | the first number; without it, one made of the clock, which the report names |
//! | `SWARMCHECK_REPORT` | the directory of the report; `target/daily` if it is not set |
//! | `SWARMCHECK_WORKERS` | how many processes work at a time; 1 if it is not set |
//! | `SWARMCHECK_PATIENCE` | seconds that an engine may take for a system, also a fraction; 2 if it is not set |
//! | `SWARMCHECK_SMALL` | 1: small systems only, with few properties, and every engine once, which compares twenty times as many |
//!
//! Every system is made and compared in a child process: this program, started again ([`work`]). A system that makes the child
//! panic, run out of memory or out of time is reported, and the next child goes on with the next system ([`supervise`]).
//! Ctrl-C ends the run with the report ([`report`]). What disagrees is shrunk by the child that found it ([`labs`]).

#[path = "../ltl/calculi.rs"]
mod calculi;
#[path = "../../../chor/tests/common/terms.rs"]
mod choreographies;
#[path = "../../../rcheck/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;
#[path = "../ltl/compare.rs"]
#[allow(dead_code)]
mod compare;
#[path = "../ltl/labs.rs"]
mod formulas;
mod labs;
mod others;
mod planted;
#[path = "../ltl/rcheck.rs"]
mod rcheck;
mod record;
mod report;
mod supervise;
#[path = "../../../rcheck/tests/common/tableau.rs"]
#[allow(dead_code)]
mod tableau;
#[path = "../../../ccs/tests/common/terms.rs"]
#[allow(dead_code)]
mod terms;
mod work;

use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use std::time::Duration;
use supervise::Plan;

/// Where a child is told that it is one.
const WORKER: &str = "SWARMCHECK_DAILY_WORKER";

fn main() -> ExitCode {
    if std::env::var_os(WORKER).is_some() {
        work::serve();
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::from_args();
    let trials = vec![
        Trial::test("a_planted_lie_is_found_and_shrunk", planted::found),
        Trial::test("a_worker_that_dies_is_followed_by_another", planted::survived),
        Trial::test("every_generator_is_compared", planted::compared),
        Trial::test("daily", daily).with_ignored_flag(true),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The number in a variable of the environment.
fn setting<T: std::str::FromStr>(name: &str, default: T) -> Result<T, String> {
    match std::env::var(name) {
        Ok(text) => text.parse().map_err(|_| format!("{name} is no number: {text}")),
        Err(_) => Ok(default),
    }
}

fn daily() -> Result<(), libtest_mimic::Failed> {
    let hours: f64 = setting("SWARMCHECK_HOURS", 8.0)?;
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let fresh = clock.map_or(1, |clock| clock.as_secs() * 1_000);
    let directory = std::env::var_os("SWARMCHECK_REPORT")
        .map_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/daily").into(), Into::into);
    let plan = Plan {
        time: Duration::from_secs_f64(hours * 3600.0),
        systems: u64::MAX,
        first: setting("SWARMCHECK_SEED", fresh)?,
        generators: work::GENERATORS.iter().map(|generator| generator.name).collect(),
        workers: setting("SWARMCHECK_WORKERS", 1)?,
        patience: setting("SWARMCHECK_PATIENCE", 2.0)?,
        small: setting("SWARMCHECK_SMALL", 0)? != 0,
        limit: Duration::from_secs(300),
        planted: None,
        one_is_enough: false,
        directory: Some(directory),
    };
    let summary = supervise::run(&plan)?;
    println!("{}", summary.markdown());
    if summary.disagreements.is_empty() { Ok(()) } else { Err("engines or interpreters disagree".into()) }
}
