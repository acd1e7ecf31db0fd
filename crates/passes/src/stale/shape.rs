//! The shape of a message function.

use swarmcheck_ir::{BinaryOp, Expr, Function, KindId, Place, Program, Rule, Stmt, VarId, program::Role};

/// A function that sends one message of one agent to all others.
pub(super) struct Message<'p> {
    /// The number of the function.
    pub function: usize,
    /// The flag that is set while the message waits to be sent.
    pub flag: VarId,
    /// The kinds of agents that send and receive it.
    pub holders: Vec<KindId>,
    /// The order it compares, if it does anything.
    pub order: Option<VarId>,
    /// The order it ranks at its end.
    pub ranks: Option<VarId>,
    /// What it does to a receiver: the first arm whose condition holds. None: nothing at all.
    pub arms: Vec<Arm<'p>>,
}

/// What happens to some receivers.
pub(super) struct Arm<'p> {
    /// How the receiver's rank compares to the sender's.
    pub op: BinaryOp,
    /// Whether something else is asked as well.
    pub linked: bool,
    /// The bound index of the receiver.
    pub receiver: u32,
    pub effect: &'p [Stmt],
}

impl Message<'_> {
    /// Whether sending it never does anything.
    pub fn reaches_nobody(&self, program: &Program) -> bool {
        self.arms.is_empty() || self.holders.iter().map(|k| program.kind(*k).count).sum::<u32>() <= 1
    }

    /// Whether it only reaches those who are older.
    pub fn is_tell(&self) -> bool {
        matches!(&self.arms[..], [arm] if arm.op == BinaryOp::Lt)
    }
}

/// Recognises a message function.
pub(super) fn message<'p>(program: &'p Program, number: usize, f: &'p Function) -> Option<Message<'p>> {
    let flag = sent_flag(f)?;
    let var = program.var(flag);
    let plain = f.entry.is_empty() && f.locals.is_empty() && matches!(f.rule, Rule::System { .. });
    let fits =
        var.role == Role::Pending && var.dimensions.is_empty() && same(var.owners.as_deref()?, &f.owners);
    let mut rest = match &f.body[..] {
        [Stmt::Assign(place, Expr::Const(0)), rest @ ..] if is_of(place, flag, &Expr::Me) => rest,
        _ => return None,
    };
    if !plain || !fits {
        return None;
    }
    let mut out =
        Message { function: number, flag, holders: f.owners.clone(), order: None, ranks: None, arms: vec![] };
    if let [Stmt::ForEach(kinds, receiver, body), after @ ..] = rest {
        if !same(kinds, &f.owners) {
            return None;
        }
        arms(body, *receiver, &mut out)?;
        rest = after;
    }
    out.ranks = match rest {
        [] => None,
        [Stmt::Rank(order)] => Some(*order),
        _ => return None,
    };
    // Who compares ranks must leave ranks, of those who take part.
    if let Some(order) = out.order
        && (out.ranks != Some(order) || !same(program.var(order).owners.as_deref()?, &f.owners))
    {
        return None;
    }
    Some(out)
}

/// The flag whose being set is the whole guard.
fn sent_flag(f: &Function) -> Option<VarId> {
    match needs(&f.guard)? {
        (flag, 1) => Some(flag),
        _ => None,
    }
}

/// `var[me] = value`.
pub(super) fn needs(guard: &Expr) -> Option<(VarId, i64)> {
    let Expr::Binary(BinaryOp::Eq, a, b, _) = guard else { return None };
    match (&**a, &**b) {
        (Expr::Read(place), Expr::Const(value)) if is_of(place, place.var, &Expr::Me) => {
            Some((place.var, *value))
        }
        _ => None,
    }
}

/// Reads `if … accept else if … ask` into arms.
fn arms<'p>(block: &'p [Stmt], receiver: u32, out: &mut Message<'p>) -> Option<()> {
    match block {
        [] => Some(()),
        [Stmt::If(Expr::Const(0), _, otherwise)] => arms(otherwise, receiver, out),
        [Stmt::If(condition, effect, otherwise)] => {
            let (op, order, link) = reaches(condition, receiver)?;
            if link != [Expr::FALSE] {
                if *out.order.get_or_insert(order) != order {
                    return None;
                }
                out.arms.push(Arm { op, linked: !link.is_empty(), receiver, effect });
            }
            arms(otherwise, receiver, out)
        }
        _ => None,
    }
}

/// `receiver != me and order[receiver] op order[me] and link`, in this order: what comes after the ranks is not
/// evaluated, and cannot fault, where they do not compare so.
fn reaches(condition: &Expr, receiver: u32) -> Option<(BinaryOp, VarId, &[Expr])> {
    let Expr::And(parts) = condition else { return None };
    let [Expr::Binary(BinaryOp::Ne, x, y, _), Expr::Binary(op, a, b, _), link @ ..] = &parts[..] else {
        return None;
    };
    let bound = Expr::Bound(receiver);
    let somebody_else = (**x == bound && **y == Expr::Me) || (**x == Expr::Me && **y == bound);
    let (Expr::Read(theirs), Expr::Read(mine)) = (&**a, &**b) else { return None };
    let order = mine.var;
    let compares = is_of(theirs, order, &bound) && is_of(mine, order, &Expr::Me);
    (somebody_else && compares && op.is_comparison()).then_some((*op, order, link))
}

/// Whether a place is the scalar of this agent.
pub(super) fn is_of(place: &Place, var: VarId, agent: &Expr) -> bool {
    place.var == var && place.index.is_empty() && place.agent.as_deref() == Some(agent)
}

/// The same kinds, in any order.
fn same(a: &[KindId], b: &[KindId]) -> bool {
    a.len() == b.len() && a.iter().all(|k| b.contains(k))
}
