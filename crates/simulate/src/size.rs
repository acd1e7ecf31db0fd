//! How large a program becomes when loops and quantifiers are replaced by agents: whether it pays to run the ground program, which is
//! several times as fast as the flat one and larger by the number of agents for every loop.

use swarmcheck_ir::{Expr, KindId, Program, Stmt};

/// The number of expressions and statements of all instances, at most `limit`.
pub(crate) fn of_steps(program: &Program, limit: u64) -> u64 {
    let mut all: u64 = 0;
    for function in &program.functions {
        let instances = agents(program, &function.owners);
        let one = of_expr(program, &function.guard).saturating_add(of_block(program, &function.body));
        all = all.saturating_add(one.saturating_mul(instances));
        if all >= limit {
            return limit;
        }
    }
    all
}

fn agents(program: &Program, kinds: &[KindId]) -> u64 {
    kinds.iter().map(|kind| u64::from(program.kind(*kind).count)).sum()
}

fn of_exprs<'e>(program: &Program, exprs: impl IntoIterator<Item = &'e Expr>) -> u64 {
    exprs.into_iter().map(|e| of_expr(program, e)).fold(0, u64::saturating_add)
}

fn of_expr(program: &Program, e: &Expr) -> u64 {
    let inside = match e {
        Expr::Quantified(_, kinds, _, body) => {
            return of_expr(program, body).saturating_mul(agents(program, kinds)).saturating_add(1);
        }
        Expr::Const(_) | Expr::Me | Expr::Bound(_) | Expr::Local(_) => 0,
        Expr::LocalCell(_, index, _) => of_expr(program, index),
        Expr::Read(place) => of_exprs(program, place.agent.as_deref().into_iter().chain(&place.index)),
        Expr::Unary(_, e) | Expr::Defined(e) => of_expr(program, e),
        Expr::Binary(_, a, b, _) => of_exprs(program, [&**a, &**b]),
        Expr::And(parts) | Expr::Or(parts) => of_exprs(program, parts),
        Expr::If(c, a, b) => of_exprs(program, [&**c, &**a, &**b]),
    };
    inside.saturating_add(1)
}

fn of_block(program: &Program, block: &[Stmt]) -> u64 {
    let each = block.iter().map(|stmt| {
        let inside = match stmt {
            Stmt::ForEach(kinds, _, body) => of_block(program, body).saturating_mul(agents(program, kinds)),
            Stmt::If(_, yes, no) => of_block(program, yes).saturating_add(of_block(program, no)),
            Stmt::Choose(branches) => {
                branches.iter().map(|(_, body)| of_block(program, body)).fold(0, u64::saturating_add)
            }
            // A condition for every candidate.
            Stmt::Pick { kinds, condition, .. } => {
                of_expr(program, condition).saturating_mul(agents(program, kinds))
            }
            Stmt::Copy(var, ..) | Stmt::Rank(var) => {
                (program.var(*var).cells() as u64).saturating_add(u64::from(program.agents()))
            }
            _ => 0,
        };
        of_exprs(program, stmt.exprs()).saturating_add(inside).saturating_add(1)
    });
    each.fold(0, u64::saturating_add)
}
