//! The rules of processes: table 3.3, plus AWAIT of table 3.7 in the form of accumulated guards.
//!
//! A transition P --\[g1 … gn\] α--> P' lists the guards on the way to the action, outermost first; rule AWAIT is applied
//! to each of them when the agent moves. The table's moves P --√--> 0 are the laws of `term`: only √ has them.
//!
//! Two decisions differ from table 3.3. `Skip` is an action. And `g => P`, which the papers do not have, is `g → P` or a
//! step that ends it, possible if g is not satisfied (`docs/labs.md` 10).

use crate::term::{GuardId, Program, Term, par};
use std::rc::Rc;
use swarmcheck_labs::model::{ActionId, ProcessId};

/// A guard on the way to an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Test {
    pub guard: GuardId,
    /// Whether it must not be satisfied: the way past `g => P`.
    pub negated: bool,
}

/// P --\[g1 … gn\] α--> P'.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Transition {
    /// The guards, outermost and leftmost first.
    pub guards: Vec<Test>,
    /// α.
    pub action: ActionId,
    /// P'.
    pub target: Rc<Term>,
}

fn yes(guard: GuardId) -> Test {
    Test { guard, negated: false }
}

fn no(guard: GuardId) -> Test {
    Test { guard, negated: true }
}

fn behind(guards: &[Test], transition: Transition) -> Transition {
    Transition { guards: [guards, &transition.guards].concat(), ..transition }
}

impl Program<'_> {
    /// All α-transitions of a term.
    pub fn transitions(&self, p: &Term) -> Vec<Transition> {
        match p {
            Term::Nil | Term::Done => vec![],
            Term::Act(action) => act(*action),
            Term::Seq(p, q) => self.seq1(p, q),
            Term::Choice(parts) => self.choice(parts),
            Term::Par(parts) => self.par1(parts),
            Term::Guard(g, p) => self.await_(*g, p),
            Term::Conditional(g, pass, p) => [self.await_(*g, p), conditional_pass(*g, *pass)].concat(),
            Term::Call(id) => self.con(*id),
        }
    }

    /// CHOICE-L and CHOICE-R (table 3.3): the choice is made by the action.
    fn choice(&self, parts: &[Rc<Term>]) -> Vec<Transition> {
        parts.iter().flat_map(|part| self.transitions(part)).collect()
    }

    /// SEQ1 (table 3.3): P moves.
    fn seq1(&self, p: &Rc<Term>, q: &Rc<Term>) -> Vec<Transition> {
        let moves = self.transitions(p).into_iter();
        moves.map(|t| Transition { target: self.seq(t.target.clone(), q.clone()), ..t }).collect()
    }

    /// CON (table 3.3).
    fn con(&self, id: ProcessId) -> Vec<Transition> {
        self.transitions(self.body(id))
    }

    /// PAR1 with PAR_COMM (table 3.3): one branch moves, whichever; finished branches are gone.
    fn par1(&self, parts: &[Rc<Term>]) -> Vec<Transition> {
        let mut moves = vec![];
        for (at, part) in parts.iter().enumerate() {
            for t in self.transitions(part) {
                let mut after = parts.to_vec();
                after[at] = t.target.clone();
                moves.push(Transition { target: par(after), ..t });
            }
        }
        moves
    }

    /// AWAIT (tables 3.7, 3.11), first half: the guard is noted; the agent will check it.
    fn await_(&self, g: GuardId, p: &Rc<Term>) -> Vec<Transition> {
        self.transitions(p).into_iter().map(|t| behind(&[yes(g)], t)).collect()
    }
}

/// ACT (table 3.3): α --α--> √.
fn act(action: ActionId) -> Vec<Transition> {
    vec![Transition { guards: vec![], action, target: Rc::new(Term::Done) }]
}

/// `g => P` when g is not satisfied: one step, after which it is over.
fn conditional_pass(g: GuardId, pass: ActionId) -> Vec<Transition> {
    vec![Transition { guards: vec![no(g)], action: pass, target: Rc::new(Term::Done) }]
}

#[cfg(test)]
mod tests;
