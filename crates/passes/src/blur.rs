//! Blurring: of some values only the answers to the questions that are asked about them are remembered.
//!
//! Where birds are decides who sees whom, and that decides who hears a message. Three birds on a grid of ten have 64 million
//! first states; but for a property that does not speak of positions it is enough to remember for each pair whether they
//! see each other. When one of them moves, that may change or not: it is left open. Then nothing reads positions any
//! more, slicing drops them, and a few thousand states are left. What holds there holds in the original. The converse is
//! not true: a counterexample of the blurred program says nothing.
//!
//! **What is blurred.** A variable is *wide* if its first value is a choice, or if something that depends on a wide variable
//! is assigned to it. Every comparison in a guard or a branch that reads a wide variable which no property reads becomes a
//! *question*: a new variable with a truth value for the agent, or the two different agents, that it is about
//! (`question`). First values of questions are open. A block that writes something a question reads leaves its answer
//! open at its end (`open`).
//!
//! **Why what holds afterwards holds before.** To a state of the original program belongs the state of the blurred one with
//! the same values and the true answers. First states belong to first states, as all answers are possible there. Take a step
//! of the original. Its guard has the same value in the state that belongs to it. So have its branches: a body that writes
//! what a question reads does not ask that question (or the question is not used at all). At its end, answers that may have
//! changed are open, so they can be the true ones. So every execution of the original belongs to one of the blurred
//! program, and it stops exactly where that one stops, because guards and everything that can take a step back have the
//! same values in states that belong together.
//!
//! * *No model error is lost*: a comparison becomes a question only if evaluating it can neither fault nor be ⊥, whatever
//!   reachable values it reads; everything else is still evaluated where it was.
//! * *No number grows too large unseen*: slicing may drop what is too large for 64 bits and not needed. Here something is not
//!   needed any more that was before, so code that may overflow has to write what is still needed (`numbers_stay`).
//! * *Properties must speak of all executions*: see [`is_for_all`].
//!
//! The original program may be folded first: that keeps reachable states and their steps. Domains must not be narrowed
//! first, because the blurred program can reach more states.

mod open;
mod question;
mod wide;

use crate::ranges::walk::Effects;
use crate::ranges::{self, Ranges};
use crate::slice;
use crate::{Needs, Reduced};
use question::{Asked, Question};
use std::collections::BTreeSet;
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Function, KindId, Modality, Place, Program, Stmt, UnaryOp, Var, VarId};
use swarmcheck_source::Span;

/// Whether a property speaks of every execution, one by one, and of values only.
pub fn is_for_all(modality: &Modality) -> bool {
    !matches!(modality, Modality::Fairly | Modality::FairlyInf | Modality::Linear(_))
}

/// Blurs what makes a program wide, if that helps to forget it; `None` if there is nothing to gain. Of the result only what
/// holds counts.
pub fn blur(program: &Program, properties: &[usize], needs: Needs) -> Option<Reduced> {
    let forgettable = wide::forgettable(program, properties);
    if forgettable.is_empty() {
        return None;
    }
    let ranges = ranges::ranges(program);
    let mut questions = Questions { program, ranges: &ranges, forgettable: &forgettable, all: vec![] };
    let mut out = program.clone();
    for function in &mut out.functions {
        questions.function(function);
    }
    let asked = questions.all;
    if asked.is_empty() {
        return None;
    }
    open::everywhere(&mut out, &asked)?;
    let first = program.vars.len() as u32;
    let agents = program.agents();
    out.vars.extend(asked.iter().enumerate().map(|(number, question)| Var {
        name: format!("answer.{}", first + number as u32),
        owners: None,
        dimensions: vec![agents; question.agents],
        domain: Some((0, 1)),
        may_be_undef: false,
        role: Role::Data { arrow: "<-", order: None },
    }));
    let before = slice::kept_within(program, &ranges, properties, needs);
    let after = slice::kept(&out, properties, needs);
    if !numbers_stay(program, &ranges, &before, &after) {
        return None;
    }
    let gone = forgettable.iter().filter(|v| before.contains(v) && !after.contains(v));
    let gone: Vec<&str> = gone.map(|v| &*program.var(*v).name).collect();
    (!gone.is_empty()).then(|| Reduced {
        normalise: vec![],
        notes: vec![format!("proved whatever the values of {} are", gone.join(", "))],
        program: out,
    })
}

/// Whether everything that code with a number that may be too large writes is still needed, if it was.
fn numbers_stay(
    program: &Program,
    ranges: &Ranges,
    before: &BTreeSet<VarId>,
    after: &BTreeSet<VarId>,
) -> bool {
    let stays = |body: &[Stmt]| open::written(body).iter().all(|v| after.contains(v) || !before.contains(v));
    let mut start = Effects::default();
    ranges.at_start(program).block(&program.init, &mut start);
    let runs = |function: &Function| {
        let mut here = ranges.at_entry(program, function);
        let guard = here.eval(&function.guard);
        here.assume(&function.guard, true);
        let mut effects = Effects::default();
        here.block(&function.body, &mut effects);
        guard.overflow || effects.overflow
    };
    (!start.overflow || stays(&program.init)) && program.functions.iter().all(|f| stays(&f.body) || !runs(f))
}

/// The questions found so far.
struct Questions<'a> {
    program: &'a Program,
    ranges: &'a Ranges,
    forgettable: &'a BTreeSet<VarId>,
    all: Vec<Question>,
}

/// Where a condition stands.
#[derive(Clone, Default)]
struct Scope {
    /// The agents bound by loops, with their kinds.
    loops: Vec<(u32, Vec<KindId>)>,
    /// Bound agents that are known not to be the one that runs the function.
    others: BTreeSet<u32>,
}

impl Questions<'_> {
    /// Replaces comparisons in the guard and the branches of a function.
    fn function(&mut self, function: &mut Function) {
        let old = function.clone();
        let written = open::written(&old.body);
        self.condition(&old, &mut function.guard, &mut Scope::default(), &BTreeSet::new());
        self.block(&old, &mut function.body, &Scope::default(), &written);
    }

    fn block(&mut self, old: &Function, body: &mut [Stmt], scope: &Scope, written: &BTreeSet<VarId>) {
        for statement in body {
            match statement {
                Stmt::Assume(condition) => self.condition(old, condition, &mut scope.clone(), written),
                Stmt::If(condition, yes, no) => {
                    self.condition(old, condition, &mut scope.clone(), written);
                    self.block(old, yes, scope, written);
                    self.block(old, no, scope, written);
                }
                Stmt::Choose(branches) => {
                    for (condition, inner) in branches {
                        self.condition(old, condition, &mut scope.clone(), written);
                        self.block(old, inner, scope, written);
                    }
                }
                Stmt::ForEach(kinds, bound, inner) => {
                    let mut inside = scope.clone();
                    inside.others.remove(bound);
                    inside.loops.push((*bound, kinds.clone()));
                    self.block(old, inner, &inside, written);
                }
                _ => {}
            }
        }
    }

    fn condition(&mut self, old: &Function, e: &mut Expr, scope: &mut Scope, written: &BTreeSet<VarId>) {
        match e {
            Expr::And(parts) => {
                for part in parts {
                    self.condition(old, part, scope, written);
                    // What comes after it is evaluated only where it holds.
                    scope.others.extend(question::other(part));
                }
            }
            Expr::Or(parts) => {
                parts.iter_mut().for_each(|p| self.condition(old, p, &mut scope.clone(), written))
            }
            Expr::Unary(UnaryOp::Not, inner) => self.condition(old, inner, &mut scope.clone(), written),
            part => {
                if let Some(answer) = self.answer(old, part, scope, written) {
                    *part = answer;
                }
            }
        }
    }

    /// The answer in place of a comparison, if there is a good question in it.
    fn answer(&mut self, old: &Function, e: &Expr, scope: &Scope, written: &BTreeSet<VarId>) -> Option<Expr> {
        let Asked { question, agents, truth } = question::asked(e, &scope.others)?;
        let reads: BTreeSet<VarId> = question.reads.iter().map(|(var, _)| *var).collect();
        let plain = |v: &VarId| {
            let var = self.program.var(*v);
            var.dimensions.is_empty() && matches!(var.role, Role::Data { .. })
        };
        if reads.is_disjoint(self.forgettable) || !reads.is_disjoint(written) || !reads.iter().all(plain) {
            return None;
        }
        let mut here = self.ranges.at_entry(self.program, old);
        scope.loops.iter().for_each(|(bound, kinds)| here.bind(*bound, kinds));
        let evaluated = here.eval(e);
        if evaluated.fault || evaluated.overflow || evaluated.range.undef {
            return None;
        }
        let known = self.all.iter().position(|q| q.key == question.key);
        let number = known.unwrap_or_else(|| {
            self.all.push(question);
            self.all.len() - 1
        });
        let var = VarId((self.program.vars.len() + number) as u32);
        let place = self.all[number].place(var, &agents);
        let wanted = Box::new(Expr::Const(i64::from(truth)));
        Some(Expr::Binary(BinaryOp::Eq, Box::new(Expr::Read(place)), wanted, Span::default()))
    }
}

impl Question {
    /// Where the answer about these agents is.
    fn place(&self, var: VarId, agents: &[Expr]) -> Place {
        let both = |op, a: &Expr, b: &Expr| {
            Expr::Binary(op, Box::new(a.clone()), Box::new(b.clone()), Span::default())
        };
        let index = match agents {
            [a, b] if self.mutual => vec![both(BinaryOp::Min, a, b), both(BinaryOp::Max, a, b)],
            agents => agents.to_vec(),
        };
        Place { var, agent: None, index, span: Span::default() }
    }
}
