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
//! **Conditional ends.** `g => P` is over without a step when `g` is false. In a sequence its location simply also
//! owns the first actions of what follows, under the negated guard. At the end of a parallel branch there is
//! nothing to own: the branch waits at a location from which it *may* count as ended. Such ends are recorded with
//! the composition, and the first actions after the composition get triples whose entry condition names those
//! locations ([`Builder::late_joins`]).

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
    Conditional { yes: &'a G, no: &'a G, pc: Pc, inner: ContId, next: ContId },
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

/// A first action of a term, or the possibility that the term is over without one.
#[derive(Clone)]
enum Initial<A, G> {
    Move { guards: Vec<G>, action: A, exit: Exit, began: Vec<(usize, usize)> },
    Over { guards: Vec<G> },
}

/// One parallel composition with a given continuation.
struct Par<G> {
    parent: (Pc, Location),
    branches: Vec<Pc>,
    composition: Option<usize>,
    next: ContId,
    join: Option<Join>,
    /// How deeply it is nested in others.
    depth: usize,
    /// For each branch, the places where it may count as ended.
    conditional: Vec<Vec<End<G>>>,
    late_joins_done: bool,
}

/// A way to regard a branch as ended: these components are there, and the guards hold.
#[derive(Clone)]
struct End<G> {
    places: Vec<(Pc, Location)>,
    guards: Vec<G>,
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
    pars: Vec<Par<G>>,
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
            // Inner compositions first: they may report conditional ends to outer ones.
            let conditional = |p: &Par<G>| p.conditional.iter().any(|ends| !ends.is_empty());
            let open =
                (0..self.pars.len()).filter(|&p| !self.pars[p].late_joins_done && conditional(&self.pars[p]));
            let Some(par) = open.max_by_key(|&p| self.pars[p].depth) else {
                return Ok(());
            };
            self.pars[par].late_joins_done = true;
            self.late_joins(par)?;
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
        for initial in self.initials_of_cont(cont) {
            match initial {
                Initial::Move { guards, action, exit, began } => {
                    self.push(Triple { entry: vec![here], guards, action, exit, began })?;
                }
                Initial::Over { guards } => self.report_end(cont, End { places: vec![here], guards }),
            }
        }
        Ok(())
    }

    /// Records that the branch which `cont` belongs to may count as ended. At the top level there is nobody to
    /// tell: a process that is over has no more steps either way.
    fn report_end(&mut self, cont: ContId, end: End<G>) {
        if let Some((par, branch)) = self.enclosing(cont) {
            self.pars[par].conditional[branch].push(end);
        }
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
        let depth = 1 + self.enclosing(next).map_or(0, |(p, _)| self.pars[p].depth);
        self.pars.push(Par {
            parent: (pc, location),
            branches: (first..first + branches.len() as u32).map(Pc).collect(),
            composition,
            next,
            join: None,
            depth,
            conditional: vec![vec![]; branches.len()],
            late_joins_done: false,
        });
        let par = self.pars.len() - 1;
        self.par_of.insert(key, par);
        par
    }

    /// The composition and the branch that a continuation belongs to.
    fn enclosing(&self, mut cont: ContId) -> Option<(usize, usize)> {
        loop {
            cont = match &self.conts[cont.0] {
                Cont::Then { next, .. } | Cont::Conditional { next, .. } => *next,
                Cont::Guard { inner, .. } => *inner,
                Cont::Fork { par, .. } => self.pars[*par].next,
                Cont::Branch { par, branch } => return Some((*par, *branch)),
                Cont::End | Cont::Never => return None,
            }
        }
    }

    fn initials_of_rest(&mut self, rest: &'a [Term<A, G>], pc: Pc, next: ContId) -> Vec<Initial<A, G>> {
        let after = self.then(&rest[1..], pc, next);
        self.initials(&rest[0], pc, after)
    }

    fn initials_of_cont(&mut self, cont: ContId) -> Vec<Initial<A, G>> {
        match &self.conts[cont.0] {
            Cont::Then { rest, pc, next } => self.initials_of_rest(rest, *pc, *next),
            Cont::End | Cont::Branch { .. } => vec![Initial::Over { guards: vec![] }],
            Cont::Never => vec![],
            Cont::Guard { guard, inner, .. } => {
                let (guard, inner) = (*guard, *inner);
                prefixed(std::slice::from_ref(guard), self.initials_of_cont(inner))
            }
            Cont::Conditional { yes, no, inner, next, .. } => {
                let (yes, no, inner, next) = (*yes, *no, *inner, *next);
                let mut out = prefixed(std::slice::from_ref(yes), self.initials_of_cont(inner));
                out.extend(prefixed(std::slice::from_ref(no), self.initials_of_cont(next)));
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
                vec![Initial::Move { guards: vec![], action: action.clone(), exit, began: vec![] }]
            }
            Term::Seq(parts) => self.initials_of_rest(parts, pc, next),
            Term::Choice(parts) => parts.iter().flat_map(|p| self.initials(p, pc, next)).collect(),
            Term::Guard(guard, body) => prefixed(std::slice::from_ref(guard), self.initials(body, pc, next)),
            Term::Conditional(yes, no, body) => {
                let mut out = prefixed(std::slice::from_ref(yes), self.initials(body, pc, next));
                out.extend(prefixed(std::slice::from_ref(no), self.initials_of_cont(next)));
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

    /// A composition that stands under a guard or in a choice: the branch that moves first starts the others, and
    /// whatever guards stand before the composition are checked by that first move only (thesis, section 5.3).
    fn initials_of_par(&mut self, par: usize, branches: &[ContId]) -> Vec<Initial<A, G>> {
        let mut out = vec![];
        // All ways in which every branch so far is over without a step.
        let mut over: Vec<Vec<G>> = vec![vec![]];
        for branch in 0..branches.len() {
            let mut ways = vec![];
            for initial in self.initials_of_cont(branches[branch]) {
                match initial {
                    Initial::Over { guards } => ways.push(guards),
                    Initial::Move { guards, action, exit, mut began } => {
                        let others: Vec<ContId> =
                            (0..branches.len()).filter(|&b| b != branch).map(|b| branches[b]).collect();
                        let mut whole = self.fork(par, &others);
                        whole.set.extend(exit.set);
                        whole.picks.extend(exit.picks);
                        whole.joins = exit.joins;
                        began.insert(0, (par, branch));
                        out.push(Initial::Move { guards, action, exit: whole, began });
                    }
                }
            }
            if over.len() * ways.len() > self.limit {
                self.too_large = true;
                return vec![];
            }
            over = over
                .iter()
                .flat_map(|before| ways.iter().map(|way| [before.as_slice(), way].concat()))
                .collect();
        }
        let next = self.pars[par].next;
        for guards in over {
            out.extend(prefixed(&guards, self.initials_of_cont(next)));
        }
        out
    }

    /// Triples that leave a composition some of whose branches merely may count as ended.
    fn late_joins(&mut self, par: usize) -> Result<(), TooLarge> {
        let mut ways = vec![End { places: vec![self.pars[par].parent], guards: vec![] }];
        for (branch, &pc) in self.pars[par].branches.iter().enumerate() {
            let mut options = vec![End { places: vec![(pc, Location::ENDED)], guards: vec![] }];
            options.extend(self.pars[par].conditional[branch].iter().cloned());
            ways = ways
                .iter()
                .flat_map(|way| {
                    options.iter().map(|option| End {
                        places: [way.places.as_slice(), &option.places].concat(),
                        guards: [way.guards.as_slice(), &option.guards].concat(),
                    })
                })
                .collect();
            if ways.len() > self.limit {
                return Err(TooLarge);
            }
        }
        let next = self.pars[par].next;
        let initials = self.initials_of_cont(next);
        // The first way has all branches really ended: the join triple deals with that.
        for way in &ways[1..] {
            for initial in prefixed(&way.guards, initials.clone()) {
                match initial {
                    Initial::Move { guards, action, exit, began } => {
                        let reset = way.places[1..].iter().map(|(pc, _)| (*pc, Location::ENDED));
                        let exit = Exit { set: reset.chain(exit.set).collect(), ..exit };
                        self.push(Triple { entry: way.places.clone(), guards, action, exit, began })?;
                    }
                    Initial::Over { guards } => {
                        self.report_end(next, End { places: way.places.clone(), guards });
                    }
                }
            }
        }
        Ok(())
    }
}

fn prefixed<A, G: Clone>(guards: &[G], initials: Vec<Initial<A, G>>) -> Vec<Initial<A, G>> {
    let before = |own: Vec<G>| guards.iter().cloned().chain(own).collect();
    initials
        .into_iter()
        .map(|initial| match initial {
            Initial::Move { guards, action, exit, began } => {
                Initial::Move { guards: before(guards), action, exit, began }
            }
            Initial::Over { guards } => Initial::Over { guards: before(guards) },
        })
        .collect()
}

#[cfg(test)]
mod tests;
