//! The rules of processes: table 3.3, plus AWAIT of table 3.7 in the form of accumulated guards.
//!
//! A transition P --\[g1 … gn\] α--> P' lists the guards on the way to the action, outermost and leftmost first; rule
//! AWAIT is applied to each of them when the agent moves. The table's moves P --√--> 0 are separate here:
//! [`terminations`] lists the guards under which a process may end without a step. Ending is silent, so nothing but
//! SEQ2 uses them.
//!
//! Two decisions differ from table 3.3. A parallel branch is dropped when it has become √, not when it merely may end
//! under a guard: PAR2 would drop `g => P` while a sibling moves. And `Skip` is an action.
//!
//! [`terminations`]: Program::terminations

use crate::term::{GuardId, Program, Term, par};
use std::rc::Rc;
use swarmcheck_labs::model::{ActionId, ProcessId};

/// A guard on the way to an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Test {
    pub guard: GuardId,
    /// Whether its negation is meant: the way past `g => P`.
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

/// Guards under which a process may end.
pub type Termination = Vec<Test>;

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
            Term::Seq(p, q) => [self.seq1(p, q), self.seq2(p, q)].concat(),
            Term::Choice(parts) => self.choice(parts),
            Term::Par(parts) => self.par1(parts),
            Term::Guard(g, p) => self.await_(*g, p),
            Term::Conditional(g, p) => self.conditional(*g, p),
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

    /// SEQ2 (table 3.3): P ends and Q moves.
    fn seq2(&self, p: &Rc<Term>, q: &Rc<Term>) -> Vec<Transition> {
        let mut moves = vec![];
        for end in self.terminations(p) {
            moves.extend(self.transitions(q).into_iter().map(|t| behind(&end, t)));
        }
        moves
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

    /// `g => P`, if g holds: the same as AWAIT.
    fn conditional(&self, g: GuardId, p: &Rc<Term>) -> Vec<Transition> {
        self.await_(g, p)
    }

    /// The ways in which a term may end without a step: P --√--> of table 3.3.
    pub fn terminations(&self, p: &Term) -> Vec<Termination> {
        match p {
            Term::Nil | Term::Act(_) => vec![],
            Term::Done => tick(),
            // Q is looked at only if P may end: in `K = a; K` it would lead back to K forever.
            Term::Seq(p, q) => match self.terminations(p) {
                none if none.is_empty() => none,
                ends => product(ends, &self.terminations(q)),
            },
            Term::Choice(parts) => parts.iter().flat_map(|part| self.terminations(part)).collect(),
            Term::Par(parts) => {
                let ends = parts.iter().map(|part| self.terminations(part));
                ends.fold(tick(), |all, next| product(all, &next))
            }
            Term::Guard(g, p) => product(vec![vec![yes(*g)]], &self.terminations(p)),
            Term::Conditional(g, p) => {
                let mut ends = product(vec![vec![yes(*g)]], &self.terminations(p));
                ends.push(vec![no(*g)]);
                ends
            }
            Term::Call(id) => self.terminations(self.body(*id)),
        }
    }
}

/// ACT (table 3.3): α --α--> √.
fn act(action: ActionId) -> Vec<Transition> {
    vec![Transition { guards: vec![], action, target: Rc::new(Term::Done) }]
}

/// TICK (table 3.3): √ may end, whatever the state.
fn tick() -> Vec<Termination> {
    vec![vec![]]
}

/// Every way of the first followed by every way of the second.
fn product(first: Vec<Termination>, second: &[Termination]) -> Vec<Termination> {
    first.iter().flat_map(|a| second.iter().map(move |b| [a.as_slice(), b].concat())).collect()
}

#[cfg(test)]
mod tests;
