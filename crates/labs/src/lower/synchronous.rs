//! `--sync`: an action's messages are delivered in the step of the action, and so are those they cause
//! (`docs/labs.md` 8).
//!
//! The order is fixed, so that the step has one result. First the actor's confirmations are delivered, in the order in
//! which tuples are declared. Then come rounds of propagations, until nothing is pending: in each round the agents send
//! in the order of their numbers, each agent its pending tuples in the order in which they are declared.
//!
//! # As many rounds as there are agents are enough
//!
//! The program has no loop that ends by itself, so the rounds are counted: one for each agent that holds one of the
//! tuples.
//!
//! At the start of a step nothing is to be propagated. Nobody but the actor has anything to confirm that can be sent: a
//! confirmation that waits for a value (`--semantics paper`) is dropped when the value comes. So confirmations are
//! sent once, before the rounds, and what is to be propagated before round 1 is what the actor wrote, what receivers
//! of its confirmations took over, and what those answer who have a newer copy (or an equal one: rule QRY2 of the paper
//! only adds agents here).
//!
//! Suppose agent `a` sends a tuple in round `r > 1`. It was not to be propagated when `a` had its turn in round `r - 1`, or
//! was sent then; so after that turn `a` took the tuple over, for the last time from a `b` that sent it in round `r - 1` or
//! `r`. What `a` sends is what `b` sent, with the same timestamp. Going back like this at most one round at a time
//! gives a chain of at least `r` agents that sent the same value, the first of them in round 1. They are different agents,
//! because timestamps of an agent only grow: nobody takes over a timestamp that it has or has had. So `r` is at most
//! the number of agents that hold the tuple, and after that many rounds nothing is pending.
//!
//! # One tuple that everybody hears
//!
//! If the action touches one tuple only, writes it, and all agents are linked, the actor's copy is the newest and reaches
//! everybody at once; what is sent afterwards changes nothing. Then one loop does, which does not depend on the order
//! of the agents either.
//!
//! Between the deliveries ranks need not be dense, since only their order counts: one `rank` at the end is enough.

use super::Lowerer;
use super::message::{Ends, is, set};
use crate::model::{CondNode, TupleId};
use std::collections::BTreeSet;
use swarmcheck_ir as ir;

/// Bound agents: who sends, who receives, and one that only counts rounds.
const SENDER: u32 = 0;
const RECEIVER: u32 = 1;
const ROUND: u32 = 2;

impl Lowerer<'_> {
    /// Everything that comes of an action that has read and written these tuples.
    pub(super) fn delivered(&self, read: &BTreeSet<TupleId>, written: &BTreeSet<TupleId>) -> Vec<ir::Stmt> {
        let touched: Vec<TupleId> = read.union(written).copied().collect();
        let mut out = match touched[..] {
            [] => return vec![],
            [tuple] if written.contains(&tuple) && self.all_are_linked(tuple) => vec![self.heard(tuple)],
            _ => self.rounds(read, written, &touched),
        };
        out.extend(touched.iter().map(|t| ir::Stmt::Rank(self.tuples[t.0 as usize].order)));
        out
    }

    fn all_are_linked(&self, tuple: TupleId) -> bool {
        let link = &self.model.stigmergy(self.model.tuple(tuple).stigmergy).link;
        matches!(link.node, CondNode::Bool(true))
    }

    /// Everybody else takes the actor's copy over.
    fn heard(&self, tuple: TupleId) -> ir::Stmt {
        let ends = Ends::mine();
        let another = ir::Expr::binary(
            ir::BinaryOp::Ne,
            ends.receiver.clone(),
            ends.sender.clone(),
            Default::default(),
        );
        let take = ir::Stmt::If(another, self.take(tuple, &ends), vec![]);
        ir::Stmt::ForEach(self.members(tuple), 0, vec![take])
    }

    fn rounds(
        &self,
        read: &BTreeSet<TupleId>,
        written: &BTreeSet<TupleId>,
        touched: &[TupleId],
    ) -> Vec<ir::Stmt> {
        let mut out: Vec<ir::Stmt> = read.iter().map(|t| self.confirmed(*t)).collect();
        out.extend(written.iter().map(|t| set(self.tuples[t.0 as usize].propagate, ir::Expr::Me, 1)));
        let mut kinds: Vec<ir::KindId> = touched.iter().flat_map(|t| self.members(*t)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let turns = kinds.iter().map(|kind| {
            let held = touched.iter().filter(|t| self.members(**t).contains(kind));
            ir::Stmt::ForEach(vec![*kind], SENDER, held.map(|t| self.sent(*t)).collect())
        });
        out.push(ir::Stmt::ForEach(kinds.clone(), ROUND, turns.collect()));
        out
    }

    /// The actor's confirmation: delivered, or left to wait.
    fn confirmed(&self, tuple: TupleId) -> ir::Stmt {
        let deliver = ir::Stmt::ForEach(self.members(tuple), 0, vec![self.query(tuple, &Ends::mine())]);
        if !self.waits(tuple) {
            return deliver;
        }
        let wait = set(self.tuples[tuple.0 as usize].confirm, ir::Expr::Me, 1);
        ir::Stmt::If(self.known(tuple, &ir::Expr::Me), vec![deliver], vec![wait])
    }

    /// The sender's propagation, if it is pending.
    fn sent(&self, tuple: TupleId) -> ir::Stmt {
        let propagate = self.tuples[tuple.0 as usize].propagate;
        let ends = Ends { sender: ir::Expr::Bound(SENDER), receiver: ir::Expr::Bound(RECEIVER) };
        let deliver = vec![
            set(propagate, ends.sender.clone(), 0),
            ir::Stmt::ForEach(self.members(tuple), RECEIVER, vec![self.put(tuple, &ends)]),
        ];
        ir::Stmt::If(is(propagate, ends.sender, 1), deliver, vec![])
    }
}
