//! Nondeterministic assignments to predicate variables: to all of them initially, and to those that a block may change at
//! its end.

use super::predicate::Predicate;
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

/// Havocs all predicates initially, and the dependent ones after writes. Predicate variables are numbered after those of
/// the program. `None` if the owner of a written variable is not known statically.
pub(super) fn insert(program: &mut Program, predicates: &[Predicate]) -> Option<()> {
    let havoc = Havoc { program: &program.clone(), predicates };
    for function in &mut program.functions {
        havoc.block(&mut function.body, &mut function.locals)?;
    }
    let bound = havoc.program.binders();
    for number in 0..predicates.len() {
        let somebody = Stmt::ForEach(
            havoc.owners(number, 0),
            bound,
            havoc.about(number, &Expr::Bound(bound), 0, bound + 1, &mut program.init_locals),
        );
        program.init.push(somebody);
    }
    Some(())
}

struct Havoc<'a> {
    program: &'a Program,
    predicates: &'a [Predicate],
}

impl Havoc<'_> {
    /// Havocs, at the end of a block, the predicates that depend on what the block itself writes; nested blocks likewise.
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
            for (number, predicate) in self.predicates.iter().enumerate() {
                for who in 0..predicate.agents {
                    if !predicate.reads.contains(&(var, who)) {
                        continue;
                    }
                    // A computed agent may be another one at the end of the block.
                    let whose = whose.filter(|w| matches!(w, Expr::Me | Expr::Bound(_) | Expr::Const(_)))?;
                    // The order of the two agents of a symmetric predicate does not matter.
                    let change = (number, if predicate.symmetric { 0 } else { who }, whose.clone());
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

    /// Havocs a predicate for an agent in this place, paired with every other agent in the other place.
    fn about(
        &self,
        number: usize,
        agent: &Expr,
        place: usize,
        bound: u32,
        locals: &mut Vec<Local>,
    ) -> Vec<Stmt> {
        let predicate = &self.predicates[number];
        if predicate.agents == 1 {
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
        locals.push(Local { name: format!("predicate{}", local.0), length: None });
        let var = VarId((self.program.vars.len() + number) as u32);
        let either = Set::Values(vec![Expr::FALSE, Expr::TRUE]);
        let place = self.predicates[number].place(var, agents);
        vec![Stmt::Havoc(local, either), Stmt::Assign(place, Expr::Local(local))]
    }

    /// The kinds of agents that have every variable that the predicate reads of the agent in this place; it is never
    /// tested for others. If it reads nothing but the number of the agent, these are all kinds.
    fn owners(&self, number: usize, place: usize) -> Vec<KindId> {
        let predicate = &self.predicates[number];
        let has = |kind: KindId, var: VarId| {
            self.program.var(var).owners.as_ref().is_some_and(|owners| owners.contains(&kind))
        };
        let fits = |kind: &KindId| {
            predicate
                .reads
                .iter()
                .all(|(var, who)| (*who != place && !predicate.symmetric) || has(*kind, *var))
        };
        (0..self.program.kinds.len() as u32).map(KindId).filter(fits).collect()
    }
}
