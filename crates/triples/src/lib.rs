//! Process terms → symbolically linked triple structures (thesis, section 4.1; TOSEM, section 3).
//!
//! A triple is an entry condition over a vector of program counters, an action, and an exit condition. Each action
//! of a process gives one triple, so the structure is as large as the term, not as its state space.
//!
//! Three points differ from tables 4.1 and 4.2, all for the sake of exactness:
//! * **Late choice.** The exit of an action leads to *one* location, from which several triples may be enabled. In
//!   the thesis the exit picks one of the entries, which resolves a choice before its action is taken and invents
//!   deadlocks that rules CHOICE do not have. [`Choice::Early`] gives that reading, for comparison.
//! * **Silent joins.** The join triple of a parallel composition has no action and no rule of the semantics
//!   corresponds to it; it is taken together with the step that ends the last branch.
//! * **`0` is not termination.** A branch that ends in the idle process never joins.
//!
//! The crate is generic in actions and guards, so every language of the project shares it.

mod build;
mod dot;
mod effect;
mod print;
mod synchronise;
mod term;

pub use build::{TooLarge, build};
pub use dot::dot;
pub use effect::{Effect, effects};
pub use print::print;
pub use synchronise::{Algebra, Parties, synchronise};
pub use term::Term;

/// When a choice is made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Choice {
    /// By the action that is taken, as rules CHOICE say.
    #[default]
    Late,
    /// By the exit of the action before it, as tables 4.1 and 4.2 have it.
    Early,
}

/// A component of the program counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Pc(pub u32);

/// A value of a component. 0 means that the branch it follows has ended, or has not begun.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Location(pub u32);

impl Location {
    /// Ended, or not begun.
    pub const ENDED: Location = Location(0);
}

/// The encoding of one process (definition 4.10).
#[derive(Clone, Debug)]
pub struct Structure<A, G> {
    /// For each component, how many locations it has besides [`Location::ENDED`].
    pub locations: Vec<u32>,
    /// The exit of the start triple.
    pub start: Exit,
    /// One triple per action.
    pub triples: Vec<Triple<A, G>>,
    /// The join triples.
    pub joins: Vec<Join>,
}

impl<A, G> Structure<A, G> {
    /// The same structure with other guards.
    pub fn map_guards<H>(self, mut map: impl FnMut(G) -> H) -> Structure<A, H> {
        let mut triple = |t: Triple<A, G>| Triple {
            entry: t.entry,
            guards: t.guards.into_iter().map(&mut map).collect(),
            action: t.action,
            exit: t.exit,
            began: t.began,
        };
        Structure {
            locations: self.locations,
            start: self.start,
            triples: self.triples.into_iter().map(&mut triple).collect(),
            joins: self.joins,
        }
    }
}

/// A triple ⟨entry, guards and action, exit⟩ (definition 4.2).
#[derive(Clone, Debug)]
pub struct Triple<A, G> {
    /// All these components have these values.
    pub entry: Vec<(Pc, Location)>,
    /// All these hold too; outermost first.
    pub guards: Vec<G>,
    pub action: A,
    pub exit: Exit,
    /// The compositions (by their join) that it begins, because they stand in a choice or under a guard, and the branch
    /// of each that moves; outermost first.
    pub began: Vec<(usize, usize)>,
}

/// An exit condition: assignments in order, then choices, then perhaps joins.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Exit {
    /// Components and their new values.
    pub set: Vec<(Pc, Location)>,
    /// From each of these, one alternative is taken as well. There are none under late choice. Every alternative begins
    /// something, so it sets no component to [`Location::ENDED`] and has no join.
    pub picks: Vec<Vec<Exit>>,
    /// The join triples to try afterwards; indices into [`Structure::joins`]. Only a triple of several processes that
    /// synchronise has more than one.
    pub joins: Vec<usize>,
}

impl Exit {
    /// An exit that does just this.
    pub fn to(set: Vec<(Pc, Location)>) -> Exit {
        Exit { set, ..Exit::default() }
    }

    /// All components it may set to something else than [`Location::ENDED`], with that value.
    pub fn begins(&self) -> Vec<(Pc, Location)> {
        let own = self.set.iter().copied().filter(|(_, at)| *at != Location::ENDED);
        own.chain(self.picks.iter().flatten().flat_map(Exit::begins)).collect()
    }
}

/// The join triple of a parallel composition: when all branches have ended, go on after it.
#[derive(Clone, Debug)]
pub struct Join {
    /// The component that runs the composition, and its value meanwhile.
    pub parent: (Pc, Location),
    /// The components of the branches.
    pub branches: Vec<Pc>,
    pub exit: Exit,
    /// The number of the composition, if its branches interact.
    pub composition: Option<usize>,
}
