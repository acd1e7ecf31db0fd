//! The models of `benches/spin` for stateright. `bench-compare` runs this as a program of its own, so that time and
//! memory are those of stateright alone.
//!
//! `stateright-models philosophers|leader N states|deadlock|elected` prints the verdict, the states, the transitions,
//! and the length of the counterexample (0 if there is none) on one line.

mod leader;
mod philosophers;

use leader::Leader;
use philosophers::Philosophers;
use stateright::{Checker, Model};
use std::fmt::Debug;
use std::hash::Hash;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let [model, size, question] = words[..] else { return usage() };
    // The number of agents is a constant of the type, so that states are arrays without a detour through the heap.
    macro_rules! sizes {
        ($($n:literal)*) => {
            match (model, size.parse(), question) {
                $(
                    ("philosophers", Ok($n), "states") => print(Philosophers::<$n> { deadlock: false }),
                    ("philosophers", Ok($n), "deadlock") => print(Philosophers::<$n> { deadlock: true }),
                    ("leader", Ok($n), "states") => print(Leader::<$n> { elected: false }),
                    ("leader", Ok($n), "elected") => print(Leader::<$n> { elected: true }),
                )*
                _ => usage(),
            }
        };
    }
    sizes!(3 4 5 6 7 8 9 10 11 12)
}

fn usage() -> ExitCode {
    eprintln!("usage: stateright-models philosophers|leader 3..12 states|deadlock|elected");
    2.into()
}

/// Searches breadth-first with one thread, as `swarmcheck verify --threads 1` does.
fn print<M>(model: M) -> ExitCode
where
    M: Model + Send + Sync + 'static,
    M::State: Hash + Debug + Clone + PartialEq + Send + Sync,
    M::Action: Clone + PartialEq,
{
    let initial = model.init_states().len();
    let checker = model.checker().threads(1).spawn_bfs().join();
    let found = checker.discoveries().into_values().next();
    let verdict = if found.is_some() { "violated" } else { "holds" };
    let steps = found.map_or(0, |path| path.into_states().len() - 1);
    let transitions = checker.state_count() - initial;
    println!("{verdict} {} {transitions} {steps}", checker.unique_state_count());
    0.into()
}
