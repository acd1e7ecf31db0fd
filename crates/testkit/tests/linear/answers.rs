//! What is said beside a verdict about a formula: where its counterexample ends, whether it says anything at all, who was
//! excused, and where a model error is.

use super::{bad_prefix, engines, open};
use std::sync::atomic::AtomicBool;
use swarmcheck_engine::certificate::Proof;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::trace::explain::FaultData;
use swarmcheck_engine::{Budget, Control, Note, Vacuity};
use swarmcheck_session::certificate::{self, CertificateAnswer};
use swarmcheck_session::outcome::FaultWord;
use swarmcheck_session::simulate::TraceFormat;
use swarmcheck_session::verify::{Answer, Answered, Decider, ModelFault, Outcome, VerifyOptions, verify};
use swarmcheck_symbolic::Method;

/// The answers to all formulas of a script.
fn answers(text: &str, options: VerifyOptions) -> Vec<Answer> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let prepared = open(text).unwrap_or_else(|failure| panic!("{failure}"));
    let Ok(report) = verify(&prepared, &options, &control) else { panic!("no such property") };
    report.answers
}

fn with(engine: Decider) -> VerifyOptions {
    VerifyOptions { engine, depth: Some(12), ..VerifyOptions::default() }
}

/// One agent that counts, from what `init` says, with a guard and an update.
fn counter(ty: &str, init: &str, guard: &str, update: &str, specs: &str) -> String {
    format!(
        "channels: c\nmessage-structure: M : bool\nagent A\n  local: x : {ty}\n  init: {init}\n  repeat: {{{guard}}} *! (true)(M := true)[x := {update}]\n\
         system = A(a, true)\n{specs}"
    )
}

/// A counter that grows forever has no execution that loops, but the first steps of each violate these formulas: x is 3
/// after three steps, right after it was 2; and x = 4 comes after four steps, before anything else that would release it.
/// Neither can be seen after fewer steps.
#[test]
fn bad_beginnings_end_where_the_formula_is_lost() {
    let specs = "SPEC Stays: G (a-x = 2 -> X a-x != 3)\nSPEC Before: (a-x < 4) W (a-x = 7)\nSPEC Both: (G F a-x = 0) & (G (a-x = 2 -> X a-x != 3))\n";
    let text = counter("int", "x = 0", "true", "x + 1", specs);
    for engine in [Decider::Explicit, Decider::Symbolic(Method::Bounded)] {
        for (answer, steps) in answers(&text, with(engine)).iter().zip([3, 4, 3]) {
            assert_eq!(answer.outcome, bad_prefix(steps), "{engine:?}, {}", answer.name);
        }
    }
}

/// Where executions that stop are excused, a bad beginning counts only if it goes on forever: this counter stops at
/// 4, and is at 3 in between. A system that stops is shown to its end where resting is what violates the formula.
#[test]
fn bad_beginnings_and_executions_that_stop() {
    let specs = "SPEC Stays: G (a-x = 2 -> X a-x != 3)\nSPEC Moves: G (a-x = 4 -> X a-x != 4)\n";
    let text = counter("0..4", "x = 0", "true", "x + 1", specs);
    for entry in engines() {
        let engine = entry.decider;
        let strict = answers(&text, with(engine));
        let verdicts: Vec<Answered> = strict.iter().map(Answer::verdict).collect();
        assert_eq!(verdicts, [Answered::Violated, Answered::Violated], "{engine:?}");
        assert!(strict[1].trace.as_ref().is_some_and(|shown| shown.data.end == "deadlock"), "{engine:?}");
        let excused = answers(&text, VerifyOptions { ignore_deadlock: true, ..with(engine) });
        for answer in &excused {
            assert_eq!(
                answer.verdict(),
                Answered::Holds,
                "{engine:?}, {}: {}",
                answer.name,
                answer.evidence()
            );
        }
        if engine == Decider::Explicit {
            // The only state without a step is x = 4.
            let notes = &excused[0].notes;
            assert!(notes.iter().any(|n| matches!(n, Note::Excused { .. })), "{notes:?}");
        }
    }
}

/// Formulas that hold for a reason that has nothing to do with what they say.
#[test]
fn formulas_that_say_nothing() {
    let reason = |engine, text: &str| {
        let answers = answers(text, with(engine));
        assert_eq!(answers[0].verdict(), Answered::Holds, "{engine:?}: {}\n{text}", answers[0].evidence());
        let misleading =
            |note: &&Note| matches!(note, Note::Detail { text } if text.contains("whatever the values are"));
        assert_eq!(answers[0].notes.iter().find(misleading), None, "{engine:?}\n{text}");
        answers[0].vacuous().cloned()
    };
    for entry in engines() {
        let engine = entry.decider;
        // No x is both 0 and 1.
        let contradiction = counter("0..9", "x = 0 & x = 1", "true", "x + 1", "SPEC G F a-x = 5");
        assert_eq!(reason(engine, &contradiction), Some(Vacuity::NoInitialState), "{engine:?}");
        // Executions of growing length prove nothing about systems that go on, or rest, for ever.
        if engine == Decider::Symbolic(Method::Bounded) {
            continue;
        }
        // The guard is false of the only initial state.
        let still = counter("0..9", "x = 0", "x = 1", "x + 1", "SPEC G F a-x = 0");
        assert_eq!(reason(engine, &still), Some(Vacuity::NoStep), "{engine:?}");
        // x is 0 or 1, so 1 comes again and again, and 9 never.
        let round = |spec: &str| counter("0..9", "x = 0", "true", "1 - x", spec);
        assert_eq!(reason(engine, &round("SPEC G F a-x = 1")), None, "{engine:?}");
        assert_eq!(reason(engine, &round("SPEC G (a-x = 0 -> F a-x = 1)")), None, "{engine:?}");
        // Those that know all reachable states tell.
        let knows =
            matches!(engine, Decider::Explicit | Decider::Compose | Decider::Symbolic(Method::Diagrams));
        for unasked in [
            "SPEC forall k : A . G (k-x = 9 -> F k-x = 1)",
            "SPEC G (a-x = 9 -> X a-x = 1)",
            "SPEC G [sender = a & !M] F a-x = 1",
        ] {
            let never = knows.then_some(Vacuity::Premise);
            assert_eq!(reason(engine, &round(unasked)), never, "{engine:?}: {unasked}");
        }
        // A formula that says that something never happens is not vacuous because it never does.
        assert_eq!(reason(engine, &round("SPEC G [sender = a & !M] false")), None, "{engine:?}");
        // Of two implications one is never asked for: the other one says something.
        let half = "SPEC (G (a-x = 9 -> F a-x = 1)) & (G (a-x = 0 -> F a-x = 1))";
        assert_eq!(reason(engine, &round(half)), None, "{engine:?}");
    }
}

/// 10⁹ to the third power does not fit into 64 bits: the place is that of the multiplication.
#[test]
fn model_errors_have_a_place() {
    let text = counter("int", "x = 1", "true", "x * 1000000000", "SPEC G F a-x = 1\nSPEC G a-x > 0\n");
    let at = text.find("x * 1000000000").expect("the multiplication stands in the script");
    let line = text[..at].matches('\n').count() + 1;
    let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1) + 1;
    for answer in answers(&text, with(Decider::Explicit)) {
        let Outcome::ModelError { error, .. } = &answer.outcome else { panic!("{}", answer.evidence()) };
        // 1, 10⁹, 10¹⁸, and no further.
        let (left, right) = (1_000_000_000_000_000_000, 1_000_000_000);
        let detail = FaultData::Overflow { left, operator: "*".to_string(), right };
        let place = ModelFault {
            kind: FaultWord::Overflow,
            file: "model.rcp".to_string(),
            line,
            column,
            detail: Some(detail),
        };
        assert_eq!(*error, place);
    }
}

/// Formulas have proofs that can be checked again: x is 0 and 1 in turn. They are refused for a system in which x stays as it is. That of a
/// formula that promises something is a set of states, whatever the engine.
#[test]
fn proofs_can_be_checked_again() {
    let script = |update: &str| {
        counter("0..9", "x = 0", "true", update, "SPEC G (a-x = 0 -> X a-x = 1)\nSPEC G F a-x = 1\n")
    };
    for method in [Method::Ic3, Method::Induction] {
        let options = VerifyOptions { certify: true, ..with(Decider::Symbolic(method)) };
        let found = answers(&script("1 - x"), options);
        let promised = found[1].certificate.as_ref().map(|data| &data.certificate.proofs[..]);
        assert!(matches!(promised, Some([Proof::States(_)])), "{method:?}: {}", found[1].evidence());
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let cases = [(0, "1 - x", true), (0, "x", false), (1, "1 - x", true), (1, "x", false)];
        for (number, update, accepted) in cases {
            assert_eq!(found[number].verdict(), Answered::Holds, "{method:?}: {}", found[number].evidence());
            let proof =
                found[number].certificate.as_ref().unwrap_or_else(|| panic!("{method:?} has no proof"));
            let checked = certificate::check(proof, "model.rcp", script(update).as_bytes(), &control);
            let Ok(checked) = checked else { panic!("the script is fine") };
            assert_eq!(
                matches!(checked, CertificateAnswer::Accepted { .. }),
                accepted,
                "{method:?}, {number}, {update}"
            );
        }
    }
}

/// Traces as data have the names of values: of a channel, of a case and of a truth value.
#[test]
fn traces_as_data_have_names() {
    let text = "channels: c\nenum power {on, off}\nagent A\n  local: link : channel, b : bool, p : power, n : 0..3\n  init: link = c & !b & p = off & n = 0\n\
                repeat: {true} *! (true)()[b := true, p := on, link := *, n := 3]\nsystem = A(a, true)\nSPEC G (a-n = 0)\n";
    let written = |format| {
        let options = VerifyOptions { format, ..with(Decider::Explicit) };
        let shown =
            answers(text, options).remove(0).trace.expect("the formula is violated by the first step");
        serde_json::from_str::<serde_json::Value>(&shown.text).expect("a JSON document")
    };
    let json = written(TraceFormat::Json);
    let named = |writes: &serde_json::Value, variable: &str| {
        let writes = writes.as_array().expect("a list").clone();
        let write = writes.into_iter().find(|w| w["variable"] == variable).expect("it is assigned");
        (write["value"].clone(), write["name"].clone())
    };
    let (first, then) = (&json["initial"], &json["steps"][0]["writes"]);
    assert_eq!(named(first, "link"), (1.into(), "c".into()));
    assert_eq!(named(then, "link"), (0.into(), "*".into()));
    assert_eq!(named(then, "p"), (0.into(), "on".into()));
    assert_eq!(named(then, "b"), (1.into(), "true".into()));
    assert_eq!(named(then, "n"), (3.into(), serde_json::Value::Null));
    let itf = written(TraceFormat::Itf);
    let of = |state: usize, variable: &str| itf["states"][state][variable]["#map"][0][1].clone();
    assert_eq!([of(0, "link"), of(1, "link")], ["c", "*"]);
    assert_eq!([of(0, "p"), of(1, "p")], ["off", "on"]);
    assert_eq!([of(0, "b"), of(1, "b")], [false, true]);
    assert_eq!([of(0, "n"), of(1, "n")], [0, 3]);
}
