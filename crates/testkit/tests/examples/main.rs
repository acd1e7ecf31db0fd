//! Every claim of `examples/*/swarmcheck.toml` that a naive search can decide, and the sizes of the state spaces; and all that
//! are not too large for a test, decided by the explicit-state engine, and the small ones with decision diagrams.
//!
//! Each claim is a test of its own for each engine, and each instance for the naive search and for counting:
//! `cargo test -p swarmcheck-testkit --test examples -- flock` runs those about the flock. Calculi have oracles of their
//! own, and tests in the crate `session`.

mod claims;
mod engine;
mod naive;

use claims::Instance;
use engine::Work;
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use swarmcheck_explicit::Explicit;
use swarmcheck_symbolic::{Method, Symbolic};

/// Diagrams decide claims about state spaces up to this size: larger ones take longer than a test should.
const DIAGRAMS_MAX: usize = 500;
/// With reductions, the explicit engine decides claims about state spaces up to this size.
const REDUCED_MAX: usize = 100_000;

/// How much of one kind was really checked, and how much it must be. A search may give up for want of memory, so the
/// number of tests says less.
struct Tally {
    what: &'static str,
    least: usize,
    done: Arc<AtomicUsize>,
}

impl Tally {
    fn new(what: &'static str, least: usize) -> Tally {
        Tally { what, least, done: Arc::default() }
    }

    /// A test that adds to the tally what it has checked.
    fn trial(&self, name: String, test: impl FnOnce() -> Result<usize, String> + Send + 'static) -> Trial {
        let done = self.done.clone();
        Trial::test(format!("{} {name}", self.what), move || {
            done.fetch_add(test()?, Ordering::Relaxed);
            Ok(())
        })
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = vec![];
    let tallies = [
        Tally::new("naive", 175),
        Tally::new("reference", 35),
        Tally::new("explicit", 200),
        Tally::new("explicit counts", 50),
        Tally::new("bdd", 75),
        Tally::new("bdd counts", 20),
    ];
    let [naive, reference, explicit, explicit_counts, bdd, bdd_counts] = &tallies;
    let claims = claims::claims();
    for claim in &claims {
        let work = Work { states_max: REDUCED_MAX, unknown_sizes: true };
        if work.includes(claim) {
            let owned = claim.clone();
            trials.push(explicit.trial(claim.to_string(), move || engine::decide(&Explicit, &owned, work)));
        }
        let work = Work { states_max: DIAGRAMS_MAX, unknown_sizes: false };
        if work.includes(claim) {
            let owned = claim.clone();
            let diagrams = Symbolic::new(Method::Diagrams);
            trials.push(bdd.trial(claim.to_string(), move || engine::decide(&diagrams, &owned, work)));
        }
    }
    for (instance, claims) in claims::by_instance(&claims) {
        let Instance { states, .. } = instance;
        let name = instance.to_string();
        if states.is_none_or(|states| states <= naive::STATES_MAX) {
            let (counted, owned) = (reference.done.clone(), instance.clone());
            trials.push(naive.trial(name.clone(), move || naive::check(&owned, &claims, &counted)));
        }
        if states.is_some_and(|states| states <= naive::STATES_MAX) {
            let owned = instance.clone();
            trials.push(explicit_counts.trial(name.clone(), move || engine::count(&Explicit, &owned)));
        }
        if states.is_some_and(|states| states <= DIAGRAMS_MAX) {
            let diagrams = Symbolic::new(Method::Diagrams);
            trials.push(bdd_counts.trial(name, move || engine::count(&diagrams, &instance)));
        }
    }
    let all =
        arguments.filter.is_none() && arguments.skip.is_empty() && !arguments.list && !arguments.ignored;
    let conclusion = libtest_mimic::run(&arguments, trials);
    let too_few = |tally: &&Tally| tally.done.load(Ordering::Relaxed) < tally.least;
    let lacking: Vec<&Tally> = tallies.iter().filter(too_few).collect();
    if !all || lacking.is_empty() {
        return conclusion.exit_code();
    }
    for Tally { what, least, done } in lacking {
        eprintln!("{what}: only {} of at least {least} were checked", done.load(Ordering::Relaxed));
    }
    ExitCode::FAILURE
}
