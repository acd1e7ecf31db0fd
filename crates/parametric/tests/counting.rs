//! Counting: our examples, mutants of them, systems that fail from some number of agents on, and random systems.
//!
//! Whatever is proved for every number of agents is compared with the explicit engine at all small sizes.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::disallowed_macros,
    clippy::print_stdout,
    reason = "a test that reads examples"
)]

use std::sync::atomic::AtomicBool;
use swarmcheck_engine::control::Silent;
use swarmcheck_engine::{Budget, Control, Engine, Task, Verdict};
use swarmcheck_explicit::Explicit;
use swarmcheck_ir::{KindId, Program};
use swarmcheck_labs::{check, lower, syntax};
use swarmcheck_parametric::counting::{Claim, CountingProof, Method, SizeConstraint, prove};
use swarmcheck_parametric::{Broken, Family, NotProved, Premise};
use swarmcheck_source::Span;

fn program(text: &str, parameters: &str) -> Result<Program, String> {
    let (file, problems) = syntax::parse(text);
    if !problems.is_empty() {
        return Err(format!("{problems:?}"));
    }
    let values: Vec<(String, String)> = parameters
        .split_whitespace()
        .filter_map(|p| p.split_once('='))
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect();
    let (model, problems) = check::check(&file, Span::new(text.len(), text.len()), &values);
    let model = model.ok_or_else(|| format!("{problems:?}"))?;
    lower::lower(&model, text, lower::Options::default())
        .map(|lowered| lowered.program)
        .map_err(|e| format!("{e:?}"))
}

fn example(path: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    std::fs::read_to_string(folder.join(path)).expect("an example")
}

fn kind(program: &Program, name: &str) -> KindId {
    KindId(program.kinds.iter().position(|kind| kind.name == name).expect("a kind") as u32)
}

fn proved(family: &Family, property: &str, sizes: &[SizeConstraint]) -> Result<CountingProof, NotProved> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let found = family.base().properties.iter().find(|p| p.name == property).expect("a property");
    prove(family, Claim::of(found).expect("a claim"), sizes, &control)
}

/// What the explicit engine says of one member; none if it cannot decide.
fn explicit(family: &Family, sizes: &[u32], property: &str) -> Option<bool> {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, budget: Budget::default(), progress: &Silent };
    let program = family.at(sizes);
    let number = program.properties.iter().position(|p| p.name == property).expect("a property");
    let task = Task { properties: vec![number], ..Task::of(std::sync::Arc::new(program)) };
    match &Explicit.run(&task, &control)[0].verdict {
        Verdict::Holds(_) => Some(true),
        Verdict::Violated(..) | Verdict::Invalid(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

/// A model with its open kinds, the constraint that there are fewer agents of one kind than of another, and a property.
struct Question {
    text: String,
    parameters: &'static str,
    open: &'static [(&'static str, u32)],
    fewer: Option<(&'static str, &'static str)>,
    property: &'static str,
}

impl Question {
    fn family(&self) -> Result<(Family, Vec<SizeConstraint>), String> {
        let program = program(&self.text, self.parameters)?;
        let open = self.open.iter().map(|(name, low)| (kind(&program, name), *low)).collect();
        let sizes = self.fewer.iter();
        let sizes = sizes.map(|(a, b)| SizeConstraint::fewer(kind(&program, a), kind(&program, b))).collect();
        Ok((Family::new(program, open), sizes))
    }

    fn prove(&self) -> Result<CountingProof, NotProved> {
        let (family, sizes) = self.family().expect("a model");
        proved(&family, self.property, &sizes)
    }

    /// Compares with the explicit engine at all sizes with up to so many agents: the first size at which it is violated, and how many were decided.
    fn search(&self, most: u32) -> (Option<Vec<u32>>, usize) {
        let (family, sizes) = self.family().expect("a model");
        let mut decided = 0;
        for counts in family.sizes(most) {
            let member = family.at(&counts);
            let number = |kind: KindId| i64::from(member.kind(kind).count);
            if counts.iter().sum::<u32>() > most || !sizes.iter().all(|size| size.holds(number)) {
                continue;
            }
            match explicit(&family, &counts, self.property) {
                Some(true) => decided += 1,
                Some(false) => return (Some(counts), decided),
                None => {}
            }
        }
        (None, decided)
    }
}

const VOTERS: &[(&str, u32)] = &[("Voter", 1)];
const SIDES: &[(&str, u32)] = &[("Yes", 1), ("No", 1)];

const RUMOUR: &str = "
system {
  extern = _n
  spawn = Source: 1, Person: _n
}
agent Source {
  interface = knows: 1
  Behavior = Skip; Behavior
}
agent Person {
  interface = knows: 0
  Behavior = { other[] := pick 1; knows <- max(knows, knows of other[0]) }; Behavior
}
check {
  All = fairly_inf forall Person p, knows of p = 1
  Known = always exists Source s, knows of s = 1
}
";

/// The rumour is heard whenever there is somebody who knows it: a guard with a quantifier.
const NEWS: &str = "
system {
  extern = _n
  environment = printed: 0
  spawn = Person: _n
}
agent Person {
  interface = knows: 0
  Behavior = Read ++ Listen
  Read = printed = 1 and knows = 0 -> knows <- 1; Behavior
  Listen = (printed = 0 -> printed <-- 1; Behavior)
    ++ (knows = 0 and (exists Person p, knows of p = 1) -> knows <- 1; Behavior)
}
check {
  All = fairly_inf forall Person p, knows of p = 1
}
";

/// A lock with two keys: places are not scarce, so coverability is what proves it.
const KEYS: &str = "
system {
  extern = _n
  environment = keys: 2
  spawn = Worker: _n
}
agent Worker {
  interface = inside: 0
  Behavior = Enter; Leave; Behavior
  Enter = inside = 0 and keys > 0 -> { left := keys - 1; keys <-- left; inside <- 1 }
  Leave = { left := keys + 1; inside <- 0; keys <-- left }
}
check {
  Few = always (count Worker w, inside of w = 1) <= 2
  Exact = always (count Worker w, inside of w = 1) + keys = 2
  Free = fairly_inf forall Worker w, inside of w = 0
}
";

/// A cold agent would need somebody warm to warm it up, and everybody else would need it to be warm. There are too many sparks for the agents of both kinds to be
/// split off, and sums do not exclude that the cold one warms itself: coverability does.
const CAUSE: &str = "
system {
  extern = _n
  spawn = Spark: 5, Cold: 1, Person: _n
}
agent Spark {
  interface = s: 0
  Behavior = { other[] := pick 1 Spark; s <- if s of other[0] = 1 then 1 else s }; Behavior
}
agent Cold {
  interface = s: 1
  Behavior = { other[] := pick 1; s <- if s = 1 and s of other[0] = 1 then 2 else s }; Behavior
}
agent Person {
  interface = s: 0
  Behavior = { other[] := pick 1; s <- if s of other[0] = 2 then 1 else s }; Behavior
}
check {
  Never = always forall Cold c, s of c != 2
}
";

fn examples() -> Vec<(Question, &'static str)> {
    let question = |path: &str, parameters, open, property| Question {
        text: example(path),
        parameters,
        open,
        fewer: None,
        property,
    };
    let text = |text: &str, open, property| Question {
        text: text.to_string(),
        parameters: "n=2",
        open,
        fewer: None,
        property,
    };
    vec![
        (question("voter/voter.labs", "voters=2 options=2", VOTERS, "KnownOpinion"), "place invariants"),
        (question("voter/voter.labs", "voters=2 options=2", VOTERS, "AgreementAgain"), "ranking by counts"),
        (question("voter/voter.labs", "voters=2 options=3", VOTERS, "AgreementAgain"), "ranking by counts"),
        (
            question("unanimity/unanimity.labs", "voters=2 options=2", VOTERS, "KnownOpinion"),
            "place invariants",
        ),
        (
            question("unanimity/unanimity.labs", "voters=2 options=2", VOTERS, "AgreementAgain"),
            "ranking by counts",
        ),
        (question("opinions/opinions.labs", "yes=1 no=1", SIDES, "SomeOpinion"), "place invariants"),
        (question("opinions/opinions.labs", "yes=1 no=1", SIDES, "Agreement"), "ranking by counts"),
        (question("approx/approx.labs", "yes=1 no=1", SIDES, "KnownOpinion"), "place invariants"),
        (question("approx/approx.labs", "yes=1 no=1", SIDES, "Agreement"), "ranking by counts"),
        (
            Question {
                fewer: Some(("Yes", "No")),
                ..question("majority/majority.labs", "yes=1 no=1", SIDES, "NoYConsensus")
            },
            "place invariants",
        ),
        (
            question("waiting/waiting.labs", "hasty=0 careful=1", &[("Careful", 1)], "Exclusion"),
            "place invariants",
        ),
        (
            question("waiting/waiting.labs", "hasty=0 careful=1", &[("Careful", 1)], "Free"),
            "place invariants",
        ),
        (
            question("waiting/waiting.labs", "hasty=0 careful=1", &[("Careful", 1)], "Third"),
            "ranking by counts",
        ),
        (text(RUMOUR, &[("Person", 1)], "All"), "ranking by counts"),
        (text(RUMOUR, &[("Person", 1)], "Known"), "place invariants"),
        (text(NEWS, &[("Person", 1)], "All"), "ranking by counts"),
        (text(CAUSE, &[("Person", 1)], "Never"), "backward coverability"),
        (text(KEYS, &[("Worker", 1)], "Few"), "place invariants"),
        (text(KEYS, &[("Worker", 1)], "Exact"), "place invariants"),
        (text(KEYS, &[("Worker", 1)], "Free"), "ranking by counts"),
    ]
}

#[test]
fn examples_are_proved_for_every_number_of_agents() {
    let mut compared = 0;
    for (question, method) in examples() {
        let began = std::time::Instant::now();
        let proof =
            question.prove().unwrap_or_else(|why| panic!("{} {why:?} {}", question.property, question.text));
        let took = began.elapsed();
        assert_eq!(proof.method_name(), method, "{}", question.property);
        assert!(!proof.lines.is_empty() && took.as_secs() < 10, "{} {took:?}", question.property);
        let (violated, decided) = question.search(8);
        assert_eq!(violated, None, "{}", question.property);
        compared += decided;
    }
    // 15 questions about one open kind, 4 about two, and one about two with fewer of one: 6 + 4 + 2 sizes.
    assert_eq!(compared, 15 * 8 + 4 * 28 + 12);
}

/// Members with more agents take the explicit engine too long in a test.
fn searchable(question: &Question) -> u32 {
    if question.open.len() > 1 { 6 } else { 8 }
}

/// The text with one change, in all ways: numbers, comparisons, connectives and functions, in front of the properties.
fn mutants(text: &str) -> Vec<String> {
    let end = text.find("check {").unwrap_or(text.len());
    let changes: &[(&str, &[&str])] = &[
        (" = ", &[" != ", " > ", " < "]),
        (" != ", &[" = ", " < "]),
        (" and ", &[" or "]),
        (" > ", &[" >= ", " < "]),
        ("max(", &["min("]),
        (" - 1", &["", " - 2"]),
        (" + 1", &["", " + 2"]),
        ("; Behavior", &["; Skip; Behavior"]),
        (" <-- opinion", &[" <-- 0", " <-- 1 - opinion"]),
        ("opinion <- ", &["opinion <- 1 - "]),
        ("then state", &["then 2", "then 0"]),
        ("<-- id, state", &["<-- id, 1", "<-- id, 0"]),
        ("initiator != id", &["true"]),
    ];
    let mut out = vec![];
    let mut put = |at: usize, length: usize, new: &str| {
        out.push(format!("{}{new}{}", &text[..at], &text[at + length..]));
    };
    for at in (0..end).filter(|at| text.is_char_boundary(*at)) {
        for (old, news) in changes {
            if text[at..end].starts_with(old) {
                news.iter().for_each(|new| put(at, old.len(), new));
            }
        }
        let bytes = text.as_bytes();
        let alone = |at: usize| !bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        if bytes[at].is_ascii_digit() && at > 0 && alone(at - 1) && alone(at + 1) {
            let digit = i64::from(bytes[at] - b'0');
            for other in
                [digit + 1, digit - 1, 2 - digit].iter().filter(|other| **other >= 0 && **other != digit)
            {
                put(at, 1, &other.to_string());
            }
        }
    }
    out
}

/// Mutants of examples: so many of each, and what became of them.
struct Tally {
    proved: usize,
    refused: usize,
    violated: usize,
}

fn try_mutants(each: usize, most: impl Fn(&Question) -> u32) -> (usize, Tally) {
    let mut random = fastrand::Rng::with_seed(11);
    let mut tally = Tally { proved: 0, refused: 0, violated: 0 };
    let mut mutated = 0;
    for (question, _) in examples() {
        let mut texts = mutants(&question.text);
        random.shuffle(&mut texts);
        let mut here = 0;
        for text in texts {
            if here == each {
                break;
            }
            let mutant = Question { text, ..question };
            if text_is_model(&mutant) {
                here += 1;
                match mutant.prove() {
                    Ok(proof) => {
                        tally.proved += 1;
                        let (violated, decided) = mutant.search(most(&mutant));
                        let name = proof.method_name();
                        assert_eq!(violated, None, "{} by {name}: {}", mutant.property, mutant.text);
                        assert!(decided > 0, "{}", mutant.text);
                    }
                    Err(why) => {
                        tally.refused += 1;
                        // Data without end takes the explicit engine forever.
                        let finite = !matches!(why, NotProved::NotFinite { .. });
                        tally.violated += usize::from(finite && mutant.search(4).0.is_some());
                    }
                }
            }
        }
        mutated += usize::from(here == each);
    }
    (mutated, tally)
}

fn text_is_model(question: &Question) -> bool {
    question.family().is_ok()
}

#[test]
fn mutants_are_proved_only_where_they_hold() {
    let (mutated, tally) = try_mutants(10, searchable);
    println!("{mutated}: {} proved, {} not, {} violated", tally.proved, tally.refused, tally.violated);
    assert!(mutated >= 12, "{mutated} questions have ten mutants");
    assert!(tally.proved > 30 && tally.violated > 30, "{} {}", tally.proved, tally.violated);
}

#[test]
#[ignore = "takes minutes"]
fn long_run_of_mutants() {
    let (mutated, tally) = try_mutants(40, |question| if question.open.len() > 1 { 9 } else { 12 });
    println!("{mutated}: {} proved, {} not, {} violated", tally.proved, tally.refused, tally.violated);
}

/// Systems that violate their property from a number of agents on, and hold for fewer.
fn thresholds(from: u32) -> Vec<Question> {
    let agent = |interface: &str, environment: &str, behavior: &str, check: &str| {
        let text = format!(
            "system {{ extern = _n environment = {environment} spawn = A: _n }}\n\
             agent A {{ interface = {interface} Behavior = {behavior} }}\n\
             check {{ P = {check} }}\n"
        );
        Question { text, parameters: "n=2", open: &[("A", 1)], fewer: None, property: "P" }
    };
    let (top, below) = (from + 2, from - 1);
    vec![
        // Everybody counts once.
        agent(
            "x: 0",
            "total: 0",
            &format!("total < {top} -> total <-- total + 1; Nil"),
            &format!("always total < {from}"),
        ),
        agent(
            "x: 0",
            "total: 0",
            &format!("total < {from} -> total <-- total + 1; Nil"),
            &format!("fairly_inf total < {from}"),
        ),
        // Agents pass on what they are worth.
        agent(
            "worth: 1",
            "purse: 0",
            &format!(
                "((worth > 0 and purse = 0 -> {{ purse <-- worth; worth <- 0 }}) ++ \
                 (purse > 0 -> {{ sum := min(worth + purse, {top}); worth <- sum; purse <-- 0 }})); Behavior"
            ),
            &format!("always forall A a, worth of a < {from}"),
        ),
        // So many places in a room.
        agent("x: 0", "y: 0", "x = 0 -> x <- 1; Nil", &format!("always (count A a, x of a = 1) <= {below}")),
        agent("x: 0", "y: 0", "x <- 1 - x; Behavior", &format!("always (count A a, x of a = 1) < {from}")),
        // Once too many have been counted, nobody can go back.
        agent(
            "x: 0",
            "total: 0",
            &format!(
                "((total < {from} -> total <-- total + 1; Nil) ++ (total < {from} -> x <- 1; Behavior))"
            ),
            &format!("fairly_inf (exists A a, x of a = 1) or total < {from}"),
        ),
    ]
}

#[test]
fn what_fails_with_many_agents_is_not_proved() {
    let mut found = 0;
    for from in [7, 9, 11] {
        for question in thresholds(from) {
            let (violated, decided) = question.search(from);
            if violated != Some(vec![from]) {
                panic!("{violated:?} {from} {}", question.text);
            }
            assert_eq!(decided, from as usize - 1, "{}", question.text);
            found += 1;
            if question.prove().is_ok() {
                panic!("it is violated from {from} agents on: {}", question.text);
            }
        }
    }
    assert_eq!(found, 18);
}

/// A random system of two kinds, with a property about fewer than so many agents. Agents change by themselves, by what the environment says, by drawing others, and by asking about all.
fn random_system(random: &mut fastrand::Rng, numbers: i64) -> Question {
    let kinds = ["A", "B"];
    let two = random.bool();
    let values = 2 + random.i64(0..2);
    let value = |random: &mut fastrand::Rng| random.i64(0..values);
    let mut agents = String::new();
    let sides = if two { &kinds[..] } else { &kinds[..1] };
    for name in sides {
        let mut branches = vec![];
        for _ in 0..random.usize(1..4) {
            let (a, b, c, d, e) = (value(random), value(random), value(random), value(random), value(random));
            let whom = kinds[random.usize(0..sides.len())];
            branches.push(match random.u32(0..14) {
                0 => format!("(s = {a} -> s <- {b})"),
                1 => format!("(s = {a} and e = {b} -> s <- {c})"),
                2 => format!("(s = {a} and e != {b} -> {{ s <- {c}; e <-- {d} }})"),
                3 => format!("(s = {a} -> e <-- {b})"),
                4 => format!("(s != {a} -> e <-- s)"),
                5 | 6 => format!("{{ o[] := pick 1; s <- if s = {a} and s of o[0] = {b} then {c} else s }}"),
                7 => format!("{{ o[] := pick 1 {whom}; s <- if s = {a} then s of o[0] else s; e <-- if e = {b} then {c} else e }}"),
                8 => format!("(s = {a} and (exists {whom} x, s of x = {b}) -> s <- {c})"),
                9 => format!("(s = {a} and (forall {whom} x, s of x != {b}) -> s <- {c})"),
                10 => format!("((forall {whom} x, s of x = {a} or s of x = {b}) -> {{ s <- {c}; e <-- {d} }})"),
                11 => format!("(who != id and s = {a} -> who, e <-- id, {b})"),
                12 => format!("(who = id and s = {a} -> {{ s <- {b}; e <-- {c} }})"),
                _ => format!("(who != id and s = {a} and e = {b} -> s <- {c}; who, e <-- -1, {e})"),
            });
        }
        let initial = if random.u32(0..3) == 0 { format!("0..{values}") } else { value(random).to_string() };
        agents += &format!(
            "agent {name} {{ interface = s: {initial} Behavior = ({}); Behavior }}\n",
            branches.join(" ++ ")
        );
    }
    let (a, b, c) = (value(random), value(random), value(random));
    let other = sides[random.usize(0..sides.len())];
    let predicate = match random.u32(0..9) {
        0 => format!("forall A x, s of x != {a}"),
        1 => format!("exists {other} x, s of x != {a}"),
        2 => format!("forall A x, forall {other} y, s of x = s of y or s of x = {a}"),
        3 => format!("(count {other} x, s of x = {a}) <= {}", random.i64(0..numbers)),
        4 => format!("(forall A x, s of x = {a}) or (exists {other} y, s of y = {b})"),
        5 => format!("(count A x, s of x = {a}) >= (count {other} x, s of x = {b})"),
        6 => format!("e != {a} or (forall {other} x, s of x != {b} or s of x = {c})"),
        7 => format!("(forall A x, s of x = {a}) or (forall A x, s of x = {b})"),
        _ => format!(
            "(count A x, s of x = {a}) + (count {other} x, s of x = {b}) != {}",
            random.i64(0..numbers)
        ),
    };
    let modality = ["always", "fairly_inf", "fairly"][random.usize(0..3)];
    let text = format!(
        "system {{ extern = _a, _b environment = e: {}; who: -1 spawn = A: _a{} }}\n{agents}check {{ P = {modality} {predicate} }}\n",
        value(random),
        if two { ", B: _b" } else { "" },
    );
    // The number of agents of the second kind may be open or not.
    let open: &[(&str, u32)] = match two && random.bool() {
        true => &[("A", 1), ("B", 1)],
        false => &[("A", 1)],
    };
    let fewer = (open.len() > 1 && random.u32(0..3) == 0).then_some(("A", "B"));
    let parameters = ["a=1 b=1", "a=1 b=2", "a=1 b=6"][random.usize(0..3)];
    Question { text, parameters, open, fewer, property: "P" }
}

/// Random systems: how many are proved by each method, and how many are not although small members satisfy them.
fn try_random(systems: usize, seed: u64, numbers: i64, most: u32) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut proved: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    let (mut violated, mut open, mut models) = (0, 0, 0);
    for _ in 0..systems {
        let question = random_system(&mut random, numbers);
        if let Err(why) = question.family() {
            panic!("{why} {}", question.text);
        }
        models += 1;
        match question.prove() {
            Ok(proof) => {
                *proved.entry(proof.method_name()).or_default() += 1;
                let (violated, decided) = question.search(most);
                assert_eq!(violated, None, "by {}: {}", proof.method_name(), question.text);
                assert!(decided > 0, "{}", question.text);
            }
            Err(NotProved::Engine(why)) => panic!("{why}: {}", question.text),
            Err(_) if question.search(3).0.is_some() => violated += 1,
            Err(_) => open += 1,
        }
    }
    println!("{models} systems: proved {proved:?}, violated {violated}, open {open}");
    for method in ["place invariants", "ranking by counts"] {
        assert!(proved.get(method).is_some_and(|count| *count * 20 > systems), "{method}");
    }
    assert!(violated * 10 > systems, "{violated}");
}

#[test]
fn random_systems_are_proved_only_where_they_hold() {
    try_random(150, 1, 3, 5);
}

#[test]
#[ignore = "takes minutes"]
fn long_run_of_random_systems() {
    try_random(3000, 1000, 3, 7);
    try_random(1000, 2000, 9, 10);
}

/// What is outside of the method is refused with its reason, and with its place in the text.
#[test]
fn refusals_say_what_and_where() {
    let model = |environment: &str, behavior: &str, check: &str| {
        format!(
            "system {{ extern = _n environment = {environment} spawn = A: _n }}\n\
             agent A {{ interface = s: 0 Behavior = {behavior}; Behavior }}\n\
             check {{ P = {check} }}\n"
        )
    };
    let check = |text: String, expected: NotProved, place: &str| {
        let question = Question { text, parameters: "n=2", open: &[("A", 1)], fewer: None, property: "P" };
        let why = question.prove().err().unwrap_or_else(|| panic!("{}", question.text));
        match (&why, &expected) {
            (NotProved::Premise(found), NotProved::Premise(wanted)) => {
                assert_eq!(found.broken, wanted.broken, "{}", question.text);
                let found = question.text.get(found.span.range()).unwrap_or("");
                assert_eq!(found, place, "{}", question.text);
            }
            _ => assert_eq!(why, expected, "{}", question.text),
        }
        assert!(!why.to_string().is_empty());
    };
    let premise = |broken| NotProved::Premise(Premise { broken, span: Span::default() });
    let always = "always forall A a, s of a = 0";
    check(model("who: -1", "(who < id -> who <-- id)", always), premise(Broken::IdentityOrder), "who < id");
    check(
        model("x: 0", "((count A a, s of a = 0) = x -> s <- 0)", always),
        premise(Broken::Counted),
        "s of a = 0",
    );
    check(
        model("x: 0", "(x < 1000 -> x <-- x + 1)", "always x < 1000"),
        NotProved::NotFinite { variable: "x".to_string() },
        "",
    );
    check(model("x[2]: 0; i: 0", "(i < 3 -> { x[i] <-- 1; i <-- i + 1 })", always), NotProved::Errors, "");
    // A small member violates it.
    check(model("x: 0", "(s <- 1 - s)", always), NotProved::NoInvariant, "");
    let stored = Question {
        text: example("leader/leader.labs"),
        parameters: "n=2",
        open: &[("Node", 1)],
        fewer: None,
        property: "ElectionSettles",
    };
    let why = stored.prove().err();
    let variable = "leader".to_string();
    assert!(
        matches!(&why, Some(NotProved::Premise(p)) if p.broken == Broken::StoredIdentity { variable }),
        "{why:?}"
    );
}

/// Proofs that are changed anywhere are rejected by the check, which does not search.
#[test]
fn damaged_proofs_are_rejected() {
    let mut rejected = 0;
    for (question, _) in examples() {
        let (family, sizes) = question.family().expect("a model");
        let claim = family.base().properties.iter().find(|p| p.name == question.property);
        let claim = claim.and_then(Claim::of).expect("a claim");
        let damages: &[fn(&mut CountingProof)] = &[
            // A case, an element or an abstract state is missing.
            |proof| match &mut proof.method {
                Method::PlaceInvariants(safety) => drop(safety.cases.pop()),
                Method::Coverability(elements) => drop(elements.pop()),
                Method::Ranking(ranking) => drop(ranking.advice.pop_first()),
            },
            // A weight is not invariant, or a ranking does not decrease.
            |proof| {
                let system = &proof.system;
                let moved = system
                    .transitions
                    .iter()
                    .find_map(|t| t.places().into_iter().find(|place| t.change(*place) != 0));
                if let (Some(place), Some(invariant)) = (moved, proof.invariants.first_mut()) {
                    invariant.places[place] += 1;
                }
                if let Method::Ranking(ranking) = &mut proof.method {
                    ranking.layers.iter_mut().flatten().for_each(|weight| *weight = 0);
                }
            },
            // A transition is missing.
            |proof| drop(proof.system.transitions.pop()),
        ];
        let whole = question.prove().unwrap_or_else(|why| panic!("{why:?}"));
        assert_eq!(whole.check(&family, claim, &sizes), Ok(()), "{}", question.property);
        for damage in damages {
            let mut proof = whole.clone();
            damage(&mut proof);
            let result = proof.check(&family, claim, &sizes);
            assert!(result.is_err(), "{}", question.property);
            rejected += 1;
        }
    }
    assert_eq!(rejected, 3 * 20);
}
