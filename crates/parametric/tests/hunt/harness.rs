//! Reading models, asking for proofs, and deciding members by search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Reductions, Task, Verdict};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::{KindId, Program};
use swarmcheck_labs::{check, lower, syntax};
use swarmcheck_parametric::{Extent, Family, Invariant, NotProved, Proof, Sizes, prove};
use swarmcheck_source::Span;

/// Reads a model; if it is refused, why.
pub fn program(text: &str, parameters: &str, options: lower::Options) -> Result<Program, String> {
    let (file, problems) = syntax::parse(text);
    if problems.has_errors() {
        return Err(format!("{problems:?}"));
    }
    let pairs = parameters.split_whitespace().filter_map(|p| p.split_once('='));
    let values: Vec<(String, String)> = pairs.map(|(n, v)| (n.to_string(), v.to_string())).collect();
    let (model, problems) = check::check(&file, Span::new(text.len(), text.len()), &values);
    let model = model.ok_or_else(|| format!("{problems:?}"))?;
    Ok(lower::lower(&model, text, options).map_err(|_| "not lowered".to_string())?.program)
}

/// The family of a program in which kinds with these names are open.
pub fn family(program: Program, open: &[(&str, u32)]) -> Family {
    let kind = |name: &str| {
        let at = program.kinds.iter().position(|kind| kind.name == name).expect("a kind");
        KindId(at as u32)
    };
    let open = open.iter().map(|(name, low)| (kind(name), *low)).collect();
    Family::new(program, open)
}

/// Runs with a limit of time.
fn within<T>(limit: Duration, ask: impl FnOnce(&Control<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            let began = std::time::Instant::now();
            while !done.load(Ordering::Relaxed) {
                if began.elapsed() > limit {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::park_timeout(Duration::from_millis(50));
            }
        });
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let answer = ask(&control);
        done.store(true, Ordering::Relaxed);
        watch.thread().unpark();
        answer
    })
}

/// Asks for a proof of the property with this number.
pub fn proved(family: &Family, property: usize, limit: Duration) -> Result<Proof, NotProved> {
    let predicate = family.base().properties[property].predicate.clone();
    within(limit, |control| prove(family, &predicate, control))
}

/// What a proof consists of.
pub fn invariant<'a>(family: &'a Family, proof: &'a Proof) -> Invariant<'a> {
    Invariant { family, property: &proof.property, clauses: &proof.clauses, values: &proof.values }
}

/// Whether an invariant is accepted.
pub fn checked(invariant: &Invariant<'_>, limit: Duration) -> Result<Extent, NotProved> {
    within(limit, |control| invariant.check(control))
}

/// What search says about one member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    Holds,
    Violated,
    Invalid,
    Unknown,
}

/// Decides a member by explicit search, with all reductions.
pub fn decide(program: Program, property: usize, limit: Duration) -> Found {
    decide_with(program, property, limit, Reductions::ALL)
}

/// The same with these reductions.
pub fn decide_with(program: Program, property: usize, limit: Duration, reductions: Reductions) -> Found {
    let task = Task { properties: vec![property], reductions, ..Task::of(Arc::new(program)) };
    let findings = within(limit, |control| Explicit.run(&task, control));
    match findings.first().map(|finding| &finding.verdict) {
        Some(Verdict::Holds(_)) => Found::Holds,
        Some(Verdict::Violated(..)) => Found::Violated,
        Some(Verdict::Invalid(_)) => Found::Invalid,
        _ => Found::Unknown,
    }
}

/// All sizes from the smallest on with at most this many agents of open kinds, the small ones first.
pub fn all_sizes(family: &Family, most: u32) -> Vec<Sizes> {
    let mut all: Vec<Sizes> = vec![vec![]];
    for (_, low) in &family.open {
        all = all.iter().flat_map(|s| (*low..=most).map(|n| [s.clone(), vec![n]].concat())).collect();
    }
    all.retain(|sizes| sizes.iter().sum::<u32>() <= most);
    all.sort_by_key(|sizes| sizes.iter().sum::<u32>());
    all
}
