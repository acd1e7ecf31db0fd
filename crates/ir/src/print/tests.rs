//! Tests of the printer: exact text for a small program with every statement, names, and damaged programs.

use super::*;
use crate::expr::{BinaryOp, Place, Quantifier, UnaryOp};
use crate::program::{AgentKind, LocalId, VarId};
use crate::stmt::{Set, Stmt};
use crate::{Inside, UNDEF};
use swarmcheck_source::Span;

const NODE: KindId = KindId(0);
const HUB: KindId = KindId(1);
const GRID: VarId = VarId(0);
const LEVEL: VarId = VarId(1);
const ORDER: VarId = VarId(2);
const PC: VarId = VarId(3);

fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b), Span::default())
}

fn level(agent: Expr) -> Expr {
    Expr::Read(Place::of(LEVEL, agent))
}

fn cell(row: Expr, column: Expr) -> Place {
    Place { var: GRID, agent: None, index: vec![row, column], span: Span::default() }
}

fn local(name: &str, length: Option<u32>) -> Local {
    Local { name: name.to_string(), length }
}

fn property(name: &str, modality: Modality, predicate: Expr) -> Property {
    Property { name: name.to_string(), modality, predicate, span: Span::default(), vacuous: false }
}

fn program() -> Program {
    let var = |name: &str, owners: Option<Vec<KindId>>, role| Var {
        name: name.to_string(),
        owners,
        dimensions: vec![],
        domain: None,
        may_be_undef: false,
        role,
    };
    let both = || Some(vec![NODE, HUB]);
    let data = Role::Data { arrow: "<~", order: Some(ORDER) };
    let vars = vec![
        Var { dimensions: vec![2, 3], ..var("grid", None, Role::Data { arrow: "<--", order: None }) },
        Var { domain: Some((-1, 9)), may_be_undef: true, ..var("level", both(), data) },
        Var { domain: Some((0, 3)), ..var("order.level", both(), Role::Order) },
        Var { domain: Some((0, 2)), ..var("pc0", Some(vec![NODE]), Role::Location) },
    ];
    let init = vec![
        Stmt::Fill(Place::global(GRID), Set::Values(vec![Expr::Const(0), Expr::Const(1)])),
        Stmt::ForEach(
            vec![NODE, HUB],
            0,
            vec![
                Stmt::Fill(Place::of(LEVEL, Expr::Bound(0)), Set::one(Expr::Const(UNDEF))),
                Stmt::Assign(Place::of(ORDER, Expr::Bound(0)), Expr::Bound(0)),
            ],
        ),
        Stmt::Rank(ORDER),
    ];
    let me_is = |n| binary(BinaryOp::Eq, level(Expr::Me), Expr::Const(n));
    let body = vec![
        Stmt::Pick {
            local: LocalId(0),
            kinds: vec![NODE],
            bound: 0,
            condition: binary(BinaryOp::Lt, level(Expr::Bound(0)), level(Expr::Me)),
        },
        Stmt::Let(LocalId(1), binary(BinaryOp::Min, Expr::Me, Expr::Const(1))),
        Stmt::Havoc(LocalId(2), Set::Range(Expr::Const(0), binary(BinaryOp::Add, Expr::Me, Expr::Const(2)))),
        Stmt::Assume(Expr::defined(level(Expr::Me))),
        Stmt::Check(cell(Expr::Local(LocalId(1)), Expr::Local(LocalId(2)))),
        Stmt::Assign(
            cell(Expr::Local(LocalId(1)), Expr::Local(LocalId(2))),
            level(Expr::LocalCell(LocalId(0), Box::new(Expr::Const(1)), Span::default())),
        ),
        Stmt::Choose(vec![
            (me_is(1), vec![]),
            (Expr::TRUE, vec![Stmt::Copy(LEVEL, Expr::Me, Expr::Bound(0))]),
        ]),
        Stmt::If(
            me_is(2),
            vec![Stmt::Assign(Place::of(PC, Expr::Me), Expr::Const(2))],
            vec![Stmt::If(me_is(3), vec![Stmt::Rank(ORDER)], vec![Stmt::Assume(Expr::FALSE)])],
        ),
    ];
    let function = |name: &str, rule, owners, entry, guard, locals, body| Function {
        name: name.to_string(),
        rule,
        owners,
        entry,
        guard,
        locals,
        body,
        span: Span::default(),
    };
    let action = Rule::Action { words: "level <~ any".to_string(), site: 0 };
    let system = Rule::System { verb: "propagate", object: "level".to_string(), site: 0 };
    let locals = vec![local("k", Some(2)), local("value", None), local("value", None)];
    Program {
        kinds: vec![
            AgentKind { name: "Node".to_string(), first: 0, count: 2 },
            AgentKind { name: "Hub".to_string(), first: 2, count: 1 },
        ],
        vars,
        init_locals: vec![],
        init,
        functions: vec![
            function("Node_1", action, vec![NODE], vec![(PC, 1)], Expr::TRUE, locals, body),
            function("propagate_level", system, vec![NODE, HUB], vec![], me_is(1), vec![], vec![]),
        ],
        properties: vec![],
    }
}

#[test]
fn a_program_on_paper() {
    let expected = "\
agents Node 0..1
agents Hub 2

var grid[2, 3]: integer               # data <--
var level[Node, Hub]: -1..9 or undef  # data <~, as new as order.level
var order.level[Node, Hub]: 0..3      # order
var pc0[Node]: 0..2                   # location

init {
  every cell of grid := any of {0, 1}
  for each a in Node, Hub
    level[a] := undef
    order.level[a] := a
  rank order.level
}

action Node_1(me)            # level <~ any
  by Node
  at pc0[me] = 1
  do
    pick k[2], each a in Node with level[a] < level[me]
    let value = min(me, 1)
    let value2 = any of 0..<me + 2
    assume defined(level[me])
    check grid[value, value2]
    grid[value, value2] := level[k[1]]
    choose
      when level[me] = 1
        skip
      when true
        copy level from a to me
    if level[me] = 2
      pc0[me] := 2
    else if level[me] = 3
      rank order.level
    else
      assume false

message propagate_level(me)  # propagate 'level'
  when level[me] = 1
  do
    skip
";
    assert_eq!(print(&program()), expected);
}

#[test]
fn properties_on_paper() {
    let program = program();
    let some = |value| {
        let body = binary(BinaryOp::Eq, level(Expr::Bound(0)), Expr::Const(value));
        Expr::Quantified(Quantifier::Exists, vec![HUB], 0, Box::new(body))
    };
    let show = |modality| property_to_string(&program, &property("P", modality, some(0)));
    assert_eq!(show(Modality::Always), "property P: always exists a in Hub: level[a] = 0");
    assert_eq!(show(Modality::FairlyInf), "property P: fairly_inf exists a in Hub: level[a] = 0");
    assert_eq!(show(Modality::After(1)), "property P: after 1 step, exists a in Hub: level[a] = 0");
    let scoped = |open, inside| Modality::Scoped { open, start: some(1), end: Expr::FALSE, inside };
    assert_eq!(
        show(scoped(false, Inside::ThereIs)),
        "property P: between (exists a in Hub: level[a] = 1) and (false), thereIs exists a in Hub: level[a] = 0"
    );
    let first = binary(BinaryOp::Gt, Expr::Const(2), Expr::Const(1));
    assert_eq!(
        show(scoped(true, Inside::Precedes(first))),
        "property P: from (exists a in Hub: level[a] = 1) until (false), \
         2 > 1 precedes (exists a in Hub: level[a] = 0)"
    );
    let empty = Property { vacuous: true, ..property("Q", Modality::Finally, Expr::TRUE) };
    assert_eq!(
        property_to_string(&program, &empty),
        "property Q: finally true  # some quantifier ranges over nobody"
    );
}

#[test]
fn names_do_not_collide() {
    let mut program = program();
    program.vars[0].name = "b".to_string();
    program.init = vec![Stmt::ForEach(vec![NODE], 1, vec![])];
    // The variable b pushes the second bound agent to c; locals keep away from words, variables and both agents.
    let e = binary(BinaryOp::Add, Expr::Bound(0), Expr::Bound(1));
    assert_eq!(expr_to_string(&program, &[], &e), "a + c");
    let locals: Vec<Local> =
        ["x", "x", "x2", "a", "b", "c", "d", "me"].iter().map(|n| local(n, None)).collect();
    assert_eq!(local_names(&program, &locals), ["x", "x2", "x22", "a2", "b2", "c2", "d", "me2"]);
    assert_eq!(expr_to_string(&program, &locals, &Expr::Local(LocalId(3))), "a2");
    assert_eq!(expr_to_string(&program, &[], &Expr::Bound(25)), "a1");
}

#[test]
fn truth_values_only_where_conditions_are() {
    let program = program();
    let e = Expr::If(
        Box::new(Expr::TRUE),
        Box::new(Expr::Const(1)),
        Box::new(Expr::unary(UnaryOp::Neg, Expr::Const(1))),
    );
    assert_eq!(expr_to_string(&program, &[], &e), "if true then 1 else -1");
    assert_eq!(condition_to_string(&program, &[], &Expr::And(vec![])), "true");
    assert_eq!(value_to_string(UNDEF), "undef");
}

#[test]
fn a_damaged_program_is_still_printed() {
    let mut program = program();
    program.vars.clear();
    program.kinds.clear();
    program.functions[0].locals.clear();
    let text = print(&program);
    for name in ["?var0", "?kind1", "?local0"] {
        assert!(text.contains(name), "{name} in {text}");
    }
}
