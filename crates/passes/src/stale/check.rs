//! What the rest of the program must not do with an order and its flags.

use super::shape::{Arm, Message, is_of, needs};
use super::{When, written};
use swarmcheck_ir::{BinaryOp, Expr, Function, Program, Stmt, VarId, stmt};

/// Whether a message that reaches no agent also ranks nothing anew: the order it ranks always is.
pub(super) fn idle(program: &Program, message: &Message<'_>, messages: &[Message<'_>]) -> bool {
    let blocks = || program.functions.iter().map(|f| &f.body).chain([&program.init]);
    flag_is_only_needed_clear(program, message.flag, messages)
        && message.ranks.is_none_or(|order| blocks().all(|block| ranked_at_the_end(block, order)))
}

/// Whether a flag is read by guards that need it to be 0, by the guard that sends it, and by nothing else.
fn flag_is_only_needed_clear(program: &Program, flag: VarId, messages: &[Message<'_>]) -> bool {
    let reads = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |e| found |= matches!(e, Expr::Read(place) if place.var == flag));
        found
    };
    let block_reads = |block: &[Stmt]| {
        let mut found = false;
        stmt::walk(block, &mut |s| {
            found |= s.exprs().into_iter().any(reads) || matches!(s, Stmt::Copy(var, ..) if *var == flag);
        });
        found
    };
    let guard_fits = |(number, f): (usize, &Function)| {
        let sends = messages.iter().any(|m| m.function == number && m.flag == flag);
        sends || conjuncts(&f.guard).iter().all(|c| needs(c) == Some((flag, 0)) || !reads(c))
    };
    program.functions.iter().enumerate().all(guard_fits)
        && !program.functions.iter().any(|f| block_reads(&f.body))
        && !block_reads(&program.init)
        && !program.properties.iter().flat_map(|p| p.exprs()).any(reads)
}

fn conjuncts(guard: &Expr) -> &[Expr] {
    match guard {
        Expr::And(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

/// Whether a function runs only if the agent's flag is 0.
fn needs_clear(f: &Function, flag: VarId) -> bool {
    conjuncts(&f.guard).iter().any(|c| needs(c) == Some((flag, 0)))
}

/// Whether `tell` can be cleared where its sender is oldest.
pub(super) fn tell(program: &Program, tell: &Message<'_>, order: VarId, messages: &[Message<'_>]) -> bool {
    let ours = |number: usize| messages.iter().find(|m| m.function == number && m.order == Some(order));
    flag_is_only_needed_clear(program, tell.flag, messages)
        && ranked_at_the_end(&program.init, order)
        && program.functions.iter().enumerate().all(|(number, f)| match ours(number) {
            Some(message) => message.arms.iter().all(|arm| delivers(arm, tell.flag, order)),
            None => acts(program, f, tell.flag, order),
        })
}

/// Whether an arm lets an older receiver accept, or asks an agent to tell, and does nothing else to order and flag.
fn delivers(arm: &Arm<'_>, tell: VarId, order: VarId) -> bool {
    let receiver = Expr::Bound(arm.receiver);
    let tells = |s: &Stmt| matches!(s, Stmt::Assign(p, Expr::Const(1)) if is_of(p, tell, &receiver));
    let accept = |s: &Stmt| match s {
        Stmt::Copy(_, to, from) => *to == receiver && *from == Expr::Me,
        Stmt::Assign(place, Expr::Const(_)) => is_of(place, place.var, &receiver) && place.var != order,
        _ => false,
    };
    let copies = |s: &Stmt| matches!(s, Stmt::Copy(var, ..) if *var == order);
    let other_value = |s: &Stmt| matches!(s, Stmt::Assign(p, _) if p.var == tell) && !tells(s);
    match arm.op {
        BinaryOp::Lt => {
            arm.effect.iter().all(accept)
                && arm.effect.iter().any(copies)
                && arm.effect.iter().any(tells)
                && !arm.effect.iter().any(other_value)
        }
        _ => arm.effect.iter().all(tells),
    }
}

/// Whether a function that is no message leaves order and flag in the way that the proof needs.
fn acts(program: &Program, f: &Function, tell: VarId, order: VarId) -> bool {
    let owners = program.var(order).owners.iter().flatten();
    let top = owners.map(|k| i64::from(program.kind(*k).count)).sum::<i64>();
    let renews = |s: &Stmt| matches!(s, Stmt::Assign(p, Expr::Const(rank)) if is_of(p, order, &Expr::Me) && *rank >= top);
    let sets = |s: &Stmt| only_sets(s, tell);
    let mut fits = true;
    stmt::walk(&f.body, &mut |s| {
        fits &= match s {
            Stmt::Assign(place, _) | Stmt::Fill(place, _) if place.var == order => renews(s),
            Stmt::Assign(place, _) | Stmt::Fill(place, _) if place.var == tell => sets(s),
            Stmt::Copy(var, ..) => *var != order,
            _ => true,
        }
    });
    let tells_later = f.body.iter().any(sets);
    fits && (!renewed(f, order) || (needs_clear(f, tell) && tells_later && ranked_at_the_end(&f.body, order)))
}

/// Whether a function does more to an order than rank it.
fn renewed(f: &Function, order: VarId) -> bool {
    let mut found = false;
    stmt::walk(&f.body, &mut |s| {
        found |= !nested(s) && !matches!(s, Stmt::Rank(_)) && writes(s, order);
    });
    found
}

/// `flag[me] := 1`.
fn only_sets(s: &Stmt, flag: VarId) -> bool {
    matches!(s, Stmt::Assign(p, Expr::Const(1)) if is_of(p, flag, &Expr::Me))
}

/// Whether a block ranks the order after the last statement that writes it.
fn ranked_at_the_end(block: &[Stmt], order: VarId) -> bool {
    let last = block.iter().rev().find(|s| writes(s, order));
    matches!(last, None | Some(Stmt::Rank(_)))
}

/// When `ask` can be cleared; `tell` has passed its own check.
pub(super) fn ask(
    program: &Program,
    ask: &Message<'_>,
    tell: &Message<'_>,
    order: VarId,
    messages: &[Message<'_>],
) -> Option<When> {
    let [accept, query] = &ask.arms[..] else { return None };
    let told = &tell.arms[0];
    let queries = matches!(query.op, BinaryOp::Gt | BinaryOp::Ge);
    if ask.order != Some(order)
        || accept.op != BinaryOp::Lt
        || !queries
        || !flag_is_only_needed_clear(program, ask.flag, messages)
    {
        return None;
    }
    let ours = |number: usize| messages.iter().any(|m| m.function == number && m.order == Some(order));
    let others = || program.functions.iter().enumerate().filter(|(i, _)| !ours(*i)).map(|(_, f)| f);
    let linked = [accept, query, told].iter().any(|arm| arm.linked);
    let alike = accept.effect == told.effect && accept.receiver == told.receiver;
    let mut arms = messages.iter().filter(|m| m.order == Some(order)).flat_map(|m| &m.arms);
    let fits = !linked
        && alike
        && arms.all(|arm| withdraws(arm, ask.flag))
        && others().all(|f| gated(f, ask.flag, tell.flag, order));
    if fits {
        return Some(When::Answered { order, tell: tell.flag });
    }
    let cannot_fault = query.op == BinaryOp::Gt || !query.linked;
    (cannot_fault && !others().any(|f| renewed(f, order))).then_some(When::Settled(order))
}

/// Whether an arm takes the flag back from those who accept, and leaves it to the others.
fn withdraws(arm: &Arm<'_>, flag: VarId) -> bool {
    let cleared = |s: &Stmt| matches!(s, Stmt::Assign(p, Expr::Const(0)) if p.var == flag);
    let mut writes = arm.effect.iter().filter(|s| writes(s, flag));
    if arm.op == BinaryOp::Lt { writes.next().is_some_and(cleared) } else { writes.next().is_none() }
}

/// Whether a function that is no message only sets the flag, and needs it to be 0 where the proof does.
fn gated(f: &Function, flag: VarId, tell: VarId, order: VarId) -> bool {
    let mut fits = true;
    stmt::walk(&f.body, &mut |s| fits &= nested(s) || !writes(s, flag) || only_sets(s, flag));
    // Who has both flags set is not to act: it would not be allowed to in the program before.
    let both = !needs_clear(f, flag) || needs_clear(f, tell);
    fits && both && (!renewed(f, order) || needs_clear(f, flag))
}

/// Whether a statement, or one inside it, writes a variable.
fn writes(s: &Stmt, var: VarId) -> bool {
    written(std::slice::from_ref(s)).contains(&var)
}

/// Whether the statements inside are visited on their own.
fn nested(s: &Stmt) -> bool {
    matches!(s, Stmt::If(..) | Stmt::Choose(_) | Stmt::ForEach(..))
}
