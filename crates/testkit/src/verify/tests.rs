//! A comparison that cannot fail proves nothing: answers changed on purpose must be noticed, and so must traces.

use super::{Ask, System};
use std::sync::atomic::AtomicBool;
use swarmcheck_certify::{Claim, violated};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::Trace;
use swarmcheck_engine::{
    Budget, Control, Engine, Evidence, Finding, Reductions, Task, Vacuity, Verdict, Why,
};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Expr, Program};
use swarmcheck_labs::lower;
use swarmcheck_session::verify::{VerifyOptions, verify};

/// Every modality, with both answers; no step can be left out of a round.
const TEXT: &str = "
system { environment = e: 0  spawn = A: 2 }
agent A { interface = x: 0  Behavior = x <- (x + 1) % 3; e <-- (e + 1) % 4; Behavior }
check {
  Small = always forall A a, x of a < 3
  Zero = always forall A a, x of a = 0
  One = eventually exists A a, x of a = 1
  Five = eventually exists A a, x of a = 5
  Can = fairly_inf exists A a, x of a = 2
  Cannot = fairly exists A a, x of a = 5
  Second = after 2 e = 0
  Between = between (e = 1) and (e = 2), always e < 3
  From = from (e = 1) until (e = 3), thereIs e = 7
}";

fn system() -> System {
    let reading = lower::Options { fair: true, ..lower::Options::default() };
    System::new(TEXT, reading, 1000).expect("a small system")
}

/// Judges answers that were changed, one after the other; which changes went unnoticed.
fn unnoticed(change: impl Fn(&mut Finding) -> bool) -> (Vec<String>, usize) {
    let mut system = system();
    let ask = Ask::new(Reductions::NONE);
    let findings = system.findings(ask);
    assert!(system.judge(ask, &findings).is_ok());
    let (mut missed, mut changed) = (vec![], 0);
    for at in 0..findings.len() {
        let mut mutant = findings.clone();
        if change(&mut mutant[at]) {
            changed += 1;
            if system.judge(ask, &mutant).is_ok() {
                missed.push(format!("{:?}", mutant[at].subject));
            }
        }
    }
    (missed, changed)
}

#[test]
fn wrong_verdicts_are_noticed() {
    let (missed, changed) = unnoticed(|finding| {
        finding.verdict = match &finding.verdict {
            Verdict::Holds(_) => Verdict::Violated(Trace::default(), Why::False),
            _ => Verdict::Holds(Evidence::Explored),
        };
        true
    });
    assert_eq!((missed, changed), (vec![], 10));
    let (missed, changed) = unnoticed(|finding| {
        finding.verdict = Verdict::Invalid(Trace::default());
        true
    });
    assert_eq!((missed, changed), (vec![], 10));
}

#[test]
fn wrong_evidence_is_noticed() {
    let (missed, changed) = unnoticed(|finding| match &mut finding.verdict {
        Verdict::Holds(evidence) => {
            *evidence = Evidence::Bounded(99);
            true
        }
        _ => false,
    });
    assert!(missed.is_empty() && changed > 3, "{missed:?} of {changed}");
    let (missed, changed) = unnoticed(|finding| {
        finding.vacuous = Some(Vacuity::Premise);
        matches!(finding.verdict, Verdict::Holds(_))
    });
    assert!(missed.is_empty() && changed > 3, "{missed:?} of {changed}");
}

#[test]
fn wrong_counts_are_noticed() {
    let changes: [fn(&mut Finding); 5] = [
        |f| f.effort.initial += 1,
        |f| f.effort.states -= 1,
        |f| f.effort.transitions += 1,
        |f| f.effort.deadlocks += 1,
        |f| f.effort.depth += 1,
    ];
    for change in changes {
        let (missed, changed) = unnoticed(|finding| {
            change(finding);
            matches!(finding.verdict, Verdict::Holds(_))
        });
        // The sizes of searches with scopes are not known.
        assert!(missed.len() <= 1 && changed >= 5, "{missed:?} of {changed}");
    }
}

#[test]
fn detours_are_noticed() {
    let (missed, changed) = unnoticed(|finding| match &mut finding.verdict {
        Verdict::Violated(trace, Why::False) if trace.steps.len() == 1 => {
            trace.steps.extend(trace.steps.clone());
            true
        }
        _ => false,
    });
    assert_eq!((missed, changed), (vec![], 1));
}

/// The engine is asked about another program than the one it is judged by.
#[test]
fn wrong_programs_are_noticed() {
    let mut system = system();
    let ask = Ask::new(Reductions::NONE);
    let original = (*system.prepared.flat.program).clone();
    let mut mutants: Vec<Program> = vec![];
    for at in 0..original.functions.len() {
        let mut mutant = original.clone();
        mutant.functions[at].guard = Expr::FALSE;
        mutants.push(mutant);
        for number in 0..original.functions[at].body.len() {
            let mut mutant = original.clone();
            mutant.functions[at].body.remove(number);
            mutants.push(mutant);
        }
    }
    for at in 0..original.properties.len() {
        let mut mutant = original.clone();
        mutant.properties[at].predicate = Expr::not(mutant.properties[at].predicate.clone());
        mutants.push(mutant);
    }
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let mut missed = 0;
    for mutant in &mutants {
        let flat = Flat::new(mutant.clone());
        let findings = Explicit.run(&Task { deadlock: true, ..ask.task(&flat) }, &control);
        missed += usize::from(system.judge(ask, &findings).is_ok());
    }
    assert!(mutants.len() > 15 && missed <= 1, "{missed} of {} mutants", mutants.len());
}

/// Under the round-robin schedule every step of a trace is needed.
#[test]
fn traces_with_a_step_less_are_refused() {
    let system = system();
    let (prepared, options) =
        (&system.prepared, VerifyOptions { reductions: Reductions::NONE, ..Default::default() });
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let Ok(report) = verify(prepared, &options, &control) else { panic!("all properties exist") };
    let findings = system.findings(Ask::new(Reductions::NONE));
    let mut tried = 0;
    for (answer, finding) in report.answers.iter().zip(&findings) {
        let (Some(shown), Verdict::Violated(_, why)) = (&answer.trace, &finding.verdict) else {
            continue;
        };
        let data = &shown.data;
        let claim = Claim {
            property: Some(&answer.name),
            why: *why,
            bound: None,
            ignore_deadlock: false,
            states: 1000,
            fairness: swarmcheck_engine::Fairness::None,
        };
        let model = prepared.model.labs().unwrap();
        assert!(violated(model, &prepared.file, data, &claim).is_ok());
        for at in 0..data.steps.len() {
            let mut less = data.clone();
            less.steps.remove(at);
            let refused = violated(model, &prepared.file, &less, &claim);
            assert!(refused.is_err(), "{} without step {at}", answer.name);
            tried += 1;
        }
    }
    assert!(tried >= 10, "{tried}");
}
