//! Early choice: the exit of an action picks one of the alternatives of every `++` that it leads to.
//!
//! Only `++` is a choice. To *resolve* a continuation is to replace each `++` that could move next by one of its
//! alternatives, in all possible ways. A resolved continuation is a continuation like any other, with a location and
//! triples of its own, so late and early structures are built by the same code; only [`Builder::enter`] asks here.
//!
//! * Each branch of a parallel composition is resolved by itself. If the branches start at once, an exit has one pick
//!   per branch. Under a guard they do not, and what has been picked for each of them is remembered by the location.
//! * A guard is tested when the action is taken, as ever. Which branch moves first is no choice either.
//! * `g => P` is resolved inside `P`. It is the state that decides between `P` and the step that passes it; nothing is
//!   picked before. The exit of that step picks like any other.

use super::{Builder, Cont, ContId, Key, address};
use crate::{Exit, Pc, Term};
use std::collections::HashSet;

impl<'a, A: Clone, G: Clone> Builder<'a, A, G> {
    /// The enabler for a continuation that does not begin with a composition and has been opened.
    pub(super) fn enter_early(&mut self, cont: ContId, pc: Pc) -> Exit {
        let ways = match self.parts(cont) {
            // Not resolved all at once: an alternative may be a composition, whose branches are picked one by one.
            Some(parts) => parts,
            None => self.resolve(cont),
        };
        if let [only] = ways[..] {
            return if only == cont { Exit::to(vec![(pc, self.locate(cont, pc))]) } else { self.enter(only) };
        }
        let mut pick = vec![];
        for way in ways {
            let mut exit = self.enter(way);
            match &mut exit.picks[..] {
                // A choice behind a guard is one of more alternatives.
                [inner] if exit.set.is_empty() => pick.append(inner),
                _ => pick.push(exit),
            }
        }
        self.alternatives += pick.len();
        // An exit of every action to every action is a square.
        if self.alternatives > 20 * self.limit {
            self.too_large = true;
            return Exit::default();
        }
        Exit { picks: vec![pick], ..Exit::default() }
    }

    /// The alternatives of a continuation that begins with a choice, each once; choices among them are opened.
    fn parts(&mut self, cont: ContId) -> Option<Vec<ContId>> {
        let (mut out, mut seen, mut todo) = (vec![], HashSet::new(), vec![cont]);
        while let Some(cont) = todo.pop() {
            if !seen.insert(cont) {
                continue;
            }
            if let Cont::Then { rest: [Term::Choice(parts), rest @ ..], pc, next } = self.conts[cont.0] {
                let after = self.then(rest, pc, next);
                // What is pushed last comes first.
                for part in parts.iter().rev() {
                    let part = self.then(std::slice::from_ref(part), pc, after);
                    todo.push(self.opened(part));
                }
            } else {
                out.push(cont);
            }
        }
        (out != [cont]).then_some(out)
    }

    /// All ways to resolve a continuation; just itself if there is nothing to resolve.
    fn resolve(&mut self, cont: ContId) -> Vec<ContId> {
        let cont = self.opened(cont);
        let Cont::Then { rest, pc, next } = self.conts[cont.0] else { return vec![cont] };
        if let Some(parts) = self.parts(cont) {
            let mut out = vec![];
            for part in parts {
                out.extend(self.resolve(part));
            }
            return self.bounded(out);
        }
        let ways = match &rest[0] {
            Term::Nil | Term::Act(_) => return vec![cont],
            Term::Seq(_) | Term::Call(_) | Term::Choice(_) => unreachable!("opened, or a choice"),
            term @ (Term::Guard(_, body) | Term::Conditional { body, .. }) => {
                let after = self.then(&rest[1..], pc, next);
                let body = self.then(std::slice::from_ref(&**body), pc, after);
                let bodies = self.resolve(body);
                bodies.into_iter().map(|inner| self.resolved_guard(term, pc, inner, after)).collect()
            }
            term @ (Term::Par(branches) | Term::Composed(_, branches)) => {
                let after = self.then(&rest[1..], pc, next);
                let par = self.par(term.composition(), branches, pc, after);
                self.resolve_branches(par, branches)
            }
        };
        // With a single way nothing was decided, and the continuation itself has the same steps.
        if ways.len() == 1 { vec![cont] } else { self.bounded(ways) }
    }

    fn resolved_guard(&mut self, term: &'a Term<A, G>, pc: Pc, inner: ContId, next: ContId) -> ContId {
        let address = address(term);
        match term {
            Term::Conditional { yes, no, pass, .. } => self.intern(
                Key::Conditional { term: address, pc, inner, next },
                Cont::Conditional { yes, no, pass, pc, inner, next },
            ),
            Term::Guard(guard, _) => {
                self.intern(Key::Guard { term: address, pc, inner }, Cont::Guard { guard, pc, inner })
            }
            _ => unreachable!("neither guard nor conditional process"),
        }
    }

    /// Every way to resolve one branch with every way to resolve the others.
    fn resolve_branches(&mut self, par: usize, branches: &'a [Term<A, G>]) -> Vec<ContId> {
        let mut all: Vec<Vec<ContId>> = vec![vec![]];
        for branch in self.branch_conts(par, branches) {
            let ways = self.resolve(branch);
            all = all
                .iter()
                .flat_map(|row| ways.iter().map(|way| [row.as_slice(), &[*way]].concat()))
                .collect();
            all = self.bounded(all);
        }
        all.into_iter()
            .map(|branches| {
                self.intern(Key::Fork { par, branches: branches.clone() }, Cont::Fork { par, branches })
            })
            .collect()
    }

    /// These ways, unless there are too many to go on.
    fn bounded<T>(&mut self, mut ways: Vec<T>) -> Vec<T> {
        if ways.len() > self.limit {
            self.too_large = true;
            ways.truncate(1);
        }
        ways
    }
}

#[cfg(test)]
mod tests;
