//! Loops whose rounds do not influence each other: the order of the agents makes no difference.
//!
//! Each round writes only what belongs to its own agent. What the loop writes it reads only of the round's agent, or of
//! the agent that runs the function if no round is its own. Nothing inside disables the step or draws, so it does not
//! matter whose turn comes first; and if one round faults, the step faults in any order.

use swarmcheck_ir::{BinaryOp, Expr, Place, Stmt, VarId};

/// Whether the rounds of a loop commute.
pub(super) fn in_any_order(bound: u32, body: &[Stmt]) -> bool {
    let mut rounds = Rounds { agent: Expr::Bound(bound), written: vec![], spares_me: true };
    rounds.writes(body, false) && rounds.reads(body)
}

struct Rounds {
    /// The agent of the round.
    agent: Expr,
    written: Vec<VarId>,
    /// Nothing is written in the round of the agent that runs the function.
    spares_me: bool,
}

impl Rounds {
    /// Collects what is written; `false` if it is not the round's own. `other`: this is not the runner's round.
    fn writes(&mut self, body: &[Stmt], other: bool) -> bool {
        body.iter().all(|s| match s {
            Stmt::Assign(place, _) | Stmt::Fill(place, _) => {
                self.write(place.var, other);
                place.agent.as_deref() == Some(&self.agent)
            }
            Stmt::Copy(var, to, _) => {
                self.write(*var, other);
                *to == self.agent
            }
            Stmt::If(c, yes, no) => self.writes(yes, other || self.not_mine(c)) && self.writes(no, other),
            Stmt::Check(_) => true,
            _ => false,
        })
    }

    fn write(&mut self, var: VarId, other: bool) {
        self.written.push(var);
        self.spares_me &= other;
    }

    /// Whether a condition implies that the round belongs to another agent.
    fn not_mine(&self, c: &Expr) -> bool {
        match c {
            Expr::And(parts) => parts.iter().any(|p| self.not_mine(p)),
            Expr::Binary(BinaryOp::Ne, a, b, _) => {
                (**a == self.agent && **b == Expr::Me) || (**a == Expr::Me && **b == self.agent)
            }
            _ => false,
        }
    }

    /// Whether what is written is only read where other rounds do not write.
    fn reads(&self, body: &[Stmt]) -> bool {
        let own = |var: VarId, agent: Option<&Expr>| {
            let mine = self.spares_me && agent == Some(&Expr::Me);
            !self.written.contains(&var) || mine || agent == Some(&self.agent)
        };
        let mut fits = true;
        swarmcheck_ir::stmt::walk(body, &mut |s| {
            if let Stmt::Copy(var, _, from) = s {
                fits &= own(*var, Some(from));
            }
            for e in s.exprs() {
                e.walk(&mut |e| {
                    if let Expr::Read(Place { var, agent, .. }) = e {
                        fits &= own(*var, agent.as_deref());
                    }
                });
            }
        });
        fits
    }
}
