//! What variables hold: data, identities of agents, or ranks of timestamps.
//!
//! Identities are found by following them from where they arise (the agent that makes a step, bound agents, drawn agents)
//! to the variables that they are written to or compared with. What is left is data. [`crate::deletion`] then checks that
//! nothing else is done with identities; this file only guesses, and a wrong guess is refused there.

use std::collections::HashSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{Expr, LocalId, Program, Set, Stmt, UNDEF, VarId};

/// Which variables and locals hold identities.
#[derive(Clone, Debug, Default)]
pub struct Identities {
    vars: HashSet<VarId>,
    /// With the number of the function; none for the initial block.
    locals: HashSet<(Option<usize>, LocalId)>,
}

/// What an expression stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A number, or a condition.
    Data,
    /// An agent, or a value that stands for none.
    Identity,
    /// When the value of a stigmergic variable was written.
    Timestamp(VarId),
    /// A constant, which may be any of these; or one of several that name no agent.
    Constant(i64),
}

impl Identities {
    /// Follows identities through a program.
    pub fn new(program: &Program) -> Identities {
        let mut found = Identities::default();
        loop {
            let before = (found.vars.len(), found.locals.len());
            found.block(program, None, &program.init);
            for (number, function) in program.functions.iter().enumerate() {
                found.expr(program, Some(number), &function.guard);
                found.block(program, Some(number), &function.body);
            }
            for e in program.properties.iter().flat_map(|property| property.exprs()) {
                found.expr(program, None, e);
            }
            if before == (found.vars.len(), found.locals.len()) {
                return found;
            }
        }
    }

    /// Whether a variable holds identities.
    pub fn holds(&self, var: VarId) -> bool {
        self.vars.contains(&var)
    }

    /// The sort of an expression of a function, or of the initial block.
    pub fn sort(&self, program: &Program, function: Option<usize>, e: &Expr) -> Sort {
        match e {
            Expr::Const(value) => Sort::Constant(*value),
            Expr::Me | Expr::Bound(_) | Expr::LocalCell(..) => Sort::Identity,
            Expr::Read(place) if program.var(place.var).role == Role::Order => Sort::Timestamp(place.var),
            Expr::Read(place) if self.holds(place.var) => Sort::Identity,
            Expr::Local(local) if self.locals.contains(&(function, *local)) => Sort::Identity,
            Expr::If(_, a, b) => match (self.sort(program, function, a), self.sort(program, function, b)) {
                // Either constant may be the value: none of them may name an agent for both to stand for nobody.
                (Sort::Constant(x), Sort::Constant(y)) if x == y => Sort::Constant(x),
                (Sort::Constant(x), Sort::Constant(y)) => match names_nobody(x) && names_nobody(y) {
                    true => Sort::Constant(x.max(y)),
                    false => Sort::Data,
                },
                (Sort::Constant(_), other) => other,
                (one, _) => one,
            },
            _ => Sort::Data,
        }
    }

    fn block(&mut self, program: &Program, function: Option<usize>, block: &[Stmt]) {
        let mut all = vec![];
        swarmcheck_ir::stmt::walk(block, &mut |stmt| all.push(stmt));
        for stmt in all {
            stmt.exprs().into_iter().for_each(|e| self.expr(program, function, e));
            let is = |e: &Expr| self.sort(program, function, e) == Sort::Identity;
            match stmt {
                Stmt::Assign(place, e) if is(e) => self.var(program, place.var),
                // A local that carries "no agent" to a variable of identities.
                Stmt::Assign(place, Expr::Local(local)) if self.holds(place.var) => {
                    self.local(function, *local);
                }
                Stmt::Fill(place, Set::Values(values)) if values.iter().any(is) => {
                    self.var(program, place.var);
                }
                Stmt::Let(local, e) if is(e) => self.local(function, *local),
                Stmt::Havoc(local, Set::Values(values)) if values.iter().any(is) => {
                    self.local(function, *local);
                }
                _ => {}
            }
        }
    }

    fn var(&mut self, program: &Program, var: VarId) {
        if program.var(var).role != Role::Order {
            self.vars.insert(var);
        }
    }

    fn local(&mut self, function: Option<usize>, local: LocalId) {
        self.locals.insert((function, local));
    }

    /// What is compared with an identity is one, and so is what names an agent.
    fn expr(&mut self, program: &Program, function: Option<usize>, e: &Expr) {
        let mut found: Vec<&Expr> = vec![];
        e.walk(&mut |e| match e {
            Expr::Binary(op, a, b, _) if op.is_comparison() => {
                let sorts = [a, b].map(|side| self.sort(program, function, side));
                if sorts.contains(&Sort::Identity) {
                    found.extend([&**a, &**b]);
                }
            }
            Expr::Read(place) => found.extend(place.agent.as_deref()),
            _ => {}
        });
        for e in found {
            match e {
                Expr::Read(place) => self.var(program, place.var),
                Expr::Local(local) => self.local(function, *local),
                _ => {}
            }
        }
    }
}

/// Whether a constant can stand for "no agent": it is the number of none, whatever the number of agents.
pub fn names_nobody(value: i64) -> bool {
    value < 0 || value == UNDEF
}
