//! The scalarset rules: how code may use numbers of agents.

use super::fault::Faults;
use super::loops;
use super::moved::{Moved, Share};
use super::types::{ID, Node, PLAIN, Type, Types};
use swarmcheck_ir::{BinaryOp, Expr, Function, KindId, Place, Program, Quantifier, Set, Stmt, UnaryOp};

/// Offsets greater than this are not taken for positions on a ring; smaller ones cannot overflow.
const LARGEST_OFFSET: i64 = 1 << 31;

/// The types of all variables under trial.
pub(super) struct Variables<'a> {
    pub moved: &'a Moved<'a>,
    pub types: Types,
    /// Of each variable, what it holds.
    pub holds: Vec<Node>,
    /// Of each variable, what its dimensions are indexed by.
    pub index: Vec<Vec<Node>>,
}

impl<'a> Variables<'a> {
    pub fn new(moved: &'a Moved<'a>) -> Variables<'a> {
        let mut types = Types::new();
        let program = moved.program;
        let holds = program.vars.iter().map(|_| types.fresh()).collect();
        let index =
            program.vars.iter().map(|v| v.dimensions.iter().map(|_| types.fresh()).collect()).collect();
        Variables { moved, types, holds, index }
    }

    /// Applies the rules to a function.
    pub fn function(&mut self, f: &'a Function) {
        for (var, _) in &f.entry {
            self.types.need(Type::Is(self.holds[var.0 as usize]), PLAIN);
        }
        let locals = f.locals.iter().map(|_| self.types.fresh()).collect();
        let mut code = Code { vars: self, locals, bound: vec![], owners: &f.owners };
        code.condition(&f.guard);
        code.block(&f.body);
    }

    /// Applies the rules to a condition that no agent runs.
    pub fn closed(&mut self, e: &Expr) {
        Code { vars: self, locals: vec![], bound: vec![], owners: &[] }.condition(e);
    }
}

/// One piece of code.
struct Code<'v, 'a, 'e> {
    vars: &'v mut Variables<'a>,
    locals: Vec<Node>,
    bound: Vec<(u32, &'e [KindId])>,
    owners: &'e [KindId],
}

impl<'a: 'e, 'e> Code<'_, 'a, 'e> {
    fn program(&self) -> &'a Program {
        self.vars.moved.program
    }

    fn refuse(&mut self) {
        self.vars.types.fits = false;
    }

    fn need(&mut self, e: &'e Expr, node: Node) {
        let t = self.number(e);
        self.vars.types.need(t, node);
    }

    fn faults(&self) -> Faults<'e> {
        self.bound.iter().fold(Faults::new(self.program(), self.owners), |f, (b, k)| f.under(*b, k))
    }

    fn condition(&mut self, e: &'e Expr) {
        self.number(e);
    }

    /// The type of an expression; conditions are plain.
    fn number(&mut self, e: &'e Expr) -> Type {
        match e {
            Expr::Const(v) if self.vars.moved.number(*v) => Type::Is(PLAIN),
            Expr::Const(_) => Type::Any,
            Expr::Me => self.agent(self.owners),
            Expr::Bound(b) => {
                let kinds =
                    self.bound.iter().rev().find(|(bound, _)| bound == b).map_or(&[][..], |(_, k)| *k);
                self.agent(kinds)
            }
            Expr::Read(place) => self.place(place),
            Expr::Local(l) => Type::Is(self.locals[l.0 as usize]),
            Expr::LocalCell(l, index, _) => {
                self.need(index, PLAIN);
                Type::Is(self.locals[l.0 as usize])
            }
            Expr::Unary(UnaryOp::Not, e) => {
                self.condition(e);
                Type::Is(PLAIN)
            }
            Expr::Unary(_, e) => {
                self.need(e, PLAIN);
                Type::Is(PLAIN)
            }
            Expr::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b, _) => {
                let (a, b) = (self.number(a), self.number(b));
                self.vars.types.join(a, b);
                Type::Is(PLAIN)
            }
            Expr::Binary(op, a, b, _) => {
                if let Some(from) = self.on_the_ring(*op, a, b) {
                    // Going round by a constant: from an agent to an agent, from a number to a number.
                    return match self.number(from) {
                        Type::Any => Type::Is(PLAIN),
                        is => is,
                    };
                }
                self.need(a, PLAIN);
                self.need(b, PLAIN);
                Type::Is(PLAIN)
            }
            Expr::And(parts) | Expr::Or(parts) => {
                parts.iter().for_each(|p| self.condition(p));
                Type::Is(PLAIN)
            }
            Expr::If(c, a, b) => {
                self.condition(c);
                let (a, b) = (self.number(a), self.number(b));
                self.vars.types.join(a, b)
            }
            Expr::Defined(e) => {
                self.number(e);
                Type::Is(PLAIN)
            }
            Expr::Quantified(quantifier, kinds, bound, body) => {
                self.binding(*bound, kinds, |code| code.condition(body));
                // Stopping early hides the faults of those who come later, and who they are changes.
                let stops = *quantifier != Quantifier::Count && self.vars.moved.share(kinds) != Share::None;
                if stops && self.faults().under(*bound, kinds).possible(body) {
                    self.refuse();
                }
                Type::Is(PLAIN)
            }
        }
    }

    /// The type of the number of an agent of these kinds.
    fn agent(&self, kinds: &[KindId]) -> Type {
        if self.vars.moved.share(kinds) == Share::None { Type::Any } else { Type::Is(ID) }
    }

    fn binding(&mut self, bound: u32, kinds: &'e [KindId], inside: impl FnOnce(&mut Self)) {
        if self.vars.moved.share(kinds) == Share::Some {
            self.refuse();
        }
        self.bound.push((bound, kinds));
        inside(self);
        self.bound.pop();
    }

    /// `(from + offset) % ring`, with `from` surely on the ring (or ⊥).
    fn on_the_ring(&self, op: BinaryOp, a: &'e Expr, b: &'e Expr) -> Option<&'e Expr> {
        let ring = self.vars.moved.ring()?;
        let Expr::Const(modulus) = b else { return None };
        if op != BinaryOp::Mod || *modulus != ring {
            return None;
        }
        let small = |e: &Expr| matches!(e, Expr::Const(c) if c.unsigned_abs() < LARGEST_OFFSET as u64);
        let from = match a {
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub, from, offset, _) if small(offset) => from,
            Expr::Binary(BinaryOp::Add, offset, from, _) if small(offset) => from,
            from => from,
        };
        let (lo, hi) = self.faults().range(from)?;
        (0 <= lo && hi < i128::from(ring)).then_some(from)
    }

    /// The type of what a place holds.
    fn place(&mut self, place: &'e Place) -> Type {
        if let Some(agent) = &place.agent {
            let t = self.number(agent);
            let owners = self.program().var(place.var).owners.as_deref().unwrap_or(&[]);
            // Which copy it is matters only if copies change places.
            if self.vars.moved.share(owners) != Share::None {
                self.vars.types.need(t, ID);
            }
        }
        let var = place.var.0 as usize;
        for (dimension, e) in place.index.iter().enumerate() {
            let t = self.number(e);
            let index = self.vars.index[var][dimension];
            self.vars.types.need(t, index);
        }
        Type::Is(self.vars.holds[var])
    }

    fn block(&mut self, body: &'e [Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &'e Stmt) {
        swarmcheck_ir::cancel::check();
        match s {
            Stmt::Assign(place, e) => {
                let (t, place) = (self.number(e), self.place(place));
                self.vars.types.join(place, t);
            }
            Stmt::Fill(place, set) => {
                let place = self.place(place);
                self.draw(set, place);
            }
            Stmt::Let(l, e) => self.need(e, self.locals[l.0 as usize]),
            Stmt::Havoc(l, set) => self.draw(set, Type::Is(self.locals[l.0 as usize])),
            Stmt::Pick { local, kinds, bound, condition } => {
                let t = self.agent(kinds);
                self.vars.types.need(t, self.locals[local.0 as usize]);
                self.binding(*bound, kinds, |code| code.condition(condition));
            }
            Stmt::Assume(e) => self.condition(e),
            Stmt::Check(place) => {
                self.place(place);
            }
            Stmt::If(c, yes, no) => {
                self.condition(c);
                self.block(yes);
                self.block(no);
            }
            Stmt::Choose(branches) => {
                for (c, body) in branches {
                    self.condition(c);
                    self.block(body);
                }
            }
            Stmt::ForEach(kinds, bound, body) => {
                self.binding(*bound, kinds, |code| code.block(body));
                if self.vars.moved.share(kinds) != Share::None && !loops::in_any_order(*bound, body) {
                    self.refuse();
                }
            }
            Stmt::Copy(var, to, from) => {
                let (to, from) = (self.number(to), self.number(from));
                let owners = self.program().var(*var).owners.as_deref().unwrap_or(&[]);
                if self.vars.moved.share(owners) != Share::None {
                    self.vars.types.need(to, ID);
                    self.vars.types.need(from, ID);
                }
            }
            Stmt::Rank(var) => self.vars.types.need(Type::Is(self.vars.holds[var.0 as usize]), PLAIN),
        }
    }

    fn draw(&mut self, set: &'e Set, into: Type) {
        match set {
            Set::Values(values) => {
                for e in values {
                    let t = self.number(e);
                    self.vars.types.join(into, t);
                }
            }
            // All agents that are moved, or none of them: whatever it is drawn for.
            set if self.vars.moved.closed(set) => {}
            Set::Range(lo, hi) => {
                self.need(lo, PLAIN);
                self.need(hi, PLAIN);
                self.vars.types.need(into, PLAIN);
            }
        }
    }
}
