//! Engines that race, and engines that check one another.

#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "counts, and stops engines"
)]

mod common;

use common::{EXAMPLES, ask, open, rows, text};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Progress, Snapshot, Subject};
use swarmcheck_session::Note;
use swarmcheck_session::outcome::FaultWord;
use swarmcheck_session::verify::{
    Answer, Answered, Budget, Control, ENGINES, Outcome, Reason, Reductions, VerifyOptions, verify,
};

/// A race in which everybody starts at the same time.
fn at_once() -> VerifyOptions {
    VerifyOptions { head_start: 0, threads: 2, ..VerifyOptions::default() }
}

/// The expected verdicts are those of the lists beside the examples, which name their sources.
#[test]
fn whoever_wins_the_verdict_is_the_same() {
    let mut winners = std::collections::BTreeMap::<String, usize>::new();
    for (file, parameters) in EXAMPLES {
        for row in rows(file, parameters) {
            for reductions in [Reductions::ALL, Reductions::NONE] {
                let answers = ask(&row.prepared, &row.property, VerifyOptions { reductions, ..at_once() });
                assert_eq!(answers.len(), 1);
                let answer = &answers[0];
                assert_eq!(answer.verdict().word(), row.verdict, "{}: {}", row.line, answer.evidence());
                assert!(!answer.notes.iter().any(|n| matches!(n, Note::EngineFailed { .. })));
                *winners.entry(answer.engine.clone().expect("a winner")).or_default() += 1;
            }
        }
    }
    println!("{winners:?}");
}

/// Who is stopped before it has begun says so, whichever engine was asked.
#[test]
fn engines_that_are_stopped_at_once_say_so() {
    let prepared = open("leader/leader.labs", "n=3", false);
    let stop = AtomicBool::new(true);
    for entry in ENGINES {
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let options = VerifyOptions { engine: entry.decider, ..at_once() };
        let Ok(report) = verify(&prepared, &options, &control) else { panic!("{}", entry.name) };
        assert_eq!(report.answers.len(), 4, "{}", entry.name);
        for answer in report.answers {
            assert_eq!(answer.reason(), Some(&Reason::Interrupted), "{}: {}", entry.name, answer.evidence());
        }
    }
}

/// With so little memory the explicit engine gives up at once; solvers do not count what they use. The questions are those
/// about states that can be reached, which the others are good at, and the lists beside the examples have the verdicts.
#[test]
fn others_decide_where_the_explicit_engine_gives_up() {
    let mut winners = std::collections::BTreeSet::new();
    let stop = AtomicBool::new(false);
    let control =
        Control { stop: &stop, budget: Budget { memory: Some(1), ..Budget::default() }, progress: &Silent };
    for (file, parameters, property) in [
        ("philosophers/philosophers.labs", "n=3", "NoDeadlock"),
        ("philosophers/philosophers.labs", "n=3", "HandsInRange"),
        ("formation/formation.labs", "n=2 size=3 range=1", "OnTheLine"),
        ("scopes/crossing.labs", "trains=1", "Safe"),
        ("scopes/crossing.labs", "trains=2", "Safe"),
        ("leader/leader.labs", "n=3", "NeverElected"),
        ("leader/leader.labs", "n=3", "KnownLeader"),
    ] {
        let rows = rows(file, parameters);
        let row = rows.iter().find(|row| row.property == property).unwrap();
        let options = VerifyOptions {
            properties: vec![property.to_string()],
            reductions: Reductions { ranges: true, ..Reductions::NONE },
            ..at_once()
        };
        let Ok(report) = verify(&row.prepared, &options, &control) else { panic!("no property {property}") };
        let answer = &report.answers[0];
        assert_eq!(answer.verdict().word(), row.verdict, "{}: {}", row.line, answer.evidence());
        let winner = answer.engine.clone().expect("a winner");
        assert_ne!(winner, "explicit", "{}", row.line);
        winners.insert(winner);
    }
    println!("{winners:?}");
}

/// With a head start, small systems have one winner, with everything it counts.
#[test]
fn small_systems_are_decided_by_the_explicit_engine() {
    for (file, parameters) in EXAMPLES {
        for row in rows(file, parameters) {
            let [race, alone] = ["auto", "explicit"].map(|engine| {
                let engine = swarmcheck_session::verify::Decider::named(engine).unwrap();
                ask(&row.prepared, &row.property, VerifyOptions { engine, ..VerifyOptions::default() })
            });
            assert_eq!(race[0].engine.as_deref(), Some("explicit"), "{}", row.line);
            assert_eq!(race[0].outcome, alone[0].outcome, "{}", row.line);
            assert_eq!(race[0].effort.states, alone[0].effort.states, "{}", row.line);
            let trace = |a: &Answer| a.trace.as_ref().map(|shown| shown.text.clone());
            assert_eq!(trace(&race[0]), trace(&alone[0]), "{}", row.line);
        }
    }
}

/// A row of table 12 of the LAbS paper: 64 million initial states, far more than can be visited while a solver finds one
/// that matters.
#[test]
fn others_win_where_states_are_many() {
    let prepared = open("boids/aw.labs", "birds=3 grid=10 delta=12", true);
    let answers =
        ask(&prepared, "SameHeading", VerifyOptions { steps: Some(12), ..VerifyOptions::default() });
    assert_eq!((answers[0].verdict(), answers[0].engine.as_deref()), (Answered::Violated, Some("bmc")));
    assert!(answers[0].trace.is_some());
}

/// Two counters that nothing bounds. They are equal again and again, but never at a number as large as this within any
/// time that matters: neither a proof nor a counterexample is within reach of anybody.
const ENDLESS: &str = "system { environment = x: 0; y: 0 spawn = A: 1, B: 1 }
agent A { Behavior = x <-- x + 1; Behavior }
agent B { Behavior = y <-- y + 1; Behavior }
check { P = always x != 4000000 or y != 4000000 }
";

/// Waits for a moment, then wants everybody to stop.
#[test]
fn a_race_can_be_interrupted() {
    let prepared = text("endless.labs", ENDLESS, "", false);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(400));
            stop.store(true, Ordering::Relaxed);
        });
        verify(&prepared, &at_once(), &control)
    });
    let Ok(report) = report else { panic!("the property exists") };
    assert_eq!(report.answers[0].verdict(), Answered::Unknown);
    assert_eq!(report.answers[0].reason(), Some(&Reason::Interrupted));
}

/// Pretends that the process grows by ten megabytes with each look.
#[derive(Default)]
struct Growing(AtomicU64);

impl Progress for Growing {
    fn report(&self, _: Snapshot) {}

    fn memory(&self) -> Option<u64> {
        Some(self.0.fetch_add(10_000_000, Ordering::Relaxed))
    }
}

/// Solvers do not count what they use: the process is looked at. The explicit engine counts, and stops by itself.
#[test]
fn memory_limits_hold_for_all() {
    let prepared = text("endless.labs", ENDLESS, "", false);
    let stop = AtomicBool::new(false);
    let budget = Budget { memory: Some(20_000_000), ..Budget::default() };
    for engine in ["auto", "bmc", "kind", "ic3"] {
        let engine = swarmcheck_session::verify::Decider::named(engine).unwrap();
        let growing = Growing::default();
        let control = Control { stop: &stop, budget, progress: &growing };
        let Ok(report) = verify(&prepared, &VerifyOptions { engine, ..at_once() }, &control) else {
            panic!("the property exists")
        };
        assert_eq!(report.answers[0].verdict(), Answered::Unknown, "{engine:?}");
        assert_eq!(report.answers[0].reason(), Some(&Reason::Memory), "{engine:?}");
    }
}

/// Every engine that can answers, in a line of its own, and none contradicts what is expected.
#[test]
fn engines_agree_on_the_examples() {
    let mut decided = 0;
    for (file, parameters) in &EXAMPLES[..3] {
        for row in rows(file, parameters) {
            let options = VerifyOptions { cross_check: true, depth: Some(8), ..VerifyOptions::default() };
            let answers = ask(&row.prepared, &row.property, options);
            assert_eq!(answers[0].engine.as_deref(), Some("explicit"));
            for answer in &answers {
                let said = answer.verdict().word();
                assert!(said == row.verdict || said == "unknown", "{}: {said}", row.line);
                decided += usize::from(said == row.verdict);
            }
        }
    }
    // More than one line for a good part of the questions: otherwise nothing was compared.
    assert!(decided >= 20, "{decided}");
}

/// One question that nobody can decide, listed first, and four easy ones about variables of their own. Nobody can decide
/// the first because counters are unbounded: the goal is far away, but it can always be reached.
const UNEQUAL: &str =
    "system { environment = x: 0; y: 0; a: 0; b: 0; c: 0; d: 0 spawn = A: 1, B: 1, C: 1, D: 1 }
agent A { Behavior = x <-- x + 1; Behavior }
agent B { Behavior = y <-- y + 1; Behavior }
agent C { Behavior = a <-- (a + 1) % 5; c <-- (c + 1) % 6; Behavior }
agent D { Behavior = b <-- (b + 1) % 7; d <-- (d + 1) % 8; Behavior }
check {
  Hard = fairly x = 4000000 and y = 4000000
  A = always a < 5
  B = always b < 6
  C = fairly_inf c = 5
  D = always d != 7
}
";

/// Notes in which order engines are done with questions.
#[derive(Default)]
struct Order(std::sync::Mutex<Vec<Subject>>);

impl Progress for Order {
    fn report(&self, _: Snapshot) {}

    fn ended(&self, subject: Subject, _: &'static str) {
        self.0.lock().unwrap().push(subject);
    }
}

/// Asks everything about a model, and wants everybody to stop after a while.
fn ask_for_a_while(model: &str, engine: &str, progress: &dyn Progress) -> Vec<Answer> {
    let prepared = text("unequal.labs", model, "", false);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress };
    let engine = swarmcheck_session::verify::Decider::named(engine).unwrap();
    let options = VerifyOptions { engine, threads: 2, ..VerifyOptions::default() };
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(2500));
            stop.store(true, Ordering::Relaxed);
        });
        verify(&prepared, &options, &control)
    });
    let Ok(report) = report else { panic!("there are properties") };
    report.answers
}

/// For messages.
fn said(answers: &[Answer]) -> Vec<(&str, &Outcome)> {
    answers.iter().map(|a| (a.name.as_str(), &a.outcome)).collect()
}

/// Expected: by hand. `b` counts from 0 to 6 and `d` from 0 to 7.
#[test]
fn one_hard_question_does_not_starve_the_others() {
    use Answered::{Holds, Unknown, Violated};
    for engine in ["auto", "explicit", "bdd"] {
        let order = Order::default();
        let answers = ask_for_a_while(UNEQUAL, engine, &order);
        let verdicts: Vec<Answered> = answers.iter().map(Answer::verdict).collect();
        let expected = [Unknown, Holds, Violated, Holds, Violated];
        assert_eq!(verdicts, expected, "{engine}: {:?}", said(&answers));
        assert_eq!(answers[0].reason(), Some(&Reason::Interrupted), "{engine}");
        assert_eq!(order.0.lock().unwrap().last(), Some(&Subject::Property(0)), "{engine}");
    }
}

/// Six agents with two counters each, which they keep twice, and a property about each agent: so each has a search of its own, of
/// 10^12 states, and all of them are open when others join. `few` counts from 0 to 7.
fn twins(property: impl Fn(u32) -> String, more: &str) -> String {
    let each = |part: &dyn Fn(u32) -> String| (1..=6).map(part).collect::<Vec<_>>();
    let counters = each(&|n| format!("u{n}: 0; w{n}: 0; v{n}: 0; z{n}: 0")).join("; ");
    let spawn = each(&|n| format!("A{n}: 1")).join(", ");
    let count =
        |a: &str, b: &str, n| format!("{{ x := ({a}{n} + 1) % 1000003; {a}{n}, {b}{n} <-- x, x }}; Behavior");
    let agents =
        each(&|n| format!("agent A{n} {{ Behavior = {} ++ {} }}", count("u", "w", n), count("v", "z", n)));
    let properties = each(&|n| format!("P{n} = always {}", property(n)));
    format!(
        "system {{ environment = few: 0; {counters} spawn = Few: 1, {spawn} }}
         agent Few {{ Behavior = few <-- (few + 1) % 8; Behavior }}
         {} check {{ {} {more} }}",
        agents.join("\n"),
        properties.join("\n"),
    )
}

/// Expected: by hand. Both copies of a counter are assigned the same value.
#[test]
fn many_large_questions_are_proved_together() {
    let model = twins(|n| format!("u{n} = w{n} and v{n} = z{n}"), "");
    let prepared = text("pairs.labs", &model, "", false);
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let options = VerifyOptions { threads: 2, ..VerifyOptions::default() };
    let Ok(report) = verify(&prepared, &options, &control) else { panic!("there are properties") };
    for answer in &report.answers {
        assert_eq!(answer.verdict(), Answered::Holds, "{}", answer.evidence());
        assert_ne!(answer.engine.as_deref(), Some("explicit"), "{}", answer.name);
    }
    assert_eq!(report.answers.len(), 6);
}

/// Expected: by hand. What is reached after 900,000 steps is neither found nor excluded soon, by anybody.
#[test]
fn many_hard_questions_do_not_starve_an_easy_one() {
    let model = twins(|n| format!("u{n} != 600000 or v{n} != 300000"), "Easy = fairly few = 7");
    let answers = ask_for_a_while(&model, "auto", &Silent);
    let verdicts: Vec<Answered> = answers.iter().map(Answer::verdict).collect();
    let mut expected = [Answered::Unknown; 7];
    expected[6] = Answered::Holds;
    assert_eq!(verdicts, expected, "{:?}", said(&answers));
}

/// The same for engines that are not asked what can be reached.
#[test]
fn one_hard_question_does_not_starve_the_others_of_one_solver() {
    let model = UNEQUAL.replace("fairly x = 4000000 and y = 4000000", "always x != 4000000 or y != 4000000");
    let model = model.replace("fairly_inf c = 5", "always c < 6");
    for engine in ["kind", "ic3"] {
        let answers = ask_for_a_while(&model, engine, &Silent);
        let open: Vec<_> = answers.iter().filter(|a| a.verdict() == Answered::Unknown).collect();
        assert!(open.len() == 1 && open[0].name == "Hard", "{engine}: {:?}", said(&answers));
    }
}

/// Two questions that fit into memory one after the other, but not together: whoever had to go begins again.
#[test]
fn a_search_that_had_to_go_begins_again() {
    let model = "system { environment = x: 0; y: 0; u: 0; v: 0 spawn = A: 1, B: 1, C: 1, D: 1 }
agent A { Behavior = x <-- (x + 1) % 600; Behavior }
agent B { Behavior = y <-- (y + 1) % 600; Behavior }
agent C { Behavior = u <-- (u + 1) % 600; Behavior }
agent D { Behavior = v <-- (v + 1) % 600; Behavior }
check { P = fairly_inf x = 599 and y = 599 Q = fairly_inf u = 599 and v = 599 }
";
    let prepared = text("two.labs", model, "", false);
    let engine = swarmcheck_session::verify::Decider::named("explicit").unwrap();
    let options = VerifyOptions { engine, ..VerifyOptions::default() };
    let alone = ask(&prepared, "P", options.clone())[0].effort;
    assert_eq!(alone.states, 360_000);
    let stop = AtomicBool::new(false);
    let budget = Budget { memory: Some(alone.memory * 5 / 4), ..Budget::default() };
    let control = Control { stop: &stop, budget, progress: &Silent };
    let Ok(report) = verify(&prepared, &options, &control) else { panic!("there are properties") };
    for answer in &report.answers {
        let found = (answer.verdict(), answer.effort.states);
        assert_eq!(found, (Answered::Holds, 360_000), "{}", answer.evidence());
    }
}

/// Whatever an engine is doing: here most of them are still making the program smaller or translating it. What is allowed
/// is for machines that do other things meanwhile; it takes a tenth of that.
#[test]
fn everybody_stops_soon() {
    let prepared = open("leader/leader.labs", "n=60", false);
    for engine in ["auto", "explicit", "abstract", "bmc", "kind", "ic3", "bdd"] {
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
        let engine = swarmcheck_session::verify::Decider::named(engine).unwrap();
        let options = VerifyOptions { engine, ..at_once() };
        let told = std::thread::scope(|scope| {
            let clock = scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(200));
                stop.store(true, Ordering::Relaxed);
                std::time::Instant::now()
            });
            assert!(verify(&prepared, &options, &control).is_ok());
            clock.join().unwrap()
        });
        assert!(told.elapsed().as_secs_f64() < 3.0, "{engine:?} took {:?}", told.elapsed());
    }
}

/// Products of long numbers are too hard for diagrams, which say so; the state space is small.
#[test]
fn long_numbers_stall_nobody() {
    // Values of few states would be numbered, so there are many.
    let model = "system { environment = x: 1; y: 0 spawn = A: 1 }
agent A {
  Behavior = Wait ++ Work
  Wait = y < 5000 -> y <-- y + 1; Behavior
  Work = y = 5000 -> x <-- (x * 3037000500) % 9223372036854775807; Behavior
}
check { P = always x != 0 }
";
    let prepared = text("long.labs", model, "", false);
    let said = |engine: &str| {
        let engine = swarmcheck_session::verify::Decider::named(engine).unwrap();
        ask(&prepared, "P", VerifyOptions { engine, ..VerifyOptions::default() }).swap_remove(0)
    };
    let answer = said("auto");
    // The second product is larger than 64 bits can hold.
    let Outcome::ModelError { error, .. } = &answer.outcome else { panic!("{}", answer.evidence()) };
    assert_eq!((error.kind, answer.engine.as_deref()), (FaultWord::Overflow, Some("explicit")));
    let answer = said("bdd");
    let Some(Reason::Unsupported { why }) = answer.reason() else { panic!("{}", answer.evidence()) };
    assert!(why.contains("too hard as a formula"), "{why}");
}

/// A search that is stopped tells what it has found until then, although its traces have yet to be worked out.
#[test]
fn what_was_found_before_the_end_is_told() {
    let model = ENDLESS.replace("check {", "check { Small = always x < 3 or y < 3 ");
    let answers = ask_for_a_while(&model, "explicit", &Silent);
    let verdicts: Vec<Answered> = answers.iter().map(Answer::verdict).collect();
    assert_eq!(verdicts, [Answered::Violated, Answered::Unknown], "{:?}", said(&answers));
}
