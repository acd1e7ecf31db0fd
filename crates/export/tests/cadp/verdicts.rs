//! Queries: parsed, evaluated on the transition system of the LNT program, and compared with the verdicts of the
//! examples.

use crate::models::{example, program, written};
use crate::query::{self, System};
use crate::run::Machine;
use crate::sequential::text;
use crate::{check, syntax};
use std::collections::BTreeMap;
use std::path::Path;
use swarmcheck_export::mcl;
use swarmcheck_ir::flat::Flat;
use swarmcheck_project::{FILE, rows};

/// The transition system of the sequential program, with a state between any two labels.
fn system(flat: &Flat) -> System {
    let text = text(flat);
    let module = syntax::parse(&text).expect("a module");
    check::check(&module).expect("a module without errors");
    let machine = Machine::new(&module);
    let mut out: System = vec![vec![]];
    let mut numbers = BTreeMap::new();
    let mut todo = vec![];
    let mut add = |out: &mut System, from: usize, ways: Vec<(Vec<String>, _)>, todo: &mut Vec<_>| {
        for (labels, store) in ways {
            let (last, first) = labels.split_last().expect("every step has a label");
            let mut at = from;
            for label in first {
                out.push(vec![]);
                let next = out.len() - 1;
                out[at].push((query::label(label), next));
                at = next;
            }
            let next = *numbers.entry(store).or_insert_with_key(|store: &crate::run::Store| {
                out.push(vec![]);
                todo.push((out.len() - 1, store.clone()));
                out.len() - 1
            });
            out[at].push((query::label(last), next));
        }
    };
    add(&mut out, 0, machine.initial(), &mut todo);
    while let Some((number, store)) = todo.pop() {
        add(&mut out, number, machine.steps(&store), &mut todo);
    }
    out
}

/// The queries for all properties that can be written, by name: all but scopes that may wait forever.
fn queries(flat: &Flat) -> Vec<(String, query::Query)> {
    let one = |property| {
        let files = match written(mcl::write, flat, Some(property), None) {
            Ok(files) => files,
            Err(refusal) if refusal.why.contains("wait forever") => return None,
            Err(refusal) => panic!("{}", refusal.why),
        };
        let [file] = files.as_slice() else { panic!("one file") };
        let name = file.name.strip_suffix(".mcl").expect("a query").to_string();
        assert_eq!(name, flat.program.properties[property].name);
        Some((name, query::parse(&file.text).unwrap_or_else(|e| panic!("{e}\n{}", file.text))))
    };
    (0..flat.program.properties.len()).filter_map(one).collect()
}

/// The verdicts that an example's project file gives for some parameters and no options: they come from the papers, the
/// reference interpreter or an argument in the example's README.
fn table(folder: &str, file: &str, parameters: &str) -> BTreeMap<String, bool> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(folder).join(FILE);
    let claims = rows(&std::fs::read_to_string(path).expect("a project file")).expect("a correct file");
    let plain = claims.into_iter().filter(|claim| claim.options.is_empty());
    let ours = plain.filter(|claim| claim.file == file && claim.parameters == parameters);
    ours.map(|claim| (claim.property, claim.verdict == "holds")).collect()
}

#[test]
fn the_verdicts_of_the_examples() {
    let (mut holds, mut violated) = (0, 0);
    let mut check = |folder: &str, file: &str, parameters: &str| {
        let flat = example(&format!("{folder}/{file}"), parameters, false);
        let system = system(&flat);
        let expected = table(folder, file, parameters);
        for (name, query) in queries(&flat) {
            let Some(&verdict) = expected.get(&name) else { continue };
            assert_eq!(query::holds(&query, &system), verdict, "{file} {parameters}: {name}");
            holds += usize::from(verdict);
            violated += usize::from(!verdict);
        }
    };
    check("leader", "leader.labs", "n=3");
    check("twophase", "twophase.labs", "workers=1");
    check("approx", "approx.labs", "yes=1 no=2");
    check("ants", "ants.labs", "ants=1 size=2 scent=1");
    check("foraging", "foraging.labs", "robots=1 grid=2");
    check("scopes", "crossing.labs", "trains=1");
    check("scopes", "crossing.labs", "trains=2");
    check("waiting", "waiting.labs", "hasty=2 careful=0");
    check("waiting", "waiting.labs", "hasty=0 careful=2");
    assert!(holds >= 17 && violated >= 8, "both verdicts occur: {holds}, {violated}");
}

/// The same queries on the parallel program, where the labels of a step come in any order and others between them. With
/// two nodes as with three, node 0 proposes itself until everybody knows, so it is elected in the end, and nobody
/// else than a node, or nobody yet, is ever the leader.
#[test]
fn the_verdicts_of_a_parallel_program() {
    let flat = example("leader/leader.labs", "n=2", false);
    let system = crate::parallel::system(&flat);
    let expected =
        [("LeaderIs0", true), ("ElectionSettles", true), ("NeverElected", false), ("KnownLeader", true)];
    let found: Vec<(String, bool)> =
        queries(&flat).into_iter().map(|(name, query)| (name, query::holds(&query, &system))).collect();
    assert_eq!(found, expected.map(|(name, verdict)| (name.to_string(), verdict)));
}

/// Decides the properties of a small model.
fn decided(text: &str) -> Vec<(String, bool)> {
    let flat = program(text, "", false);
    let system = system(&flat);
    queries(&flat).into_iter().map(|(name, query)| (name.clone(), query::holds(&query, &system))).collect()
}

/// Two variables change in one step. Listing 2 of the paper, taken literally, would look between the two labels and find
/// them different.
#[test]
fn nobody_looks_into_a_step() {
    let model = "system { spawn = A: 1 }
        agent A { interface = x: 0; y: 0  Behavior = x, y <- 1 - x, 1 - y; Behavior }
        check { Together = always forall A a, x of a = y of a
                Apart = always forall A a, x of a = 0 }";
    assert_eq!(decided(model), [("Together".to_string(), true), ("Apart".to_string(), false)]);
}

/// One agent counts to 2 and stops there. A second one goes on forever, so the first need never act.
#[test]
fn four_modalities() {
    let model = "system { spawn = A: 1, B: 1 }
        agent A { interface = x: 0  Behavior = x <- 1; x <- 2 }
        agent B { interface = z: 0  Behavior = z <- 1 - z; Behavior }
        check { Surely = eventually forall A a, x of a = 2
                Fairly = fairly forall A a, x of a = 2
                Passing = fairly forall A a, x of a = 1
                Again = fairly_inf forall A a, x of a = 2
                Lost = fairly_inf forall A a, x of a = 1
                Bounded = always forall A a, x of a <= 2 }";
    let expected = [
        // B may run forever and A never.
        ("Surely", false),
        ("Fairly", true),
        // On the way to 2 every execution passes 1, and what comes after does not count.
        ("Passing", true),
        ("Again", true),
        // From 2 there is no way back.
        ("Lost", false),
        ("Bounded", true),
    ];
    assert_eq!(decided(model), expected.map(|(name, verdict)| (name.to_string(), verdict)));
}

/// Every kind of scope, and steps that are counted, on an agent that counts 0, 1, 2, 3 and then 1, 2, 3 again forever; a
/// branch at 3 stops. What holds follows from these sequences.
#[test]
fn scopes_and_steps() {
    let model = "system { spawn = A: 1 }
        agent A { interface = x: 0  Behavior = x <- 1; x <- 2; x <- 3; (Behavior ++ x <- 9) }
        check { Kept = between (forall A a, x of a = 1) and (forall A a, x of a = 3), always forall A a, x of a <= 2
                Broken = between (forall A a, x of a = 1) and (forall A a, x of a = 3), always forall A a, x of a = 1
                NotClosed = between (forall A a, x of a = 3) and (forall A a, x of a = 9), always forall A a, x of a = 3
                NeverClosed = between (forall A a, x of a = 9) and (forall A a, x of a = 0), always forall A a, x of a = 0
                Open = from (forall A a, x of a = 9) until (forall A a, x of a = 0), always forall A a, x of a = 0
                Met = between (forall A a, x of a = 1) and (forall A a, x of a = 3), thereIs forall A a, x of a = 2
                Missed = between (forall A a, x of a = 2) and (forall A a, x of a = 1), thereIs forall A a, x of a = 9
                InOrder = from (forall A a, x of a = 1) until (forall A a, x of a = 0),
                          (forall A a, x of a = 2) precedes (forall A a, x of a = 3)
                OutOfOrder = between (forall A a, x of a = 1) and (forall A a, x of a = 3),
                             (forall A a, x of a = 9) precedes (forall A a, x of a = 2)
                Start = after 0 forall A a, x of a = 0
                Third = after 3 forall A a, x of a = 3
                Fourth = after 4 forall A a, x of a = 1
                Second = after 2 forall A a, x of a = 3 }";
    let expected = [
        ("Kept", true),
        ("Broken", false),
        // Between 3 and 9 lies only 3, or 3 and a round of 1, 2, 3.
        ("NotClosed", false),
        ("NeverClosed", true),
        ("Open", false),
        ("Met", true),
        ("Missed", false),
        ("InOrder", true),
        ("OutOfOrder", false),
        ("Start", true),
        ("Third", true),
        // Or 9.
        ("Fourth", false),
        ("Second", false),
    ];
    assert_eq!(decided(model), expected.map(|(name, verdict)| (name.to_string(), verdict)));
}

/// An execution that stops without the predicate has missed it; one that cannot but meet it has not.
#[test]
fn executions_that_stop() {
    let model = "system { spawn = A: 1 }
        agent A { interface = x: 0  Behavior = x <- 1; (x <- 2 ++ x <- 3) }
        check { One = eventually forall A a, x of a = 1
                Two = eventually forall A a, x of a = 2
                Either = eventually forall A a, x of a >= 2 }";
    let expected = [("One", true), ("Two", false), ("Either", true)];
    assert_eq!(decided(model), expected.map(|(name, verdict)| (name.to_string(), verdict)));
}

/// What queries cannot say is refused, with the name of the property and a way out.
#[test]
fn refusals() {
    let model = "system { spawn = A: 1 }
        agent A { interface = x: 0; t[2]: 0  Behavior = x <- 1 - x; Behavior }
        check { Inside = from (forall A a, x of a = 0) until (forall A a, x of a = 1), thereIs forall A a, x of a = 2
                Computed = always forall A a, t[x of a] of a = 0
                Divided = always forall A a, x of a / 2 = 0 }";
    let flat = program(model, "", false);
    let refused =
        |property: usize, bound| written(mcl::write, &flat, Some(property), bound).expect_err("no query").why;
    let check = |property, words: &str| {
        let why = refused(property, None);
        assert!(why.contains(words) && why.contains(&flat.program.properties[property].name), "{why}");
    };
    check(0, "wait forever");
    check(1, "a computed cell");
    check(2, "divides");
    assert!(refused(2, Some(5)).contains("without a bound on their steps"));
}
