//! The model that the answers are about: two agents with a counter that starts at 0 or 1; function 0 adds 1, function
//! 1 adds 0, 1 or 2; the property is that it stays below 3.

use swarmcheck_ir::flat::Flat;
use swarmcheck_ir::program::{AgentKind, Role};
use swarmcheck_ir::*;
use swarmcheck_source::Span;

pub fn counters() -> Flat {
    let n = |agent| Place::of(VarId(0), agent);
    let add = |e| {
        let sum = Expr::binary(BinaryOp::Add, Expr::Read(n(Expr::Me)), e, Span::default());
        Stmt::Assign(n(Expr::Me), sum)
    };
    let function = |name: &str, locals, body| Function {
        name: name.to_string(),
        rule: Rule::Action { words: name.to_string(), site: 0 },
        owners: vec![KindId(0)],
        entry: vec![],
        guard: Expr::TRUE,
        locals,
        body,
        span: Span::default(),
    };
    let any = Local { name: "any".to_string(), length: None };
    let draw = Stmt::Havoc(LocalId(0), Set::Range(Expr::Const(0), Expr::Const(3)));
    let start = Stmt::Fill(n(Expr::Bound(0)), Set::Range(Expr::Const(0), Expr::Const(2)));
    let below = Expr::binary(BinaryOp::Lt, Expr::Read(n(Expr::Bound(0))), Expr::Const(3), Span::default());
    Flat::new(Program {
        kinds: vec![AgentKind { name: "Counter".to_string(), first: 0, count: 2 }],
        vars: vec![Var {
            name: "n".to_string(),
            owners: Some(vec![KindId(0)]),
            dimensions: vec![],
            domain: None,
            may_be_undef: false,
            role: Role::Data { arrow: "<-", order: None },
        }],
        init_locals: vec![],
        init: vec![Stmt::ForEach(vec![KindId(0)], 0, vec![start])],
        functions: vec![
            function("add_one", vec![], vec![add(Expr::Const(1))]),
            function("add_any", vec![any], vec![draw, add(Expr::Local(LocalId(0)))]),
        ],
        properties: vec![Property {
            name: "Below".to_string(),
            modality: Modality::Always,
            predicate: Expr::Quantified(Quantifier::Forall, vec![KindId(0)], 0, Box::new(below)),
            span: Span::default(),
            vacuous: false,
        }],
    })
}
