//! Where a step is possible, as a condition on states.
//!
//! A function can be run where its entry and its guard hold and its body does not get stuck: on `Assume`, on a `Pick` with
//! too few candidates, on a `Choose` without an open branch, on a set without an element, or on a place with a ⊥ index.
//! The condition is the weakest precondition of "the body can be run to its end", computed backwards over the body
//! (Dijkstra, *A Discipline of Programming*, 1976). Choices are angelic: one way to the end is enough.
//!
//! The answer is exact, or there is none: a body that reads what it ranked, or a drawn value of a large set, has no
//! condition here. In states in which the step is an error of the model, the condition may be anything, because the step
//! itself is found to be an error there; it meets no error that the step would not meet.

mod substitute;

use crate::expr::{BinaryOp, Expr, Place, Quantifier};
use crate::program::{Function, KindId, LocalId, Program};
use crate::stmt::{Set, Stmt};
use std::cell::Cell;
use substitute::Effect;
use swarmcheck_source::Span;

/// Conditions with more parts than this are given up.
const MOST_PARTS: usize = 5_000;
/// Sets with more values than this are not written out.
const MOST_VALUES: i64 = 64;

/// Where this agent can run this function, with all of its body; `None` if that cannot be said. The agent is a
/// number, or an agent bound outside; it has to be one of the function's owners.
pub fn possible(program: &Program, function: &Function, agent: &Expr) -> Option<Expr> {
    let outside = match agent {
        Expr::Bound(b) => b + 1,
        _ => 0,
    };
    let weakest = Weakest { program, function, fresh: Cell::new(program.binders().max(outside)) };
    let inside = weakest.block(&function.body, Expr::TRUE)?;
    let entry = function
        .entry
        .iter()
        .map(|(var, value)| equal(Expr::Read(Place::of(*var, Expr::Me)), Expr::Const(*value)));
    let all = Expr::and(entry.chain([function.guard.clone(), inside]));
    weakest.after(&Effect::Me(agent.clone()), all)
}

/// Holds where no agent can run any function; `None` if that cannot be said of some function.
pub fn stuck(program: &Program) -> Option<Expr> {
    let bound = program.binders();
    let mut ways = vec![];
    for function in &program.functions {
        let here = possible(program, function, &Expr::Bound(bound))?;
        ways.push(Expr::Quantified(Quantifier::Exists, function.owners.clone(), bound, Box::new(here)));
    }
    Some(Expr::not(Expr::or(ways)))
}

/// The first function of which it cannot be said where it is possible.
pub fn unknown(program: &Program) -> Option<&Function> {
    program.functions.iter().find(|f| possible(program, f, &Expr::Bound(program.binders())).is_none())
}

/// Weakest preconditions of the body of one function.
struct Weakest<'a> {
    program: &'a Program,
    function: &'a Function,
    /// The next index for a bound agent that nobody uses.
    fresh: Cell<u32>,
}

impl Weakest<'_> {
    fn block(&self, body: &[Stmt], then: Expr) -> Option<Expr> {
        body.iter().rev().try_fold(then, |then, s| self.stmt(s, then))
    }

    /// Where the statement can be run such that `then` holds afterwards.
    fn stmt(&self, s: &Stmt, then: Expr) -> Option<Expr> {
        match s {
            Stmt::Assume(condition) => self.both([condition.clone(), then]),
            Stmt::Let(local, value) => self.after(&Effect::Local(*local, value.clone()), then),
            Stmt::Assign(place, value) => {
                let exists = exists(place);
                let then = self.after(&Effect::Write(place.clone(), value.clone()), then)?;
                self.both([exists, then])
            }
            Stmt::Fill(place, set) => {
                // Which value a cell gets is not followed.
                let known = !substitute::reads(&then, place.var);
                known.then(|| Expr::and([exists(place), inhabited(set), then]))
            }
            Stmt::Havoc(local, set) => self.drawn(*local, set, then),
            Stmt::Pick { local, kinds, bound, condition } => {
                self.picked(*local, (kinds, *bound, condition), then)
            }
            Stmt::Check(_) => Some(then),
            Stmt::If(condition, yes, no) => {
                let (yes, no) = (self.block(yes, then.clone())?, self.block(no, then)?);
                if yes == no {
                    return Some(yes);
                }
                self.small(Expr::ite(condition.clone(), yes, no))
            }
            Stmt::Choose(branches) => {
                let way = |(condition, body): &(Expr, Vec<Stmt>)| {
                    Some(Expr::and([condition.clone(), self.block(body, then.clone())?]))
                };
                let ways = branches.iter().map(way).collect::<Option<Vec<_>>>()?;
                // Branches that differ in what they write only are possible alike.
                match ways.split_first() {
                    Some((first, rest)) if rest.iter().all(|way| way == first) => Some(first.clone()),
                    _ => self.small(Expr::or(ways)),
                }
            }
            Stmt::ForEach(kinds, bound, body) => {
                let agents = kinds.iter().flat_map(|k| {
                    let kind = self.program.kind(*k);
                    kind.first..kind.first + kind.count
                });
                let mut agents: Vec<u32> = agents.collect();
                agents.sort_unstable();
                let mut then = then;
                for agent in agents.into_iter().rev() {
                    // What follows the loop may use the index of the loop for agents of its own.
                    then = substitute::renamed(&then, *bound, self.fresh());
                    let round = self.block(body, then.clone())?;
                    if round == then {
                        // The body does not matter to it, whichever agent is bound.
                        return Some(then);
                    }
                    then = self.after(&Effect::Bound(*bound, Expr::Const(agent.into())), round)?;
                }
                Some(then)
            }
            Stmt::Copy(var, to, from) => self.after(&Effect::Copy(*var, to.clone(), from.clone()), then),
            Stmt::Rank(var) => (!substitute::reads(&then, *var)).then_some(then),
        }
    }

    /// A value of the set exists with which it goes on.
    fn drawn(&self, local: LocalId, set: &Set, then: Expr) -> Option<Expr> {
        if let Set::Range(..) = set {
            // Whatever is drawn is a number.
            let then = substitute::never_undefined(local, then);
            return match set {
                Set::Range(Expr::Const(lo), Expr::Const(hi)) if substitute::uses(&then, local) => {
                    let known = *lo != crate::UNDEF && *hi != crate::UNDEF;
                    let few = known && hi.checked_sub(*lo).is_some_and(|n| n <= MOST_VALUES);
                    let values = if few { *lo..*hi } else { return (!known).then_some(Expr::FALSE) };
                    self.one_of(local, values.map(Expr::Const), &then)
                }
                _ if substitute::uses(&then, local) => None,
                _ => self.both([inhabited(set), then]),
            };
        }
        match set {
            Set::Values(values) if substitute::uses(&then, local) => {
                self.one_of(local, values.iter().cloned(), &then)
            }
            _ => self.both([inhabited(set), then]),
        }
    }

    fn one_of(&self, local: LocalId, values: impl Iterator<Item = Expr>, then: &Expr) -> Option<Expr> {
        let mut ways = vec![];
        for value in values {
            ways.push(self.after(&Effect::Local(local, value), then.clone())?);
        }
        self.small(Expr::or(ways))
    }

    /// Agents are drawn one after the other and tested at once, so there have to be enough that fit; if it matters which,
    /// each is a quantifier.
    fn picked(
        &self,
        local: LocalId,
        (kinds, bound, condition): (&[KindId], u32, &Expr),
        then: Expr,
    ) -> Option<Expr> {
        let length = self.function.locals[local.0 as usize].length?;
        if substitute::uses(condition, local) {
            return None;
        }
        let fits = |candidate: u32| {
            let fits = self.after(&Effect::Bound(bound, Expr::Bound(candidate)), condition.clone())?;
            let other = Expr::Binary(
                BinaryOp::Ne,
                Box::new(Expr::Bound(candidate)),
                Box::new(Expr::Me),
                Span::default(),
            );
            Some(Expr::and([other, fits]))
        };
        if !substitute::uses(&then, local) {
            let candidate = self.fresh();
            let fitting =
                Expr::Quantified(Quantifier::Count, kinds.to_vec(), candidate, Box::new(fits(candidate)?));
            let enough = Expr::binary(BinaryOp::Ge, fitting, Expr::Const(length.into()), Span::default());
            return self.both([enough, then]);
        }
        let candidates: Vec<u32> = (0..length).map(|_| self.fresh()).collect();
        let cells = candidates.iter().map(|c| Expr::Bound(*c)).collect();
        let mut out = self.after(&Effect::Cells(local, cells), then)?;
        for (i, candidate) in candidates.iter().enumerate().rev() {
            let distinct = candidates[..i].iter().map(|other| {
                Expr::binary(BinaryOp::Ne, Expr::Bound(*candidate), Expr::Bound(*other), Span::default())
            });
            let body = Expr::and(distinct.chain([fits(*candidate)?, out]));
            out = Expr::Quantified(Quantifier::Exists, kinds.to_vec(), *candidate, Box::new(body));
            out = self.small(out)?;
        }
        Some(out)
    }

    fn fresh(&self) -> u32 {
        self.fresh.replace(self.fresh.get() + 1)
    }

    fn both(&self, parts: [Expr; 2]) -> Option<Expr> {
        self.small(Expr::and(parts))
    }

    /// What has to hold before an effect for `then` to hold after it.
    fn after(&self, effect: &Effect, then: Expr) -> Option<Expr> {
        self.small(substitute::before(effect, &then, &self.fresh)?)
    }

    fn small(&self, e: Expr) -> Option<Expr> {
        let mut parts = 0;
        e.walk(&mut |_| parts += 1);
        (parts <= MOST_PARTS).then_some(e)
    }
}

/// The agent and the indices of a place are defined.
fn exists(place: &Place) -> Expr {
    let parts = place.agent.iter().map(|a| &**a).chain(&place.index);
    Expr::and(parts.map(|e| substitute::defined(e.clone())))
}

/// The set has an element.
fn inhabited(set: &Set) -> Expr {
    match set {
        Set::Values(values) => Expr::Const(i64::from(!values.is_empty())),
        // A comparison with ⊥ is false.
        Set::Range(lo, hi) => Expr::binary(BinaryOp::Lt, lo.clone(), hi.clone(), Span::default()),
    }
}

fn equal(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::Eq, a, b, Span::default())
}

#[cfg(test)]
mod tests;
