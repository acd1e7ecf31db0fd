//! A tiny world for exhaustive tests: a program with few states, all of them, and all expressions of a small size.

use swarmcheck_ir::flat::{Flat, Machine};
use swarmcheck_ir::print::condition_to_string;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{
    AgentKind, BinaryOp, Expr, Fault, KindId, Modality, Place, Program, Property, Quantifier, UNDEF, UnaryOp,
    Value, Var, VarId,
};
use swarmcheck_source::Span;

/// Two agents; `x` and each agent's `y` may be ⊥, `z` and the array `t` of two cells may not.
pub fn program() -> Program {
    let var = |name: &str, owners, dimensions, may_be_undef| Var {
        name: name.to_string(),
        owners,
        dimensions,
        domain: None,
        may_be_undef,
        role: Role::Data { arrow: "<-", order: None },
    };
    // Makes room for two bound agents.
    let deep = quantified(Quantifier::Forall, 0, quantified(Quantifier::Forall, 1, Expr::TRUE));
    let property = Property {
        name: "Deep".to_string(),
        modality: Modality::Always,
        predicate: deep,
        span: Span::default(),
        vacuous: false,
    };
    Program {
        kinds: vec![AgentKind { name: "K".to_string(), first: 0, count: 2 }],
        vars: vec![
            var("x", None, vec![], true),
            var("z", None, vec![], false),
            var("t", None, vec![2], false),
            var("y", Some(vec![KindId(0)]), vec![], true),
        ],
        init_locals: vec![],
        init: vec![],
        functions: vec![],
        properties: vec![property],
    }
}

/// `x`.
pub fn x() -> Expr {
    Expr::Read(Place::global(VarId(0)))
}

/// `z`, never ⊥; 2 is out of bounds for `t`.
pub fn z() -> Expr {
    Expr::Read(Place::global(VarId(1)))
}

/// `t[index]`.
pub fn cell(index: Expr) -> Expr {
    Expr::Read(Place { var: VarId(2), agent: None, index: vec![index], span: Span::new(1, 2) })
}

/// `y[agent]`.
pub fn y(agent: Expr) -> Expr {
    Expr::Read(Place { span: Span::new(3, 4), ..Place::of(VarId(3), agent) })
}

/// `a op b`.
pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b), Span::default())
}

/// `e != 0`.
pub fn test(e: Expr) -> Expr {
    binary(BinaryOp::Ne, e, Expr::Const(0))
}

/// A quantifier over the only kind.
pub fn quantified(quantifier: Quantifier, bound: u32, body: Expr) -> Expr {
    Expr::Quantified(quantifier, vec![KindId(0)], bound, Box::new(body))
}

/// Closed numbers: some that may be ⊥, some that may fault, some that are neither.
pub fn numbers() -> Vec<Expr> {
    let leaves = [x(), z(), Expr::Const(1), Expr::Const(UNDEF), cell(z()), cell(x()), y(z())];
    let mut out = leaves.to_vec();
    for a in &leaves {
        out.push(Expr::Unary(UnaryOp::Neg, Box::new(a.clone())));
        for b in &leaves {
            for op in [BinaryOp::Add, BinaryOp::Div, BinaryOp::Mod, BinaryOp::Max] {
                out.push(binary(op, a.clone(), b.clone()));
            }
            out.push(Expr::If(Box::new(test(x())), Box::new(a.clone()), Box::new(b.clone())));
        }
    }
    out.push(quantified(Quantifier::Count, 0, test(y(Expr::Bound(0)))));
    out
}

/// Closed conditions with every connective, two deep, over comparisons of every kind of operand.
pub fn conditions() -> Vec<Expr> {
    let count = quantified(Quantifier::Count, 0, binary(BinaryOp::Lt, y(Expr::Bound(0)), x()));
    let mut one: Vec<Expr> = vec![
        Expr::TRUE,
        Expr::FALSE,
        Expr::Defined(Box::new(x())),
        Expr::Defined(Box::new(cell(z()))),
        binary(BinaryOp::Eq, x(), z()),
        binary(BinaryOp::Le, z(), Expr::Const(1)),
        binary(BinaryOp::Lt, cell(z()), x()),
        binary(BinaryOp::Gt, binary(BinaryOp::Div, Expr::Const(1), z()), Expr::Const(0)),
        binary(BinaryOp::Ge, count, Expr::Const(1)),
    ];
    let (a, b) = (Expr::Bound(0), Expr::Bound(1));
    let agree = binary(BinaryOp::Eq, y(a.clone()), y(b.clone()));
    let differ = binary(BinaryOp::Ne, a.clone(), b);
    for q in [Quantifier::Forall, Quantifier::Exists] {
        one.push(quantified(q, 0, binary(BinaryOp::Lt, y(a.clone()), cell(a.clone()))));
        one.push(quantified(q, 0, binary(BinaryOp::Le, y(a.clone()), cell(z()))));
        for r in [Quantifier::Forall, Quantifier::Exists] {
            let body = Expr::Or(vec![Expr::not(differ.clone()), Expr::not(agree.clone())]);
            one.push(quantified(q, 0, quantified(r, 1, body)));
        }
    }
    let (two, three) = (combine(&one), combine(&one[2..8]));
    one.into_iter().chain(two).chain(combine(&three[..60])).collect()
}

fn combine(parts: &[Expr]) -> Vec<Expr> {
    let mut out = vec![];
    for a in parts {
        out.push(Expr::Unary(UnaryOp::Not, Box::new(a.clone())));
        for b in parts {
            out.push(Expr::And(vec![a.clone(), Expr::not(b.clone())]));
            out.push(Expr::Or(vec![a.clone(), b.clone()]));
            out.push(Expr::If(
                Box::new(a.clone()),
                Box::new(b.clone()),
                Box::new(Expr::not(parts[0].clone())),
            ));
        }
    }
    out
}

/// The program and all its states.
pub struct World {
    flat: Flat,
    machine: Machine,
    states: Vec<Vec<Value>>,
}

impl World {
    pub fn new() -> World {
        let flat = Flat::new(program());
        // In the order of the layout: x, z, t[0], t[1], y[0], y[1].
        let domains: [&[Value]; 6] = [&[UNDEF, 0, 2], &[0, 1, 2], &[1], &[0, 2], &[UNDEF, 0, 1], &[UNDEF, 1]];
        let mut states = vec![vec![]];
        for domain in domains {
            let longer =
                |s: &Vec<Value>| domain.iter().map(|v| [s.as_slice(), &[*v]].concat()).collect::<Vec<_>>();
            states = states.iter().flat_map(longer).collect();
        }
        World { machine: Machine::new(&flat), flat, states }
    }

    pub fn program(&self) -> &Program {
        &self.flat.program
    }

    /// What a closed condition evaluates to, state by state.
    pub fn truths(&mut self, e: &Expr) -> Vec<Result<bool, Fault>> {
        let code = self.flat.compile(e);
        self.states.iter().map(|s| self.machine.test(&self.flat, &code, s)).collect()
    }

    /// The condition as text, for messages.
    pub fn show(&self, e: &Expr) -> String {
        condition_to_string(&self.flat.program, &[], e)
    }
}
