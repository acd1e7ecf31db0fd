//! Random small programs, and questions about them.

use crate::definition::{Ask, Condition};
use fastrand::Rng;
use swarmcheck_ir::program::{AgentKind, Function, Local, Role, Rule, Var};
use swarmcheck_ir::property::LinearTime;
use swarmcheck_ir::{
    BinaryOp, Expr, Inside, KindId, Linear, LocalId, Modality, Place, Program, Property, Set, Stmt, VarId,
    possible,
};

/// Agents 0 and 1.
pub const KINDS: [&str; 2] = ["A", "B"];
/// A variable of the system.
pub const SHARED: VarId = VarId(0);
/// A variable of each agent.
pub const OWN: VarId = VarId(1);
/// One that only matters to itself.
const IDLE: VarId = VarId(2);

pub fn shared() -> Expr {
    Expr::Read(Place::global(SHARED))
}

pub fn own(agent: Expr) -> Expr {
    Expr::Read(Place::of(OWN, agent))
}

pub fn is(e: Expr, value: i64) -> Expr {
    Expr::binary(BinaryOp::Eq, e, Expr::Const(value), Default::default())
}

pub fn set_shared(e: Expr) -> Stmt {
    Stmt::Assign(Place::global(SHARED), e)
}

pub fn set_own(e: Expr) -> Stmt {
    Stmt::Assign(Place::of(OWN, Expr::Me), e)
}

pub fn function(name: String, acts: bool, owners: &[u32], guard: Expr, body: Vec<Stmt>) -> Function {
    let rule = match acts {
        true => Rule::Action { words: name.clone(), site: 0 },
        false => Rule::System { verb: "propagate", object: name.clone(), site: 0 },
    };
    let locals = vec![Local { name: "drawn".to_string(), length: None }];
    let owners = owners.iter().map(|k| KindId(*k)).collect();
    Function { name, rule, owners, entry: vec![], guard, locals, body, span: Default::default() }
}

/// One agent of each kind; the shared variable has values up to a limit, those of agents are 0 and 1.
pub fn program(most: i64, functions: Vec<Function>) -> Program {
    let kind = |(first, name): (u32, &&str)| AgentKind { name: (*name).to_string(), first, count: 1 };
    let kinds: Vec<AgentKind> = (0..).zip(&KINDS).map(kind).collect();
    let owners = || Some((0..kinds.len() as u32).map(KindId).collect());
    let var = |name: &str, owners, most| Var {
        name: name.to_string(),
        owners,
        dimensions: vec![],
        domain: Some((0, most)),
        may_be_undef: false,
        role: Role::Data { arrow: "<-", order: None },
    };
    let vars = vec![var("shared", None, most), var("own", owners(), 1), var("idle", None, 1)];
    Program { kinds, vars, init_locals: vec![], init: vec![], functions, properties: vec![] }
}

/// A program with few states. Some steps are choices, some get stuck on the way.
pub fn random(dice: &mut Rng) -> Program {
    let most = dice.i64(1..=2);
    // What others do must matter to who can move, or all sorts of fairness are the same.
    let mut fixed = vec![];
    if dice.bool() {
        let go = |from, to| (is(shared(), from), set_shared(Expr::Const(to)));
        let (first, second) = (go(0, 1), go(1, 0));
        let own = (is(shared(), dice.i64(0..=1)), set_own(Expr::Const(1)));
        for (number, (owner, (guard, effect))) in [(0, first), (0, second), (1, own)].into_iter().enumerate()
        {
            fixed.push(function(format!("g{number}"), true, &[owner], guard, vec![effect]));
        }
    }
    let count = dice.usize(2..=5) - fixed.len().min(2);
    let functions = (0..count).map(|number| {
        let owners: &[u32] = [&[0][..], &[1], &[0, 1]][dice.usize(..3)];
        let acts = dice.usize(..3) > 0;
        let literal = |dice: &mut Rng| match dice.usize(..5) {
            0 | 1 => is(shared(), dice.i64(0..=most)),
            2 | 3 => is(own(Expr::Me), dice.i64(0..=1)),
            _ => Expr::not(is(shared(), dice.i64(0..=most))),
        };
        let guard = match dice.usize(..4) {
            0 => Expr::TRUE,
            1 => Expr::and([literal(dice), literal(dice)]),
            _ => literal(dice),
        };
        let effect = |dice: &mut Rng| match dice.usize(..6) {
            0 | 1 => set_shared(Expr::Const(dice.i64(0..=most))),
            2 => set_own(Expr::Const(dice.i64(0..=1))),
            3 => set_own(Expr::binary(BinaryOp::Sub, Expr::Const(1), own(Expr::Me), Default::default())),
            4 => Stmt::Assign(Place::global(IDLE), own(Expr::Me)),
            _ => set_shared(own(Expr::Me)),
        };
        let mut body = vec![effect(dice)];
        match dice.usize(..6) {
            0 => body.push(effect(dice)),
            1 => {
                let branch = |dice: &mut Rng| (literal(dice), vec![effect(dice)]);
                let branches = vec![branch(dice), branch(dice)];
                body.push(Stmt::Choose(branches));
            }
            2 => body.push(Stmt::Assume(literal(dice))),
            3 => {
                let drawn = LocalId(0);
                body.push(Stmt::Havoc(drawn, Set::Range(Expr::Const(0), Expr::Const(2))));
                body.push(set_own(Expr::Local(drawn)));
            }
            _ => {}
        }
        function(format!("f{number}"), acts, owners, guard, body)
    });
    let functions = functions.collect::<Vec<_>>();
    program(most, fixed.into_iter().chain(functions).collect())
}

/// The program with the question as its only property.
pub fn check(program: &Program, asked: &Ask) -> Program {
    let mut out = program.clone();
    let expr = |condition: &Condition| match condition {
        Condition::Shared(value) => is(shared(), *value),
        Condition::Own(agent, value) => is(own(Expr::Const((*agent).into())), *value),
        Condition::Never => Expr::FALSE,
    };
    let atom = |condition: &Condition| Linear::Atom(expr(condition));
    let (globally, finally) = (Linear::globally, Linear::finally);
    let linear = |formula| {
        let rests = possible::stuck(program).expect("a condition");
        Modality::Linear(Box::new(LinearTime { formula, rests, rest: vec![] }))
    };
    let (modality, predicate) = match asked {
        Ask::Eventually(p) => (Modality::Eventually, expr(p)),
        Ask::Again(p) => (linear(globally(finally(atom(p)))), Expr::TRUE),
        Ask::Stays(p) => (linear(finally(globally(atom(p)))), Expr::TRUE),
        Ask::Response(p, q) => {
            let answer = Linear::Or(vec![Linear::not(atom(p)), finally(atom(q))]);
            (linear(globally(answer)), Expr::TRUE)
        }
        Ask::Scope(start, p) => {
            let (start, end, inside) = (expr(start), Expr::FALSE, Inside::ThereIs);
            (Modality::Scoped { open: true, start, end, inside }, expr(p))
        }
    };
    let (name, span, vacuous) = ("Asked".to_string(), Default::default(), false);
    out.properties = vec![Property { name, modality, predicate, span, vacuous }];
    out
}
