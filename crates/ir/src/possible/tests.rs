//! Conditions against brute force: random bodies, in random states, run with all choices.

use super::*;
use crate::flat::{Enumerate, Flat, Instance, Machine, Outcome};
use crate::program::{AgentKind, Local, Role, Rule, Var, VarId};
use crate::{UNDEF, Value};

const G: VarId = VarId(0);
const X: VarId = VarId(1);
const ARRAY: VarId = VarId(2);
const ORDER: VarId = VarId(3);
const PC: VarId = VarId(4);
const EVERYBODY: KindId = KindId(0);
/// Scalar locals come first, then two arrays.
const SCALARS: u32 = 3;

/// Numbers that look random and are the same on every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % n
    }
}

/// Random statements. What is assigned is noted, so that programs are valid.
struct Generator {
    random: Random,
    assigned: Vec<bool>,
    bound: Vec<u32>,
}

impl Generator {
    fn agent(&mut self) -> Expr {
        match self.random.below(6) {
            0 => Expr::Const(self.random.below(3) as i64),
            1..=3 if !self.bound.is_empty() => {
                Expr::Bound(self.bound[self.random.below(self.bound.len() as u64) as usize])
            }
            4 if self.assigned[SCALARS as usize] => {
                Expr::LocalCell(LocalId(SCALARS), Box::new(Expr::Const(0)), Span::default())
            }
            5 if self.assigned[SCALARS as usize + 1] => {
                let index = self.number(1);
                Expr::LocalCell(LocalId(SCALARS + 1), Box::new(index), Span::default())
            }
            _ => Expr::Me,
        }
    }

    fn number(&mut self, depth: u32) -> Expr {
        let op = [BinaryOp::Add, BinaryOp::Min, BinaryOp::Mod][self.random.below(3) as usize];
        match self.random.below(if depth == 0 { 7 } else { 11 }) {
            0 => Expr::Const([UNDEF, 0, 1, 2][self.random.below(4) as usize]),
            1 => Expr::Read(Place::global(G)),
            2 => Expr::Read(Place::of(X, self.agent())),
            3 | 4 => {
                let local = self.random.below(SCALARS.into()) as usize;
                if self.assigned[local] { Expr::Local(LocalId(local as u32)) } else { Expr::Const(1) }
            }
            5 => self.agent(),
            6 => Expr::Read(Place::of(ORDER, self.agent())),
            7 => Expr::Read(self.cell(depth - 1)),
            8 => Expr::If(
                Box::new(self.condition(depth - 1)),
                Box::new(self.number(depth - 1)),
                Box::new(self.number(depth - 1)),
            ),
            9 => self.quantified(Quantifier::Count, depth - 1),
            _ => Expr::Binary(
                op,
                Box::new(self.number(depth - 1)),
                Box::new(self.number(depth - 1)),
                Span::default(),
            ),
        }
    }

    fn cell(&mut self, depth: u32) -> Place {
        Place { index: vec![self.number(depth)], ..Place::global(ARRAY) }
    }

    fn quantified(&mut self, quantifier: Quantifier, depth: u32) -> Expr {
        let free = (0..).find(|b| !self.bound.contains(b)).expect("there are enough");
        self.bound.push(free);
        let body = self.condition(depth);
        self.bound.pop();
        Expr::Quantified(quantifier, vec![EVERYBODY], free, Box::new(body))
    }

    fn condition(&mut self, depth: u32) -> Expr {
        let op = [BinaryOp::Eq, BinaryOp::Lt, BinaryOp::Ne][self.random.below(3) as usize];
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0..=2 => Expr::Binary(
                op,
                Box::new(self.number(depth.saturating_sub(1))),
                Box::new(self.number(depth.saturating_sub(1))),
                Span::default(),
            ),
            3 => Expr::Defined(Box::new(self.number(depth.saturating_sub(1)))),
            4 => Expr::not(self.condition(depth - 1)),
            5 => Expr::And(vec![self.condition(depth - 1), self.condition(depth - 1)]),
            6 => Expr::Or(vec![self.condition(depth - 1), self.condition(depth - 1)]),
            _ => {
                let quantifier = [Quantifier::Forall, Quantifier::Exists][self.random.below(2) as usize];
                self.quantified(quantifier, depth - 1)
            }
        }
    }

    fn set(&mut self) -> Set {
        match self.random.below(3) {
            0 => Set::Values(vec![self.number(1), self.number(1)]),
            1 => Set::Range(Expr::Const(0), Expr::Const(self.random.below(4) as i64)),
            _ => Set::Range(self.number(1), self.number(1)),
        }
    }

    fn block(&mut self, length: u64, depth: u32) -> Vec<Stmt> {
        (0..length).map(|_| self.stmt(depth)).collect()
    }

    /// Statements of a part that may not be run: what it assigns does not count afterwards.
    fn part(&mut self, depth: u32) -> Vec<Stmt> {
        let before = self.assigned.clone();
        let length = self.random.below(3);
        let out = self.block(length, depth);
        self.assigned = before;
        out
    }

    fn stmt(&mut self, depth: u32) -> Stmt {
        match self.random.below(if depth == 0 { 11 } else { 15 }) {
            0 => Stmt::Assign(Place::global(G), self.number(2)),
            1 => Stmt::Assign(Place::of(X, self.agent()), self.number(2)),
            2 => Stmt::Assign(self.cell(1), self.number(2)),
            3 | 4 => {
                let local = self.random.below(SCALARS.into()) as usize;
                let out = Stmt::Let(LocalId(local as u32), self.number(2));
                self.assigned[local] = true;
                out
            }
            5 | 6 => Stmt::Assume(self.condition(2)),
            7 => {
                let local = self.random.below(SCALARS.into()) as usize;
                let out = Stmt::Havoc(LocalId(local as u32), self.set());
                self.assigned[local] = true;
                out
            }
            8 => {
                let array = SCALARS + self.random.below(2) as u32;
                let Expr::Quantified(_, kinds, bound, condition) = self.quantified(Quantifier::Count, 1)
                else {
                    unreachable!("just made")
                };
                self.assigned[array as usize] = true;
                Stmt::Pick { local: LocalId(array), kinds, bound, condition: *condition }
            }
            9 => Stmt::Copy(X, Expr::Me, self.bound.first().map_or(Expr::Me, |b| Expr::Bound(*b))),
            10 => Stmt::Rank(ORDER),
            11 => Stmt::If(self.condition(1), self.part(depth - 1), self.part(depth - 1)),
            12 | 13 => {
                let branches = 1 + self.random.below(2);
                Stmt::Choose((0..branches).map(|_| (self.condition(1), self.part(depth - 1))).collect())
            }
            _ => {
                let free = (0..).find(|b| !self.bound.contains(b)).expect("there are enough");
                self.bound.push(free);
                let body = self.part(depth - 1);
                self.bound.pop();
                Stmt::ForEach(vec![EVERYBODY], free, body)
            }
        }
    }
}

/// One function of three agents.
pub fn program(body: Vec<Stmt>, guard: Expr) -> Program {
    let var = |name: &str, owners: Option<Vec<KindId>>, dimensions, role| Var {
        name: name.to_string(),
        owners,
        dimensions,
        domain: None,
        may_be_undef: true,
        role,
    };
    let data = || Role::Data { arrow: "<-", order: None };
    let all = || Some(vec![EVERYBODY]);
    let small = |var: Var| Var { domain: Some((0, 3)), may_be_undef: false, ..var };
    let locals = (0..SCALARS + 2)
        .map(|i| Local { name: format!("l{i}"), length: (i >= SCALARS).then(|| i - SCALARS + 1) });
    Program {
        kinds: vec![AgentKind { name: "A".to_string(), first: 0, count: 3 }],
        vars: vec![
            var("g", None, vec![], data()),
            var("x", all(), vec![], data()),
            var("array", None, vec![2], data()),
            small(var("order.x", all(), vec![], Role::Order)),
            small(var("pc", all(), vec![], Role::Location)),
        ],
        init_locals: vec![],
        init: vec![],
        functions: vec![Function {
            name: "f".to_string(),
            rule: Rule::Action { words: "f".to_string(), site: 0 },
            owners: vec![EVERYBODY],
            entry: vec![(PC, 0)],
            guard,
            locals: locals.collect(),
            body,
            span: Span::default(),
        }],
        properties: vec![],
    }
}

/// Ways to run a function that are tried out.
const MOST_WAYS: u32 = 300;

/// Whether the agent can run the function, tried out; `None` if some way to run it is an error of the model, or if there are
/// too many to tell.
fn tried(flat: &Flat, machine: &mut Machine, agent: u32, state: &[Value]) -> Option<bool> {
    let mut choices = Enumerate::default();
    let mut any = false;
    for _ in 0..MOST_WAYS {
        let mut next = state.to_vec();
        match machine.step(flat, Instance { function: 0, agent }, &mut next, &mut choices) {
            Outcome::Done => any = true,
            Outcome::Disabled => {}
            Outcome::Fault(_) => return None,
        }
        if !choices.advance() {
            return Some(any);
        }
    }
    any.then_some(true)
}

#[test]
fn as_trying_out() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut said, mut unsaid, mut compared, mut impossible, mut errors) = (0, 0, 0, 0, 0);
    for round in 0..2000 {
        let assigned = vec![false; SCALARS as usize + 2];
        let mut generator = Generator { random: Random(random.below(u64::MAX) | 1), assigned, bound: vec![] };
        let guard = if round % 3 == 0 { generator.condition(1) } else { Expr::TRUE };
        let length = 1 + generator.random.below(5);
        let body = generator.block(length, 2);
        let program = program(body, guard);
        let wrong = crate::validate::validate(&program);
        assert!(wrong.is_ok(), "{wrong:?}");
        let parts: Option<Vec<Expr>> =
            (0..3).map(|agent| possible(&program, &program.functions[0], &Expr::Const(agent))).collect();
        let none = stuck(&program);
        assert_eq!(parts.is_none(), none.is_none());
        assert_eq!(parts.is_none(), unknown(&program).is_some());
        let (Some(parts), Some(none)) = (parts, none) else {
            unsaid += 1;
            continue;
        };
        said += 1;
        let flat = Flat::new(program);
        let mut machine = Machine::new(&flat);
        let codes: Vec<_> = parts.iter().map(|e| flat.compile(e)).collect();
        let rests = flat.compile(&none);
        for _ in 0..12 {
            let mut state = vec![0; flat.width()];
            for (slot, value) in state.iter_mut().enumerate() {
                *value = match flat.layout.cell(slot as u32).var {
                    PC => i64::from(generator.random.below(4) == 0),
                    ORDER => generator.random.below(3) as i64,
                    _ => [UNDEF, 0, 1, 2][generator.random.below(4) as usize],
                };
            }
            let ran: Vec<Option<bool>> = (0..3).map(|a| tried(&flat, &mut machine, a, &state)).collect();
            for (agent, code) in codes.iter().enumerate() {
                let Some(ran) = ran[agent] else {
                    errors += 1;
                    continue;
                };
                let says = machine.test(&flat, code, &state);
                let program = || crate::print::print(&flat.program);
                assert_eq!(says, Ok(ran), "agent {agent} in {state:?}\n{}\n{:?}", program(), parts[agent]);
                compared += 1;
                impossible += i32::from(!ran);
            }
            if let Some(ran) = ran.into_iter().collect::<Option<Vec<bool>>>() {
                assert_eq!(machine.test(&flat, &rests, &state), Ok(!ran.contains(&true)), "{state:?}");
            }
        }
    }
    // The comparison means something: most bodies have a condition, and both answers are frequent.
    assert!(said > 1_000 && unsaid > 50, "{said} {unsaid}");
    assert!(
        compared > 20_000 && impossible > 5_000 && compared - impossible > 5_000,
        "{compared} {impossible} {errors}"
    );
}

/// What cannot get stuck is possible where its guard holds, and nothing more is said.
#[test]
fn nothing_is_added_to_a_body_that_cannot_get_stuck() {
    let body = vec![
        Stmt::Let(LocalId(0), Expr::Read(Place::global(G))),
        Stmt::Assign(Place::global(G), Expr::Local(LocalId(0))),
        Stmt::ForEach(vec![EVERYBODY], 0, vec![Stmt::Copy(X, Expr::Bound(0), Expr::Me)]),
        Stmt::Choose(vec![(Expr::TRUE, vec![Stmt::Rank(ORDER)]), (Expr::TRUE, vec![])]),
    ];
    let program = program(body, Expr::TRUE);
    let found = possible(&program, &program.functions[0], &Expr::Const(2));
    assert_eq!(found, Some(equal(Expr::Read(Place::of(PC, Expr::Const(2))), Expr::Const(0))));
}

/// Bodies that read what was ranked have no condition; a long chain of conditions does not take forever.
#[test]
fn what_cannot_be_said() {
    let reads = Expr::Binary(
        BinaryOp::Eq,
        Box::new(Expr::Read(Place::of(ORDER, Expr::Me))),
        Box::new(Expr::Const(0)),
        Span::default(),
    );
    let ranked = program(vec![Stmt::Rank(ORDER), Stmt::Assume(reads)], Expr::TRUE);
    assert_eq!(stuck(&ranked), None);
    assert_eq!(unknown(&ranked).map(|f| f.name.as_str()), Some("f"));

    let g = || Expr::Read(Place::global(G));
    let is = |v| equal(g(), Expr::Const(v));
    let double = |v| {
        Stmt::If(
            is(v),
            vec![Stmt::Assign(Place::global(G), Expr::Read(Place::of(X, Expr::Const(v % 3))))],
            vec![Stmt::Assign(Place::of(X, Expr::Me), g()), Stmt::Assume(Expr::not(is(v + 7)))],
        )
    };
    let mut body: Vec<Stmt> = (0..60).map(double).collect();
    body.push(Stmt::Assume(Expr::not(is(100))));
    assert_eq!(stuck(&program(body, Expr::TRUE)), None);
}
