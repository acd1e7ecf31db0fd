//! Asking the engine `smt` with the solvers that a test wants.

use swarmcheck_engine::{Budget, Control, Progress, SolverName};
use swarmcheck_session::verify::{Answer, Decider, VerifyOptions, verify};
use swarmcheck_session::{Prepared, words};
use swarmcheck_testkit::long;
use swarmcheck_testkit::solvers::Offering;

/// Whether all these solvers are there; says so if they are not, and fails where they are required.
pub fn there(names: &[SolverName]) -> bool {
    let required = std::env::var("SWARMCHECK_REQUIRE").unwrap_or_default();
    names.iter().all(|name| {
        let there = Offering::all().solvers().has(*name);
        let program = name.program();
        assert!(
            there || !required.split_whitespace().any(|word| word == program),
            "{program} is not installed"
        );
        if !there {
            eprintln!("{program} is not installed: what needs it is not tested");
        }
        there
    })
}

/// What the engine says about the properties of a model within some seconds each; all of them if none is named.
pub fn answers(prepared: &Prepared, properties: &[&str], names: &[SolverName], seconds: u64) -> Vec<Answer> {
    let options = VerifyOptions {
        engine: Decider::Smt,
        properties: properties.iter().map(ToString::to_string).collect(),
        certify: true,
        ..VerifyOptions::default()
    };
    with(prepared, &options, names, seconds)
}

/// The same with these options.
pub fn with(prepared: &Prepared, options: &VerifyOptions, names: &[SolverName], seconds: u64) -> Vec<Answer> {
    let offering = Offering::new(names);
    let report = long::within(seconds, |stop| {
        verify(prepared, options, &Control { stop, budget: Budget::default(), progress: &offering })
    });
    report.unwrap_or_else(|refusal| panic!("{}", words::refusal(&refusal))).answers
}
