//! A comparison that cannot fail proves nothing: programs broken on purpose must be told from the reference.

use std::collections::BTreeSet;
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Expr, Program, Stmt};
use swarmcheck_labs::lower::{self, Choice, Options, Semantics};
use swarmcheck_testkit::compare::Literal;
use swarmcheck_testkit::search::Space;
use swarmcheck_testkit::{Limits, compare, generate, read};

const LIMITS: Limits = Limits { states: 800, depth: 40 };

/// Every part of it matters.
const SYSTEM: &str = "
system {
  environment = e: 2; a[2]: 0
  spawn = Ant: 2, Bee: 1
}
stigmergy Left {
  link = x of 1 <= x of 2 or s of 1 = 1
  s, t: 1, id
  u: 1
}
agent Ant {
  interface = x: id; y: undef
  stigmergies = Left
  Behavior = (x <- y ++ y <- 1);
    (s != 2 -> (s, t <~ (s + 1) % 3, x || (e != 0 => { v := [0..2]; a[v], e <-- e + 1, e - 1 }))); Behavior
}
agent Bee {
  interface = x: 1
  stigmergies = Left
  Behavior = (x <- u - 1 ++ { p[] := pick 1 Ant where x of 1 != x of 2; u <~ s of p[0] }); Behavior
}
check { P = always forall Ant b, x of b = 0 or !(y of b = 1) }
";

fn program(text: &str, options: Options) -> (swarmcheck_labs::model::Model, Program) {
    let model = read(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let program = lower::lower(&model, text, options).unwrap_or_else(|d| panic!("{}", d.message)).program;
    (model, program)
}

/// All programs that differ from this one at one place, with what was done to them. Functions that are never run are
/// left alone.
fn mutants(program: &Program, limits: Limits) -> Vec<(String, Program)> {
    let space = Space::explore(&Flat::new(program.clone()), limits.states);
    let run: BTreeSet<usize> = space.steps.iter().flatten().map(|(at, _)| at.function as usize).collect();
    let mut out = vec![];
    let mut add = |what: String, change: &dyn Fn(&mut Program)| {
        let mut mutant = program.clone();
        change(&mut mutant);
        if mutant != *program {
            out.push((what, mutant));
        }
    };
    for (at, function) in program.functions.iter().enumerate().filter(|(at, _)| run.contains(at)) {
        let name = &function.name;
        add(format!("{name}: gone"), &|p| drop(p.functions.remove(at)));
        add(format!("{name}: guard negated"), &|p| {
            let guard = p.functions[at].guard.clone();
            p.functions[at].guard = Expr::not(guard);
        });
        add(format!("{name}: no guard"), &|p| p.functions[at].guard = Expr::TRUE);
        for number in 0..count(&function.body) {
            let change =
                |p: &mut Program, how: How| edit(&mut p.functions[at].body, &mut (number as i64), how);
            add(format!("{name}: statement {number} gone"), &|p| change(p, How::Remove));
            add(format!("{name}: condition {number} negated"), &|p| change(p, How::Negate));
            add(format!("{name}: value {number} changed"), &|p| change(p, How::Change));
        }
    }
    for number in 0..count(&program.init) {
        add(format!("init: statement {number} gone"), &|p| {
            edit(&mut p.init, &mut (number as i64), How::Remove);
        });
    }
    for at in 0..program.properties.len() {
        add(format!("property {at} negated"), &|p| {
            let predicate = p.properties[at].predicate.clone();
            p.properties[at].predicate = Expr::not(predicate);
        });
    }
    out
}

#[derive(Clone, Copy, PartialEq)]
enum How {
    Remove,
    Negate,
    Change,
}

fn count(body: &[Stmt]) -> usize {
    let mut number = 0;
    swarmcheck_ir::stmt::walk(body, &mut |_| number += 1);
    number
}

/// Changes the statement with this number, counted from outside in.
fn edit(body: &mut Vec<Stmt>, left: &mut i64, how: How) {
    let mut at = 0;
    while at < body.len() {
        if *left == 0 {
            *left = -1;
            match (how, &mut body[at]) {
                (How::Remove, _) => drop(body.remove(at)),
                (How::Negate, Stmt::If(c, ..) | Stmt::Assume(c) | Stmt::Pick { condition: c, .. }) => {
                    *c = Expr::not(c.clone());
                }
                (How::Change, Stmt::Assign(_, value) | Stmt::Let(_, value)) => *value = Expr::Const(1),
                _ => {}
            }
            return;
        }
        *left -= 1;
        match &mut body[at] {
            Stmt::If(_, yes, no) => {
                edit(yes, left, how);
                edit(no, left, how);
            }
            Stmt::ForEach(_, _, inner) => edit(inner, left, how),
            _ => {}
        }
        if *left < 0 {
            return;
        }
        at += 1;
    }
}

#[test]
fn the_system_itself_is_fine() {
    for (fair, choice) in [(false, Choice::Late), (true, Choice::Late), (false, Choice::Early)] {
        let options = Options { fair, choice, ..Options::default() };
        let model = read(SYSTEM).expect("a system");
        let summary = compare(SYSTEM, &model, options, LIMITS).unwrap_or_else(|m| panic!("{m}"));
        assert!(summary.states > 100, "{summary:?}");
    }
}

#[test]
fn different_readings_are_told_apart() {
    let mut all = vec![];
    for fair in [false, true] {
        for semantics in [Semantics::Sliver, Semantics::Paper] {
            for sync in [false, true] {
                let of = |choice| Options { fair, semantics, choice, sync };
                all.extend([Choice::Late, Choice::Early].map(of));
            }
        }
    }
    // With synchronous messages an undefined tuple is what tells SLiVER's rules from the paper's.
    for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other))) {
        let told_apart = [SYSTEM, ROW].into_iter().any(|text| {
            let (model, program) = program(text, other);
            Literal::new(text, &model, one, LIMITS).compare(&Flat::new(program)).is_err()
        });
        assert_eq!(told_apart, one != other, "{one:?}, {other:?}");
    }
}

/// The mutants of a system that the comparison takes for the system, and the number of all mutants.
fn missed(text: &str, options: Options, limits: Limits, every: usize) -> (Vec<String>, usize) {
    let (model, program) = program(text, options);
    let mut literal = Literal::new(text, &model, options, limits);
    let mutants: Vec<_> = mutants(&program, limits).into_iter().step_by(every).collect();
    let total = mutants.len();
    let missed =
        mutants.into_iter().filter(|(_, mutant)| literal.compare(&Flat::new(mutant.clone())).is_ok());
    (missed.map(|(what, _)| what).collect(), total)
}

/// Removes all statements of functions for which this holds, at any depth.
fn strip(body: &mut Vec<Stmt>, gone: &dyn Fn(&Stmt) -> bool) {
    body.retain(|stmt| !gone(stmt));
    for stmt in body {
        match stmt {
            Stmt::If(_, yes, no) => [yes, no].into_iter().for_each(|part| strip(part, gone)),
            Stmt::ForEach(_, _, inner) => strip(inner, gone),
            _ => {}
        }
    }
}

/// What would go wrong if a rule of the semantics were forgotten.
#[test]
fn forgotten_rules_are_noticed() {
    let options = Options { fair: true, ..Options::default() };
    let (model, program) = program(SYSTEM, options);
    let writes = |name: &str, stmt: &Stmt| match stmt {
        Stmt::Assign(place, _) => program.var(place.var).name.starts_with(name),
        _ => false,
    };
    let is_if = |stmt: &Stmt| matches!(stmt, Stmt::If(..));
    type Which<'a> = &'a dyn Fn(&Stmt) -> bool;
    let forgotten: [(&str, Which); 9] = [
        ("the order of timestamps", &|stmt| matches!(stmt, Stmt::Rank(_))),
        ("confirmations", &|stmt| writes("confirm", stmt)),
        ("propagations", &|stmt| writes("propagate", stmt)),
        ("the turn", &|stmt| writes("schedule", stmt)),
        ("timestamps", &|stmt| writes("order", stmt)),
        ("what messages carry", &|stmt| matches!(stmt, Stmt::Copy(..))),
        ("that values are defined", &|stmt| matches!(stmt, Stmt::Assume(_))),
        ("ends of compositions and receivers", &is_if),
        ("whom to pick", &|stmt| matches!(stmt, Stmt::Pick { .. })),
    ];
    let mut literal = Literal::new(SYSTEM, &model, options, LIMITS);
    for (what, gone) in forgotten {
        let mut broken = program.clone();
        broken.functions.iter_mut().for_each(|f| strip(&mut f.body, gone));
        assert_ne!(broken, program, "{what}");
        assert!(literal.compare(&Flat::new(broken)).is_err(), "{what}");
    }
    let negate: fn(&mut Stmt) = |stmt| {
        if let Stmt::ForEach(_, _, inner) = stmt
            && let [Stmt::If(link, ..)] = &mut inner[..]
        {
            *link = Expr::not(link.clone());
        }
    };
    let mut broken = program.clone();
    broken.functions.iter_mut().flat_map(|f| &mut f.body).for_each(negate);
    assert_ne!(broken, program);
    assert!(literal.compare(&Flat::new(broken)).is_err(), "links");
}

/// Agents in a row hand a value on; two of them start without.
const ROW: &str = "
system { spawn = Ant: 3 }
stigmergy Row {
  link = abs(id of 1 - id of 2) = 1
  s, t: undef, 2 / (id % 2)
  u: 0
}
agent Ant {
  interface = x: 0
  stigmergies = Row
  Behavior = ((s = 1 or x < 2 -> x <- (x + 1) % 3) ++ (x = id -> s <~ x) ++ u <~ (u + 1) % 2); Behavior
}
check { P = always forall Ant b, x of b < 2 }
";

#[test]
fn forgotten_rules_of_synchronous_messages_are_noticed() {
    let limits = Limits { states: 1500, depth: 40 };
    for semantics in [Semantics::Sliver, Semantics::Paper] {
        let options = Options { semantics, sync: true, ..Options::default() };
        let (model, program) = program(ROW, options);
        let writes = |name: &str, stmt: &Stmt| match stmt {
            Stmt::Assign(place, _) => program.var(place.var).name.starts_with(name),
            _ => false,
        };
        // A confirmation waits by the paper only.
        let waiting = usize::from(semantics == Semantics::Paper);
        type Which<'a> = &'a dyn Fn(&Stmt) -> bool;
        let forgotten: [(&str, Which); 5] = [
            ("that a confirmation waits", &|stmt| writes("confirm", stmt)),
            ("propagations", &|stmt| writes("propagate", stmt)),
            ("what messages carry", &|stmt| matches!(stmt, Stmt::Copy(..))),
            ("the order of timestamps", &|stmt| matches!(stmt, Stmt::Rank(_))),
            ("confirmations and rounds", &|stmt| matches!(stmt, Stmt::ForEach(..))),
        ];
        let mut literal = Literal::new(ROW, &model, options, limits);
        literal.compare(&Flat::new(program.clone())).unwrap_or_else(|m| panic!("{m}"));
        for (what, gone) in &forgotten[1 - waiting..] {
            let mut broken = program.clone();
            broken.functions.iter_mut().for_each(|f| strip(&mut f.body, gone));
            assert_ne!(broken, program, "{what}");
            assert!(literal.compare(&Flat::new(broken)).is_err(), "{what}");
        }
        // One round is not enough for three agents in a row.
        let mut broken = program.clone();
        for stmt in broken.functions.iter_mut().flat_map(|f| &mut f.body) {
            if let Stmt::ForEach(_, 2, turns) = stmt {
                *stmt = Stmt::If(Expr::TRUE, turns.clone(), vec![]);
            }
        }
        assert_ne!(broken, program);
        assert!(literal.compare(&Flat::new(broken)).is_err(), "rounds");
    }
}

#[test]
fn every_part_of_the_program_matters() {
    for number in 0..4 {
        let options = Options { fair: number % 2 == 1, sync: number > 1, ..Options::default() };
        let (missed, total) = missed(SYSTEM, options, LIMITS, 1);
        println!("{} of {total} mutants missed: {missed:#?}", missed.len());
        // In a synchronous step much comes in two ways: what a confirmation has told need not be propagated.
        let share = if options.sync { 3 } else { 5 };
        assert!(total > 100 && missed.len() * share < total, "{} of {total}: {missed:#?}", missed.len());
    }
}

/// Not all can be: parts of a random system are never reached, or make no difference.
#[test]
fn most_mutants_of_random_systems_are_detected() {
    let (mut total, mut found) = (0, 0);
    for seed in 0..60 {
        let text = generate::system(seed);
        let options = Options { fair: seed % 2 == 0, ..Options::default() };
        let (missed, tried) = missed(&text, options, Limits { states: 150, depth: 40 }, 7);
        total += tried;
        found += tried - missed.len();
    }
    println!("{found} of {total} mutants detected");
    assert!(total > 200 && found * 10 >= total * 6, "{found} of {total}");
}
