//! A small program in which every check has something to look at.

use crate::expr::{BinaryOp, Expr, Place, Quantifier};
use crate::program::{AgentKind, Function, KindId, Local, LocalId, Program, Role, Rule, Var, VarId};
use crate::property::{Inside, Modality, Property};
use crate::stmt::{Set, Stmt};
use crate::{UNDEF, Value};
use swarmcheck_source::Span;

pub const A: KindId = KindId(0);
pub const B: KindId = KindId(1);
/// A global scalar.
pub const G: VarId = VarId(0);
/// An array of the agents of both kinds.
pub const X: VarId = VarId(1);
/// The order of `X`.
pub const ORDER: VarId = VarId(2);
/// The location of the agents of kind A.
pub const PC: VarId = VarId(3);
/// A local array.
pub const PICKED: LocalId = LocalId(0);
/// A scalar local.
pub const VALUE: LocalId = LocalId(1);

pub fn number(v: Value) -> Expr {
    Expr::Const(v)
}

pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b), Span::default())
}

pub fn less(a: Expr, b: Expr) -> Expr {
    binary(BinaryOp::Lt, a, b)
}

pub fn x(agent: Expr, index: Expr) -> Place {
    Place { var: X, agent: Some(Box::new(agent)), index: vec![index], span: Span::default() }
}

pub fn forall(bound: u32, body: Expr) -> Expr {
    Expr::Quantified(Quantifier::Forall, vec![A, B], bound, Box::new(body))
}

pub fn pick(local: LocalId) -> Stmt {
    Stmt::Pick { local, kinds: vec![A, B], bound: 1, condition: less(Expr::Bound(1), Expr::Me) }
}

pub fn sound() -> Program {
    let var = |name: &str, owners, role| Var {
        name: name.to_string(),
        owners,
        dimensions: vec![],
        domain: Some((0, 5)),
        may_be_undef: false,
        role,
    };
    let both = || Some(vec![A, B]);
    let data = Role::Data { arrow: "<~", order: Some(ORDER) };
    let vars = vec![
        Var { domain: None, ..var("g", None, Role::Data { arrow: "<--", order: None }) },
        Var { dimensions: vec![2], domain: None, may_be_undef: true, ..var("x", both(), data) },
        var("order.x", both(), Role::Order),
        var("pc0", Some(vec![A]), Role::Location),
    ];
    let mine = || Place::of(ORDER, Expr::Me);
    let body = vec![
        pick(PICKED),
        Stmt::If(
            less(Expr::Me, number(2)),
            vec![Stmt::Let(VALUE, Expr::Read(x(Expr::Me, number(0))))],
            vec![Stmt::Havoc(VALUE, Set::Range(number(0), number(3)))],
        ),
        Stmt::Assume(Expr::defined(Expr::Local(VALUE))),
        Stmt::Check(x(Expr::Me, Expr::Local(VALUE))),
        Stmt::Assign(
            x(Expr::LocalCell(PICKED, Box::new(number(0)), Span::default()), number(1)),
            Expr::If(Box::new(less(Expr::Me, number(1))), Box::new(number(1)), Box::new(number(UNDEF))),
        ),
        Stmt::Choose(vec![
            (Expr::TRUE, vec![]),
            (Expr::Or(vec![Expr::FALSE]), vec![Stmt::Assign(mine(), number(1))]),
        ]),
        Stmt::ForEach(
            vec![A, B],
            0,
            vec![Stmt::Copy(X, Expr::Bound(0), Expr::Me), Stmt::Copy(ORDER, Expr::Bound(0), Expr::Me)],
        ),
        Stmt::Rank(ORDER),
    ];
    let function = Function {
        name: "f".to_string(),
        rule: Rule::Action { words: "x <~ 1".to_string(), site: 0 },
        owners: vec![A],
        entry: vec![(PC, 5)],
        guard: forall(0, Expr::not(less(Expr::Read(x(Expr::Bound(0), number(1))), Expr::Me))),
        locals: vec![
            Local { name: "picked".to_string(), length: Some(2) },
            Local { name: "value".to_string(), length: None },
        ],
        body,
        span: Span::default(),
    };
    let count = Expr::Quantified(Quantifier::Count, vec![A], 0, Box::new(Expr::TRUE));
    let property = Property {
        name: "p".to_string(),
        modality: Modality::Scoped {
            open: true,
            start: Expr::TRUE,
            end: less(count, number(3)),
            inside: Inside::Precedes(Expr::FALSE),
        },
        predicate: forall(0, forall(1, less(Expr::Bound(0), Expr::Bound(1)))),
        span: Span::default(),
        vacuous: false,
    };
    Program {
        kinds: vec![
            AgentKind { name: "A".to_string(), first: 0, count: 2 },
            AgentKind { name: "B".to_string(), first: 2, count: 0 },
        ],
        vars,
        init_locals: vec![Local { name: "n".to_string(), length: None }],
        init: vec![
            Stmt::Havoc(LocalId(0), Set::one(number(3))),
            Stmt::ForEach(
                vec![A],
                0,
                vec![Stmt::Fill(Place::of(X, Expr::Bound(0)), Set::one(number(UNDEF)))],
            ),
            Stmt::Assign(Place::global(G), Expr::Local(LocalId(0))),
        ],
        functions: vec![function],
        properties: vec![property],
    }
}
