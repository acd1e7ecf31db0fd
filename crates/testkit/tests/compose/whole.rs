//! The transition system that is put together from reduced processes, beside the one that is explored and then minimised: both
//! are minimal, so they have the same size and are equivalent.

use crate::COMPARISONS;
use crate::compare::{Case, Made};
use std::collections::BTreeMap;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control};
use swarmcheck_lts::aut::{self, Invisible};
use swarmcheck_lts::{Equivalence, Lts, equivalent};
use swarmcheck_session::lts::{LtsOptions, Minimise, lts};
use swarmcheck_testkit::long;

/// One comparison for each language: systems are the same in others, which have other questions.
const LANGUAGES: [usize; 4] = [0, 6, 7, 8];

const UP_TO: [Minimise; 3] = [Minimise::Strong, Minimise::Branching, Minimise::Divbranching];

/// What was compared.
#[derive(Default, Debug)]
struct Compared {
    systems: usize,
    /// Systems with several processes.
    networks: usize,
    /// Systems that are smaller than the one that was explored.
    smaller: usize,
    /// Why systems were not put together.
    refused: BTreeMap<String, usize>,
}

/// A system in one of both ways; none if it is refused.
fn system(case: &Case, up_to: Minimise, compose: bool, seen: &mut Compared) -> Option<Lts> {
    let options = LtsOptions { minimise: Some(up_to), compose, ..LtsOptions::default() };
    let answer = long::within(20, |stop| {
        let control = Control { stop, budget: Budget::default(), progress: &Silent };
        lts(&case.prepared, options, &control)
    });
    match answer {
        Ok(written) => {
            let nodes = written.composition.as_ref().map_or(0, |composition| composition.nodes.len());
            seen.networks += usize::from(nodes > 1);
            let size = |size: Option<swarmcheck_session::lts::Size>| size.map(|size| size.states);
            seen.smaller += usize::from(!compose && size(written.whole) > size(written.minimised));
            Some(aut::read(&written.text, Invisible::default()).expect("what was written can be read"))
        }
        Err(why) => {
            *seen.refused.entry(format!("{why:?}").chars().take(60).collect()).or_default() += 1;
            None
        }
    }
}

fn compare(seed: u64, made: Result<Made, String>, seen: &mut Compared) -> Result<(), String> {
    let Made::Case(case) = made? else { return Ok(()) };
    seen.systems += 1;
    for up_to in UP_TO {
        let Some(composed) = system(&case, up_to, true, seen) else { continue };
        let Some(minimised) = system(&case, up_to, false, seen) else { continue };
        let sizes = |lts: &Lts| (lts.states(), lts.transitions());
        if sizes(&composed) != sizes(&minimised) {
            let (a, b) = (sizes(&composed), sizes(&minimised));
            return Err(format!("seed {seed}, {up_to:?}: {a:?} instead of {b:?}\n{}", case.text));
        }
        if !equivalent(&composed, &minimised, Equivalence::from(up_to)) {
            return Err(format!("seed {seed}, {up_to:?}: not equivalent\n{}", case.text));
        }
    }
    Ok(())
}

#[test]
fn what_is_put_together_is_the_minimised_whole() {
    let mut all = Compared::default();
    for (language, count) in LANGUAGES.into_iter().zip([60, 80, 60, 12]) {
        let (name, make) = COMPARISONS[language];
        let mut seen = Compared::default();
        for seed in 0..count {
            compare(seed, make(seed, crate::FEW_STATES), &mut seen)
                .unwrap_or_else(|why| panic!("{name}, {why}"));
        }
        println!("{name}: {seen:?}");
        assert!(seen.networks > 5 && seen.smaller > 3, "{name}: {seen:?}");
        all.systems += seen.systems;
    }
    assert!(all.systems > 50, "{all:?}");
}

/// A specification that asks whether a step changed anything is no part of the behaviour; that was once a panic.
#[test]
fn behaviour_has_no_specifications() {
    let text = "channels: c\n\
        agent A\n  local: b : bool\n  init: !b\n  receive-guard: true\n  \
        repeat: {true} c! (true)()[] + {true} c? [b := true]\n\
        system = A(a1, true) || A(a2, true)\n\
        SPEC P0: keep-all\n";
    let prepared = crate::prepared("R-CHECK", 8, text).expect("it is accepted");
    let case = Case {
        text: text.to_string(),
        prepared,
        expected: vec![],
        fairness: swarmcheck_testkit::literal::Fairness::All,
    };
    let mut seen = Compared::default();
    compare(0, Ok(Made::Case(Box::new(case))), &mut seen).unwrap_or_else(|why| panic!("{why}"));
    assert!(seen.networks == 3 && seen.refused.is_empty(), "{seen:?}");
}

/// `SWARMCHECK_SYSTEMS=5000 cargo test --release -p swarmcheck-testkit --test compose -- --ignored --nocapture whole`.
#[test]
#[ignore = "takes an hour"]
fn long_run_of_the_whole() {
    let mut seen: Vec<Compared> = LANGUAGES.iter().map(|_| Compared::default()).collect();
    let failures = long::run(2_000, 100, |seed| {
        let language = (seed % 4) as usize;
        let (name, make) = COMPARISONS[LANGUAGES[language]];
        compare(seed / 4, make(seed / 4, crate::STATES), &mut seen[language])
            .map_err(|why| format!("{name}, {why}"))
    });
    seen.iter().zip(LANGUAGES).for_each(|(seen, at)| println!("{}: {seen:?}", COMPARISONS[at].0));
    assert_eq!(failures, 0, "see above");
}
