//! The one list of engines: a new engine is one more line here.

use swarmcheck_compose::Compose;
use swarmcheck_engine::Engine;
use swarmcheck_explicit::{Abstract, Explicit};
use swarmcheck_question::{QuestionKind, SearchShape};
use swarmcheck_smt::Smt;
use swarmcheck_symbolic::{Method, Symbolic};

/// Which engine decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Decider {
    /// All of them race; the first accepted answer counts.
    #[default]
    Auto,
    /// Explicit-state search.
    Explicit,
    /// Explicit-state search of the predicate abstraction.
    Abstract,
    /// Symbolic model checking: SAT solving or decision diagrams.
    Symbolic(Method),
    /// Composition of processes that are reduced one by one.
    Compose,
    /// Solvers for integers.
    Smt,
}

/// The class of a question, as far as it says which engine is likely to answer it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuestionClass {
    /// Executions of a number of steps.
    Bounded,
    /// Whether a state can be reached.
    Reach,
    /// Whether something happens in every execution.
    Lasting,
}

/// A line of the table.
pub struct Entry {
    pub decider: Decider,
    /// The word for it in requests and reports.
    pub name: &'static str,
    /// Makes it. Engines that look at executions of growing length give up after so many steps.
    make: fn(Option<u32>) -> Box<dyn Engine + Send + Sync>,
    /// Its place among those that join the race for a question of this class: a later place gets less time. `None` where
    /// another engine does the same.
    pub place: fn(QuestionClass) -> Option<u32>,
    /// It is often done soon or not at all: its first turn comes before those of others.
    pub early: Option<Early>,
}

/// A first turn before those of others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Early {
    /// Its place among such turns.
    pub place: u32,
    /// How long it is, in waits.
    pub waits: u64,
}

/// The first turn of these engines, in waits. The others wait meanwhile, so it is less than a second. What induction proves it
/// mostly proves with two or three steps.
const EARLY: u64 = 90;

const fn early(place: u32) -> Option<Early> {
    Some(Early { place, waits: EARLY })
}

/// The engines. The first one takes part in every race from the beginning, with all its threads.
pub const ENGINES: &[Entry] = &[
    Entry {
        decider: Decider::Explicit,
        name: "explicit",
        make: |_| Box::new(Explicit),
        place: |_| None,
        early: None,
    },
    Entry {
        decider: Decider::Abstract,
        name: "abstract",
        make: |_| Box::new(Abstract),
        place: |_| Some(1),
        early: early(1),
    },
    Entry {
        decider: Decider::Symbolic(Method::Bounded),
        name: "bmc",
        make: |depth| symbolic(Method::Bounded, depth),
        place: |class| Some(if class == QuestionClass::Bounded { 0 } else { 2 }),
        early: None,
    },
    Entry {
        decider: Decider::Symbolic(Method::Induction),
        name: "kind",
        make: |depth| symbolic(Method::Induction, depth),
        place: unbounded::<1>,
        early: early(2),
    },
    Entry {
        decider: Decider::Symbolic(Method::Ic3),
        name: "ic3",
        make: |depth| symbolic(Method::Ic3, depth),
        place: unbounded::<0>,
        early: None,
    },
    Entry {
        decider: Decider::Symbolic(Method::Diagrams),
        name: "bdd",
        make: |depth| symbolic(Method::Diagrams, depth),
        // What can be reached from every state is for no other engine, so it comes last where others can answer.
        place: |_| Some(3),
        early: None,
    },
    Entry {
        decider: Decider::Compose,
        name: "compose",
        make: |_| Box::new(Compose),
        // It takes part only where processes are loosely coupled, and then it is often done soon.
        place: unbounded::<1>,
        early: early(0),
    },
    Entry {
        decider: Decider::Smt,
        name: "smt",
        make: |depth| Box::new(Smt { depth: depth.unwrap_or(u32::MAX) }),
        // It takes part only where a number has no range, and then others rarely prove anything.
        place: unbounded::<0>,
        early: early(3),
    },
];

/// The words for all engines, and for the race.
pub const WORDS: &[&str] = &WORD_LIST;

const WORD_LIST: [&str; ENGINES.len() + 1] = {
    let mut words = ["auto"; ENGINES.len() + 1];
    let mut at = 0;
    while at < ENGINES.len() {
        words[at + 1] = ENGINES[at].name;
        at += 1;
    }
    words
};

fn symbolic(method: Method, depth: Option<u32>) -> Box<dyn Engine + Send + Sync> {
    let most = Symbolic::new(method);
    Box::new(Symbolic { depth: depth.unwrap_or(most.depth), ..most })
}

/// Executions of a known length are left to bounded search, which these engines would call.
fn unbounded<const PLACE: u32>(class: QuestionClass) -> Option<u32> {
    (class != QuestionClass::Bounded).then_some(PLACE)
}

impl Decider {
    /// What a word of [`WORDS`] stands for.
    pub fn named(word: &str) -> Option<Decider> {
        let entry = ENGINES.iter().find(|entry| entry.name == word);
        entry.map(|entry| entry.decider).or((word == "auto").then_some(Decider::Auto))
    }

    /// Its line in the table; none for the race.
    pub fn entry(self) -> Option<&'static Entry> {
        ENGINES.iter().find(|entry| entry.decider == self)
    }
}

impl Entry {
    /// The engine, which gives up after executions of so many steps if it looks at executions of growing length.
    pub fn engine(&self, depth: Option<u32>) -> Box<dyn Engine + Send + Sync> {
        (self.make)(depth)
    }
}

impl QuestionClass {
    pub fn of(kind: QuestionKind, shape: SearchShape) -> QuestionClass {
        match (shape, kind) {
            (SearchShape::Within(_) | SearchShape::After { .. }, _) => QuestionClass::Bounded,
            (
                _,
                QuestionKind::Always
                | QuestionKind::Kept
                | QuestionKind::Alive
                | QuestionKind::Scope { waits: false },
            ) => QuestionClass::Reach,
            _ => QuestionClass::Lasting,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_for_an_engine() {
        assert_eq!(WORDS.len(), ENGINES.len() + 1);
        for word in WORDS {
            let decider = Decider::named(word);
            assert!(decider.is_some(), "{word}");
            assert_eq!(decider.and_then(Decider::entry).map_or("auto", |entry| entry.name), *word);
        }
        for entry in ENGINES {
            assert_eq!(entry.engine(None).name(), entry.name);
        }
        assert_eq!(Decider::named("banana"), None);
    }

    /// Somebody joins the race for every class of questions.
    #[test]
    fn no_class_of_questions_is_left_out() {
        for class in [QuestionClass::Bounded, QuestionClass::Reach, QuestionClass::Lasting] {
            assert!(ENGINES.iter().any(|entry| (entry.place)(class) == Some(0)), "{class:?}");
        }
    }
}
