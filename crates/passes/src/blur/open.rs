//! Answers that are left open: all of them at first, and later those that a block may have changed.

use super::question::Question;
use std::collections::BTreeSet;
use swarmcheck_ir::Local;
use swarmcheck_ir::{BinaryOp, Expr, KindId, LocalId, Place, Program, Set, Stmt, VarId, stmt};
use swarmcheck_source::Span;

/// The variables that a body writes.
pub(super) fn written(body: &[Stmt]) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    stmt::walk(body, &mut |s| out.extend(write(s).map(|(var, _)| var)));
    out
}

/// The variable that a statement writes, and whose.
fn write(s: &Stmt) -> Option<(VarId, Option<&Expr>)> {
    match s {
        Stmt::Assign(Place { var, agent, .. }, _) | Stmt::Fill(Place { var, agent, .. }, _) => {
            Some((*var, agent.as_deref()))
        }
        Stmt::Copy(var, to, _) => Some((*var, Some(to))),
        Stmt::Rank(var) => Some((*var, None)),
        _ => None,
    }
}

/// Opens the answers to all questions at first, and after writes. The answers get the variables after those of the program.
/// `None` if it cannot be said whose variables are written.
pub(super) fn everywhere(program: &mut Program, questions: &[Question]) -> Option<()> {
    let open = Open { program: &program.clone(), questions };
    for function in &mut program.functions {
        open.block(&mut function.body, &mut function.locals)?;
    }
    let bound = open.program.binders();
    for number in 0..questions.len() {
        let somebody = Stmt::ForEach(
            open.owners(number, 0),
            bound,
            open.about(number, &Expr::Bound(bound), 0, bound + 1, &mut program.init_locals),
        );
        program.init.push(somebody);
    }
    Some(())
}

struct Open<'a> {
    program: &'a Program,
    questions: &'a [Question],
}

impl Open<'_> {
    /// After what a block writes itself, the answers that depend on it are open; so it is with the blocks inside.
    fn block(&self, body: &mut Vec<Stmt>, locals: &mut Vec<Local>) -> Option<()> {
        let mut changed: Vec<(usize, usize, Expr)> = vec![];
        for statement in body.iter_mut() {
            match statement {
                Stmt::If(_, yes, no) => {
                    self.block(yes, locals)?;
                    self.block(no, locals)?;
                }
                Stmt::Choose(branches) => {
                    branches.iter_mut().try_for_each(|(_, inner)| self.block(inner, locals))?;
                }
                Stmt::ForEach(_, _, inner) => self.block(inner, locals)?,
                _ => {}
            }
            let Some((var, whose)) = write(statement) else { continue };
            for (number, question) in self.questions.iter().enumerate() {
                for who in 0..question.agents {
                    if !question.reads.contains(&(var, who)) {
                        continue;
                    }
                    // Somebody who is computed may be somebody else at the end of the block.
                    let whose = whose.filter(|w| matches!(w, Expr::Me | Expr::Bound(_) | Expr::Const(_)))?;
                    // Of a mutual question it does not matter who is first.
                    let change = (number, if question.mutual { 0 } else { who }, whose.clone());
                    if !changed.contains(&change) {
                        changed.push(change);
                    }
                }
            }
        }
        let bound = self.program.binders();
        for (number, who, whose) in changed {
            body.extend(self.about(number, &whose, who, bound, locals));
        }
        Some(())
    }

    /// Opens the answers to a question about an agent in this place, and every other one in the other place.
    fn about(
        &self,
        number: usize,
        agent: &Expr,
        place: usize,
        bound: u32,
        locals: &mut Vec<Local>,
    ) -> Vec<Stmt> {
        let question = &self.questions[number];
        if question.agents == 1 {
            return self.one(number, std::slice::from_ref(agent), locals);
        }
        let other = Expr::Bound(bound);
        let mut both = [agent.clone(), other.clone()];
        if place == 1 {
            both.reverse();
        }
        let differ = Expr::Binary(BinaryOp::Ne, Box::new(agent.clone()), Box::new(other), Span::default());
        let inner = vec![Stmt::If(differ, self.one(number, &both, locals), vec![])];
        vec![Stmt::ForEach(self.owners(number, 1 - place), bound, inner)]
    }

    fn one(&self, number: usize, agents: &[Expr], locals: &mut Vec<Local>) -> Vec<Stmt> {
        let local = LocalId(locals.len() as u32);
        locals.push(Local { name: format!("answer{}", local.0), length: None });
        let var = VarId((self.program.vars.len() + number) as u32);
        let either = Set::Values(vec![Expr::FALSE, Expr::TRUE]);
        let place = self.questions[number].place(var, agents);
        vec![Stmt::Havoc(local, either), Stmt::Assign(place, Expr::Local(local))]
    }

    /// The kinds of agents that have everything the question reads of the agent in this place; about others it is never
    /// asked. Where it reads nothing of it but its number, that is everybody.
    fn owners(&self, number: usize, place: usize) -> Vec<KindId> {
        let question = &self.questions[number];
        let has = |kind: KindId, var: VarId| {
            self.program.var(var).owners.as_ref().is_some_and(|owners| owners.contains(&kind))
        };
        let fits = |kind: &KindId| {
            question.reads.iter().all(|(var, who)| (*who != place && !question.mutual) || has(*kind, *var))
        };
        (0..self.program.kinds.len() as u32).map(KindId).filter(fits).collect()
    }
}
