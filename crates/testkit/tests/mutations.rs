//! A comparison that cannot fail proves nothing: programs broken on purpose must be told from the reference.

use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::{Expr, Program, Stmt};
use swarmcheck_labs::lower::{self, Options, Semantics};
use swarmcheck_testkit::compare::Literal;
use swarmcheck_testkit::{Limits, compare, generate, read};

const LIMITS: Limits = Limits { states: 150, depth: 40 };

/// Every part of it matters.
const SYSTEM: &str = "
system {
  environment = e: 0; a[2]: 0
  spawn = Ant: 2, Bee: 1
}
stigmergy Left {
  link = x of 1 <= x of 2 or s of 1 = 1
  s, t: 0, id
  u: 0
}
agent Ant {
  interface = x: id; y: undef
  stigmergies = Left
  Behavior = s != 2 -> (s, t <~ (s + 1) % 3, x || (e = 0 => { v := [0..2]; a[v], e <-- 1, 1 })); x <- y; Behavior
}
agent Bee {
  interface = x: 1
  stigmergies = Left
  Behavior = (x <- u ++ { p[] := pick 1 Ant where x of 1 = x of 2; u <~ s of p[0] }); Behavior
}
check { P = always forall Ant b, x of b = 0 or !(y of b = 1) }
";

fn program(text: &str, options: Options) -> (swarmcheck_labs::model::Model, Program) {
    let model = read(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let program = lower::lower(&model, text, options).unwrap_or_else(|d| panic!("{}", d.message)).program;
    (model, program)
}

/// All programs that differ from this one at one place, with what was done to them.
fn mutants(program: &Program) -> Vec<(String, Program)> {
    let mut out = vec![];
    let mut add = |what: String, change: &dyn Fn(&mut Program)| {
        let mut mutant = program.clone();
        change(&mut mutant);
        if mutant != *program {
            out.push((what, mutant));
        }
    };
    for (at, function) in program.functions.iter().enumerate() {
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
    for fair in [false, true] {
        let options = Options { fair, ..Options::default() };
        let model = read(SYSTEM).expect("a system");
        let summary = compare(SYSTEM, &model, options, LIMITS).unwrap_or_else(|m| panic!("{m}"));
        assert!(summary.states > 100, "{summary:?}");
    }
}

#[test]
fn different_readings_are_told_apart() {
    let all = [false, true]
        .into_iter()
        .flat_map(|fair| [Semantics::Sliver, Semantics::Paper].map(|semantics| Options { fair, semantics }));
    let all: Vec<Options> = all.collect();
    for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (*one, *other))) {
        let (model, program) = program(SYSTEM, other);
        let result = Literal::new(SYSTEM, &model, one, LIMITS).compare(&Flat::new(program));
        assert_eq!(result.is_err(), one != other, "{one:?}, {other:?}");
    }
}

/// The mutants of a system that the comparison takes for the system, and the number of all mutants.
fn missed(text: &str, options: Options, every: usize) -> (Vec<String>, usize) {
    let (model, program) = program(text, options);
    let mut literal = Literal::new(text, &model, options, LIMITS);
    let mutants: Vec<_> = mutants(&program).into_iter().step_by(every).collect();
    let total = mutants.len();
    let missed =
        mutants.into_iter().filter(|(_, mutant)| literal.compare(&Flat::new(mutant.clone())).is_ok());
    (missed.map(|(what, _)| what).collect(), total)
}

#[test]
fn every_part_of_the_program_matters() {
    for fair in [false, true] {
        let (missed, total) = missed(SYSTEM, Options { fair, ..Options::default() }, 1);
        println!("{} of {total} mutants missed: {missed:#?}", missed.len());
        assert!(total > 100 && missed.len() * 10 < total, "{} of {total}: {missed:#?}", missed.len());
    }
}

/// Not all can be: parts of a random system are never reached, or make no difference.
#[test]
fn most_mutants_of_random_systems_are_detected() {
    let n: u64 = std::env::var("N").map_or(40, |n| n.parse().unwrap());
    let (mut total, mut found) = (0, 0);
    for seed in 0..n {
        let text = generate::system(seed);
        let options = Options { fair: seed % 2 == 0, ..Options::default() };
        let (missed, tried) = missed(&text, options, 7);
        total += tried;
        found += tried - missed.len();
    }
    println!("{found} of {total} mutants detected");
    assert!(total > 200 && found * 10 >= total * 4, "{found} of {total}");
}
