//! The translation ⟦·⟧ and the enabler function ◁[·] of tables 4.1 and 4.2, with late choice; [`early`] has the other.
//!
//! The translation of a subterm depends on what follows it. A *continuation* is that rest: the end of the whole
//! process, the end of a branch of a parallel composition, or the tail of a sequence with its own continuation.
//! Continuations are interned, so a tail call arrives at the continuation it came from and recursion closes into a
//! loop instead of unfolding forever. A definition that never ends gets the continuation `Never`, whatever
//! follows the call, for the same reason.
//!
//! [`Builder::enter`] is the enabler: how to set the program counters so that a continuation can begin.
//! [`Builder::initials`] is the translation of a term's first actions: guards, action, exit. A location stands for
//! a continuation and owns the triples of its first actions.
//!
//! **Conditional processes.** `g => P` owns the first actions of `P` under `g`, and one more triple under the opposite
//! guard: the step that passes it. That step ends the term like any action does, so nothing else has to know of it.

mod early;

use crate::term::ending;
use crate::{Choice, Exit, Join, Location, Pc, Structure, Term, Triple};
use std::collections::{HashMap, VecDeque};

/// How many terms may be looked at for each triple that is allowed.
const MOST_LOOKS: usize = 50;

/// The expansion has more triples than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Encodes the definition `root`. Definitions must be free of unguarded recursion, of recursion through parallel
/// composition, and of non-tail recursion that ends; front ends check that. `limit` bounds the number of triples.
pub fn build<A: Clone, G: Clone>(
    definitions: &[Term<A, G>],
    root: usize,
    choice: Choice,
    limit: usize,
) -> Result<Structure<A, G>, TooLarge> {
    let mut builder = Builder {
        definitions,
        choice,
        ends: ending(definitions),
        conts: vec![Cont::End],
        interned: HashMap::new(),
        located: HashMap::new(),
        work: VecDeque::new(),
        locations: vec![0],
        pars: vec![],
        par_of: HashMap::new(),
        triples: vec![],
        limit,
        too_large: false,
        alternatives: 0,
        joined: 0,
        looked: 0,
    };
    let end = builder.after_call(root, END);
    let whole = builder.then(std::slice::from_ref(&definitions[root]), Pc(0), end);
    let start = builder.enter(whole);
    builder.run()?;
    let joins = builder.pars.iter().map(|p| p.join.clone().expect("completed after the run")).collect();
    Ok(Structure { locations: builder.locations, start, triples: builder.triples, joins })
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ContId(usize);
const END: ContId = ContId(0);

enum Cont<'a, A, G> {
    /// The end of the whole process.
    End,
    /// What follows a definition that never ends.
    Never,
    /// The end of a branch.
    Branch { par: usize, branch: usize },
    /// The rest of a sequence.
    Then { rest: &'a [Term<A, G>], pc: Pc, next: ContId },
    /// A guard before a continuation that has been resolved.
    Guard { guard: &'a G, pc: Pc, inner: ContId },
    /// A conditional process of which the body, with all that follows, has been resolved.
    Conditional { yes: &'a G, no: &'a G, pass: &'a A, pc: Pc, inner: ContId, next: ContId },
    /// A parallel composition of which each branch has been resolved.
    Fork { par: usize, branches: Vec<ContId> },
}

/// What a continuation is; terms are distinguished by their address.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Never,
    Branch { par: usize, branch: usize },
    Then { rest: usize, length: usize, pc: Pc, next: ContId },
    Guard { term: usize, pc: Pc, inner: ContId },
    Conditional { term: usize, pc: Pc, inner: ContId, next: ContId },
    Fork { par: usize, branches: Vec<ContId> },
}

fn address<T>(term: &T) -> usize {
    std::ptr::from_ref(term) as usize
}

/// A first action of a term: a triple without its entry condition.
struct Initial<A, G> {
    guards: Vec<G>,
    action: A,
    exit: Exit,
    began: Vec<(usize, usize)>,
}

/// One parallel composition with a given continuation.
struct Par {
    parent: (Pc, Location),
    branches: Vec<Pc>,
    composition: Option<usize>,
    next: ContId,
    join: Option<Join>,
}

struct Builder<'a, A, G> {
    definitions: &'a [Term<A, G>],
    choice: Choice,
    ends: Vec<bool>,
    conts: Vec<Cont<'a, A, G>>,
    interned: HashMap<Key, ContId>,
    located: HashMap<ContId, Location>,
    /// Continuations that have a location but no triples yet.
    work: VecDeque<ContId>,
    locations: Vec<u32>,
    pars: Vec<Par>,
    par_of: HashMap<(usize, Pc, ContId), usize>,
    triples: Vec<Triple<A, G>>,
    limit: usize,
    /// Something had to be given up because of the limit.
    too_large: bool,
    /// How many alternatives the exits have, all in all.
    alternatives: usize,
    /// How many of the compositions have their join.
    joined: usize,
    /// How many terms were looked at for their first actions.
    looked: usize,
}

impl<'a, A: Clone, G: Clone> Builder<'a, A, G> {
    fn run(&mut self) -> Result<(), TooLarge> {
        loop {
            while let Some(cont) = self.work.pop_front() {
                self.translate(cont)?;
            }
            // Joins are completed here and not where compositions are made: a thousand compositions in a row would
            // otherwise nest a thousand calls.
            if self.joined < self.pars.len() {
                let exit = self.enter(self.pars[self.joined].next);
                let made = &mut self.pars[self.joined];
                self.joined += 1;
                made.join = Some(Join {
                    parent: made.parent,
                    branches: made.branches.clone(),
                    exit,
                    composition: made.composition,
                });
                continue;
            }
            if self.has_too_many() {
                return Err(TooLarge);
            }
            return Ok(());
        }
    }

    /// Compositions that begin with compositions are made all at once, so their number is watched while they are.
    fn has_too_many(&mut self) -> bool {
        self.too_large |= self.pars.len() > self.limit;
        self.too_large
    }

    fn push(&mut self, triple: Triple<A, G>) -> Result<(), TooLarge> {
        self.triples.push(triple);
        if self.triples.len() > self.limit { Err(TooLarge) } else { Ok(()) }
    }

    /// The triples of a location.
    fn translate(&mut self, cont: ContId) -> Result<(), TooLarge> {
        let pc = match self.conts[cont.0] {
            Cont::Then { pc, .. } | Cont::Guard { pc, .. } | Cont::Conditional { pc, .. } => pc,
            _ => unreachable!("whatever else there is to do is entered without a location of its own"),
        };
        let here = (pc, self.located[&cont]);
        // Definitions that call others twice grow exponentially, in continuations before triples.
        if self.conts.len() > 4 * self.limit {
            return Err(TooLarge);
        }
        for Initial { guards, action, exit, began } in self.initials_of_cont(cont) {
            self.push(Triple { entry: vec![here], guards, action, exit, began })?;
        }
        Ok(())
    }

    /// The rest of a sequence before `next`. A rest that is a single call or a nested sequence is opened, so that
    /// different ways to write the same rest are one continuation. Nothing else is opened here: what follows a call
    /// is looked at when it is entered, or recursion would unfold forever.
    fn then(&mut self, mut rest: &'a [Term<A, G>], pc: Pc, mut next: ContId) -> ContId {
        let definitions = self.definitions;
        loop {
            match rest {
                [] => return next,
                [Term::Call(callee)] => {
                    next = self.after_call(*callee, next);
                    rest = std::slice::from_ref(&definitions[*callee]);
                }
                [Term::Seq(parts)] => rest = parts,
                _ => {
                    let key = Key::Then { rest: rest.as_ptr() as usize, length: rest.len(), pc, next };
                    return self.intern(key, Cont::Then { rest, pc, next });
                }
            }
        }
    }

    /// The same continuation, opened until it begins with neither a call nor a sequence: all ways to arrive at the
    /// same action arrive at the same continuation.
    fn opened(&mut self, mut cont: ContId) -> ContId {
        let definitions = self.definitions;
        while let Cont::Then { rest, pc, next } = self.conts[cont.0] {
            cont = match &rest[0] {
                Term::Call(callee) => {
                    let after = self.then(&rest[1..], pc, next);
                    let after = self.after_call(*callee, after);
                    self.then(std::slice::from_ref(&definitions[*callee]), pc, after)
                }
                Term::Seq(parts) => {
                    let after = self.then(&rest[1..], pc, next);
                    self.then(parts, pc, after)
                }
                _ => break,
            };
        }
        cont
    }

    fn never(&mut self) -> ContId {
        self.intern(Key::Never, Cont::Never)
    }

    fn intern(&mut self, key: Key, cont: Cont<'a, A, G>) -> ContId {
        *self.interned.entry(key).or_insert_with(|| {
            self.conts.push(cont);
            ContId(self.conts.len() - 1)
        })
    }

    /// What follows a call: nothing matters after a definition that never ends.
    fn after_call(&mut self, callee: usize, next: ContId) -> ContId {
        if self.ends[callee] { next } else { self.never() }
    }

    /// The enabler ◁[·].
    fn enter(&mut self, cont: ContId) -> Exit {
        if self.has_too_many() {
            return Exit::default();
        }
        let cont = self.opened(cont);
        match &self.conts[cont.0] {
            Cont::End => Exit::to(vec![(Pc(0), Location::ENDED)]),
            Cont::Never => Exit::default(),
            Cont::Branch { par, branch } => {
                let pc = self.pars[*par].branches[*branch];
                Exit { joins: vec![*par], ..Exit::to(vec![(pc, Location::ENDED)]) }
            }
            Cont::Then { rest, pc, next } => {
                let (rest, pc, next) = (*rest, *pc, *next);
                match &rest[0] {
                    // Nothing to decide before the branches start, so they start at once, as table 4.2 has it.
                    term @ (Term::Par(branches) | Term::Composed(_, branches)) => {
                        let after = self.then(&rest[1..], pc, next);
                        let par = self.par(term.composition(), branches, pc, after);
                        let branches = self.branch_conts(par, branches);
                        self.fork(par, &branches)
                    }
                    _ if self.choice == Choice::Early => self.enter_early(cont, pc),
                    _ => Exit::to(vec![(pc, self.locate(cont, pc))]),
                }
            }
            Cont::Fork { par, branches } => {
                let (par, branches) = (*par, branches.clone());
                self.fork(par, &branches)
            }
            Cont::Guard { pc, .. } | Cont::Conditional { pc, .. } => {
                let pc = *pc;
                Exit::to(vec![(pc, self.locate(cont, pc))])
            }
        }
    }

    fn locate(&mut self, cont: ContId, pc: Pc) -> Location {
        if let Some(&known) = self.located.get(&cont) {
            return known;
        }
        let location = self.fresh(pc);
        self.located.insert(cont, location);
        self.work.push_back(cont);
        location
    }

    fn fresh(&mut self, pc: Pc) -> Location {
        let count = &mut self.locations[pc.0 as usize];
        *count += 1;
        Location(*count)
    }

    /// Starts all branches.
    fn fork(&mut self, par: usize, branches: &[ContId]) -> Exit {
        let mut exit = Exit::to(vec![self.pars[par].parent]);
        for branch in branches {
            let started = self.enter(*branch);
            exit.set.extend(started.set);
            exit.picks.extend(started.picks);
        }
        exit
    }

    /// The branches of a composition as continuations.
    fn branch_conts(&mut self, par: usize, branches: &'a [Term<A, G>]) -> Vec<ContId> {
        let cont = |branch: usize| {
            let pc = self.pars[par].branches[branch];
            let end = self.branch_end(par, branch);
            self.then(&branches[branch..=branch], pc, end)
        };
        (0..branches.len()).map(cont).collect()
    }

    fn branch_end(&mut self, par: usize, branch: usize) -> ContId {
        self.intern(Key::Branch { par, branch }, Cont::Branch { par, branch })
    }

    /// The composition with its components, made on first use.
    fn par(&mut self, composition: Option<usize>, branches: &'a [Term<A, G>], pc: Pc, next: ContId) -> usize {
        let next = self.opened(next);
        let key = (branches.as_ptr() as usize, pc, next);
        if let Some(&known) = self.par_of.get(&key) {
            return known;
        }
        let location = self.fresh(pc);
        let first = self.locations.len() as u32;
        self.locations.extend(branches.iter().map(|_| 0));
        self.pars.push(Par {
            parent: (pc, location),
            branches: (first..first + branches.len() as u32).map(Pc).collect(),
            composition,
            next,
            join: None,
        });
        let par = self.pars.len() - 1;
        self.par_of.insert(key, par);
        par
    }

    fn initials_of_rest(&mut self, rest: &'a [Term<A, G>], pc: Pc, next: ContId) -> Vec<Initial<A, G>> {
        let after = self.then(&rest[1..], pc, next);
        self.initials(&rest[0], pc, after)
    }

    fn initials_of_cont(&mut self, cont: ContId) -> Vec<Initial<A, G>> {
        match &self.conts[cont.0] {
            Cont::Then { rest, pc, next } => self.initials_of_rest(rest, *pc, *next),
            Cont::End | Cont::Branch { .. } | Cont::Never => vec![],
            Cont::Guard { guard, inner, .. } => {
                let (guard, inner) = (*guard, *inner);
                prefixed(guard, self.initials_of_cont(inner))
            }
            Cont::Conditional { yes, no, pass, inner, next, .. } => {
                let (yes, no, pass, inner, next) = (*yes, *no, *pass, *inner, *next);
                let mut out = prefixed(yes, self.initials_of_cont(inner));
                out.push(self.passing(no, pass, next));
                out
            }
            Cont::Fork { par, branches } => {
                let (par, branches) = (*par, branches.clone());
                self.initials_of_par(par, &branches)
            }
        }
    }

    /// The translation ⟦·⟧ of the first actions of a term.
    fn initials(&mut self, term: &'a Term<A, G>, pc: Pc, next: ContId) -> Vec<Initial<A, G>> {
        // Definitions that call others twice in a choice have exponentially many first actions, or none at all in as many
        // places. Only the ways to get there tell.
        self.looked += 1;
        self.too_large |= self.looked > MOST_LOOKS.saturating_mul(self.limit);
        if self.has_too_many() {
            return vec![];
        }
        match term {
            Term::Nil => vec![],
            Term::Act(action) => {
                let exit = self.enter(next);
                vec![Initial { guards: vec![], action: action.clone(), exit, began: vec![] }]
            }
            Term::Seq(parts) => self.initials_of_rest(parts, pc, next),
            Term::Choice(parts) => parts.iter().flat_map(|p| self.initials(p, pc, next)).collect(),
            Term::Guard(guard, body) => prefixed(guard, self.initials(body, pc, next)),
            Term::Conditional { yes, no, pass, body } => {
                let mut out = prefixed(yes, self.initials(body, pc, next));
                out.push(self.passing(no, pass, next));
                out
            }
            Term::Call(callee) => {
                let next = self.after_call(*callee, next);
                let definitions = self.definitions;
                self.initials(&definitions[*callee], pc, next)
            }
            Term::Par(branches) | Term::Composed(_, branches) => {
                let par = self.par(term.composition(), branches, pc, next);
                let branches = self.branch_conts(par, branches);
                self.initials_of_par(par, &branches)
            }
        }
    }

    /// The step past a conditional process: an action like any other.
    fn passing(&mut self, no: &G, pass: &A, next: ContId) -> Initial<A, G> {
        let exit = self.enter(next);
        Initial { guards: vec![no.clone()], action: pass.clone(), exit, began: vec![] }
    }

    /// A composition that stands under a guard or in a choice: the branch that moves first starts the others, and
    /// whatever guards stand before the composition are checked by that first move only (thesis, section 5.3).
    fn initials_of_par(&mut self, par: usize, branches: &[ContId]) -> Vec<Initial<A, G>> {
        let mut out = vec![];
        for branch in 0..branches.len() {
            for Initial { guards, action, exit, mut began } in self.initials_of_cont(branches[branch]) {
                let others: Vec<ContId> =
                    (0..branches.len()).filter(|&b| b != branch).map(|b| branches[b]).collect();
                let mut whole = self.fork(par, &others);
                whole.set.extend(exit.set);
                whole.picks.extend(exit.picks);
                whole.joins = exit.joins;
                began.insert(0, (par, branch));
                out.push(Initial { guards, action, exit: whole, began });
            }
        }
        out
    }
}

fn prefixed<A, G: Clone>(guard: &G, mut initials: Vec<Initial<A, G>>) -> Vec<Initial<A, G>> {
    initials.iter_mut().for_each(|initial| initial.guards.insert(0, guard.clone()));
    initials
}

#[cfg(test)]
mod tests;
