//! Messages whose delivery always terminates.
//!
//! A *mark* is a variable of role `Pending`: 1 while its agent has a message of one sort to send. The function that
//! sends it is recognised by its shape:
//!
//! * its guard is that the mark is 1, and nothing else: every agent that has the mark can run it;
//! * it always runs to its end, and never faults;
//! * it takes the mark of its agent back;
//! * to receivers it does only this: it copies data of the sender, takes marks back, copies the sender's value of an
//!   order variable to a receiver that it has found to have a smaller one (and *accepts* thereby), and sets marks;
//! * otherwise it writes order variables only by ranking, which keeps all comparisons.
//!
//! Such messages end, in whatever order they are sent. Think of the values of each order variable as times that ranking
//! only renames. Messages make no new times; an agent that accepts gets a later one. So acceptance happens only
//! finitely often. Between two such events, a message takes one mark back and sets only marks that it sets without
//! acceptance; if no chain of these leads from a mark to itself, the sequence is finite: marks are replaced by marks
//! further down the chains.

use super::cone::is;
use crate::ranges::same::same;
use std::collections::{BTreeMap, BTreeSet};
use swarmcheck_ir::program::Role;
use swarmcheck_ir::{BinaryOp, Expr, Function, Place, Program, Rule, Stmt, VarId};

/// A function that sends messages of one sort.
pub(super) struct Drain {
    /// The mark that its guard tests.
    pub flag: VarId,
    /// The marks that it sets at receivers that need not accept.
    sets: BTreeSet<VarId>,
}

/// Recognises a function by its shape. That it cannot fault or stop is for the caller to check.
pub(super) fn recognise(program: &Program, function: &Function) -> Option<Drain> {
    if !matches!(function.rule, Rule::System { .. }) || !function.entry.is_empty() {
        return None;
    }
    let flag = (0..program.vars.len() as u32)
        .map(VarId)
        .find(|v| program.var(*v).role == Role::Pending && is(&function.guard, *v, 1))?;
    let mut shape = MessageShape { program, drain: Drain { flag, sets: BTreeSet::new() } };
    let mut taken_back = false;
    for stmt in &function.body {
        match stmt {
            Stmt::Assign(place, Expr::Const(0)) if is_of(place, flag, &Expr::Me) => taken_back = true,
            Stmt::ForEach(_, receiver, body) => shape.receive(body, *receiver, None)?,
            Stmt::Rank(_) => {}
            _ => return None,
        }
    }
    taken_back.then_some(shape.drain)
}

/// The marks among these whose messages end, as far as messages without acceptance can tell: the chains of marks have
/// no cycle.
pub(super) fn ends(drains: &[&Drain], mut marks: BTreeSet<VarId>) -> BTreeSet<VarId> {
    let mut next: BTreeMap<VarId, BTreeSet<VarId>> = BTreeMap::new();
    for drain in drains {
        next.entry(drain.flag).or_default().extend(&drain.sets);
    }
    // Whatever sets only marks that end, ends.
    let mut good = BTreeSet::new();
    loop {
        let more: Vec<VarId> = marks
            .iter()
            .copied()
            .filter(|v| !good.contains(v) && next.get(v).is_none_or(|sets| sets.is_subset(&good)))
            .collect();
        if more.is_empty() {
            break;
        }
        good.extend(more);
    }
    marks.retain(|v| good.contains(v));
    marks
}

struct MessageShape<'a> {
    program: &'a Program,
    drain: Drain,
}

impl MessageShape<'_> {
    /// Goes through what is done to a receiver. `later` is an order variable of which the receiver is known to have a
    /// smaller value than the sender.
    fn receive(&mut self, body: &[Stmt], receiver: u32, later: Option<VarId>) -> Option<()> {
        let them = Expr::Bound(receiver);
        let accepts = |s: &Stmt| {
            matches!(s, Stmt::Copy(var, to, from)
                if Some(*var) == later && same(to, &them) && same(from, &Expr::Me))
        };
        let accepted = body.iter().any(accepts);
        for stmt in body {
            match stmt {
                Stmt::If(condition, yes, no) => {
                    self.receive(yes, receiver, self.smaller(condition, &them))?;
                    self.receive(no, receiver, None)?;
                }
                Stmt::Copy(var, to, from) => {
                    let role = &self.program.var(*var).role;
                    let data = matches!(role, Role::Data { .. }) && same(to, &them) && same(from, &Expr::Me);
                    (data || accepts(stmt)).then_some(())?;
                }
                Stmt::Assign(place, Expr::Const(value @ (0 | 1))) => {
                    let mark = self.program.var(place.var).role == Role::Pending;
                    (mark && is_of(place, place.var, &them)).then_some(())?;
                    if *value == 1 && !accepted {
                        self.drain.sets.insert(place.var);
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The order variable of which a condition says that the receiver has a smaller value than the sender.
    fn smaller(&self, condition: &Expr, them: &Expr) -> Option<VarId> {
        let parts = match condition {
            Expr::And(parts) => parts.as_slice(),
            single => std::slice::from_ref(single),
        };
        parts.iter().find_map(|part| {
            let (Expr::Binary(BinaryOp::Lt, small, large, _) | Expr::Binary(BinaryOp::Gt, large, small, _)) =
                part
            else {
                return None;
            };
            let Expr::Read(place) = &**small else { return None };
            let order = place.var;
            let mine = Expr::Read(Place::of(order, Expr::Me));
            let fits = self.program.var(order).role == Role::Order
                && is_of(place, order, them)
                && same(large, &mine);
            fits.then_some(order)
        })
    }
}

/// Whether a place is this agent's scalar of this variable.
fn is_of(place: &Place, var: VarId, agent: &Expr) -> bool {
    place.var == var && place.index.is_empty() && place.agent.as_ref().is_some_and(|a| same(a, agent))
}
