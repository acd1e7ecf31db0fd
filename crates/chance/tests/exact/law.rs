//! The law of steps on a program written by hand.

use crate::{check, never, ratio};
use num_traits::Zero;
use swarmcheck_chance::{
    Answer, BuildOptions, Control, Optimum, Path, Settings, Watched, build, probability, value_after,
};
use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{
    AgentKind, BinaryOp, Expr, Function, KindId, Local, LocalId, Place, Program, Rule, Set, Stmt, Var, VarId,
};
use swarmcheck_simulate::Scheduler;
use swarmcheck_source::Span;

fn x() -> Place {
    Place { var: VarId(0), agent: None, index: vec![], span: Span::default() }
}

fn compare(op: BinaryOp, left: Expr, right: i64) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(Expr::Const(right)), Span::default())
}

fn function(name: &str, locals: usize, body: Vec<Stmt>) -> Function {
    let local = |number| Local { name: format!("l{number}"), length: None };
    Function {
        name: name.to_string(),
        rule: Rule::System { verb: "test", object: name.to_string(), site: 0 },
        owners: vec![KindId(0)],
        entry: vec![],
        guard: compare(BinaryOp::Eq, Expr::Read(x()), 0),
        locals: (0..locals).map(local).collect(),
        body,
        span: Span::default(),
    }
}

/// All steps begin where x = 0. `draw` draws 0 to 3 and gets stuck with 3; with 0 it draws once more, 0 or 1, and gets stuck with 1; then it sets x to one more than the
/// first draw. `leap` sets x to 4. `stuck` always gets stuck.
fn program() -> Program {
    let (first, second) = (LocalId(0), LocalId(1));
    let range = |to| Set::Range(Expr::Const(0), Expr::Const(to));
    let again =
        vec![Stmt::Havoc(second, range(2)), Stmt::Assume(compare(BinaryOp::Eq, Expr::Local(second), 0))];
    let draw = vec![
        Stmt::Havoc(first, range(4)),
        Stmt::Assume(compare(BinaryOp::Lt, Expr::Local(first), 3)),
        Stmt::If(compare(BinaryOp::Eq, Expr::Local(first), 0), again, vec![]),
        Stmt::Assign(x(), compare(BinaryOp::Add, Expr::Local(first), 1)),
    ];
    Program {
        kinds: vec![AgentKind { name: "A".to_string(), first: 0, count: 1 }],
        vars: vec![Var {
            name: "x".to_string(),
            owners: None,
            dimensions: vec![],
            domain: None,
            may_be_undef: false,
            role: Role::Data { arrow: "<-", order: None },
        }],
        init_locals: vec![],
        init: vec![],
        functions: vec![
            function("draw", 2, draw),
            function("leap", 0, vec![Stmt::Assign(x(), Expr::Const(4))]),
            function("stuck", 0, vec![Stmt::Assume(Expr::Const(0))]),
        ],
        properties: vec![],
    }
}

fn reaches(value: i64, scheduler: &Scheduler, optimum: Optimum) -> Answer {
    let flat = Flat::new(program());
    let watched = Watched { conditions: vec![compare(BinaryOp::Eq, Expr::Read(x()), value)], values: vec![] };
    let built = build(&flat, scheduler, &watched, &BuildOptions::default(), Control::NONE).expect("built");
    let path = Path::eventually(built.labels[0].clone(), None);
    probability(&built.process, &path, optimum, &Settings::default(), &never).expect("solved")
}

/// `draw` runs to the end with 0, 0 (1/8), with 1 (1/4) and with 2 (1/4): 5/8 altogether. So its results have the probabilities 1/5, 2/5 and 2/5. It is as likely as
/// `leap` although it may get stuck, and `stuck` does not count.
#[test]
fn choices_that_get_stuck_are_made_again() {
    for scheduler in [Scheduler::Steps, Scheduler::Agents] {
        check(&reaches(1, &scheduler, Optimum::Chain), &ratio(1, 10));
        check(&reaches(2, &scheduler, Optimum::Chain), &ratio(1, 5));
        check(&reaches(3, &scheduler, Optimum::Chain), &ratio(1, 5));
        check(&reaches(4, &scheduler, Optimum::Chain), &ratio(1, 2));
    }
    for (value, most) in [(1, ratio(1, 5)), (2, ratio(2, 5)), (3, ratio(2, 5)), (4, ratio(1, 1))] {
        check(&reaches(value, &Scheduler::Any, Optimum::Max), &most);
        check(&reaches(value, &Scheduler::Any, Optimum::Min), &ratio(0, 1));
    }
}

/// After a step x is 1/10 · 1 + 1/5 · 2 + 1/5 · 3 + 1/2 · 4 = 31/10 on average, and stays. Without `leap`: (1 + 4 + 6) / 5 = 11/5.
#[test]
fn values_after_steps() {
    let flat = Flat::new(program());
    let watched = Watched { conditions: vec![], values: vec![Expr::Read(x())] };
    for (scheduler, optimum, wanted) in [
        (Scheduler::Steps, Optimum::Chain, ratio(31, 10)),
        (Scheduler::Any, Optimum::Min, ratio(11, 5)),
        (Scheduler::Any, Optimum::Max, ratio(4, 1)),
    ] {
        let built =
            build(&flat, &scheduler, &watched, &BuildOptions::default(), Control::NONE).expect("built");
        let after = |steps| {
            value_after(&built.process, &built.values[0], steps, optimum, &Settings::default(), &never)
                .expect("solved")
        };
        check(&after(0), &num_rational::BigRational::zero());
        check(&after(1), &wanted);
        check(&after(7), &wanted);
    }
}
