//! Refutations of bounded questions, on random systems: one is found and accepted exactly where the naive search says that a property
//! holds within the bound, with reductions and without; and none is accepted for a larger bound, another property or a changed
//! model that it does not hold for.

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::certificate::{BoundedProof, Certificate, Proof};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Reductions, Subject, Task, system};
use swarmcheck_ir::Modality;
use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_proof::bounded;
use swarmcheck_proof::certificate::meaningful;
use swarmcheck_testkit::long;
use swarmcheck_testkit::oracle::{self, OracleAnswer, OracleQuestion};
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::verify::{System, open, reading, system as random_system};

/// Systems with more states are left out.
const STATES: usize = 1500;

/// What a run over many systems saw.
#[derive(Default, Debug)]
struct Statistics {
    systems: usize,
    proved: usize,
    /// Violated within the bound, or an error of the model.
    refuted: usize,
    /// Proofs of other questions, which do not hold.
    misused: usize,
    /// The same with changed models.
    changed: usize,
    /// The longest proof.
    lines: usize,
}

fn with_control<T>(work: impl FnOnce(&Control<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    work(&Control { stop: &stop, budget: Budget::default(), progress: &Silent })
}

fn task(flat: &Flat, subject: Subject, bound: u32) -> Task {
    Task { bound: Some(bound), ..Task::new(flat).only(subject) }
}

/// What the naive search says; nothing if it cannot.
fn expected(flat: &Flat, space: &Space, subject: Subject, bound: u32) -> Option<bool> {
    match subject {
        Subject::Property(number) => {
            let question = OracleQuestion { bound: Some(bound), ..OracleQuestion::default() };
            match oracle::answer(flat, space, number, &question) {
                OracleAnswer::Holds => Some(true),
                OracleAnswer::Violated => Some(false),
                // Executions are followed up to the goal only: an error of the model may come later.
                OracleAnswer::Invalid(_)
                    if flat.program.properties[number].modality == Modality::Eventually =>
                {
                    None
                }
                OracleAnswer::Invalid(_) => {
                    // A property that says how many steps are made looks no further.
                    let steps = match flat.program.properties[number].modality {
                        Modality::After(steps) => steps,
                        _ => bound,
                    };
                    faulty_within(flat, steps).then_some(false)
                }
                OracleAnswer::Unknown => None,
            }
        }
        Subject::DeadlockFreedom => {
            if faulty_within(flat, bound + 1) {
                return Some(false);
            }
            Some(!layers(flat, bound)?.iter().flatten().any(|state| steps(flat, state).is_empty()))
        }
    }
}

fn steps(flat: &Flat, state: &[i64]) -> Vec<Option<Vec<i64>>> {
    let mut machine = Machine::new(flat);
    system::successors(flat, &mut machine, state).into_iter().map(|step| step.result.ok()).collect()
}

/// The states after each number of steps; nothing if a step before is an error of the model.
fn layers(flat: &Flat, bound: u32) -> Option<Vec<Vec<Vec<i64>>>> {
    let (mut machine, mut first) = (Machine::new(flat), vec![]);
    let initial = system::initial_states(flat, &mut machine, &mut |state| {
        first.push(state.to_vec());
        true
    });
    initial.ok()?;
    let mut all = vec![first];
    for _ in 0..bound {
        let mut next: Vec<Vec<i64>> = vec![];
        for state in all.last().into_iter().flatten() {
            for step in steps(flat, state) {
                next.push(step?);
            }
        }
        next.sort();
        next.dedup();
        all.push(next);
    }
    Some(all)
}

/// Some execution meets an error of the model within so many steps.
fn faulty_within(flat: &Flat, bound: u32) -> bool {
    layers(flat, bound).is_none()
}

fn proof(certificate: &Certificate) -> &BoundedProof {
    match &certificate.proofs[..] {
        [Proof::Bounded(proof)] => proof,
        _ => panic!("one proof of this kind is written"),
    }
}

/// The same proof, said to be of another question: with the numbers of the other formula, so that only the proof can tell.
fn said_of(certificate: &Certificate, task: &Task, subject: Subject) -> Option<Certificate> {
    let Certificate { reductions, widths, .. } = certificate;
    let stated = with_control(|c| bounded::stated(task, subject, None, reductions, *widths, c)).ok()?;
    let proof = BoundedProof {
        steps: task.bound,
        variables: stated.formula.variables.unsigned_abs(),
        clauses: stated.formula.clauses.len() as u64,
        ..proof(certificate).clone()
    };
    Some(Certificate { bits: stated.bits, proofs: vec![Proof::Bounded(proof)], ..certificate.clone() })
}

fn accepted(task: &Task, subject: Subject, certificate: &Certificate) -> Result<usize, String> {
    // The bound comes from the certificate.
    let task = Task { bound: None, ..task.clone() };
    with_control(|c| bounded::check(&task, subject, certificate, proof(certificate), c))
}

/// The text with one of its numbers changed.
fn changed(text: &str, random: &mut fastrand::Rng) -> String {
    let digits: Vec<usize> =
        text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = digits[random.usize(0..digits.len())];
    format!("{}{}{}", &text[..at], random.u8(0..4), &text[at + 1..])
}

fn compare(seed: u64, statistics: &mut Statistics) -> Result<(), String> {
    let reading = reading(seed);
    let Some(text) = random_system(seed, reading, STATES, 6) else { return Ok(()) };
    let Ok(prepared) = open(&text, reading) else { return Ok(()) };
    let flat = &prepared.flat;
    let space = Space::explore(flat, STATES);
    if !space.complete {
        return Ok(());
    }
    statistics.systems += 1;
    // Slicing does not promise to notice numbers that are too large.
    let overflows = System::new(&text, reading, STATES).is_some_and(|system| system.overflows());
    let mut random = fastrand::Rng::with_seed(seed);
    let subjects: Vec<Subject> =
        (0..flat.program.properties.len()).map(Subject::Property).chain([Subject::DeadlockFreedom]).collect();
    for &subject in &subjects {
        for bound in [0, 1, 2, 4] {
            let Some(holds) = expected(flat, &space, subject, bound) else { continue };
            let task = task(flat, subject, bound);
            let failed = |what: &str| format!("seed {seed}, {subject:?} within {bound}: {what}\n{text}");
            let both = [Reductions::NONE, meaningful(&Reductions::ALL)];
            for reductions in both.into_iter().filter(|reductions| !(reductions.slice && overflows)) {
                let built = with_control(|c| bounded::attempt(&task, subject, None, &reductions, 100_000, c));
                let Some(certificate) = built else {
                    if holds {
                        return Err(failed("no proof"));
                    }
                    statistics.refuted += 1;
                    continue;
                };
                if !holds {
                    return Err(failed("a false proof was made"));
                }
                accepted(&task, subject, &certificate).map_err(|why| failed(&format!("refused, {why}")))?;
                statistics.proved += 1;
                statistics.lines = statistics.lines.max(proof(&certificate).lrat.lines().count());
                // It is said to be of another question about the same model.
                for (&subject, bound) in
                    subjects.iter().zip([bound, bound + 1, bound + 3].into_iter().cycle())
                {
                    if expected(flat, &space, subject, bound) == Some(false) {
                        let task = self::task(flat, subject, bound);
                        let Some(other) = said_of(&certificate, &task, subject) else { continue };
                        if accepted(&task, subject, &other).is_ok() {
                            return Err(failed(&format!("accepted for {subject:?} within {bound}")));
                        }
                        statistics.misused += 1;
                    }
                }
                // The model is changed, in one of its numbers.
                for _ in 0..5 {
                    let other = changed(&text, &mut random);
                    let Ok(prepared) = open(&other, reading) else { continue };
                    let space = Space::explore(&prepared.flat, STATES);
                    let exists =
                        subject.property().is_none_or(|n| n < prepared.flat.program.properties.len());
                    if exists && expected(&prepared.flat, &space, subject, bound) == Some(false) {
                        let task = self::task(&prepared.flat, subject, bound);
                        let Some(certificate) = said_of(&certificate, &task, subject) else { continue };
                        if accepted(&task, subject, &certificate).is_ok() {
                            return Err(failed(&format!("accepted for the changed model\n{other}")));
                        }
                        statistics.changed += 1;
                    }
                }
            }
        }
    }
    Ok(())
}

fn run(seeds: std::ops::Range<u64>) -> Statistics {
    let mut statistics = Statistics::default();
    for seed in seeds {
        compare(seed, &mut statistics).unwrap_or_else(|failure| panic!("{failure}"));
    }
    println!("{statistics:?}");
    statistics
}

#[test]
fn proofs_are_found_exactly_where_a_property_holds_within_the_bound() {
    let seen = run(0..25);
    assert!(seen.systems >= 8 && seen.proved > 150 && seen.refuted > 100, "{seen:?}");
    assert!(seen.misused > 100 && seen.changed > 5, "{seen:?}");
}

#[test]
#[ignore = "long: SWARMCHECK_SYSTEMS says how many"]
fn long_run() {
    let systems = long::number("SWARMCHECK_SYSTEMS", 1000);
    let first = long::number("SWARMCHECK_SEED", 0);
    run(first..first + systems);
}
