//! Programs for one single model each, written by hand: what is possible when the model is known to the compiler.
//!
//! They are the yardstick of `bench-limits`: packed states, exact storage in one table of the right size, nothing
//! interpreted, nothing allocated while searching, one thread, and for each model whatever is known about it beforehand.
//! What they do not do is leave out states: states and transitions are those of `swarmcheck verify --no-reductions`.

pub mod flock;
pub mod formation;
pub mod lanes;
pub mod leader;
pub mod philosophers;
pub mod reach;
pub mod runs;
pub mod search;
pub mod table;
pub mod trio;
pub mod twophase;

use self::search::{ByHand, Found, explore, settle};
use self::table::Full;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

/// A model that has such a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model {
    /// So many nodes, 1 to 10.
    Leader(usize),
    /// So many workers, 1 to 7.
    Twophase(usize),
    /// Three birds on a grid of 5 by 5 that see 5 far; round robin or free.
    Flock(Schedule),
    /// Three robots on a line of 10 that want to be 2 apart; round robin or free.
    Formation(Schedule),
    /// So many philosophers, 2 to 10.
    Philosophers(usize),
}

/// Who may act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Schedule {
    /// Everybody in turn.
    RoundRobin,
    /// Anybody.
    Free,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// Visit every state.
    Explore,
    /// From every state the goal can be reached.
    Settle,
}

impl Model {
    /// The file below `examples`, the parameters and the options that say the same to `swarmcheck verify`.
    pub fn arguments(self) -> (&'static str, String, &'static str) {
        let option = |schedule| if schedule == Schedule::RoundRobin { "--fair" } else { "" };
        match self {
            Model::Leader(n) => ("leader/leader.labs", format!("n={n}"), ""),
            Model::Twophase(n) => ("twophase/twophase.labs", format!("workers={n}"), ""),
            Model::Flock(s) => ("flock/flock.labs", "birds=3 grid=5 delta=5".to_string(), option(s)),
            Model::Formation(s) => {
                ("formation/formation_id.labs", "n=3 size=10 range=2".to_string(), option(s))
            }
            Model::Philosophers(n) => ("philosophers/philosophers.labs", format!("n={n}"), ""),
        }
    }

    /// The property of the file that asks the same: an invariant, or `fairly_inf`.
    pub fn property(self, question: Question) -> &'static str {
        let (invariant, goal) = match self {
            Model::Leader(_) => ("KnownLeader", "ElectionSettles"),
            Model::Twophase(_) => ("NeverRollback", "CommitsGoOn"),
            Model::Flock(_) => ("OnTheGrid", "ConsensusAgain"),
            Model::Formation(_) => ("OnTheLine", "DistancingAgain"),
            Model::Philosophers(_) => ("HandsInRange", "MealsGoOn"),
        };
        if question == Question::Explore { invariant } else { goal }
    }

    /// Runs the program, with tables for so many states.
    pub fn run(self, question: Question, most: usize) -> Result<Found, String> {
        let unable = || format!("there is no program for {self}");
        let outcome = match self {
            Model::Leader(n) => match leader::Leader::new(n) {
                Some(model) => ask(&model, question, most),
                None => ask(&leader::Leader::large(n).ok_or_else(unable)?, question, most),
            },
            Model::Twophase(n) => match twophase::Twophase::new(n) {
                Some(model) => ask(&model, question, most),
                None => ask(&twophase::Twophase::large(n).ok_or_else(unable)?, question, most),
            },
            Model::Flock(s) => {
                let model = flock::Flock::new(5, 5, s == Schedule::RoundRobin).ok_or_else(unable)?;
                ask(&model, question, most)
            }
            Model::Formation(s) => {
                let model = formation::Formation::new(10, 2, s == Schedule::RoundRobin).ok_or_else(unable)?;
                ask(&model, question, most)
            }
            Model::Philosophers(n) => {
                ask(&philosophers::Philosophers::new(n).ok_or_else(unable)?, question, most)
            }
        };
        outcome.map_err(|Full| format!("{self}: there is no room for more than {most} states"))
    }
}

fn ask<M: ByHand>(model: &M, question: Question, most: usize) -> Result<Found, Full> {
    match question {
        Question::Explore => explore(model, most),
        Question::Settle => settle(model, most),
    }
}

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Model::Leader(n) => write!(f, "leader {n}"),
            Model::Twophase(n) => write!(f, "twophase {n}"),
            Model::Flock(s) => write!(f, "flock {s}"),
            Model::Formation(s) => write!(f, "formation {s}"),
            Model::Philosophers(n) => write!(f, "philosophers {n}"),
        }
    }
}

impl Display for Schedule {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Schedule::RoundRobin { "fair" } else { "free" })
    }
}

impl Display for Question {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(if *self == Question::Explore { "explore" } else { "settle" })
    }
}

/// Reads what `Display` writes, as in `leader 8` or `flock fair`.
impl FromStr for Model {
    type Err = String;

    fn from_str(text: &str) -> Result<Model, String> {
        let wrong =
            || format!("{text:?} is no model; examples are `leader 8`, `flock fair`, `formation free`");
        let (name, which) = text.split_once(' ').ok_or_else(wrong)?;
        let size = || which.parse::<usize>().map_err(|_| wrong());
        let schedule = || match which {
            "fair" => Ok(Schedule::RoundRobin),
            "free" => Ok(Schedule::Free),
            _ => Err(wrong()),
        };
        match name {
            "leader" => size().map(Model::Leader),
            "twophase" => size().map(Model::Twophase),
            "flock" => schedule().map(Model::Flock),
            "formation" => schedule().map(Model::Formation),
            "philosophers" => size().map(Model::Philosophers),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{self, Task};
    use crate::tables;
    use swarmcheck_session::{ModelOptions, prepare};
    use swarmcheck_testkit::search::{Space, Verdict, decide};

    /// What a program has to find.
    #[derive(Clone, Copy, Debug)]
    pub struct Expected {
        pub states: u64,
        pub transitions: u64,
        /// Whether the goal can be reached from every state, where that is known.
        pub settles: Option<bool>,
    }

    impl Expected {
        /// As the table of limits says, whose counts come from programs that share no code with these.
        pub fn of(model: Model) -> Expected {
            let table = tables::read("limits", include_str!("../../tables/limits.md")).unwrap();
            let of = |question| limits::expected(&table, &Task { model, question });
            let counted = of(Question::Explore).unwrap();
            let settles = of(Question::Settle).map(|settled| settled.verdict == "holds");
            Expected { states: counted.states, transitions: counted.transitions, settles }
        }

        /// As a naive search of the emulation program says: every state in a hash map, textbook definitions.
        pub fn search(file: &str, parameters: &str, fair: bool, property: &str) -> Expected {
            let path = format!("{}/../examples/{file}", env!("CARGO_MANIFEST_DIR"));
            let words = parameters.split_whitespace().map(|p| p.split_once('=').unwrap());
            let parameters = words.map(|(n, v)| (n.to_string(), v.to_string())).collect();
            let options = ModelOptions { parameters, fair, ..ModelOptions::default() };
            let Ok(prepared) = prepare(file, &std::fs::read(path).unwrap(), options) else {
                panic!("{file} is wrong");
            };
            let limit = 1_000_000;
            let space = Space::explore(&prepared.flat, limit);
            assert!(space.complete);
            let number = prepared.flat.program.properties.iter().position(|p| p.name == property).unwrap();
            Expected {
                states: space.states.len() as u64,
                transitions: space.transitions() as u64,
                settles: Some(decide(&prepared.flat, number, &space, limit) == Verdict::Holds),
            }
        }
    }

    /// Both searches of a program, with tables of exactly the right size.
    pub fn check(model: &impl ByHand, expected: Expected) -> Found {
        let most = expected.states as usize;
        let explored = explore(model, most).unwrap();
        assert_eq!((explored.states, explored.transitions), (expected.states, expected.transitions));
        let settled = settle(model, most).unwrap();
        assert_eq!(Found { lost: None, ..settled }, explored);
        if let Some(settles) = expected.settles {
            assert_eq!(settled.lost == Some(0), settles, "{settled:?}");
        }
        settled
    }

    #[test]
    fn models_are_read_as_they_are_written() {
        use Schedule::{Free, RoundRobin};
        let models = [Model::Leader(8), Model::Flock(RoundRobin), Model::Formation(Free), Model::Twophase(2)];
        for model in models.into_iter().chain([Model::Philosophers(6)]) {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
        for text in ["leader", "leader x", "flock 3", "boids fair", ""] {
            assert!(text.parse::<Model>().is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_without_a_program_are_refused() {
        for model in [Model::Leader(0), Model::Leader(11), Model::Twophase(8), Model::Philosophers(1)] {
            assert!(model.run(Question::Explore, 10).unwrap_err().contains("no program"), "{model}");
        }
        assert!(Model::Leader(3).run(Question::Explore, 105).unwrap_err().contains("no room"));
    }
}
